#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""gen-dashboard.py [--check] - Grafana's dashboard of a fleet from the tables of the module

Writes dashboard.json in tools/n3exporter/prometheus. With --check it writes nothing and reports a
difference from the tables.
"""
import json
import re
import sys

from tables import CHILDREN, L1, MEMBERS, TREE_GROUPS, WINDOW, write_prometheus

# the palette of all outputs
COLOURS = dict(zip(L1, ("#d67e0b", "#2e6aa8", "#c02a80", "#4ca376")))
LETTERS = dict(zip(L1, "FBSR"))


def read_next():
    """{group of stage 2: its metrics}, of the groups that the tree recommends"""
    following = [group for _, group in TREE_GROUPS]
    return {group: [metric for of_group, metric in MEMBERS if of_group == group]
            for group in dict.fromkeys(following)
            if not any(metric in CHILDREN for of_group, metric in MEMBERS if of_group == group)}


CHOSEN = 'job=~"$job", instance=~"$instance"'


def panels():
    """(title, type, options, {legend: expression}) each, or a title of a row"""
    value, share, loss = (f"n3_telemetry_{name}:ratio_rate{WINDOW}"
                          for name in ("metric", "share", "loss"))
    ratio = {"unit": "percentunit"}
    stack = {**ratio, "custom": {"fillOpacity": 60, "stacking": {"mode": "normal"}}}
    yield "Fleet"
    yield "Slots of the fleet", "timeseries", stack, {
        f"{letter} {{{{metric}}}}": f'fleet:{value}{{metric="{metric}"}}'
        for metric, letter in LETTERS.items()}
    yield "Machines by area", "timeseries", {**stack, "unit": "short"}, {
        "{{metric}}": 'sum by (metric) (job:n3_telemetry_bottleneck:count{job=~"$job"})'}
    cause = f"instance:n3_telemetry_cause:ratio_rate{WINDOW}"
    yield "Machines by cause", "timeseries", {**stack, "unit": "short"}, {
        "{{area}}: {{metric}}": f'count by (area, metric) ({cause}{{job=~"$job"}})'}
    yield "Machine"
    yield "Slots", "timeseries", stack, {
        f"{letter} {{{{instance}}}} {{{{metric}}}}":
            f'instance:{value}{{{CHOSEN}, metric="{metric}"}}'
        for metric, letter in LETTERS.items()}
    yield "Causes", "timeseries", ratio, {
        "{{instance}} {{area}}: {{metric}}": f"{cause}{{{CHOSEN}}}"}
    yield "Largest losses of slots", "timeseries", ratio, {
        "{{instance}} {{metric}}": f"topk(5, instance:{loss}{{{CHOSEN}}})"}
    one = f'instance:{value}{{{CHOSEN}, metric="$metric"}}'
    half = f"instance:n3_telemetry_metric:half_width_rate{WINDOW}"
    yield "$metric with its 95 % confidence interval", "timeseries", ratio, {
        "{{instance}}": one,
        "{{instance}} lower": f"{one} - on (job, instance, metric) {half}",
        "{{instance}} upper": f"{one} + on (job, instance, metric) {half}"}
    stalls, slots = (f"sum by (instance, cpu) (rate(n3_telemetry_{family}_total"
                     f'{{{CHOSEN}, cpu!=""}}[{WINDOW}]))'
                     for family in ("backend_stall_slots", "slots"))
    yield "Slots stalled by the backend, by CPU", "status-history", ratio, {
        "{{instance}} CPU {{cpu}}": f"{stalls} / {slots}"}
    yield "Tree: shares of all slots"
    for node, children in CHILDREN.items():
        if children:
            yield node, "timeseries", stack, {
                "{{instance}} {{metric}}":
                    f'instance:{share}{{{CHOSEN}, metric=~"{"|".join(children)}"}}'}
    yield "Groups that the tree leads to: plain ratios"
    for group, members in read_next().items():
        yield group, "timeseries", {"unit": "short"}, {
            "{{instance}} {{metric}}":
                f'instance:{value}{{{CHOSEN}, metric=~"{"|".join(members)}"}}'}
    yield "Trust"
    yield "CPUs by verdict", "timeseries", {**stack, "unit": "short"}, {
        "{{verdict}}": f"sum by (verdict) (n3_telemetry_cpus{{{CHOSEN}}})"}
    yield "Coverage", "timeseries", ratio, {
        "{{instance}}": f"instance:n3_telemetry_coverage:ratio_rate{WINDOW}{{{CHOSEN}}}"}
    yield "Trusted", "timeseries", {"unit": "short"}, {
        "{{instance}} {{numa_node}} {{cpu}}": f"n3_telemetry_trusted{{{CHOSEN}}}"}
    yield "Metrics withdrawn in five minutes", "timeseries", {"unit": "short"}, {
        "{{instance}}": f"increase(n3_telemetry_withdrawals_total{{{CHOSEN}}}[{WINDOW}])"}
    yield "Machines missing in the sums", "timeseries", ratio, {
        "{{job}}": 'job:n3_telemetry_missing:ratio{job=~"$job"}',
        "fleet": "fleet:n3_telemetry_missing:ratio"}
    yield "Time spent on sampling, of the CPU with the largest share", "timeseries", ratio, {
        "{{instance}}": f"n3_telemetry_sampler_cost_ratio{{{CHOSEN}}}"}


SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def colours(expressions):
    """Those of level 1, where it may be shown."""
    if not any(re.search('metric="[a-z]|_bottleneck:|_loss:', expr) for expr in expressions):
        return []
    return [{"matcher": {"id": "byRegexp", "options": f"/(^| ){metric}$/"},
             "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": colour}}]}
            for metric, colour in COLOURS.items()]


def make_panel(nr, title, kind, options, expressions):
    targets = [{"refId": chr(ord("A") + i), "expr": expr, "legendFormat": legend}
               for i, (legend, expr) in enumerate(expressions.items())]
    return {"id": nr, "title": title, "type": kind, "datasource": SOURCE, "targets": targets,
            "fieldConfig": {"defaults": options, "overrides": colours(expressions.values())}}


def variable(name, **more):
    return {"name": name, "label": name, **more}


def dashboard():
    made, x, y = [], 0, 0
    for nr, panel in enumerate(panels(), 1):
        if isinstance(panel, str):
            y += 8 * (x > 0)
            x = 0
            made.append({"id": nr, "title": panel, "type": "row", "collapsed": False, "panels": [],
                         "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}})
            y += 1
            continue
        made.append({**make_panel(nr, *panel), "gridPos": {"x": x, "y": y, "w": 12, "h": 8}})
        y += 8 * (x > 0)
        x = 12 - x
    names = [variable(name, type="query", datasource=SOURCE, includeAll=True, multi=True,
                      allValue=".*", query=f"label_values({query}, {name})", refresh=2)
             for name, query in (("job", "n3_telemetry_up"),
                                 ("instance", 'n3_telemetry_up{job=~"$job"}'))]
    names.append(variable("metric", type="custom", query=",".join(L1)))
    names.insert(0, variable("datasource", type="datasource", query="prometheus"))
    text = json.dumps({
        "title": "Topdown of a fleet (n3_telemetry)", "uid": "n3-telemetry-fleet",
        "schemaVersion": 39, "editable": True, "refresh": "1m", "tags": ["n3_telemetry"],
        "time": {"from": "now-6h", "to": "now"}, "templating": {"list": names}, "panels": made,
    }, indent=1) + "\n"
    # a colour in a line
    return re.sub(r'\{\s+"matcher".*?\]\s+\}',
                  lambda found: re.sub(r"\s*\n\s*", "", found[0]), text, flags=re.S)


if __name__ == "__main__":
    sys.exit(write_prometheus("dashboard.json", dashboard()))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""gen-dashboard.py [--check] - Grafana's dashboard of a fleet from the tables of the module

Writes dashboard.json in tools/n3exporter/prometheus. With --check it writes nothing and reports a
difference from the tables.
"""
import json
import re
import sys

from tables import (CHILDREN, FORMULAS, L1, MEMBERS, TREE_GROUPS, WINDOW, plain_name,
                    write_prometheus)

# the palette of all outputs
COLOURS = dict(zip(L1, ("#d67e0b", "#2e6aa8", "#c02a80", "#4ca376")))
LETTERS = dict(zip(L1, "FBSR"))
WORST = 20  # machines


def read_next():
    """{group of stage 2: its metrics}, of the groups that the tree recommends"""
    following = [group for _, group in TREE_GROUPS]
    return {group: [metric for of_group, metric in MEMBERS if of_group == group]
            for group in dict.fromkeys(following)
            if not any(metric in CHILDREN for of_group, metric in MEMBERS if of_group == group)}


UID = "n3-telemetry-fleet"
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
JOBS = 'job=~"$job"'
CHOSEN = f'{JOBS}, instance=~"$instance"'
METRIC, SHARE, LOSS, CAUSE, BOTTLENECK, COVERAGE = (
    f"n3_telemetry_{name}:ratio_rate{WINDOW}"
    for name in ("metric", "share", "loss", "cause", "bottleneck", "coverage"))
ALL_JOBS = "Of all jobs: the row Jobs has those that are chosen."

TOOLTIP = {"tooltip": {"mode": "multi", "sort": "desc"}}
# it scrolls
LEGEND = {"showLegend": True, "displayMode": "table", "placement": "right",
          "calcs": ["lastNotNull"]}
# text has the colours of Grafana's theme: a colour of bars cannot be read on each background
OPTIONS = {"timeseries": TOOLTIP, "stat": {"colorMode": "background_solid", "graphMode": "none"},
           "bargauge": {"orientation": "horizontal", "displayMode": "basic", "valueMode": "text"},
           "state-timeline": {"showValue": "never", **TOOLTIP}}
STACK = {"custom": {"fillOpacity": 60, "stacking": {"mode": "normal"}}}
SLOTS = {**STACK, "min": 0, "max": 1}
COUNT = {"unit": "short", "min": 0}


def fixed(colour):
    return {"color": {"mode": "fixed", "fixedColor": colour}}


def steps(first, *others):
    """A colour, and others from values on."""
    return {"color": {"mode": "thresholds"}, "thresholds": {"mode": "absolute", "steps": [
        {"value": value, "color": colour} for value, colour in [(None, first), *others]]}}


def override(matcher, options, **properties):
    return {"matcher": {"id": matcher, "options": options}, "properties": [
        {"id": name.replace("__", "."), "value": value} for name, value in properties.items()]}


def colours(expressions):
    """Those of level 1, where it may be shown."""
    if not any(re.search('metric="[a-z]|_bottleneck:|_loss:|by .area', expr)
               for expr in expressions):
        return []
    return [override("byRegexp", f"/(^| ){metric}$/", **fixed(colour))
            for metric, colour in COLOURS.items()]


def panel(title, kind, queries, about=None, size=(12, 8), overrides=(), repeat=None, **defaults):
    """queries: {legend: expression}"""
    more = {"description": about} if about else {}
    if repeat:
        size = (24, 8)
        more.update(repeat=repeat, maxPerRow=2)
    legend = {"legend": LEGEND} if any("instance" in name or "job" in name for name in queries) \
        and kind == "timeseries" else {}
    now = {"instant": True, "range": False} if kind in ("bargauge", "stat") else {}
    return {"title": title, "type": kind, **more, "datasource": SOURCE,
            "gridPos": {"x": 0, "y": 0, "w": size[0], "h": size[1]},
            "options": {**OPTIONS[kind], **legend},
            "targets": [{"refId": chr(ord("A") + i), "expr": expr, "legendFormat": name, **now}
                        for i, (name, expr) in enumerate(queries.items())],
            "fieldConfig": {"defaults": {"unit": "percentunit", **defaults},
                            "overrides": [*overrides, *([] if "color" in defaults else
                                                       colours(queries.values()))]}}


def topdown(level, labels=""):
    return {f"{letter} {metric}": f'{level}:{METRIC}{{{labels}metric="{metric}"}}'
            for metric, letter in LETTERS.items()}


def fleet():
    present, expected, missing = (f"sum(job:n3_telemetry_{name}:count{{{JOBS}}})"
                                  for name in ("present", "expected", "missing"))
    firing = f'ALERTS{{alertname=~"N3Telemetry.*", alertstate="firing", {JOBS}}}'
    lost = f'instance:{BOTTLENECK}{{{JOBS}, metric!="retiring"}}'
    quantile = (f"fleet:n3_telemetry_share:quantile_rate{WINDOW}"
                '{{metric="{}", quantile="{}"}}').format
    instance = "${__field.labels.instance}"
    url = (f"/d/{UID}?${{__url_time_range}}&var-datasource=${{datasource}}"
           f"&${{job:queryparam}}&var-instance={instance}")
    yield panel("Machines", "stat", {"in the sums": present, "expected": expected},
                "Prometheus's page n3-fleet.html has the reasons for those that are missing.",
                (6, 5), **COUNT, **steps("transparent"))
    yield panel("Missing", "stat", {"missing": f"{missing} / {expected}"}, size=(4, 5),
                **steps("transparent", (1e-9, "orange"), (0.05, "red")))
    yield panel("Time counted", "stat", {"counted": f"fleet:{COVERAGE}"}, ALL_JOBS, (4, 5),
                **steps("red", (0.9, "transparent")))
    yield panel("Alerts that fire", "bargauge", {
        "{{alertname}}": f"count by (alertname) ({firing})"}, size=(10, 5), noValue="none",
                **COUNT, **fixed("orange"))
    yield panel("Slots of the fleet", "timeseries", topdown("fleet"), ALL_JOBS, **SLOTS)
    yield panel("Machines by area", "timeseries", {
        "{{metric}}": f"sum by (metric) (job:n3_telemetry_bottleneck:count{{{JOBS}}})"},
                "A machine that loses slots in two areas alike counts for each.", **COUNT, **STACK)
    for metric, letter in LETTERS.items():
        yield panel(f"{letter} {metric} over machines", "timeseries", {
            name: quantile(metric, part)
            for name, part in (("90 %", 0.9), ("median", 0.5), ("10 %", 0.1))},
                    "A tenth of the machines is above the highest line, and a tenth below the "
                    f"lowest. {ALL_JOBS}", (6, 7), min=0, max=1, **fixed(COLOURS[metric]),
                    overrides=[override("byName", "90 %", custom__fillBelowTo="10 %")])
    yield panel(f"The {WORST} machines with the most slots in an area", "bargauge", {
        "{{instance}} {{metric}}": f"topk({WORST}, topk without (metric) (1, {lost}))"},
                "The largest area of each machine. A click chooses the machine for the rows below.",
                (12, 16), min=0, max=1, links=[{"title": f"Rows for {instance}", "url": url}])
    yield panel("Machines by cause", "bargauge", {
        "{{metric}} in {{area}}":
            f"sort_desc(count by (area, metric) (instance:{CAUSE}{{{JOBS}}}))"},
                size=(12, 16), **COUNT)


def groups():
    """Of raw totals: rules have the tree of a machine only."""
    for group, members in read_next().items():
        names = "|".join(map(plain_name, members))
        above, less, below = (
            f"sum by (job, instance, metric) (rate(n3_telemetry_metric_{part}_total{{{CHOSEN}, "
            f'metric=~"{names}"}}[{WINDOW}]) and on (job, instance, cpu) '
            f"cpu:n3_telemetry_usable:bool{{{CHOSEN}}})"
            for part in ("numerator", "subtrahend", "denominator"))
        if any(" - " in FORMULAS[metric] for metric in members):
            above = f"({above} - {less} or {above})"
        yield panel(group, "timeseries", {"{{instance}} {{metric}}": f"{above} / ({below} > 0)"},
                    overrides=[override("byRegexp", "/_ratio$/", unit="percentunit")], unit="short")


def machines():
    """After the title of a row: nothing in it is queried before it is opened."""
    yield "Jobs"
    yield panel("Slots of $job", "timeseries", topdown("job", f"{JOBS}, "), repeat="job", **SLOTS)
    yield panel("$metric over machines", "timeseries", {
        "{{job}} {{quantile}}":
            f'job:n3_telemetry_share:quantile_rate{WINDOW}{{{JOBS}, metric="$metric"}}'})
    yield panel("Missing", "timeseries", {"{{job}}": f"job:n3_telemetry_missing:ratio{{{JOBS}}}"})

    yield "Machine: slots"
    one = f'instance:{METRIC}{{{CHOSEN}, metric="$metric"}}'
    half = f'instance:n3_telemetry_metric:half_width_rate{WINDOW}{{{CHOSEN}, metric="$metric"}}'
    by_cpu = (f"sum by (instance, cpu) (rate(n3_telemetry_{{}}_total{{{{{CHOSEN}, "
              f'cpu!=""}}}}[{WINDOW}]))').format
    yield panel("Slots of $instance", "timeseries", topdown("instance", f"{CHOSEN}, "),
                repeat="instance", **SLOTS)
    yield panel("Causes", "timeseries", {
        "{{instance}} {{area}}: {{metric}}": f"instance:{CAUSE}{{{CHOSEN}}}"})
    yield panel("Largest losses of slots", "timeseries", {
        "{{instance}} {{metric}}": f"topk without (metric) (5, instance:{LOSS}{{{CHOSEN}}})"})
    yield panel("$metric with its 95 % confidence interval", "timeseries", {
        "{{instance}}": one, "{{instance}} lower": f"{one} - {half}",
        "{{instance}} upper": f"{one} + {half}"}, "Intervals need n3-exporter --errors.",
                overrides=[override("byRegexp", "/ (lower|upper)$/", custom__lineStyle={
                    "fill": "dash"})])
    yield panel("Slots stalled by the backend, by CPU", "state-timeline", {
        "{{instance}} CPU {{cpu}}": f"{by_cpu('backend_stall_slots')} / {by_cpu('slots')}"},
                "Needs n3-exporter --per cpu.", min=0, max=1, color={"mode": "continuous-blues"})
    yield "Machine: shares of all slots along the tree"
    for node, children in CHILDREN.items():
        if children:
            yield panel(node, "timeseries", {"{{instance}} {{metric}}":
                        f'instance:{SHARE}{{{CHOSEN}, metric=~"{"|".join(children)}"}}'}, min=0)
    yield "Machine: groups that the tree leads to"
    yield from groups()
    yield "Machine: trust"
    yield panel("CPUs by verdict", "timeseries", {
        "{{verdict}}": f"sum by (verdict) (n3_telemetry_cpus{{{CHOSEN}}})"}, **COUNT, **STACK)
    yield panel("Time counted", "timeseries", {
        "{{instance}}": f"instance:{COVERAGE}{{{CHOSEN}}}"}, max=1)
    yield panel("Trusted", "state-timeline", {
        "{{instance}} {{numa_node}} {{cpu}}": f"n3_telemetry_trusted{{{CHOSEN}}}"},
                "Green: counts can be right.", unit="short", **steps("red", (1, "green")))
    yield panel("Metrics withdrawn in five minutes", "timeseries", {
        "{{instance}}": f"increase(n3_telemetry_withdrawals_total{{{CHOSEN}}}[{WINDOW}])"}, **COUNT)
    yield panel("Time spent on sampling, of the CPU with the largest share", "timeseries", {
        "{{instance}}": f"n3_telemetry_sampler_cost_ratio{{{CHOSEN}}}"})


def all_panels():
    """Side by side; in a row of its own each row, with its panels."""
    top = into = []
    x = y = below = 0
    for nr, made in enumerate([*fleet(), *machines()], 1):
        if isinstance(made, str):
            y = below if into is top else top[-1]["gridPos"]["y"] + 1
            made = {"id": nr, "title": made, "type": "row", "collapsed": True, "panels": [],
                    "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}}
            top.append(made)
            into, x, below = made["panels"], 24, y + 1
            continue
        at = made["gridPos"]
        if x + at["w"] > 24:
            x, y = 0, below
        at.update(x=x, y=y)
        x, below = x + at["w"], y + at["h"]
        into.append({"id": nr, **made})
    return top


def variables():
    query = {"type": "query", "datasource": SOURCE, "multi": True, "refresh": 2, "sort": 1}
    yield {"name": "datasource", "type": "datasource", "query": "prometheus"}
    yield {"name": "job", **query, "query": "label_values(n3_telemetry_up, job)", "allValue": ".*",
           "includeAll": True, "current": {"text": ["All"], "value": ["$__all"]}}
    # without a present value and All, Grafana chooses the first machine
    yield {"name": "instance", **query, "includeAll": False,
           "query": f"label_values(n3_telemetry_up{{{JOBS}}}, instance)"}
    yield {"name": "metric", "type": "custom", "query": ",".join(L1),
           "current": {"text": L1[0], "value": L1[0]}}


def dashboard():
    text = json.dumps({
        "title": "Topdown of a fleet (n3_telemetry)", "uid": UID, "schemaVersion": 39,
        "editable": True, "graphTooltip": 1, "refresh": "1m", "tags": ["n3_telemetry"],
        "time": {"from": "now-6h", "to": "now"}, "templating": {"list": [*variables()]},
        "panels": all_panels()})
    # panels and the longest of their values have lines of their own
    first = r'\{"(?:id|name|refId|matcher)":|"(?:options|targets|fieldConfig)": [{[]'
    return re.sub(rf"(?<=[,[{{]) ?(?={first})", "\n", text) + "\n"


if __name__ == "__main__":
    sys.exit(write_prometheus("dashboard.json", dashboard()))

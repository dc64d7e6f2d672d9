#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""gen-rules.py [--check] - rules for Prometheus from the tables of the module

Writes rules.yml in tools/n3exporter/prometheus. With --check it writes nothing
and reports a difference from the tables.

Sums of totals are divided, never ratios averaged: each level (instance, job, fleet) adds up the
totals of the level below. Names are level:metric:operations. Labels of targets stay but in those
of the fleet.

Each level is a group, and Prometheus evaluates groups at different times. Rules read the level
below as it was AGO, when all of its values are those of one evaluation.
"""
import re
import sys
from collections import namedtuple

from tables import (CHILDREN, FORMULAS, L1, LIBN3T, TELEMETRY, WINDOW, read_number,
                    plain_name, write_prometheus)

MEMORY = "1h"  # of machines that are expected
SECONDS = 300  # in the window
# after a load; clocks differ, and a textfile has older totals for a moment
START_SECONDS = 330
AGO = "offset 30s"
ROUNDING = 1e-6  # of sums
QUANTILES = ("0.1", "0.5", "0.9")

PLACE = "job, instance, cpu, numa_node"
LEVELS = ("instance", "job", "fleet")

# totals of Topdown_L1 by event, all in slots or operations
TOPDOWN = {"SLOTS": "slots", "STALL_SLOT": "stall_slots",
           "STALL_SLOT_FRONTEND": "frontend_stall_slots",
           "STALL_SLOT_BACKEND": "backend_stall_slots",
           "STALL_FRONTEND_FLUSH": "frontend_flush_slots",
           "OP_RETIRED": "ops_retired", "OP_SPEC": "ops_speculated"}
FAMILIES = tuple(TOPDOWN.values())

Rule = namedtuple("Rule", "record labels expr")

DIFFERENCE = re.compile(r"\((\w+) - (\w+)\) / (\w+)(?: \* 100)?")


def differences():
    """{metric: its complement, or None}; the numerators of these metrics are differences."""
    found = {}
    for name, formula in FORMULAS.items():
        match = DIFFERENCE.fullmatch(formula)
        if not match:
            continue
        whole, part, denominator = match.groups()
        found[name] = None if whole != denominator else next(
            other for other, text in FORMULAS.items() if text == f"{part} / {denominator}")
    return found


def on_totals(formula):
    """A formula of Topdown_L1 as a ratio of totals, without a value where a denominator is 0"""
    text = re.sub(r"\(SLOTS \* CPU_CYCLES\)|\(CPU_CYCLES \* SLOTS\)", "SLOTS", formula)
    # STALL_FRONTEND_FLUSH counts cycles, its total slots
    text = text.replace("CPU_CYCLES", "SLOTS").replace(" * 100", "")
    text = re.sub(r"[A-Z_]+", lambda event: f"{{{TOPDOWN[event[0]]}}}", text)
    return re.sub(r"/ (\{\w+\})", r"/ (\1 > 0)", text)


SHARES = {metric: on_totals(FORMULAS[metric]) for metric in L1}


def rate(family, selector=""):
    return f"rate(n3_telemetry_{family}_total{selector}[{WINDOW}])"


STARTED = f"abs(time() - n3_telemetry_start_time_seconds) < {START_SECONDS}"
# CPUs and machines whose totals may be added up: trusted, with a real PMU, loaded before the window.
# Without n3_telemetry_info, counts may be simulated.
# Differences across a withdrawal have wrong counts, even if sampling was enabled again since.
USABLE = f"""n3_telemetry_trusted == 1
and on (job, instance) n3_telemetry_info{{simulated="0"}}
unless on (job, instance) {rate("withdrawals")} > 0
unless on (job, instance) {STARTED}"""


def indented(text, by="  "):
    return by + text.replace("\n", "\n" + by)


def if_usable(usable="cpu:n3_telemetry_usable:bool"):
    """A condition; without a label cpu, this is the machine."""
    return f"\nand on (job, instance, cpu) {usable}"


def usable():
    yield Rule("cpu:n3_telemetry_usable:bool", {}, USABLE)
    # the four shares are those of the same machines
    complete = "".join(f"\nand on ({PLACE}) n3_telemetry_{family}_total"
                       for family in FAMILIES[1:])
    yield Rule("place:n3_telemetry_topdown_usable:bool", {},
               f"group without (replicate) (n3_telemetry_{FAMILIES[0]}_total){complete}"
               f"{if_usable()}")


def add_up(level, metric, label="", suffix=""):
    """The sum of the level below, by job and other labels of the targets, or of the fleet"""
    below = LEVELS[LEVELS.index(level) - 1]
    by = "without (instance) " if level == "job" else f"by ({label}) " if label else ""
    return Rule(f"{level}{suffix}:n3_telemetry_{metric}", {},
                f"sum {by}({below}{suffix}:n3_telemetry_{metric} {AGO})")


def topdown_of_instance():
    for family in FAMILIES + ("slices",):
        place = f"\n  and on ({PLACE}) place:n3_telemetry_topdown_usable:bool\n)"
        with_replicates = f"instance_replicate:n3_telemetry_{family}:rate{WINDOW}"
        yield Rule(with_replicates, {}, "sum without (cpu, numa_node) (\n  "
                   + rate(family, '{replicate!=""}') + place)
        if family in FAMILIES:
            whole = "sum without (cpu, numa_node) (\n  " + rate(family, '{replicate=""}') + place
            yield Rule(f"instance:n3_telemetry_{family}:rate{WINDOW}", {},
                       f"sum without (replicate) (\n{indented(whole)}\n  or {with_replicates}\n)")


def topdown(level):
    """Shares of all slots; with n3-exporter's label replicate their 95 % confidence intervals."""
    if level == "instance":
        yield from topdown_of_instance()
    else:
        for family in FAMILIES:
            yield add_up(level, f"{family}:rate{WINDOW}")
        for family in FAMILIES + ("slices",):
            yield add_up(level, f"{family}:rate{WINDOW}", "replicate", "_replicate")
    yield from shares(level)
    yield from shares(f"{level}_replicate")
    replicates = read_number("N3T_NR_REPLICATES", LIBN3T / "replicates.h")
    factor = read_number("REPLICATES_FACTOR", TELEMETRY / "interval.h")
    slices = read_number("REPLICATE_SLICES", TELEMETRY / "interval.h")
    ratio = f"{level}_replicate:n3_telemetry_metric:ratio_rate{WINDOW}"
    yield Rule(f"{level}:n3_telemetry_metric:half_width_rate{WINDOW}", {},
               f"{factor} * stddev without (replicate) ({ratio})\n"
               f"and count without (replicate) ({ratio}) == {replicates}\n"
               "and ignoring (metric) min without (replicate) (\n"
               f"  {level}_replicate:n3_telemetry_slices:rate{WINDOW} * {SECONDS}\n"
               f") >= {slices}\n"
               # not of a part of the machines; sums differ by rounding
               "and ignoring (metric) sum without (replicate) (\n"
               f"  {level}_replicate:n3_telemetry_slots:rate{WINDOW}\n"
               f") > {1 - ROUNDING} * {level}:n3_telemetry_slots:rate{WINDOW}")


def shares(level):
    totals = {family: f"{level}:n3_telemetry_{family}:rate{WINDOW}" for family in FAMILIES}
    for metric, formula in SHARES.items():
        yield Rule(f"{level}:n3_telemetry_metric:ratio_rate{WINDOW}", {"metric": metric},
                   formula.format(**totals))


def metrics(level):
    """Other metrics, as plain ratios: without a factor of 100 or 1000; of a machine the tree's."""
    ratio = f"{level}:n3_telemetry_metric:ratio_rate{WINDOW}"
    if level == "instance":
        tree_metrics = "|".join(metric for metric in CHILDREN if metric not in L1)
        parts = ["sum without (cpu, numa_node) (\n  "
                 + rate(f"metric_{part}", f'{{metric=~"{tree_metrics}"}}')
                 + if_usable().replace("\n", "\n  ") + "\n)"
                 for part in ("numerator", "denominator")]
        yield Rule(ratio, {}, f"{parts[0]} / ({parts[1]} > 0)")
        return
    for part in ("numerator", "denominator", "subtrahend"):
        total = f"metric_{part}"
        if level == "job":
            # at one time with its condition, which is not that of the group below
            condition = if_usable("(\n" + indented(USABLE) + "\n)")
            yield Rule(f"job:n3_telemetry_{total}:rate{WINDOW}", {},
                       "sum without (instance, cpu, numa_node) (\n"
                       f"{indented(rate(total) + condition)}\n)")
        else:
            yield add_up(level, f"{total}:rate{WINDOW}", "metric")
    part = f"{level}:n3_telemetry_metric_{{}}:rate{WINDOW}".format
    others = "|".join(map(plain_name, differences()))
    yield Rule(ratio, {}, f'{part("numerator")}{{metric!~"{others}"}}'
                          f' / ({part("denominator")} > 0)')
    for metric, complement in differences().items():
        one = f'{{metric="{plain_name(metric)}"}}'
        yield Rule(ratio, {"metric": plain_name(metric)},
                   f'1 - {ratio}{{metric="{complement}"}}' if complement else
                   f'({part("numerator")}{one} - {part("subtrahend")}{one})'
                   f' / ({part("denominator")}{one} > 0)')


def tree(level):
    """Shares of all slots along the tree, and the part of each that its children leave."""
    roots = "|".join(L1)
    leaves = "|".join(node for node, children in CHILDREN.items() if not children and
                      node != "retiring")
    ratio, share, loss = (f"{level}:n3_telemetry_{metric}:ratio_rate{WINDOW}"
                          for metric in ("metric", "share", "loss"))
    yield Rule(share, {}, f'clamp({ratio}{{metric=~"{roots}"}}, 0, 1)')
    for node, children in CHILDREN.items():
        for child in children:
            yield Rule(share, {"metric": child},
                       f'{share}{{metric="{node}"}} * ignoring (metric) '
                       f'clamp({ratio}{{metric="{child}"}}, 0, 1)')
    yield Rule(loss, {}, f'{share}{{metric=~"{leaves}"}}')
    for node, children in CHILDREN.items():
        if children:
            one = f'{share}{{metric="{node}"}}'
            yield Rule(loss, {"metric": node},
                       f"{one} * ignoring (metric) clamp_min(1 - sum without (metric) (\n"
                       f'  clamp({ratio}{{metric=~"{"|".join(children)}"}}, 0, 1)\n), 0)\n'
                       f"or ignoring (metric) {one}")


def distribution(level):
    """Shares of level 1 that 10, 50 and 90 % of the machines do not exceed"""
    by = "without (instance)" if level == "job" else "by (metric)"
    for quantile in QUANTILES:
        yield Rule(f"{level}:n3_telemetry_share:quantile_rate{WINDOW}", {"quantile": quoted(quantile)},
                   f"quantile {by} (\n  {quantile}, "
                   f'instance:n3_telemetry_share:ratio_rate{WINDOW}{{metric=~"{"|".join(L1)}"}} '
                   f"{AGO}\n)")


def below(node):
    return [metric for child in CHILDREN[node] for metric in (child, *below(child))]


def answer():
    """The areas where a machine's slots go, and the cause of each: libn3telemetry/answer.h"""
    # differences of sums are rounded: a limit belongs to the side that it has there
    retiring, margin, minor, half = (
        round(limit + sign * ROUNDING, 6) for limit, sign in (
            *((int(read_number(f"ANSWER_{name}", TELEMETRY / "answer.h")) / 100, sign)
              for name, sign in (("RETIRING", 1), ("MARGIN", 1), ("MINOR", -1))), (0.5, -1)))
    ratio, share, loss, bottleneck, cause = (
        f"instance:n3_telemetry_{metric}:ratio_rate{WINDOW}"
        for metric in ("metric", "share", "loss", "bottleneck", "cause"))
    lost = f'{ratio}{{metric=~"{"|".join(L1[:3])}"}} >= 0'
    whole = f'{ratio}{{metric="retiring"}}'
    yield Rule(bottleneck, {},
               f"{lost}\n>= ignoring (metric) group_left () max without (metric) (\n  {lost}\n"
               f") - {margin}\nand ignoring (metric) {whole} <= {retiring}\n"
               f"or ignoring (metric) {whole}")
    for area in L1:
        one = f'{bottleneck}{{metric="{area}"}}'
        if not CHILDREN[area]:
            yield Rule(cause, {"area": area}, one)
            continue
        ends = f'{loss}{{metric=~"{"|".join(below(area))}"}} >= {minor}'
        # only the first of two is above their mean, by half of the distance
        yield Rule(cause, {"area": area},
                   f"{ends}\n> ignoring (metric) group_left () sum without (metric) (\n"
                   f"  topk without (metric) (2, {ends})\n) / 2 + {margin / 2}\n"
                   f">= ignoring (metric) group_left () {half} * {one}")
        yield Rule(cause, {"area": area, "metric": "unknown"},
                   f"{one} >= {minor}\nunless ignoring (metric) "
                   f'{share}{{metric=~"{"|".join(CHILDREN[area])}"}}')
        yield Rule(cause, {"area": area, "metric": "spread"},
                   f"{one}\nunless ignoring (metric, area) "
                   f'{cause}{{area="{area}", metric!="spread"}}')


def coverage(level):
    name = f"{level}:n3_telemetry_cpu_seconds:rate{WINDOW}"
    if level == "instance":
        yield Rule(name, {}, "sum without (cpu, numa_node) (\n"
                   f"{indented(rate('cpu_seconds') + if_usable())}\n)")
    else:
        yield add_up(level, f"cpu_seconds:rate{WINDOW}", "state")
    yield Rule(f"{level}:n3_telemetry_coverage:ratio_rate{WINDOW}", {},
               f'sum without (state) ({name}{{state="sampled"}})\n'
               f'/ (sum without (state) ({name}{{state!="off"}}) > 0)')


def expected():
    """Machines that had the module once, while they are targets, and those not in the sums"""
    name, missing = (f"instance:n3_telemetry_{what}:bool" for what in ("expected", "missing"))
    yield Rule(name, {}, 'up{n3_telemetry_expected!="no"} >= bool 0\n'
               "and on (job, instance) (\n"
               "  n3_telemetry_up == 1\n"
               '  and on (job, instance) n3_telemetry_info{simulated="0"}\n'
               f"  or on (job, instance) last_over_time({name}[{MEMORY}])\n)")
    # totals stand still where sampling has ended, and in a textfile that is not written any more
    yield Rule(missing, {}, f"{name}\n"
               f"unless on (job, instance) instance:n3_telemetry_slots:rate{WINDOW} > 0\n"
               f"unless on (job, instance) {STARTED}")


def counts(level):
    """Numbers of machines, 0 if none of those that are expected"""
    names = [f"{level}:n3_telemetry_{what}:count" for what in ("expected", "missing", "present")]
    if level == "fleet":
        for what in ("expected", "missing", "present", "bottleneck"):
            yield add_up(level, f"{what}:count", "metric" if what == "bottleneck" else "")
    else:
        machines = f"instance:n3_telemetry_{{}}:bool {AGO}".format
        present = f"{machines('expected')}\n" \
            f"and on (job, instance) instance:n3_telemetry_slots:rate{WINDOW} {AGO} > 0"
        none = f"or 0 * {names[0]}"
        yield Rule(names[0], {}, f"count without (instance) ({machines('expected')})")
        yield Rule(names[1], {}, f"count without (instance) ({machines('missing')})\n{none}")
        yield Rule(names[2], {}, f"count without (instance) (\n{indented(present)}\n)\n{none}")
        yield Rule("job:n3_telemetry_bottleneck:count", {}, "count without (instance) (\n"
                   f"  instance:n3_telemetry_bottleneck:ratio_rate{WINDOW} {AGO}\n)")
    yield Rule(f"{level}:n3_telemetry_missing:ratio", {}, f"{names[1]} / {names[0]}")


def containers():
    """Shares of Topdown_L1 of containers, which are no part of other levels: counts of a sample"""
    name = "n3_telemetry_cgroup_sampled_{}_total".format
    pieces = read_number("CONTAINERS_PIECES", TELEMETRY / "containers_shares.h")
    totals = {family: f'sum without (event) (rate({name("events")}{{event="{family}"}}[{WINDOW}]))'
              for family in FAMILIES}
    for metric, formula in SHARES.items():
        yield Rule(f"container:n3_telemetry_metric:ratio_rate{WINDOW}", {"metric": metric},
                   f"{formula.format(**totals)}\n"
                   f"and increase({name('pieces')}[{WINDOW}]) >= {pieces}\n"
                   f"and on (job, instance) cpu:n3_telemetry_usable:bool {AGO}\n"
                   "unless on (job, instance) n3_telemetry_trusted == 0")


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def print_rules(groups):
    lines = ["# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause",
             "# Generated by tools/dev/gen-rules.py from the tables of the module.", "groups:"]
    for name, rules in groups:
        lines += [f"- name: {name}", "  rules:"]
        for rule in rules:
            lines.append(f"  - record: {rule.record}")
            if rule.labels:
                lines.append("    labels: {" + ", ".join(f"{key}: {value}" for key, value in
                                                         rule.labels.items()) + "}")
            if "\n" in rule.expr:
                lines.append("    expr: |")
                lines += ["      " + line for line in rule.expr.split("\n")]
            else:
                lines.append(f"    expr: {quoted(rule.expr)}")
    return "\n".join(lines) + "\n"


def groups():
    for level in LEVELS:
        machines = [*answer(), *expected()] if level == "instance" else \
            [*distribution(level), *counts(level)]
        first = [*usable()] if level == "instance" else []
        yield f"n3_telemetry_{level}", [*first, *topdown(level), *metrics(level), *tree(level),
                                        *coverage(level), *machines]
    yield "n3_telemetry_container", containers()


if __name__ == "__main__":
    sys.exit(write_prometheus("rules.yml", print_rules(groups())))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""gen-rules.py [--check] - rules for Prometheus from the tables of the module

Writes rules.yml in tools/n3exporter/prometheus. With --check it writes nothing
and reports a difference from the tables.

Sums of totals are divided, never ratios averaged: each level (instance, job, fleet) adds up the
totals of the level below. Names are level:metric:operations. Labels of targets stay but in those
of the fleet.
"""
import re
import sys
from collections import namedtuple

from tables import (CHILDREN, L1, LIBN3T, METRICS, TELEMETRY, WINDOW, read_number,
                    write_prometheus)

MEMORY = "1d"  # of machines that are missing
SECONDS = 300  # in the window
ROUNDING = 1e-6  # of sums

PLACE = "job, instance, cpu, numa_node"
# without a label cpu, this is the machine
IF_USABLE = "\nand on (job, instance, cpu) cpu:n3_telemetry_usable:bool"
LEVELS = ("instance", "job", "fleet")

# totals of Topdown_L1 by event, all in slots or operations
TOPDOWN = {"SLOTS": "slots", "STALL_SLOT": "stall_slots",
           "STALL_SLOT_FRONTEND": "frontend_stall_slots",
           "STALL_SLOT_BACKEND": "backend_stall_slots",
           "STALL_FRONTEND_FLUSH": "frontend_flush_slots",
           "OP_RETIRED": "ops_retired", "OP_SPEC": "ops_speculated"}
FAMILIES = tuple(TOPDOWN.values())

Rule = namedtuple("Rule", "record labels expr")


FORMULAS = {name: formula for (name, _, _, formula), _ in METRICS}
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


def rate(family):
    return f"rate(n3_telemetry_{family}_total[{WINDOW}])"


def usable():
    """CPUs and machines whose totals may be added up: trusted, with a real PMU.

    Differences across a withdrawal have wrong counts, even if sampling was enabled again since.
    """
    yield Rule("cpu:n3_telemetry_usable:bool", {}, "n3_telemetry_trusted == 1\n"
               'unless on (job, instance) n3_telemetry_info{simulated!="0"}\n'
               f"unless on (job, instance) {rate('withdrawals')} > 0")
    # the four shares are those of the same machines
    complete = "".join(f"\nand on ({PLACE}) {rate(family)}" for family in FAMILIES[1:])
    yield Rule("place:n3_telemetry_topdown_usable:bool", {},
               f"group without (replicate) ({rate(FAMILIES[0])}){complete}{IF_USABLE}")


def add_up(metric, label="", levels="{}"):
    """Sums by job and other labels of the targets, and one of the fleet; both by the label."""
    instances, jobs, fleet = (f"{levels.format(level)}:n3_telemetry_{metric}" for level in LEVELS)
    yield Rule(jobs, {}, f"sum without (instance) ({instances})")
    yield Rule(fleet, {}, f"sum by ({label}) ({jobs})" if label else f"sum({jobs})")


def topdown():
    """Shares of all slots; with n3-exporter's label replicate their 95 % confidence intervals."""
    for family in FAMILIES:
        yield Rule(f"instance:n3_telemetry_{family}:rate{WINDOW}", {},
                   f"sum without (cpu, numa_node, replicate) (\n  {rate(family)}\n"
                   f"  and on ({PLACE}) place:n3_telemetry_topdown_usable:bool\n)")
        yield from add_up(f"{family}:rate{WINDOW}")
    for level in LEVELS:
        yield from shares(level)
    for family in FAMILIES + ("slices",):
        total = f"n3_telemetry_{family}"
        yield Rule(f"instance_replicate:{total}:rate{WINDOW}", {},
                   f"sum without (cpu, numa_node) (\n"
                   f'  rate({total}_total{{replicate!=""}}[{WINDOW}])\n'
                   f"  and on ({PLACE}) place:n3_telemetry_topdown_usable:bool\n)")
        yield from add_up(f"{family}:rate{WINDOW}", "replicate", "{}_replicate")
    replicates = read_number("N3T_NR_REPLICATES", LIBN3T / "replicates.h")
    factor = read_number("REPLICATES_FACTOR", TELEMETRY / "interval.h")
    slices = read_number("REPLICATE_SLICES", TELEMETRY / "interval.h")
    for level in LEVELS:
        ratio = f"{level}_replicate:n3_telemetry_metric:ratio_rate{WINDOW}"
        yield from shares(f"{level}_replicate")
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


def metrics():
    """All other metrics, as plain ratios: without a factor of 100 or 1000."""
    for part in ("numerator", "denominator", "subtrahend"):
        metric = f"metric_{part}"
        yield Rule(f"instance:n3_telemetry_{metric}:rate{WINDOW}", {},
                   f"sum without (cpu, numa_node) (\n  {rate(metric)}"
                   f"{IF_USABLE}\n)")
        yield from add_up(f"{metric}:rate{WINDOW}", "metric")
    others = "|".join(differences())
    for level in LEVELS:
        part = f"{level}:n3_telemetry_metric_{{}}:rate{WINDOW}".format
        ratio = f"{level}:n3_telemetry_metric:ratio_rate{WINDOW}"
        yield Rule(ratio, {}, f'{part("numerator")}{{metric!~"{others}"}}'
                              f' / ({part("denominator")} > 0)')
        for metric, complement in differences().items():
            one = f'{{metric="{metric}"}}'
            yield Rule(ratio, {"metric": metric},
                       f'1 - {ratio}{{metric="{complement}"}}' if complement else
                       f'({part("numerator")}{one} - {part("subtrahend")}{one})'
                       f' / ({part("denominator")}{one} > 0)')


def tree():
    """Shares of all slots along the tree, and the part of each that its children leave."""
    roots = "|".join(L1)
    leaves = "|".join(node for node, children in CHILDREN.items() if not children and
                      node != "retiring")
    for level in LEVELS:
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
    yield Rule("job:n3_telemetry_bottleneck:count", {},
               f"count without (instance) ({bottleneck})")
    yield Rule("fleet:n3_telemetry_bottleneck:count", {},
               "sum by (metric) (job:n3_telemetry_bottleneck:count)")


def coverage():
    metric = "cpu_seconds"
    yield Rule(f"instance:n3_telemetry_{metric}:rate{WINDOW}", {},
               f"sum without (cpu, numa_node) (\n  {rate(metric)}"
               f"{IF_USABLE}\n)")
    yield from add_up(f"{metric}:rate{WINDOW}", "state")
    for level in LEVELS:
        seconds = f"{level}:n3_telemetry_{metric}:rate{WINDOW}"
        yield Rule(f"{level}:n3_telemetry_coverage:ratio_rate{WINDOW}", {},
                   f'sum without (state) ({seconds}{{state="sampled"}})\n'
                   f'/ (sum without (state) ({seconds}{{state!="off"}}) > 0)')


def missing():
    """Share of machines with the module in the last day that are not in the sums."""
    # totals stand still where sampling has ended, and in a textfile that is not written any more
    present = f"instance:n3_telemetry_slots:rate{WINDOW} > 0"
    simulated = 'last_over_time(n3_telemetry_info{{simulated{}"0"}}[{}])'.format
    yield Rule("instance:n3_telemetry_missing:bool", {},
               f"max_over_time(n3_telemetry_up[{MEMORY}]) == 1\n"
               f"unless on (job, instance) ({present})\n"
               f"unless on (job, instance) (\n  {simulated('!=', MEMORY)}\n"
               f"  unless on (job, instance) {simulated('=', MEMORY)}\n)")
    yield Rule("job:n3_telemetry_expected:count", {},
               "count without (instance) (\n"
               f"  instance:n3_telemetry_missing:bool or on (job, instance) {present}\n)")
    yield Rule("job:n3_telemetry_present:count", {},
               f"count without (instance) ({present})\nor 0 * job:n3_telemetry_expected:count")
    for count in ("expected", "present"):
        yield Rule(f"fleet:n3_telemetry_{count}:count", {},
                   f"sum(job:n3_telemetry_{count}:count)")
    for level in ("job", "fleet"):
        yield Rule(f"{level}:n3_telemetry_missing:ratio", {},
                   f"1 - {level}:n3_telemetry_present:count / {level}:n3_telemetry_expected:count")


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


def rules():
    # one group: its rules are evaluated in order
    return [*usable(), *topdown(), *metrics(), *tree(), *answer(), *coverage(), *missing()]


if __name__ == "__main__":
    sys.exit(write_prometheus("rules.yml", print_rules([("n3_telemetry", rules())])))

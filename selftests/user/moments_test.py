#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Records of cpuN/moments, read by moments.py, have the sums of the slices of a window.

Budgets of 2, 4, 6 and 20 counters, with and without anchors. Expected sums are Python's, over the
slices themselves. Products of differences are compared before they fade: a set fades at its
eighth difference.
"""
import os
import random
import sys
import tempfile

import moments
import workload
from intervals import SHORT_SLICE, make_slices
from workload import MS, SPEC, START, Tap, answers, varied

CASES = ((2, "none"), (4, "auto"), (6, "auto"), (6, "none"), (6, "INST_RETIRED,L1D_CACHE"),
         (20, "auto"))
FADING = 8
ONE = 65536
UNIT = 16       # of a difference, per count
tap = Tap()


def read_codes():
    """Numbers of events by name."""
    with open(os.path.join(os.path.dirname(SPEC), "events.tsv"), encoding="ascii") as table:
        rows = [line.split("\t") for line in table if not line.startswith("#")]
    return {row[1]: int(row[0], 16) for row in rows}


EVENTS = read_codes()


def differences(cpu, chosen, until):
    """Of time, cycles and counts of successive slices of a set, by part."""
    rows = [[end - start, *counts] for start, end, counts in cpu.taken(chosen, 0, until)]
    names = [moments.PART_TIME, moments.PART_CYCLES]
    names += range(moments.PART_COUNTS, moments.PART_COUNTS + len(rows[0]) - 2)
    return [dict(zip(names, (b - a for a, b in zip(old, new)))) for old, new in zip(rows, rows[1:])]


def products_agree(found, rows):
    """Each product that the set keeps is that of the differences, in units of both parts."""
    at = 0
    for i, part in enumerate(found["part"]):
        for k in range(found["from"][i], i + 1):
            units = found["shift"][i] + found["shift"][k]
            other = found["part"][k]
            exact = UNIT * UNIT * sum(row[part] * row[other] for row in rows)
            # a difference in larger units is rounded down by less than one
            size = sum(abs(row[part]) * 2 ** found["shift"][k] +
                       abs(row[other]) * 2 ** found["shift"][i] for row in rows) * UNIT
            most = size + len(rows) * 2 ** units if units else 0
            if abs((found["product"][at] << units) - exact) > most:
                return False
            at += 1
    return at == len(found["product"])


def set_agrees(found, cpu, since, until):
    """Sums, edges and products of a set are those of its slices."""
    taken = cpu.taken(found["number"], since, until)
    rows = differences(cpu, found["number"], until)
    expected = [len(taken), 0, sum(end - start for start, end, _ in taken),
                sum((start + end + 1) // 2 for start, end, _ in taken),
                *map(sum, zip(*(counts for _, _, counts in taken)))]
    sums = [found[name] for name in ("slices", "dropped", "time_ns", "middles_ns", "cycles")]
    edges = [(end, end - start, *counts) for start, end, counts in (taken[0], taken[-1])]
    good = sums + list(found["count"]) == expected
    good &= [(*(edge[name] for name in ("end_ns", "time_ns", "cycles")), *edge["count"])
             for edge in found["edges"]] == edges
    good &= found["differences"] == min(len(rows), 1 << found["memory"])
    if len(rows) < FADING:
        good &= found["weight"] == ONE * len(rows) and products_agree(found, rows)
    return good


def plan_agrees(plan, cpu):
    """Sets and anchors are those that quality_eval prints."""
    codes = [[EVENTS[name] for name in events[1:]] for events in cpu.plan.sets]
    return ([list(of["code"]) for of in plan["set"]] == codes and
            list(plan["anchor"]) == [EVENTS[name] for name in cpu.plan.anchors])


def newest_agrees(found, cpu, until):
    """The end of the newest slice, and what it counted of each anchor."""
    newest = max(k for k, end in enumerate(cpu.ends) if end <= until)
    events = cpu.plan.sets[cpu.sets[newest]]
    length = cpu.ends[newest] - cpu.starts[newest]
    expected = [(cpu.counts[newest][events.index(name)], length) if name in events else (0, 0)
                for name in cpu.plan.anchors]
    return (found["newest_end_ns"] == cpu.ends[newest] and
            [sums[2:] for sums in found["anchor_sums"]][:len(expected)] == expected)


def one(directory, budget, anchors):
    workload.BUDGET = budget
    _, phases, options = next(varied(random.Random(budget), 20000))
    cpu = make_slices(phases, 3, budget, SHORT_SLICE, {"noise": 0.05, **options}, anchors)
    wrong = fading = 0
    # the last one is long enough for products to fade
    for length in (250, 500, 900, 4000):
        until, path = START + length * MS, os.path.join(directory, "moments")
        since = START + 8 * MS
        answers_of = answers([*cpu.lines(until), f"m {since} {until} {path}"], 1, anchors)
        cpu.sent = 0
        assert not answers_of
        with open(path, "rb") as file:
            heads, first, sets = moments.read(file.read())
        wrong += not plan_agrees(first["plan"], cpu)
        wrong += not newest_agrees(first, cpu, until)
        wrong += [head["record"] for head in heads] != list(range(len(heads)))
        wrong += any(head["records"] != len(heads) or head["run"] != 1 for head in heads)
        wrong += sorted(sets) != list(range(len(cpu.plan.sets)))
        for found in sets.values():
            if len(cpu.taken(found["number"], since, until)):
                wrong += not set_agrees(found, cpu, since, until)
                fading += len(differences(cpu, found["number"], until)) >= FADING
    tap.check(not wrong and fading,
              f"{budget} counters, anchors {anchors}: records have the sums of the slices")


def main():
    with tempfile.TemporaryDirectory() as directory:
        for budget, anchors in CASES:
            one(directory, budget, anchors)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

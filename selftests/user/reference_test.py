#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Values, estimates and their intervals in random cases, with all metrics and any anchors.

They must match those of the same estimator in floating point (reference.py) to 1 % of the width.

24 cases; LONG=1: 200.

    reference_test.py [CASES [SEED]]
"""
import math
import random
import sys

from intervals import WINDOW, Tally, answered, make_slices
from reference import Reference
from workload import (FORMULAS, MS, STALL_SLOT_PARTS, Tap, at_random, by_length, issue, rates,
                      side_by_side)

CASE_WINDOWS = 3
SEED = 33               # in this case and others anchors would correct rates to below 0
MIN_NOISE = 0.003       # with counts that vary more than tenfold
ANCHORS = ("STALL_SLOT_BACKEND", "STALL_SLOT_FRONTEND", "INST_RETIRED", "OP_RETIRED", "L1D_CACHE",
           "BR_RETIRED", "STALL_BACKEND_MEMBOUND", "STALL_FRONTEND")


class Outcome:
    """Values and estimates of one metric, which are compared with a reference if there is one."""

    def __init__(self, metric):
        self.metric = metric
        self.value, self.estimate = Tally(metric), Tally(metric, estimated=True)

    def add(self, found, truth, reference):
        value = estimate = None
        if reference:
            reference.check_slices(self.metric, found[self.metric])
            value, estimate = reference.value(self.metric), reference.estimate(self.metric)
        self.value.add(found[self.metric], truth, value)
        self.estimate.add(found[self.metric], truth, estimate)


def report_reference(tap, name, outcomes):
    tallies = [tally for outcome in outcomes for tally in (outcome.value, outcome.estimate)]
    wrong = sorted({tally.metric for tally in tallies if not tally.agrees()})
    compared = sum(tally.widest > 0 for tally in tallies)
    narrowest, widest = min(t.narrowest for t in tallies), max(t.widest for t in tallies)
    tap.check(not wrong and compared > len(tallies) / 2,
              f"{name}: {compared} values and estimates match the reference "
              f"({narrowest:.3f} to {widest:.3f} times as wide, off by "
              f"{max(t.farthest for t in tallies):.4f} of the width) {' '.join(wrong)}")


def kind_at_random(rng):
    backend = rng.uniform(5, 60)
    return rates(ghz=rng.uniform(1, 3.5), ipc=rng.uniform(0.2, 3), backend=backend,
                 frontend=rng.uniform(3, 20), speculation=rng.uniform(2, 15), flush=1,
                 mpki=rng.uniform(0.5, 20), miss=rng.uniform(0.005, 0.2),
                 backend_split=rng.choice(((60, 25, 15), (20, 70, 10), (85, 5, 10))))


def kinds_at_random(rng, noise):
    """Similar kinds, or one of them rare, with some events nearly absent from the others."""
    kinds = [kind_at_random(rng) for _ in range(rng.choice((1, 2, 3)))]
    if noise < MIN_NOISE or rng.random() < 0.5:
        return kinds
    for event in rng.sample(sorted(set(kinds[0]) - {"CPU_CYCLES"}), 10):
        for kind in kinds:
            kind[event] *= 0.01
    for kind in kinds:
        kind["STALL_SLOT"] = sum(kind[part] for part in STALL_SLOT_PARTS)
        issue(kind)
    return 5 * kinds + [kind_at_random(rng)]


def case_at_random(seed):
    """Description; CPUs with one plan, each with its own work."""
    rng = random.Random(seed)
    anchors = ",".join(rng.sample(ANCHORS, rng.choice((1, 1, 2, 3)))) if seed % 4 else "none"
    nr_cpus, length = rng.choice((1, 1, 2, 3, 4)), rng.choice((1.5, 4, 4, 7)) * MS
    noise, mean_ms = 10**rng.uniform(-3.7, -1), 10**rng.uniform(0.5, 3)
    options = {"noise": noise}
    if noise > MIN_NOISE and rng.random() < 0.4:
        options["pace"] = lambda rng: length * (1 if rng.random() < 0.9 else rng.uniform(1, 4))
    cpus = []
    for cpu in range(nr_cpus):
        kinds = kinds_at_random(rng, noise)
        phases = at_random(rng, mean_ms, kinds, (CASE_WINDOWS + 1) * WINDOW / MS)
        cpus.append(make_slices(phases, CASE_WINDOWS, seed + cpu, length, options, anchors))
    return (f"anchors {anchors}, {nr_cpus} CPUs, slices of {length / MS:.1f} ms"
            f"{' and more' * ('pace' in options)}, phases of {mean_ms:.0f} ms, noise of "
            f"{100 * noise:.2f} %"), cpus


def one_case(seed):
    name, cpus = case_at_random(seed)
    metrics = [metric for metric in FORMULAS if cpus[0].plan.home.get(metric, -1) >= 0]
    outcomes = [Outcome(metric) for metric in metrics]
    reference = Reference(metrics, cpus, WINDOW)
    for since, until, found in answered(cpus, CASE_WINDOWS, metrics):
        reference.move(since, until)
        for outcome in outcomes:
            outcome.add(found, math.nan, reference)
    return f"case {seed} ({name})", outcomes


def main():
    nr_cases = int(sys.argv[1]) if len(sys.argv) > 1 else by_length(24, 200)
    seed, tap = int(sys.argv[2]) if len(sys.argv) > 2 else SEED, Tap()
    for name, outcomes in side_by_side(one_case, [(seed + nr,) for nr in range(nr_cases)]):
        report_reference(tap, name, outcomes)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

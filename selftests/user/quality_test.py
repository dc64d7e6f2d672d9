#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""95 % intervals over windows of 2 s of workloads with known truth.

With slices of 4 ms, for varied workloads on one CPU and over four: for each metric 92 % of
the intervals must contain the true value and 99 % of the windows have an interval, both
less three standard errors for that number of windows, and half-widths must not exceed 1.3
times those of a prototype (the table HALF_WIDTHS). With 20 ms, where a window has four slices
of most sets, for workloads whose period is close to that of slices or of the rotation: 88 %
must contain the true value. The width of an interval must always match that of the same
estimator in floating point (reference.py), to 1 %.

All without anchors, like the prototype; estimates must then equal values. estimate_test.py
tests anchors.

50 windows; LONG=1: 500, more metrics, and every workload over four CPUs, too.

    quality_test.py [--table] [WINDOWS [SEED]]

--table prints holding and width by workload instead.
"""
import random
import sys

from intervals import (CPUS, HOLDING, NOISE, SHORT_SLICE, WINDOW, Tally, all_metrics, answered,
                       chosen, make_cpus, make_slices, true_rates)
from reference import Reference
from workload import (BRANCHY, CALM, FORMULAS, L1, MEMORY, MS, OTHERS, SLICE, Phases, Tap,
                      at_random, by_length, periodic, side_by_side)

HOLDING_LONG = 0.88     # with long slices: few and of very unequal kinds
COMPARED = 10           # windows whose width is compared with the reference
NO_ANCHORS = "none"

# Percent of the value, rounded to whole percents, of the metrics in L1 and OTHERS. Drift is
# not included: the prototype ignored the window's edges, and held in 88 % of windows.
HALF_WIDTHS = {
    "telegraph 5 ms": (5, 4, 5, 10, 7, 40),
    "telegraph 30 ms": (3, 3, 3, 11, 7, 42),
    "telegraph 100 ms": (2, 3, 2, 9, 6, 34),
    "telegraph 500 ms": (1, 3, 1, 5, 3, 18),
    "three states 60 ms": (3, 4, 2, 13, 44, 37),
    "period 480 ms": (2, 3, 2, 7, 10, 41),
    "period 960 ms": (1, 3, 2, 5, 7, 30),
    "period 41 ms": (5, 5, 7, 8, 10, 43),
    "period 20 ms": (7, 7, 9, 7, 10, 45),
    "bursts 10 ms": (4, 3, 1, 37, 2, 16),
    "bursts 60 ms": (2, 3, 1, 37, 2, 16),
    "random walk": (0, 3, 1, 2, 2, 8),
    "steady": (0, 0, 0, 1, 1, 1),
}

tap = Tap()


def check_same(fields):
    """Without anchors estimates equal values."""
    for key, other in (("estimate", "value"), ("estimate_low", "low"), ("estimate_high", "high")):
        if fields[key] != fields[other]:
            raise ValueError(f"{key} is not {other} without anchors: {fields}")


def tally_windows(cpus, windows, metrics):
    tallies = [Tally(metric) for metric in metrics]
    reference = Reference(metrics, cpus, WINDOW)
    for nr, (since, until, found) in enumerate(answered(cpus, windows, metrics)):
        if nr < COMPARED:
            reference.move(since, until)
        for tally in tallies:
            fields, expected = found[tally.metric], None
            check_same(fields)
            if nr < COMPARED:
                expected = reference.value(tally.metric)
                reference.check_slices(tally.metric, fields)
            tally.add(fields, true_rates(cpus, FORMULAS[tally.metric], since, until), expected)
    return tallies


def one_varied(nr, windows, seed, metrics, nr_cpus=1):
    name, cpus = make_cpus(nr, windows, seed, nr_cpus, NO_ANCHORS)
    return name, tally_windows(cpus, windows, metrics)


def mixed(windows, seed, metrics):
    """Four CPUs, each with a different workload."""
    works = chosen(windows, seed)
    cpus = [make_slices(works[nr][1], windows, seed + nr, SHORT_SLICE,
                        {"noise": NOISE, **works[nr][2]}, NO_ANCHORS) for nr in (1, 10, 12, 15)]
    return "four workloads", tally_windows(cpus, windows, metrics)


def unequal_pace(rng):
    return min(400, 4 + rng.expovariate(1 / 16)) * MS


def long_slices(windows, seed):
    """Name, phases and options of workloads with slices of 20 ms."""
    halves = ((0.5, CALM), (0.5, MEMORY))
    thirds = ((1 / 3, CALM), (1 / 3, MEMORY), (1 / 3, BRANCHY))
    rotation = 480
    return (
        ("constant", periodic(20, (1, CALM)), {}),
        ("constant, noise of 20 %", periodic(20, (1, BRANCHY)), {"noise": 0.2}),
        ("constant, slices of 4 to 400 ms", periodic(20, (1, MEMORY)),
         {"noise": 0.1, "pace": unequal_pace}),
        ("phases shorter than a slice", periodic(7.3, *halves), {}),
        ("period of 1.5 slices", periodic(30, *halves), {}),
        ("period of 2 slices", periodic(40, *halves), {}),
        ("period near 2 slices", periodic(41.3, *halves), {}),
        ("period of 3 slices", periodic(60, *thirds), {}),
        ("period of 4 slices", periodic(80, *halves), {}),
        ("period near a rotation", periodic(rotation - 7, *halves), {}),
        ("period of a rotation", periodic(rotation, *thirds), {}),
        ("period of half a window", periodic(1000, (0.35, BRANCHY), (0.65, CALM)), {}),
        ("phases of random length",
         at_random(random.Random(seed), 200, (CALM, MEMORY, BRANCHY), 2 * windows * WINDOW / MS),
         {}),
    )


def one_long(nr, windows, seed, metrics):
    name, phases, options = long_slices(windows, seed)[nr]
    slices = make_slices(phases, windows, seed + nr, SLICE, options, NO_ANCHORS)
    return name, tally_windows([slices], windows, metrics)


def several_long(windows, seed):
    """Four CPUs with different work, clocks and slices."""
    works = ((Phases([(SLICE, CALM)]), {}), (Phases([(SLICE, MEMORY)]), {}),
             (Phases([(150 * MS, CALM), (250 * MS, BRANCHY)]), {}),
             (Phases([(SLICE, BRANCHY)]),
              {"pace": lambda rng: (5 + rng.expovariate(1 / 30)) * MS}))
    cpus = [make_slices(phases, windows, seed + nr, SLICE, {"noise": 0.05, **extra}, NO_ANCHORS)
            for nr, (phases, extra) in enumerate(works)]
    return tally_windows(cpus, windows, ("backend_bound", "retiring"))


def report(name, tallies, widths=None):
    lowest = min(tallies, key=Tally.share)
    windows = lowest.windows()
    none = max(tally.none() for tally in tallies)
    holding = HOLDING_LONG if "slices of 20 ms" in name else HOLDING
    good = lowest.holds(holding)
    claim = (f"{100 * holding:.0f} % of a metric's intervals contain the truth "
             f"({100 * lowest.share():.1f} % of {windows} of {lowest.metric})")
    if holding == HOLDING:
        good &= all(tally.exists() for tally in tallies)
        claim += f", 99 % of the windows have one ({none} have none)"
    good &= all(tally.agrees() for tally in tallies)
    narrowest = min(tally.narrowest for tally in tallies)
    widest = max(tally.widest for tally in tallies)
    claim += f", as wide as the reference ({narrowest:.3f} to {widest:.3f})"
    if widths:
        worst, width = max(zip(tallies, widths), key=lambda pair: pair[0].width() / (pair[1] + 0.5))
        good &= worst.width() <= 1.3 * (width + 0.5)
        claim += (f", at most 1.3 times the prototype's ({worst.width():.1f} % for {width} % of "
                  f"{worst.metric})")
    tap.check(good, f"workload '{name}': {claim}")
    print("# " + "; ".join(f"{tally.metric} {tally.text()}" for tally in tallies))


def print_table(windows, seed):
    metrics = L1 + OTHERS
    print("holding and median half width in percent,", windows, "windows of 2 s, slices of 4 ms\n")
    print("| workload | " + " | ".join(metrics) + " |")
    print("|---" * (len(metrics) + 1) + "|")
    for cpus in (1, CPUS):
        jobs = [(nr, windows, seed, metrics, cpus) for nr in range(len(chosen(1, seed)))]
        for name, tallies in side_by_side(one_varied, jobs):
            cells = " | ".join(tally.text() for tally in tallies)
            print(f"| {name}{f', {cpus} CPUs' if cpus > 1 else ''} | {cells} |", flush=True)


def main():
    words = [word for word in sys.argv[1:] if word != "--table"]
    windows = int(words[0]) if words else by_length(50, 500)
    seed = int(words[1]) if len(words) > 1 else 20
    if "--table" in sys.argv:
        print_table(windows, seed)
        return 0

    metrics = by_length(L1 + OTHERS, all_metrics(*L1, *OTHERS))
    nr_varied = range(len(chosen(1, seed)))
    jobs = [(nr, windows, seed, metrics) for nr in nr_varied]
    for name, tallies in side_by_side(one_varied, jobs):
        report(name, tallies, HALF_WIDTHS.get(name))
    jobs = [(nr, windows, seed, metrics) for nr in range(len(long_slices(1, seed)))]
    for name, tallies in side_by_side(one_long, jobs):
        report(f"{name}, slices of 20 ms", tallies)
    report("four CPUs, slices of 20 ms", several_long(windows, seed))
    for name, tallies in side_by_side(mixed, [(windows, seed, metrics)]):
        report(f"{name} over four CPUs", tallies)
    if by_length(False, True):
        jobs = [(nr, windows, seed, metrics, CPUS) for nr in nr_varied]
        for name, tallies in side_by_side(one_varied, jobs):
            report(f"{name} over four CPUs", tallies)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

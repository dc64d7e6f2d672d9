#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# on: test-long
"""Confidence intervals from replicates, over intervals of 15 and 60 s of workloads with known
truth, with defaults.

For the workloads of estimate_test.py: the interval of 0.894 standard deviations over
replicates around the value contains the true value, noise included, in 92 % of the intervals,
less three standard errors, for each metric of Topdown_L1. The value is computed from the sums of
all replicates. The same holds for sums of four CPUs.

100 intervals of 60 s, each with four of 15 s; a quarter as many of four CPUs. LONG=1: 500.

    replicates_test.py [INTERVALS [SEED]]
"""
import os
import random
import statistics
import subprocess
import sys

from intervals import HOLDING, NOISE, SHORT_SLICE, floor_of
from workload import (BUDGET, FORMULAS, MS, OUTPUT, Phases, Tap, by_length, side_by_side,
                      unrelated, varied)

PROGRAM = os.path.join(OUTPUT, "replicates_eval")
SHORT, LONG = 15, 60            # seconds of an interval
CHUNK = 25                      # long intervals of a sequence of phases
REPLICATES, MIN_SLICES = 8, 4
HALF_WIDTH = 0.894
CPUS = 4
SEED = 20
LENGTHS = 10000                 # drawn lengths of slices
EVENTS = ("CPU_CYCLES", "STALL_SLOT_FRONTEND", "STALL_SLOT_BACKEND", "STALL_FRONTEND_FLUSH",
          "OP_RETIRED", "OP_SPEC", "STALL_SLOT")
METRICS = ("frontend_bound", "backend_bound", "bad_speculation", "retiring")

tap = Tap()


def from_slots(slots, stall, frontend, backend, flush, retired, speculated):
    """The metrics, from totals in slots (Documentation/ABI)."""
    busy = 1 - stall / slots
    return (100 * (frontend - flush) / slots, 100 * backend / slots,
            100 * (busy * (1 - retired / speculated) + flush / slots),
            100 * busy * retired / speculated)


def phases_of(work):
    """Length, two kinds, share of the second at the start and the end."""
    if isinstance(work, Phases):
        lengths = (b - a for a, b in zip(work.bounds, work.bounds[1:]))
        return [(length, kind, kind, 0, 0) for length, kind in zip(lengths, work.at)]
    return [(b - a, 0, 1, *shares) for a, b, shares in
            zip(work.bounds, work.bounds[1:], zip(work.shares, work.shares[1:]))]


def described(work, options, rng):
    """Input of replicates_eval."""
    pace = options.get("pace", lambda rng: SHORT_SLICE)
    rows = [[kind[event] for event in EVENTS[:-1]] for kind in work.kinds]
    lengths = [pace(rng) for _ in range(LENGTHS if "pace" in options else 1)]
    phases = [phase for phase in phases_of(work) if phase[0] > 0]
    yield f"{len(rows)}\n"
    for row in rows + [[len(lengths)], lengths, [len(phases)]] + phases:
        yield " ".join(map(repr, row)) + "\n"


def sample(work, options, rng, intervals):
    """Slices and totals of replicates, and true counts, by short interval."""
    result = subprocess.run(
        [PROGRAM, str(BUDGET), str(rng.getrandbits(32)), str(options.get("noise", NOISE)),
         str(SHORT * 1000 * MS), str(intervals * LONG // SHORT)],
        input="".join(described(work, options, rng)), stdout=subprocess.PIPE, text=True,
        check=True)
    before, rows = None, []
    for line in result.stdout.splitlines():
        now = [int(word) for word in line.split()]
        rows.append([b - a for a, b in zip(before, now)] if before else now)
        before = now
    return rows


def sample_all(works, seed, intervals):
    """Name and intervals of each workload."""
    rng = random.Random(seed)
    length_ms = intervals * LONG * 1000
    return [(name, sample(work, options, rng, intervals))
            for name, work, options in works(random.Random(seed), length_ms)]


class Tally:
    """Intervals of all metrics over intervals of one length."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.held = [0] * len(METRICS)
        self.intervals = self.none = 0
        self.widths = []

    def add(self, row):
        width = len(row[:-len(EVENTS)]) // REPLICATES
        groups = [row[i * width:(i + 1) * width] for i in range(REPLICATES)]
        true = dict(zip(EVENTS, row[-len(EVENTS):]))
        self.intervals += 1
        if min(slices for slices, *_ in groups) < MIN_SLICES:
            self.none += 1
            return
        values = from_slots(*(sum(column) for column in list(zip(*groups))[1:]))
        by_metric = list(zip(*(from_slots(*totals) for _, *totals in groups)))
        for i, metric in enumerate(METRICS):
            formula = FORMULAS[metric]
            truth = formula.of([true[event] for event in formula.events])
            half = HALF_WIDTH * statistics.pstdev(by_metric[i])
            self.held[i] += abs(values[i] - truth) <= half
            if i == 1:
                self.widths.append(half)

    def lowest(self):
        return min(self.held) / max(1, self.intervals - self.none)

    def holds(self):
        return not self.none and self.lowest() >= floor_of(HOLDING, self.intervals)

    def text(self):
        shares = " ".join(f"{100 * held / max(1, self.intervals):.1f}" for held in self.held)
        return (f"{self.seconds} s: {shares} % of {self.intervals}, "
                f"±{statistics.median(self.widths):.3f}")


def added(rows):
    return [sum(column) for column in zip(*rows)]


def in_parts(rows, nr):
    return [rows[i:i + nr] for i in range(0, len(rows), nr)]


def check(name, rows):
    for seconds, intervals in ((SHORT, rows), (LONG, map(added, in_parts(rows, LONG // SHORT)))):
        tally = Tally(seconds)
        for row in intervals:
            tally.add(row)
        tap.check(tally.holds(), f"workload '{name}': 92 % of the intervals of replicates "
                  f"contain the truth of {seconds} s ({100 * tally.lowest():.1f} % of "
                  f"{tally.intervals})")
        print("#", tally.text())


def main():
    intervals = int(sys.argv[1]) if len(sys.argv) > 1 else by_length(100, 500)
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    for works in (varied, unrelated):
        jobs = [(works, seed + 100 * nr, CHUNK) for nr in range(intervals // CHUNK)]
        for chunks in zip(*side_by_side(sample_all, jobs)):
            name = chunks[0][0]
            chunks = [rows for _, rows in chunks]
            check(name, sum(chunks, []))
            check(f"{name}, {CPUS} CPUs", [added(rows) for cpus in in_parts(chunks, CPUS)
                                           for rows in zip(*cpus)])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

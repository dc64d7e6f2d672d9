#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Shares of Topdown_L1 by owner from pieces of runs, against the truth of a simulated CPU.

For 16 loads with defaults, 20 windows of 60 s, and each owner with 1 % of the CPU and 50
pieces: the interval of 95 % (jackknife over eighths of a window) around the quotient of sums
contains the true value in 92 % of the windows, the mean error is at most 0.3 points or three
standard errors, and the weighted time of 300 s is within 2 % of the run time in kept slices.
Then the same for loads in which a mistake shows, and with each of the mistakes, which must
show.

Eight watchers sample each CPU. LONG=1: four times as many windows, and 30 and 1,000 pieces a
second.

    pieces_test.py [LOAD...]
"""
import collections
import math
import os
import statistics
import subprocess
import sys

from workload import OUTPUT, SLOTS, Tap, by_length, side_by_side

LOADS = ("hogs3", "web6", "slow2", "slow10", "own", "chain", "chainrand", "bigsmall", "batch4",
         "mix6", "pareto", "many30", "micro10", "cachefight", "noisy", "irq")
WATCHERS, PIECES, SEED = 8, 125, 1
MORE_WATCHERS = 16              # of 30 owners: the largest error of 120 is often 3 standard errors
WINDOW, PARTS, WINDOWS = 60, 8, by_length(20, 80)
TIMED, TIMING, MOST_PIECES = 5, 16, 1000    # windows, watchers and pieces to compare times
QUANTILE = 2.365                # of Student's t with 7 degrees of freedom
HOLDING, POINTS, TIME_ERROR, LEAST_SHARE = 0.92, 0.3, 0.02, 0.01
LEAST_PIECES = 50               # of an owner in a window: quotients of few have a bias
METRICS = ("frontend_bound", "backend_bound", "bad_speculation", "retiring")
NR = 8                          # numbers of a sum: time, cycles, counts
HEAD = 8

MISTAKES = (("lengths", None), ("phases", None), ("alternate", None), ("lengths", "cut"),
            ("lengths", "long"), ("phases", "unweighted"), ("alternate", "countdown"))

tap = Tap()


def shares(sums):
    """Metrics in percent, from time, cycles and counts in the order of the file."""
    _, cycles, stall, frontend, backend, flush, retired, speculated = sums
    slots = SLOTS * cycles
    busy, flushed = 1 - stall / slots, SLOTS * flush / slots
    useful = retired / speculated
    return (100 * (frontend / slots - flushed), 100 * backend / slots,
            100 * (busy * (1 - useful) + flushed), 100 * busy * useful)


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def jackknife(parts):
    """Value from all parts, and half the width of its interval, for each metric."""
    whole = [sum(column) for column in zip(*parts)]
    values = shares(whole)
    without = list(zip(*(shares(minus(whole, part)) for part in parts)))
    spread = (sum((x - statistics.fmean(column)) ** 2 for x in column) for column in without)
    return values, [QUANTILE * math.sqrt((len(parts) - 1) / len(parts) * x) for x in spread]


class Moment:
    """Sums at the end of an interval."""

    def __init__(self):
        self.true, self.kept = {}, {}                   # by owner; by watcher, owner
        self.sums, self.pieces = {}, {}                 # by watcher, owner
        self.head, self.not_kept = {}, {}               # by watcher

    def add(self, kind, numbers):
        if kind == "t":
            self.true[numbers[0]] = numbers[1:]
        elif kind == "k":
            self.kept[numbers[0], numbers[1]] = numbers[2]
        elif kind == "l":
            self.not_kept[numbers[0]] = numbers[1]
        elif len(numbers) == 1 + HEAD:
            self.head[numbers[0]] = numbers[1:]
        else:
            self.pieces[numbers[0], numbers[1]] = numbers[3]
            self.sums[numbers[0], numbers[1]] = numbers[4:]


def simulate(load, seed, pieces, windows, watchers, program="pieces_eval"):
    """Moments at the ends of the parts of all windows, and of the start."""
    moments = [Moment()]
    moment = Moment()
    result = subprocess.run(
        [os.path.join(OUTPUT, program), load, str(seed), str(pieces),
         str(WINDOW * 1000 // PARTS), str(windows * PARTS), str(watchers)],
        stdout=subprocess.PIPE, text=True, check=True)
    for line in result.stdout.splitlines():
        if line == "end":
            moments.append(moment)
            moment = Moment()
            continue
        kind, *numbers = line.split()
        moment.add(kind, [int(number) for number in numbers])
    return moments


def between(first, last, key):
    """What a table of sums has gained."""
    return minus(last.get(key, [0] * NR), first.get(key, [0] * NR))


def added(sums, owner, watchers):
    """What all watchers have of an owner."""
    return [sum(column) for column in zip(*(sums.get((watcher, owner), [0] * NR)
                                            for watcher in range(watchers)))]


class Found:
    """Intervals and errors of all windows."""

    def __init__(self, moments, watchers):
        self.watchers = watchers
        self.held = [[] for _ in METRICS]
        self.errors = collections.defaultdict(list)     # by owner, metric: means over watchers
        self.times = collections.defaultdict(list)      # by owner: relative errors, likewise
        last = moments[-1]
        enough = LEAST_PIECES * watchers * (len(moments) - 1) // PARTS
        owners = [owner for owner in last.true if enough <= sum(
            last.pieces.get((watcher, owner), 0) for watcher in range(watchers))]
        for at in range(0, len(moments) - 1, PARTS):
            ends = moments[at:at + PARTS + 1]
            for owner in owners:
                true = between(ends[0].true, ends[-1].true, owner)
                if true[0] >= LEAST_SHARE * WINDOW * 10**9:
                    self._add(ends, owner, shares(true))
        self.pieces = (sum(last.pieces.values()) / watchers /
                       (WINDOW * (len(moments) - 1) / PARTS))
        self.lost = sum(head[5] for head in last.head.values()) - sum(last.not_kept.values())

    def _add(self, ends, owner, true):
        missed = []
        for watcher in range(self.watchers):
            parts = [between(a.sums, b.sums, (watcher, owner)) for a, b in zip(ends, ends[1:])]
            values, halves = jackknife(parts)
            missed.append(minus(values, true))
            for nr, half in enumerate(halves):
                self.held[nr].append(abs(missed[-1][nr]) <= half)
        for nr, column in enumerate(zip(*missed)):
            self.errors[owner, nr].append(statistics.fmean(column))
        first, last = ends[0], ends[-1]
        sampled = minus(added(last.sums, owner, self.watchers),
                        added(first.sums, owner, self.watchers))
        kept = sum(last.kept[watcher, owner] - first.kept.get((watcher, owner), 0)
                   for watcher in range(self.watchers))
        self.times[owner].append(sampled[0] / kept - 1)

    def lowest(self):
        return min(sum(column) / len(column) for column in self.held)


def worst(errors, bound):
    """Share of its bound, or of three standard errors, and the mean error that is nearest to it."""
    def of_bound(windows):
        error = 3 * statistics.stdev(windows) / math.sqrt(len(windows))
        return abs(statistics.fmean(windows)) / max(bound, error)
    return max((of_bound(windows), statistics.fmean(windows)) for windows in errors.values())


def pooled(moments, watchers):
    """Error of the shares, by owner and metric, and relative error of times, by owner."""
    last, points, times = moments[-1], {}, {}
    busy = sum(true[0] for true in last.true.values())
    for owner, true in last.true.items():
        if true[0] < LEAST_SHARE * busy:
            continue
        sums = added(last.sums, owner, watchers)
        kept = sum(last.kept[watcher, owner] for watcher in range(watchers))
        times[owner] = sums[0] / kept - 1
        for metric, error in zip(METRICS, minus(shares(sums), shares(true)) if sums[0] else ()):
            points[owner, metric] = error
    return points, times


def largest(errors):
    return max(errors.values(), key=abs)


def of_load(load, pieces, seed):
    """Found in all windows, and times of 300 s from as many pieces as a CPU can have."""
    watchers = MORE_WATCHERS if load == "many30" else WATCHERS
    found = Found(simulate(load, seed, pieces, WINDOWS, watchers), watchers)
    timed = simulate(load, seed, MOST_PIECES, TIMED, TIMING)
    return load, found, largest(pooled(timed, TIMING)[1])


def check(load, found, time, pieces):
    name = f"load '{load}', {pieces} pieces a second"
    tap.check(found.lowest() >= HOLDING, f"{name}: {100 * found.lowest():.1f} % of "
              f"{len(found.held[0])} intervals contain the truth")
    used, error = worst(found.errors, POINTS)
    tap.check(used <= 1, f"{name}: the mean error is within its bound ({error:+.2f} points, "
              f"{100 * used:.0f} % of the bound)")
    used, error = worst(found.times, TIME_ERROR)
    tap.check(used <= 1 and abs(time) <= TIME_ERROR, f"{name}: weighted times are those of kept "
              f"slices ({100 * error:+.2f} %, {100 * used:.0f} % of the bound; "
              f"{100 * time:+.2f} % with {MOST_PIECES} pieces a second)")
    tap.check(not found.lost, f"{name}: all pieces are stored ({found.lost} slices lost)")
    least = 0 if pieces == MOST_PIECES else pieces / 1.5    # there are fewer candidates
    tap.check(least <= found.pieces <= 1.5 * pieces, f"{name}: as many pieces as wished "
              f"({found.pieces:.0f})")


def of_mistake(load, mistake):
    """Largest errors in points, and of times in percent."""
    program = f"pieces_eval_{mistake}" if mistake else "pieces_eval"
    points, times = pooled(simulate(load, SEED, MOST_PIECES, TIMED, TIMING, program), TIMING)
    return largest(points), 100 * largest(times)


def check_mistake(load, mistake, points, time):
    right = abs(points) <= POINTS and abs(time) <= 100 * TIME_ERROR
    name = f"{mistake}: it shows in" if mistake else "no mistake:"
    tap.check(right == (not mistake), f"{name} load '{load}' ({points:+.2f} points, "
              f"times {time:+.1f} %)")


def main():
    loads = sys.argv[1:] or LOADS
    jobs = [(load, pieces, SEED + nr) for pieces in by_length((PIECES,), (30, PIECES, MOST_PIECES))
            for nr, load in enumerate(loads)]
    for job, found in zip(jobs, side_by_side(of_load, jobs)):
        check(*found, job[1])
    if not sys.argv[1:]:
        for job, found in zip(MISTAKES, side_by_side(of_mistake, MISTAKES)):
            check_mistake(*job, *found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""95 % intervals over 200 windows (LONG=1: 500) of workloads whose truth is known.

They must contain the true value in 90 % of the windows, and be no wider than twice what
the same estimator gives in floating point. That is implemented here independently: the
jackknife, and Student's t by numerical integration. A second reference is the textbook's
standard error by linearisation, which the jackknife exceeds by design where slices are
few and unequal; it is measured in every tenth window.

    quality_test.py [WINDOWS [SEED]]
"""
import math
import random
import sys

from workload import (FORMULAS, MS, SLICE, START, Phases, Plan, Slices, Tap, answers, by_length,
                      rates, side_by_side)

SHORT = 2000 * MS   # the default window: 50 slices of Topdown_L1, 2 to 5 of any other set
LONG = 10000 * MS   # some 16 slices of any set

L1 = ("backend_bound", "bad_speculation", "retiring")
OTHERS = ("backend_mem_bound", "branch_mpki", "l1d_cache_miss_ratio")

CALM = rates(ipc=1.8, backend=20, frontend=8, speculation=7, backend_split=(30, 50, 20),
             mpki=2, miss=0.02)
MEMORY = rates(ipc=0.4, backend=75, frontend=5, speculation=3, backend_split=(90, 5, 5),
               mpki=1, miss=0.2)
BRANCHY = rates(ghz=2.4, ipc=0.9, backend=25, frontend=22, speculation=28, flush=4,
                backend_split=(45, 45, 10), mpki=18, miss=0.04)

UNEQUAL = "constant, slices of 4 to 400 ms"

tap = Tap()


def t_quantile(freedom, known={}):
    """97.5 % of Student's t, by Simpson's rule and bisection."""
    if freedom not in known:
        scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
        scale /= math.sqrt(freedom * math.pi)

        def area(x, steps=1000):
            heights = [scale * (1 + (i * x / steps)**2 / freedom)**(-(freedom + 1) / 2)
                       for i in range(steps + 1)]
            return x / steps / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) +
                                    2 * sum(heights[2:-1:2]))

        low, high = 1.0, 20.0
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if area(middle) < 0.475 else (low, middle)
        known[freedom] = low
    return known[freedom]


def total(counts):
    return [sum(column) for column in zip(*counts)]


def jackknife(of, counts):
    whole = total(counts)
    value = of(whole)
    squares = sum((of([w - c for w, c in zip(whole, part)]) - value)**2 for part in counts)
    return t_quantile(len(counts) - 1) * math.sqrt((len(counts) - 1) / len(counts) * squares)


def linearised(of, counts):
    whole = total(counts)
    slopes = []
    for i, count in enumerate(whole):
        step = 1e-5 * count
        up, down = list(whole), list(whole)
        up[i] += step
        down[i] -= step
        slopes.append((of(up) - of(down)) / (2 * step))
    residuals = sum(sum(s * c for s, c in zip(slopes, part))**2 for part in counts)
    nr = len(counts)
    return t_quantile(nr - 1) * math.sqrt(nr / (nr - 1) * residuals)


def jackknife_of_several(of, cpus):
    """cpus: (counts, lengths) of each; Satterthwaite's degrees of freedom."""
    def per_time(counts, lengths):
        return [c / sum(lengths) for c in total(counts)]

    each = [per_time(counts, lengths) for counts, lengths in cpus]
    whole = total(each)
    value = of(whole)
    variance = per_freedom = 0.0
    for own, (counts, lengths) in zip(each, cpus):
        squares, nr = 0.0, len(counts)
        sums, time = total(counts), sum(lengths)
        for part, length in zip(counts, lengths):
            left = [(s - p) / (time - length) for s, p in zip(sums, part)]
            squares += (of([w - o + n for w, o, n in zip(whole, own, left)]) - value)**2
        variance += (nr - 1) / nr * squares
        per_freedom += ((nr - 1) / nr * squares)**2 / (nr - 1)
    return t_quantile(max(1, round(variance**2 / per_freedom))) * math.sqrt(variance)


class Tally:
    """Intervals of one metric in windows of one length."""

    def __init__(self):
        self.asked = self.none = self.contained = 0
        self.widest = self.widest_linear = 0.0
        self.narrowest = math.inf
        self.coverage, self.slices = [], []

    def add(self, reply, name, truth, half, slices, linear=None):
        got, *fields = reply.split()
        fields = dict(field.split("=") for field in fields)
        if got != name or int(fields["slices"]) != slices:
            raise ValueError(f"{reply}: not {name} of {slices} slices")
        if (fields["low"] == "none") != (slices < 4):
            raise ValueError(f"{reply}: interval")
        self.asked += 1
        self.coverage.append(float(fields["coverage"]))
        self.slices.append(slices)
        if fields["low"] == "none":
            self.none += 1
            return
        low, high = float(fields["low"]), float(fields["high"])
        self.contained += low <= truth <= high
        # Rounding outwards adds less than a unit of the last digit at each end.
        width = high - low - 2 * FORMULAS[name].unit
        self.widest = max(self.widest, width / (2 * half))
        self.narrowest = min(self.narrowest, (high - low) / (2 * half))
        if linear:
            self.widest_linear = max(self.widest_linear, width / (2 * linear))

    def intervals(self):
        return self.asked - self.none

    def share(self):
        return 100 * self.contained / max(1, self.intervals())

    def note(self, name):
        print(f"# {name}: {self.share():.1f} % contain the truth; {min(self.slices)} to "
              f"{max(self.slices)} slices, coverage {min(self.coverage):.2f} to "
              f"{max(self.coverage):.2f} %, {self.none} without interval; width "
              f"{self.narrowest:.3f} to {self.widest:.3f}, linearised {self.widest_linear:.3f}")


def report(name, tallies):
    lowest = min(tallies, key=lambda key: tallies[key].share())
    share, intervals = tallies[lowest].share(), tallies[lowest].intervals()
    widest = max(tally.widest for tally in tallies.values())
    linear = max(tally.widest_linear for tally in tallies.values())
    narrowest = min(tally.narrowest for tally in tallies.values())
    tap.check(share >= 90 and 0.99 <= narrowest and widest <= 2 and
              (linear <= 2 or name == UNEQUAL),
              f"workload '{name}': 90 % of a metric's intervals contain the truth ({share:.1f} % "
              f"of {intervals} of {lowest[0]}) and none is wider than twice the reference "
              f"({widest:.2f})")
    for (metric, length), tally in tallies.items():
        tally.note(f"{metric} in {length // 10**9} s")


def slices_for(windows, length):
    """A sufficient number if their length varies, 20 ms in the mean."""
    return windows * length // SLICE * 6 // 5 + 100


def ends_of(windows, length, last):
    """One window after the other; windows that overlap would not be independent."""
    ends = [START + (nr + 1) * length for nr in range(windows)]
    if ends[-1] > last:
        raise ValueError(f"slices for fewer than {windows} windows")
    return ends


def tally_windows(phases, windows, seed, length, metrics, **options):
    plan = Plan(seed, slices_for(windows, length))
    slices = Slices(random.Random(seed), phases, plan, metrics, **options)
    ends = ends_of(windows, length, slices.ends[-1])
    lines = []
    for until in ends:
        lines += slices.lines(until)
        lines.append(f"q {until - length} {until} {' '.join(metrics)}")

    replies, tallies = iter(answers(lines)), {}
    for nr, until in enumerate(ends):
        for metric in metrics:
            of = FORMULAS[metric].of
            counts, _ = slices.of(metric, until - length, until)
            enough = len(counts) > 3
            tallies.setdefault((metric, length), Tally()).add(
                next(replies), metric, slices.truth(metric, until - length, until),
                enough and jackknife(of, counts), len(counts),
                enough and nr % 10 == 0 and linearised(of, counts))
    return tallies


def try_workload(phases, windows, seed, few=False, **options):
    """
    Topdown_L1 in the default window, other sets in a long one; few: in the default one,
    too, where one in four has enough slices for an interval.
    """
    tallies = tally_windows(phases, windows, seed, SHORT, L1, **options)
    tallies.update(tally_windows(phases, windows, seed, LONG, OTHERS, **options))
    if few:
        tallies.update(tally_windows(phases, 8 * windows, seed, SHORT, OTHERS, **options))
    return tallies


def try_several(windows, seed):
    """Four CPUs: other work, other clocks, other slices."""
    works = ((Phases([(SLICE, CALM)]), None), (Phases([(SLICE, MEMORY)]), None),
             (Phases([(150 * MS, CALM), (250 * MS, BRANCHY)]), None),
             (Phases([(SLICE, BRANCHY)]), lambda rng: (5 + rng.expovariate(1 / 30)) * MS))
    plan = Plan(seed, slices_for(windows, SHORT))
    rng = random.Random(seed)
    metrics = ("backend_bound", "retiring")
    cpus = [Slices(rng, phases, plan, metrics, 0.05, pace) for phases, pace in works]
    ends = ends_of(windows, SHORT, min(cpu.ends[-1] for cpu in cpus))
    lines = []
    for until in ends:
        for nr, cpu in enumerate(cpus):
            lines += cpu.lines(until, nr)
        lines.append(f"a {until - SHORT} {until} {' '.join(metrics)}")

    replies, tallies = iter(answers(lines, len(cpus))), {}
    for until in ends:
        for metric in metrics:
            formula = FORMULAS[metric]
            seen = [cpu.of(metric, until - SHORT, until) for cpu in cpus]
            truth = formula.of(total([cpu.phases.counts(until - SHORT, until,
                                                        cpu.phases.rows(formula.events))
                                      for cpu in cpus]))
            tallies.setdefault((metric, SHORT), Tally()).add(
                next(replies), metric, truth, jackknife_of_several(formula.of, seen),
                sum(len(counts) for counts, _ in seen))
    return tallies


def unequal_pace(rng):
    return min(400, 4 + rng.expovariate(1 / 16)) * MS


def at_random(rng, mean_ms, kinds, length_ms):
    parts, so_far = [], 0
    while so_far < length_ms:
        parts.append((rng.expovariate(1 / mean_ms) * MS, rng.choice(kinds)))
        so_far += parts[-1][0] / MS
    return Phases(parts)


def workloads(windows, seed):
    """Name, phases, options of try_workload()."""
    def periodic(ms, *parts):
        return Phases([(share * ms * MS, kind) for share, kind in parts])

    halves = ((0.5, CALM), (0.5, MEMORY))
    thirds = ((1 / 3, CALM), (1 / 3, MEMORY), (1 / 3, BRANCHY))
    rotation = 640
    length_ms = 2 * windows * LONG / MS
    return (
        ("constant", periodic(20, (1, CALM)), {"few": True}),
        ("constant, noise of 20 %", periodic(20, (1, BRANCHY)), {"few": True, "noise": 0.2}),
        (UNEQUAL, periodic(20, (1, MEMORY)), {"noise": 0.1, "pace": unequal_pace}),
        ("phases shorter than a slice", periodic(7.3, *halves), {"few": True}),
        ("period of 1.5 slices", periodic(30, *halves), {}),
        ("period of 2 slices", periodic(40, *halves), {}),
        ("period near 2 slices", periodic(41.3, *halves), {}),
        ("period of 3 slices", periodic(60, *thirds), {}),
        ("period of 4 slices", periodic(80, *halves), {}),
        ("period near a rotation", periodic(rotation - 7, *halves), {}),
        ("period of a rotation", periodic(rotation, *thirds), {}),
        ("period of half a window", periodic(1000, (0.35, BRANCHY), (0.65, CALM)), {}),
        ("phases of random length", at_random(random.Random(seed), 200, (CALM, MEMORY, BRANCHY),
                                              length_ms), {}),
    )


def one_workload(nr, windows, seed):
    name, phases, options = workloads(windows, seed)[nr]
    return name, try_workload(phases, windows, seed + nr, **options)


def main():
    windows = int(sys.argv[1]) if len(sys.argv) > 1 else by_length(200, 500)
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    jobs = [(i, windows, seed) for i in range(len(workloads(1, seed)))]
    for name, tallies in side_by_side(one_workload, jobs):
        report(name, tallies)
    report("four CPUs", try_several(windows, seed))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""95 % intervals over windows of 2 s of workloads whose truth is known.

At slices of 4 ms on workloads of all sorts, on one CPU and over four: of each metric 92 % of
the intervals must contain the true value and 99 % of the windows have an interval, both
less three standard errors of that many windows, and half widths must not exceed 1.3 times
those that a prototype had (the table HALF_WIDTHS). At 20 ms, where a window has four slices
of most sets, on workloads whose period is near that of slices or of the rotation: 88 %
must contain the true value. An interval must always be as wide as the same estimator gives
in floating point, which is implemented here independently.

50 windows; LONG=1: 500, more metrics, and every workload over four CPUs, too.

    quality_test.py [--table] [WINDOWS [SEED]]

--table prints holding and width by workload instead.
"""
import math
import random
import statistics
import sys

from workload import (BRANCHY, CALM, FORMULAS, L1, MEMORY, MS, OTHERS, SLICE, START, Phases, Plan,
                      Slices, Tap, answers, at_random, by_length, periodic, side_by_side, varied)

WINDOW = 2000 * MS
SHORT_SLICE = 4 * MS
NOISE = 0.02 * math.sqrt(SHORT_SLICE / SLICE)   # 2 % of a slice of 4 ms
HOLDING, EXISTING = 0.92, 0.99
HOLDING_LONG = 0.88     # at long slices: few and of very unequal kinds
CPUS = 4
COMPARED = 10       # windows whose width is compared with the reference
MEMORY_SHORTEST = 64

# Percent of the value, rounded to whole percents, of the metrics in L1 and OTHERS. Not
# of drift: the prototype left the window's edges out, and held in 88 % of windows.
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


def total(rows):
    return [sum(column) for column in zip(*rows)]


def gradient(of, point):
    slopes = []
    for i, value in enumerate(point):
        step = 1e-5 * value
        up, down = list(point), list(point)
        up[i] += step
        down[i] -= step
        slopes.append((of(up) - of(down)) / (2 * step) if step else 0)
    return slopes


class Memory:
    """Products of differences of successive slices that fade by eighths, of one metric."""

    def __init__(self, size, length):
        self.length = length
        self.last, self.weight, self.taken = None, 0.0, 0
        self.sums = [[0.0] * size for _ in range(size)]

    def add(self, counts):
        if self.last:
            by = [a - b for a, b in zip(counts, self.last)]
            for row, a in zip(self.sums, by):
                for i, b in enumerate(by):
                    row[i] += a * b
            self.weight += 1
            self.taken += 1
            if self.taken % (self.length // 8) == 0:
                self.weight *= 7 / 8
                self.sums = [[7 / 8 * cell for cell in row] for row in self.sums]
        self.last = counts

    def variance(self, slopes):
        return sum(a * b * cell for a, row in zip(slopes, self.sums)
                   for b, cell in zip(slopes, row)) / (2 * self.weight)

    def freedom(self):
        squares = 15 / 8 * self.length * self.weight / (2 * self.length - self.weight)
        return max(1, math.floor(2 / 3 * squares + 2 / 9 + 0.5))


class Reference:
    """The estimator in floating point, of one metric over CPUs."""

    def __init__(self, metric, cpus):
        self.of, self.metric, self.cpus = FORMULAS[metric].of, metric, cpus
        size = len(FORMULAS[metric].events) + 1
        self.memories = [Memory(size, self._length(cpu)) for cpu in cpus]
        self.until = 0

    def _rows(self, cpu, since, until):
        return [counts + [time] for counts, time in zip(*cpu.of(self.metric, since, until))]

    def _length(self, cpu):
        slices = -(-WINDOW // (cpu.ends[0] - cpu.starts[0]))
        others = len(cpu.plan.sets) - 1
        mine = slices / 2 if cpu.plan.home[self.metric] == 0 else slices / (2 * others)
        length = MEMORY_SHORTEST
        while length < mine:
            length *= 2
        return length

    def half(self, since, until):
        """Half an interval, and the slices. To be asked for one window after the other."""
        seen = []
        for cpu, memory in zip(self.cpus, self.memories):
            # A slice that ended just then is in two windows.
            for row in self._rows(cpu, max(since, self.until + 1), until):
                memory.add(row)
            rows = self._rows(cpu, since, until)
            spans = cpu.spans(self.metric, since, until)
            middle = statistics.mean(sum(span) / 2 for span in spans)
            off = len(rows) * (middle - (since + until) / 2) / (until - since)
            seen.append((rows, max(-1, min(1, off)), max(0, since - spans[0][0]) / rows[0][-1]))
        self.until = until

        sums = [total(rows) for rows, _, _ in seen]
        alone = len(seen) == 1
        rates = total([[c / (1 if alone else s[-1]) for c in s[:-1]] for s in sums])
        slopes = gradient(self.of, rates)
        variance = per_freedom = 0.0
        for (rows, off, before), whole, memory in zip(seen, sums, self.memories):
            own = [slope / (1 if alone else whole[-1]) for slope in slopes]
            own.append(-sum(a * b for a, b in zip(own, whole)) / whole[-1])
            first, last = (sum(a * b for a, b in zip(own, row)) for row in (rows[0], rows[-1]))
            part = (len(rows) * memory.variance(own) + (off * (last - first))**2 +
                    (first + last)**2 / 12 + (first * before)**2)
            variance += part
            per_freedom += part**2 / memory.freedom()
        freedom = max(1, round(variance**2 / per_freedom))
        return t_quantile(freedom) * math.sqrt(variance), sum(len(rows) for rows, _, _ in seen)


class Tally:
    """Intervals of one metric."""

    def __init__(self, metric):
        self.metric = metric
        self.asked = self.none = self.contained = 0
        self.widths = []        # half of each, in percent of the value
        self.narrowest, self.widest = math.inf, 0.0

    def add(self, reply, truth, compared):
        got, *fields = reply.split()
        fields = dict(field.split("=") for field in fields)
        if got != self.metric or compared and int(fields["slices"]) != compared[1]:
            raise ValueError(f"{reply}: not {self.metric}, or not {compared}")
        self.asked += 1
        if fields["low"] == "none":
            self.none += 1
            return
        low, high = float(fields["low"]), float(fields["high"])
        self.contained += low <= truth <= high
        self.widths.append(50 * (high - low) / abs(float(fields["value"])))
        if compared:
            # Rounding outwards adds less than a unit of the last digit at each end.
            unit = FORMULAS[self.metric].unit
            self.widest = max(self.widest, (high - low - 2 * unit) / (2 * compared[0]))
            self.narrowest = min(self.narrowest, (high - low) / (2 * compared[0]))

    def share(self):
        return self.contained / max(1, len(self.widths))

    def width(self):
        return statistics.median(self.widths or [0])


def floor_of(share, windows):
    return share - 3 * math.sqrt(share * (1 - share) / windows)


def tally_windows(cpus, windows, metrics, letter):
    """One window after the other; windows that overlap would not be independent."""
    ends = [START + (nr + 1) * WINDOW for nr in range(windows)]
    if ends[-1] > min(cpu.ends[-1] for cpu in cpus):
        raise ValueError(f"slices for fewer than {windows} windows")
    lines = []
    for until in ends:
        for nr, cpu in enumerate(cpus):
            lines += cpu.lines(until, nr)
        lines.append(f"{letter} {until - WINDOW} {until} {' '.join(metrics)}")

    replies, tallies = iter(answers(lines, len(cpus))), [Tally(metric) for metric in metrics]
    references = [Reference(metric, cpus) for metric in metrics]
    for nr, until in enumerate(ends):
        for tally, reference in zip(tallies, references):
            formula = FORMULAS[tally.metric]
            truth = formula.of(total([cpu.phases.counts(until - WINDOW, until,
                                                        cpu.phases.rows(formula.events))
                                      for cpu in cpus]))
            tally.add(next(replies), truth,
                      nr < COMPARED and reference.half(until - WINDOW, until))
    return tallies


def make_slices(phases, windows, seed, length, options):
    enough = windows * WINDOW // length + 1
    if "pace" in options:       # it may be shorter in the mean
        enough += enough // 5 + 100
    plan = Plan(seed, enough)
    return Slices(random.Random(seed), phases, plan, length=length, **options)


def chosen(windows, seed):
    return list(varied(random.Random(seed), (windows + 1) * WINDOW / MS))


def one_varied(nr, windows, seed, metrics, nr_cpus=1):
    """A workload at short slices; over several CPUs each is at another moment of it."""
    cpus = []
    for cpu in range(nr_cpus):
        name, phases, options = chosen(windows, seed + 100 * cpu)[nr]
        cpus.append(make_slices(phases, windows, seed + nr + 1000 * cpu, SHORT_SLICE,
                                {"noise": NOISE, **options}))
    return name, tally_windows(cpus, windows, metrics, "q" if nr_cpus == 1 else "a")


def mixed(windows, seed, metrics):
    """Four CPUs, each with another of the workloads."""
    works = chosen(windows, seed)
    cpus = [make_slices(works[nr][1], windows, seed + nr, SHORT_SLICE,
                        {"noise": NOISE, **works[nr][2]}) for nr in (1, 10, 12, 15)]
    return "four workloads", tally_windows(cpus, windows, metrics, "a")


def unequal_pace(rng):
    return min(400, 4 + rng.expovariate(1 / 16)) * MS


def long_slices(windows, seed):
    """Name, phases, options of workloads at slices of 20 ms."""
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
    slices = make_slices(phases, windows, seed + nr, SLICE, options)
    return name, tally_windows([slices], windows, metrics, "q")


def several_long(windows, seed):
    """Four CPUs: other work, other clocks, other slices."""
    works = ((Phases([(SLICE, CALM)]), {}), (Phases([(SLICE, MEMORY)]), {}),
             (Phases([(150 * MS, CALM), (250 * MS, BRANCHY)]), {}),
             (Phases([(SLICE, BRANCHY)]),
              {"pace": lambda rng: (5 + rng.expovariate(1 / 30)) * MS}))
    cpus = [make_slices(phases, windows, seed + nr, SLICE, {"noise": 0.05, **extra})
            for nr, (phases, extra) in enumerate(works)]
    return tally_windows(cpus, windows, ("backend_bound", "retiring"), "a")


def report(name, tallies, widths=None):
    lowest = min(tallies, key=Tally.share)
    windows = lowest.asked
    none = max(tally.none for tally in tallies)
    holding = HOLDING_LONG if "slices of 20 ms" in name else HOLDING
    good = lowest.share() >= floor_of(holding, windows)
    claim = (f"{100 * holding:.0f} % of a metric's intervals contain the truth "
             f"({100 * lowest.share():.1f} % of {windows} of {lowest.metric})")
    if holding == HOLDING:
        good &= none <= (1 - floor_of(EXISTING, windows)) * windows
        claim += f", 99 % of the windows have one ({none} have none)"
    # Between the rows of the table of quantiles the next wider one is taken.
    narrowest = min(tally.narrowest for tally in tallies)
    widest = max(tally.widest for tally in tallies)
    good &= 0.99 <= narrowest and widest <= 1.03
    claim += f", as wide as the reference ({narrowest:.3f} to {widest:.3f})"
    if widths:
        worst, width = max(zip(tallies, widths), key=lambda pair: pair[0].width() / (pair[1] + 0.5))
        good &= worst.width() <= 1.3 * (width + 0.5)
        claim += (f", at most 1.3 times the prototype's ({worst.width():.1f} % for {width} % of "
                  f"{worst.metric})")
    tap.check(good, f"workload '{name}': {claim}")
    print("# " + "; ".join(f"{tally.metric} {100 * tally.share():.1f} ±{tally.width():.2f}" +
                           f" ({tally.none} none)" * bool(tally.none) for tally in tallies))


def all_metrics(*first):
    """Those whose events have rates of their own in the workloads, the given ones first."""
    return first + tuple(sorted(name for name, formula in FORMULAS.items()
                                if set(formula.events) <= set(CALM) and name not in first))


def print_table(windows, seed):
    metrics = L1 + OTHERS
    print("holding and median half width in percent,", windows, "windows of 2 s, slices of 4 ms\n")
    print("| workload | " + " | ".join(metrics) + " |")
    print("|---" * (len(metrics) + 1) + "|")
    for cpus in (1, CPUS):
        jobs = [(nr, windows, seed, metrics, cpus) for nr in range(len(chosen(1, seed)))]
        for name, tallies in side_by_side(one_varied, jobs):
            cells = (f"{100 * t.share():.0f} ±{t.width():.1f}" + f", {t.none} none" * bool(t.none)
                     for t in tallies)
            print(f"| {name}{f', {cpus} CPUs' if cpus > 1 else ''} | {' | '.join(cells)} |",
                  flush=True)


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

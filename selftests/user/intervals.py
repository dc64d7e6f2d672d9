# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Intervals of successive windows of 2 s, from lines of quality."""
import math
import random
import statistics

from workload import (CALM, FORMULAS, MS, SLICE, START, Plan, Slices, answers, varied)

WINDOW = 2000 * MS
SHORT_SLICE = 4 * MS
NOISE = 0.02 * math.sqrt(SHORT_SLICE / SLICE)   # 2 % of a slice of 4 ms
HOLDING, EXISTING = 0.92, 0.99
CPUS = 4
MAX_POINTS, MAX_TIMES = 50, 3       # wider half intervals are not useful


def floor_of(share, windows):
    """The share less three standard errors."""
    return share - 3 * math.sqrt(share * (1 - share) / windows)


def all_metrics(*first):
    """Metrics whose events have rates of their own in the workloads, the given ones first."""
    return first + tuple(sorted(name for name, formula in FORMULAS.items()
                                if set(formula.events) <= set(CALM) and name not in first))


def true_rates(cpus, formula, since, until):
    """Value without noise."""
    return formula.of([sum(counts) for counts in zip(*(
        cpu.phases.counts(since, until, formula.events) for cpu in cpus))])


def true_counts(cpus, formula, since, until):
    """Value of the actual counts, noise included, observed or not."""
    return formula.of([sum(counts) for counts in zip(*(
        cpu.counted(formula.events, since, until) for cpu in cpus))])


class Tally:
    """Intervals of one metric, for its values or its estimates."""

    def __init__(self, metric, estimated=False):
        self.metric = metric
        self.keys = (("estimate", "estimate_low", "estimate_high") if estimated else
                     ("value", "low", "high"))
        self.held = []          # for each window: True, False, or None without an interval
        self.widths = []        # half-widths in percent of the value
        self.narrowest, self.widest, self.farthest = math.inf, 0.0, 0.0

    def add(self, fields, truth, expected=None):
        """expected: interval of the reference, always complete."""
        value, low, high = (fields[key] for key in self.keys)
        if low == "none":
            self.held.append(None)
            self._compare_none(expected)
            return
        value, low, high = float(value), float(low), float(high)
        self.held.append(low <= truth <= high)
        self.widths.append(50 * (high - low) / abs(value) if value else math.inf)
        if expected:
            self._compare(value, high - low, expected)

    def _most(self, value):
        is_percentage = FORMULAS[self.metric].is_percentage
        return MAX_POINTS if is_percentage else MAX_TIMES * abs(value)

    def _compare(self, value, width, expected):
        # Rounding outwards adds less than a unit of the last digit at each end.
        unit, most = FORMULAS[self.metric].unit, self._most(expected.value)
        self.narrowest = min(self.narrowest, width / 2 / min(expected.narrow, most))
        self.widest = max(self.widest, (width / 2 - unit) / expected.wide)
        off = max(0, abs(value - expected.value) - unit / 2)
        self.farthest = max(self.farthest, off / (2 * expected.narrow))

    def _compare_none(self, expected):
        if expected:
            self.widest = max(self.widest, self._most(expected.value) / expected.wide)

    def agrees(self):
        """Does it match the reference, to 1 % of the width?"""
        return self.narrowest >= 0.99 and self.widest <= 1.01 and self.farthest <= 0.01

    def windows(self):
        return len(self.held)

    def none(self):
        return self.held.count(None)

    def share(self):
        return self.held.count(True) / max(1, len(self.widths))

    def width(self):
        return statistics.median(self.widths or [0])

    def holds(self, share=HOLDING):
        return self.share() >= floor_of(share, self.windows())

    def exists(self):
        return self.none() <= (1 - floor_of(EXISTING, self.windows())) * self.windows()

    def text(self):
        none = f" ({self.none()} none)" * bool(self.none())
        return f"{100 * self.share():.1f} ±{self.width():.2f}{none}"


def ends_of_windows(windows, rng=None):
    """Ends of successive windows: those of slices, or with rng any times within slices."""
    until = START
    for _ in range(windows):
        until += WINDOW + (rng.randrange(SHORT_SLICE) if rng else 0)
        yield until


def lines_of_windows(cpus, ends, metrics):
    """Input of quality_eval: the slices of each window, followed by a question."""
    if ends[-1] > min(cpu.ends[-1] for cpu in cpus):
        raise ValueError(f"slices for fewer than {len(ends)} windows")
    letter = "q" if len(cpus) == 1 else "a"
    for until in ends:
        for nr, cpu in enumerate(cpus):
            yield from cpu.lines(until, nr)
        yield f"{letter} {until - WINDOW} {until} {' '.join(metrics)}"


def answered(cpus, windows, metrics, rng=None):
    """Start and end of each window, and the quality of each metric, by key.

    Overlapping windows would not be independent. rng as for ends_of_windows().
    """
    ends = list(ends_of_windows(windows, rng))
    lines = list(lines_of_windows(cpus, ends, metrics))
    replies = iter(answers(lines, len(cpus), cpus[0].plan.wanted))
    for until in ends:
        found = {}
        for metric in metrics:
            name, *fields = next(replies).split()
            if name != metric:
                raise ValueError(f"{name} instead of {metric}")
            found[metric] = dict(field.split("=") for field in fields)
        yield until - WINDOW, until, found


def make_slices(phases, windows, seed, length, options, anchors="auto"):
    enough = windows * WINDOW // length + 1
    if "pace" in options:       # the mean may be shorter
        enough += enough // 5 + 100
    return Slices(random.Random(seed), phases, Plan(seed, enough, anchors), length=length,
                  **options)


def chosen(windows, seed, works=varied):
    return list(works(random.Random(seed), (windows + 1) * WINDOW / MS))


def make_cpus(nr, windows, seed, nr_cpus, anchors, works=varied):
    """A workload with short slices; several CPUs are at different points of it."""
    cpus = []
    for cpu in range(nr_cpus):
        name, phases, options = chosen(windows, seed + 100 * cpu, works)[nr]
        cpus.append(make_slices(phases, windows, seed + nr + 1000 * cpu, SHORT_SLICE,
                                {"noise": NOISE, **options}, anchors))
    return name, cpus

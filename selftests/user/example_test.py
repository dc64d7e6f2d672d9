#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The worked example of Documentation/estimation.rst.

Each step is computed in fractions by the formulas of that page. The results must be those of
libn3t (quality_eval), to 0.001 points, and the rows of the page's tables must be these
numbers, with no row left over.
"""
import os
import re
import subprocess
import sys
from fractions import Fraction
from math import sqrt

from reference import t_quantile
from workload import BUDGET, HERE, MS, PROGRAM, START, Plan, Tap

PAGE = os.path.join(HERE, "..", "..", "Documentation", "estimation.rst")
METRIC = "backend_mem_bound"
ANCHOR, STALLS, MEMORY = "STALL_SLOT_BACKEND", "STALL_BACKEND", "STALL_BACKEND_MEMBOUND"
MILLION = 10**6
SLICE = 20 * MS
CYCLES = 60

# counts in millions: anchor, stalled cycles, those of memory
SLICES = ((70, 14, 11), (70, 14, 9), (30, 6, 1), (30, 6, 3))
PLACES = (1, 2, 1, 2)       # of these slices among the four of each rotation
OTHERS = (70, 70, 70, 70, 70, 70, 70, 70, 30, 30, 30, 30)   # the anchor in the other slices
REPEATED = 4                # times that the four slices are in the memory
LENGTH = 64                 # of the memory
ROTATION = len(OTHERS) // len(SLICES) + 1
L1 = 0                      # number of the set of the other slices

tap = Tap()


def slices(plan):
    """Set and known counts of each slice: one like the last of the four, then these in turn."""
    others = iter(OTHERS)
    history = [(SLICES[-1], 1)] + list(zip(SLICES, PLACES)) * REPEATED
    for nr, (counts, place) in enumerate(history):
        in_window = nr >= len(history) - len(SLICES)
        for turn in range(ROTATION):
            if turn == place:
                yield plan.home[METRIC], dict(zip((ANCHOR, STALLS, MEMORY), counts))
            else:
                yield L1, {ANCHOR: next(others) if in_window else 50}


def lines(nr_cpus):
    """Input of quality_eval. Events that do not matter count a million."""
    plan, end = Plan(1, 1), START
    for chosen, known in slices(plan):
        end += SLICE
        known["CPU_CYCLES"] = CYCLES
        counts = " ".join(str(MILLION * known.get(event, 1)) for event in plan.sets[chosen])
        for cpu in range(nr_cpus):
            yield f"s {cpu} {end} {SLICE} {chosen} {counts}"
    since = end - len(SLICES) * ROTATION * SLICE
    yield f"{'q' if nr_cpus == 1 else 'a'} {since} {end} {METRIC}"


def answered(nr_cpus):
    """The line of the metric with its quality."""
    result = subprocess.run([PROGRAM, "run", str(BUDGET), str(nr_cpus)], check=True, text=True,
                            input="\n".join(lines(nr_cpus)) + "\n", stdout=subprocess.PIPE)
    return result.stdout.strip()


def covariance(a, b):
    """Half the mean product of successive differences; each step is in the memory as often."""
    steps = range(len(SLICES))
    return Fraction(sum((a[i] - a[i - 1]) * (b[i] - b[i - 1]) for i in steps), 2 * len(SLICES))


def memory_freedom():
    """Degrees of freedom of the memory, whose weights shrink by an eighth in steps."""
    weight = Fraction(0)
    for nr in range(1, REPEATED * len(SLICES) + 1):
        weight += 1
        if nr % (LENGTH // 8) == 0:
            weight -= weight / 8
    squares = Fraction(15, 8) * LENGTH * weight / (2 * LENGTH - weight)
    return int(Fraction(2, 3) * squares + Fraction(2, 9) + Fraction(1, 2))


def quantile(freedom):
    return round(Fraction(t_quantile(freedom)), 3)


class Steps:
    """The steps from slices to an interval, for the value or for the estimate."""

    def __init__(self, corrected):
        n = len(SLICES)
        self.f = memory_freedom()
        anchor, stalls, memory = ([Fraction(row[i]) for row in SLICES] for i in range(3))
        mean = [sum(counts) / n for counts in (anchor, stalls, memory)]
        v = covariance(anchor, anchor)
        self.slopes = [covariance(counts, anchor) / v for counts in (stalls, memory)]
        self.d = Fraction(sum(anchor) + sum(OTHERS), n * ROTATION) - mean[0] if corrected else 0
        self.stalls, self.memory = (whole + slope * self.d
                                    for whole, slope in zip(mean[1:], self.slopes))
        ratio = self.memory / self.stalls
        z = [b - ratio * a for a, b in zip(stalls, memory)]
        slope = covariance(z, anchor) / v
        means = Fraction(0)
        used = self.f
        if corrected:
            z = [a - slope * (b - mean[0]) for a, b in zip(z, anchor)]
            p = Fraction(1, ROTATION)
            means = p**2 / (12 * n) * slope**2 * v
            used -= 1
        # the mean residual is no deviation
        z = [a - sum(z) / n for a in z]
        self.residuals = covariance(z, z)
        self.factor = (1 + n * self.d**2 / v / self.f) * Fraction(self.f, used)
        self.means = means
        self.edges = (z[0] + z[-1])**2 / 12
        self.variance = n * (self.residuals * self.factor + means) + self.edges
        self.f = used
        self.value = 100 * ratio
        self.sum = n * self.stalls

    def half(self, cpus=1):
        """Half an interval, in points; CPUs that do the same add up."""
        t = quantile(cpus * self.f)
        return 100 * float(t) * sqrt(cpus * self.variance) / float(cpus * self.sum)


VALUE, ESTIMATE = Steps(False), Steps(True)


def number(value, digits=4):
    return f"{float(value):.{digits}f}".rstrip("0").rstrip(".")


def rows():
    """The table of steps."""
    for name, of in (
            ("mean of y2", lambda s: number(s.stalls)),
            ("mean of y1", lambda s: number(s.memory)),
            ("metric, in percent", lambda s: f"{float(s.value):.4f}"),
            ("var(z)", lambda s: number(s.residuals)),
            ("R and S", lambda s: number(s.residuals * s.factor, 5)),
            ("M", lambda s: number(s.means)),
            ("E", lambda s: number(s.edges)),
            ("V", lambda s: number(s.variance)),
            ("f", lambda s: str(s.f)),
            ("q(f)", lambda s: f"{float(quantile(s.f)):.3f}"),
            ("w, in points", lambda s: f"{s.half():.2f}"),
            ("w of two CPUs", lambda s: f"{s.half(2):.2f}")):
        yield f"{name} {of(VALUE)} {of(ESTIMATE)}"


def check_libn3t(nr_cpus):
    fields = dict(field.split("=") for field in answered(nr_cpus).split()[1:])
    for steps, value, low, high in ((VALUE, "value", "low", "high"),
                                    (ESTIMATE, "estimate", "estimate_low", "estimate_high")):
        half = steps.half(nr_cpus)
        off = max(abs(float(fields[key]) - expected) for key, expected in
                  ((value, steps.value), (low, float(steps.value) - half),
                   (high, float(steps.value) + half)))
        tap.check(off < 0.001, f"{nr_cpus} CPUs: {value} and its interval are those of libn3t, "
                  f"{float(steps.value):.4f} ± {half:.4f} (off by {off:.5f})")


def table_after(text, label):
    """Rows of the first simple table after a label, without its head."""
    after = text[text.index(f".. _{label}:"):]
    table = re.search(r"^=+ [= ]*=\n.*?\n=+ [= ]*=\n(.*?)\n=+ [= ]*=$", after, re.M | re.S)[1]
    return [" ".join(line.split()) for line in table.splitlines()]


def check_page():
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    expected = [" ".join(map(str, (nr + 1, *counts))) for nr, counts in enumerate(SLICES)]
    found = table_after(text, "est-example-slices")
    tap.check(found == expected, "estimation.rst: the slices of the example")
    expected, found = list(rows()), table_after(text, "est-example-steps")
    tap.check(found == expected, "estimation.rst: the steps of the example")
    for row in sorted(set(expected) ^ set(found)):
        print("#", "missing:" if row in expected else "wrong:", row)
    line = " ".join(text[text.index(".. _est-example-line:"):].split())
    tap.check(answered(1) in line, f"estimation.rst: the line of the example ({answered(1)})")


def main():
    tap.check(VALUE.value == 60 and ESTIMATE.value == Fraction(700, 11),
              "the example's value is 60 %, its estimate 7/11")
    check_libn3t(1)
    check_libn3t(2)
    check_page()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

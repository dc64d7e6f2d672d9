#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Compares the values of an interval with exact arithmetic.

check_interval.py LIBRARY DIR

LIBRARY is the program of library.c, DIR is for files. Each CPU counts every event; its totals
grow by these counts, in each counter set times another integer, and some exceed 64 bits. The
expected values are those of the specification's formulas at the sums of the counts. CPUs lack
keys or files, are idle, count nothing, or begin again: then the value of the window stays. Errors
of Topdown_L1 follow from replicates, if each has four slices at least.
"""
import math
import os
import random
import shutil
import subprocess
import sys
from fractions import Fraction

import make_tree
from make_tree import EVENTS, GROUPS, METRICS, SLOTS, decimals, parts_of

TOPDOWN = GROUPS["Topdown_L1"][1]
ROUNDS = 12
START = 77_000_000_000
WITHHELD = ("implausible", "inconsistent", "unsupported")


def rounded(number, digits):
    """As the module: to nearest, ties away from zero."""
    scaled = abs(number) * 10 ** digits
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    text = f"{units // 10 ** digits}.{units % 10 ** digits:0{digits}d}"
    return "-" + text if number < 0 and units else text


def evaluate(metric, counts, slots):
    """None if a denominator is 0."""
    formula = METRICS[metric][0]
    for text in ("5 * CPU_CYCLES", "CPU_CYCLES * 5"):
        formula = formula.replace(text, text.replace("5", str(slots)))
    try:
        exact = {event: Fraction(count) for event, count in counts.items()}
        # only event names and arithmetic: the table is the project's own
        return eval(formula, {"__builtins__": {}}, exact)
    except ZeroDivisionError:
        return None


def make_cpu(rng):
    """For each metric its counts, multiplied as in totals; those of Topdown_L1 are the same."""
    counts = {event: rng.choice((rng.randrange(1, 1000), rng.randrange(1, 2 ** 40)))
              for event in EVENTS}
    counts["STALL_SLOT"] = rng.choice((0, counts["STALL_SLOT"]))
    if rng.random() < 0.2:
        counts[rng.choice(EVENTS)] = 0
    factors = {metric: rng.randrange(1, 60) for metric in METRICS}
    factors.update(dict.fromkeys(TOPDOWN, 2))
    factors["ll_cache_read_hit_ratio"] = factors["ll_cache_read_miss_ratio"]
    return {metric: {event: count * factors[metric] for event, count in counts.items()}
            for metric in METRICS}


def add_up(cpus):
    return {metric: {event: sum(cpu[metric][event] for cpu in cpus) for event in EVENTS}
            for metric in METRICS}


def totals_of(counts, slots):
    """{file: {key: number}}"""
    files = {"topdown_l1": {key: counts[TOPDOWN[0]][event] * (slots if in_cycles else 1)
                            for key, (event, in_cycles) in SLOTS.items()}}
    for group, (_, members) in GROUPS.items():
        if group != "Topdown_L1":
            files[group.lower()] = {key: sum(counts[metric][event] for event in events)
                                    for metric in members
                                    for key, events in parts_of(metric).items()}
    return files


def write(path, keys):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as out:
        out.writelines(f"{key} {value}\n" for key, value in keys.items())


class Place:
    """Totals of a place before and after, and which of its metrics keep the window's value."""

    def __init__(self, rng, counts, slots):
        growth = totals_of(counts, slots)
        top = rng.choice((2 ** 40, 2 ** 64, 2 ** 70))
        shared = {}		# a metric of two groups has the same totals in both
        self.counts = counts
        self.before = {name: {key: shared.setdefault(key, top - rng.randrange(2 ** 39))
                              for key in keys} for name, keys in growth.items()}
        self.after = {name: {key: value + growth[name][key] for key, value in keys.items()}
                      for name, keys in self.before.items()}
        for files in (self.before, self.after):
            files["time"] = {"start_ns": START, "cycles_total": 5}
        self.after["time"]["cycles_total"] += 100_000
        self.kept = set()
        self.words = {}
        self.replicates = []	# the counts and slices of each
        for _ in range(rng.choice((0, 8))):
            slices = 3 if rng.random() < 0.03 else rng.randrange(4, 90)
            self.replicates.append((make_cpu(rng)[TOPDOWN[0]], slices))
        self.add_replicates(rng, slots)

    def add_replicates(self, rng, slots):
        before, after = {}, {}
        for nr, (counts, slices) in enumerate(self.replicates):
            growth = {f"r{nr}_{key}": counts[event] * (slots if in_cycles else 1)
                      for key, (event, in_cycles) in SLOTS.items()}
            growth[f"r{nr}_slices_total"] = slices
            for key, number in growth.items():
                before[key] = 2 ** 64 - rng.randrange(2 ** 39)
                after[key] = before[key] + number
        self.before["topdown_l1.replicates"] = before
        self.after["topdown_l1.replicates"] = after

    def keep(self, keys):
        """The metrics that need one of these keys."""
        for metric in METRICS:
            needed = SLOTS if metric in TOPDOWN else parts_of(metric)
            if metric == "ll_cache_read_hit_ratio":
                needed = parts_of("ll_cache_read_miss_ratio")
            if set(needed) & set(keys):
                self.kept.add(metric)

    def make_odd(self, rng):
        odd = rng.randrange(12)
        files = rng.choice((self.before, self.after))
        name = rng.choice([name for name in self.before
                           if name != "time" and not name.startswith("topdown_l1")])
        key = rng.choice(list(self.before[name]))
        if odd == 0:
            for of_file in files.values():
                of_file.pop(key, None)
            self.keep([key])
        elif odd == 1:
            self.kept = set(METRICS)
            del files["time"]
        elif odd == 2:
            self.kept = set(METRICS)
            self.after["time"]["start_ns"] += 1
        elif odd == 3:
            for of_file in self.after.values():
                if key in of_file:
                    of_file[key] = self.before[name][key] - 1
            self.keep([key])
        elif odd == 4:
            self.kept = set(METRICS)
            self.after["time"]["cycles_total"] -= 1
        elif odd == 5:
            del files["time"]["cycles_total"]
        elif odd == 6:
            self.kept |= set(TOPDOWN)
            del files["topdown_l1"]["slots_total"]
        elif odd == 7:
            self.words = {metric: rng.choice(("implausible", "inconsistent", "unsupported", "idle",
                                              "stale", "undef", "offline")) for metric in METRICS}
        elif odd == 8:
            self.kept |= {"frontend_bound", "bad_speculation"}
            del files["topdown_l1"]["frontend_flush_slots_total"]

    def error(self, metric, slots):
        """NaN: unknown"""
        if metric not in TOPDOWN or not self.replicates:
            return math.nan
        values = [evaluate(metric, counts, slots) for counts, _ in self.replicates]
        if None in values or any(slices < 4 for _, slices in self.replicates):
            return math.nan
        mean = Fraction(sum(values), 8)
        return 0.894 * math.sqrt(sum((value - mean) ** 2 for value in values) / 8)

    def expected(self, metric, of_window, slots):
        digits = decimals(METRICS[metric][1])
        value = evaluate(metric, self.counts[metric], slots)
        if value is None or metric in self.kept or of_window in WITHHELD:
            return of_window, "window"
        return rounded(value, digits), "interval"


def read(path):
    with open(path, encoding="ascii") as lines:
        return dict(line.split() for line in lines)


def replace_words(tree, place, words):
    for group, (_, members) in GROUPS.items():
        write(f"{tree}/{place}/{group.lower()}", {metric: words[metric] for metric in members})
        os.remove(f"{tree}/{place}/quality/{group.lower()}")


def run(library, tree, places, slots):
    """Return: the number of values of the interval, of the window, and of errors."""
    for name, place in places.items():
        shutil.rmtree(f"{tree}/{name}/counters", ignore_errors=True)
        if place.words:
            replace_words(tree, name, place.words)
    shutil.copytree(tree, tree + ".after")
    for name, place in places.items():
        for file, keys in place.before.items():
            write(f"{tree}/{name}/counters/{file}", keys)
        for file, keys in place.after.items():
            write(f"{tree}.after/{name}/counters/{file}", keys)
    out = subprocess.run([library, "interval", tree, tree + ".after"], check=True,
                         capture_output=True, text=True).stdout
    got = {tuple(line.split()[:3]): tuple(line.split()[3:]) for line in out.splitlines()}
    nr = {"interval": 0, "window": 0, "error": 0}
    for name, place in places.items():
        for group, (_, members) in GROUPS.items():
            of_window = read(f"{tree}/{name}/{group.lower()}")
            for metric in members:
                wanted = place.expected(metric, of_window[metric], slots)
                found = got.pop((name, group.lower(), metric))
                assert found[:2] == wanted, (tree, name, metric, found, wanted)
                nr[wanted[1]] += 1
                error = place.error(metric, slots) if wanted[1] == "interval" else math.nan
                assert math.isnan(error) == (found[2] == "nan"), (tree, name, metric, found, error)
                if not math.isnan(error):
                    assert math.isclose(float(found[2]), error, rel_tol=1e-5, abs_tol=1e-6), \
                        (tree, name, metric, found, error)
                    nr["error"] += 1
    assert not got, got
    return nr["interval"], nr["window"], nr["error"]


def main():
    library, directory = sys.argv[1:]
    known = []
    for i in range(ROUNDS):
        rng = random.Random(i)
        slots = rng.choice((5, 5, 8))
        cpus = [make_cpu(rng) for _ in range(4)]
        places = {f"cpu{cpu}": Place(rng, counts, slots) for cpu, counts in enumerate(cpus)}
        for place in places.values():
            place.make_odd(rng)
        for name in ("node0", "system"):
            places[name] = Place(rng, add_up(cpus), slots)
        tree = f"{directory}/{i}"
        make_tree.main([tree, "--cpus", "4", "--seed", str(i)])
        known.append(run(library, tree, places, slots))
    print(known)
    interval, window, errors = (sum(numbers) for numbers in zip(*known))
    assert interval > 10 * ROUNDS and window > ROUNDS and errors > ROUNDS, \
        (interval, window, errors)


if __name__ == "__main__":
    main()

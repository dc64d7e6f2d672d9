#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""A baseline around the values of a tree, and the expected marks.

check_marks.py make TREE FILE		writes ranges near the estimates of the tree's
					places, some within their intervals
check_marks.py table|tree|brief|json TREE FILE	checks n3stat on stdin: -g all, tree, no option
					or --json -g all, for every CPU, node and the system

Expected marks are computed only from the tree's files and the baseline.
"""
import json
import math
import os
import random
import re
import sys

TITLES = {"front": "frontend_bound", "back": "backend_bound",
          "bad": "bad_speculation", "retir": "retiring", "ipc": "ipc"}


def places_of(tree):
    return sorted(p for p in os.listdir(tree) if re.match(r"(cpu|node)\d+$|system$", p))


def read_place(tree, place):
    """Estimate, low and high of each group and metric; unlimited without an interval."""
    values = {}
    directory = os.path.join(tree, place, "quality")
    for file in sorted(os.listdir(directory)):
        for line in open(os.path.join(directory, file), encoding="ascii"):
            name, *rest = line.split()
            keys = dict(word.split("=") for word in rest)
            try:
                estimate = float(keys["estimate"]) + 0 * float(keys["value"])
            except ValueError:
                continue
            low, high = keys["estimate_low"], keys["estimate_high"]
            values[file, name] = (estimate, *((-math.inf, math.inf) if low == "none" else
                                              (float(low), float(high))))
    return values


def make(tree, path):
    rng = random.Random(6)
    scopes = {}
    for place in places_of(tree):
        scope = scopes.setdefault(re.sub(r"\d", "", place), {})
        for (_, metric), value in read_place(tree, place).items():
            scope.setdefault(metric, []).append(value)
    for scope, metrics in scopes.items():
        for metric, values in metrics.items():
            ends = []
            for _ in range(2):
                estimate, low, high = rng.choice(values)
                if math.isinf(low):
                    low = high = estimate
                ends.append(rng.choice((low - 1e-3, low + 1e-3, estimate, high - 1e-3, high + 1e-3,
                                        estimate * 1.5, estimate * 0.7)))
            low, high = sorted(ends)
            percentiles = {"p5": low, "p50": (low + high) / 2, "p95": high}
            # and some without a range
            if rng.randrange(10) == 0:
                del percentiles["p5"]
            metrics[metric] = {"values": 1000, "independent": 50, "percentiles": percentiles}
        scopes[scope] = {"places": 1, "snapshots": 100, "independent": 50, "metrics": metrics}
    with open(path, "w", encoding="ascii") as out:
        json.dump({"format": "n3stat-baseline", "version": 1, "hosts": ["here"], "kernels": [],
                   "pmus": ["n3_sim"], "simulated": True, "recordings": 1, "window_ms": 2000,
                   "scopes": scopes}, out)


class Marks:
    def __init__(self, tree, path):
        self.scopes = json.load(open(path, encoding="ascii"))["scopes"]
        self.values = {place: read_place(tree, place) for place in places_of(tree)}
        self.seen = {}

    def range(self, place, metric):
        metrics = self.scopes[re.sub(r"\d", "", place)]["metrics"]
        of = metrics.get(metric, {"percentiles": {}})["percentiles"]
        return (of["p5"], of["p95"]) if "p5" in of and "p95" in of else None

    def value(self, place, metric, group):
        # the line and the tree have a metric in one group only
        found = [value for (file, name), value in self.values[place].items()
                 if name == metric and file in (group, group or file)]
        return found[0] if found else None

    def mark(self, place, metric, group):
        ends, value = self.range(place, metric), self.value(place, metric, group)
        if not ends or not value:
            return ""
        return "^" if value[1] > ends[1] else "v" if value[2] < ends[0] else ""

    def check(self, place, metric, mark, group=None):
        want = self.mark(place, metric, group)
        assert mark == want, (place, metric, mark, want, self.value(place, metric, group),
                              self.range(place, metric))
        self.seen[want] = self.seen.get(want, 0) + 1


def check_table(marks):
    names, group = [], None
    for line in sys.stdin:
        words = line.split()
        if len(words) == 1 and line[0].isupper():
            group = words[0].lower()
        elif words and words[0] in marks.values:
            for name, word in zip(names, words[1:]):
                marks.check(words[0], name, word[-1] if word[-1] in "^v" else "", group)
        elif words and all(re.fullmatch("[a-z][a-z0-9_]+", w) for w in words):
            names = words


def check_brief(marks):
    names = []
    for line in sys.stdin:
        words = line.split()
        if "bottleneck" in words:
            names = [TITLES[w] for w in words[:-1]]
        elif words and words[0] in marks.values:
            for name, word in zip(names, words[1:]):
                marks.check(words[0], name, word[-1] if word[-1] in "^v" else "")


def check_tree(marks):
    place = None
    for line in sys.stdin:
        place = line.split()[0] if line.endswith("of parent\n") else place
        match = re.match(r"[> ] +([a-z0-9_]+) .*\| +-?[0-9.]+%([ ^v])(.*)$", line)
        if not match:
            continue
        metric, mark, ends = match.groups()
        marks.check(place, metric, mark.strip())
        want = marks.range(place, metric)
        # half a digit either way, for any rounding
        got = [float(end) for end in ends.split("..")] if ends.strip() else None
        assert (got is None) == (want is None), line
        assert not want or all(abs(a - b) <= 0.0501 for a, b in zip(got, want)), (line, want)


def check_json(marks):
    for place in json.load(sys.stdin)["places"]:
        for group, metrics in place["groups"].items():
            for metric, value in metrics.items():
                want = marks.range(place["place"], metric)
                of = value.get("baseline")
                assert (of is None) == (want is None), (place["place"], metric, value)
                if not want:
                    continue
                assert set(of) == {"low", "high", "mark"}, of
                assert abs(of["low"] - want[0]) < 1e-6 and abs(of["high"] - want[1]) < 1e-6, of
                marks.check(place["place"], metric,
                            {"above": "^", "below": "v", None: ""}[of["mark"]], group)


def main():
    what, tree, path = sys.argv[1:]
    if what == "make":
        make(tree, path)
        return
    marks = Marks(tree, path)
    {"table": check_table, "brief": check_brief, "tree": check_tree, "json": check_json}[what](marks)
    print(marks.seen)
    assert all(marks.seen.get(mark, 0) > 2 for mark in ("", "^", "v")), marks.seen


main()

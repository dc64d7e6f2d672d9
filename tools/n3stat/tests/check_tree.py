#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_tree.py TREE PLACE < output of n3stat tree --per/--cpu for one place

Walks the specification's tree and compares the marked path with the result, and every
number with the files. Prints differences.
"""
import math
import os
import re
import sys

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../selftests/spec")


def read_table(name):
    with open(os.path.join(SPEC, name), encoding="ascii") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]


def read_quality(directory):
    values = {}
    for group in ("topdown_l1", "topdown_frontend", "topdown_backend"):
        with open(os.path.join(directory, "quality", group), encoding="ascii") as lines:
            for line in lines:
                name, *rest = line.split()
                values[name] = {k: float(v) for k, v in (word.split("=") for word in rest)}
    return values


def estimates_of(values):
    """The estimate and its error."""
    return {name: (of["estimate"], (of["estimate_high"] - of["estimate_low"]) / 2)
            for name, of in values.items()}


def go_down(values):
    """The path for the values, and the two metrics that are too close at its end."""
    groups = {row[0]: row[5].split(",") for row in read_table("groups.tsv")}
    leads = {row[0]: row[1].split(",") for row in read_table("tree.tsv")}
    children = {m for items in leads.values() for m in items}

    def below(metric):
        found = []
        for item in leads.get(metric, []):
            if item in leads:
                found.append(item)
            elif item in ("Topdown_Frontend", "Topdown_Backend"):
                found += [m for m in groups[item] if m not in children]
        return found

    def is_ahead(one, other):
        return one[0] - other[0] > one[1] + other[1]

    path, rivals, minor, share = [], [], None, 100
    candidates = groups["Topdown_L1"]
    while candidates:
        order = sorted(candidates, key=lambda m: -values[m][0])
        first = values[order[0]]
        # part that no candidate covers
        rest = (max(0, 100 - sum(values[m][0] for m in candidates)),
                math.hypot(*(values[m][1] for m in candidates)))
        share *= first[0] / 100
        if path and (is_ahead(rest, first) or share < 5):
            minor = order[0]
            break
        if len(order) > 1 and not is_ahead(first, values[order[1]]):
            rivals = order[:2]
            break
        # bounded by the first's complement, even if the others are uncertain
        if path and not is_ahead(first, rest) and not is_ahead(first, (100 - first[0], first[1])):
            minor = order[0]
            break
        path.append(order[0])
        candidates = below(order[0])
    return path, rivals, minor, groups["Topdown_L1"], below


def main():
    tree, place = sys.argv[1:]
    values = estimates_of(read_quality(os.path.join(tree, place)))
    path = go_down(values)[0]
    marked, numbers = [], {}
    for line in sys.stdin:
        match = re.match(r"([> ]) +([a-z0-9_]+_(?:bound|speculation)|[> ] +retiring|retiring) +"
                         r"(-?[0-9.]+)% ±([0-9.]+)", line)
        if match:
            name = match.group(2).split()[-1]
            numbers[name] = (float(match.group(3)), float(match.group(4)))
            if match.group(1) == ">":
                marked.append(name)
    if sorted(numbers) != sorted(values):
        sys.exit(f"other metrics: {set(numbers) ^ set(values)}")
    for name, (number, error) in numbers.items():
        if abs(number - values[name][0]) > 0.051:
            sys.exit(f"{name}: {number} is not {values[name][0]}")
        if abs(error - values[name][1]) > 0.051:
            sys.exit(f"{name}: error {error} is not {values[name][1]}")
    if marked != path:
        sys.exit(f"marked {marked}, not {path}")


if __name__ == "__main__":
    main()

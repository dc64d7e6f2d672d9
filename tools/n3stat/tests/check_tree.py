#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_tree.py TREE PLACE < output of n3stat tree --per/--cpu for one place

Goes down the specification's tree by itself and holds the marked path against
it, and every number against the files. Says what is wrong.
"""
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


def main():
    tree, place = sys.argv[1:]
    groups = {row[0]: row[5].split(",") for row in read_table("groups.tsv")}
    leads = {row[0]: row[1].split(",") for row in read_table("tree.tsv")}
    children = {m for items in leads.values() for m in items}
    values = read_quality(os.path.join(tree, place))

    def below(metric):
        found = []
        for item in leads.get(metric, []):
            if item in leads:
                found.append(item)
            elif item in ("Topdown_Frontend", "Topdown_Backend"):
                found += [m for m in groups[item] if m not in children]
        return found

    path = []
    candidates = groups["Topdown_L1"]
    while candidates:
        order = sorted(candidates, key=lambda m: -values[m]["value"])
        if len(order) > 1:
            gap = values[order[0]]["value"] - values[order[1]]["value"]
            errors = sum((values[m]["high"] - values[m]["low"]) / 2 for m in order[:2])
            if gap <= errors:
                break
        path.append(order[0])
        candidates = below(order[0])

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
        if abs(number - values[name]["value"]) > 0.051:
            sys.exit(f"{name}: {number} is not {values[name]['value']}")
        if abs(error - (values[name]["high"] - values[name]["low"]) / 2) > 0.051:
            sys.exit(f"{name}: error {error}")
    if marked != path:
        sys.exit(f"marked {marked}, not {path}")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_tree_json.py TREE PLACE... < output of n3stat tree --json

Checks every object against the schema in n3stat-tree(1), every number against the
files, and the path against the specification's tree. Prints differences.
"""
import json
import math
import os
import sys
from decimal import Decimal

import check_tree

LEADS = {row[0]: row[1].split(",") for row in check_tree.read_table("tree.tsv")}


def check(condition, what):
    if not condition:
        sys.exit(what)


def read_lines(directory):
    """Each metric's words after its name, as in the files."""
    found = {}
    for group in ("topdown_l1", "topdown_frontend", "topdown_backend"):
        with open(os.path.join(directory, "quality", group), encoding="ascii") as lines:
            for line in lines:
                name, *rest = line.split()
                found[name] = dict(word.split("=") for word in rest)
    return found


def check_nodes(nodes, wanted, below, lines, seen):
    check(sorted(n["metric"] for n in nodes) == sorted(wanted), f"{wanted}: {nodes}")
    for node in nodes:
        check(list(node) == ["metric", "on_path", "values", "below"], f"keys {list(node)}")
        name, values = node["metric"], dict(node["values"])
        check(name not in seen, f"{name} comes twice")
        seen[name] = node["on_path"]
        unit = values.pop("unit")
        check(unit.startswith("percent of "), f"{name}: {unit}")
        check({k: Decimal(str(v)) for k, v in values.items()} ==
              {k: Decimal(v) for k, v in lines[name].items()}, f"{name}: {values}")
        check_nodes(node["below"], below(name), below, lines, seen)


def groups_to_look_at(path):
    """References from the end, or else from the nearest metric above it."""
    for metric in reversed(path):
        groups = sorted(item.lower() for item in LEADS[metric]
                        if item not in LEADS and item != "-")
        if groups:
            return groups
    return []


def check_place(tree, place):
    name = place["place"]
    check(list(place) == ["place", "kind", *(["id"] if name != "system" else []), "tree",
                          "bottleneck", "not_chosen"], f"keys {list(place)}")
    check(name == place["kind"] + str(place.get("id", "")), f"{name}: kind or id")
    directory = os.path.join(tree, name)
    estimates = check_tree.estimates_of(check_tree.read_quality(directory))
    path, rivals, minor, first, below = check_tree.go_down(estimates)
    seen = {}
    check_nodes(place["tree"], first, below, read_lines(directory), seen)
    check(sorted(m for m in seen if seen[m]) == sorted(path), f"{name}: marked, not {path}")
    check(place["not_chosen"] == [], f"{name}: all are chosen")
    end = place["bottleneck"]
    check(list(end) == ["path", "share", "minor", "undetermined", "look_at", "end",
                        "too_few_slices", "word", "advice"], f"keys {list(end)}")
    check(end["path"] == path and end["end"] == (path or [None])[-1], f"{name}: {end}")
    check(sorted(end["undetermined"]) == sorted(rivals), f"{name}: {end}")
    check(end["word"] is None and end["too_few_slices"] is False, f"{name}: {end}")
    check(end["minor"] == minor, f"{name}: {end}")
    share = 100 * math.prod(estimates[metric][0] / 100 for metric in path)
    check(abs(float(end["share"] or 100) - share) < 1e-3, f"{name}: {end}, not {share}")
    if not path:
        check(end["advice"] is None, f"{name}: {end}")
        return
    check(list(end["advice"]) == ["means", "look_at", "groups", "find_it",
                                   "note", "ids"], f"{name}: {end}")
    check(end["advice"]["groups"] == end["look_at"], f"{name}: {end}")
    if not rivals:
        check(sorted(end["look_at"]) == groups_to_look_at(path), f"{name}: {end}")
    where = f" -C {place['id']} " if place["kind"] == "cpu" else " -a "
    check(where in end["advice"]["find_it"], f"{name}: {end}")
    check(end["advice"]["means"].endswith(".") and end["advice"]["look_at"].endswith("."),
          f"{name}: {end}")


def main():
    tree, wanted = sys.argv[1], sys.argv[2:]
    nr = 0
    for line in sys.stdin:
        report = json.loads(line, parse_float=Decimal)
        check(list(report) == ["schema", "time", "simulated", "window_ms", "places"],
              f"keys {list(report)}")
        check(report["schema"] == "n3stat-tree-1" and report["simulated"] is True and
              report["window_ms"] == 2000, f"{report}")
        check([p["place"] for p in report["places"]] == wanted, "places")
        for place in report["places"]:
            check_place(tree, place)
            nr += 1
    check(nr > 0, "nothing was printed")
    print(nr, "trees")


main()

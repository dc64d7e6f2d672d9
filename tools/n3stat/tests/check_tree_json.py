#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_tree_json.py TREE PLACE... < output of n3stat tree --json

Checks every object against the schema in n3stat-tree(1), every number against the
files, and the path against the specification's tree. Prints differences.
"""
import json
import os
import sys
from decimal import Decimal

import check_tree
from check_tree import losses


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


def check_share(node, share, error):
    name = node["metric"]
    check(abs(float(node["share"]) - share) < 1e-3 and
          abs(float(node["share_error"]) - error) < 1e-3, f"{node}, not {share} +- {error}")
    check(node["approximate"] == (name not in losses.TREE[None]), f"{node}")


def check_nodes(nodes, parent, shares, lines, seen):
    wanted = losses.TREE[parent]
    check(sorted(n["metric"] for n in nodes) == sorted(wanted), f"{wanted}: {nodes}")
    for node in nodes:
        check(list(node) == ["metric", "on_path", "share", "share_error", "approximate", "values",
                             "below"], f"keys {list(node)}")
        name, values = node["metric"], dict(node["values"])
        check_share(node, *shares[name])
        check(name not in seen, f"{name} comes twice")
        seen[name] = node["on_path"]
        unit = values.pop("unit")
        check(unit.startswith("percent of "), f"{name}: {unit}")
        check({k: Decimal(str(v)) for k, v in values.items()} ==
              {k: Decimal(v) for k, v in lines[name].items()}, f"{name}: {values}")
        check_nodes(node["below"], name, shares, lines, seen)


def check_losses(found, wanted, estimates):
    shares = check_tree.shares_of(estimates)
    check([loss["metric"] for loss in found] == [loss[0] for loss in wanted],
          f"{found}, not {wanted}")
    for loss, (metric, share, error) in zip(found, wanted):
        check(list(loss) == ["metric", "share", "share_error", "approximate", "rest",
                              "look_at"], f"keys {list(loss)}")
        divided = any(child in estimates for child in losses.TREE[metric])
        check(loss["rest"] is (divided and shares[metric][0] >= losses.MINOR), f"rest: {loss}")
        check_share(loss, float(share), error)
        check(set(loss["look_at"]) == losses.next_of(metric), f"{loss}")


def check_place(tree, place):
    name = place["place"]
    of_cpus = ["cpus", "included"] if place["kind"] != "cpu" else []
    check(list(place) == ["place", "kind", *(["id"] if name != "system" else []), *of_cpus,
                          "tree", "bottleneck", "not_chosen"], f"keys {list(place)}")
    check(name == place["kind"] + str(place.get("id", "")), f"{name}: kind or id")
    directory = os.path.join(tree, name)
    estimates = check_tree.estimates_of(check_tree.read_quality(directory))
    path, listed, mixed = losses.find(estimates)
    seen = {}
    check_nodes(place["tree"], None, check_tree.shares_of(estimates), read_lines(directory), seen)
    check(sorted(m for m in seen if seen[m]) == sorted(path), f"{name}: marked, not {path}")
    check(place["not_chosen"] == [], f"{name}: all are chosen")
    end = place["bottleneck"]
    check(list(end) == ["path", "share", "losses", "mixed", "look_at", "end", "too_few_slices",
                        "word", *(["cpus"] if place["kind"] != "cpu" else []), "advice"],
          f"keys {list(end)}")
    check(end["path"] == path and end["end"] == path[-1], f"{name}: {end}")
    check_losses(end["losses"], listed, estimates)
    check(end["mixed"] == mixed, f"{name}: {end}")
    check(end["word"] is None and end["too_few_slices"] is False, f"{name}: {end}")
    share = estimates["retiring"][0] if path == ["retiring"] else float(listed[0][1])
    check(abs(float(end["share"]) - share) < 1e-3, f"{name}: {end}, not {share}")
    check(set(end["look_at"]) == losses.next_of(path[-1]), f"{name}: {end}")
    check(list(end["advice"]) == ["means", "look_at", "groups", "find_it",
                                   "note", "ids"], f"{name}: {end}")
    check(end["advice"]["groups"] == end["look_at"], f"{name}: {end}")
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

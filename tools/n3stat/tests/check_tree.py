#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_tree.py N3STAT DIR - n3stat tree for each place of eight trees

Compares JSON with the schema in n3stat-tree(1), every number of it with the files, and the path
and losses with those of the specification's tree. The text has the numbers of JSON. Prints
differences.
"""
import json
import math
import os
import re
import subprocess
import sys
from decimal import Decimal

import make_tree

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../../selftests/user"))
import losses   # noqa: E402

# the fixed point arithmetic of the tree, up to four levels
ROUNDED = 5e-4


def check(condition, what):
    if not condition:
        sys.exit(what)


def read_quality(directory):
    """{metric: {key: text}}"""
    found = {}
    for group in ("topdown_l1", "topdown_frontend", "topdown_backend"):
        with open(os.path.join(directory, "quality", group), encoding="ascii") as lines:
            for line in lines:
                name, *rest = line.split()
                found[name] = dict(word.split("=") for word in rest)
    return found


def estimates_of(values):
    """The estimate and its error."""
    return {name: (float(of["estimate"]),
                   (float(of["estimate_high"]) - float(of["estimate_low"])) / 2)
            for name, of in values.items()}


def check_share(node, share, error):
    name = node["metric"]
    check(abs(float(node["share"]) - share) < 1e-3 and
          abs(float(node["share_error"]) - error) < 1e-3, f"{node}, not {share} +- {error}")
    check(node["approximate"] == (name not in losses.TREE[None]), f"{node}")


def check_nodes(nodes, parent, shares, values, seen):
    wanted = losses.TREE[parent]
    check(sorted(n["metric"] for n in nodes) == sorted(wanted), f"{wanted}: {nodes}")
    for node in nodes:
        check(list(node) == ["metric", "on_path", "share", "share_error", "approximate", "values",
                             "below"], f"keys {list(node)}")
        name, own = node["metric"], dict(node["values"])
        check_share(node, *shares[name])
        check(name not in seen, f"{name} comes twice")
        seen[name] = node
        unit = own.pop("unit")
        check(unit.startswith("percent of "), f"{name}: {unit}")
        check({k: Decimal(str(v)) for k, v in own.items()} ==
              {k: Decimal(v) for k, v in values[name].items()}, f"{name}: {own}")
        check_nodes(node["below"], name, shares, values, seen)


def check_losses(found, wanted, shares):
    check([loss["metric"] for loss in found] == [loss[0] for loss in wanted],
          f"{found}, not {wanted}")
    for loss, (metric, share, error) in zip(found, wanted):
        check(list(loss) == ["metric", "share", "share_error", "approximate", "rest",
                             "look_at"], f"keys {list(loss)}")
        divided = any(child in shares for child in losses.TREE[metric])
        check(loss["rest"] is (divided and shares[metric][0] >= losses.MINOR), f"rest: {loss}")
        check_share(loss, float(share), error)
        check(set(loss["look_at"]) == losses.next_of(metric), f"{loss}")


def check_place(tree, place):
    """Return: {metric: its node}"""
    name = place["place"]
    of_cpus = ["cpus", "included"] if place["kind"] != "cpu" else []
    check(list(place) == ["place", "kind", *(["id"] if name != "system" else []), *of_cpus,
                          "tree", "bottleneck", "not_chosen"], f"keys {list(place)}")
    check(name == place["kind"] + str(place.get("id", "")), f"{name}: kind or id")
    values = read_quality(os.path.join(tree, name))
    estimates = estimates_of(values)
    shares = {metric: (float(share), math.sqrt(square))
              for metric, (share, square) in losses.shares_of(estimates)}
    path, listed, mixed = losses.find(estimates)
    seen = {}
    check_nodes(place["tree"], None, shares, values, seen)
    check(sorted(m for m in seen if seen[m]["on_path"]) == sorted(path), f"{name}: not {path}")
    check(place["not_chosen"] == [], f"{name}: all are chosen")
    end = place["bottleneck"]
    check(list(end) == ["path", "share", "losses", "mixed", "look_at", "end", "too_few_slices",
                        "word", *(["cpus"] if place["kind"] != "cpu" else []), "advice"],
          f"keys {list(end)}")
    check(end["path"] == path and end["end"] == path[-1], f"{name}: {end}")
    check_losses(end["losses"], listed, shares)
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
    return seen


def check_report(line, tree, wanted):
    """Return: the places, and {metric: its node} of each"""
    report = json.loads(line, parse_float=Decimal)
    check(list(report) == ["schema", "time", "simulated", "window_ms", "places"],
          f"keys {list(report)}")
    check(report["schema"] == "n3stat-tree-1" and report["simulated"] is True and
          report["window_ms"] == 2000, f"{report}")
    check([p["place"] for p in report["places"]] == wanted, "places")
    return [(place, check_place(tree, place)) for place in report["places"]]


def decimals_of(error):
    """At most two; more than one number if the error is close to a limit."""
    return {next((d for d in (0, 1) if 10 ** -d <= near), 2)
            for near in (error - ROUNDED, error, error + ROUNDED)}


def check_printed(number, printed, node):
    """The share and the error as text"""
    share, error = float(node["share"]), float(node["share_error"])
    decimals = len(number.partition(".")[2])
    half = 0.5 * 10 ** -decimals + ROUNDED
    where = f"{node['metric']}: {number} ±{printed} is not {share} ±{error}"
    check(decimals in decimals_of(error) and abs(float(number) - share) <= half, where)
    if printed == "<0.01":
        check(error <= 0.005 + ROUNDED, where)
    else:
        check(float(printed) and len(printed.partition(".")[2]) == decimals and
              abs(float(printed) - error) <= half, where)


def check_rows(text, nodes):
    rows = re.findall(r"^([> ]) +([a-z0-9_]+_(?:bound|speculation)|retiring) +(~?)([0-9.]+)% +"
                      r"±(<?[0-9.]+) *\|[-# ]*\| *(-?[0-9.]+)%$", text, re.M)
    check(sorted(row[1] for row in rows) == sorted(nodes), f"other metrics: {rows}")
    for mark, name, about, share, error, value in rows:
        node = nodes[name]
        check((mark == ">") == node["on_path"], f"{name}: '{mark}'")
        check((about == "~") == node["approximate"], f"{name}: '{about}'")
        check_printed(share, error, node)
        check(abs(float(value) - float(node["values"]["estimate"])) <=
              0.5 * 10 ** -len(value.partition(".")[2]) + 1e-4, f"{name}: {value}")


def check_end(text, brief, end):
    """The path's end and its share, in the tree and in the line of the place"""
    share = f"{end['share']:.0f}"
    check(re.search(rf"^  share:    (about )?{share}% of all slots"
                    "(, without the metrics below it)?$", text, re.M), f"{end}: share")
    check(end["mixed"] or re.search(rf"  {end['end']} ~?{share}%$", brief, re.M),
          f"{end}: {brief}")
    listed = re.search(r"^  losses: (.*?)\n\n", text, re.M | re.S)
    found = re.findall(r"(rest\s+of)?\s+([a-z0-9_]+)\s+~?([0-9.]+)%\s+±(<?[0-9.]+)",
                       listed.group(1) if listed else "")
    check([(bool(rest), name) for rest, name, *_ in found] ==
          [(loss["rest"], loss["metric"]) for loss in end["losses"]], f"{end}: {found}")
    for loss, (*_, number, error) in zip(end["losses"], found):
        check_printed(number, error, loss)


def main():
    n3stat, top = sys.argv[1:]
    options = {"system": "--per=system", **{f"cpu{cpu}": f"--cpu={cpu}" for cpu in range(3)}}
    rests = set()

    def run(*args):
        return subprocess.check_output([n3stat, "-r", tree, *args], text=True)

    for lean in make_tree.LEAN:
        for seed in "12":
            tree = f"{top}/tree-{lean}-{seed}"
            make_tree.main([tree, "--cpus", "3", "--seed", seed, "--lean", lean])
            line = run("tree", "--json", "--per", "cpu", "--per", "system")
            for place, nodes in check_report(line, tree, list(options)):
                option = options[place["place"]]
                text, end = run("tree", option), place["bottleneck"]
                check_rows(text, nodes)
                check_end(text, run(option), end)
                rests |= {loss["rest"] for loss in end["losses"]}
    check(rests == {True, False}, "no loss is the rest of a metric, or all are")
    lines = run("tree", "--json", "-C", "1", "0.02", "3").splitlines()
    check(len(lines) == 3, "intervals")
    for line in lines:
        check_report(line, tree, ["cpu1"])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_tree.py N3STAT DIR - n3stat tree for each place of eight trees

Compares JSON with the schema in n3stat-tree(1), every number of it with the files, and the answer
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
        check(list(node) == ["metric", "named", "share", "share_error", "approximate", "values",
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


def check_ends(found, wanted, shares, last):
    check([end["metric"] for end in found] == [end[0] for end in wanted], f"{found}, not {wanted}")
    for end, (metric, share, error) in zip(found, wanted):
        check(list(end) == ["metric", "share", "share_error", "approximate", "rest", last],
              f"keys {list(end)}")
        divided = any(child in shares for child in losses.TREE[metric])
        check(end["rest"] is (divided and shares[metric][0] >= losses.MINOR), f"rest: {end}")
        check_share(end, float(share), error)


def named_by(areas):
    """The areas and causes, and what is above them."""
    return {name for area in areas for end in [area.metric, *(cause[0] for cause in area.causes)]
            for name in losses.path_to(end)}


def check_answer(answer, areas, shares):
    first = areas[0]
    check(list(answer) == ["areas", "share", "error", "causes", "spread", "rest", "text"],
          f"keys {list(answer)}")
    check(answer["areas"] == [area.metric for area in areas], f"{answer}, not {areas}")
    check(abs(float(answer["share"]) - first.share) < 1e-3 and
          abs(float(answer["error"]) - first.error) < 1e-3, f"{answer}, not {first}")
    causes = first.causes if len(areas) == 1 else [a.causes[0] for a in areas if a.causes]
    check_ends(answer["causes"], causes, shares, "area")
    check([cause["area"] for cause in answer["causes"]] ==
          [losses.path_to(cause[0])[0] for cause in causes], f"{answer}")
    check(answer["spread"] == (len(areas) == 1 and first.spread), f"{answer}")
    rest = first.rest if len(areas) == 1 and first.rest else None
    check((answer["rest"] is None) == (rest is None) and
          abs(float(answer["rest"] or 0) - float(rest or 0)) < 1e-3, f"{answer}, not {rest}")


def check_advice(place, areas):
    advice, first, name = place["advice"], areas[0], place["place"]
    metric = first.causes[0][0] if first.causes and not first.spread else first.metric
    check(list(advice) == ["means", "look_at", "groups", "find_it", "note", "ids"],
          f"{name}: {advice}")
    check(set(advice["groups"]) == losses.next_of(metric), f"{name}: {advice}")
    where = f" -C {place['id']} " if place["kind"] == "cpu" else " -a "
    check(where in advice["find_it"], f"{name}: {advice}")
    check(advice["means"].endswith(".") and advice["look_at"].endswith("."), f"{name}: {advice}")


def check_place(tree, place):
    """Return: {metric: its node}"""
    name = place["place"]
    cpus, areas = ([], []) if place["kind"] == "cpu" else (["cpus", "included"], ["cpus_by_area"])
    check(list(place) == ["place", "kind", *(["id"] if name != "system" else []), *cpus,
                          "answer", "losses", "advice", *areas, "tree", "not_chosen", "causes"],
          f"keys {list(place)}")
    check(name == place["kind"] + str(place.get("id", "")), f"{name}: kind or id")
    values = read_quality(os.path.join(tree, name))
    estimates = estimates_of(values)
    shares = {metric: (float(share), math.sqrt(square))
              for metric, (share, square) in losses.shares_of(estimates)}
    areas, listed, word = losses.find(estimates)
    seen = {}
    check_nodes(place["tree"], None, shares, values, seen)
    check({m for m in seen if seen[m]["named"]} == named_by(areas), f"{name}: not {areas}")
    check(place["not_chosen"] == [] and word is None, f"{name}: all are chosen")
    check([(of["of"], of["group"], of["metrics"]) for of in place["causes"]] ==
          [("bad_speculation", "speculation_causes", [])], f"{name}: {place['causes']}")
    check_answer(place["answer"], areas, shares)
    check_ends(place["losses"], listed, shares, "look_at")
    for loss in place["losses"]:
        check(set(loss["look_at"]) == losses.next_of(loss["metric"]), f"{loss}")
    check_advice(place, areas)
    return seen


def check_report(line, tree, wanted):
    """Return: the places, and {metric: its node} of each"""
    report = json.loads(line, parse_float=Decimal)
    check(list(report) == ["schema", "time", "simulated", "window_ms", "places"],
          f"keys {list(report)}")
    check(report["schema"] == "n3stat-tree-2" and report["simulated"] is True and
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
        check((mark == ">") == node["named"], f"{name}: '{mark}'")
        check((about == "~") == node["approximate"], f"{name}: '{about}'")
        check_printed(share, error, node)
        check(abs(float(value) - float(node["values"]["estimate"])) <=
              0.5 * 10 ** -len(value.partition(".")[2]) + 1e-4, f"{name}: {value}")


def check_end(text, brief, place):
    """The answer, in the tree and in the line of the place, and the losses"""
    answer = place["answer"]
    check(answer["text"] in text.splitlines(), f"{answer}: text")
    area = "mixed" if len(answer["areas"]) > 1 else answer["areas"][0].removesuffix("_bound")
    kind = "spread" if answer["spread"] else ""
    check(re.search(rf" ({area}(_bound)?|{area[0].upper()}|mixed [BFS]) \d+%.*{kind}$", brief,
                    re.M), f"{answer}: {brief}")
    listed = re.search(r"^  losses: (.*?)\n  [a-zA-Z]", text, re.M | re.S)
    found = re.findall(r"(rest\s+of)?\s+([a-z0-9_]+)\s+~?([0-9.]+)%\s+±(<?[0-9.]+)",
                       listed.group(1) if listed else "")
    check([(bool(rest), name) for rest, name, *_ in found] ==
          [(loss["rest"], loss["metric"]) for loss in place["losses"]], f"{place}: {found}")
    for loss, (*_, number, error) in zip(place["losses"], found):
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
                text = run("tree", option)
                check_rows(text, nodes)
                check_end(text, run(option), place)
                rests |= {loss["rest"] for loss in place["losses"]}
    check(rests == {True, False}, "no loss is the rest of a metric, or all are")
    lines = run("tree", "--json", "-C", "1", "0.02", "3").splitlines()
    check(len(lines) == 3, "intervals")
    for line in lines:
        check_report(line, tree, ["cpu1"])


if __name__ == "__main__":
    main()

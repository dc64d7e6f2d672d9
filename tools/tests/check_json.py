#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_json.py TREE PLACE... < output of n3stat --json -g all

Checks every object against the schema in n3stat(1) and every value against the files
of the tree. Prints differences.
"""
import json
import os
import sys
from decimal import Decimal

WORDS = ("offline disabled unplaced unsupported contended idle stale implausible inconsistent "
         "undef".split() + ["-"])


def read(path):
    with open(path, encoding="ascii") as lines:
        return [line.split() for line in lines]


def check(condition, what):
    if not condition:
        sys.exit(what)


def check_value(value, flat, quality, where):
    ends = {"low", "high", "estimate_low", "estimate_high"}
    allowed = {"value", "word", "unit", "estimate", "coverage", "slices"} | ends
    check(set(value) <= allowed, f"{where}: keys {set(value) - allowed}")
    if value["value"] is None:
        check(value["word"] == flat and flat in WORDS, f"{where}: {value} is not {flat}")
        check(value["estimate"] is None, f"{where}: an estimate and a word")
        check(not set(value) & ends, f"{where}: an interval and a word")
        return
    check("word" not in value, f"{where}: a number and a word")
    check(value["value"] == Decimal(flat), f"{where}: {value['value']} is not {flat}")
    if "estimate" not in quality:
        # without the files of errors it is the value
        quality = dict(quality, estimate=flat)
        quality.update({f"estimate_{end}": quality[end] for end in ("low", "high")
                        if end in quality})
    for key in ends:
        check((key in value) == (quality.get(key, "none") != "none"), f"{where}: {key}")
    for key, text in quality.items():
        if key == "value" or text == "none":
            continue
        check(Decimal(value[key]) == Decimal(text), f"{where}: {key} {value[key]} is not {text}")


def check_place(tree, place):
    aggregate = set() if place["kind"] == "cpu" else {"cpus", "included"}
    known = {"place", "kind", "id", "groups", "answer", "losses"} | aggregate
    check(set(place) <= known, f"keys {set(place)}")
    name = place["place"]
    check(name == place["kind"] + str(place.get("id", "")), f"{name}: kind or id")
    directory = os.path.join(tree, name)
    for key in aggregate:
        with open(os.path.join(directory, "status"), encoding="ascii") as status:
            check(f"{key} {place[key]}\n" in status.readlines(), f"{name}: {key}")
    files = sorted(f for f in os.listdir(directory)
                   if f not in ("status", "counters", "quality", "spe", "containers"))
    check(sorted(place["groups"]) == files, f"{name}: groups {sorted(place['groups'])}")
    nr = 0
    for group in files:
        lines = read(os.path.join(directory, group))
        # a single word in place of all values of "custom"
        lines = [[group] + line if len(line) == 1 else line for line in lines]
        path = os.path.join(directory, "quality", group)
        quality = {line[0]: dict(word.split("=") for word in line[1:])
                   for line in (read(path) if os.path.exists(path) else [])}
        check([line[0] for line in lines] == list(place["groups"][group]), f"{name}/{group}")
        for metric, flat in lines:
            # read at another moment than the file without errors
            flat = quality.get(metric, {}).get("value", flat)
            check_value(place["groups"][group][metric], flat, quality.get(metric, {}),
                        f"{name}/{group}/{metric}")
            nr += 1
    answer = place["answer"]
    check(list(answer) == ["areas", "share", "error", "causes", "spread", "rest", "text"],
          f"{name}: {answer}")
    ends = answer["causes"] + place["losses"]
    check(all(set(end) - {"area", "look_at"} ==
              {"metric", "share", "share_error", "approximate", "rest"} for end in ends), f"{ends}")
    check(all(set(loss["look_at"]) <= set(files) for loss in place["losses"]), f"{name}: look_at")
    return nr


def main():
    tree, wanted = sys.argv[1], sys.argv[2:]
    nr = 0
    last = 0
    for line in sys.stdin:
        report = json.loads(line, parse_float=Decimal)
        keys = {"schema", "time", "simulated", "window_ms", "places"}
        check(set(report) == keys, f"keys {set(report)}")
        check(report["simulated"] is True, "simulated")
        check(report["schema"] == "n3stat-2", "schema")
        check(report["time"] >= last, "time")
        last = report["time"]
        check([p["place"] for p in report["places"]] == wanted, "places")
        nr += sum(check_place(tree, place) for place in report["places"])
    check(nr > 0, "nothing was printed")
    print(nr, "values")


main()

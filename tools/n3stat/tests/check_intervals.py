#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Values of an interval in which the totals of make_tree.py grew.

check_intervals.py CPUS SEED EXPECTED json|csv <OUTPUT
	checks the rows of n3stat: the totals grew in one interval, by --grown SEED
check_intervals.py CPUS SEED EXPECTED recording <TEXT
	checks the only snapshot of a recording, by recording_read.py
check_intervals.py CPUS SEED EXPECTED tree
	makes the tree EXPECTED, whose values are those of the interval
"""
import csv
import json
import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests"))
from check_interval import evaluate, rounded  # noqa: E402
from make_tree import EVENTS, GROUPS, METRICS, decimals, grown_counts, write  # noqa: E402


def expected(cpus, seed):
    """{place: {metric: text}}"""
    counts = {f"cpu{cpu}": grown_counts(seed, cpu) for cpu in range(cpus)}
    counts["system"] = {event: sum(of[event] for of in counts.values()) for event in EVENTS}
    return {place: {metric: rounded(evaluate(metric, of, 5), decimals(METRICS[metric][1]))
                    for metric in METRICS} for place, of in counts.items()}


def make(tree, places):
    for place, values in places.items():
        for group, (_, members) in GROUPS.items():
            write(f"{tree}/{place}/{group.lower()}",
                  "".join(f"{metric} {values[metric]}\n" for metric in members))


def check_metric(metric, value, wanted):
    """Return: whether it is of the interval."""
    if value["covers"] == "window":
        assert {"low", "high", "coverage"} <= set(value), value
        return False
    assert value["covers"] == "interval" and set(value) <= {"value", "estimate", "unit", "covers"}
    # the text may have more digits than a binary number
    assert Fraction(str(value["value"])) == Fraction(str(value["estimate"])) == Fraction(wanted), \
        (metric, value, wanted)
    return True


def check_json(places):
    rows = [json.loads(line) for line in sys.stdin]
    grew = []
    for row in rows:
        of_interval = {check_metric(metric, value, places[place["place"]][metric])
                       for place in row["places"] for group in place["groups"].values()
                       for metric, value in group.items()}
        assert len(of_interval) == 1, "all values grow in the same interval"
        grew.append(of_interval.pop())
        losses = [loss for place in row["places"] for loss in place["losses"]]
        assert losses and all((loss["share_error"] is None) == grew[-1] for loss in losses)
    assert "interval_s" not in rows[0] and all(row["interval_s"] > 0 for row in rows[1:])
    assert grew.count(True) == 1 and not grew[0], grew


def check_csv(places):
    rows = list(csv.DictReader(sys.stdin))
    grew = 0
    for row in rows:
        metrics = [name for name in row if name in METRICS]
        if row["of_window"]:
            assert row["of_window"].split() == metrics, row
            continue
        grew += 1
        assert metrics and all(row[name] == places[row["place"]][name] for name in metrics), row
    assert rows[0]["of_window"] and grew == len({row["place"] for row in rows}), grew


def check_recording(places):
    lines = [line.split() for line in sys.stdin]
    about = {line[1]: line[2] for line in lines if line[0] == "about"}
    assert about["covers"] == "interval" and about["window_ms"] == f"{about['interval']}000", about
    names, columns = ([line[1:] for line in lines if line[0] == key][0]
                      for key in ("places", "columns"))
    assert [line[0] for line in lines].count("t") == 1
    rows = [line for line in lines if line[0].isdigit()]
    found = set()
    for line in rows:
        for column, text in zip(columns, line[1:]):
            metric = column.split(".")[1]
            if metric in METRICS and text != "-":
                assert text == places[names[int(line[0])]][metric], (line[0], column, text)
                found.add((line[0], metric))
    # of CPUs, those of the tree and General
    assert len(found) == len(METRICS) + 22 * (len(names) - 1), len(found)


def main():
    places = expected(int(sys.argv[1]), sys.argv[2])
    if sys.argv[4] == "tree":
        make(sys.argv[3], places)
    else:
        {"json": check_json, "csv": check_csv, "recording": check_recording}[sys.argv[4]](places)


if __name__ == "__main__":
    main()

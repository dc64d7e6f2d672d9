#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_csv.py TREE CSV - every value of every file"""
import csv
import os
import sys

tree, path = sys.argv[1:]
data = open(path, newline="").read()
assert data.count("\n") == 9 and "\r" not in data, "lines end with only a newline"
rows = list(csv.DictReader(data.splitlines()))
assert len(rows) == 8, "a row per CPU and interval"
for row in rows:
    seen = {"time", "place", "answer", "simulated"}
    assert "%" in row["answer"], row
    assert row["simulated"] == "1"
    directory = os.path.join(tree, row["place"])
    for group in os.listdir(directory):
        if group in ("counters", "quality", "status", "spe", "containers"):
            continue
        for line in open(os.path.join(directory, group)):
            name, value = line.split()
            assert row[name] == value, (row["place"], name)
            seen.add(name)
    assert seen == set(row), seen ^ set(row)

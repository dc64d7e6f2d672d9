#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_recorded_rates.py RECORDING - rates are known after the first snapshot"""
import sys

lines = open(sys.argv[1]).read().splitlines()
columns = next(line.split()[1:] for line in lines if line.startswith("columns "))
at = [columns.index(f"rates.{name}") for name in ("busy", "ghz", "gips")]
rows, row = [], None
for line in lines:
    if line.startswith("0 "):
        row = row if line == "0 =" else line.split()[1:] + ["-"] * len(columns)
    elif line == "end":
        rows.append([row[i] for i in at])
assert rows[0] == ["-", "-", "-"], rows
# once, or again if a snapshot follows within 0.25 s
assert {tuple(row) for row in rows if row[1] != "-"} == {("50.0", "3.000", "0.9000")}, rows

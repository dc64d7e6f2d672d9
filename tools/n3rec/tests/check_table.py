#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_table.py N3STAT RECORDING LEAST - the table of each place in each snapshot

Compares it with the recording; there are at least LEAST numbers.
"""
import subprocess
import sys

from digits import is_number, most_of, texts
from recording_read import Recording


def expected(cell, unit):
    """Mean, error, minimum, maximum and number of snapshots."""
    cell = {"value": cell} if isinstance(cell, str) else cell
    prefix = "estimate_" if "estimate" in cell else ""
    number, most = cell.get("estimate", cell["value"]), most_of(unit)
    if not is_number(number):
        return [number, "-", "-", "-", "0"]
    number = float(number)
    if "coverage" not in cell:
        mean = texts(number, 0, most)[0]
        return [mean, "none", mean, mean, "1"]
    error = None
    if f"{prefix}low" in cell:
        error = (float(cell[f"{prefix}high"]) - float(cell[f"{prefix}low"])) / 2
    widest = 50 if "percent" in unit else 3 * abs(number)
    mean, shown = texts(number, None if error is None or error > widest else error, most)
    single = texts(number, error, most)[0]
    return [mean, shown, single, single, "1"]


def table(program, path, place, at):
    """{metric: (fields, unit)}"""
    run = subprocess.run([program, "report", "--place", place, path,
                          "--from", f"{max(at - 0.0005, 0):.4f}", "--to", f"{at + 0.0005:.4f}"],
                         check=True, capture_output=True, text=True)
    lines = run.stdout.partition("\nmetric ")[2].splitlines()[1:]
    rows = (line.split(None, 6) for line in lines)
    return {name: (fields, unit) for name, *fields, unit in rows}


def main():
    program, path, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
    recording, start, nr = Recording(path), None, 0
    # a metric of several groups is that of the first
    first = {column.partition(".")[2]: column for column in reversed(recording.columns)}
    for snapshot in recording.snapshots():
        start = snapshot["time"] if start is None else start
        for place, row in snapshot["rows"].items():
            have = table(program, path, place, snapshot["time"] - start)
            for name, column in first.items():
                fields, unit = have[name]
                want = expected(row.get(column, "-"), unit)
                if fields != want:
                    sys.exit(f"{snapshot['time']} {place} {column}: {fields} not {want}")
                nr += want[-1] == "1"
    if nr < least:
        sys.exit(f"only {nr} numbers")


main()

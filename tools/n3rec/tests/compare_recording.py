#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""compare_recording.py TREE FILE [LEAST] - compares the last snapshot of FILE with TREE

Every value, estimate, coverage and number of slices must be exact, at least LEAST (1) of
them; an interval must contain the tree's, and half of it may exceed it by less than 1/64
and 2 units of the last digit.
"""
import os
import sys
from decimal import Decimal

from recording_read import Recording


def check(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


def check_interval(name, cell, want, number, prefix):
    low, high = want[prefix + "low"], want[prefix + "high"]
    if "none" in (low, high):
        check(prefix + "low" not in cell, name, "has an interval", cell)
        return
    check(prefix + "low" in cell, name, "has no interval", cell, want)
    middle, low, high = Decimal(want[number]), Decimal(low), Decimal(high)
    unit = Decimal(1).scaleb(middle.as_tuple().exponent)
    half = max(high - middle, middle - low)
    ours = Decimal(cell[prefix + "low"]), Decimal(cell[prefix + "high"])
    check(ours[0] <= low and high <= ours[1], name, ours, "does not hold", low, high)
    check(max(middle - ours[0], ours[1] - middle) <= half * 65 / 64, name, ours, "for", low, high)
    check(abs(ours[0] - low) <= half / 64 + 2 * unit, name, ours, "for", low, high)


def check_cell(name, cell, want):
    if isinstance(cell, str):
        cell = {"value": cell}
    for key in "value", "coverage":
        check(cell.get(key) == want.get(key), name, key, cell, want)
    check(cell.get("slices") == (int(want["slices"]) if "slices" in want else None), name, want)
    if "low" in want:
        check_interval(name, cell, want, "value", "")
    if "estimate" not in want:
        return
    same = (want["estimate"], want["estimate_low"], want["estimate_high"]) == (
        want["value"], want["low"], want["high"])
    check(same or cell.get("estimate") == want["estimate"] or want["value"] == want["estimate"],
          name, cell, want)
    if "estimate" in cell:
        check_interval(name, cell, want, "estimate", "estimate_")


def read_group(tree, place, group):
    path = os.path.join(tree, place, "quality", group)
    quality = os.path.exists(path)
    with open(path if quality else os.path.join(tree, place, group), encoding="ascii") as lines:
        for line in lines:
            name, *words = line.split()
            yield name, dict(w.split("=") for w in words) if quality else {"value": words[0]}


def main():
    tree, path, least = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1
    recording = Recording(path)
    last, nr = list(recording.snapshots())[-1], 0
    groups = {column.split(".")[0] for column in recording.columns}
    for place in recording.places:
        for group in groups:
            if not any(column.startswith(group + ".") for column in last["rows"][place]):
                continue
            for name, want in read_group(tree, place, group):
                check_cell(f"{place} {group}.{name}", last["rows"][place][f"{group}.{name}"], want)
                nr += 1
    check(nr >= least, "only", nr, "cells")


main()

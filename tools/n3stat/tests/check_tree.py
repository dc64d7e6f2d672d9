#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_tree.py N3STAT DIR - n3stat tree for each place of eight trees

Compares the marked path with that to the largest loss in the specification's tree, and every
number with the files: the share of all slots with its error, and the share of the parent.
Prints differences.
"""
import math
import os
import re
import subprocess
import sys

import make_tree

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../../selftests/user"))
import losses   # noqa: E402

# the fixed point arithmetic of the tree, up to four levels
ROUNDED = 5e-4


def read_quality(directory):
    values = {}
    for group in ("topdown_l1", "topdown_frontend", "topdown_backend"):
        with open(os.path.join(directory, "quality", group), encoding="ascii") as lines:
            for line in lines:
                name, *rest = line.split()
                values[name] = {k: float(v) for k, v in (word.split("=") for word in rest)}
    return values


def estimates_of(values):
    """The estimate and its error."""
    return {name: (of["estimate"], (of["estimate_high"] - of["estimate_low"]) / 2)
            for name, of in values.items()}


def shares_of(values):
    """Share of all slots of each metric, and its error."""
    return {name: (float(share), math.sqrt(square))
            for name, (share, square) in losses.shares_of(values)}


def decimals_of(error):
    """At most two; more than one number if the error is close to a limit."""
    return {next((d for d in (0, 1) if 10 ** -d <= near), 2)
            for near in (error - ROUNDED, error, error + ROUNDED)}


def check_share(name, number, printed, share, error):
    decimals = len(number.partition(".")[2])
    half = 0.5 * 10 ** -decimals + ROUNDED
    if decimals not in decimals_of(error) or abs(float(number) - share) > half:
        sys.exit(f"{name}: {number} is not {share} ±{error}")
    if printed == "<0.01":
        if error > 0.005 + ROUNDED:
            sys.exit(f"{name}: ±{printed} is not ±{error}")
    elif float(printed) == 0 or len(printed.partition(".")[2]) != decimals or \
            abs(float(printed) - error) > half:
        sys.exit(f"{name}: ±{printed} is not ±{error}")


def check_place(lines, tree, place):
    values = estimates_of(read_quality(os.path.join(tree, place)))
    path = losses.find(values)[0]
    shares = shares_of(values)
    marked, seen = [], set()
    for line in lines:
        match = re.match(r"([> ]) +([a-z0-9_]+_(?:bound|speculation)|retiring) +(~?)([0-9.]+)% +"
                         r"±(<?[0-9.]+) *\|[-# ]*\| *(-?[0-9.]+)%$", line)
        if not match:
            continue
        mark, name, about = match.groups()[:3]
        share, error, value = match.groups()[3:]
        seen.add(name)
        if mark == ">":
            marked.append(name)
        check_share(name, share, error, *shares[name])
        if abs(float(value) - values[name][0]) > 0.5 * 10 ** -len(value.partition(".")[2]) + 1e-4:
            sys.exit(f"{name}: {value} is not {values[name]}")
        if (about == "") != (name in losses.TREE[None]):
            sys.exit(f"{name}: '{about}'")
    if seen != set(values):
        sys.exit(f"other metrics: {seen ^ set(values)}")
    if marked != path:
        sys.exit(f"marked {marked}, not {path}")


def main():
    n3stat, top = sys.argv[1:]
    for lean in make_tree.LEAN:
        for seed in "12":
            tree = f"{top}/tree-{lean}-{seed}"
            make_tree.main([tree, "--cpus", "2", "--seed", seed, "--lean", lean])
            for place, which in (("cpu0", "--cpu=0"), ("cpu1", "--cpu=1"),
                                 ("system", "--per=system")):
                text = subprocess.check_output([n3stat, "-r", tree, "tree", which], text=True)
                check_place(text.splitlines(), tree, place)


if __name__ == "__main__":
    main()

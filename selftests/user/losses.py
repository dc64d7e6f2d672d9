# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Losses of slots in the specification's decision tree, as fractions.

The rule is that of Documentation/ABI: an end of the tree loses its share of all slots less
the shares of the metrics below it; metrics below 5 % are not split.
"""
import functools
import math
import os
from fractions import Fraction

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "spec")
MINOR = 5       # percent of all slots
RETIRING = 70
SHOWN = 3       # losses


def read_table(name):
    with open(os.path.join(SPEC, name), encoding="ascii") as table:
        return [line.rstrip("\n").split("\t") for line in table if not line.startswith("#")]


def read_tree():
    """Children of each metric that are shares of it, and those of Topdown_L1."""
    below = {row[0]: row[1].split(",") for row in read_table("tree.tsv")}
    members = {row[0]: row[5].split(",") for row in read_table("groups.tsv")}
    children = {item for items in below.values() for item in items}

    def shares(item):
        if item in below:
            return [item]
        return [m for m in members.get(item, ()) if m in below and m not in children]

    tree = {node: [share for item in items for share in shares(item)]
            for node, items in below.items()}
    tree[None] = shares("Topdown_L1")
    return tree


TREE = read_tree()


@functools.cache
def path_to(metric):
    above = next((node for node, parts in TREE.items() if metric in parts), None)
    return [*(path_to(above) if above else []), metric]


@functools.cache
def next_of(metric):
    """Groups to look at next, with those of the nearest metric above if there are none."""
    below = {row[0]: row[1].split(",") for row in read_table("tree.tsv")}
    groups = [row[0] for row in read_table("groups.tsv")]
    for node in reversed(path_to(metric)):
        found = {name.lower() for name in below[node] if name in groups}
        if found:
            return found
    return set()


def part_of(percent):
    return min(max(Fraction(percent), 0), 100) / 100


def square_of(share, square, part, error):
    """Square of the error of a part of a share."""
    if square is None or error is None:
        return None
    return part**2 * square + share**2 * Fraction(error)**2 / 10000


def shares_of(values, metric=None, share=Fraction(100), square=Fraction(0)):
    """Share of all slots and square of its error; values: (percent, error or None)."""
    for name in TREE[metric]:
        if name not in values:
            continue
        percent, error = values[name]
        own = share * part_of(percent), square_of(share, square, part_of(percent), error)
        yield name, own
        yield from shares_of(values, name, *own)


def root(square):
    return None if square is None else math.sqrt(square)


def losses_of(values, minor=MINOR):
    """The largest first: metric, share, error."""
    shares = dict(shares_of(values))
    split = {None} | {name for name, (share, _) in shares.items() if share >= minor}
    ends = []
    for name, (share, square) in shares.items():
        above = path_to(name)[:-1]
        if path_to(name)[0] == "retiring" or not split.issuperset(above):
            continue
        below = [child for child in TREE[name] if child in values] if name in split else []
        rest = max(0, 1 - sum(part_of(values[child][0]) for child in below))
        errors = [values[child][1] for child in below]
        left = None if None in errors else root(sum(Fraction(error)**2 for error in errors))
        ends.append((name, share * rest, root(square_of(share, square, rest, left))))
    return sorted(ends, key=lambda end: (-end[1], end[0]))


def find(values):
    """Path, losses to list, and whether they are mixed; None without Topdown_L1."""
    if not set(TREE[None]) <= set(values):
        return None
    losses = losses_of(values)
    retiring = values["retiring"][0] > RETIRING
    large = [loss for loss in losses if loss[1] >= MINOR]
    listed = (large if large or retiring else losses)[:SHOWN]
    mixed = False
    if not retiring and len(listed) > 1:
        (_, first, error), (_, second, other) = listed[:2]
        mixed = None in (error, other) or not first - second > error + other
    return path_to("retiring" if retiring else listed[0][0]), listed, mixed

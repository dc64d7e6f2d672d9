# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The answer, and losses of slots in the specification's decision tree, as fractions.

An end of the tree loses its share of all slots less the shares of the metrics below it; metrics
below 5 % are not split. Ends are (metric, share, error or None).
"""
import collections
import functools
import math
import os
from fractions import Fraction

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "spec")
# percent of all slots
MARGIN = 2
MINOR = 5
RETIRING = 70
LEAST_REST = 0.5
SHOWN = 3       # losses, and causes
# in the order of their groups
L1 = ("frontend_bound", "backend_bound", "bad_speculation", "retiring")
FIRST = {"frontend_bound": "frontend_mem_bound", "backend_bound": "backend_mem_bound"}


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


def by_share(end):
    return -end[1], end[0]


def losses_of(values, minor=MINOR):
    """The largest first."""
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
    return sorted(ends, key=by_share)


def is_close(first, other):
    """Is the difference within the margin, with unknown errors as 0?"""
    return first[1] - other[1] <= max(MARGIN, (first[2] or 0) + (other[2] or 0))


def numbers_of(values):
    return {metric: value for metric, value in values.items() if isinstance(value, tuple)}


def is_rest(metric, shares):
    """Does a loss exclude those of metrics below?"""
    return shares[metric][0] >= MINOR and any(below in shares for below in TREE[metric])


Area = collections.namedtuple("Area", "metric share error causes spread rest word")


def area_of(end, values, losses):
    """An area with its causes, or with the word instead of the values below it."""
    name, share, _ = end
    if not TREE[name]:
        return Area(*end, [end], False, 0, None)
    if share >= MINOR and not any(below in numbers_of(values) for below in TREE[name]):
        return Area(*end, [], False, 0, values.get(FIRST[name], "-"))
    inside = [loss for loss in losses
              if path_to(loss[0])[0] == name != loss[0] and loss[1] >= MINOR]
    spread = bool(inside) and (2 * inside[0][1] < share or
                               len(inside) > 1 and is_close(*inside[:2]))
    causes = inside[:SHOWN if spread else 1]
    rest = share - sum(cause[1] for cause in causes) if causes else 0
    return Area(*end, causes, spread, rest if rest >= LEAST_REST else 0, None)


def find(values):
    """Areas, the largest first, and losses to list; a word without areas.

    values: (percent, error or None), or a word
    """
    known = numbers_of(values)
    words = [values.get(area, "-") for area in L1 if area not in known]
    if words:
        return [], [], words[0]
    losses = losses_of(known)
    ends = [(area, *known[area]) for area in L1]
    ranked = sorted((end for end in ends[:-1] if end[1] >= 0), key=by_share)
    if not ranked or ends[-1][1] > RETIRING:
        ranked = ends[-1:]
    areas = [area_of(end, values, losses) for end in ranked if is_close(ranked[0], end)]
    large = [loss for loss in losses if loss[1] >= MINOR]
    return areas, (large if large or areas[0].metric == "retiring" else losses)[:SHOWN], None

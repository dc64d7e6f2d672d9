# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Where the slots of a machine go, in exact fractions: the rule of tools/libn3telemetry/answer.h
for errors of at most 1 point, from its description."""
from fractions import Fraction

import series   # noqa: F401 # pylint: disable=unused-import # it adds the path of losses
from losses import TREE, losses_of, path_to

RETIRING, MARGIN, MINOR = Fraction(70, 100), Fraction(2, 100), Fraction(5, 100)


def areas_of(values):
    """Those that are named, of {metric: value}, the largest first."""
    if not set(TREE[None]) <= set(values):
        return []
    lost = sorted((-values[area], area) for area in TREE[None]
                  if area != "retiring" and values[area] >= 0)
    if values["retiring"] > RETIRING or not lost:
        return ["retiring"]
    return [area for value, area in lost if value - lost[0][0] <= MARGIN]


def cause_of(values, area):
    """Return: its name, or "spread" or "unknown", and its share or that of the area."""
    whole = values[area]
    if not TREE[area]:
        return area, whole
    if whole >= MINOR and not set(TREE[area]) & set(values):
        return "unknown", whole
    percent = {metric: (100 * value, None) for metric, value in values.items()}
    ends = [(loss / 100, metric) for metric, loss, _ in losses_of(percent, 0)
            if area in path_to(metric)[:-1] and loss >= 100 * MINOR]
    if not ends or 2 * ends[0][0] < whole or len(ends) > 1 and ends[0][0] - ends[1][0] <= MARGIN:
        return "spread", whole
    return ends[0][1], ends[0][0]

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_interval_losses.py STATIC GROWN - the losses are those of the interval"""
import json
import sys

def paths(row):
    found = {place["place"]: place["bottleneck"] for place in row["places"]}
    return {place: ([(loss["metric"], loss["share"]) for loss in path["losses"]],
                    path["path"], path["share"]) for place, path in found.items()}
static, = [json.loads(line) for line in open(sys.argv[1])]
rows = [json.loads(line) for line in open(sys.argv[2]).readlines()[:-1]]
grown, = [row for row in rows
          if row["places"][0]["groups"]["topdown_l1"]["retiring"]["covers"] == "interval"]
assert paths(grown) == paths(static), (paths(grown), paths(static))
assert paths(rows[0]) != paths(static), paths(static)

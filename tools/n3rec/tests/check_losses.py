#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_losses.py JSON RECORDING - paths and losses of a recording are those of JSON"""
import json
import sys

places = json.load(open(sys.argv[1]))["places"]
paths = {place["place"]: place["bottleneck"] for place in places}
wanted = {place: [(loss["metric"], f"{loss['share']:.4f}") for loss in path["losses"]]
          for place, path in paths.items()}
ends = {place: path["path"][-1] for place, path in paths.items()}
lines = [line.split() for line in open(sys.argv[2])]
names, columns = ([line[1:] for line in lines if line[0] == key][0]
                  for key in ("places", "columns"))
rows = {names[int(line[0])]: dict(zip(columns, line[1:])) for line in lines if line[0].isdigit()}
for place, losses in wanted.items():
    row = rows[place]
    parts = [(row[f"bottleneck.{nr}"], row[f"bottleneck.{nr}_share"])
             for nr in ("first", "second", "third")]
    assert [part for part in parts if part[0] != "-"] == losses, (place, parts, losses)
    assert row["bottleneck.end"] == ends[place], place
    assert len(losses) > 0 or ends[place] == "retiring", place

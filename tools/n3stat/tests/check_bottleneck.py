#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_bottleneck.py TREE JSON - paths and losses are those of the texts"""
import json
import os
import sys

tree, path = sys.argv[1:]
places = json.load(open(path))["places"]
assert len(places) == 3
for place in places:
    lines = [line.split() for line in open(os.path.join(tree, place["place"], "bottleneck"))]
    have = place["bottleneck"]
    assert have["path"] == [line[1] for line in lines if line[0] == "path"], place["place"]
    losses = [[loss["metric"], f"{loss['share']:.4f}", f"{loss['share_error']:.4f}"]
              for loss in have["losses"]]
    assert losses == [line[1:] for line in lines if line[0] == "loss"], (place["place"], losses)
    groups = {group for loss in have["losses"] for group in loss["look_at"]}
    assert groups | set(have["look_at"]) == set(lines[-1][1:]), (place["place"], have)
    assert have["mixed"] == any(line[0] == "mixed" for line in lines), place["place"]

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_bottleneck.py PLACE JSON TEXT - the lines of a place have what its tree has"""
import json
import sys

name, tree, text = sys.argv[1:]
place, = (one for one in json.load(open(tree))["places"] if one["place"] == name)
answer = place["answer"]
kind = "part" if answer["spread"] else "cause"


def line_of(key, end):
    return [key, end["metric"], f"{end['share']:.4f}", f"{end['share_error']:.4f}",
            *(["rest"] if end["rest"] else [])]


wanted = [["area", answer["areas"][0], f"{answer['share']:.4f}", f"{answer['error']:.4f}"],
          *(line_of(kind, cause) for cause in answer["causes"]),
          *(line_of("loss", loss) for loss in place["losses"]),
          ["next", *place["advice"]["groups"]]]
first, *lines = open(text).read().splitlines()
assert first == "answer " + answer["text"], first
assert [line.split() for line in lines] == wanted, (lines, wanted)
assert len(answer["areas"]) == 1 and len(answer["causes"]) > 0, answer

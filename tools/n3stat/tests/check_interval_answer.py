#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_interval_answer.py STATIC GROWN - answer and losses are those of the interval"""
import json
import sys


def numbers(ends):
    return [(end["metric"], end["share"], end["rest"]) for end in ends]


def answers(row):
    return {place["place"]: (place["answer"]["areas"], place["answer"]["share"],
                             numbers(place["answer"]["causes"]), numbers(place["losses"]))
            for place in row["places"]}


static, = [json.loads(line) for line in open(sys.argv[1])]
rows = [json.loads(line) for line in open(sys.argv[2]).readlines()[:-1]]
grown, = [row for row in rows
          if row["places"][0]["groups"]["topdown_l1"]["retiring"]["covers"] == "interval"]
assert answers(grown) == answers(static), (answers(grown), answers(static))
assert answers(rows[0]) != answers(static), answers(static)

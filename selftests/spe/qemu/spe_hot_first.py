#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""spe_hot_first.py REPORT SHARE - the hot function of the profiled program is first"""
import json
import sys

first, second = json.load(open(sys.argv[1]))["functions"][:2]
print(first, second)
assert (first["function"], second["function"]) == ("hot", "leaf")
assert first["file"] == "/selftests/spe_program"
assert abs(first["share"] - float(sys.argv[2])) < 1.5, (first["share"], sys.argv[2])

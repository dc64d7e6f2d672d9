#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""count_verdicts.py JSON - prints how many metrics are more, less, judged, too short"""
import json
import sys

have = json.load(open(sys.argv[1]))
ids = [metric["verdict_id"] for metric in have["metrics"].values()]
judged = [i for i in ids if i in ("more", "less", "within_error")]
assert have["compared"] == len(judged)
assert have["different"] == len(judged) - judged.count("within_error")
print(ids.count("more"), ids.count("less"), len(judged), ids.count("too_few_windows"))

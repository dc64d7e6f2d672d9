#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""spe_containers.py DIR - each of two containers has the functions of its own file"""
import json
import sys

for mine, other in (("one", "two"), ("two", "one")):
    rows = json.load(open(f"{sys.argv[1]}/containers_{mine}.json"))["functions"]
    records = {row["function"]: row["records"] for row in rows if row["file"] == "/srv/app"}
    print(mine, records)
    assert f"hot_of_{other}" not in records
    assert records[f"hot_of_{mine}"] > sum(records.values()) / 5
    assert records["[no symbol]"] > sum(records.values()) / 5

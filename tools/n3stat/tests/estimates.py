#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""estimates.py JSON - prints values and estimates with their intervals"""
import json
import sys
from decimal import Decimal

report = json.load(open(sys.argv[1]), parse_float=Decimal)
for value in report["places"][0]["groups"]["general"].values():
    assert ("word" in value) == (value["value"] is None), value
    assert "estimate" in value, value
    first = value["value"] if value["value"] is not None else value["word"]
    rest = [value.get(key) for key in ("low", "high", "estimate", "estimate_low",
                                       "estimate_high")]
    print(first, *("-" if v is None else f"{v.normalize():f}" if isinstance(v, Decimal) else v
                   for v in rest))

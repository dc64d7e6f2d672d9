#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_trials.py TRIALS REPORT - prints REPORT with these trials of an identity"""
import json
import sys

trials = [line.split() for line in sys.argv[1].splitlines()]
report = json.load(open(sys.argv[2]))
report["cpus"][0]["identities"].append({
    "identity": "MEM_ACCESS = L1D_CACHE", "outcome": "holds", "found": "", "kernels": [
        {"kernel": name, "outcome": outcome, "percent": float(percent), "reason": ""}
        for name, outcome, percent in trials]})
json.dump(report, sys.stdout)

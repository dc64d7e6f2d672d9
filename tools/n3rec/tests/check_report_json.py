#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Checks n3stat report --json of golden/a.txt; the numbers are those of report_table_test.sh."""
import json
import sys

data = json.load(sys.stdin)
assert (data["schema"], data["simulated"], data["snapshots"]) == ("n3stat-report-1", False, 5), data
assert data["about"]["host"] and data["end"] - data["start"] > 0, data
assert [place["place"] for place in data["places"]] == ["cpu0", "system"], data
cpu0 = data["places"][0]
assert cpu0["answer"]["areas"] == ["backend_bound"], cpu0
metrics = cpu0["metrics"]
assert list(metrics)[0] == "frontend_bound" and metrics["ipc"]["unit"] == "per cycle", metrics
front = metrics["frontend_bound"]
assert [front[key] for key in ("mean", "min", "max", "snapshots")] == [12, 10, 14, 5], front
assert abs(front["error"] - 2.48) < 0.01, front
idle = metrics["branch_mpki"]
assert [idle[key] for key in ("mean", "word", "error", "min", "snapshots")] == \
    [None, "idle", None, None, 0], idle

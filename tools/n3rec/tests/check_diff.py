#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_diff.py JSON DIR - the comparison is that of DIR/metrics.json"""
import json
import sys

lines = open(sys.argv[1]).read().splitlines()
assert len(lines) == 1
have, want = json.loads(lines[0]), json.load(open(sys.argv[2] + "/metrics.json"))
assert have["schema"] == "n3stat-diff-1" and have["simulated"] is False
assert have["place"] == "system" and have["excluded"] == 1 and have["differs"] == []
for side in "ab":
    assert have[side] == {"file": f"{sys.argv[2]}/{side}",
                          "start": 100, "end": 110, "snapshots": 6,
                          "about": {"host": "one", "kernel": "6.1.0", "window_ms": "2000",
                                    "pmu": "armv8_pmuv3_0"}}, have[side]
assert list(have["metrics"]) == list(want)
verdicts = [metric["verdict_id"] for metric in want.values()]
different = sum(verdict in ("more", "less") for verdict in verdicts)
compared = different + verdicts.count("within_error")
assert (have["different"], have["compared"]) == (different, compared), have
assert abs(have["different_by_chance"] - 0.05 * compared) < 1e-5, have
for name, metric in want.items():
    assert have["metrics"][name].keys() == metric.keys(), (name, have["metrics"][name])
    for key, value in metric.items():
        other = have["metrics"][name][key]
        number = isinstance(value, (int, float))
        assert abs(other - value) < 2e-3 if number else other == value, (name, key, other, value)

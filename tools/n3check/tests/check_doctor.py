#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_doctor.py JSON TEXT SIMULATED - both have the same findings"""
import json
import sys

report = json.load(open(sys.argv[1]))
assert list(report) == ["schema", "simulated", "findings"], list(report)
assert report["schema"] == "n3stat-doctor-1", report
assert report["simulated"] is json.loads(sys.argv[3]), report
lines = ""
for finding in report["findings"]:
    assert list(finding) == ["severity", "id", "text", "try"], finding
    assert finding["severity"] in ("ok", "note", "warning", "error"), finding
    lines += f"{finding['severity']:8} {finding['text']} [{finding['id']}]\n"
    if finding["try"] is not None:
        lines += f"{'':8} try: {finding['try']}\n"
assert lines == open(sys.argv[2]).read(), lines

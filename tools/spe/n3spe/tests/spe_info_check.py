#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_info_check.py FILE - the JSON of n3stat spe info on the machine of spe_info_test.sh"""

import json
import sys

info = json.load(open(sys.argv[1]))
assert info["simulated"] is True and info["usable"] is True
assert info["version"] == "1.2" and info["min_interval"] == 1024
assert info["max_record"] == 64 and info["counter_bits"] == 12
assert info["filters"] == ["event", "operation", "latency", "not_event"]
assert info["features"] == ["load_data_source", "random_interval", "previous_branch"]
assert info["devices"] == [{"name": "arm_spe_0", "cpus": "0-3", "min_interval": 1024,
                            "counter_bits": 12,
                            "settings": ["branch_filter", "load_filter", "min_latency"]}]
assert [(f["severity"], f["id"]) for f in info["findings"]] == [
    ("ok", "n3_cpus"), ("ok", "spe_device"), ("ok", "may_sample_all")]
best = info["recommended"]
assert best["period"] == 8192
assert not best["clock_is_assumed"] and not best["operations_are_assumed"]
assert abs(best["records_per_second"] - 2.5e9 * 2.4 / 8192) < 1
assert abs(best["bytes_per_second"] - 64 * 2.5e9 * 2.4 / 8192) < 64

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_trials.py JSON NR - the identity fails with one of NR micro-kernels, holds with others"""
import json
import sys

cpu = json.load(open(sys.argv[1]))["cpus"][0]
tried = [i for i in cpu["identities"] if "kernels" in i]
assert len(tried) == 5 and all(len(i["kernels"]) == int(sys.argv[2]) for i in tried)
one = next(i for i in tried if i["identity"] == "MEM_ACCESS = L1D_CACHE")
got = {k["kernel"]: (k["outcome"], k["percent"]) for k in one["kernels"]}
assert one["outcome"] == "fails" and cpu["summary"]["identities_that_fail"] == 1
assert got["integers"] == ("held", 0.25) and got["stores"] == ("violated", -12.5)
assert got["sleeps"] == ("undecided", 0) and got["atomics"] == ("undecided", 0)

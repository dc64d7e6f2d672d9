#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_fell_behind.py RECORDING MESSAGE - the message has the mean interval"""
import re
import sys

times = [float(line.split()[1]) for line in open(sys.argv[1]) if line.startswith("t ")]
told = open(sys.argv[2]).read()
got = re.match(r"n3stat record: .* every 1 s .* every ([0-9.]+) s taken;.* \[fell_behind\]$", told)
every = (times[-1] - times[0]) / (len(times) - 1)
assert len(times) == 4 and every > 1.3 and abs(every - float(got[1])) < 0.01, (times, told)

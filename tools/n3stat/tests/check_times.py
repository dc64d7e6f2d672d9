#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_times.py TABLE FROM TO - local times in milliseconds, of a zone other than UTC"""
import re
import sys
from datetime import datetime, timedelta, timezone

local = timezone(timedelta(hours=5, minutes=30))
row = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3})    0     1\.2")
rows = [row.match(line) for line in open(sys.argv[1])]
times = [datetime.strptime(row[1], "%Y-%m-%d %H:%M:%S.%f").replace(tzinfo=local).timestamp()
         for row in rows if row]
assert len(times) == 3 and int(sys.argv[2]) <= times[0] and times[-1] <= int(sys.argv[3]) + 1, times
assert times[1] - times[0] > 0.05 and any(round(time * 1000) % 1000 for time in times), times

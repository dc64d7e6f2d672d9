#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""busy_process.py NAME LOG SECONDS [CPU] - busy loop under a name, with a log.

Each line has the time since 1970 and the CPU time so far, in seconds, from the C library.
"""
import os
import sys
import time

if len(sys.argv) > 4:
    os.sched_setaffinity(0, {int(sys.argv[4])})
with open("/proc/self/comm", "w", encoding="ascii") as comm:
    comm.write(sys.argv[1])
end = time.time() + float(sys.argv[3])
with open(sys.argv[2], "w", encoding="ascii", buffering=1) as log:
    now = 0
    while now < end:
        now = time.time()
        log.write(f"{now:.6f} {time.process_time():.6f}\n")
        for i in range(50000):
            pass

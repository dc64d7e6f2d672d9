#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_totals.py DIR - totals of four CPUs in DIR0 and, after growth, in DIR1"""
import os
import sys

# in 10^6: cycles, instructions, cycles of IPC, sampled ns; CPU 2 idles, so its ghz is unknown
growth = (1500, 900, 1000, 1000), (550, 1000, 500, 1000), (10, 5, 10, 1000), (2000, 300, 1000, 800)
for late in 0, 1:
    for cpu, (cycles, instructions, others, ns) in enumerate(growth):
        directory = f"{sys.argv[1]}{late}/cpu{cpu}/counters"
        os.makedirs(directory)
        open(f"{directory}/time", "w").write(
            f"sampled_ns {10**12 + ns * 10**6 * late}\ndropped_ns 0\nyielded_ns 0\n"
            f"off_ns 5\nstart_ns 7\ncycles_total {2**63 + cycles * 10**6 * late}\n")
        open(f"{directory}/general", "w").write(f"ipc_numerator_total {77 + instructions * late}\n"
                                                f"ipc_denominator_total {99 + others * late}\n")

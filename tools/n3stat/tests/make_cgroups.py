#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_cgroups.py DIR - more cgroups than are read, on two levels"""
import os
import sys

top = sys.argv[1]
paths = [top] + [f"{top}/{i}" for i in range(128)]
paths += [f"{top}/{i}/{k}" for i in range(128) for k in range(128)]
for path in paths:
    os.mkdir(path)
    with open(f"{path}/cgroup.procs", "w") as file:
        file.write("100\n" if path == top else "")

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_paths.py TREE - each metric of the decision tree is the answer of a CPU; prints the paths"""
import sys

from losses import TREE, path_to
from make_tree import lead_to

for cpu, path in enumerate(path_to(metric) for metric in TREE if metric):
    lead_to(f"{sys.argv[1]}/cpu{cpu}/quality", path)
    print(f"cpu{cpu}", *path)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_paths.py TREE - a path to each end of the decision tree, one for each CPU"""
import sys
from losses import TREE, path_to

for cpu, path in enumerate(path_to(metric) for metric in TREE if metric):
    with open(f"{sys.argv[1]}/cpu{cpu}/bottleneck", "w") as out:
        out.writelines(f"path {metric} 50.0 1.0\n" for metric in path)
        out.write(f"found {path[-1]}\nnext none\n")
    print(f"cpu{cpu}", *path)

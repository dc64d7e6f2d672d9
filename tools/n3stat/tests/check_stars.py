#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_stars.py VALUE TABLE - values of the window, and only these, have a star"""
import sys

rows = [line.split() for line in open(sys.argv[2]) if line.startswith("   1")]
stars = [row for row in rows if row[1].endswith("*")]
plain = [row for row in rows if not row[1].endswith("*")]
assert rows[0] in stars and len(plain) == 1 and plain[0][2:] == ["-"], rows
assert all(float(row[2]) > 0 for row in stars), rows
decimals = len(plain[0][1].split(".")[1])
assert 1 <= decimals < 6, plain
assert plain[0][1] == f"{float(sys.argv[1]):.{decimals}f}", (plain, sys.argv[1])

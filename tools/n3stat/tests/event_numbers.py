#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""event_numbers.py EVENTS - prints digits, and the event that they mean, or -"""
import sys

codes = {int(line.split("\t")[0], 16): line.split("\t")[1]
         for line in open(sys.argv[1]) if not line.startswith("#")}
for text in sorted({f"{code:x}" for code in codes} | {str(code) for code in codes}):
    meant = {int(text, base) for base in ((16, 10) if text.isdigit() else (16,))} & set(codes)
    if text[0].isdigit():
        print(text, codes[meant.pop()].upper() if len(meant) == 1 else "-")

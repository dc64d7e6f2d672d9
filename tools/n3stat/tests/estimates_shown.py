#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""estimates_shown.py FILE - prints estimates with errors as a report shows them"""
import fractions
import sys
import digits

for line in open(sys.argv[1]):
    value, _, _, estimate, low, high = line.split()
    if estimate == "-":
        print(value, "-")
        continue
    error = None if low == "-" else (fractions.Fraction(high) - fractions.Fraction(low)) / 2
    number, error = digits.texts(estimate, error and float(error), 4)
    print(number, error.replace("none", "-"))

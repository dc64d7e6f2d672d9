#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_page_rates.py PAGE - the means of rates in the table of places"""
import re
import sys

page = open(sys.argv[1]).read()
places = re.search(r'<table id="places">(.*?)</table>', page, re.S)[1]
rows = [re.findall(r"<td>([^<]*)</td>", row) for row in places.split("<tr>")[2:]]
# mean and, if known, its error: 2.5 ± 6.4 (12.706 * stdev / sqrt(2)) and 2.625 ± 4.8
got = [[row[0]] + [float(cell.split()[0]) for cell in row[1:]] for row in rows]
assert got == [["cpu0", 1.5, 75, 2, 3], ["system", 1.5, 50, 2.5, 0.9375]], got

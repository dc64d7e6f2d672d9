#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_rounding.py TEXT RECORDING - values are exact, intervals rounded outwards"""
import sys
from decimal import Decimal

nr = 0
for one, other in zip(open(sys.argv[1]), open(sys.argv[2]), strict=True):
    for a, b in zip(one.split(), other.split(), strict=True):
        a, b = a.split(":"), b.split(":")
        # an estimate equal to the value is not printed, whatever its interval
        b += b[:3] if (len(a), len(b)) == (8, 5) else []
        assert len(a) == len(b), (a, b)
        for i in (i for i in (0, 5) if i < len(a)):
            assert a[i] == b[i], (a, b)
            if len(a) > 1 and a[i + 1] != "-":
                v, l, h, bl, bh = map(Decimal, (a[i], *a[i + 1:i + 3], *b[i + 1:i + 3]))
                unit, half = Decimal(1).scaleb(v.as_tuple().exponent), max(h - v, v - l)
                assert bl <= l and h <= bh, (a, b)
                assert max(l - bl, bh - h) <= half / 64 + 2 * unit, (a, b)
                nr += 1
        assert [Decimal(x) for x in a[3:5]] == [Decimal(x) for x in b[3:5]], (a, b)
assert nr > 20000, nr

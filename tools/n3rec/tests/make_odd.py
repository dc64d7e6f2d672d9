#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_odd.py DIR

Writes handmade recordings of one place and two columns.
"""
import struct
import sys
import zlib

HEAD = b"n3stat-recording 4\nabout window_ms 2000\n" \
    b"places cpu0\ncolumns general.ipc mpki.branch_mpki\n"


def part(*numbers):
    folded = [2 * n if n >= 0 else -2 * n - 1 for n in numbers]
    size = max((f.bit_length() + 7) // 8 for f in folded)
    return bytes([size]) + bytes(f >> 8 * p & 255 for p in range(size) for f in folded)


def packed(plain):
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflate.compress(plain) + deflate.flush()


class File:
    def __init__(self, head=HEAD):
        self.data = head

    def add(self, plain, size=None, raw=None):
        data = packed(plain) if raw is None else raw
        self.data += struct.pack("<I", len(data) if size is None else size) + data
        self.data += struct.pack("<I", zlib.crc32(self.data))

    def write(self, name):
        open(sys.argv[1] + "/" + name, "wb").write(self.data)


def time(n):
    return struct.pack("<Q", 1000 * n)


def file(name, *plains, head=HEAD):
    f = File(head)
    f.add(time(100) + bytes([0x41, 0x20]) + part(157) + b"idle\n")
    for plain in plains:
        f.add(plain)
    f.write(name)


# good: 1.57 and idle; then 1.50 with all parts, 3 MPKI; then no change; then a number as text
ALL = bytes([0x5f, 0x01]) + part(-7, 3) + part(5) + part(4) + part(2) + part(4321) + part(17)
file("good", time(102) + ALL, time(104) + bytes(2), time(106) + bytes([0, 0x20]) + b"7\n")
file("lonely", time(102) + bytes([0x02, 0]) + part(100) + part(2))
# damage with a correct checksum
bad = {
    "short": time(102) + bytes(1),
    "no_part": time(102) + bytes([0x41, 0]),
    "planes": time(102) + bytes([0x41, 0]) + b"\x09" + bytes(9),
    "short_part": time(102) + bytes([0x41, 0x41]) + b"\x02abc",
    "rest": time(102) + bytes(2) + b"x",
    "text": time(102) + bytes([0x20, 0]) + b"idle",
    "long": time(102) + bytes([0x20, 0]) + 4000 * b"x" + b"\n",
    "long_value": time(102) + bytes([0x20, 0]) + 60 * b"x" + b"\n",
    "huge": time(102) + bytes([0x41, 0]) + part(2 ** 62),
    "wide": time(102) + bytes([0x45, 0]) + part(1) + part(2 ** 40),
    "minus": time(102) + bytes([0x43, 0]) + part(1) + part(-1) + part(1),
    "word_interval": time(102) + bytes([0x04, 0]) + part(1),
    "clock": struct.pack("<q", -1) + bytes(2),
    "bomb": time(102) + bytes(2) + bytes(400_000_000),
    "text_bomb": time(102) + bytes([0x20, 0]) + 100_000_000 * b"x",
}
for name, plain in bad.items():
    file("bad_" + name, plain)
for name, size in ("small", 3), ("large", 4_000_000_000), ("zero", 0), ("twice", 200):
    f = File()
    f.add(time(100) + bytes([0x41, 0x20]) + part(157) + b"idle\n")
    f.add(time(102) + bytes(2), size=size)
    f.add(time(104) + bytes(2))
    f.write("size_" + name)
# a small file with a page too large for memory: 500 snapshots of 600,000 values each
f = File(f"n3stat-recording 4\nplaces {' '.join(f'cpu{i}' for i in range(600))}\n"
         f"columns {' '.join(f'x.m{i}' for i in range(1000))}\n".encode())
f.add(time(0) + bytes([1]) * 600000 + part(*[1] * 600000))
for at in range(1, 500):
    f.add(time(at) + bytes(600000))
f.write("large")
f = File()
f.add(time(100) + bytes([0x41, 0x20]) + part(157) + b"idle\n")
f.add(b"", raw=b"\xff\xff\xff\xff")
f.write("bad_deflate")
file("other_head", head=HEAD.replace(b"2000", b"3000"))
f = open(sys.argv[1] + "/other_head", "rb").read()
open(sys.argv[1] + "/bad_head", "wb").write(f.replace(b"3000", b"2000"))
file("older", head=HEAD.replace(b"recording 4", b"recording 3"))
file("newer", head=HEAD.replace(b"recording 4", b"recording 5"))

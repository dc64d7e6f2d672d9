#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""recording_pack.py - converts lines of recording_read.py on stdin to a recording on
stdout.

Every cell is written as text, so that intervals are not rounded and damaged cells stay
damaged. recording.h describes the format.
"""
import struct
import sys
import zlib


def deflate(plain):
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return packer.compress(plain) + packer.flush()


class Packer:
    """Head and snapshots of a recording as bytes."""

    def __init__(self):
        self.crc = 0
        self.nr_columns = 0
        self.last = []
        self.time = 0
        self.rows = {}

    def add(self, data):
        self.crc = zlib.crc32(data, self.crc)
        return data

    def snapshot(self):
        kinds, texts = bytearray(), []
        for place, last in enumerate(self.last):
            cells = self.rows.get(place, ["="])
            if cells != ["="]:
                cells = cells + ["-"] * (self.nr_columns - len(cells))
                if len(cells) != self.nr_columns:
                    raise ValueError(f"{len(cells)} cells in a row")
                kinds += bytes(0x20 if new != old else 0 for new, old in zip(cells, last))
                texts += [new + "\n" for new, old in zip(cells, last) if new != old]
                self.last[place] = cells
            else:
                kinds += bytes(self.nr_columns)
        self.rows = {}
        data = deflate(struct.pack("<q", self.time) + kinds + "".join(texts).encode())
        data = self.add(struct.pack("<I", len(data)) + data)
        return data + self.add(struct.pack("<I", self.crc))

    def line(self, line):
        word, _, rest = line.partition(" ")
        if word in ("about", "places", "columns"):
            if word == "places":
                self.last = [None] * len(rest.split())
            elif word == "columns":
                self.nr_columns = len(rest.split())
                self.last = [["-"] * self.nr_columns for _ in self.last]
            return self.add(line.encode() + b"\n")
        if word == "n3stat-recording":
            return self.add(b"n3stat-recording 2\n")
        if word == "end":
            return self.snapshot()
        if word == "t":
            self.time = round(float(rest) * 1000)
        else:
            self.rows[int(word)] = rest.split()
        return b""


def pack(lines):
    """The recording that these lines describe, in parts."""
    packer = Packer()
    return (packer.line(line.rstrip("\n")) for line in lines)


if __name__ == "__main__":
    sys.stdout.buffer.writelines(pack(sys.stdin))

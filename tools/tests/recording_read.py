#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""recording_read.py FILE - a recording as text, read as recording.h describes the format

Prints the lines of text at the start of the file and, for each complete snapshot:

	t 1763772001.125			time
	0 21.3174:20.1:22.5:48.75:24 idle	a line per place: value, or
	1 =					value:low:high:coverage:slices,
	end					or = if unchanged

An estimate other than the value follows with its own interval, as in
21.3174:20.1:22.5:48.75:24:21.2106:20.9:21.5. A row may be shorter than the columns.
A file that ends within a snapshot is an error. pack() makes a recording of such lines.

As a module, each snapshot is {"time": ..., "rows": {"cpu0": {"general.ipc": CELL, ...}, ...}}
with CELL a word or {"value": text, "low", "high", "coverage": texts, "slices": number,
"estimate": text, "estimate_low", "estimate_high": texts}, as far as they are recorded.
A complete reader in Python, independent of n3stat.
"""
import os
import struct
import subprocess
import sys
import zlib

NUMBER, QUALITY, RANGE, ESTIMATE, ESTIMATE_RANGE, TEXT = 1, 2, 4, 8, 16, 32
PARTS = (NUMBER, ESTIMATE, RANGE, ESTIMATE_RANGE, QUALITY, QUALITY)


def decimal(number, decimals):
    digits = str(abs(number)).rjust(decimals + 1, "0")
    at = len(digits) - decimals
    return ("-" if number < 0 else "") + digits[:at] + ("." + digits[at:] if decimals else "")


def half(code):
    shift = code // 64 - 1
    return code if shift <= 0 else (code - 64 * shift) << shift


class Cell:
    def __init__(self):
        self.kind, self.text, self.part = 0, "-", [0] * len(PARTS)

    def interval(self, into, prefix, number, code, decimals):
        into[prefix + "low"] = decimal(number - half(code), decimals)
        into[prefix + "high"] = decimal(number + half(code), decimals)

    def shown(self):
        number, residual, code, ecode, coverage, slices = self.part
        quality = {}
        if self.kind & QUALITY:
            quality = {"coverage": decimal(coverage, 2), "slices": slices}
        if not self.kind & NUMBER:
            return {"value": self.text, **quality} if quality else self.text
        decimals = self.kind >> 5
        value = number + (residual if self.kind & ESTIMATE else 0)
        cell = {"value": decimal(value, decimals), **quality}
        if self.kind & RANGE:
            self.interval(cell, "", value, code, decimals)
        if self.kind & ESTIMATE:
            cell["estimate"] = decimal(number, decimals)
        if self.kind & ESTIMATE_RANGE:
            self.interval(cell, "estimate_", number, ecode, decimals)
        return cell


def short(number):
    """Without zeros at the end."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def text(cell):
    if isinstance(cell, str):
        return cell
    words = [cell["value"]]
    if "coverage" in cell:
        words += [*(short(cell.get(key, "-")) for key in ("low", "high", "coverage")),
                  str(cell["slices"])]
    if "estimate" in cell:
        words += [cell["estimate"],
                  *(short(cell.get(f"estimate_{key}", "-")) for key in ("low", "high"))]
    return ":".join(words)


class Recording:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.about = {}
        self.at = 0
        if self.line() != "n3stat-recording 4":
            raise ValueError("no recording of version 4")
        while True:
            word, _, rest = self.line().partition(" ")
            if word == "about":
                key, _, self.about[key] = rest.partition(" ")
            elif word == "places":
                self.places = rest.split(" ")
            elif word == "columns":
                self.columns = rest.split(" ")
                break
        self.cells = [Cell() for _ in self.places for _ in self.columns]

    def line(self):
        end = self.data.index(b"\n", self.at)
        text = self.data[self.at:end].decode()
        self.at = end + 1
        return text

    def snapshots(self):
        while self.at < len(self.data):
            size, = struct.unpack_from("<I", self.data, self.at)
            end = self.at + 4 + size
            crc, = struct.unpack_from("<I", self.data, end)
            if crc != zlib.crc32(self.data[:end]):
                raise ValueError(f"damaged at byte {self.at}")
            inflate = zlib.decompressobj(-15)
            plain = inflate.decompress(self.data[self.at + 4:end])
            if not inflate.eof or inflate.unused_data:
                raise ValueError(f"no end at byte {self.at}")
            self.at = end + 4
            yield self.take(plain)

    def take(self, plain):
        nr = len(self.cells)
        time, = struct.unpack_from("<Q", plain)
        kinds, at = plain[8:8 + nr], 8 + nr
        for cell, kind in zip(self.cells, kinds):
            if kind:
                cell.kind = kind
        for part, of in enumerate(PARTS):
            at = self.take_part(plain, at, part, [i for i in range(nr) if kinds[i] & of])
        for cell, kind in zip(self.cells, kinds):
            if kind & TEXT and not kind & NUMBER:
                end = plain.index(b"\n", at)
                cell.text, at = plain[at:end].decode(), end + 1
                cell.kind &= ~TEXT
        if at != len(plain):
            raise ValueError("more than a snapshot")
        rows, width = {}, len(self.columns)
        self.changed = {place: any(kinds[i * width:(i + 1) * width])
                        for i, place in enumerate(self.places)}
        for i, place in enumerate(self.places):
            shown = [cell.shown() for cell in self.cells[i * width:(i + 1) * width]]
            rows[place] = {c: cell for c, cell in zip(self.columns, shown) if cell != "-"}
        return {"time": time / 1000, "rows": rows}

    def take_part(self, plain, at, part, having):
        if not having:
            return at
        planes, at = plain[at], at + 1
        for k, i in enumerate(having):
            folded = sum(plain[at + p * len(having) + k] << 8 * p for p in range(planes))
            self.cells[i].part[part] += folded >> 1 if folded % 2 == 0 else -(folded + 1) // 2
        return at + planes * len(having)


def pack(lines):
    """The recording that these lines describe, by the writer of n3stat record."""
    return subprocess.run([os.environ["PACK_RECORDING"]], check=True, capture_output=True,
                          input="".join(f"{line}\n" for line in lines).encode()).stdout


def show(recording):
    print("n3stat-recording 1")
    for key, value in recording.about.items():
        print("about", key, value)
    print("places", *recording.places)
    print("columns", *recording.columns)
    for nr, snapshot in enumerate(recording.snapshots()):
        print(f"t {snapshot['time']:.3f}")
        for i, (place, row) in enumerate(snapshot["rows"].items()):
            cells = [text(row.get(column, "-")) for column in recording.columns]
            while cells and cells[-1] == "-":
                cells.pop()
            print(i, *(cells if not nr or recording.changed[place] else "="))
        print("end")


if __name__ == "__main__":
    show(Recording(sys.argv[1]))

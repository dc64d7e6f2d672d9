#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_read.py FILE - reads a recording of "n3stat spe record" according to
tools/spe/libspe/format.rst and tools/spe/n3spe/format.h only, checks the guarantees of the
format, and prints the contents as lines of a key and a value."""

import struct
import sys

MAGIC = b"N3SPE1\r\n"
INFO, CPUS, AUX, PERF, LOST, BUILD_IDS, KALLSYMS, END = range(1, 9)
TEXTS = (INFO, CPUS, BUILD_IDS, KALLSYMS, END)
REASONS = (None, "truncated", "stalled", "perf", "offline", "unknown_size")
INFO_KEYS = ("version", "n3stat", "kernel", "machine", "date", "command", "period",
             "sample_type", "target", "cpus")
TRAILER = struct.Struct("<IIQIIQ")


def require(condition, what):
    if not condition:
        raise SystemExit(f"spe_read.py: {what}")


def chunks(data):
    """Type and body of each complete chunk, then None if the last one is truncated."""
    require(data[:8] == MAGIC, "no magic")
    at = 8
    while at < len(data):
        if at + 16 > len(data):
            yield None
            return
        kind, zero, size = struct.unpack_from("<IIQ", data, at)
        require(zero == 0 and size <= 1 << 26, f"bad chunk header at {at}")
        end = at + 16 + size
        if end > len(data):
            yield None
            return
        padding = data[end:end + -size % 8]
        require(not any(padding), f"padding at {end} is not 0")
        yield kind, data[at + 16:end]
        at = end + -size % 8


def words(text):
    """A text of keys and values."""
    require(text.endswith("\n"), "a text without its last newline")
    return dict(line.partition(" ")[::2] for line in text.splitlines())


class Reader:
    def __init__(self):
        self.info = self.end = None
        self.order = []
        self.streams = {}       # next offset of each
        self.lost_at = {}       # streams with a window since then
        self.counts = dict.fromkeys(REASONS[1:], 0)
        self.aux_bytes = self.perf_records = self.build_ids = self.functions = 0
        self.cpus = set()

    def text(self, kind, body):
        text = body.decode()
        if kind == INFO:
            require(not self.order, "INFO is not first")
            self.info = words(text)
            for key in INFO_KEYS:
                require(key in self.info, f"no {key} in INFO")
            require(self.info["version"] == "1", "another version")
            require(int(self.info["sample_type"], 16) == 0x10086, "another sample_type")
        elif kind == CPUS:
            for line in text.splitlines():
                fields = line.split()
                require(fields[0::2] == ["cpu", "midr", "pmsidr", "pmu"], f"CPUS: {line}")
                self.cpus.add(int(fields[1]))
                int(fields[3], 16), int(fields[5], 16)
        elif kind == BUILD_IDS:
            for line in text.splitlines():
                bytes.fromhex(line.partition(" ")[0])
                require(line.partition(" ")[2], f"BUILD_IDS: {line}")
                self.build_ids += 1
        elif kind == KALLSYMS:
            for line in text.splitlines():
                require(line.split()[1] in "tTwW", f"KALLSYMS: {line}")
                self.functions += 1
        else:
            self.end = {key: int(value) for key, value in words(text).items()}

    def aux(self, body):
        stream, cpu, pid, tid, _, offset, _ = struct.unpack_from("<IiiiQQQ", body)
        require(cpu in self.cpus, f"AUX of CPU {cpu}, which CPUS does not have")
        everybody = self.info["target"] == "cpus"
        require((pid == -1) == everybody and (tid == -1) == everybody, f"AUX of process {pid}")
        expected = self.streams.get(stream, 0)
        require(offset == expected, f"stream {stream}: offset {offset}, expected {expected}")
        self.streams[stream] = offset + len(body) - 40
        self.aux_bytes += len(body) - 40

    def perf(self, body):
        at = 8
        while at < len(body):
            _, _, size = struct.unpack_from("<IHH", body, at)
            require(size >= 8 + TRAILER.size and at + size <= len(body),
                    f"record of perf with {size} bytes")
            at += size
            self.perf_records += 1
        require(at == len(body), "records of perf and more")

    def lost(self, body):
        require(len(body) == 40, "LOST of another size")
        stream, reason, offset, _, start, end = struct.unpack("<IIQQQQ", body)
        require(0 < reason < len(REASONS), f"reason {reason}")
        require(offset == self.streams.get(stream, 0), "LOST is not where the stream stands")
        require(not (start and end) or start <= end, "LOST ends before it starts")
        self.counts[REASONS[reason]] += 1

    def read(self, data):
        cut = False
        for chunk in chunks(data):
            require(self.end is None, "something follows END")
            if chunk is None:
                cut = True
                break
            kind, body = chunk
            require(self.order or kind == INFO, "INFO is not first")
            require(len(self.order) != 1 or kind == CPUS, "CPUS is not second")
            if kind in TEXTS:
                self.text(kind, body)
            elif kind == AUX:
                self.aux(body)
            elif kind == PERF:
                self.perf(body)
            elif kind == LOST:
                self.lost(body)
            self.order.append(kind)
        require(cut or self.end is not None or len(data) > 8, "empty")
        if self.end is not None:
            require(self.end["aux_bytes"] == self.aux_bytes, "END: other aux_bytes")
            for reason, count in self.counts.items():
                require(self.end[f"lost_{reason}"] == count, f"END: other lost_{reason}")
        return "cut" if cut else "complete" if self.end is not None else "no END"


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    reader = Reader()
    state = reader.read(data)
    print(f"state {state}\nchunks {len(reader.order)}\naux_bytes {reader.aux_bytes}\n"
          f"perf_records {reader.perf_records}\nbuild_ids {reader.build_ids}\n"
          f"functions {reader.functions}")
    for reason, count in reader.counts.items():
        print(f"lost_{reason} {count}")


main()

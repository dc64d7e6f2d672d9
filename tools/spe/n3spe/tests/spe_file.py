#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Recordings of n3stat spe record, written according to the format's description only.

    with Recording(path, info={...}, cpus=(0, 1)) as r:
        r.perf(0, 0, mmap2(...))
        r.aux(0, data, cpu=0)
"""
import struct

MAGIC = b"N3SPE1\r\n"
INFO, CPUS, AUX, PERF, LOST, BUILD_IDS, KALLSYMS, END = range(1, 9)
MIDR, PMSIDR = 0x410fd8e0, 0x12634f7
# TID, TIME, CPU
SAMPLE_TYPE = 0x86
# 1 tick of the timer is 1 ns, starting at BASE
BASE = 1000000000
TRUNCATED, PARTIAL, COLLISION = 1, 4, 8


def sample_id(pid=0, tid=None, time=0, cpu=0):
    return struct.pack("<IIQII", pid, pid if tid is None else tid, time, cpu, 0)


def event(kind, body, misc=0, **of):
    body += sample_id(**of)
    return struct.pack("<IHH", kind, misc, len(body) + 8) + body


def text(name, multiple=8):
    data = name.encode() + b"\0"
    return data + bytes(-len(data) % multiple)


def mmap2(pid, start, size, offset, name, build_id=None, inode=(8, 1, 2, 3), tid=None, **of):
    """inode: major and minor number of the device, inode and generation."""
    file_id = (struct.pack("<B3x20s", len(build_id), build_id) if build_id else
               struct.pack("<IIQQ", *inode))
    return event(10, struct.pack("<IIQQQ", pid, tid or pid, start, size, offset) + file_id +
                 struct.pack("<II", 5, 2) + text(name), 1 << 14 if build_id else 0,
                 pid=pid, tid=tid, **of)


def comm(pid, name, exec_=False, tid=None, **of):
    return event(3, struct.pack("<II", pid, tid or pid) + text(name), exec_ << 13, pid=pid,
                 tid=tid, **of)


def fork(pid, parent, time, tid=None):
    return event(7, struct.pack("<IIIIQ", pid, parent, tid or pid, parent, time), pid=parent,
                 time=time)


def end(pid, parent, time, tid=None):
    return event(4, struct.pack("<IIIIQ", pid, parent, tid or pid, parent, time), pid=pid,
                 time=time)


def kernel_map(start, size, name):
    return event(1, struct.pack("<IIQQQ", 0xffffffff, 0, start, size, 0) + text(name), 1)


def switch_in(pid, time, cpu):
    return event(15, struct.pack("<II", 0, 0), 0, pid=pid, time=time, cpu=cpu)


def switch_out(pid, time, cpu):
    return event(15, struct.pack("<II", 0, 0), 1 << 13, pid=pid, time=time, cpu=cpu)


class Recording:
    """midr: of all CPUs, or a dict by CPU. end: with the last chunk."""

    def __init__(self, path, info=None, cpus=(0,), midr=MIDR, end=True):
        self.file, self.ends = open(path, "wb"), end
        self.offsets = {}
        self.file.write(MAGIC)
        lines = {"version": 1, "n3stat": "0.2", "kernel": "6.1.0", "machine": "aarch64",
                 "date": "2026-11-23T00:00:00Z", "period": 8192, "min_interval": 1024,
                 "clock_mult": 1, "clock_shift": 0, "clock_zero": BASE,
                 "sample_type": hex(SAMPLE_TYPE), "target": "cpus", "cpus": "0-3"}
        lines.update(info or {})
        self.chunk(INFO, "".join(f"{k} {v}\n" for k, v in lines.items() if v is not None))
        midrs = midr if isinstance(midr, dict) else dict.fromkeys(cpus, midr)
        if cpus:
            self.chunk(CPUS, "".join(f"cpu {n} midr {midrs[n]:#x} pmsidr {PMSIDR:#x} "
                                     "pmu arm_spe_0\n" for n in cpus))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.ends:
            self.chunk(END, "records 0\n")
        self.file.close()

    def chunk(self, kind, data):
        data = data.encode() if isinstance(data, str) else data
        self.file.write(struct.pack("<IIQ", kind, 0, len(data)) + data + bytes(-len(data) % 8))

    def aux(self, stream, data, cpu=0, pid=-1, flags=0, offset=None, time=0):
        at = self.offsets.get(stream, 0) if offset is None else offset
        self.chunk(AUX, struct.pack("<IiiIQQQ", stream, cpu, pid, 0, flags, at, time) + data)
        self.offsets[stream] = at + len(data)

    def perf(self, stream, cpu, *events):
        self.chunk(PERF, struct.pack("<Ii", stream, cpu) + b"".join(events))

    def lost(self, stream, reason, offset=0, count=0):
        self.chunk(LOST, struct.pack("<IIQQQQ", stream, reason, offset, count, 0, 0))

    def build_ids(self, *pairs):
        self.chunk(BUILD_IDS, "".join(f"{i} {name}\n" for i, name in pairs))

    def kallsyms(self, *symbols):
        self.chunk(KALLSYMS, "".join(f"{a:016x} {t} {name}\n" for a, t, name in symbols))

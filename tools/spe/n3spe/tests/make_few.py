#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_few.py RECORDING

Ten records of two processes that run one program at different addresses, few enough to count
by hand. The golden files spe-report.txt and spe-profile.txt follow from them:

    total latency   3 5 5 7 10 20 100 200 300 and 4095, the maximum of 12 bits: "at least".
                    4745 / 10; the 5th, 9th and 10th are p50, p90 and p99
    issue           2 2 2 3 4 4 5 6 8 9: 45 / 10
    translation     1 1 2 2 2 40, of six records with a data address: 48 / 6
    code            offset 0x1000 has A B F H, 0x1010 C D I, 0x1020 G; E is in the kernel, J in
                    no file. The program is absent: only E has a symbol
    data            F and G have one virtual address; the four addresses of A B F G H are in
                    one physical line, in its words 0 to 3. CPU 1 writes it, both read it
    sources         two of four loads from DRAM; with equal counts, the source closest to the
                    core is the main one
    profile         C jumps back, D goes on to the next instruction, I did not retire
"""
import sys

import spe_file as f
import spe_packets as spe

MS = 1000000
WORKER, HELPER = 0x400000, 0x500000
KERNEL = 0xffff800010000000
DATA = spe.RETIRED | spe.L1D_ACCESS | spe.TLB_ACCESS
L1D, PEER_CORE, DRAM = 0, 9, 14

CPU0 = (
    # A
    {"pc": WORKER + 0x1000, "op": spe.LOAD, "source": L1D, "events": DATA, "total": 10,
     "issue": 4, "translation": 1, "va": 0x10000, "pa": 0x80010000, "time": 1 * MS},
    # B
    {"pc": WORKER + 0x1000, "op": spe.LOAD, "source": DRAM,
     "events": DATA | spe.L1D_REFILL | spe.TLB_WALK, "total": 300,
     "issue": 6, "translation": 40, "va": 0x10008, "pa": 0x80010008, "time": 2 * MS},
    # C
    {"pc": WORKER + 0x1010, "op": spe.COND_BRANCH, "target": WORKER + 0x1000,
     "events": spe.RETIRED | spe.MISPREDICTED, "total": 5, "issue": 2, "time": 3 * MS},
    # D
    {"pc": WORKER + 0x1010, "op": spe.COND_BRANCH, "target": WORKER + 0x1014,
     "events": spe.RETIRED | spe.NOT_TAKEN, "total": 3, "issue": 2, "time": 4 * MS},
    # E
    {"pc": KERNEL + 0x404, "el": 1, "op": spe.STORE, "events": DATA, "total": 20,
     "issue": 8, "translation": 1, "va": 0xffff000000000040, "time": 5 * MS},
)
CPU1 = (
    # F
    {"pc": HELPER + 0x1000, "op": spe.LOAD, "source": PEER_CORE,
     "events": DATA | spe.L1D_REFILL | spe.LATE_PREFETCH, "total": 100,
     "issue": 4, "translation": 2, "va": 0x20010, "pa": 0x80010010, "time": 1 * MS},
    # G
    {"pc": HELPER + 0x1020, "op": spe.STORE, "events": DATA, "total": 4095,
     "issue": 9, "translation": 2, "va": 0x20010, "pa": 0x80010010, "time": 2 * MS},
    # H
    {"pc": HELPER + 0x1000, "op": spe.LOAD, "source": DRAM, "events": DATA | spe.L1D_REFILL,
     "total": 200, "issue": 3, "translation": 2, "va": 0x20018, "pa": 0x80010018,
     "time": 3 * MS},
    # I
    {"pc": HELPER + 0x1010, "op": spe.COND_BRANCH, "target": HELPER + 0x1000,
     "events": spe.MISPREDICTED, "total": 5, "issue": 2, "time": 4 * MS},
    # J, 5.5 ms after the first record
    {"pc": 0x7f0000000000, "op": spe.OTHER, "events": spe.RETIRED, "total": 7, "issue": 5,
     "time": 13 * MS // 2},
)


def records(all_fields):
    return b"".join(spe.record(**fields) for fields in all_fields)


def main():
    program = {"size": 0x10000, "offset": 0, "name": "/opt/prog"}
    with f.Recording(sys.argv[1], {"command": "prog --fast"}, range(2)) as recording:
        recording.kallsyms((KERNEL, "T", "kernel_copy"), (KERNEL + 0x400, "t", "kernel_lock"))
        recording.perf(0, 0, f.comm(100, "worker"), f.mmap2(100, WORKER, **program),
                       f.switch_in(100, f.BASE, 0))
        recording.perf(1, 1, f.comm(200, "helper"), f.mmap2(200, HELPER, **program),
                       f.switch_in(200, f.BASE, 1))
        recording.aux(0, records(CPU0), cpu=0)
        recording.aux(1, records(CPU1), cpu=1, flags=f.COLLISION)
        # then CPU 0's buffer is full
        recording.aux_record(0, 0, flags=f.TRUNCATED)


if __name__ == "__main__":
    main()

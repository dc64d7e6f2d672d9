#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_big.py RECORDING RECORDS - loads at random addresses; of a hundred, 10, 5 and 2 are
at the instructions 0x1000, 0x2000 and 0x3000."""
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parents[1] / "libspe" / "tests"))

import spe_file as f  # noqa: E402
import spe_packets as spe  # noqa: E402

BLOCK = 100000


def main():
    path, records = sys.argv[1], int(sys.argv[2])
    one = spe.record(pc=0, op=spe.LOAD, events=spe.RETIRED, total=9, va=0, source=14, time=5)
    data = bytearray(one * BLOCK)
    with f.Recording(path) as recording:
        recording.cpus(range(4))
        for number in range(records // BLOCK):
            # bytes of the payloads of the two addresses
            for at in (*range(1, 6), *range(31, 36)):
                data[at::64] = os.urandom(BLOCK)
            for every, pc, first in ((10, 0x1000, 0), (20, 0x2000, 1), (50, 0x3000, 3)):
                for i in range(first, BLOCK, every):
                    data[i * 64 + 1:i * 64 + 8] = pc.to_bytes(7, "little")
            recording.aux(number % 4, bytes(data), cpu=number % 4)
        recording.end()


if __name__ == "__main__":
    main()

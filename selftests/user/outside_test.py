#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Published counts through the C formulas, compared with the metrics that their authors printed.

The values of oracle_eval must be the printed ones, rounded or cut off to as many digits. Counts of
one program whose set has all three events: every slot is stalled or holds an operation. The table
has counts of Neoverse N2s after the correction of their erratum: CPU_CYCLES are added back first,
and n3t_ring_correct() has to subtract them.
"""
import os
import re
import subprocess
import sys
from fractions import Fraction

from workload import FORMULAS, HERE, OUTPUT, SLOTS, Tap

TABLE = os.path.join(HERE, "outside.tsv")
SLOT_EVENTS = ("CPU_CYCLES", "STALL_SLOT", "OP_SPEC")
OVERCOUNTED = re.compile(r"(STALL_SLOT(?:_FRONTEND)?)=(\d+)")


def read_rows():
    with open(TABLE, encoding="ascii") as table:
        for line in table:
            if not line.startswith("#"):
                metric, counts, printed, source = line.rstrip("\n").split("\t")
                yield metric, counts, printed, source


def with_erratum(counts, source):
    """Counts as the CPU had them, and whether they are others than in the table."""
    cycles = re.search(r"CPU_CYCLES=(\d+)", counts)
    if "Neoverse N2" not in source or not OVERCOUNTED.search(counts):
        return counts, False
    return OVERCOUNTED.sub(lambda found: f"{found[1]}={int(found[2]) + int(cycles[1])}",
                           f"uncorrected {counts}"), True


def evaluate(rows):
    lines = "".join(f"{metric} {with_erratum(counts, source)[0]}\n"
                    for metric, counts, _, source in rows)
    result = subprocess.run([os.path.join(OUTPUT, "oracle_eval")], input=lines, text=True,
                            stdout=subprocess.PIPE, check=True)
    return [Fraction(line.split()[0]) for line in result.stdout.splitlines()]


def agrees(metric, value, printed):
    """Whether the value has the printed digits."""
    number, unit = re.fullmatch(r"([0-9.]+)(%| \(share\))?", printed).groups()
    if unit == "%" and not FORMULAS[metric].is_percentage:
        value *= 100
    if unit == " (share)" and FORMULAS[metric].is_percentage:
        value /= 100
    scale = 10**len(number.partition(".")[2])
    return Fraction(number) * scale in (int(value * scale), int(value * scale + Fraction(1, 2)))


def check_slots(tap, rows):
    measured = set()
    for _, text, _, _ in rows:
        counts = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", text)}
        if counts.keys() >= set(SLOT_EVENTS):
            measured.add(tuple(counts[name] for name in SLOT_EVENTS))
    found = [abs(issued + stalled - SLOTS * cycles) / (SLOTS * cycles)
             for cycles, stalled, issued in measured]
    tap.check(len(found) == 3 and max(found) < 2e-5,
              f"published counts of operations and stalled slots fit ({len(found)} of them, "
              f"{max(found):.1e} of the slots off at most)")


def main():
    rows, tap = list(read_rows()), Tap()
    for (metric, _, printed, source), value in zip(rows, evaluate(rows), strict=True):
        tap.check(agrees(metric, value, printed),
                  f"{metric} is {printed} as printed ({float(value):g}; {source})")
    tap.check(len(rows) == 32, "32 published values")
    tap.check(sum(with_erratum(counts, source)[1] for _, counts, _, source in rows) == 7,
              "7 of them with the erratum of Neoverse N2")
    check_slots(tap, rows)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

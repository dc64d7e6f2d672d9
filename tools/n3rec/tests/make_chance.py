#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_chance.py DIR SOURCE SHIFT WINDOWS-A WINDOWS-B

Writes two recordings, DIR/chance-a and DIR/chance-b, of 1000 metrics from the same random
source. In B, each mean is shifted by SHIFT standard deviations of the difference of the two
means. The windows of a metric have a standard deviation of 1 between them, of which the
intervals that the module would print cover a quarter. Sources:

- independent: a snapshot for each window
- wide: the same, with intervals as wide as the whole deviation
- overlap: four snapshots in a window, each the mean of four independent quarters
- idle: a word in a third of the snapshots, at random
- phases: neighbouring windows are correlated by 0.5 (AR(1))
"""
import math
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests"))
from recording_read import pack  # noqa: E402

METRICS = 1000
WINDOW = 2
OVERLAP = 4
CORRELATION = 0.5


def independent(rng, windows):
    return [rng.gauss(0, 1) for _ in range(windows)]


def overlap(rng, windows):
    parts = [rng.gauss(0, math.sqrt(OVERLAP)) for _ in range(OVERLAP * (windows + 1) - 1)]
    return [sum(parts[i:i + OVERLAP]) / OVERLAP for i in range(OVERLAP * windows)]


def idle(rng, windows):
    return [None if rng.random() < 1 / 3 else number for number in independent(rng, windows)]


def phases(rng, windows):
    numbers = [rng.gauss(0, 1)]
    fresh = math.sqrt(1 - CORRELATION ** 2)
    while len(numbers) < windows:
        numbers.append(CORRELATION * numbers[-1] + rng.gauss(0, fresh))
    return numbers


SOURCES = {"independent": independent, "wide": independent, "overlap": overlap, "idle": idle,
           "phases": phases}


def lines(columns, step, half):
    yield "n3stat-recording 1"
    yield f"about window_ms {1000 * WINDOW}"
    yield "places system"
    yield "columns " + " ".join(f"general.m{i}" for i in range(len(columns)))
    for i in range(len(columns[0])):
        numbers = [column[i] for column in columns]
        yield f"t {100 + step * i:.3f}"
        yield "0 " + " ".join(
            "idle" if n is None else f"{n:.4f}:{n - half:.4f}:{n + half:.4f}:50:50"
            for n in numbers)
        yield "end"


def main():
    directory, source, shift = sys.argv[1], sys.argv[2], float(sys.argv[3])
    windows = [int(arg) for arg in sys.argv[4:]]
    rng = random.Random(1)
    # of the difference of the means; a third of the windows is idle
    busy = 2 / 3 if source == "idle" else 1
    deviation = math.sqrt(sum(1 / (n * busy) for n in windows))
    step = WINDOW / OVERLAP if source == "overlap" else WINDOW
    half = 1.96 if source == "wide" else 1.96 / 4
    for name, nr, offset in zip("ab", windows, (0, shift * deviation)):
        columns = [[n if n is None else 50 + offset + n for n in SOURCES[source](rng, nr)]
                   for _ in range(METRICS)]
        with open(f"{directory}/chance-{name}", "wb") as file:
            file.write(pack(lines(columns, step, half)))


if __name__ == "__main__":
    main()

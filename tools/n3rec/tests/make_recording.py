#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_recording.py [--cpus N] [--snapshots N] [--seed N]

Writes a recording, in the text format, of a machine with a plausible workload. The default
of 128 CPUs for two hours, about 320 MB, is the reference for the size and time of recordings.
Assumptions:

- A CPU is busy for phases of 5 to 300 s (log-uniform), each with its own levels, and idle for
  similar times in between, with words and varying coverage as values.
- Within a phase the true value of a metric drifts by 0.3 % per window.
- The error (half of the interval) of the four metrics of level 1, which are counted in every
  second slice, is 0.5 to 2 % of the value, that of the others 2 to 10 %. It is computed from
  about 64 slices, i.e. 4 windows of a group, or 256 and one window of level 1. So it has a
  relative error of 11 or 5 %, of which a quarter or all is new in each window. Half of the new
  part is common to the value and its estimate.
- The noise of a value has the size of its error (95 % lie within it). An estimate and its
  error are three times smaller.
- Interval and window are the same, so two snapshots do not share slices.
- Coverage and slices are the same for all metrics of a group at a place; both vary by about a
  slice.
- Nodes and the system have all groups and a tenth of a CPU's errors.
- Decimals as in the module: 4 of percent and MPKI, 6 of others; intervals are rounded
  outwards. 3 of 100 metrics have no interval for a phase, as it would be too wide.
"""
import argparse
import math
import random
import sys

sys.dont_write_bytecode = True
from make_tree import GROUPS, METRICS, decimals  # noqa: E402

TREE = ("Topdown_L1", "Topdown_Frontend", "Topdown_Backend", "General")
INTERVAL = 2


class Metric:
    """One metric of one group at one place."""
    def __init__(self, rng, group, name):
        unit = METRICS[name][1]
        self.rng = rng
        self.level_one = group == "Topdown_L1"
        self.percent = unit.startswith("percent")
        self.digits = decimals(unit)
        self.truth = self.error = 0.0
        self.noise, self.fresh = (0.05, 1.0) if self.level_one else (0.11, 0.25)
        self.known = True
        self.off = [0.0, 0.0]

    def begin(self, scale):
        self.truth = self.rng.uniform(1, 60) if self.percent else 10 ** self.rng.uniform(-1.5, 1)
        part = self.rng.uniform(0.005, 0.02) if self.level_one else self.rng.uniform(0.02, 0.1)
        self.error = part * scale
        self.known = self.rng.random() > 0.03

    def number(self, error, off):
        unit = 10.0 ** self.digits
        exact = self.truth + self.rng.gauss(0, 0.5) * error
        half = error * math.exp(off)
        return (int(exact * unit) / unit, math.floor((exact - half) * unit) / unit,
                math.ceil((exact + half) * unit) / unit)

    def step(self):
        """Relative deviations of the two errors from their true sizes."""
        both = self.rng.gauss(0, self.noise)
        for i in 0, 1:
            new = math.sqrt(0.5) * (both + self.rng.gauss(0, self.noise))
            self.off[i] = (math.sqrt(1 - self.fresh) * self.off[i] +
                           math.sqrt(self.fresh) * new)

    def cell(self, coverage):
        digits = self.digits
        self.truth *= 1 + self.rng.gauss(0, 0.003)
        self.step()
        error = abs(self.truth * self.error)
        value, low, high = self.number(error, self.off[0])
        if not self.known:
            return f"{value:.{digits}f}:-:-:{coverage}"
        estimate, elow, ehigh = self.number(error / 3, self.off[1])
        cell = f"{value:.{digits}f}:{low:.{digits}f}:{high:.{digits}f}"
        estimated = f"{estimate:.{digits}f}:{elow:.{digits}f}:{ehigh:.{digits}f}"
        return f"{cell}:{coverage}" + (f":{estimated}" if cell != estimated else "")


class Place:
    """Groups and the current phase of a place."""
    def __init__(self, rng, groups, cpu):
        self.rng = rng
        self.groups = [(name, [Metric(rng, name, m) for m in GROUPS[name][1]])
                       for name in groups]
        self.cpu = cpu
        self.left = 0.0
        self.busy = False

    def begin(self):
        self.busy = not self.cpu or not self.busy
        self.left = 5 * 60 ** self.rng.random()
        for _, metrics in self.groups:
            for metric in metrics:
                metric.begin(1 if self.cpu else 0.1)

    def coverage(self, group):
        slices = 250 if group == "Topdown_L1" else 17
        slices += self.rng.choice((-1, 0, 0, 1))
        return f"{slices * 0.2 * self.rng.uniform(0.99, 1.01):.2f}:{slices}"

    def row(self):
        if self.left <= 0:
            self.begin()
        self.left -= INTERVAL
        for group, metrics in self.groups:
            coverage = self.coverage(group)
            yield from (metric.cell(coverage) if self.busy else f"idle:-:-:{coverage}"
                        for metric in metrics)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cpus", type=int, default=128)
    parser.add_argument("--snapshots", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    groups = [*TREE, *(g for g in GROUPS if g not in TREE)]
    names = ["system", "node0", "node1", *(f"cpu{n}" for n in range(args.cpus))]
    places = [Place(rng, TREE if name.startswith("cpu") else groups, name.startswith("cpu"))
              for name in names]
    for place in places:
        place.busy = rng.random() < 0.5
        place.begin()
    columns = [f"{group.lower()}.{metric}" for group in groups for metric in GROUPS[group][1]]
    print(f"n3stat-recording 1\nabout interval {INTERVAL}\nabout window_ms {1000 * INTERVAL}\n"
          f"about pmu n3_sim\nabout simulated 1\nplaces {' '.join(names)}\n"
          f"columns {' '.join(columns)}")
    for number in range(args.snapshots):
        print(f"t {1763772001.125 + number * INTERVAL + rng.uniform(0, 0.002):.3f}")
        for i, place in enumerate(places):
            print(i, *place.row())
        print("end")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What the library infers from moments is what the module prints from the same memory.

Each line of quality/ of every metric and the bottleneck, byte for byte, of a CPU and of four,
for varied workloads and budgets of 2, 4, 6 and 20 counters, with and without anchors.

    moments_test.py [WINDOWS [SEED]]
"""
import os
import random
import subprocess
import sys
import tempfile

import workload
from intervals import SHORT_SLICE, WINDOW, make_slices
from workload import FORMULAS, MS, OUTPUT, START, Tap, answers, by_length, side_by_side, varied

INFER = os.environ.get("INFER") or os.path.join(OUTPUT, "infer")
CPUS = 4
CASES = ((2, "none"), (4, "auto"), (6, "auto"), (6, "none"), (6, "INST_RETIRED,L1D_CACHE"), (20, "auto"))
tap = Tap()


def inferred(directory, place):
    run = subprocess.run([INFER, directory, place], stdout=subprocess.PIPE, text=True, check=True)
    lines = run.stdout.splitlines()
    return ([line for line in lines if " value=" in line and line.split()[0] in FORMULAS],
            [line for line in lines if " value=" not in line and line[0] != "#"])


def one(budget, anchors, windows, seed):
    """Lines compared and lines that differ."""
    workload.BUDGET = budget
    works = list(varied(random.Random(seed), 2 * windows * WINDOW / MS))
    metrics = list(FORMULAS)
    cpus = []
    for nr in range(CPUS):
        _, phases, options = works[(seed + 5 * nr) % len(works)]
        cpus.append(make_slices(phases, windows, seed + nr, SHORT_SLICE, {"noise": 0.05, **options},
                                anchors))
    compared, different = 0, []
    with tempfile.TemporaryDirectory() as top:
        lines, questions = [], []
        for until in range(START + WINDOW, START + windows * WINDOW + 1, WINDOW):
            for nr, cpu in enumerate(cpus):
                lines += cpu.lines(until, nr)
            path = os.path.join(top, str(len(questions)))
            os.mkdir(path)
            questions.append(path)
            window = f"{until - WINDOW} {until}"
            lines += [f"q {window} {' '.join(metrics)}", f"b {window}",
                      f"a {window} {' '.join(metrics)}", f"m {window} {path}"]
        replies = iter(answers(lines, CPUS, anchors))
        for path in questions:
            of_cpu, path_of_cpu = inferred(path, "cpu0")
            of_all, _ = inferred(path, "system")
            for found in of_cpu, path_of_cpu, of_all:
                mine = ([next(replies) for _ in metrics] if found is not path_of_cpu else
                        next(replies).rstrip(";").split(";"))
                compared += len(mine)
                if len(found) != len(mine):
                    different.append(f"{len(found)} lines, not {len(mine)}")
                different += [f"{a} / {b}" for a, b in zip(sorted(mine), sorted(found)) if a != b]
    return compared, different


def main():
    windows = int(sys.argv[1]) if len(sys.argv) > 1 else by_length(10, 200)
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    for (budget, anchors), (compared, different) in zip(
            CASES, side_by_side(one, [(*case, windows, seed + 10 * nr)
                                      for nr, case in enumerate(CASES)])):
        tap.check(compared > 0 and not different,
                  f"{budget} counters, anchors {anchors}: {compared} lines are the module's")
        for line in different[:5]:
            print(f"# {line}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

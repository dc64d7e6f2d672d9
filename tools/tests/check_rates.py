#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Compares frequency and instructions per second with exact arithmetic.

check_rates.py LIBRARY DIR

LIBRARY is the program of library.c, DIR is for files. The totals are random ones, some near
2^64; CPUs lack files or keys, are idle, were sampled for none of the time, or started again.
Simulated counts have no frequency.
"""
import math
import os
import random
import subprocess
import sys
from fractions import Fraction

ROUNDS = 40
WRAP = 2**64
KEYS = ("start_ns", "sampled_ns", "dropped_ns", "yielded_ns", "off_ns", "cycles_total",
        "ipc_numerator_total", "ipc_denominator_total")
FILES = {"time": KEYS[:6], "general": KEYS[6:]}


def write(path, totals, lacking):
    for name, keys in FILES.items():
        if name in lacking:
            continue
        os.makedirs(f"{path}/counters", exist_ok=True)
        with open(f"{path}/counters/{name}", "w", encoding="ascii") as out:
            out.writelines(f"{key} {totals[key]}\n" for key in keys if key not in lacking)


def make_cpu(rng):
    """Totals before, growth, what is lacking, utilisation in percent."""
    before = {key: rng.choice((rng.randrange(2**40), WRAP - rng.randrange(1, 2**40)))
              for key in KEYS}
    growth = {key: rng.randrange(1, 2**41) for key in KEYS}
    growth["start_ns"] = 0
    for key in ("dropped_ns", "yielded_ns", "off_ns"):
        growth[key] = rng.choice((0, growth[key]))
    odd = rng.random()
    lacking = ()
    if odd < 0.1:
        growth[rng.choice(("sampled_ns", "cycles_total", "ipc_denominator_total"))] = 0
    elif odd < 0.15:
        growth["cycles_total"] = -1
    elif odd < 0.2:
        growth["start_ns"] = 1
    elif odd < 0.3:
        lacking = (rng.choice(("time", "general") + KEYS),)
    elif odd < 0.5:
        # ran briefly, not in a slice that counts instructions
        growth["cycles_total"] = rng.randrange(1, 2**36)
        growth["ipc_denominator_total"] = 0
    busy = rng.choice((0.0, 0.5, 1.0, 100.0, round(rng.uniform(0, 100), 3), math.nan))
    return before, growth, lacking, busy


def speed(growth, lacking, elapsed):
    """Exact cycles and instructions per second, None if unknown."""
    if set(lacking) & {"time", *FILES["time"]} or growth["start_ns"]:
        return None, None
    if growth["cycles_total"] <= 0 or not growth["sampled_ns"]:
        return None, None
    passed = sum(growth[key] for key in ("sampled_ns", "dropped_ns", "yielded_ns", "off_ns"))
    seconds = Fraction(growth["sampled_ns"], 10**9)
    if elapsed:
        seconds = Fraction(elapsed) * growth["sampled_ns"] / passed
    cycles = growth["cycles_total"] / seconds
    if set(lacking) & {"general", *FILES["general"]} or not growth["ipc_denominator_total"]:
        return cycles, None
    ipc = Fraction(growth["ipc_numerator_total"], growth["ipc_denominator_total"])
    return cycles, ipc * cycles


def expected(cpus, elapsed, simulated):
    speeds = [(*speed(growth, lacking, elapsed), busy) for _, growth, lacking, busy in cpus]
    lines = []
    for cycles, instructions, busy in speeds:
        known = cycles is not None and busy >= 1
        lines.append((cycles / 10**9 / (Fraction(busy) / 100) if known else None, instructions))
    busy_ones = [(cycles, Fraction(busy) / 100) for cycles, _, busy in speeds
                 if cycles is not None and busy >= 1]
    ghz = None
    if busy_ones:
        ghz = sum(cycles for cycles, _ in busy_ones) / 10**9 / sum(busy for _, busy in busy_ones)
    if simulated:
        ghz = None
        lines = [(None, instructions) for _, instructions in lines]
    lacks = any(cycles is None and busy >= 1 for cycles, _, busy in speeds)
    cycles = sum(cycles for cycles, _, _ in speeds if cycles is not None)
    counted = [(cycles, instructions) for cycles, instructions, _ in speeds
               if instructions is not None]
    of_counted = sum(cycles for cycles, _ in counted)
    instructions = None
    # CPUs with at most 5 % of the cycles may lack instructions
    if counted and not lacks and 20 * (cycles - of_counted) <= cycles:
        instructions = sum(instructions for _, instructions in counted) * cycles / of_counted
    return [(ghz, instructions)] + lines


def same(got, wanted):
    if wanted is None:
        return got == "nan"
    return got != "nan" and abs(Fraction(float(got)) - wanted) <= abs(wanted) * Fraction(1, 10**13)


def main():
    library, directory = sys.argv[1:]
    rng = random.Random(1)
    known = [0, 0]
    completed = 0
    for i in range(ROUNDS):
        cpus = [make_cpu(rng) for _ in range(rng.randrange(1, 9))]
        elapsed = rng.choice((None, 0.25, 3.5))
        simulated = rng.choice((None, 0, 0, 1))
        top = f"{directory}/{i}"
        for cpu, (before, growth, lacking, _) in enumerate(cpus):
            after = {key: (before[key] + growth[key]) % WRAP for key in KEYS}
            os.makedirs(f"{top}/before/cpu{cpu}")
            os.makedirs(f"{top}/after/cpu{cpu}")
            write(f"{top}/before/cpu{cpu}", before, lacking)
            write(f"{top}/after/cpu{cpu}", after, lacking)
        if simulated is not None:
            for when in ("before", "after"):
                with open(f"{top}/{when}/spec", "w", encoding="ascii") as out:
                    out.write(f"pmu n3_sim\nsimulated {simulated}\n")
        text = "".join(f"{cpu} {busy}\n" for cpu, (_, _, _, busy) in enumerate(cpus))
        out = subprocess.run([library, "rates", f"{top}/before", f"{top}/after",
                              str(elapsed or math.nan)], input=text, check=True,
                             capture_output=True, text=True).stdout
        got = [line.split()[1:] for line in out.splitlines()]
        wanted = expected(cpus, elapsed, simulated == 1)
        assert len(got) == len(wanted), out
        completed += wanted[0][1] is not None and any(exact[1] is None for exact in wanted[1:])
        for numbers, exact in zip(got, wanted):
            assert all(map(same, numbers, exact)), (i, numbers, [x and float(x) for x in exact])
            for k in (0, 1):
                known[k] += exact[k] is not None
    assert min(known) > ROUNDS and completed, (known, completed)


if __name__ == "__main__":
    main()

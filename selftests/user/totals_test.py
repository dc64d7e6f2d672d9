#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# on: test-long
"""Totals of made-up CPUs, computed by the module's units, and exact fractions.

Expanded cycles: a set with one of 30 slices stands for all 30. On CPUs that sleep at random,
and whose slices max_cost lengthens, the cycles expanded from each set differ from those of
all slices by chance. A set has one slice of each rotation at a random place, so the variance
of that is known: the spread. It is about the variation of slices in a rotation divided by the
root of the set's slices. Errors must be within the spread like those of a normal
distribution, and be as large.

Fleets: machines with 5, 6 and 20 counters and with one group, added up, have the value of all
their counts, counted or not, within 0.1 %. Phases of their work last a hundred seconds: only
rotations in which the phase changes have an error.

All totals begin at 2^64 - 2^40, and wrap.

    totals_test.py [SEED]
"""
import collections
import math
import os
import random
import re
import subprocess
import sys
from fractions import Fraction

from workload import (BRANCHY, CALM, FORMULAS, L1, MEMORY, MS, OUTPUT, START, Tap, issue,
                      side_by_side)

PROGRAM = os.path.join(OUTPUT, "totals_eval")
LATE = 2**64 - 2**40
TOPDOWN_L1 = ("frontend_bound", *L1)
WITHOUT_PARTS = ("ll_cache_read_hit_ratio", *TOPDOWN_L1)
SLICE_MS, MAX_COST = 4, 2000    # defaults
CPUS = 4                        # of each workload and number of counters
MIN_ROTATIONS = 1000
ROTATIONS = {5: 42, 6: 30, 20: 6}   # slices, by number of counters
MAX_ERROR = 4.5

Plan = collections.namedtuple("Plan", "budget groups sets home")
Slice = collections.namedtuple("Slice", "start end chosen")


def run(arguments, lines):
    return subprocess.run([PROGRAM, *map(str, arguments)], input="\n".join(lines) + "\n",
                          stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def take_slices(budget, groups, seed, schedule):
    """Plan and slices, whole rotations only. schedule: (busy_ns, idle_ns, cost_ns) in turn."""
    lines = [f"{busy} {idle} {cost}" for busy, idle, cost in schedule]
    rows = [line.split() for line in run(["slices", budget, groups, seed, SLICE_MS, MAX_COST],
                                         lines)]
    sets = [["CPU_CYCLES"] + row[1:] for row in rows if row[0] == "set"]
    home = {row[1]: int(row[2]) for row in rows if row[0] == "home" and row[2] != "-1"}
    plan, slices, start = Plan(budget, groups, sets, home), [], START
    for _, end, chosen in (row for row in rows if row[0] == "slice"):
        slices.append(Slice(start, int(end), int(chosen)))
        start = int(end)
    return plan, slices[:len(slices) // rotation(plan) * rotation(plan)]


def rotation(plan):
    """Slices until every set had its turn: Topdown_L1 has half of them, others one each."""
    others = len(plan.sets) - ("retiring" in plan.home)
    return others if others == len(plan.sets) else max(2 * others, 1)


def totals(plan, slices, counts, runs=2):
    """Totals of a CPU since the start, which are those of several runs."""
    lines = []
    for nr, (taken, count) in enumerate(zip(slices, counts)):
        if nr and nr % (len(slices) // runs) == 0:
            lines.append("r")
        lines.append(f"s {taken.end} {taken.end - taken.start} {taken.chosen} {count}")
    rows = (line.split() for line in run(["totals", plan.budget, plan.groups, LATE], lines))
    return {key: (int(number) - LATE) % 2**64 for key, number in rows}


# expanded cycles

def exponential(rng, mean_ms):
    return int(rng.expovariate(1 / mean_ms) * MS)


def heavy_tailed(rng, least_ms):
    return int(min(least_ms * rng.paretovariate(1.5), 2000) * MS)


def steady(rng):
    yield 20 * MS, 0, 3000


def sleeps(rng):
    yield exponential(rng, 2), exponential(rng, 2), 3000


def mostly_idle(rng):
    yield exponential(rng, 1), heavy_tailed(rng, 8), 3000


def lengthened(rng):
    cost = rng.choice((4000, 20000, 40000, 100000))
    for _ in range(rng.randint(10, 200)):
        yield 20 * MS, 0, cost


def idle_and_lengthened(rng):
    cost = rng.choice((4000, 20000, 40000, 100000))
    for _ in range(rng.randint(10, 200)):
        yield exponential(rng, 10), heavy_tailed(rng, 3), cost


# name, parts of the schedule, length of slices in the mean
WORKLOADS = (
    ("busy", steady, 4),
    ("sleeps of 2 ms", sleeps, 6),
    ("mostly idle", mostly_idle, 25),
    ("slices lengthened by max_cost", lengthened, 22),
    ("idle, slices lengthened", idle_and_lengthened, 33),
)


def make_schedule(rng, parts, length_ms):
    schedule, now = [], 0
    while now < length_ms * MS:
        for busy, idle, cost in parts(rng):
            schedule.append((max(busy, 1), idle, cost))
            now += busy + idle
    return schedule


def cycles_of(rng, schedule, slices):
    """Cycles of each slice: at a clock of 1 to 3 GHz while busy, which changes at random."""
    found, cycles, begin, at = [], 0, START, 0
    for busy, idle, _ in schedule:
        mhz = rng.randint(1000, 3000)
        while at < len(slices) and slices[at].end < begin + busy:
            found.append(cycles + (slices[at].end - begin) * mhz // 1000)
            at += 1
        cycles += busy * mhz // 1000
        begin += busy + idle
    return [after - before for before, after in zip([0] + found, found)]


def variance(cycles, length):
    """Of the sum expanded from one random slice of each length slices."""
    total = 0
    for first in range(0, len(cycles), length):
        stratum = cycles[first:first + length]
        mean = sum(stratum) / length
        total += length * math.fsum((value - mean)**2 for value in stratum)
    return total


def of_sets(plan, found):
    """Cycles expanded from each set. Every event counts them."""
    expanded = {0: Fraction(found["slots"], 5)} if "slots" in found else {}
    for metric, home in plan.home.items():
        if metric not in WITHOUT_PARTS and metric in FORMULAS:
            text = FORMULAS[metric].text.split(" / ")[1]
            below = len(re.findall(r"[A-Z][A-Z0-9_]*", text))
            cycles = Fraction(found[f"{metric}_denominator"], below)
            if expanded.setdefault(home, cycles) != cycles:
                raise ValueError(f"{metric} expands to other cycles than its set")
    return expanded


# errors, in spreads, of each rare set, and of Topdown_L1 and all rare sets together
Expanded = collections.namedtuple("Expanded", "rare together slices spread longest exact")


def expand(budget, seed, parts, length_ms):
    rng = random.Random(seed)
    schedule = make_schedule(rng, parts, length_ms)
    plan, slices = take_slices(budget, "all", seed, schedule)
    cycles = cycles_of(rng, schedule, slices)
    found = totals(plan, slices, [" ".join([str(value)] * len(plan.sets[taken.chosen]))
                                  for taken, value in zip(slices, cycles)])
    true, length = sum(cycles), rotation(plan)
    of_rare, of_pairs = (math.sqrt(variance(cycles, slots)) or 1e-9 for slots in (length, 2))
    expanded = of_sets(plan, found)
    if set(expanded) != set(range(len(plan.sets))):
        raise ValueError("a set has no metric")
    l1 = expanded.pop(0)
    rare = [float((value - true) / Fraction(of_rare)) for value in expanded.values()]
    together = [float((value - true) / Fraction(of_pairs))
                for value in (l1, sum(expanded.values()) / len(expanded))]
    exact = (found["cycles"] == true and
             found["sampled_ns"] == slices[-1].end - START and not found["dropped_ns"])
    return Expanded(rare, together, len(slices) // length, of_rare / true,
                    max(taken.end - taken.start for taken in slices), exact)


def expand_cpus(budget, workload, seed):
    name, parts, slice_ms = WORKLOADS[workload]
    length_ms = 1.3 * MIN_ROTATIONS * ROTATIONS[budget] * slice_ms
    return name, budget, [expand(budget, seed + nr, parts, length_ms) for nr in range(CPUS)]


def report_expanded(tap, name, budget, cpus):
    rare = [error for cpu in cpus for error in cpu.rare]
    worst = max(map(abs, rare + [error for cpu in cpus for error in cpu.together]))
    fewest = min(cpu.slices for cpu in cpus)
    tap.check(worst < MAX_ERROR and all(cpu.exact for cpu in cpus) and fewest >= MIN_ROTATIONS,
              f"{budget} counters, {name}: cycles expanded from {len(rare)} sets differ from all "
              f"cycles by less than {MAX_ERROR} times the spread ({worst:.1f} times; the spread is "
              f"{100 * max(cpu.spread for cpu in cpus):.2f} % or less at {fewest} slices or more, "
              f"of up to {max(cpu.longest for cpu in cpus) / MS:.0f} ms)")
    return rare


# fleets

Machine = collections.namedtuple("Machine", "plan rotations found true")

PHASE_MS = 100000
MACHINES = ((5, "all"), (6, "all"), (20, "all"), (6, "Branch_Effectiveness"), (6, "Topdown_L1"))


def make_kinds(rng):
    """Three kinds of work, as counts of each event per ms."""
    events = sorted({event for formula in FORMULAS.values() for event in formula.events})
    kinds = []
    for rates in (CALM, MEMORY, BRANCHY):
        kind = {event: round(rates.get(event, rng.uniform(1e8, 1e9)) / 1000) for event in events}
        kind["DSB_SPEC"] //= 100
        kind["STALL_SLOT"] = kind["STALL_SLOT_FRONTEND"] + kind["STALL_SLOT_BACKEND"]
        kinds.append(kind)
    return kinds


def ms_of_kinds(rng, length_ms):
    """The kind of each ms."""
    found = []
    while len(found) < length_ms:
        found += [rng.randrange(3)] * max(1000, int(rng.expovariate(1 / PHASE_MS)))
    return found[:length_ms]


def make_machine(budget, groups, seed, length_ms):
    rng = random.Random(f"{budget} {groups} {seed}")
    kinds, kind_at = make_kinds(rng), ms_of_kinds(rng, length_ms)
    plan, slices = take_slices(budget, groups, seed, [(length_ms * MS, 0, 0)])
    known, lines, true = {}, [], [0] * 3
    for taken in slices:
        span = kind_at[(taken.start - START) // MS:(taken.end - START) // MS]
        key = taken.chosen, *(span.count(kind) for kind in range(3))
        if key not in known:
            known[key] = " ".join(str(sum(ms * kind[event] for ms, kind in zip(key[1:], kinds)))
                                  for event in plan.sets[taken.chosen])
        lines.append(known[key])
        true = [a + b for a, b in zip(true, key[1:])]
    counts = {event: sum(ms * kind[event] for ms, kind in zip(true, kinds)) for event in kinds[0]}
    return Machine(plan, len(slices) // rotation(plan), totals(plan, slices, lines), counts)


def quotient(metric, found):
    """The metric from its parts' totals."""
    factor = re.search(r"(?: \* (\d+))?$", FORMULAS[metric].text)[1]
    above = found[f"{metric}_numerator"] - found.get(f"{metric}_subtrahend", 0)
    return Fraction(above, found[f"{metric}_denominator"]) * int(factor or 1)


def shares(found):
    """The metrics of Topdown_L1 from its totals, as the ABI file describes them."""
    slots = found["slots"]
    flush = Fraction(found["frontend_flush_slots"], slots)
    busy = 1 - Fraction(found["stall_slots"], slots)
    useful = Fraction(found["ops_retired"], found["ops_speculated"])
    return {"frontend_bound": 100 * (Fraction(found["frontend_stall_slots"], slots) - flush),
            "backend_bound": 100 * Fraction(found["backend_stall_slots"], slots),
            "bad_speculation": 100 * (busy * (1 - useful) + flush),
            "retiring": 100 * busy * useful}


def add_up(dictionaries):
    total = collections.Counter()
    for one in dictionaries:
        total.update(one)
    return total


def truth(metric, counts):
    formula = FORMULAS[metric]
    return formula.of([Fraction(counts[event]) for event in formula.events])


def check_fleet(tap, machines):
    """Each metric over the machines that count it."""
    errors = {}
    for metric in FORMULAS:
        mine = [machine for machine in machines if metric in machine.plan.home]
        found = add_up(machine.found for machine in mine)
        if metric in TOPDOWN_L1:
            value = shares(found)[metric]
        elif metric not in WITHOUT_PARTS:
            value = quotient(metric, found)
        else:
            continue
        errors[metric] = abs(float(value / truth(metric, add_up(m.true for m in mine)) - 1))
    worst = max(errors, key=errors.get)
    fewest = min(machine.rotations for machine in machines)
    good = errors[worst] < 0.001 and len(errors) == len(FORMULAS) - 1
    tap.check(good and fewest >= MIN_ROTATIONS,
              f"{len(errors)} metrics over machines with 5, 6 and 20 counters and one group are "
              f"the true values to 0.1 % ({100 * errors[worst]:.3f} % at most, of {worst}; "
              f"{fewest} rotations or more)")


def check_weights(tap):
    """Machines with equal load: everything and 20 %, one group and 60 %."""
    metric, kept = "l1d_cache_miss_ratio", 100 * ROTATIONS[6]
    found, raw = [], []
    for groups, refills in (("all", 20), ("L1D_Cache_Effectiveness", 60)):
        plan, slices = take_slices(6, groups, 1, [(SLICE_MS * MS * kept + 1, 0, 0)])
        counts = {"CPU_CYCLES": 1000, "L1D_CACHE": 100, "L1D_CACHE_REFILL": refills,
                  "STALL_SLOT": 2 * 50}
        issue(counts)
        lines = [" ".join(str(counts.get(event, 50)) for event in plan.sets[taken.chosen])
                 for taken in slices]
        found.append(totals(plan, slices, lines))
        mine = sum(taken.chosen == plan.home[metric] for taken in slices)
        raw.append({"numerator": refills * mine, "denominator": 100 * mine})
    value, raw = quotient(metric, add_up(found)), add_up(raw)
    tap.check(value == Fraction(2, 5), f"machines that count 20 % and 60 % have {value} together")
    raw = Fraction(raw["numerator"], raw["denominator"])
    tap.check(raw == Fraction(91, 155), f"raw counts would have {float(raw):.3f}")


def main():
    seed, tap = int(sys.argv[1]) if len(sys.argv) > 1 else 30, Tap()
    print(f"# seed {seed}")
    errors = []
    jobs = [(budget, nr, 1000 * (seed + nr)) for budget in ROTATIONS
            for nr in range(len(WORKLOADS))]
    for name, budget, cpus in side_by_side(expand_cpus, jobs):
        errors += report_expanded(tap, name, budget, cpus)
    errors = [error for error in errors if error]
    size = math.sqrt(math.fsum(error**2 for error in errors) / len(errors))
    within = sum(abs(error) < 1.96 for error in errors) / len(errors)
    tap.check(0.85 < size < 1.15 and 0.92 < within < 0.98,
              f"errors are as large as the spread ({size:.2f} times, 95 % interval holds in "
              f"{100 * within:.1f} % of {len(errors)})")
    jobs = [(*kind, seed, 6 * PHASE_MS) for kind in MACHINES]
    check_fleet(tap, list(side_by_side(make_machine, jobs)))
    check_weights(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

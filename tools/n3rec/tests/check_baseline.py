#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Recordings of known values, and the expected contents of their baseline.

check_baseline.py record N3STAT DIR NR	writes NR recordings DIR/1.rec ... of one snapshot
					each, and their values to DIR/values.json
check_baseline.py check DIR NR FILE	compares a baseline of the first NR with the values
check_baseline.py table FILE		compares n3stat baseline FILE on stdin with the file

Percentiles are computed with fractions, by statistics.quantiles() where possible.
"""
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from fractions import Fraction

PLACES = {"cpu": ["cpu0", "cpu1", "cpu7"], "node": ["node0", "node1"], "system": ["system"]}
FILES = {"topdown_l1": ["frontend_bound", "backend_bound", "bad_speculation", "retiring"],
         "general": ["ipc"], "mpki": ["branch_mpki", "dtlb_mpki"]}
PERCENTS = (1, 5, 25, 50, 75, 95, 99)
WINDOW_MS = 10


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as out:
        out.write(text)


def make_snapshot(tree, rng):
    """The estimates by place and metric; None for a word."""
    values = {}
    for places in PLACES.values():
        for place in places:
            values[place] = {}
            for file, metrics in FILES.items():
                flat = quality = ""
                for metric in metrics:
                    value = f"{rng.uniform(0, 90) ** 2 / 90:.4f}"
                    # only every fourth dtlb_mpki is a number
                    if metric == "dtlb_mpki" and rng.randrange(4):
                        value = "idle"
                    other = value if value == "idle" else f"{float(value) + 5:.4f}"
                    flat += f"{metric} {other}\n"
                    quality += (f"{metric} value={other} low=none high=none coverage=9.00 "
                                f"slices=3 estimate={value}\n")
                    values[place][metric] = None if value == "idle" else value
                write(f"{tree}/{place}/{file}", flat)
                write(f"{tree}/{place}/quality/{file}", quality)
    return values


def record(n3stat, directory, nr):
    rng = random.Random(5)
    tree = f"{directory}/tree"
    write(f"{tree}/window_ms", f"{WINDOW_MS}\n")
    write(f"{tree}/spec", "pmu armv8_pmuv3_0\n")
    snapshots = []
    for i in range(1, nr + 1):
        snapshots.append(make_snapshot(tree, rng))
        # at least a window apart
        time.sleep(1.5 * WINDOW_MS / 1000)
        subprocess.run([n3stat, "-r", tree, "record", "-q", "-g", "all", "--per", "cpu", "--per",
                        "node", "--per", "system", "-o", f"{directory}/{i}.rec", "1", "1"],
                       check=True)
    write(f"{directory}/values.json", json.dumps(snapshots))


def percentile(numbers, percent):
    numbers = sorted(Fraction(n) for n in numbers)
    position = Fraction(percent * (len(numbers) - 1), 100)
    low = int(position)
    if low + 1 == len(numbers):
        return numbers[low]
    result = numbers[low] + (numbers[low + 1] - numbers[low]) * (position - low)
    assert result == statistics.quantiles(numbers, n=100, method="inclusive")[percent - 1]
    return result


def check_metric(of, snapshots, places, metric):
    numbers = [s[p][metric] for s in snapshots for p in places if s[p][metric]]
    independent = sum(any(s[p][metric] for p in places) for s in snapshots)
    assert of["values"] == len(numbers), (metric, of, len(numbers))
    assert of["independent"] == independent, (metric, of, independent)
    wanted = {f"p{p}" for p in PERCENTS if independent * min(p, 100 - p) >= 100}
    assert set(of["percentiles"]) == wanted, (metric, of, wanted)
    for name in wanted:
        want = percentile(numbers, int(name[1:]))
        assert abs(of["percentiles"][name] - want) <= abs(want) * Fraction(1, 10 ** 8), \
            (metric, name, of, float(want))
    return len(wanted)


def check(directory, nr, path):
    snapshots = json.load(open(f"{directory}/values.json", encoding="ascii"))[:nr]
    baseline = json.load(open(path, encoding="ascii"))
    about = {key: baseline[key] for key in baseline if key != "scopes"}
    assert about == {"format": "n3stat-baseline", "version": 1, "hosts": [], "kernels": [],
                     "pmus": ["armv8_pmuv3_0"], "simulated": False, "recordings": nr,
                     "window_ms": WINDOW_MS}, about
    assert set(baseline["scopes"]) == set(PLACES)
    checked = 0
    for scope, places in PLACES.items():
        of = baseline["scopes"][scope]
        assert (of["places"], of["snapshots"], of["independent"]) == (len(places), nr, nr), scope
        assert set(of["metrics"]) == {m for s in snapshots for p in places for m in s[p] if s[p][m]}
        for metric, values in of["metrics"].items():
            checked += check_metric(values, snapshots, places, metric)
    print(checked, "percentiles")


def check_table(path):
    baseline = json.load(open(path, encoding="ascii"))
    scope, rows = None, 0
    for line in sys.stdin:
        title = re.match(r"(\d+) (CPU|node|system)s?, (\d+) snapshots?, (\d+) independent$", line)
        if title:
            scope = baseline["scopes"][title.group(2).lower()]
            assert [scope[k] for k in ("places", "snapshots", "independent")] == \
                [int(title.group(i)) for i in (1, 3, 4)], line
            continue
        words = line.split()
        if not scope or not words or words[0] not in scope["metrics"]:
            continue
        metric = scope["metrics"][words[0]]
        for percent, word in zip(PERCENTS, words[1:8]):
            want = metric["percentiles"].get(f"p{percent}")
            assert word == "-" if want is None else \
                abs(float(word) - want) <= 0.51 * 10 ** -len(word.split(".")[1]), line
        assert int(words[8]) == metric["independent"], line
        rows += 1
    assert rows == sum(len(s["metrics"]) for s in baseline["scopes"].values()), rows


def main():
    what, *args = sys.argv[1:]
    if what == "record":
        record(args[0], args[1], int(args[2]))
    elif what == "check":
        check(args[0], int(args[1]), args[2])
    else:
        check_table(args[0])


main()

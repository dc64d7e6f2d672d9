#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Checks the shares of threads in n3stat --json.

check_who.py made    the named processes of make_proc.py, by its numbers
check_who.py rounds NAME...    the same for the sum of all rounds
check_who.py recording FILE NAME...    the same in the last of two snapshots
check_who.py live LOG...    processes of busy_process.py, by their logs
"""
import json
import sys

import recording_read

# CPU time of the processes of make_proc.py on each CPU, in ms
RAN = {
    "100": {0: 600 + 200, 1: 200 + 100, 2: 300 + 200, 3: 30},
    "children": {3: 40 + 25},
    "200": {1: 700},
    "children200": {3: 45},
    "many": {0: 250, 1: 250, 2: 250, 3: 250},
    "fast": {0: 1000000},
}
DOUBT = {"100": {0: 200, 1: 200}}
# percent: busy, idle, steal
STAT = {0: (50, 50, 0), 1: (20, 60, 20), 2: (0, 100, 0), 3: (100, 0, 0)}

bad = []


def same(what, expected, found, by):
    if found is None or abs(expected - found) > by:
        bad.append(f"{what}: {found}, not {expected}")


def total(table, names):
    ran = {}
    for name in names:
        for cpu, ms in table.get(name, {}).items():
            ran[cpu] = ran.get(cpu, 0) + ms
    return ran


def check_made(data, names):
    ran, doubt = total(RAN, names), total(DOUBT, names)
    percent = 0.1 / data["who"]["seconds"]
    order = sorted(ran, key=lambda cpu: (-ran[cpu], cpu))
    if [p["id"] for p in data["places"]] != order:
        bad.append(f"places {[p['place'] for p in data['places']]}, not CPUs {order}")
    for place in data["places"]:
        cpu = place["id"]
        theirs = min(100, ran.get(cpu, 0) * percent)
        busy, idle, steal = STAT[cpu]
        # seconds have three decimals, percent one
        same(f"theirs of {cpu}", theirs, place["theirs"], 0.1)
        same(f"others of {cpu}", max(0, busy - theirs), place["others"], 0.1)
        same(f"doubt of {cpu}", doubt.get(cpu, 0) * percent, place["doubt"], 0.1)
        same(f"busy of {cpu}", busy, place["busy"], 0.051)
        same(f"idle of {cpu}", idle, place["idle"], 0.051)
        same(f"steal of {cpu}", steal, place["steal"], 0.051)
    same("ran", sum(ran.values()) / 1000, data["who"]["ran"], 0.0011)
    same("waited", 0.25 if "100" in names else 0, data["who"]["waited"], 0.0011)
    same("moves", 1 if "100" in names else 0, data["who"]["moves"], 0)


def check_rounds(rounds, names):
    ran = total(RAN, names)
    for cpu, ms in ran.items():
        found = sum(p["theirs"] / 100 * data["who"]["seconds"]
                    for data in rounds for p in data["places"] if p["id"] == cpu)
        # percent has one decimal, and changes fall in a few rounds
        same(f"theirs of {cpu}", ms / 1000, found, 0.004 * len(rounds))
    same("ran", sum(ran.values()) / 1000, sum(data["who"]["ran"] for data in rounds),
         0.0005 * len(rounds) + 1e-9)


def check_recording(name, names):
    recording = recording_read.Recording(name)
    first, last = recording.snapshots()
    if any("rates.theirs" in row for row in first["rows"].values()):
        bad.append("the first snapshot has times, but none is before it")
    ran, seconds = total(RAN, names), last["time"] - first["time"]
    theirs = {place: float(row["rates.theirs"]["value"]) for place, row in last["rows"].items()}
    cpus = [ran.get(cpu, 0) / seconds / 10 for cpu in range(4)]
    places = {f"cpu{cpu}": percent for cpu, percent in enumerate(cpus)}
    places["system"] = sum(cpus) / 4
    if list(places) != sorted(theirs):
        bad.append(f"places {list(theirs)}")
    for place, percent in places.items():
        # the time of a snapshot is a little later than that of its processes
        same(f"theirs of {place}", percent, theirs.get(place), 0.05 + percent * 0.02)


def cpu_time(log, when):
    """Interpolates between the two lines around that time."""
    for (t0, c0), (t1, c1) in zip(log, log[1:]):
        if t0 <= when <= t1:
            return c0 + (c1 - c0) * (when - t0) / (t1 - t0)
    raise ValueError(f"the log does not reach {when}")


def check_live(data, logs):
    seconds = data["who"]["seconds"]
    expected = 0
    for name in logs:
        with open(name, encoding="ascii") as lines:
            log = [tuple(map(float, line.split())) for line in lines if line.endswith("\n")]
        expected += cpu_time(log, data["time"]) - cpu_time(log, data["time"] - seconds)
    theirs = sum(p["theirs"] for p in data["places"]) * seconds / 100
    # A tick of up to 10 ms at each end, and a few ms of both times; out of a second.
    by = 0.03 * expected + 0.05 * len(logs)
    same("ran", expected, data["who"]["ran"], by)
    same("theirs, all CPUs together", expected, theirs, by)
    print(f"# n3stat: {data['who']['ran']:.3f} s, by their own clocks {expected:.3f} s",
          file=sys.stderr)


def main():
    if sys.argv[1] == "recording":
        check_recording(sys.argv[2], sys.argv[3:])
        sys.exit("\n".join(bad) or 0)
    rounds = [json.loads(line) for line in sys.stdin if line.endswith("\n")]
    if sys.argv[1] == "made":
        check_made(rounds[0], sys.argv[2:])
    elif sys.argv[1] == "rounds":
        check_rounds(rounds, sys.argv[2:])
    else:
        check_live(rounds[0], sys.argv[2:])
    for line in bad:
        print(line)
    sys.exit(bool(bad))


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Cgroups with known counts for n3stat containers, in nine steps, and the check of its output.

    containers.py step DIR [OPTION...]      the tree at its next step, in DIR
    containers.py check DIR JSON [OPTION...]        prints what differs
    containers.py table DIR TEXT [OPTION...]        the same of a table

OPTION: few, noisy (ssh.service), uncovered, evicted, other, dropped; unified (both versions).
"""
import json
import os
import random
import shutil
import sys

from make_tree import write
from pieces_test import METRICS, SLOTS, jackknife

PARTS = 8
ID = "4d5e6f7a8b9c" + 52 * "0"
UID = "3f2a9c1e-1111-2222-3333-444455556666"
POD = f"pod{UID.replace('-', '_')}.slice"
USER = "/user.slice/user-1000.slice"
# name of the row, its directory, others that it includes
ROWS = (
    ("(kernel)", "/", ()),
    ("pod-3f2a9c1e/4d5e6f7a8b9c", "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-"
     f"{POD}/cri-containerd-{ID}.scope", ("/child", "/child/leaf", "/.hidden")),
    ("pod-3f2a9c1e", f"/kubepods.slice/kubepods-{POD}", ()),
    ("pod-3f2a9c1e/111122223333", f"/kubepods.slice/kubepods-{POD}/crio-{'1111222233334444' * 4}"
     ".scope", ("/container",)),
    ("pod-3f2a9c1e/conmon-111122223333",
     f"/kubepods.slice/kubepods-{POD}/crio-conmon-{'1111222233334444' * 4}.scope", ()),
    ("pod-11112222/4d5e6f7a8b9c", f"/kubepods/besteffort/pod{'11112222' * 4}/{ID}", ()),
    ("pod-aaaaaaaa/4d5e6f7a8b9c", "/system.slice/containerd.service/kubepods-burstable-pod"
     f"{UID.replace('3f2a9c1e', 'aaaaaaaa').replace('-', '_')}.slice:cri-containerd:{ID}", ()),
    ("containerd.service", "/system.slice/containerd.service", ("/shim",)),
    ("docker-4d5e6f7a8b9c", f"/docker/{ID}", ("/init.scope", "/system.slice/ssh.service")),
    ("docker-999988887777", f"/system.slice/docker-{'9999888877776666' * 4}.scope", ()),
    ("podman-4d5e6f7a8b9c", f"/machine.slice/libpod-{ID}.scope", ("/container",)),
    ("podman-conmon-4d5e6f7a8b9c", f"/machine.slice/libpod-conmon-{ID}.scope", ()),
    ("podman-aaaabbbbcccc", f"{USER}/user@1000.service/user.slice/libpod-{'aaaabbbbcccc0000' * 4}"
     ".scope", ("/container",)),
    ("podman-bbbbccccdddd", f"/libpod_parent/{ID}/libpod-{'bbbbccccddddeeee' * 4}", ()),
    ("podman-ccccddddeeee", f"/libpod_parent/{ID}/libpod-{'ccccddddeeeeffff' * 4}", ()),
    ("lxc.payload.web", "/lxc.payload.web", ("/init.scope", "/system.slice/ssh.service")),
    ("gr\\xc3\\xbc\\xc3\\x9fe", "/gr\u00fc\u00dfe", ()),
    ("gr\\x5cxc3\\x5cxbc\\x5cxc3\\x5cx9fe", "/gr\\xc3\\xbc\\xc3\\x9fe", ()),
    ("user-1000/session-3.scope", f"{USER}/session-3.scope", ()),
    ("user-1000/app-a.service", f"{USER}/user@1000.service/app.slice/app-a.service", ("/sub",)),
    ("user-1000/init.scope", f"{USER}/user@1000.service/init.scope", ()),
    ("ssh.service", "/system.slice/ssh.service", ()),
    ("a-b.service", "/system.slice/a\\x2db.service", ()),
    ("web.service", "/system.slice/web.service", (f"/libpod-payload-{ID}",)),
    ("system.slice", "/system.slice", ()),
    ("made", "/by/hand/made", ()),
    ("gone.service", "/system.slice/gone.service", ()),
    ("late.service", "/system.slice/late.service", ()),
    ("again.service", "/system.slice/again.service", ()),
)
# Steps at which these are absent, appear, and are another directory of the same path. A cgroup
# runs until its directory is gone; its CPU time of the last part remains unknown.
GONE, LATE, AGAIN = 5, 3, 4
REMOVED = (999999999, 999999998)
NAMES = [name for name, _, _ in ROWS] + ["(removed)"]


def paths_of(row):
    _, path, others = row
    return [path] + [path.rstrip("/") + other for other in others]


def exists(name, step):
    return not (name == "gone.service" and step >= GONE or name == "late.service" and step < LATE)


def part_of(key, part, options):
    """What a cgroup has in a part: microseconds, pieces, time, cycles, counts."""
    rng = random.Random(f"{key} {part}")
    few, noisy = ("ssh.service" in key and option in options for option in ("few", "noisy"))
    cycles = rng.randrange(9 * 10**8, 10**9)
    slots = SLOTS * cycles
    lost = random.Random(key).random()
    front, back = 0.3 * lost, 0.6 * lost
    flush = 0.01
    if "/made" in key:
        # a little below 0
        front, flush = 0, 0.0003
    if noisy:
        back *= part % 2
    front, back = (share * rng.uniform(0.99, 1.01) for share in (front, back))
    spec = int(slots * (1 - front - back))
    counts = [slots - spec, int(slots * front), int(slots * back), int(cycles * flush),
              int(spec * 0.9), spec]
    return [rng.randrange(10**5, 10**6), 49 if few else 50, cycles // 3, cycles] + counts


def span(name, step):
    """After which step the entry of a name begins, and its last step."""
    if name == "late.service":
        return LATE - 1, step
    if name == "again.service" and step >= AGAIN:
        return AGAIN - 1, step
    return -1, min(step, GONE) if name == "gone.service" else step


def total(key, first, step, options):
    """Sums of the parts after a step up to another."""
    parts = [part_of(key, part, options) for part in range(first + 1, step + 1)]
    return [sum(column) for column in zip([0] * 10, *parts)]


def times(step):
    """CPU time of each directory with all below, also removed ones, in microseconds."""
    sums = {}
    for row in ROWS:
        for path in paths_of(row):
            last = min(step, GONE - 1) if row[0] == "gone.service" else step
            at, first = path, span(row[0], step)[0]
            while True:
                sums[at] = sums.get(at, 0) + total(path, first, last, ())[0]
                if at == "/":
                    break
                at = os.path.dirname(at)
                # those above keep the time of one that was replaced
                first = -1 if row[0] == "again.service" else first
    return sums


def record(numbers):
    return "".join(f"{number % 2**64:20} " for number in numbers).ljust(255) + "\n"


def records(directory, step, options):
    lines = []
    for row in ROWS:
        for path in paths_of(row):
            first, last = span(row[0], step)
            if last <= first:
                continue
            with open(id_file(directory, path), encoding="ascii") as file:
                number = int(file.read())
            base = 2**64 - 10**9 if first < 0 else 0
            sums = total(path, first, last, options)
            lines.append([number, first + 7, sums[1]] + [base + x for x in sums[2:]])
    for number in REMOVED:
        lines.append([number, 7] + total(str(number), -1, step, options)[1:])
    grown = [step if option in options else 0
             for option in ("evicted", "other", "other", "dropped")]
    covered = 80 if "uncovered" in options else 97
    head = [1, 1000 * step, grown[0], 10 * grown[1], 10**6 * grown[2], grown[3],
            covered * step * 10**7, 100 * step * 10**7]
    return record(head) + "".join(map(record, lines))


def paths():
    return [path for row in ROWS for path in paths_of(row)]


def id_file(directory, path):
    return os.path.join(directory, "ids", str(paths().index(path)))


def make_directories(directory, step, options):
    top = os.path.join(directory, "fs/cgroup", *["unified"] * ("unified" in options))
    os.makedirs(os.path.join(directory, "ids"), exist_ok=True)
    for row in ROWS:
        for path in paths_of(row):
            here = top + path
            if row[0] == "again.service" and step == AGAIN:
                # not removed, as the other one could get the same inode
                os.rename(here, os.path.join(directory, "before"))
            if not exists(row[0], step):
                shutil.rmtree(here, ignore_errors=True)
                continue
            os.makedirs(here, exist_ok=True)
            write(id_file(directory, path), str(os.stat(here).st_ino))
    for path, time in times(step).items():
        if os.path.isdir(top + path):
            write(f"{top}{path.rstrip('/')}/cpu.stat",
                  f"usage_usec {time}\nuser_usec {time}\nsystem_usec 0\n")


def make_step(directory, options):
    state = os.path.join(directory, "step")
    step = 0
    if os.path.exists(state):
        with open(state, encoding="ascii") as file:
            step = int(file.read()) + 1
    make_directories(directory, step, options)
    module = os.path.join(directory, "kernel/n3_telemetry")
    write(f"{module}/container_pieces", "125\n")
    write(f"{module}/system/containers", records(directory, step, options))
    write(state, str(step))


def expected(options):
    """By name: microseconds or None, pieces, parts."""
    rows = {}
    for row in list(ROWS) + [("(removed)", None, ())]:
        name = row[0]
        keys = paths_of(row) if row[1] else list(map(str, REMOVED))
        parts, time = [], 0
        for part in range(1, PARTS + 1):
            has = part >= LATE if name == "late.service" else part <= span(name, PARTS)[1]
            column = [part_of(key, part, options) for key in keys if has]
            parts.append([sum(numbers) for numbers in zip([0] * 10, *column)])
            time += parts[-1][0] * exists(name, part)
        rows[name] = (time if row[1] else None, sum(part[1] for part in parts),
                      [part[2:] for part in parts])
    return rows


def differs(name, what, got, wanted, by=0.0):
    if (got is None) != (wanted is None) or got is not None and abs(got - wanted) > by:
        print(f"{name}: {what} is {got}, expected {wanted}")


def check_row(row, wanted):
    name = row["name"]
    time, pieces, parts = wanted
    values, halves = jackknife(parts)
    few = pieces < 400 or max(halves) > 3
    lost = None if time is None or few else time / 1e6 * (1 - values[3] / 100)
    differs(name, "cpu_s", row["cpu_s"], None if time is None else time / 1e6, 1e-6)
    differs(name, "lost_cpu_s", row["lost_cpu_s"], lost, 1e-5)
    differs(name, "pieces", row["pieces"], pieces)
    for metric, value, half in zip(METRICS, values, halves):
        got = row["metrics"][metric]
        if few:
            differs(name, metric, got["value"], None)
            if got["word"] != "few":
                print(f"{name}: {got['word']}")
            continue
        differs(name, metric, got["value"], value, 5.1e-5)
        differs(name, metric + " low", got["low"], value - half, 5.2e-5)
        differs(name, metric + " high", got["high"], value + half, 5.2e-5)
    areas = dict(zip(METRICS[:3], values))
    area = max(areas, key=areas.get) if values[3] <= 70 else "retiring"
    if not few and area not in row["answer"]["areas"]:
        print(f"{name}: {row['answer']['areas']}, expected {area}")
    if few and (row["answer"]["areas"] or row["answer"]["text"] != "few"):
        print(f"{name}: an answer of few pieces")
    return lost, time


def check(path, options):
    wanted = expected(options)
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    names = [row["name"] for row in report["containers"]]
    if sorted(names) != sorted(NAMES):
        print(f"rows: {set(names) ^ set(NAMES)}")
    by_path = {f"/{name}" if name.startswith("gr") else path: name for name, path, _ in ROWS}
    keys = []
    for row in report["containers"]:
        if by_path.get(row["cgroup"], "(removed)") != row["name"]:
            print(f"{row['name']}: {row['cgroup']}")
        lost, time = check_row(row, wanted[row["name"]])
        keys.append((-lost if lost is not None else 1, -(time or 0)))
    if keys != sorted(keys):
        print(f"not sorted: {names}")
    for key, number in (("coverage", 80 if "uncovered" in options else 97), ("switches", 8000),
                        ("pieces", sum(row[1] for row in wanted.values())),
                        ("evicted", 8 * ("evicted" in options)),
                        ("other_pieces", 80 * ("other" in options)),
                        ("dropped_slices", 8 * ("dropped" in options))):
        differs("report", key, report[key], number, 1e-9)


def check_cells(name, cells, wanted):
    time, pieces, parts = wanted
    values, halves = jackknife(parts)
    few = pieces < 400 or max(halves) > 3
    if cells[0] != ("-" if time is None else f"{time / 1e6:.2f}"):
        print(f"{name}: {cells[0]} seconds")
    if few:
        if cells[1:] != ["-"] * 4 + ["few"]:
            print(f"{name}: {cells} are not few")
        return
    for cell, value, half in zip(cells[1:], values, halves):
        number, error = cell.replace("+-", "±").split("±")
        if number.startswith("-") and not float(number):
            print(f"{name}: {number}")
        unit = 10**-len(number.partition(".")[2])
        differs(name, "a share", float(number), value, 0.501 * unit)
        differs(name, "an error", float(error), 0.1 if half < 0.05 else half, 0.501 * unit)


def check_table(path, options):
    wanted = expected(options)
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.split()[0] in NAMES]
    if sorted(row[0] for row in rows) != sorted(NAMES):
        print("rows:", [row[0] for row in rows])
    for name, *cells in rows:
        check_cells(name, cells, wanted[name])


def main():
    what, directory, *rest = sys.argv[1:]
    if what == "step":
        make_step(directory, rest)
    elif what == "table":
        check_table(rest[0], rest[1:])
    else:
        check(rest[0], rest[1:])


if __name__ == "__main__":
    main()

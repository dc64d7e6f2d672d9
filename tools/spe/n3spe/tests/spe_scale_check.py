#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_scale_check.py CASE DIR N3SPE

Recordings with very many mappings, names or generations of processes: cost and owners. Costs are
instructions and peak memory, see bench.py."""
import json
import shutil
import subprocess
import sys

import bench
import spe_file as f
import spe_packets as spe
from spe_report import counts

APP, JIT = 0xaaaa00000000, 0x700000000000


def app(pid, at=APP):
    return [f.comm(pid, f"app{pid}"), f.mmap2(pid, at, 0x1000, 0, "/srv/app")]


def samples(times, pid, pc=APP + 4):
    return b"".join(spe.record(pc=pc, op=spe.OTHER, events=spe.RETIRED, time=time, context=pid)
                    for time in times)


def report(n3spe, path):
    done = subprocess.run([n3spe, "report", "--json", "--top", "1000", path], capture_output=True,
                          text=True, check=True)
    found = json.loads(done.stdout)
    return counts(found["processes"], "process"), counts(found["functions"], "file")


def expect(got, wanted):
    if got != wanted:
        sys.exit(f"{got}, not {wanted}")


def write_mappings(path, nr, records=60000):
    """Code that was mapped first, in a process that maps NR places during the recording."""
    with f.Recording(path) as r:
        r.perf(0, 0, *app(100))
        for i in range(nr):
            r.perf(0, 0, f.mmap2(100, JIT + 0x1000 * i, 0x1000, 0, "//anon",
                                 time=f.BASE + 2000 + 10 * i))
        r.aux(0, samples((2000 + i * 10 * nr // records for i in range(records)), 100),
              time=f.BASE + 2000 + 10 * nr)


def mappings(folder, n3spe):
    path, cost = f"{folder}/mappings.data", {}
    for nr in (200000, 100000):
        write_mappings(path, nr)
        expect(report(n3spe, path), ({"100 app100": 60000}, {"/srv/app": 60000}))
        cost[nr] = bench.measured(n3spe, "report", path)[0]
    print(cost)
    if cost[200000] > 2.2 * cost[100000]:
        sys.exit(f"not by the number of mappings: {cost}")
    if shutil.which("perf"):
        perf = bench.measured("perf", "report", "--stdio", "--itrace=i1i", "-i", path)[0]
        if cost[100000] > perf:
            sys.exit(f"{cost[100000]}, perf {perf}")


def write_repeated(path, nr, again):
    """Two processes, one of which repeats what is known: its name and its mapping."""
    with f.Recording(path) as r:
        r.perf(0, 0, *app(100), *app(200), f.fork(100, 100, f.BASE + 1, tid=101))
        for i in range(nr):
            r.perf(0, 0, again(f.BASE + 2000 + 10 * i))
        end = 3000 + 10 * nr
        r.aux(0, samples(range(end, end + 30), 200) + samples(range(end + 30, end + 50), 101),
              time=f.BASE + end + 100)


def repeated(folder, n3spe):
    path = f"{folder}/repeated.data"
    for again in (lambda time: f.comm(100, "pipeline", tid=101, time=time),
                  lambda time: f.comm(100, "app100", time=time),
                  lambda time: f.mmap2(100, APP, 0x1000, 0, "/srv/app", time=time),
                  lambda time: f.mmap2(100, JIT, 0x1000, 0, "//anon", time=time)):
        memory = []
        for nr in (1000, 600000):
            write_repeated(path, nr, again)
            expect(report(n3spe, path), ({"200 app200": 30, "100 app100": 20}, {"/srv/app": 50}))
            memory.append(bench.run(n3spe, "report", path)[0])
        if memory[1] > memory[0] + 1024:
            sys.exit(f"records without news take memory: {memory} KiB")


def greedy(folder, n3spe):
    """A process with new names, files, threads and mappings all the time."""
    path, nr = f"{folder}/greedy.data", 300000
    with f.Recording(path) as r:
        r.perf(0, 0, *app(100), *app(200))
        for i in range(0, nr, 3):
            at = f.BASE + 2000 + 10 * i
            r.perf(0, 0, f.comm(100, f"name{i}", time=at),
                   f.fork(100, 100, at + 1, tid=1000 + i),
                   f.mmap2(100, JIT + 0x1000 * i, 0x1000, 0, f"/tmp/file{i}", time=at + 2))
        end = 3000 + 10 * nr
        at = f.BASE + end
        r.perf(0, 0, f.fork(300, 200, at), f.comm(300, "late", exec_=True, time=at),
               f.mmap2(300, APP, 0x1000, 0, "/srv/late", time=at))
        r.aux(0, samples(range(end + 1, end + 31), 200) + samples(range(end + 31, end + 43), 300),
              time=f.BASE + end + 100)
    expect(report(n3spe, path), ({"200 app200": 30, "300 late": 12},
                                 {"/srv/app": 30, "/srv/late": 12}))


def generations(folder, n3spe):
    """Each process forks the next one, without exec, and ends."""
    path, nr, data = f"{folder}/generations.data", 500, b""
    with f.Recording(path) as r:
        r.perf(0, 0, f.comm(100, "daemon"), f.mmap2(100, APP, 0x1000, 0, "/srv/app"))
        for i in range(nr):
            at = f.BASE + 1000 + 30 * i
            r.perf(0, 0, f.fork(101 + i, 100 + i, at), f.end(100 + i, 1, at + 20))
            data += samples([1000 + 30 * i + 10], 101 + i)
        r.aux(0, data, time=f.BASE + 1000 + 30 * nr)
    expect(report(n3spe, path), ({f"{101 + i} daemon": 1 for i in range(nr)}, {"/srv/app": nr}))


def huge_pages(folder, n3spe):
    """Programs that copy their code to anonymous pages at its place, as BOLT --hugify does."""
    path = f"{folder}/huge.data"
    for name in ("//anon", "/anon_hugepage (deleted)", "[heap]"):
        with f.Recording(path) as r:
            r.perf(0, 0, *app(100), f.mmap2(100, APP, 0x1000, 0, name, time=f.BASE + 2000))
            r.aux(0, samples([*range(1000, 1005), *range(3000, 3020)], 100), time=f.BASE + 4000)
        expect(report(n3spe, path), ({"100 app100": 25}, {"/srv/app": 25}))


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

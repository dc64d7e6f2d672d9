#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""perf_test.py PERF0 PERF1 PERF2 [RECORDING...] - effect of the patches in perf/, as TAP.

PERF0 is perf without them, PERF1 with the first, PERF2 with both. They read files with the same
records for CPUs of many kinds, or RECORDINGs of the emulated machine: MIDR=FILE.
"""
import collections
import functools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import traceback

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP / "tools/spe" / where) for where in ("tests", "libspe/tests")]
import spe_file  # noqa: E402 pylint: disable=wrong-import-position
import spe_packets as spe  # noqa: E402 pylint: disable=wrong-import-position

N1, N2, N3 = 0x413fd0c1, 0x410fd490, 0x410fd8e0
N3_REVISIONS = [N3, N3 + 1, N3 | 1 << 20, N3 | 1 << 20 | 2]
# CPUs with the common data sources, with others, and without a table
OTHERS = {"N1": N1, "V1": 0x411fd401, "V2": 0x410fd4f0, "V3": 0x410fd840, "V3AE": 0x410fd830,
          "A78C": 0x410fd4b0, "X925": 0x410fd850, "Cobalt 100": 0x6d0fd490,
          "AmpereOne A": 0xc00fac40, "HIP12": 0x481fd060, "A55": 0x410fd050,
          "another maker's d8e": 0x6d0fd8e0}
# By data source, from Arm's description of these cores: level of perf_mem_data_src (1 to 3:
# caches, 13: memory, 15: none), hit, from another core, from another socket
LEVELS = {0x0: (1, 1, 0, 0), 0x8: (2, 1, 0, 0), 0x9: (2, 1, 1, 0), 0xa: (3, 1, 1, 0),
          0xb: (3, 1, 0, 0), 0xc: (3, 1, 1, 0), 0xd: (15, 0, 1, 1), 0xe: (13, 1, 0, 0)}
L3_MISS, NOTHING = (3, 0, 0, 0), (15, 0, 0, 0)
# bits of perf_mem_data_src.mem_op
LOADS, STORES = 2, 4
MISSES = spe.RETIRED | spe.L1D_ACCESS | spe.L1D_REFILL | spe.LLC_ACCESS | spe.LLC_MISS

PERFS, RECORDINGS = sys.argv[1:4], sys.argv[4:]
DIR = tempfile.TemporaryDirectory()
TIMES = 400


def expect(found, wanted, what=""):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, not {wanted!r}")


@functools.lru_cache(None)
def perf(number, *words):
    """Output of PERFn."""
    done = subprocess.run([PERFS[number], *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "PERF_CONFIG": "/dev/null"})
    expect(done.returncode, 0, done.stderr[-500:])
    return done.stdout


def dump(number, path):
    """Packets as text. The lines of other records have the version of perf."""
    return [line for line in perf(number, "script", "-f", "-D", "-i", path).splitlines()
            if re.match(r"\.  [0-9a-f]{8}:", line)]


def sources(number, path, operations=LOADS | STORES):
    """(level, hit, from another core, from another socket) of these operations."""
    lines = perf(number, "script", "-f", "-i", path, "--itrace=M", "-F", "data_src").split("\n")
    values = [int(line.split()[0], 16) for line in lines if line]
    return [(v >> 33 & 15, v >> 6 & 1, v >> 39 & 1, v >> 37 & 1) for v in values if v & operations]


def everything(number, path):
    return dump(number, path), perf(number, "script", "-f", "-i", path, "--itrace=i1i",
                                    "-F", "ip,addr,data_src,weight,flags")


def recording(name, data, midr, **more):
    """Path of a file with these records; midr: of all CPUs, or a dict by CPU."""
    path = f"{DIR.name}/{name}"
    cpus = tuple(midr) if isinstance(midr, dict) else (0,)
    with spe_file.Recording(path, cpus=cpus, midr=midr, **more) as file:
        for cpu in cpus:
            file.aux(cpu, data, cpu=cpu)
    return path


def load(n, op=spe.LOAD, **fields):
    return spe.record(**{"pc": 0x400000 + 4 * n, "el": 0, "op": op, "events": MISSES,
                         "va": 0x10000 + 64 * n, "time": 1000 + n, **fields})


def loads():
    """One from each source, all with the events of a miss in every cache."""
    return b"".join(load(n, source=n) for n in range(16))


def events():
    """One load for each bit of the events packet that the architecture leaves to the core."""
    return b"".join(load(n, events=MISSES | 1 << n) for n in (12, 13, 14, 15))


def random_records():
    rng = random.Random(1)
    data = b""
    for _ in range(TIMES):
        fields = spe.random_fields(rng)
        fields["time"] = 1000 + len(data)
        data += spe.record(**fields)
    return data


def names(number, path):
    """The names of a packet's events other than MISSES."""
    return [line.split("LLC-REFILL")[1].split() for line in dump(number, path) if " EV " in line]


def test_sources():
    """N3, patch 1: a load's data source, instead of a miss in all caches"""
    wanted = [LEVELS.get(n, L3_MISS) for n in range(16)]
    for midr in N3_REVISIONS:
        for version in (1, 2):
            path = recording(f"{midr:x}.{version}", loads(), midr, metadata=version)
            expect(sources(0, path), 16 * [L3_MISS], f"{midr:#x} before")
            expect(sources(1, path), wanted, f"{midr:#x} after")
    expect(sources(0, recording("n2", loads(), N2)), wanted, "N2")


def test_stores():
    """N3, patch 1: stores, whose records have no data source, have no level, as on N2"""
    data = b"".join(load(n, op=spe.STORE) for n in range(4))
    path = recording("stores", data, N3)
    expect(sources(0, path), 4 * [L3_MISS], "before")
    expect(sources(1, path), 4 * [NOTHING], "after")
    expect(sources(0, recording("stores.n2", data, N2)), 4 * [NOTHING], "N2")


def test_events():
    """N2 and N3, patch 2: event 12 is a late prefetch, 13 to 15 remain without a name"""
    rest = [["IMPDEF:13"], ["IMPDEF:14"], ["IMPDEF:15"]]
    for midr in (N2, N2 | 3, *N3_REVISIONS):
        path = recording(f"events.{midr:x}", events(), midr)
        expect(names(1, path), [["IMPDEF:12"], *rest], f"{midr:#x} before")
        expect(names(2, path), [["LATE-PREFETCH"], *rest], f"{midr:#x} after")


def test_n1():
    """N1 has had the name before"""
    path = recording("events.n1", events(), N1)
    expect([names(n, path)[0] for n in range(3)], 3 * [["LATE-PREFETCH"]])


def test_apart():
    """patch 1 changes no packet's text, patch 2 no sample"""
    for midr in (N2, N3):
        path = recording(f"apart.{midr:x}", random_records(), midr)
        expect(dump(0, path) == dump(1, path), True, "packets")
        expect(everything(1, path)[1] == everything(2, path)[1], True, "samples")


def test_others():
    """other cores: packets and samples of random records are the same with and without patches"""
    for name, midr in OTHERS.items():
        for version in (1, 2):
            path = recording(f"others.{midr:x}.{version}", random_records() + events() + loads(),
                             midr, metadata=version)
            before, after = everything(0, path), everything(2, path)
            expect(before == after, True, name)
            expect(len(before[1].splitlines()) > TIMES, True, f"{name}: number of samples")


def test_mixed():
    """a machine with N3 and V2 has each core's names"""
    path = recording("mixed", events(), {0: N3, 1: 0x410fd4f0})
    expect(sorted(n[0] for n in names(2, path)), ["IMPDEF:12", *2 * ["IMPDEF:13"],
                                                  *2 * ["IMPDEF:14"], *2 * ["IMPDEF:15"],
                                                  "LATE-PREFETCH"])


def loads_of(path):
    """(data source, has event 12) of each load, from the packets, by perf without patches."""
    found, now = [], {}
    for line in dump(0, path):
        for key, pattern in (("source", r"DATA-SOURCE (\d+)$"), ("load", r" (LD) "),
                             ("store", r" (ST) "), ("late", r"EV .*IMPDEF:.*\b(12)\b")):
            match = re.search(pattern, line)
            if match:
                now[key] = match[1]
        if re.search(r" (TS \d+|END)$", line):
            if "load" in now and "store" not in now:
                found.append((int(now.get("source", -1)), "late" in now))
            now = {}
    return found


def of_machine(midr, path):
    """data sources and event 12 of its records"""
    before = loads_of(path)
    late = sum(bit for _, bit in before)
    print(f"# {len(before)} loads, {late} of them late prefetches")
    expect(late > 0 and {s for s, _ in before} >= set(LEVELS), True, "all are there")
    expect([sum("IMPDEF:12" in line for line in dump(n, path)) for n in (1, 2)], [late, 0],
           "IMPDEF:12")
    expect([sum("LATE-PREFETCH" in line for line in dump(n, path)) for n in (1, 2)], [0, late],
           "LATE-PREFETCH")
    wanted = collections.Counter(LEVELS[source] for source, _ in before)
    expect(collections.Counter(sources(1, path, LOADS)), wanted, "levels")
    expect(collections.Counter(sources(0, path, LOADS)) == wanted, midr == N2, "levels before")


def main():
    tests = [(test.__doc__, test) for name, test in globals().items()
             if name.startswith("test_") and not RECORDINGS]
    for given in RECORDINGS:
        midr, path = given.split("=")
        tests.append((f"emulated machine, {midr}: {of_machine.__doc__}",
                      functools.partial(of_machine, int(midr, 0), path)))
    print(f"1..{len(tests)}")
    failed = 0
    for number, (name, test) in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {name}")
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {name}")
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), end="")
        sys.stdout.flush()
    sys.exit(failed > 0)


main()

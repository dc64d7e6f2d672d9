#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_cores_check.py N3STAT DIR SEED

CPUs of several vendors in one recording: data sources and event 12 have names on cores that
define them so, and are numbers on others; operations that did not retire neither write cache
lines nor appear in profiles."""
import collections
import pathlib
import random
import sys

import spe_file as f
import spe_packets as spe
from check_spe import PEER, SOURCES
from spe_report import counts, flat_program, profile_of, report_of

# Neoverse N3, N1, V3 and V3AE; AmpereOne, HiSilicon, N3's part number of another vendor, unknown
KNOWN = 0x410fd8e0, 0x413fd0c1, 0x410fd840, 0x410fd830
OTHERS = 0xc00fac40, 0x480fd020, 0x610fd8e0, 0


def name_of(midr, source):
    name = SOURCES.get(source) if midr in KNOWN else None
    return name or (f"{source:#x}" if source < 16 else "above 0xf")


def main():
    n3stat, path = sys.argv[1], pathlib.Path(sys.argv[2]) / "cores.data"
    rng = random.Random(sys.argv[3])
    midr = dict(enumerate(rng.choices((*KNOWN, *OTHERS), k=4)))
    midr[3] = KNOWN[int(sys.argv[3]) % len(KNOWN)]
    if rng.random() < 0.3:
        midr = dict.fromkeys(midr, midr[3])
    # a CPU without a MIDR has that of the file, which is the first CPU's
    core = {cpu: own or midr[0] for cpu, own in midr.items()}
    sources, mine, late = collections.Counter(), collections.defaultdict(collections.Counter), 0
    peers, users, writers = set(), collections.defaultdict(set), collections.defaultdict(set)
    branches, data = collections.Counter(), {cpu: b"" for cpu in midr}
    for time in range(1, 1500):
        cpu, line = rng.randrange(4), 0x1000 + 64 * rng.randrange(60)
        events = spe.RETIRED if rng.random() < 0.5 else 0
        fields = {"pc": 0x10010, "time": time}
        kind = rng.random()
        if kind < 0.2:
            taken = rng.random() < 0.5
            fields |= {"op": spe.COND_BRANCH, "target": 0x10100}
            if events:
                branches["B 410010 410100" if taken else "F 410010 410014"] += 1
            events |= 0 if taken else spe.NOT_TAKEN
        elif kind < 0.3:
            fields |= {"op": spe.STORE, "va": line}
            users[line].add(cpu)
            if events:
                writers[line].add(cpu)
        else:
            source = rng.randrange(18)
            fields |= {"op": spe.LOAD, "va": line, "source": source}
            sources[name_of(core[cpu], source)] += 1
            mine[line][name_of(core[cpu], source)] += 1
            users[line].add(cpu)
            if core[cpu] in KNOWN and source in PEER:
                peers.add(line)
        if rng.random() < 0.2:
            events |= spe.LATE_PREFETCH
            late += core[cpu] in KNOWN
        data[cpu] += spe.record(**fields, events=events)
    with f.Recording(path, cpus=sorted(midr), midr=midr) as recording:
        recording.perf(0, 0, f.comm(5, "app"), f.mmap2(5, 0x10000, 0x1000, 0x10000, "/opt/app"),
                       *(f.switch_in(5, f.BASE, cpu) for cpu in midr))
        for cpu, records in data.items():
            recording.aux(cpu, records, cpu=cpu)
    report, _ = report_of(n3stat, path)
    fought = peers | {line for line, who in users.items() if len(who) > 1 and writers[line]}
    all_known = set(core.values()) <= set(KNOWN)
    event = [row["event"] for row in report["events"] if row["bit"] == 12]
    main_sources = {int(row["address"], 16): row["source"] for row in report["cache_lines"]}
    flat_program(f"{sys.argv[2]}/flat/opt/app", 0x20000)
    profile = profile_of(n3stat, path, "--symfs", f"{sys.argv[2]}/flat")[1]
    lines = [f"{edge} {n}" + " 0" * (edge[0] == "B") for edge, n in branches.items()]
    for what, wanted, got in (
            ("sources", dict(sources), counts(report["sources"], "source")),
            ("contended", fought, {int(row["address"], 16) for row in report["contended"]}),
            ("writers", {line: len(writers[line]) for line in users},
             {int(row["address"], 16): row["writers"] for row in report["cache_lines"]}),
            ("late", late, sum(row["late"] for row in report["functions"])),
            ("event 12", ["late_prefetch" if all_known else "bit_12"], event),
            ("profile", sorted(lines), profile)):
        if got != wanted:
            sys.exit(f"{what}: {got}, not {wanted}")
    for line, names in mine.items():
        best = [name for name, n in names.items() if n == max(names.values())]
        if main_sources[line].rsplit(" ", 1)[0] not in best:
            sys.exit(f"{line:#x}: {main_sources[line]}, not of {best}")


if __name__ == "__main__":
    main()

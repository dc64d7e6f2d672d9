#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""bench.py make DIR RECORDS [FORMAT]
bench.py measure DIR PROGRAM COMMAND...
bench.py check DIR N3SPE RECORDS

Instructions in user space (by cachegrind) and peak memory of a report on a recording like a real
one: 8 CPUs, 40 processes, 200 mappings, task switches, loads with data sources, branches. make
writes it to DIR, with the programs; RECORDS, a multiple of 8, decides each byte. measure prints a
row of bench.txt. check compares n3spe with the rows of aeba214 there and with perf on this machine.

Rows of aeba214: FORMAT is a folder with n3spe/tests/spe_file.py of 22a9fd0d, which writes the
format that it read. The records are the same."""
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE / "../libspe/tests"), str(HERE / "../n3spe/tests")]

CPUS, PROCESSES, PROGRAMS, FUNCTIONS, WORDS = 8, 40, 5, 1000, 16
WINDOW, SWITCH, SIZE = 2000, 150, 0x100000
KERNEL, KERNEL_FUNCTIONS, DATA = 0xffff800080010000, 3000, 0xffff00000000
# what differs with the version of a library; and which pages of files the kernel maps around those
# that are used, which depends on its cache
SLACK = {"instructions": 1.02, "KiB": 1.05}


def programs(folder):
    """Programs with symbols and line numbers; their (offset, build ID)."""
    from spe_report import build_id_of, offset_of, tool
    found = []
    for number in range(PROGRAMS):
        source = folder / f"app{number}.s"
        lines = [".text"]
        for i in range(FUNCTIONS):
            name = f"app{number}_function_{i}"
            lines += [f".globl {name}", f".type {name}, %function", f"{name}:", *["add x0, x0, 1"] *
                      (WORDS - 1), "ret", f".size {name}, {4 * WORDS}"]
        source.write_text("\n".join(lines) + "\n", encoding="ascii")
        root = folder / "root/srv"
        root.mkdir(parents=True, exist_ok=True)
        tool("as", "-g", "-o", folder / "app.o", source)
        tool("ld", "-e", "0", "--build-id=sha1", "-Ttext=0x410000", "-o", root / f"app{number}",
             folder / "app.o")
        found.append((offset_of(root / f"app{number}", 0x410000),
                      bytes.fromhex(build_id_of(root / f"app{number}"))))
    return found


def base_of(process, program):
    return 0x100000000 * (process + 1) + SIZE * 2 * program


def templates(spe, rng):
    """Records without address of code, time and process."""
    found = []
    for _ in range(3000):
        kind = rng.random()
        fields = {"pc": 0, "time": 0, "context": 0, "total": rng.randrange(2, 400),
                  "issue": rng.randrange(2, 60), "events": spe.RETIRED}
        if kind < 0.45:
            fields |= {"op": spe.LOAD, "translation": 1, "va": DATA + 8 * rng.randrange(1 << 17),
                       "source": rng.choice((0, 0, 0, 8, 9, 11, 13, 14))}
            fields["pa"] = 0x80000000 | fields["va"] & 0xfffff
            fields["events"] |= spe.L1D_ACCESS | spe.TLB_ACCESS
        elif kind < 0.6:
            fields |= {"op": spe.STORE, "translation": 1, "va": DATA + 8 * rng.randrange(1 << 17)}
        elif kind < 0.85:
            fields |= {"op": spe.COND_BRANCH, "target": 0x100000000 + 4 * rng.randrange(1 << 14)}
            fields["events"] |= rng.choice((0, 0, spe.NOT_TAKEN, spe.MISPREDICTED))
        else:
            fields["op"] = spe.OTHER
        found.append(spe.record(**fields))
    return found


class Machine:
    """The state of all CPUs, and their records."""

    def __init__(self, rng, spe):
        self.rng, self.templates = rng, templates(spe, rng)
        self.now = {cpu: 1000 + cpu for cpu in range(CPUS)}
        self.running = {cpu: 0 for cpu in range(CPUS)}
        self.left = dict.fromkeys(range(CPUS), 0)
        # some instructions are hot
        self.hot = [4 * rng.randrange(FUNCTIONS * WORDS) for _ in range(100)]

    def address(self, process):
        draw = self.rng.random()
        if draw < 0.1:
            at = KERNEL + 64 * self.rng.randrange(KERNEL_FUNCTIONS) + 4
            return at & (1 << 56) - 1 | 0xa0 << 56
        at = self.rng.choice(self.hot) if draw < 0.7 else 4 * self.rng.randrange(FUNCTIONS * WORDS)
        return base_of(process, self.rng.randrange(PROGRAMS)) + at | 0x80 << 56

    def window(self, f, cpu, nr):
        """Switches and samples."""
        events, data = [], bytearray()
        for _ in range(nr):
            self.now[cpu] += self.rng.randrange(400, 1600)
            time = f.BASE + self.now[cpu]
            if not self.left[cpu]:
                self.left[cpu] = self.rng.randrange(1, 2 * SWITCH)
                events.append(f.switch_out(100 + self.running[cpu], time - 200, cpu))
                self.running[cpu] = self.rng.randrange(PROCESSES)
                events.append(f.switch_in(100 + self.running[cpu], time - 100, cpu))
            self.left[cpu] -= 1
            one = bytearray(self.rng.choice(self.templates))
            struct.pack_into("<Q", one, 1, self.address(self.running[cpu]))
            struct.pack_into("<I", one, 10, 100 + self.running[cpu])
            struct.pack_into("<Q", one, 56, self.now[cpu])
            data += one
        return events, bytes(data)


def make(folder, records, *other_format):
    sys.path[:0] = other_format
    import spe_file as f
    import spe_packets as spe
    folder = pathlib.Path(folder)
    mapped, machine = programs(folder), Machine(random.Random(1), spe)
    with f.Recording(str(folder / "bench.data"), {"period": 4096}, range(CPUS)) as recording:
        recording.kallsyms(*((KERNEL + 64 * i, "t", f"kernel_function_{i}")
                             for i in range(KERNEL_FUNCTIONS)))
        recording.perf(0, 0, f.kernel_map(KERNEL, 64 * KERNEL_FUNCTIONS, "[kernel.kallsyms]_text"))
        for process in range(PROCESSES):
            pid = 100 + process
            recording.perf(0, 0, f.comm(pid, f"worker{process % 10}"), *(
                f.mmap2(pid, base_of(process, n), SIZE, offset, f"/srv/app{n}", build_id)
                for n, (offset, build_id) in enumerate(mapped)))
        left = int(records)
        while left:
            nr = min(WINDOW, left // CPUS)
            windows = [machine.window(f, cpu, nr) for cpu in range(CPUS)]
            for cpu, (events, data) in enumerate(windows):
                recording.perf(cpu, cpu, *events)
                recording.aux(cpu, data, cpu=cpu, time=f.BASE + machine.now[cpu])
            if hasattr(recording, "round"):
                recording.round()
            left -= nr * CPUS


def run(*command):
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(command, stdout=null, stderr=subprocess.PIPE)
        said = process.stderr.read().decode(errors="replace")
        _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command}: {status}: {said[-1000:]}")
    return used.ru_maxrss, said


def measured(*command):
    """Instructions and the peak memory in KiB: the least of five, since pages depend on chance."""
    _, said = run("valgrind", "--tool=cachegrind", "--cache-sim=no",
                  "--cachegrind-out-file=/dev/null", *command)
    found = re.search(r"I +refs: +([0-9,]+)", said)
    return int(found[1].replace(",", "")), min(run(*command)[0] for _ in range(5))


def commands(folder, n3spe):
    data, symfs = f"{folder}/bench.data", f"{folder}/root"
    return {"n3spe": (n3spe, "report", "--symfs", symfs, data),
            "perf": ("perf", "--buildid-dir", f"{folder}/cache", "report", "--stdio",
                     "--itrace=i1i", "--symfs", symfs, "--kallsyms", f"{data}.kallsyms", "-i",
                     data)}


def measure(folder, name, records, *command):
    print(name, records, *measured(*command))


def check(folder, n3spe, records):
    """Not above the rows of aeba214, and below perf."""
    make(folder, records)
    rows = [line.split() for line in open(HERE / "bench.txt", encoding="ascii") if line[0] != "#"]
    limit = next([int(n) for n in row[2:]] for row in rows if row[:2] == ["aeba214", records])
    got = {name: measured(*command) for name, command in commands(folder, n3spe).items()
           if name != "perf" or shutil.which("perf")}
    for name, values in got.items():
        print(name, records, *values)
    for what, ours, before in zip(("instructions", "KiB"), got["n3spe"], limit):
        if ours > SLACK[what] * before:
            raise SystemExit(f"{what}: {ours}, not {before}")
    for what, ours, perf in zip(("instructions", "KiB"), got["n3spe"], got.get("perf", ())):
        if ours >= perf:
            raise SystemExit(f"{what}: {ours}, perf {perf}")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

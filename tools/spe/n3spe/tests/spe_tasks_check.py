#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_tasks_check.py N3STAT DIR SEED [--switches]

Random histories: processes and threads start, exec, map files and exit, with few IDs, which are
reused often. n3stat spe report attributes each sample to the same process and file as the model
here. The thread IDs are in the records or, with --switches, the processes in perf's switch
records."""
import collections
import pathlib
import random
import sys

import spe_file as f
import spe_packets as spe
from spe_report import counts, report_of

NUMBERS, SLOTS, SIZE, FILES = range(10, 22), 6, 0x10000, 8


class Program:
    """A program run by a process, from its fork or exec to the next exec."""
    def __init__(self, pid, name):
        self.pid, self.name = pid, name

    def label(self):
        return f"{self.pid} {self.name}" if self.name else str(self.pid)


class Process:
    def __init__(self, pid, name, maps):
        self.pid, self.program, self.maps = pid, Program(pid, name), maps
        self.threads = {pid}


class Machine:
    def __init__(self, rng):
        self.rng, self.now, self.nr = rng, 10, 0
        self.processes = {}     # by thread ID
        self.events = []        # perf records
        self.samples = []       # (time, thread, address, process, file or None)

    def free(self):
        return [n for n in NUMBERS if n not in self.processes]

    def any_thread(self):
        tid = self.rng.choice(sorted(n for n, p in self.processes.items() if n in p.threads))
        return self.processes[tid], tid

    def new_name(self):
        self.nr += 1
        return f"name{self.nr}"

    def at(self):
        self.now += self.rng.randrange(1, 40)
        return f.BASE + self.now

    def add_map(self, process, tid, time):
        slot, number = self.rng.randrange(SLOTS), self.rng.randrange(FILES)
        process.maps[slot] = number
        self.events.append(f.mmap2(process.pid, SIZE * (slot + 1), SIZE, 0, f"/opt/file{number}",
                                   tid=tid, time=time))

    def boot(self):
        """State before the recording: at time 0, or unknown."""
        for pid in self.rng.sample(sorted(NUMBERS), 3):
            process = Process(pid, self.new_name(), {})
            self.processes[pid] = process
            self.events.append(f.comm(pid, process.program.name))
            self.add_map(process, pid, 0)

    def fork(self):
        if not self.free():
            return
        parent, tid = self.any_thread()
        pid = self.rng.choice(self.free())
        self.processes[pid] = Process(pid, parent.program.name, dict(parent.maps))
        self.events.append(f.fork(pid, parent.pid, self.at()))

    def clone(self):
        if not self.free():
            return
        process, _ = self.any_thread()
        tid = self.rng.choice(self.free())
        process.threads.add(tid)
        self.processes[tid] = process
        self.events.append(f.fork(process.pid, process.pid, self.at(), tid=tid))
        if self.rng.random() < 0.5:
            self.events.append(f.comm(process.pid, self.new_name(), tid=tid, time=self.at()))

    def exec(self):
        """Ends the other threads; this one takes the ID of the first."""
        process, by = self.any_thread()
        for tid in sorted(process.threads - {by}):
            self.end_thread(process, tid)
        if by != process.pid:
            process.threads = {process.pid}
            del self.processes[by]
        process.program, process.maps = Program(process.pid, self.new_name()), {}
        self.events.append(f.comm(process.pid, process.program.name, exec_=True,
                                  time=self.at()))
        for _ in range(self.rng.randrange(3)):
            self.add_map(process, process.pid, self.at())

    def rename(self):
        process, _ = self.any_thread()
        if process.pid not in process.threads:
            return
        process.program.name = self.new_name()
        self.events.append(f.comm(process.pid, process.program.name, time=self.at()))

    def map(self):
        process, tid = self.any_thread()
        self.add_map(process, tid, self.at())

    def end_thread(self, process, tid):
        """The ID of the first one stays in use until the others have ended."""
        process.threads.remove(tid)
        if tid != process.pid:
            del self.processes[tid]
        self.events.append(f.end(process.pid, 1, self.at(), tid=tid))
        if not process.threads:
            del self.processes[process.pid]

    def end(self):
        process, tid = self.any_thread()
        if sum(len(p.threads) for p in set(self.processes.values())) > 2:
            self.end_thread(process, tid)

    def sample(self, switches):
        process, tid = self.any_thread()
        if switches:
            self.events.append(f.switch_in(process.pid, self.at(), 0))
        for _ in range(self.rng.randrange(1, 4)):
            slot = self.rng.randrange(SLOTS)
            self.samples.append((self.at(), tid, SIZE * (slot + 1) + 4, process.program,
                                 process.maps.get(slot)))

    def run(self, steps, switches):
        kinds = (self.fork, self.clone, self.exec, self.rename, self.map, self.end)
        self.boot()
        for _ in range(steps):
            self.rng.choices(kinds, (4, 3, 2, 1, 2, 4))[0]()
            self.sample(switches)


def write(path, machine, rng, switches):
    with f.Recording(path) as recording:
        # perf's rings are drained in turn: records of other CPUs come earlier or later
        streams = [[] for _ in range(4)]
        for event in machine.events:
            is_switch = event[0] == 15
            (streams[0] if is_switch else rng.choice(streams)).append(event)
        order = sorted(range(4), key=lambda i: rng.random())
        for stream in order:
            if streams[stream]:
                recording.perf(stream, stream, *streams[stream])
        recording.aux(0, b"".join(
            spe.record(pc=pc, op=spe.OTHER, events=2, time=time - f.BASE,
                       **({} if switches else {"context": tid}))
            for time, tid, pc, *_ in machine.samples))


def main():
    n3stat, folder, seed, *more = sys.argv[1:]
    switches, rng = more == ["--switches"], random.Random(int(seed))
    machine = Machine(rng)
    machine.run(300, switches)
    path = pathlib.Path(folder) / "tasks.data"
    write(path, machine, rng, switches)
    processes = collections.Counter(s[3].label() for s in machine.samples)
    files = collections.Counter(f"[process {s[3].label()}]" if s[4] is None else f"/opt/file{s[4]}"
                                for s in machine.samples)
    report, _ = report_of(n3stat, path)
    if len(machine.samples) < 300 or len(processes) < 15:
        sys.exit("hardly anything happened")
    for what, wanted, got in (("processes", processes, counts(report["processes"], "process")),
                              ("files", files, counts(report["functions"], "file"))):
        if got != wanted:
            sys.exit(f"{what}: {sorted(got.items() ^ wanted.items())}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_spe.py RECORDING TRUTH PROGRAM SYMFS SEED RECORDS

A recording of four CPUs with known samples and typical conditions: task switches, a fork, an
exec, a library at two addresses, records split over two windows, full buffers, gaps, bad bytes.
TRUTH is a JSON file with all good samples."""
import json
import pathlib
import random
import shutil
import sys

import spe_file as f
import spe_packets as spe

PATH = "/opt/prog"
KERNEL = [(0xffff800010000000, "T", "kernel_copy"), (0xffff800010000400, "t", "kernel_lock"),
          (0xffff800010000800, "T", "kernel_last")]
# mappings of the program by process, with start times
BASES = {100: 0xaaaa00000000, 200: 0xbbbb00000000, 201: 0xbbbb00000000}
EXEC_AT, FORK_AT = 80000, 20000
LOADS = (spe.LOAD, (1, 0x04), (1, 0x10))


def one(rng, text, pid):
    """Fields of a record; text: (first, last) address of the program's code."""
    events = spe.RETIRED | rng.choice((0, spe.L1D_ACCESS, spe.TLB_ACCESS | spe.L1D_ACCESS))
    fields = {"total": rng.choice((rng.randrange(20), rng.randrange(600), 4095)),
              "issue": rng.choice((rng.randrange(60), 4095 if rng.random() < 0.01 else 3)),
              "events": events}
    where = rng.random()
    if where < 0.15:
        fields |= {"pc": rng.choice((0xffff800010000010, 0xffff800010000404,
                                     rng.randrange(0xffff800010000000, 0xffff800010000900, 4))),
                   "el": 1}
    elif where < 0.2:
        fields["pc"] = 0x7f0000000000 + rng.randrange(64) * 4
    else:
        low = rng.choice((text[0] + 0x10, rng.randrange(text[0], text[1], 4)))
        fields["pc"] = BASES.get(pid, 0xcccc00000000) + low
    kind = rng.random()
    if kind < 0.45:
        fields |= {"op": rng.choice(LOADS), "source": rng.choice((0, 0, 0, 8, 9, 10, 11, 12, 13,
                                                                  14, 14, 3))}
        if rng.random() < 0.2:
            fields["events"] |= spe.LATE_PREFETCH
    elif kind < 0.6:
        fields["op"] = spe.STORE
    elif kind < 0.65:
        fields["op"] = spe.ATOMIC_LOAD
    elif kind < 0.9:
        fields |= {"op": spe.COND_BRANCH, "target": fields["pc"] + rng.randrange(-8, 8) * 4}
        fields["events"] |= rng.choice((0, 0, spe.MISPREDICTED, spe.NOT_TAKEN))
    else:
        fields["op"] = spe.OTHER
    if fields["op"][0] == 1:
        shared = rng.random() < 0.3
        fields["va"] = (0x5000 if shared else 0x100000) + rng.randrange(32 if shared else 400) * 8
        fields["translation"] = rng.randrange(100)
        if rng.random() < 0.7:
            fields["pa"] = 0x80000000 + fields["va"]
        if rng.random() < 0.3:
            fields["events"] |= spe.TLB_WALK
    return fields


class Machine:
    """Schedule of each CPU: a switch every 1000 to 30000 ns."""

    def __init__(self, rng):
        self.rng = rng
        self.now = {cpu: 0 for cpu in range(4)}
        self.pid = {cpu: None for cpu in range(4)}
        self.next_switch = dict(self.now)

    def step(self, cpu):
        """perf records before the next sample of a CPU."""
        events = []
        self.now[cpu] += self.rng.randrange(20, 200)
        now = self.now[cpu]
        if now >= self.next_switch[cpu]:
            at = f.BASE + self.next_switch[cpu]
            if self.pid[cpu] is not None:
                events.append(f.switch_out(self.pid[cpu], at - 1 if at > f.BASE else at, cpu))
            self.pid[cpu] = self.rng.choice((100, 200, 201 if now > FORK_AT + 30000 else 100, 300))
            events.append(f.switch_in(self.pid[cpu], at, cpu))
            self.next_switch[cpu] = now + self.rng.randrange(1000, 30000)
        return events


def maps(base=f.BASE):
    everything = {"size": 0x200000, "offset": 0, "name": PATH}
    return [f.comm(100, "worker"), f.mmap2(100, BASES[100], **everything),
            f.comm(200, "parent"), f.mmap2(200, BASES[200], **everything),
            f.fork(201, 200, base + FORK_AT),
            f.comm(200, "changed", exec_=True, time=base + EXEC_AT),
            f.mmap2(200, BASES[200], 0x200000, 0, "/opt/other", time=base + EXEC_AT + 1)]


def truth_of(fields, cpu, pid, time):
    """Expected object and offset of a sample."""
    pc, base = fields["pc"], BASES.get(pid)
    owner, address = None, pc
    if pc >> 63:
        owner = "[kernel]"
    elif base and base <= pc < base + 0x200000:
        owner, address = PATH, pc - base
        if pid == 200 and time >= EXEC_AT:
            owner = "/opt/other" if time > EXEC_AT else None
            address = address if owner else pc
    return {**fields, "cpu": cpu, "pid": pid, "owner": owner, "address": address, "time": time}


class Windows:
    """Bytes of a stream in chunks: split anywhere, occasionally damaged or lost."""

    def __init__(self, recording, rng, truth):
        self.recording, self.rng, self.truth = recording, rng, truth
        self.data = {cpu: b"" for cpu in range(4)}
        self.samples = {cpu: [] for cpu in range(4)}
        self.after = {cpu: None for cpu in range(4)}
        self.damaged = self.bad = 0

    def add(self, cpu, data, sample):
        if self.rng.random() < 0.01:
            # an invalid first byte in place of padding
            data = data[:53] + b"\xff" + data[54:]
            self.damaged += 1
            self.bad += 1
            sample = None
        self.data[cpu] += data
        self.samples[cpu].append(sample)

    def flush(self, cpu, last=False):
        data = self.data[cpu]
        choice = self.rng.random()
        keep = len(data) if last or choice < 0.6 else self.rng.randrange(len(data) + 1)
        if choice < 0.7 or last:
            # the rest is in the next window
            self.recording.aux(cpu, data[:keep], cpu=cpu)
            self.data[cpu] = data[keep:]
            if last:
                self.good(cpu, len(self.samples[cpu]))
            return
        self.lose(cpu, keep, choice < 0.85)

    def good(self, cpu, nr):
        self.truth += [s for s in self.samples[cpu][:nr] if s]
        self.samples[cpu] = self.samples[cpu][nr:]

    def lose(self, cpu, keep, truncated):
        """Drops everything after keep; only complete records before it remain. Their bytes may
        be in an earlier window: counted from the end."""
        missing = len(self.data[cpu]) - keep
        missing += -missing % 64
        keep = len(self.data[cpu]) - missing
        if keep < 0:
            return
        whole = len(self.samples[cpu]) - missing // 64
        self.good(cpu, whole)
        # a damaged one among the lost is not seen
        unseen = sum(s is None for s in self.samples[cpu])
        self.damaged -= unseen
        self.bad -= unseen
        self.samples[cpu] = []
        # plus the start of a damaged one
        part = self.rng.choice((0, self.rng.randrange(1, 40))) if missing else 0
        self.damaged += part > 0
        data, self.data[cpu] = self.data[cpu][:keep + part], b""
        self.recording.aux(cpu, data, cpu=cpu, flags=f.TRUNCATED if truncated else 0)
        self.recording.offsets[cpu] += missing - part


def write(path, truth_path, program, seed, count):
    rng = random.Random(seed)
    text = text_of(program)
    truth = []
    machine = Machine(rng)
    with f.Recording(path, {"period": 10000}, range(4)) as recording:
        recording.perf(0, 0, *maps())
        recording.kallsyms(*KERNEL)
        windows = Windows(recording, rng, truth)
        for _ in range(max(1, count // 400)):
            for cpu in range(4):
                events = []
                for _ in range(100):
                    events += machine.step(cpu)
                    fields = one(rng, text, machine.pid[cpu])
                    now = machine.now[cpu]
                    sample = truth_of(fields, cpu, machine.pid[cpu], now)
                    windows.add(cpu, spe.record(**fields, time=now), sample)
                # perf's ring and the AUX buffer are drained in any order
                early = rng.random() < 0.5
                if early and events:
                    recording.perf(cpu, cpu, *events)
                windows.flush(cpu)
                if not early and events:
                    recording.perf(cpu, cpu, *events)
        for cpu in range(4):
            windows.flush(cpu, last=True)
    summary = {"damaged": windows.damaged, "bad_bytes": windows.bad, "samples": truth}
    pathlib.Path(truth_path).write_text(json.dumps(summary), encoding="ascii")


def text_of(program):
    """Addresses of cold_11 to the end of cold_33, by nm."""
    from check_spe import symbols_of
    symbols = [s for s in symbols_of(program) if s[2].startswith("cold_")]
    return min(s[0] for s in symbols), max(s[0] + s[1] for s in symbols)


def main():
    recording, truth, program, symfs, seed, records = sys.argv[1:]
    for name in (PATH, "/opt/other"):
        to = pathlib.Path(symfs + name)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(program, to)
    write(recording, truth, program, int(seed), int(records))


if __name__ == "__main__":
    main()

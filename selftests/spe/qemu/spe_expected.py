#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""spe_expected.py profile|share|owners LOG PROGRAM - expected output of n3stat for a recording
of PROGRAM (spe_program.c), whose samples are in the LOG of the emulated machine:

    profile   the profile for BOLT
    share     percent of all operations that are in hot(), from its loop, not the LOG
    owners    address of each sample, and whether it is the program's, as perf shows them"""
import collections
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "tools/spe/libspe/tests"))

import spe_packets as spe  # noqa: E402

SIZE, PAGE = 64, 1 << 12
BRANCH = 2
ROUNDS = 70000		# of the loop of main()


def functions_of(program):
    """Address, in the file, and size of each."""
    done = subprocess.run(["aarch64-linux-gnu-nm", "-S", program], capture_output=True, text=True,
                          check=True)
    words = [line.split() for line in done.stdout.splitlines()]
    return {w[3]: (int(w[0], 16), int(w[1], 16)) for w in words if len(w) == 4}


def text_of(program):
    """Start and end of the executable mapping."""
    done = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True)
    words = next(line.split() for line in done.stdout.splitlines()
                 if line.split()[:1] == ["LOAD"] and " E " in line)
    return int(words[2], 16), int(words[2], 16) + int(words[5], 16)


def base_of(samples, program):
    """Load address of the program: its most frequently called function is leaf()."""
    targets = collections.Counter(s["target"] for s in samples
                                  if s["op"][0] == BRANCH and s["op"][1] == 0)
    base = targets.most_common(1)[0][0] - functions_of(program)["leaf"][0]
    if base % PAGE:
        raise SystemExit(f"no program is at {base:x}")
    return base


def shown(address):
    return "X:0" if address is None else f"{address:x}"


def profile(samples, program):
    base, (start, end) = base_of(samples, program), text_of(program)
    branches = collections.defaultdict(lambda: [0, 0])
    runs = collections.Counter()

    def place(address):
        return address - base if start <= address - base < end else None

    for sample in samples:
        if sample["op"][0] != BRANCH or not sample["events"] & spe.RETIRED:
            continue
        pc, to, before = (place(sample[key]) for key in ("pc", "target", "previous"))
        if not sample["events"] & spe.NOT_TAKEN:
            if pc is not None or to is not None:
                branches[pc, to][0] += 1
                branches[pc, to][1] += bool(sample["events"] & spe.MISPREDICTED)
        elif pc is not None:
            runs[pc, pc + 4] += 1
        if pc is not None and before is not None:
            runs[before, pc] += 1
    for (pc, to), (count, missed) in branches.items():
        yield f"B {shown(pc)} {shown(to)} {count} {missed}"
    for (before, pc), count in runs.items():
        yield f"F {before:x} {pc:x} {count}"


def owners(samples, program):
    base, (start, end) = base_of(samples, program), text_of(program)
    for sample in samples:
        yield f"{sample['pc']:x} {'program' if start <= sample['pc'] - base < end else 'other'}"


def steps_of(value):
    steps = 0
    while value != 1:
        value = value * 3 + 1 if value & 1 else value // 2
        steps += 1
    return steps


def share(program):
    """leaf() has no branches; the loop of hot() extends from the target of its last conditional
    branch to that branch, and runs once per step."""
    done = subprocess.run(["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", program],
                          capture_output=True, text=True, check=True)
    start, size = functions_of(program)["hot"]
    loops = []
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) > 2 and words[1].startswith("b.") and words[0].endswith(":"):
            at, to = int(words[0][:-1], 16), int(words[2], 16)
            if start <= to < at < start + size:
                loops.append((at - to) // 4 + 1)
    around, calls = sum(steps_of(i) for i in range(1, ROUNDS)), ROUNDS - 1
    of_hot = loops[0] * around + (size // 4 - loops[0]) * calls
    of_leaf = functions_of(program)["leaf"][1] // 4 * around
    of_main = 6 * calls
    return 100 * of_hot / (of_hot + of_leaf + of_main)


def main():
    what, log, program = sys.argv[1:]
    if what == "share":
        print(f"{share(program):.2f}")
        return
    data = pathlib.Path(log).read_bytes()
    samples = [spe.fields_of(data[at:at + SIZE]) for at in range(0, len(data), SIZE)]
    print("\n".join(sorted({"profile": profile, "owners": owners}[what](samples, program))))


if __name__ == "__main__":
    main()

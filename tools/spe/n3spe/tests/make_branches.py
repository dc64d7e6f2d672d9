#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_branches.py RECORDING PROFILE PROGRAM [--no-previous]

A recording of branches that PROGRAM (spe_program.c) takes in hot() and leaf(), as its code
in objdump's words says, and the profile for BOLT that they add up to."""
import collections
import pathlib
import random
import re
import sys

import spe_file as f
import spe_packets as spe
from spe_report import tool

BASE = 0xaaaa00000000
PATH = "/opt/prog"
LINE = re.compile(r" +([0-9a-f]+):\s+(\S+)(?:\s+(.*))?$")
ELSEWHERE = 0x7fff00001000


def code_of(program):
    """Address to (mnemonic, target or None); and addresses of functions."""
    code, functions = {}, {}
    for line in tool("objdump", "-d", "--no-show-raw-insn", program).splitlines():
        found = LINE.match(line)
        if found:
            target = re.search(r"([0-9a-f]+) <", found[3] or "")
            code[int(found[1], 16)] = (found[2], int(target[1], 16) if target else None)
        elif line.endswith(">:"):
            address, name = line[:-2].split(" <")
            functions[name] = int(address, 16)
    return code, functions


def walk(program, steps, rng):
    """(from, to, class payload, taken, previous target) of branches, from the one that enters
    main() on."""
    code, functions = code_of(program)
    start = functions["hot"]
    # main() calls hot() over and over
    caller = next(a for a, (word, to) in code.items() if word == "bl" and to == start)
    yield ELSEWHERE, functions["main"], 2, True, None
    pc, stack, previous = caller, [], None
    for _ in range(steps):
        word, target = code[pc]
        conditional = word.startswith(("b.", "cb", "tb"))
        taken, to = True, target
        if word == "bl":
            if target != functions["leaf"] and target != start:
                raise ValueError(f"calls {target:x}")
            stack.append(pc + 4)
        elif word == "ret":
            to = stack.pop()
        elif conditional:
            # never to abort(); main() goes around for ever, hot() about ten times
            around = target <= caller < pc
            taken = around or leads_on(code, target) and rng.random() < 0.9
        elif word != "b":
            pc += 4
            continue
        yield (pc, to if taken else pc + 4, 1 if conditional else 2 if word == "ret" else 0,
               taken, previous)
        pc = to if taken else pc + 4
        if taken:
            previous = pc


def leads_on(code, address):
    """Whether what is there does not end the program."""
    for at in range(address, address + 12, 4):
        word, _ = code[at]
        if word == "bl":
            return "abort" not in str(code[at]) and code[at][1] in CALLED
        if word in ("ret", "b"):
            break
    return True


CALLED = set()


def main():
    path, profile, program, *no_previous = sys.argv[1:]
    rng = random.Random(5)
    _, functions = code_of(program)
    CALLED.update((functions["hot"], functions["leaf"]))
    branches, runs = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    data, time = [], 0
    for pc, to, payload, taken, previous in walk(program, 60000, rng):
        time += 50
        missed = taken and rng.random() < 0.1
        fields = {"pc": place(pc), "target": place(to), "op": (2, payload), "time": time,
                  "total": 5, "issue": 3,
                  "events": spe.RETIRED | missed * spe.MISPREDICTED | (not taken) * spe.NOT_TAKEN}
        if previous is not None and not no_previous:
            fields["previous"] = place(previous)
            if known(previous) and known(pc):
                runs[previous, pc] += 1
        if taken:
            branches[shown(pc), shown(to)][0] += 1
            branches[shown(pc), shown(to)][1] += missed
        else:
            runs[pc, pc + 4] += 1
        data.append(spe.record(**fields))
    # nothing of it counts: other operations, and another program's branches
    data += [spe.record(pc=place(0x700), op=spe.LOAD, va=0x1000, events=2, time=time),
             spe.record(pc=0x7fff00002000, target=0x7fff00003000, op=spe.BRANCH, events=2,
                        time=time)]
    with f.Recording(path) as recording:
        recording.perf(0, 0, f.comm(100, "prog"), f.mmap2(100, BASE, 0x200000, 0, PATH),
                       f.switch_in(100, f.BASE, 0))
        recording.aux(0, b"".join(data))
    lines = [f"B {a} {b} {n} {m}" for (a, b), (n, m) in branches.items()]
    lines += [f"F {a:x} {b:x} {n}" for (a, b), n in runs.items()]
    pathlib.Path(profile).write_text("\n".join(sorted(lines)) + "\n", encoding="ascii")


def known(address):
    return address < ELSEWHERE


def place(address):
    return address + (BASE if known(address) else 0)


def shown(address):
    return f"{address:x}" if known(address) else "X:0"


if __name__ == "__main__":
    main()

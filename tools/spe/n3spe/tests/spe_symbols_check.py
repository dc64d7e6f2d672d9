#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_symbols_check.py elf|kernel N3STAT DIR SEED

Random symbols: nested, overlapping, labels, aliases, none. n3stat spe report names each address
like a linear search through all symbols.

    elf      an assembled program with a random layout
    kernel   a text as in /proc/kallsyms, with modules, BPF programs and gaps"""
import pathlib
import random
import sys

import spe_file as f
import spe_packets as spe
from spe_report import offset_of, report_of, tool

PAGE = 4096


def names_of(n3stat, path, *options):
    """Address to the name of its function, None without one."""
    rows = report_of(n3stat, path, *options)[0]["instructions"]
    names = {int(row["address"], 16): row["code"].split("+")[0] for row in rows}
    return {at: None if name == "[no symbol]" else name for at, name in names.items()}


def compare(wanted, got):
    if set(wanted) != set(got):
        sys.exit(f"other addresses: {[hex(a) for a in set(wanted) ^ set(got)][:5]}")
    for at, names in wanted.items():
        if got[at] not in names:
            sys.exit(f"{at:#x} is {got[at]}, not of {names}")


class Section:
    def __init__(self, rng, number, start):
        self.name, self.start = f".code{number}", start
        self.size = 4 * rng.randrange(8, 40)
        # start, size or None without one, name, whether it is a function
        self.symbols = [self.symbol(rng, f"s{number}_{i}") for i in range(rng.randrange(9))]
        for start, size, name, function in list(self.symbols):
            if rng.random() < 0.2:
                self.symbols.append((start, size, name + "_alias", function))

    def symbol(self, rng, name):
        start = self.start + 4 * rng.randrange(self.size // 4)
        # occasionally beyond the end of the section
        size = rng.choice((None, 4 * rng.randrange(1, 24)))
        return start, size, name, size is not None or rng.random() < 0.5

    def text(self):
        yield f'.section {self.name},"ax",@progbits'
        for start, size, name, function in self.symbols:
            yield f".set {name}, {self.name}_start + {start - self.start}"
            if function:
                yield f".type {name}, %function"
            if size is not None:
                yield f".size {name}, {size}"
        yield f"{self.name}_start:"
        yield f".fill {self.size // 4}, 4, 0xd503201f"

    def names_at(self, at):
        """All correct names of the address."""
        end = self.start + self.size
        sized = [(s, min(s + n, end), name) for s, n, name, _ in self.symbols if n is not None]
        cover = [(s, -e, name) for s, e, name in sized if s <= at < e]
        if cover:
            return {name for s, e, name in cover if (s, e) == max(cover)[:2]}
        free = [(s, name) for s, n, name, _ in self.symbols if n is None and
                not any(a <= s < b for a, b, _ in sized)]
        before = [s for s, *_ in self.symbols if s <= at]
        return {name for s, name in free if before and s == max(before)} or {None}


def elf(n3stat, tmp, rng):
    sections, at = [], 0x410000
    for number in range(4):
        sections.append(Section(rng, number, at))
        at += sections[-1].size + 4 * rng.choice((0, 0, 1, 30))
    end = sections[-1].start + sections[-1].size
    root, source = tmp / "root", tmp / "layout.s"
    (root / "opt").mkdir(parents=True, exist_ok=True)
    text = [line for section in sections for line in section.text()]
    source.write_text("\n".join(text) + "\n", encoding="ascii")
    tool("as", "-o", tmp / "layout.o", source)
    places = [f"--section-start={s.name}={s.start:#x}" for s in sections]
    tool("ld", "-e", "0", "-o", root / "opt" / "layout", *places, "--strip-debug",
         tmp / "layout.o")
    # the mark of the section's start is a label without a size too
    for section in sections:
        section.symbols.append((section.start, None, f"{section.name}_start", False))
    wanted = {a: {None} for a in range(0x410000, end, 4)}
    for section in sections:
        wanted |= {a: section.names_at(a)
                   for a in range(section.start, section.start + section.size, 4)}
    # mapped as in the file: the offset is that of the segment
    offset = offset_of(root / "opt" / "layout", 0x410000)
    path = tmp / "layout.data"
    with f.Recording(path) as recording:
        recording.perf(0, 0, f.comm(5, "layout"), f.switch_in(5, f.BASE, 0),
                       f.mmap2(5, 0x410000, 0x10000, offset, "/opt/layout"))
        recording.aux(0, b"".join(spe.record(pc=a, op=spe.OTHER, events=2, time=1 + i)
                                  for i, a in enumerate(wanted)))
    compare(wanted, names_of(n3stat, path, "--symfs", root))


def functions(rng, start, end, prefix):
    """Random (address, name) in a range, including aliases."""
    for i in range(rng.randrange(1, 12)):
        at = rng.randrange(start, end, 4)
        yield at, f"{prefix}{i}"
        if rng.random() < 0.2:
            yield at, f"{prefix}{i}_alias"


def kernel(n3stat, tmp, rng):
    text = (0xffff800080010000, 0xffff800080010000 + 4 * rng.randrange(200, 3000))
    symbols = [(text[0], "T", "_stext", "")]
    symbols += [(a, "t", n, "") for a, n in functions(rng, *text, "kernel")]
    symbols.append((text[1], rng.choice("TDR"), "_etext", ""))
    init = text[1] + 0x100000
    symbols += [(init, "t", "init_one", ""), (init + 64, "T", "_einittext", "")]
    extents = []
    for number in range(3):
        start = 0xffff80007a000000 + number * 0x100000
        extents.append((start, start + PAGE * rng.randrange(1, 4), f"[mod{number}]"))
        symbols += [(a, "t", n, f"[mod{number}]") for a, n in
                    functions(rng, start, extents[-1][1], f"mod{number}_")]
    # unknown end
    for number in range(3):
        at = 0xffff80007c000000 + number * rng.choice((PAGE // 2, PAGE, 16 * PAGE)) + 0x40
        symbols.append((at, "t", f"bpf_prog_{number}", "[bpf]"))
    wanted = {}
    addresses = {a + d for a, *_ in symbols for d in (-4, 0, 4, 60, 64, PAGE, 17 << 20)}
    addresses |= {b + d for a, b, _ in extents for d in (-4, 0)} | {text[0] - 64, text[1] + PAGE}
    for at in addresses:
        wanted[at] = kernel_names(symbols, extents, text[1], at)
    path = tmp / "kernel.data"
    shuffled = sorted(symbols, key=lambda s: rng.random())
    with f.Recording(path) as recording:
        recording.perf(0, 0, f.kernel_map(text[0], text[1] - text[0], "[kernel.kallsyms]_stext"),
                       *(f.kernel_map(a, b - a, n) for a, b, n in extents))
        recording.kallsyms(*((a, t, f"{n}\t{m}" if m else n) for a, t, n, m in shuffled))
        recording.aux(0, b"".join(spe.record(pc=a, el=1, op=spe.OTHER, events=2, time=1 + i)
                                  for i, a in enumerate(sorted(wanted))))
    compare(wanted, names_of(n3stat, path))


def kernel_names(symbols, extents, etext, at):
    starts = [a for a, *_ in symbols if a <= at]
    if not starts:
        return {None}
    start = max(starts)
    found = {n for a, _, n, _ in symbols if a == start} - {"_etext", "_einittext"}
    module = next(m for a, _, _, m in symbols if a == start)
    if not module:
        end = etext if start < etext else start if at > start + 60 else at + 1
    elif module == "[bpf]":
        end = (start // PAGE + 1) * PAGE
    else:
        end = next(b for _, b, n in extents if n == module)
    return found if found and at < end else {None}


def main():
    tmp = pathlib.Path(sys.argv[3]) / f"{sys.argv[1]}.{sys.argv[4]}"
    tmp.mkdir(parents=True, exist_ok=True)
    {"elf": elf, "kernel": kernel}[sys.argv[1]](sys.argv[2], tmp, random.Random(sys.argv[4]))


if __name__ == "__main__":
    main()

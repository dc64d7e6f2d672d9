#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_lines_check.py N3STAT DIR

Programs of gcc and clang, with their debug information in all places and forms. n3stat spe report
has the line of each instruction that llvm-symbolizer or addr2line has, and the function that nm has
for the program before it was stripped."""
import os
import pathlib
import shutil
import subprocess
import sys

import spe_file as f
import spe_packets as spe
from spe_report import offset_of, report_of, tool

PATH, BASE = "/srv/app", 0x5500000000

HEADER = """static inline long twice(long n)
{
	return n * 2 +
	       (n ^ 5);
}
"""
SOURCE = """#include "twice.h"
long table[64];
__attribute__((noinline)) static long loop(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		sum += twice(i);
		if (sum & 8)
			table[i & 63] = sum;
	}
	return sum;
}

__attribute__((noinline)) long unused(long n)
{
""" + "".join(f"\ttable[{i % 64}] += n * {i};\n" for i in range(300)) + """	return n;
}

__attribute__((noinline, section(".text.far"))) long far(long n)
{
	return loop(n) /
	       (n + 1);
}

void _start(void)
{
	table[0] = far(twice(table[1]));
}
"""
LINK = ["aarch64-linux-gnu-gcc", "-nostdlib", "-static-pie", "-Wl,-e,_start"]
ID = "-Wl,--build-id=sha1"


def run(*command, cwd):
    subprocess.run([str(word) for word in command], check=True, cwd=cwd)


class Program:
    """compiler: gcc or clang; steps change the linked program "app" in the folder. lines: whether
    they are there; False: but cannot be read."""

    def __init__(self, tmp, name, compiler, options, link=(ID,), steps=lambda program: None,
                 lines=True):
        self.name, self.tmp, self.lines = name, tmp / name, lines
        self.root = self.tmp / "root"
        (self.root / "srv").mkdir(parents=True)
        (self.tmp / "twice.h").write_text(HEADER, encoding="ascii")
        (self.tmp / "app.c").write_text(SOURCE, encoding="ascii")
        command = ["aarch64-linux-gnu-gcc"] if compiler == "gcc" else \
            [compiler, "--target=aarch64-linux-gnu"]
        self.run(*command, "-O1", "-g", "-fPIE", *options, "-c", "-o", "app.o", "app.c")
        self.run(*(link if link[0] == "ld.lld" else (*LINK, *link)), "-o", "app", "app.o")
        shutil.copy(self.tmp / "app", self.tmp / "whole")
        steps(self)
        shutil.copy(self.tmp / "app", self.root / PATH[1:])

    def run(self, *command):
        run(*command, cwd=self.tmp)

    def tool(self, name, *arguments):
        return tool(name, *arguments, cwd=self.tmp)

    def objcopy(self, *arguments):
        self.run("aarch64-linux-gnu-objcopy", *arguments)

    def build_id(self):
        note = next((line for line in self.tool("readelf", "-n", "whole").splitlines()
                     if "Build ID" in line), "").split()
        return note[-1] if note else ""

    def debug_file(self):
        """Moves debug information to the file with the build ID's name."""
        folder = self.root / "usr/lib/debug/.build-id" / self.build_id()[:2]
        folder.mkdir(parents=True)
        self.objcopy("--only-keep-debug", "app", folder / (self.build_id()[2:] + ".debug"))
        self.run("aarch64-linux-gnu-strip", "app")

    def functions(self):
        """(start, end, name), with the whole program's names."""
        words = [line.split() for line in self.tool("nm", "-S", "whole").splitlines()]
        return [(int(w[0], 16), int(w[0], 16) + int(w[1], 16), w[3])
                for w in words if len(w) == 4 and w[2] in "tT"]

    def wanted(self, addresses):
        """For each address, the lines of both tools."""
        text = "\n".join(map(hex, addresses))
        llvm = subprocess.run(["llvm-symbolizer", "--obj=whole", "--no-inlines", "--functions=none",
                               "--output-style=GNU"], input=text, text=True, check=True,
                              capture_output=True, cwd=self.tmp).stdout.splitlines()
        gnu = tool("addr2line", "-e", "whole", input=text, cwd=self.tmp).splitlines()
        def line(place):
            place = place.split(" (")[0].split(":")
            known = len(place) > 1 and place[1] not in ("0", "?")
            return f"{os.path.basename(place[0])}:{place[1]}" if known else None
        pairs = zip(filter(None, llvm), gnu)
        return [{line(a), line(b)} for a, b in pairs]

    def check(self, n3stat):
        functions = self.functions()
        addresses = [a for start, end, _ in functions for a in range(start, end, 4)]
        start = min(addresses) & ~0xfff
        offset = offset_of(self.tmp / "whole", min(addresses)) & ~0xfff
        path = self.tmp / "app.n3spe"
        with f.Recording(path) as recording:
            recording.perf(0, 0, f.comm(5, "app"), f.switch_in(5, f.BASE, 0),
                           f.mmap2(5, BASE + start, 0x10000, offset, PATH,
                                   bytes.fromhex(self.build_id())))
            recording.aux(0, b"".join(spe.record(pc=BASE + a, op=spe.OTHER, events=2, time=1 + i)
                                      for i, a in enumerate(addresses)))
        report, said = report_of(n3stat, path, "--symfs", self.root)
        rows = {int(row["address"], 16): row for row in report["instructions"]}
        if set(rows) != set(addresses):
            sys.exit(f"{self.name}: {len(rows)} of {len(addresses)} addresses")
        names = {a: name for start, end, name in functions for a in range(start, end, 4)}
        for address, wanted in zip(addresses, self.wanted(addresses)):
            row = rows[address]
            line = row["line"] and os.path.basename(row["line"])
            if line not in (wanted if self.lines else {None}):
                sys.exit(f"{self.name}: {address:#x} is of {line}, not {wanted}")
            if row["code"].split("+")[0] != names[address]:
                sys.exit(f"{self.name}: {address:#x} is in {row['code']}, not {names[address]}")
        if ("debug_unreadable" in said) != (self.lines is False):
            sys.exit(f"{self.name}: said {said}")
        if self.lines and not any(row["line"] for row in report["instructions"]):
            sys.exit(f"{self.name}: no lines")


def debuglink(program):
    folder = program.root / "usr/lib/debug/srv"
    folder.mkdir(parents=True)
    program.objcopy("--only-keep-debug", "app", folder / "app.debug")
    program.run("aarch64-linux-gnu-strip", "app")
    program.objcopy(f"--add-gnu-debuglink={folder}/app.debug", "app")


def mini(program):
    """As Fedora, with one symbol left."""
    program.objcopy("--only-keep-debug", "app", "mini")
    program.objcopy("--strip-debug", "mini")
    program.run("xz", "mini")
    program.objcopy("--add-section", ".gnu_debugdata=mini.xz", "app")
    program.objcopy("--strip-all", "-K", "_start", "app")


def no_sections(program):
    program.debug_file()
    program.run("llvm-objcopy", "--strip-sections", "app")


def dwz(program):
    program.debug_file()
    debug = next(program.root.glob("usr/lib/debug/.build-id/*/*.debug"))
    shutil.copy(debug, program.tmp / "second.debug")
    program.run("dwz", "-m", program.root / "usr/lib/debug/common", "-M", "../../common", debug,
                program.tmp / "second.debug")


def compressed(kind):
    return lambda program: program.objcopy(f"--compress-debug-sections={kind}", "app")


def main():
    n3stat, tmp = sys.argv[1], pathlib.Path(sys.argv[2]) / "lines"
    for compiler in ("gcc", "clang"):
        for version in ("-gdwarf-4", "-gdwarf-5"):
            for split in ([], ["-gsplit-dwarf"]):
                name = compiler + version + "".join(split)
                Program(tmp, name, compiler, [version, *split]).check(n3stat)
        dropped = ["-ffunction-sections"], ("-Wl,--gc-sections", ID)
        Program(tmp, compiler + "-gc", compiler, *dropped).check(n3stat)
        Program(tmp, compiler + "-debug", compiler, [], steps=Program.debug_file).check(n3stat)
    lld = ("ld.lld", "-pie", "-e", "_start", "--gc-sections", "--build-id=sha1")
    Program(tmp, "lld", "clang", dropped[0], lld).check(n3stat)
    Program(tmp, "mini", "gcc", [], steps=mini, lines=None).check(n3stat)
    Program(tmp, "debuglink", "gcc", [], ("-Wl,--build-id=none",), debuglink).check(n3stat)
    Program(tmp, "no-sections", "gcc", [], steps=no_sections).check(n3stat)
    Program(tmp, "dwz", "gcc", ["-gdwarf-4"], steps=dwz).check(n3stat)
    Program(tmp, "zlib", "gcc", [], steps=compressed("zlib")).check(n3stat)
    Program(tmp, "zlib-gnu", "gcc", [], steps=compressed("zlib-gnu")).check(n3stat)
    Program(tmp, "zstd", "gcc", [], steps=compressed("zstd"), lines=False).check(n3stat)


if __name__ == "__main__":
    main()

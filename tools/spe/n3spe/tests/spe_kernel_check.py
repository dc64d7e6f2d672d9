#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_kernel_check.py KERNEL_NAMES DIR

A vmlinux and a module. Names from kallsyms and from vmlinux are the same wherever KASLR moved the
kernel; lines are those of addr2line; a vmlinux with another build ID is not used."""
import os
import pathlib
import shutil
import subprocess
import sys

from spe_report import build_id_of, tool

TEXT, RELEASE = 0xffff800080010000, "6.1.0-9-arm64"
MODULE, PAGE = 0xffff80007a000000, 4096
SOURCE = """void %(p)s_first(volatile long *at)
{
	for (long i = 0; i < 9; i++)
		at[i] += i;
}

static __attribute__((noinline)) long inner(long n)
{
	return n / 3 +
	       (n ^ 7);
}

long %(p)s_last(long n)
{
	return inner(n) * 2;
}
"""


def symbols_of(path):
    """name: (address, size or None)"""
    words = [line.split() for line in tool("nm", "-S", path).splitlines()]
    return {w[-1]: (int(w[0], 16), int(w[1], 16) if len(w) == 4 else None)
            for w in words if w[-2] in "tT" and "$" not in w[-1]}


def places(path, slide):
    """(address of the running kernel, function, line) of all instructions of sized functions."""
    code = [(a, name) for name, (start, size) in symbols_of(path).items() if size
            for a in range(start, start + size, 4)]
    lines = tool("addr2line", "-e", path, input="\n".join(hex(a) for a, _ in code)).splitlines()
    return [(a + slide, name, os.path.basename(line.split(" (")[0]))
            for (a, name), line in zip(code, lines)]


def check(program, wanted, root, build_id, symbol, address, kallsyms, lines=True):
    asked = "\n".join(hex(a) for a, *_ in wanted)
    done = subprocess.run([program, root, RELEASE, build_id, symbol, hex(address), kallsyms],
                          input=asked, text=True, check=True, capture_output=True)
    for (at, name, line), got in zip(wanted, done.stdout.splitlines(), strict=True):
        got_name, place = got.split(" ")
        if (got_name, os.path.basename(place)) != (name, line if lines and line else "-:0"):
            sys.exit(f"{at:#x} is {got}, not {name} {line}")


def build(tmp, name, *options):
    source = tmp / f"{name}.c"
    source.write_text(SOURCE % {"p": name}, encoding="ascii")
    tool("gcc", "-g", "-O1", "-ffunction-sections", "-c", "-o", tmp / f"{name}.o", source)
    tool("ld", *options, "-o", tmp / name, tmp / f"{name}.o")
    return tmp / name


def places_of_module(path):
    """The same, for a module whose functions were loaded to pages of their own."""
    found = []
    for i, (name, (start, size)) in enumerate(sorted(symbols_of(path).items())):
        code = range(start, start + size, 4)
        lines = tool("addr2line", "-j", f".text.{name}", "-e", path,
                     input="\n".join(map(hex, code))).splitlines()
        found += [(MODULE + i * PAGE + at - start, name, os.path.basename(line.split(" (")[0]))
                  for at, line in zip(code, lines)]
    return found


def main():
    program, tmp = sys.argv[1], pathlib.Path(sys.argv[2]) / "kernel"
    root = tmp / "root"
    debug = root / "usr/lib/debug/lib/modules" / RELEASE
    (debug / "kernel/drivers").mkdir(parents=True)
    vmlinux = build(tmp, "core", "-e", "0", f"-Ttext={TEXT:#x}", "--build-id=sha1",
                    "--defsym=_stext=core_first")
    shutil.copy(vmlinux, debug / "vmlinux")
    # the loader's name of the module has no -
    module = build(tmp, "mod", "-r")
    shutil.copy(module, debug / "kernel/drivers/n3-mod.ko.debug")
    build_id, linked = build_id_of(vmlinux), symbols_of(vmlinux)
    other = "00" + build_id[2:]
    for slide in (0, 0x12340000, -0x10000):
        wanted = places(vmlinux, slide)
        kallsyms = tmp / f"kallsyms{slide}"
        lines = [f"{a + slide:016x} t {name}" for name, (a, _) in
                 sorted(linked.items(), key=lambda s: (s[1][0], s[0].startswith("_")))]
        lines += [f"{MODULE + i * PAGE:016x} t {name}\t[n3_mod]"
                  for i, name in enumerate(sorted(symbols_of(module)))]
        kallsyms.write_text("\n".join(lines) + "\n", encoding="ascii")
        by_map = "_stext", linked["_stext"][0] + slide, "/nonexistent"
        check(program, wanted, root, build_id, *by_map)
        check(program, wanted + places_of_module(module), root, build_id, "-", 0, kallsyms)
        check(program, wanted, root, other, "-", 0, kallsyms, lines=False)
        check(program, [(a, "-", None) for a, *_ in wanted], root, other, *by_map)
        # the symbols of another boot, whose modules were elsewhere
        if slide:
            check(program, wanted + [(a, "-", None) for a, *_ in places_of_module(module)], root,
                  build_id, *by_map[:2], tmp / "kallsyms0")


if __name__ == "__main__":
    main()

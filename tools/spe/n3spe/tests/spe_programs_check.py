#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_programs_check.py N3STAT DIR [CASE...]

Programs as compilers, linkers and distributions make them. Each has 10 samples of hot() and 3 of
main(); the functions are known, the lines are those of addr2line before the program is stripped."""
import collections
import os
import pathlib
import shutil
import subprocess
import sys

import spe_file as f
import spe_packets as spe
from spe_report import build_id_of, counts, offset_of, profile_of, report_of, tool

BASE, SIZE = 0xaaaa00000000, 0x100000
HOT = """__attribute__((noinline)) long hot(long n)
{
	long s = 0;
	for (long i = 0; i < n; i++)
		s += i * 3 ^ s;
	return s;
}
int main(int c, char **v) { return hot(c) & 1; }
"""
CART = """namespace shop { struct Cart { int n; __attribute__((noinline)) int hot(int k) {
	int s = n; for (int i = 0; i < k; i++) s += i ^ s; return s; } }; }
int main(int c, char **v) { shop::Cart x{c}; return x.hot(c) & 1; }
"""
GCC = ("aarch64-linux-gnu-gcc", "-O1", "-g")
CLANG = ("clang", "--target=aarch64-linux-gnu", "-O1", "-g")
OBJCOPY = next((n for n in ("llvm-objcopy", "llvm-objcopy-19", "llvm-objcopy-14")
                if shutil.which(n)), None)
ID = "-Wl,--build-id=sha1"


class Case:
    """A program /srv/app below root, built in its own directory."""

    def __init__(self, folder, name):
        self.at = pathlib.Path(folder) / name
        self.root = self.at / "root"
        self.app = self.root / "srv/app"
        shutil.rmtree(self.at, ignore_errors=True)
        self.app.parent.mkdir(parents=True)
        self.data = self.at / "perf.data"
        self.lines = collections.Counter()
        self.symbols, self.sizes = {}, {}

    def build(self, *command, **sources):
        """sources: name_suffix=text, for name.suffix"""
        for name, text in (sources or {"hot_c": HOT}).items():
            (self.at / name.replace("_", ".")).write_text(text, encoding="ascii")
        files = [name.replace("_", ".") for name in sources or ("hot_c",)]
        subprocess.run([*command, "-o", "root/srv/app", *files], cwd=self.at, check=True,
                       capture_output=True)
        for line in tool("nm", "-S", str(self.app)).splitlines():
            words = line.split()
            if len(words) == 4:
                self.symbols[words[3]] = int(words[0], 16)
                self.sizes[words[3]] = int(words[1], 16)
        return self

    def objcopy(self, *arguments):
        tool("objcopy", *map(str, arguments))
        return self

    def strip(self, *arguments):
        tool("strip", *arguments, str(self.app))
        return self

    def debug_file(self, path=None):
        """Separates the debug file; by default the one of the build ID."""
        if not path:
            build_id = build_id_of(self.app)
            path = f"usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug"
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        return self.objcopy("--only-keep-debug", self.app, path)

    def address(self, name):
        """Of a C or C++ function."""
        return self.symbols.get(name) or next(a for n, a in self.symbols.items() if name in n)

    def record(self, *places):
        """places: (function, offset, samples)"""
        has_id = "Build ID" in tool("readelf", "-n", str(self.app))
        build_id = bytes.fromhex(build_id_of(self.app)) if has_id else None
        # the segment of code; its page in the file
        start = offset_of(self.app, self.address("main")) & ~0xfff
        data, time = [], 1000
        for name, offset, nr in places or (("hot", 4, 10), ("main", 4, 3)):
            address = self.address(name) + offset
            where = tool("addr2line", "-e", str(self.app), hex(address)).split()[0]
            self.lines[where.rsplit("/", 1)[-1]] += nr
            data += nr * [spe.record(pc=BASE + offset_of(self.app, address), op=spe.BRANCH,
                                     events=spe.RETIRED, time=time, context=100,
                                     target=BASE + offset_of(self.app, self.address("hot")))]
        with f.Recording(self.data) as r:
            r.perf(0, 0, f.comm(100, "app"),
                   f.mmap2(100, BASE + start, SIZE, start, "/srv/app", build_id))
            r.aux(0, b"".join(data))
        return self


def functions(name="hot"):
    return {name: 10, "main": 3}


def asm(name, file, line, section):
    """A function of 9 instructions, all of one line."""
    return (f'\t.section {section},"ax",%progbits\n\t.globl {name}\n\t.type {name}, %function\n'
            f"{name}:\n\t.loc {file} {line}\n\t.rept 8\n\tnop\n\t.endr\n\tret\n"
            f"\t.size {name}, . - {name}\n")


def unit(name, low=None, high=None):
    """A compilation unit of DWARF 4 for the lines of .loc, with or without a range."""
    ranged = "\t.uleb128 0x11, 0x01, 0x12, 0x01\n" if low else ""
    limits = f"\t.8byte {low}, {high}\n" if low else ""
    return ('\t.section .debug_abbrev,"",%progbits\n.Lab:\n\t.uleb128 1, 0x11\n\t.byte 0\n'
            f"\t.uleb128 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17\n{ranged}\t.byte 0, 0, 0\n"
            '\t.section .debug_line,"",%progbits\n.Lline:\n\t.section .debug_info,"",%progbits\n'
            "\t.4byte .Lend - .Lbegin\n.Lbegin:\n\t.2byte 4\n\t.4byte .Lab\n\t.byte 8\n"
            f'\t.uleb128 1\n\t.asciz "{name}"\n\t.asciz "/src"\n\t.4byte .Lline\n{limits}.Lend:\n')


ASSEMBLE = ("aarch64-linux-gnu-gcc", "-nostdlib", "-static", ID)


def nested(case):
    """The code of a unit lies between two parts of another, whose range covers both."""
    outer = ('\t.file 1 "outer.c"\n' + asm("main", 1, 10, ".text.1") +
             asm("hot", 1, 30, ".text.3") + unit("outer.c", "main", "hot + 36"))
    inner = ('\t.file 1 "inner.c"\n' + asm("inner", 1, 20, ".text.2") +
             unit("inner.c", "inner", "inner + 36"))
    case.build(*ASSEMBLE, "-Wl,--sort-section=name,-e,main", outer_S=outer, inner_S=inner)
    case.record(("main", 4, 3), ("inner", 4, 7), ("hot", 4, 10))
    # addr2line has no lines of units without the usual attributes
    case.lines = {"outer.c:10": 3, "inner.c:20": 7, "outer.c:30": 10}
    return {"main": 3, "inner": 7, "hot": 10}, case.lines


def no_ranges(case):
    text = ('\t.file 1 "only.c"\n' + asm("main", 1, 10, ".text.1") + asm("hot", 1, 20, ".text.2") +
            unit("only.c"))
    case.build(*ASSEMBLE, "-Wl,-e,main", only_S=text).record()
    return functions(), {"only.c:10": 3, "only.c:20": 10}


def dead_lines(case):
    """The linker leaves the lines of a dropped function at address 0, over those of hot()."""
    dead = "void dead(int n)\n{\n" + "\tg += n;\n" * 4000 + "}\n"
    command = (*GCC, "-ffunction-sections", "-Wl,--gc-sections", ID)
    live = "volatile int g;\n" + HOT.replace("s = 0", "s = g")
    places = [("hot", at, 1) for at in range(0, case.build(*command, hot_c=live).sizes["hot"], 4)]
    # addr2line is right without it
    lines = {f"hot.c:{int(where.split(':')[1]) + dead.count(chr(10))}": nr
             for where, nr in case.record(*places).lines.items()}
    case.build(*command, hot_c=live.replace("\n", "\n" + dead, 1)).record(*places)
    return {"hot": len(places)}, lines


def debug_link(path):
    def build(case):
        case.build(*GCC, "-Wl,--build-id=none").record().debug_file(path).strip()
        case.objcopy(f"--add-gnu-debuglink={case.root / path}", case.app)
        return functions(), case.lines
    return build


def other_debug_link(case):
    """The named debug file has another checksum."""
    debug = case.root / "srv/app.debug"
    case.build(*GCC, "-Wl,--build-id=none").record().debug_file("srv/app.debug").strip()
    case.objcopy(f"--add-gnu-debuglink={debug}", case.app)
    debug.write_bytes(debug.read_bytes() + b"x")
    return {"[no symbol]": 13}, {}


def partial_symbols(case):
    """A stripped program that keeps one symbol; the debug file has all."""
    case.build(*GCC, ID).record().debug_file().strip("-K", "main")
    return functions(), case.lines


def mini_debug_info(case):
    case.build(*GCC, ID).record()
    mini = case.at / "mini"
    case.objcopy("--strip-debug", case.app, mini).strip()
    subprocess.run(["xz", mini], check=True)
    case.objcopy("--add-section", f".gnu_debugdata={mini}.xz", case.app)
    return functions(), {}


def no_sections(case):
    case.build(*GCC, ID).record().debug_file()
    subprocess.run([OBJCOPY, "--strip-sections", case.app], check=True)
    return functions(), case.lines


def exported(case):
    """A stripped library: .dynsym alone."""
    case.build(*GCC, ID, "-shared", "-fPIC").record().strip()
    return functions(), {}


def compressed(kind):
    def build(case):
        case.build(*GCC, ID).record().objcopy(f"--compress-debug-sections={kind}", case.app)
        return functions(), case.lines
    return build


def plain(*command):
    def build(case):
        case.build(*command).record()
        return functions(), case.lines
    return build


def mangled(case):
    case.build(*CLANG, ID, hot_cc=CART).record(("hot", 4, 10), ("main", 4, 3))
    return functions("shop::Cart::hot(int)"), case.lines


def rust(case):
    """Names of both manglings, without the compiler."""
    names = {"hot": "_ZN4shop3hot17h0123456789abcdefE", "main": "_RNvCs1234_4shop4main"}
    text = "".join(asm(name, 1, line, ".text") for line, name in enumerate(names.values(), 4))
    case.build(*GCC, "-nostdlib", "-static", ID, "-Wl,-e,0",
               hot_S='\t.file 1 "hot.rs"\n' + text)
    return {"shop::hot": 10, "shop::main": 3}, case.record().lines


CASES = {
    "gcc": plain(*GCC, ID), "clang": plain(*CLANG, ID),
    "lld": plain(*CLANG, "-fuse-ld=lld", ID),
    "dwarf_4": plain(*GCC, "-gdwarf-4", ID), "dwarf_3": plain(*GCC, "-gdwarf-3", ID),
    "split_dwarf": plain(*GCC, "-gdwarf-5", "-gsplit-dwarf", ID),
    "split_dwarf_4": plain(*GCC, "-gdwarf-4", "-gsplit-dwarf", ID),
    "static": plain(*GCC, "-static", ID), "sections": plain(*CLANG, "-ffunction-sections", ID),
    "nested": nested, "no_ranges": no_ranges, "dead_lines": dead_lines,
    "zlib": compressed("zlib"), "gnu_zlib": compressed("zlib-gnu"),
    "zstd": compressed("zstd"),
    "link_beside": debug_link("srv/app.debug"), "link_folder": debug_link("srv/.debug/app.debug"),
    "link_usr": debug_link("usr/lib/debug/srv/app.debug"), "other_link": other_debug_link,
    "partial_symbols": partial_symbols, "mini_debug_info": mini_debug_info,
    "no_sections": no_sections, "exported": exported, "mangled": mangled,
    "rust": rust,
}


def check(n3stat, case, build):
    wanted, lines = build(case)
    found, said = report_of(n3stat, case.data, "--symfs", str(case.root))
    got = counts(found["functions"], "function")
    if got != wanted:
        return f"functions {got}, not {wanted}: {said}"
    got = collections.Counter()
    for row in found["lines"]:
        got[row["line"].rsplit("/", 1)[-1]] += row["records"]
    if dict(got) == dict(lines) or not got and "[debug_unreadable]" in said:
        return None if "not the file" not in said else said
    return f"lines {dict(got)}, not {dict(lines)}: {said}"


def profile(n3stat, folder):
    """Addresses of the program, not of the file; without the program, nothing."""
    case = Case(folder, "profile").build(*CLANG, "-fuse-ld=lld", ID).record()
    target = case.address("hot")
    lines = sorted(f"B {case.address(name) + 4:x} {target:x} {nr} 0"
                   for name, nr in functions().items())
    got = profile_of(n3stat, case.data, "--symfs", str(case.root))
    if got[:2] != (0, lines):
        return f"profile {got}, not {lines}"
    status, lines, said = profile_of(n3stat, case.data, "--symfs", str(case.at / "none"))
    return f"without the program: {status}, {lines}, {said}" if lines or not status else None


def fetched(n3stat, folder):
    """A server has the debug file; without it, and with --no-debuginfod, there are no names."""
    case = Case(folder, "fetched").build(*GCC, ID)
    build_id = build_id_of(case.app)
    case.record().debug_file(f"server/buildid/{build_id}/debuginfo")
    case.strip()
    os.environ["DEBUGINFOD_URLS"] = f"file://{case.root}/server"
    os.environ["DEBUGINFOD_CACHE_PATH"] = f"{case.at}/cache"
    for options, wanted in (["--no-debuginfod"], {"[no symbol]": 13}), ([], functions()):
        found, said = report_of(n3stat, case.data, "--symfs", str(case.root), *options)
        got = counts(found["functions"], "function")
        if got != wanted or ("[fetched]" in said) == bool(options):
            return f"{options}: {got}, not {wanted}: {said}"
    return None


def same_names(n3stat, folder):
    """Lines of equal names of two programs are not added up."""
    cases = [Case(folder, name).build(*GCC, ID, f"-ffile-prefix-map={folder}/{name}=.",
                                      hot_c=HOT.replace("* 3", f"* {number}"))
             for number, name in enumerate(("one", "two"), 3)]
    root, data = cases[0].root, []
    with f.Recording(cases[0].data) as r:
        for pid, case in enumerate(cases, 100):
            shutil.copy(case.app, root / f"srv/app{pid}")
            start = offset_of(case.app, case.address("hot"))
            build_id = bytes.fromhex(build_id_of(case.app))
            r.perf(0, 0, f.comm(pid, "app"),
                   f.mmap2(pid, BASE, SIZE, 0, f"/srv/app{pid}", build_id))
            data += (pid - 95) * [spe.record(pc=BASE + start + 4, op=spe.OTHER, events=spe.RETIRED,
                                             time=pid, context=pid)]
        r.aux(0, b"".join(data))
    rows = report_of(n3stat, cases[0].data, "--symfs", str(root))[0]["lines"]
    got = sorted(row["records"] for row in rows)
    return None if got == [5, 6] else f"lines {rows}"


def main():
    n3stat, folder, *names = sys.argv[1:]
    folder, wrong = os.path.abspath(folder), 0
    single = {"profile": profile, "same_names": same_names, "fetched": fetched}
    for name in names or [*CASES, *single]:
        what = (single[name](n3stat, folder) if name in single else
                check(n3stat, Case(folder, name), CASES[name]))
        if what:
            wrong += 1
            print(f"{name}: {what}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()

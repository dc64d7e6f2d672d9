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

BASE, SIZE, KERNEL = 0xaaaa00000000, 0x100000, 0xffff800080010000
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

    def record(self, *places, name="/srv/app", padding=0):
        """places: (function, offset, samples); name and zeros of the build ID in the recording"""
        path = name
        has_id = "Build ID" in tool("readelf", "-n", str(self.app))
        build_id = bytes.fromhex(build_id_of(self.app)) + bytes(padding) if has_id else None
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
                   f.mmap2(100, BASE + start, SIZE, start, path, build_id))
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


def said_of(n3stat, case, *options):
    """Functions, and lines of warnings."""
    found, said = report_of(n3stat, case.data, "--symfs", str(case.root), *options)
    return counts(found["functions"], "function"), said.splitlines()


def strip_and(change):
    """A stripped program with a debug file by build ID, which change(case, path) spoils."""
    def build(case):
        case.build(*GCC, ID).record().debug_file().strip()
        change(case, next(case.root.glob("usr/lib/debug/.build-id/*/*.debug")))
    return build


def other_build(case, path):
    path.rename(case.at / "own.debug")
    Case(case.at, "other").build(*GCC, "-O2", ID).objcopy("--only-keep-debug",
                                                          case.at / "other/root/srv/app", path)


def no_link(case):
    debug_link("srv/app.debug")(case)
    (case.root / "srv/app.debug").unlink()


def cut(case):
    case.build(*GCC, ID).record()
    os.truncate(case.app, case.app.stat().st_size // 2)


def renamed(name):
    """A recording that names the program otherwise; the file is there."""
    def build(case):
        case.build(*GCC, ID).record(name=name)
    return build


# a program whose names are unknown: id and reason of the only line, or none
SILENT = {
    "stripped": (strip_and(lambda _, path: path.unlink()), "binary_unreadable", "debug file"),
    "junk_debug": (strip_and(lambda _, path: path.write_bytes(b"junk")), "binary_unreadable",
                   "debug file"),
    "cut_debug": (strip_and(lambda _, path: os.truncate(path, 1000)), "binary_unreadable",
                  "debug file"),
    "other_debug": (strip_and(other_build), "binary_unreadable", "debug file"),
    "no_link": (no_link, "binary_unreadable", "debug file"),
    "cut": (cut, "binary_unreadable", "debug file"),
    "missing": (renamed("/srv/none"), "binary_unreadable", "No such file"),
    "below_file": (renamed("/srv/app/none"), "binary_unreadable", "Not a directory"),
    "memory": (renamed("/memfd:jit (deleted)"), None, None),
    "shared_memory": (renamed("/SYSV00000000 (deleted)"), None, None),
}


def silent(n3stat, folder):
    for name, (build, wanted, reason) in SILENT.items():
        case = Case(folder, f"silent_{name}")
        build(case)
        got, said = said_of(n3stat, case)
        if got != {"[no symbol]": 13} or len(said) != bool(wanted) or wanted and not (
                f"[{wanted}]" in said[0] and reason in said[0]):
            return f"{name}: {got}: {said}"
    return None


def kernel_names(n3stat, folder):
    """Records in the kernel without names are one line; with names, or without records, none."""
    case = Case(folder, "kernel_names").build(*GCC, ID)
    path = pathlib.Path(f"{case.data}.kallsyms")
    zero, real = f"{0:016x} T _stext\n", f"{KERNEL:016x} T _stext\n"
    for where in KERNEL, BASE:
        with f.Recording(case.data) as r:
            r.aux(0, spe.record(pc=where + 4, op=spe.OTHER, events=2, time=1000, context=100))
        for text in None, "", zero, real:
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_text(text, encoding="ascii")
            said = said_of(n3stat, case)[1]
            nameless = where == KERNEL and text != real
            if len(said) != nameless or nameless and not (
                    "[binary_unreadable]" in said[0] and "--kallsyms" in said[0]):
                return f"{where:#x}, {text!r}: {said}"
    return None


def not_opened(n3stat, folder):
    """Of the files that a recording names, only regular ones with a size are opened."""
    case = Case(folder, "not_opened").build(*GCC, ID)
    for name in "/dev/null", "/proc/version", "/srv/fifo":
        case.record(name=name)
        if name == "/srv/fifo":
            os.mkfifo(case.root / "srv/fifo")
        root = str(case.root) if name == "/srv/fifo" else ""
        trace = case.at / "trace"
        subprocess.run(["strace", "-f", "-e", "trace=open,openat", "-o", trace, n3stat, "spe",
                        "report", "--json", f"--symfs={root}", case.data], check=True,
                       capture_output=True, env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0"})
        if f'"{root}{name}"' in trace.read_text(encoding="ascii"):
            return f"{name} is opened"
    return None


def padded_id(n3stat, folder):
    """perf before 5.10 pads a build ID with zeros, without its size; the file is in .build-id."""
    build_id = "12345678abcdef00" + 4 * "9a"
    case = Case(folder, "padded_id").build(*GCC, f"-Wl,--build-id=0x{build_id}")
    case.record(padding=20 - len(build_id) // 2)
    path = case.root / f"usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}"
    path.parent.mkdir(parents=True)
    case.app.rename(path)
    got, said = said_of(n3stat, case)
    return None if got == functions() and not said else f"{got}: {said}"


def failing_server(n3stat, folder):
    case = Case(folder, "failing_server").build(*GCC, ID).record()
    os.environ["DEBUGINFOD_CACHE_PATH"] = f"{case.at}/cache"
    case.strip()
    for step in "debug file", "program":
        # nothing listens there; a server without the file has not failed
        for url, failed in ("http://127.0.0.1:1", True), (f"file://{case.at}", False):
            os.environ["DEBUGINFOD_URLS"] = url
            said = said_of(n3stat, case)[1]
            if len(said) != 1 or ("debuginfod failed" in said[0]) != failed:
                return f"{step} {url}: {said}"
        case.app.unlink(missing_ok=True)
    return None


def data_branches(n3stat, folder):
    """Branches at addresses of a segment that is not executable are left out."""
    case = Case(folder, "data_branches").build(*GCC, ID, "-Wl,-z,separate-code").record()
    wanted = profile_of(n3stat, case.data, "--symfs", str(case.root))
    with f.Recording(case.data) as r:
        r.perf(0, 0, f.comm(100, "app"),
               f.mmap2(100, BASE, SIZE, 0, "/srv/app", bytes.fromhex(build_id_of(case.app))))
        target = BASE + offset_of(case.app, case.address("hot"))
        r.aux(0, b"".join(spe.record(pc=BASE + (at or offset_of(case.app, case.address(name) + 4)),
                                     op=spe.BRANCH, events=spe.RETIRED, time=1000, context=100,
                                     target=target)
                          for name, nr, at in (("hot", 10, 0), ("main", 3, 0), ("", 4, 0x40))
                          for _ in range(nr)))
    got = profile_of(n3stat, case.data, "--symfs", str(case.root))
    return None if got[:2] == wanted[:2] and " 4 at unknown" in got[2] else f"{got}, not {wanted}"


def joined_names(n3stat, folder):
    """Relative names of files are below the directory of compilation, as addr2line has them."""
    for version in "-gdwarf-4", "-gdwarf-5":
        case = Case(folder, f"joined{version}")
        (case.at / "part").mkdir()
        (case.at / "part/hot.c").write_text(HOT, encoding="ascii")
        case.build(*CLANG, version, ID, "part/hot.c", all_S="").record()
        where = tool("addr2line", "-e", str(case.app), hex(case.address("hot") + 4)).strip()
        rows = report_of(n3stat, case.data, "--symfs", str(case.root))[0]["lines"]
        if {row["line"].rsplit(":", 1)[0] for row in rows} != {where.rsplit(":", 1)[0]}:
            return f"{version}: {rows}, not {where}"
    return None


def main():
    n3stat, folder, *names = sys.argv[1:]
    folder, wrong = os.path.abspath(folder), 0
    single = {"profile": profile, "same_names": same_names, "fetched": fetched,
              "silent": silent, "kernel_names": kernel_names, "not_opened": not_opened,
              "padded_id": padded_id, "failing_server": failing_server,
              "data_branches": data_branches,
              "joined_names": joined_names}
    for name in names or [*CASES, *single]:
        what = (single[name](n3stat, folder) if name in single else
                check(n3stat, Case(folder, name), CASES[name]))
        if what:
            wrong += 1
            print(f"{name}: {what}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()

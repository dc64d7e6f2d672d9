#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_text_cases.py CASE FOLDER N3STAT - cases of spe_text_test.sh"""
import base64
import fcntl
import hashlib
import html
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios

import spe_file as f
import spe_packets as spe
from spe_report import build_id_of, counts, flat_program, profile_of, report_of, tool

LISTS = ("functions", "lines", "sources", "addresses", "cache_lines", "contended", "operations",
         "latency", "instructions", "mispredicted", "walks", "late_prefetches", "processes",
         "events", "recording", "losses", "limits")
BASE, OFFSET = 0xaaaa00000000, 0x10000
SHORT, LONG = "/srv/shop", "/srv/" + "a-directory-with-a-long-name/" * 5 + "server"
NAMES = ("shop::Cart::total(int)", "std::" + "map<int, " * 40 + "end(char)", "\u00e9" * 90)
LOAD = spe.RETIRED | spe.L1D_ACCESS


def program(path, name):
    """Each of NAMES is a function of 64 bytes, with a line of its own in the source file name."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    text = f'\t.file 1 "{name}"\n\t.text\n\t.balign {OFFSET}\n\t.globl _start\n_start:\n'
    for line, name in enumerate(NAMES, 10):
        text += (f'\t.type "{name}", %function\n"{name}":\n\t.loc 1 {line}\n'
                 f'\t.rept 16\n\tnop\n\t.endr\n\t.size "{name}", 64\n')
    tool("gcc", "-nostdlib", "-static", "-Wl,--build-id", "-gdwarf-4", "-x", "assembler", "-o",
         path, "-", input=text)
    start = int(next(line for line in tool("nm", path).splitlines()
                     if line.endswith(" _start")).split()[0], 16)
    for line in tool("readelf", "-lW", path).splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and int(words[2], 16) <= start < int(words[2], 16) + \
                int(words[4], 16):
            return start - int(words[2], 16) + int(words[1], 16), bytes.fromhex(build_id_of(path))
    raise SystemExit("no segment")


def samples(start, path, nr, which):
    """nr loads in each function, with all that makes a row wide."""
    all_fields = []
    for i in which:
        for n in range(nr):
            all_fields.append({"pc": start + i * 64 + 4 * (n % 16), "op": spe.LOAD, "source": 10,
                               "events": LOAD | spe.TLB_WALK | spe.LATE_PREFETCH,
                               "total": 4095 - n % 3, "va": 0xfffffc0012340 + n * 8,
                               "pa": 0xff80010000 + n * 8, "time": 10})
        all_fields.append({"pc": start + i * 64, "op": spe.STORE, "events": LOAD, "total": 5,
                           "pa": 0xff80010000, "va": 0xffff000000000040, "time": 20})
        all_fields.append({"pc": start + i * 64, "op": spe.COND_BRANCH, "target": start,
                           "events": spe.RETIRED | spe.MISPREDICTED, "total": 5, "time": 30})
    return b"".join(spe.record(**fields) for fields in all_fields)


def write(folder, _):
    """short: one function of a short name and path. long: long names everywhere. wide: many
    addresses. kernel: one operation without a latency. two: one line of one name in two programs,
    10 and 5 records. peers: of four loads in each function, three from DRAM and one from a peer
    core. numbers: a core without names of sources; unknown: no core. many: 32768 instructions that
    are nowhere, then 20 records of 16 others. thread: of perf record --per-thread."""
    root = folder + "/root"
    of = {path: program(root + path, name) for path, name in
          ((SHORT, "/src/shop.c"), (LONG, "/src/" + "long/" * 30 + "server.c"),
           ("/srv/one", "main.c"), ("/srv/two", "main.c"))}
    def recording(name, parts, info):
        with f.Recording(f"{folder}/{name}", {"host": "n3-<7>", **info}, range(2)) as r:
            r.kallsyms((0xffff800010000000, "T", "k" * 200 if name == "long" else "lock"))
            for cpu, (path, nr, which) in enumerate(parts):
                offset, build_id = of[path]
                base = BASE + (cpu << 32)
                r.perf(cpu, cpu, f.comm(100 + cpu, "a name of 15 ch"),
                       f.mmap2(100 + cpu, base, 1 << 20, 0, path, build_id),
                       f.switch_in(100 + cpu, f.BASE, cpu))
                data = samples(base + offset, path, nr, which)
                data += spe.record(pc=0xffff800010000404, el=1, op=spe.OTHER, events=2, time=50)
                r.aux(cpu, data, cpu=cpu)
    recording("short", ((SHORT, 20, (0,)),), {})
    recording("long", ((SHORT, 20, (0, 1, 2)), (LONG, 30, (0, 1, 2))),
              {"command": "server --option " * 30, "kernel": "6" * 200})
    recording("wide", ((SHORT, 3000, (0,)),), {})
    recording("kernel", ((SHORT, 0, ()),), {})
    offset, build_id = of[SHORT]
    start = BASE + offset
    def single(name, records, time=1000, **more):
        pid = more.get("threads", [-1])[0]
        with f.Recording(f"{folder}/{name}", **more) as r:
            r.perf(0, 0, f.comm(100, "shop"), f.mmap2(100, BASE, 1 << 20, 0, SHORT, build_id),
                   *([f.switch_in(100, f.BASE, 0)] if pid < 0 else []))
            r.aux(0, b"".join(spe.record(op=spe.LOAD, events=LOAD, **fields)
                              for fields in records), pid=pid, time=f.BASE + time)
    single("peers", [{"pc": start + i * 64, "source": source, "total": 100, "time": 5}
                     for i in range(3) for source in (9, 14, 14, 14)])
    for name, midr in (("numbers", 0xc00fac40), ("unknown", None)):
        single(name, [{"pc": start + i * 64, "source": (5, 0, 10)[i], "va": 64, "time": 5}
                      for i in range(3) for _ in range(4 - i)], midr=midr)
    single("many", [*({"pc": 0x10000 + 4 * i, "time": 5} for i in range(32768)),
                    *({"pc": start + 4 * (i % 16), "time": 6} for i in range(20))])
    single("thread", [{"pc": start}] * 3, threads=(100,))
    recording("two", (("/srv/one", 8, (0,)), ("/srv/two", 3, (0,))), {})


def run(folder, n3stat, *command, **more):
    return subprocess.run([n3stat, "spe", *command], capture_output=True, text=True, cwd=folder,
                          check=False, **more)


def text_of(folder, n3stat, *command):
    done = run(folder, n3stat, "report", "--symfs", "root", *command)
    assert done.returncode == 0, done
    return done.stdout


def lists_of(text):
    """The rows of each list, without its head, by title."""
    return {part.split("\n")[0]: part.rstrip("\n").split("\n")[2:] for part in text.split("\n\n")}


def on_terminal(folder, n3stat, *command, columns=80, **environment):
    """Exit status, output on a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([n3stat, "spe", *command], cwd=folder, stdin=slave, stdout=slave,
                               stderr=slave, env={**os.environ, "TERM": "xterm", **environment})
    os.close(slave)
    data = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        data += part
    os.close(master)
    return process.wait(), data.decode().replace("\r\n", "\n")


def order(folder, n3stat):
    text = text_of(folder, n3stat, "long")
    assert list(json.loads(text_of(folder, n3stat, "--json", "long"))) == ["simulated", *LISTS]
    titles = list(lists_of(text))
    assert len(titles) == len(LISTS) and titles[0] == "Functions" and \
        titles[1].startswith("Lines") and titles[2].startswith("Data sources"), titles


def choice(folder, n3stat):
    whole = json.loads(text_of(folder, n3stat, "--json", "long"))
    for chosen in (["functions", "lines"], ["limits", "walks", "functions"], *([x] for x in LISTS)):
        got = json.loads(text_of(folder, n3stat, "--json", "--list", ",".join(chosen), "long"))
        assert list(got) == ["simulated", *chosen], (chosen, list(got))
        assert all(got[key] == whole[key] for key in chosen), chosen
    got = json.loads(text_of(folder, n3stat, "--json", "--list", "walks,lines", "--list",
                             "lines,events", "long"))
    assert list(got) == ["simulated", "walks", "lines", "events"], list(got)
    for bad in ("", "function", "functions,", "functions,none", "functions lines"):
        done = run(folder, n3stat, "report", "--list", bad, "long")
        assert done.returncode == 2 and "[bad_value]" in done.stderr and not done.stdout, done
        assert all(name in done.stderr for name in LISTS), done.stderr


def rows(folder, n3stat):
    for option in (("--lines", "2"), ("--top=2",), ("-n2",)):
        got = json.loads(text_of(folder, n3stat, "--json", *option, "long"))
        for key in ("functions", "lines", "addresses", "instructions", "walks"):
            assert len(got[key]) == 2, (option, key)


def widths(folder, n3stat):
    for name in ("short", "long", "two"):
        whole = text_of(folder, n3stat, name)
        assert max(map(len, whole.splitlines())) <= 80, name
        assert "  \n" not in whole and whole.count("\n") > 100
        for sort in ("latency", "walks", "peer"):
            lines = text_of(folder, n3stat, "--sort", sort, "-n", "1000", name).splitlines()
            assert max(map(len, lines)) <= 80, (name, sort)
    for columns in (40, 80, 100, 132, 200):
        status, text = on_terminal(folder, n3stat, "report", "--symfs", "root", "--no-pager",
                                   "long", columns=columns)
        used = max(map(len, text.splitlines()))
        assert status == 0 and max(columns, 80) - 2 <= used <= max(columns, 80), (columns, used)
    # columns with only zeros are left out, at any width
    status, text = on_terminal(folder, n3stat, "report", "--symfs", "root", "--no-pager",
                               "--list", "functions,processes", "two", columns=400)
    heads = [line for line in text.splitlines() if line.startswith("records")]
    assert status == 0 and len(heads) == 2, text
    assert all(word in head for head in heads for word in ("loads", "stores", "walks", "source"))
    status, text = on_terminal(folder, n3stat, "report", "--no-pager", "--list", "functions",
                               "kernel", columns=400)
    assert text.splitlines()[1].split() == ["records", "share", "%", "function", "file"], text


def long_names(folder, n3stat):
    rows_of = lists_of(text_of(folder, n3stat, "two"))["Functions"]
    assert [line.split()[0] for line in rows_of[:2]] == ["10", "5"], rows_of
    assert all("local cluster 100%" in line and line.endswith(f"{NAMES[0]}  {path}")
               for line, path in zip(rows_of, ("/srv/one", "/srv/two"))), rows_of
    report = json.loads(text_of(folder, n3stat, "--json", "long"))
    shown = lists_of(text_of(folder, n3stat, "long"))["Functions"]
    assert len(report["functions"]) == len(shown) == 7, shown
    for row, line in zip(report["functions"], shown):
        assert int(line.split()[0]) == row["records"] and row["file"][-8:] in line, (row, line)
        name = row["function"]
        if len(name) < 25:
            assert f"  {name}  " in line, line
        else:
            assert name not in line and re.search(
                re.escape(name[:8]) + ".*\\.\\..*" + re.escape(name[-5:]), line), line


def heads_of(text):
    """The columns of each list, by title."""
    return {part.split("\n")[0]: re.split("  +", part.split("\n")[1].strip())
            for part in text.split("\n\n")}


def columns(folder, n3stat):
    titles = {"latency": "cycles", "loads": "loads", "mispredicted": "mispred.", "walks": "walks",
              "late": "late", "peer": "peer"}
    for name in ("short", "long"):
        for key, title in titles.items():
            for heading, heads in heads_of(text_of(folder, n3stat, "--sort", key, name)).items():
                if heading.split()[0] in ("Functions", "Lines", "Instructions", "Processes",
                                          "Cache") or heading == "Data addresses":
                    assert heads == ["none"] or title in heads, (name, key, heading, heads)
                own = {"Mispr": "mispred.", "TLB w": "walks", "Late ": "late", "Conte": "words"}
                assert own.get(heading[:5], "records") in heads + ["records"], (heading, heads)
    # of what does not fit, the least useful first
    by_use = ["late", "stores", "walks", "mispred.", "loads", "peer", "source"]
    for width in range(80, 150, 3):
        _, text = on_terminal(folder, n3stat, "report", "--no-pager", "--list", "functions",
                              "--symfs", "root", "short", columns=width)
        heads = heads_of(text)["Functions"]
        shown = [title for title in by_use if title in heads]
        assert shown == by_use[len(by_use) - len(shown):], (width, heads)
    # long names are shortened first
    text = lists_of(text_of(folder, n3stat, "peers"))["Functions"]
    heads = heads_of(text_of(folder, n3stat, "peers"))["Functions"]
    assert heads[-4:] == ["peer", "source", "function", "file"], heads
    assert re.search(f" 1  DRAM 75%  {re.escape(NAMES[0])} +{SHORT}$", "\n".join(text), re.M), text


def sort_key(folder, n3stat):
    done = run(folder, n3stat, "report", "--sort", "nothing", "short")
    assert done.returncode == 2 and "[bad_value]" in done.stderr, done
    assert {"records", "latency", "loads", "mispredicted", "walks", "late", "peer"} <= set(
        re.findall(r"\w+", done.stderr)), done.stderr


def kept_lines(folder, n3stat):
    report = report_of(n3stat, folder + "/many", "--symfs", folder + "/root")[0]
    assert report["limits"]["lines_records"] == 20, report["limits"]
    assert sum(row["records"] for row in report["lines"]) == 20, report["lines"]
    assert "(20 of 32788 " in text_of(folder, n3stat, "--list", "lines", "many")
    assert "lines_records" not in report_of(n3stat, folder + "/short")[0]["limits"]


def no_core(folder, n3stat):
    for name, options, wanted in (("unknown", (), True), ("numbers", (), False),
                                  ("unknown", ("--core", "0xc00fac40"), False)):
        text = text_of(folder, n3stat, "--list", "sources", *options, name)
        assert "(as numbers" in text and ("--core" in text) == wanted, (name, text)


def no_cpus(folder, n3stat):
    done = run(folder, n3stat, "report", "-C", "0", "thread")
    assert done.returncode == 0 and "file has no CPUs" in done.stderr, done
    done = run(folder, n3stat, "report", "-C", "9", "short")
    assert "[no_records]" in done.stderr and "has no CPUs" not in done.stderr, done


def same_lines(folder, n3stat):
    rows_of = report_of(n3stat, folder + "/two", "--symfs", folder + "/root")[0]["lines"]
    assert [(row["records"], row["line"].rsplit("/")[-1], row["file"]) for row in rows_of] == \
        [(10, "main.c:10", "/srv/one"), (5, "main.c:10", "/srv/two")], rows_of
    lines = lists_of(text_of(folder, n3stat, "two"))["Lines of source code"]
    assert [line.split()[0::100] for line in lines] == [["10"], ["5"]]
    assert lines[0].endswith(" /srv/one") and lines[1].endswith(" /srv/two"), lines


def default_file(folder, n3stat):
    path = pathlib.Path(folder, "perf.data")
    for command in ("report", "profile"):
        done = run(folder, n3stat, command)
        assert done.returncode == 1 and "perf.data: " in done.stderr, done
    for suffix in ("", ".kallsyms"):
        if pathlib.Path(folder, "short" + suffix).exists():
            shutil.copy2(f"{folder}/short{suffix}", f"{path}{suffix}")
    for command in ("report", "profile"):
        by_default = run(folder, n3stat, command, "--symfs", "root")
        named = run(folder, n3stat, command, "--symfs", "root", "short")
        assert by_default.returncode == 0 and by_default.stdout
        assert by_default.stdout.replace("perf.data", "short    ").split() == named.stdout.split()
    path.unlink()


def pager(folder, n3stat):
    out = pathlib.Path(folder, "paged")
    command = ("report", "--symfs", "root", "short")
    plain = text_of(folder, n3stat, "short")
    def shown(*options, **environment):
        out.unlink(missing_ok=True)
        status, text = on_terminal(folder, n3stat, *command, *options, **environment)
        assert status == 0
        return out.exists() and out.read_text(), text
    assert shown(PAGER="cat >paged; echo done") == (plain, "done\n")
    assert shown("--no-pager", PAGER="cat >paged") == (False, plain)
    assert shown(PAGER="") == shown(PAGER="cat") == (False, plain)
    # programs that do not exist, and one with its path
    for name in ("no-such-program", "no-such-program --option", "/no/such/program"):
        assert shown(PAGER=name) == (False, plain), name
    assert shown(PAGER=f"{shutil.which('tee')} paged >tee.out") == (plain, "")
    # with the page only, nothing is printed
    assert shown("--page", "pager.html", PAGER="cat >paged") == (False, "")
    # warnings are part of what the pager shows, behind the report
    warned = shown("--cpu", "9", PAGER="cat >paged")[0]
    assert warned.index("[no_records]") > warned.index("\nWhat limits this\n") > 0, warned
    # less by default, with git's options, unless the user has others
    programs = pathlib.Path(folder, "programs")
    programs.mkdir()
    (programs / "less").write_text('#!/bin/sh\necho "$LESS" >paged\ncat\n')
    (programs / "less").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    os.environ.pop("PAGER", None)
    os.environ.pop("LESS", None)
    assert shown(PATH=path) == ("FRX\n", plain)
    assert shown(PATH=path, LESS="S") == ("S\n", plain)
    # without less
    (programs / "less").unlink()
    (programs / "sh").symlink_to("/bin/sh")
    assert shown(PATH=str(programs)) == (False, plain)
    # not a terminal
    out.unlink(missing_ok=True)
    done = run(folder, n3stat, *command, env={**os.environ, "PAGER": "cat >paged"})
    assert done.stdout == plain and not out.exists()


def quit_pager(folder, n3stat):
    for command in (("--list", "functions"), ("--json",)):
        for quits in ("true", "false", "exit 9", "head -n 1 >/dev/null", "/no/such/program",
                      "exec <&-; true"):
            for name in ("short", "wide"):
                status, text = on_terminal(folder, n3stat, "report", "-n", "100000", *command, name,
                                           PAGER=quits)
                assert status == 0 and "[cannot_write]" not in text, (quits, status, text[-300:])


def pager_status(folder, n3stat):
    out = pathlib.Path(folder, "ended")
    status, text = on_terminal(folder, n3stat, "report", "none", PAGER="cat; : >ended")
    assert status == 1 and "[cannot_read]" in text and not out.exists()
    status, _ = on_terminal(folder, n3stat, "report", "--lines", "0", "short", PAGER=": >ended")
    assert status == 2 and not out.exists()
    # the report waits for it; Ctrl-C is for the pager
    status, _ = on_terminal(folder, n3stat, "report", "short", PAGER="cat >x; kill -INT $PPID;"
                            "sleep 0.2; [ -e /proc/$PPID/exe ] && : >ended; exit 3")
    assert status == 0 and out.exists()


def page_of(folder, n3stat, *options):
    path = folder + "/page.html"
    done = run(folder, n3stat, "report", "--symfs", "root", "--page", path, *options)
    assert done.returncode == 0 and not done.stdout, done
    return path, open(path, encoding="utf-8").read()


def page(folder, n3stat):
    _, text = page_of(folder, n3stat, "long")
    links, ids = re.findall(r'href="([^"]*)"', text), re.findall(r' id="([^"]*)"', text)
    assert links == [f"#{name}" for name in LISTS] and ids == list(LISTS), (links, ids)
    title = html.unescape(re.search("<title>(.*)</title>", text)[1])
    assert "long" in title.split() and "n3-<7>" in title.split(), title
    assert "<7>" not in text
    assert html.unescape(re.search("<h1>(.*)</h1>", text)[1]) == title
    scripts = re.findall("<script>(.*?)</script>", text, re.S)
    policy = re.search('Security-Policy" content="([^"]*)"', text)[1]
    assert len(scripts) == 1 and "script" not in text.replace(scripts[0], "").replace(
        "<script></script>", "").replace("script-src", "")
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; " \
        f"script-src 'sha256-{digest}'", (policy, digest)
    _, text = page_of(folder, n3stat, "--list", "walks,lines", "long")
    assert re.findall(r'href="([^"]*)"', text) == ["#walks", "#lines"]


def sort_page(folder, n3stat):
    import browser
    path, _ = page_of(folder, n3stat, "-n", "100", "long")
    def cells(window, key, column):
        return window.js(f"[...document.querySelector('#{key} + .wide table').rows].slice(1)"
                         f".map(row => row.cells[{column}].textContent)")
    def click(window, key, column):
        window.js(f"document.querySelector('#{key} + .wide table').rows[0].cells[{column}]"
                  ".querySelector('button').click()")
        return cells(window, key, column)
    with browser.Browser() as window:
        window.open(path)
        heads = window.js("[...document.querySelector('#addresses + .wide table').rows[0].cells]"
                          ".map(cell => cell.textContent)")
        before = cells(window, "addresses", 0)
        assert len(before) > 20
        for column, value in ((heads.index("address"), lambda t: int(t, 16)),
                              (heads.index("records"), int),
                              (heads.index("cycles"), lambda t: float(t.replace(">=", "")))):
            for wanted in (True, False, True):
                got = [value(text) for text in click(window, "addresses", column)]
                assert got == sorted(got, reverse=wanted), (column, wanted, got)
        column = heads.index("process")
        got = click(window, "addresses", column)
        assert got == sorted(got, key=lambda text: (text[0] != "[", text)), got
        # other tables stay
        assert sorted(cells(window, "addresses", 0)) == sorted(before)
        assert not window.errors(), window.errors()
        window.open(page_of(folder, n3stat, "numbers")[0])
        heads = window.js("[...document.querySelector('#functions + .wide table').rows[0].cells]"
                          ".map(cell => cell.textContent)")
        wanted = ["0x0 100%", "0x5 100%", "0xa 100%"]
        assert click(window, "functions", heads.index("source")) == wanted
        assert click(window, "functions", heads.index("source")) == wanted[::-1]
        assert not window.errors(), window.errors()


def no_program(folder, n3stat):
    out = pathlib.Path(folder, "profile.out")
    status, lines, _ = profile_of(n3stat, folder + "/short", "--symfs", folder + "/root")
    assert status == 0 and len(lines) == 1, lines
    text = pathlib.Path(folder, "text/srv/shop")
    text.parent.mkdir(parents=True)
    text.write_text("no ELF file")
    for root in ("nothing", "text"):
        for option in ((), ("--program", SHORT), ("-o", str(out))):
            status, lines, errors = profile_of(n3stat, folder + "/short", "--symfs",
                                               f"{folder}/{root}", *option)
            assert (status, lines) == (1, []) and SHORT in errors, (root, option, errors)
            assert not list(pathlib.Path(folder).glob("profile.out*"))


def no_segment(folder, n3stat):
    """Of the mapped file, 4096 bytes have an address; 7 branches are there, 5 lead elsewhere in the
    file, 3 come from there, 2 lead out of the program."""
    flat_program(folder + "/flat/opt/app", 2048)
    at, far, out = 0x10000 + 0x100, 0x10000 + 0x800000, 0x7f0000000000
    branches = [(at, at + 64)] * 7 + [(at, far)] * 5 + [(far, at)] * 3 + [(at, out)] * 2
    with f.Recording(folder + "/far") as r:
        r.perf(0, 0, f.comm(5, "app"), f.mmap2(5, 0x10000, 0x1000000, 0, "/opt/app"),
               f.switch_in(5, f.BASE, 0))
        r.aux(0, b"".join(spe.record(pc=pc, target=to, op=spe.BRANCH, events=spe.RETIRED, time=5)
                          for pc, to in branches))
    status, lines, errors = profile_of(n3stat, folder + "/far", "--symfs", folder + "/flat")
    assert (status, lines) == (0, ["B 400100 400140 7 0", "B 400100 X:0 2 0"]), (lines, errors)
    assert re.search(r"\b9 branches of 17 records\b.*\b8 at unknown addresses", errors), errors
    assert counts(report_of(n3stat, folder + "/far", "--symfs", folder + "/flat")[0]
                  ["instructions"], "address") == {"0x400100": 14, None: 3}


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

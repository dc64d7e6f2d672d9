#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_report_cases.py CASE ARGUMENT... - cases of spe_report_test.sh"""

import html
import itertools
import json
import os
import re
import resource
import subprocess
import sys

import spe_file as f
import spe_packets as spe
from spe_report import build_id_of, counts, flat_program, report_of


def shown(column, value):
    if isinstance(value, float):
        return f"{value:.2f}" if column == "share" else f"{value:.1f}"
    return "-" if value is None else str(value)


def texts_match(json_file, text_file, page_file):
    """Rows of the text have the words of the JSON in their order, those of the page all of them."""
    tables = json.load(open(json_file))
    sections = [part.split("\n") for part in open(text_file).read().split("\n\n")]
    page = open(page_file).read()
    cells = [[html.unescape(c) for c in re.findall(r"<td[^>]*>([^<]*)</td>", row)]
             for row in page.split("<tr>")]
    nr = 0
    assert tables.pop("simulated") is False
    assert len(sections) == len(tables), (len(sections), len(tables))
    for section, (key, rows) in zip(sections, tables.items()):
        if isinstance(rows, dict):
            continue
        for line, row in zip(section[2:], rows, strict=False):
            words = [(">=" if row.get(column + "_at_least") else "") + shown(column, value)
                     for column, value in row.items() if not column.endswith("_at_least")]
            # of a shortened name, both ends
            wanted = (re.escape(word).replace(r"\.\.", ".*") for word in line.split())
            assert re.search(".*".join(rf"(?<!\S){word}(?!\S)" for word in wanted),
                             " ".join(words)), (key, line, words)
            # names come first on the page
            words.sort()
            assert any(sorted(c for c in found if c) == words for found in cells), (key, words)
            nr += 1
        assert len(section) >= 2 + len(rows), (key, section)
    assert nr > 30, nr
    assert "http" not in page.split("</style>")[1]


def write_build_ids(path, program):
    good = build_id_of(program)
    with f.Recording(path) as r:
        r.perf(0, 0, f.mmap2(5, 0x10000, 0x10000, 0, "/opt/prog", bytes.fromhex(good)),
               f.mmap2(5, 0x100000, 0x10000, 0, "/opt/other", bytes(20)), f.switch_in(5, f.BASE, 0))
        r.aux(0, spe.record(pc=0x10700, op=spe.OTHER, events=2, time=1) +
              spe.record(pc=0x100700, op=spe.OTHER, events=2, time=2))


def unknown_processes(folder, n3stat):
    path = folder + "/pids.data"
    branch = spe.record(pc=0x10010, op=spe.COND_BRANCH, events=2, target=0x10020, time=10)
    def processes(pid, code, **options):
        with f.Recording(path, **options) as r:
            r.perf(0, 0, f.mmap2(5, 0x10000, 0x1000, 0, "/opt/prog"), f.switch_in(pid, f.BASE, 0))
            r.aux(0, branch)
        done = [subprocess.run([n3stat, "spe", *command, "--symfs", folder + "/flat", path],
                               capture_output=True, text=True)
                for command in (("report", "--json"), ("profile",))]
        assert [d.returncode for d in done] == [0, code], (hex(pid), done)
        return [row["process"] for row in json.loads(done[0].stdout)["processes"]]
    for pid in (0x7fffffff, 0x80000000, 0x80000001, 0x90000000, 0xfffffffe, 0xffffffff):
        assert processes(pid, 1) == ["[unknown]"], hex(pid)
    assert processes(5, 0) == ["5"]
    assert processes(5, 1, threads=(7,)) == ["7"]


def plain_names(folder, n3stat):
    path = folder + "/names.data"
    name = "/opt/\x1b[2J\x85<b>&\"prog"
    flat_program(folder + "/flat" + name, 4096)
    def run(*command):
        done = subprocess.run([n3stat, "spe", *command, "--symfs", folder + "/flat", path],
                              capture_output=True)
        text = (done.stdout + done.stderr).decode()
        assert done.returncode == 0 and all(c >= " " or c == "\n" for c in text), done
        assert not any("\x7f" <= c <= "\x9f" for c in text), done
        return done.stdout.decode()
    with f.Recording(path, {"command": "a \x1b]0;b\x07 \x9b2J \u00e9"}) as r:
        r.perf(0, 0, f.comm(5, "c\x9b31m"), f.switch_in(5, f.BASE, 0),
               f.mmap2(5, 0x10000, 0x1000, 0, name))
        r.aux(0, spe.record(pc=0x10010, op=spe.COND_BRANCH, events=2, target=0x10020, time=10))
    assert "\u00e9" in run("report")
    json.loads(run("report", "--json"))
    run("profile")
    page = folder + "/names.html"
    run("report", "--page", page)
    assert "<b>&" not in open(page).read() and "&lt;b&gt;&amp;&quot;prog" in open(page).read()


def last_names(folder, n3stat):
    path = folder + "/order.data"
    chunks = ([f.comm(5, "parent")], [f.fork(6, 5, f.BASE + 1)],
              [f.comm(6, "child", exec_=True, time=f.BASE + 5)], [f.switch_in(6, f.BASE + 6, 0)])
    for order in itertools.permutations(range(4)):
        with f.Recording(path) as r:
            for i in order:
                r.perf(i, i, *chunks[i])
            r.aux(0, spe.record(pc=0x10010, op=spe.OTHER, events=2, time=10))
        rows = report_of(n3stat, path)[0]["processes"]
        assert [row["process"] for row in rows] == ["6 child"], order


def lost_switches(folder, n3stat):
    path = folder + "/lost.data"
    def processes(*lost):
        with f.Recording(path, cpus=(0, 1)) as r:
            r.perf(0, 0, f.switch_in(5, f.BASE + 1, 0), f.switch_in(6, f.BASE + 10, 0), *lost,
                   f.switch_in(7, f.BASE + 20, 0))
            r.perf(1, 1, f.switch_in(8, f.BASE + 1, 1))
            for cpu in (0, 1):
                r.aux(cpu, b"".join(spe.record(pc=0x10010, op=spe.OTHER, events=2, time=at)
                                    for at in range(1, 31)), cpu=cpu)
        return counts(report_of(n3stat, path)[0]["processes"], "process")
    assert processes() == {"5": 9, "6": 10, "7": 11, "8": 30}
    assert processes(f.lost(3, time=f.BASE + 19)) == {"5": 9, "[unknown]": 10, "7": 11, "8": 30}


def write_many_branches(many, other, root):
    flat_program(root + "/opt/prog", 8 << 20)
    BASE, NR, BLOCK = 0xaaaa00000000, 1048576 + 100, 64 << 14
    def branches(path, nr, *build_id):
        one = spe.record(pc=BASE, target=BASE, op=spe.BRANCH, events=spe.RETIRED, time=5)
        data = bytearray(one * nr)
        # bytes of the address in its packet
        for byte in range(3):
            data[1 + byte::64] = bytes(4 * i >> 8 * byte & 255 for i in range(nr))
        with f.Recording(path) as r:
            r.perf(0, 0, f.comm(100, "prog"),
                   f.mmap2(100, BASE, 0x1000000, 0, "/opt/prog", *build_id),
                   f.switch_in(100, f.BASE, 0))
            for at in range(0, len(data), BLOCK):
                r.aux(0, bytes(data[at:at + BLOCK]))
    branches(many, NR)
    branches(other, 1, bytes(20))


def write_big(path, records):
    """Loads at random addresses; of a hundred, 10, 5 and 2 are at the instructions 0x1000, 0x2000
    and 0x3000."""
    block = 100000
    one = spe.record(pc=0, op=spe.LOAD, events=spe.RETIRED, total=9, va=0, source=14, time=5)
    data = bytearray(one * block)
    with f.Recording(path, cpus=range(4)) as r:
        for number in range(records // block):
            # bytes of the payloads of the two addresses
            for at in (*range(1, 6), *range(31, 36)):
                data[at::64] = os.urandom(block)
            for every, pc, first in ((10, 0x1000, 0), (20, 0x2000, 1), (50, 0x3000, 3)):
                for i in range(first, block, every):
                    data[i * 64 + 1:i * 64 + 8] = pc.to_bytes(7, "little")
            r.aux(number % 4, bytes(data), cpu=number % 4)


def memory(program, path, records):
    write_big(path, int(records))
    got, _ = report_of(program, path, "--top", "10")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(peak, "kB", got["limits"])
    assert got["recording"]["records"] == int(records) and peak < 64 << 10
    # hot addresses among random ones are found within the bound
    hot = {row["address"]: row["records"] for row in got["instructions"][:3]}
    for address, share in (("0x1000", 10), ("0x2000", 20), ("0x3000", 50)):
        true = int(records) // share
        error = got["limits"]["instructions_error"]
        assert true - error <= hot[address] <= true, (address, hot, error)


def ratio(path, n3stat):
    records = 1000000
    events = spe.RETIRED | spe.L1D_ACCESS | spe.TLB_ACCESS
    data = bytearray(spe.record(pc=0, op=spe.LOAD, events=events, total=9, issue=3,
                                translation=1, va=0, source=14, time=5) * records)
    for at in (*range(1, 4), *range(31, 36)):
        data[at::64] = os.urandom(records)
    with f.Recording(path + "/ratio.data") as recording:
        for at in range(0, len(data), 64 * 100000):
            recording.aux(0, bytes(data[at:at + 64 * 100000]))
    def usage(*command):
        out = open(path + "/ratio.out", "w")
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        text = open(path + "/ratio.out").read()
        assert status == 0, (command, text[-1000:])
        return used.ru_utime + used.ru_stime, text
    ours, text = usage(n3stat, "spe", "report", path + "/ratio.data")
    assert "1000000" in text
    theirs, text = usage("perf", "mem", "report", "--stdio", "-i", path + "/ratio.data")
    assert "Samples: 1000K" in text, text[:1000]
    print(f"n3stat {ours:.2f} s, perf {theirs:.2f} s")
    assert theirs > 20 * ours, (ours, theirs)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

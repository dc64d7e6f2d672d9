#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_report_cases.py CASE ARGUMENT... - cases of spe_report_test.sh"""

import html
import itertools
import json
import os
import random
import re
import resource
import struct
import subprocess
import sys

import perf_data
import spe_file as f
import spe_packets as spe
from spe_report import build_id_of, counts, flat_program, report_of


def samples(fields):
    return b"".join(spe.record(pc=0x400000 + i, op=spe.OTHER, events=2, **more)
                    for i, more in enumerate(fields))


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
            rest = iter(" ".join(words).split())
            assert all(word in rest for word in line.split()), (key, line, words)
            # names come first on the page
            words.sort()
            assert any(sorted(c for c in found if c) == words for found in cells), (key, words)
            nr += 1
        assert len(section) >= 2 + len(rows), (key, section)
    assert nr > 30, nr
    assert "http" not in page.split("</style>")[1]


def write_build_ids(path, program):
    good = build_id_of(program)
    with f.Recording(path, cpus=()) as r:
        r.perf(0, 0, f.mmap2(5, 0x10000, 0x10000, 0, "/opt/prog", bytes.fromhex(good)),
               f.mmap2(5, 0x100000, 0x10000, 0, "/opt/other", bytes(20)), f.switch_in(5, f.BASE, 0))
        r.aux(0, spe.record(pc=0x10700, op=spe.OTHER, events=2, time=1) +
              spe.record(pc=0x100700, op=spe.OTHER, events=2, time=2))


def unknown_processes(folder, n3stat):
    path = folder + "/pids.n3spe"
    branch = spe.record(pc=0x10010, op=spe.COND_BRANCH, events=2, target=0x10020, time=10)
    def processes(pid, window, code):
        with f.Recording(path) as r:
            r.perf(0, 0, f.mmap2(5, 0x10000, 0x1000, 0, "/opt/prog"), f.switch_in(pid, f.BASE, 0))
            r.aux(0, branch, pid=window)
        done = [subprocess.run([n3stat, "spe", *command, "--symfs", folder + "/flat", path],
                               capture_output=True, text=True)
                for command in (("report", "--json"), ("profile",))]
        assert [d.returncode for d in done] == [0, code], (hex(pid), done)
        return [row["process"] for row in json.loads(done[0].stdout)["processes"]]
    for pid in (0x7fffffff, 0x80000000, 0x80000001, 0x90000000, 0xfffffffe, 0xffffffff):
        assert processes(pid, -1, 1) == ["[unknown]"], hex(pid)
    assert processes(5, -1, 0) == ["5"]
    # windows without a task: from the task switches
    assert processes(5, 0, 0) == ["5"]
    assert processes(5, 7, 1) == ["7"]


def plain_names(folder, n3stat):
    path = folder + "/names.n3spe"
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
    # the digits of a build id end with the line
    for line in ("abc abc", "a b", "0 0", "ab", "ab ", "zz /opt/prog", "abcdefg 0"):
        with f.Recording(path) as r:
            r.chunk(f.BUILD_IDS, line)
        run("report")


def last_names(folder, n3stat):
    path = folder + "/order.n3spe"
    chunks = ([f.comm(5, "parent")], [f.fork(6, 5, f.BASE + 1)],
              [f.comm(6, "child", exec_=True, time=f.BASE + 5)], [f.switch_in(6, f.BASE + 6, 0)])
    for order in itertools.permutations(range(4)):
        with f.Recording(path, cpus=()) as r:
            for i in order:
                r.perf(i, i, *chunks[i])
            r.aux(0, spe.record(pc=0x10010, op=spe.OTHER, events=2, time=10))
        rows = report_of(n3stat, path)[0]["processes"]
        assert [row["process"] for row in rows] == ["6 child"], order


def lost_switches(folder, n3stat):
    path = folder + "/lost.n3spe"
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
    lost = f.event(2, struct.pack("<QQ", 1, 3), time=f.BASE + 19, cpu=0)
    assert processes(lost) == {"5": 9, "[unknown]": 10, "7": 11, "8": 30}


def cuts(folder, n3stat):
    path = folder + "/cut.n3spe"
    with f.Recording(path, cpus=(), end=False) as r:
        for chunk in range(3):
            r.aux(0, samples({"time": i} for i in range(5)))
    data = open(path, "rb").read()
    ends = []
    at = 8
    while at < len(data):
        size = int.from_bytes(data[at + 8:at + 16], "little")
        ends.append((at + 16 + size, data[at] == f.AUX))
        at += 16 + size + -size % 8
    for cut in sorted({*range(ends[0][0], len(data) + 1, 37),
                       *(end + off for end, _ in ends for off in (-1, 0, 1))}):
        if not ends[0][0] <= cut <= len(data):
            continue
        open(path, "wb").write(data[:cut])
        got, err = report_of(n3stat, path)
        want = 5 * sum(is_aux for end, is_aux in ends if end <= cut)
        assert got["recording"]["records"] == want, (cut, want, got)
        assert got["limits"]["complete"] == "no"
        whole = any(end <= cut <= end + -end % 8 for end, _ in ends)
        assert ("[incomplete_recording]" in err) == (not whole), (cut, err)


def salvage(folder, n3stat):
    path = folder + "/damaged.n3spe"
    with f.Recording(path, cpus=()) as r:
        at = []
        for chunk in range(6):
            r.file.flush()
            at.append(r.file.tell())
            r.aux(chunk, samples([{}] * 7))
    data = open(path, "rb").read()
    def records(changed, *options):
        open(path, "wb").write(changed)
        got, err = report_of(n3stat, path, *options)
        return got["recording"]["records"], err
    assert records(data) == (42, "")
    for what in (b"\xff" * 16, b"\0" * 16, struct.pack("<IIQ", 3, 0, 1 << 40),
                 struct.pack("<IIQ", 3, 0, 1 << 25)):
        changed = data[:at[2]] + what + data[at[2] + 16:]
        nr, err = records(changed)
        assert nr == 14 and "[incomplete_recording]" in err, (what, nr, err)
        nr, err = records(changed, "--salvage")
        assert nr == 35 and "bytes skipped" in err, (what, nr, err)
    for gone in (1, 3, 16, 200):
        nr, err = records(data[:at[3] + 20] + data[at[3] + 20 + gone:], "--salvage")
        assert 35 <= nr <= 42 - 2 * (gone > 64), (gone, nr, err)
        assert "[damaged_data]" in err, err
    nr, err = records(data[:8] + b"\xff" * 40 + data[at[0]:], "--salvage")
    assert nr == 42, nr
    # random changes: no crash, no additional records
    rng = random.Random(1)
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 8)):
            changed[rng.randrange(8, len(changed))] = rng.getrandbits(8)
        nr, _ = records(bytes(changed), "--salvage")
        assert nr <= 42, nr


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


def packets(folder, n3stat):
    rng = random.Random(3)
    data = b"".join(spe.random_record(rng) for _ in range(3000))
    def decode(path, code=0):
        done = subprocess.run([n3stat, "spe", "decode", path], capture_output=True, text=True)
        assert done.returncode == code, done
        return done.stdout.splitlines(), done.stderr
    def heads(found):
        return [f".  {at:08x}:  " + data[at:at + length].hex(" ") for at, length, *_ in found]
    open(folder + "/bare", "wb").write(data)
    bare, err = decode(folder + "/bare")
    want = heads(spe.packets(data))
    assert not err and [line[:61].rstrip()[:len(w)] for line, w in zip(bare, want)] == want
    assert len(bare) == len(want)
    # windows cut at any position: the same packets
    with f.Recording(folder + "/d.n3spe") as r:
        at = 0
        while at < len(data):
            size = rng.choice((1, 5, 9, 64, 100, 5000))
            r.aux(0, data[at:at + size])
            at += size
    texts = lambda lines: [line[13:] for line in lines if not line.endswith(" PAD")]
    cut, err = decode(folder + "/d.n3spe")
    assert not err and texts(cut) == texts(bare)
    # missing bytes turn the start of a packet into bad bytes, with an exit code
    with f.Recording(folder + "/g.n3spe") as r:
        r.aux(0, data[:64 + 5])
        r.aux(0, data[128:192], offset=128)
    gap, err = decode(folder + "/g.n3spe", 1)
    bad = sum(line.endswith("Bad packet!") for line in gap)
    assert bad == 5 and "5 bad bytes" in err, (gap, err)


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
    with f.Recording(path + "/ratio.n3spe") as recording:
        for at in range(0, len(data), 64 * 100000):
            recording.aux(0, bytes(data[at:at + 64 * 100000]))
    open(path + "/ratio.perf", "wb").write(perf_data.perf_data(bytes(data), memory=True))
    def usage(*command):
        out = open(path + "/ratio.out", "w")
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        text = open(path + "/ratio.out").read()
        assert status == 0, (command, text[-1000:])
        return used.ru_utime + used.ru_stime, text
    ours, text = usage(n3stat, "spe", "report", path + "/ratio.n3spe")
    assert "1000000" in text
    theirs, text = usage("perf", "mem", "report", "--stdio", "-i", path + "/ratio.perf")
    assert "Samples: 1000K" in text, text[:1000]
    print(f"n3stat {ours:.2f} s, perf {theirs:.2f} s")
    assert theirs > 20 * ours, (ours, theirs)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

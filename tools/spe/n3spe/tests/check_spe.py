#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_spe.py TRUTH REPORT.json PROGRAM [--sort KEY] [--cpu LIST] [--pid N]

Counts the samples of make_spe.py independently and compares them with a full report
(--json --top 100000). Functions are from nm, lines from addr2line."""
import argparse
import collections
import json
import math
import sys

from make_spe import EXEC_AT
from spe_report import tool

SOURCES = {0: "L1D", 8: "L2", 9: "peer core", 10: "local cluster", 11: "system cache",
           12: "peer cluster", 13: "remote", 14: "DRAM"}
PEER = (9, 10, 12)
KERNEL = ("[kernel]",)


def process(s):
    """A process and its name at that time: 200 executes another program later."""
    if s["pid"] == 200:
        return "200 changed" if s["time"] >= EXEC_AT else "200 parent"
    return {100: "100 worker", 201: "201 parent", 300: "300"}[s["pid"]]


def symbols_of(program):
    """(address, size, name) of functions, by address."""
    found = []
    for line in tool("nm", "-S", "--defined-only", program).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tT":
            found.append((int(words[0], 16), int(words[1], 16), words[3]))
    return sorted(found)


def lines_of(program, addresses):
    lines = tool("addr2line", "-e", program, input="".join(f"{a:#x}\n" for a in addresses))
    return {a: line.split(" (")[0] for a, line in zip(addresses, lines.splitlines())
            if not line.startswith("??") and not line.split(" (")[0].endswith((":?", ":0"))}


def is_load(s):
    return s["op"][0] == 1 and (not s["op"][1] & 1 or s["op"][1] & 0xe6 == 6)


def is_store(s):
    return s["op"][0] == 1 and (s["op"][1] & 1 or s["op"][1] & 0xe6 == 6)


def kind_of(s):
    if s["op"][0] == 1:
        return "atomic" if is_load(s) and is_store(s) else "load" if is_load(s) else "store"
    return {0: "other", 2: "branch"}[s["op"][0]]


class Counts:
    def __init__(self):
        self.values = collections.Counter()
        self.sources = collections.Counter()
        self.total = []

    def add(self, s):
        count = self.values
        count["records"] += 1
        count["loads"] += bool(is_load(s))
        count["stores"] += bool(is_store(s))
        count["mispredicted"] += s["events"] >> 7 & 1
        count["walks"] += s["events"] >> 5 & 1
        count["late"] += s["events"] >> 12 & 1
        count["peer"] += s.get("source") in PEER
        if "source" in s:
            self.sources[SOURCES.get(s["source"], f"{s['source']:#x}")] += 1
        self.total.append(s["total"])

    def key(self, sort):
        return sum(self.total) if sort == "latency" else self.values[sort]

    def row(self, everything, sort):
        saturated = 4095 in self.total
        row = dict(self.values, share=100 * self.key(sort) / (everything.key(sort) or 1),
                   latency=sum(self.total) / len(self.total))
        if saturated:
            row["latency_at_least"] = True
        row["source"] = None
        if self.sources:
            best = max(self.sources.values())
            row["source"] = [f"{n} {100 * best / sum(self.sources.values()):.0f}%"
                             for n, v in self.sources.items() if v == best]
        return row


def histogram(values):
    """Percentiles by rank."""
    values = sorted(values)
    if not values:
        return {key: None for key in ("mean", "p50", "p90", "p99", "max", "saturated")}
    row = {"mean": sum(values) / len(values), "max": values[-1],
           "saturated": values.count(4095)}
    for percent in (50, 90, 99):
        row[f"p{percent}"] = values[math.ceil(len(values) * percent / 100) - 1]
    for key in list(row):
        if row["saturated"] and key != "saturated" and (key == "mean" or row[key] == 4095):
            row[key + "_at_least"] = True
    return row


def same(want, got):
    if isinstance(want, list):
        return got in want
    if isinstance(want, float):
        return isinstance(got, (int, float)) and abs(got - want) <= 1e-6 * max(1, abs(want))
    return want == got


def expect(where, want, got):
    """All keys of want, and no additional marks."""
    marks = {key for key in got if key.endswith("_at_least")}
    for key in set(want) | marks:
        if key not in got or not same(want.get(key), got[key]):
            sys.exit(f"{where}: {key} is {got.get(key)}, not {want.get(key)}\n{want}\n{got}")


class Checker:
    def __init__(self, report, samples, program, sort):
        self.report, self.samples, self.sort = report, samples, sort
        self.everything = Counts()
        for s in samples:
            self.everything.add(s)
        self.symbols = symbols_of(program)
        addresses = sorted({s["address"] for s in samples if s["owner"] not in (None, *KERNEL)})
        self.lines = lines_of(program, addresses)
        self.kernel = [(0xffff800010000000, "kernel_copy"), (0xffff800010000400, "kernel_lock"),
                       (0xffff800010000800, "kernel_last")]

    def function(self, s):
        """(name, start)"""
        if s["owner"] is None:
            return None, None
        if s["owner"] in KERNEL:
            return max((a, n) for a, n in self.kernel if a <= s["address"])[::-1]
        for start, size, name in self.symbols:
            if start <= s["address"] < start + size:
                return name, start
        return None, None

    def code(self, s):
        name, start = self.function(s)
        if not name:
            return "[no symbol]"
        return name if start == s["address"] else f"{name}+{s['address'] - start:#x}"

    def table(self, sheet, key_of, keys, only=lambda s: True, sort=None):
        """Rows by key_of(sample), which returns the keys of the report."""
        counts = collections.defaultdict(Counts)
        for s in self.samples:
            if only(s):
                counts[key_of(s)].add(s)
        sort = sort or self.sort
        return self.compare(sheet, {k: c.row(self.everything, sort) for k, c in counts.items()},
                            keys, sort)

    def compare(self, sheet, wanted, keys, sort):
        rows = self.report[sheet]
        by = {"records": "records", "latency": None}.get(sort, sort)
        wanted = {k: w for k, w in wanted.items() if w[by or "latency"]}
        got = {tuple(row[k] for k in keys): row for row in rows}
        if len(rows) != len(wanted) or set(got) != set(wanted):
            sys.exit(f"{sheet}: {len(rows)} rows of {len(wanted)}: "
                     f"{list(set(got) ^ set(wanted))[:5]}")
        for key, row in wanted.items():
            expect(f"{sheet} {key}", row, got[key])
        values = [row[by] if by else row["latency"] * row["records"] for row in rows]
        for earlier, later in zip(values, values[1:]):
            if earlier < later - 1e-6 * abs(later):
                sys.exit(f"{sheet} is not sorted")

    def totals(self):
        for kind in {kind_of(s) for s in self.samples}:
            mine = [s["total"] for s in self.samples if kind_of(s) == kind]
            row = next(r for r in self.report["operations"] if r["operation"] == kind)
            expect(kind, {"records": len(mine), "share": 100 * len(mine) / len(self.samples),
                          **histogram(mine)}, row)
        for name in ("total", "issue", "translation"):
            mine = [s[name] for s in self.samples if name in s]
            row = next(r for r in self.report["latency"] if r["latency"] == name)
            expect(name, {"records": len(mine), **histogram(mine)}, row)
        with_source = [s for s in self.samples if "source" in s]
        for raw in {s["source"] for s in with_source}:
            mine = [s["total"] for s in with_source if s["source"] == raw]
            name = SOURCES.get(raw, f"{raw:#x}")
            row = next(r for r in self.report["sources"] if r["source"] == name)
            expect(name, {"records": len(mine), "share": 100 * len(mine) / len(with_source),
                          **histogram(mine)}, row)
        events = collections.Counter(b for s in self.samples for b in range(64)
                                     if s["events"] >> b & 1)
        got = {row["bit"]: row["records"] for row in self.report["events"]}
        if got != dict(events):
            sys.exit(f"events: {got}, not {events}")

    def code_tables(self):
        def owner(s):
            return s["owner"] or f"[process {process(s)}]"
        self.table("functions", lambda s: (self.function(s)[0] or "[no symbol]", owner(s)),
                   ("function", "file"))
        for sheet, sort in (("instructions", None), ("mispredicted", "mispredicted"),
                            ("walks", "walks"), ("late_prefetches", "late")):
            self.table(sheet, lambda s: (f"{s['address']:#x}", self.code(s), owner(s)),
                       ("address", "code", "file"), sort=sort)
        self.table("lines", lambda s: (self.lines[s["address"]], owner(s)), ("line", "file"),
                   lambda s: s["owner"] not in (None, *KERNEL) and s["address"] in self.lines)
        self.table("processes", lambda s: (process(s),), ("process",))

    def data_tables(self):
        self.table("addresses", lambda s: (f"{s['va']:#x}", process(s)),
                   ("address", "process"), lambda s: "va" in s)
        lines = collections.defaultdict(list)
        for s in self.samples:
            if "va" in s:
                at = s.get("pa", s["va"])
                of = "[physical]" if "pa" in s else process(s)
                lines[f"{at // 64 * 64:#x}", of].append(dict(s, at=at))
        wanted, contended = {}, {}
        for key, mine in lines.items():
            counts = Counts()
            for s in mine:
                counts.add(s)
            row = counts.row(self.everything, self.sort)
            row["cpus"] = len({s["cpu"] for s in mine})
            row["writers"] = len({s["cpu"] for s in mine if is_store(s)})
            touched = {s["at"] % 64 // 8 for s in mine}
            row["words"] = "".join("x" if i in touched else "." for i in range(8))
            wanted[key] = row
            if row["peer"] or row["cpus"] > 1 and row["stores"]:
                contended[key] = row
        self.compare("cache_lines", wanted, ("address", "process"), self.sort)
        fought = self.report["contended"]
        if {(r["address"], r["process"]) for r in fought} != set(contended):
            sys.exit("contended: other lines")
        order = [r["peer"] + r["stores"] for r in fought]
        wanted = [round(100 * n / sum(order), 6) for n in order]
        if [round(r["share"], 6) for r in fought] != wanted:
            sys.exit("contended: shares")
        if order != sorted(order, reverse=True):
            sys.exit("contended is not sorted")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("truth")
    parser.add_argument("report")
    parser.add_argument("program")
    parser.add_argument("--sort", default="records")
    parser.add_argument("--cpu", help="as in 0,2,3")
    parser.add_argument("--pid", type=int)
    args = parser.parse_args()
    with open(args.truth, encoding="ascii") as file:
        truth = json.load(file)
    with open(args.report, encoding="utf-8") as file:
        report = json.load(file)
    samples = [s for s in truth["samples"] if args.pid in (None, s["pid"]) and
               (not args.cpu or str(s["cpu"]) in args.cpu.split(","))]
    if report["recording"]["records"] != len(samples) or not samples:
        sys.exit(f"{report['recording']['records']} records, not {len(samples)}")
    excluded = len(truth["samples"]) - len(samples)
    if report["recording"].get("excluded", 0) != excluded:
        sys.exit(f"{report['recording'].get('excluded')} excluded, not {excluded}")
    for key, name in (("damaged_records", "damaged"), ("bad_bytes", "bad_bytes")):
        if report["limits"][key] != truth[name]:
            sys.exit(f"{report['limits'][key]} {key}, not {truth[name]}")
    if report["recording"]["period"] != 9984 or report["limits"]["period_requested"] != 10000:
        sys.exit("not the effective period")
    checker = Checker(report, samples, args.program, args.sort)
    checker.totals()
    checker.code_tables()
    checker.data_tables()
    seconds = (max(s["time"] for s in samples) - min(s["time"] for s in samples)) / 1e9
    expect("recording", {"seconds": seconds}, report["recording"])


if __name__ == "__main__":
    main()

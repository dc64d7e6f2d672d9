#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Tables of the module compared with the specification's, field by field.

Extra metrics and groups, which the specification does not have, are checked by rules:
see check_extra().
"""
import ast
import os
import re
import subprocess
import sys

from losses import read_table
from workload import OUTPUT, Tap

tap = Tap()


def check(name, expected, got):
    """Expected and got are lists of rows, whose order matters."""
    same = expected == got
    if not same:
        for row in [r for r in expected if r not in got][:5]:
            print(f"# specification only: {row}")
        for row in [r for r in got if r not in expected][:5]:
            print(f"# module only: {row}")
        print(f"# {len(expected)} rows expected, {len(got)} found")
    tap.check(same, f"{name} ({len(expected)} rows)")


def dump():
    text = subprocess.run([os.path.join(OUTPUT, "spec_dump")], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    tables = {kind: [] for kind in ("event", "metric", "metric beyond", "group",
                                    "group beyond", "tree")}
    for row in text.splitlines():
        kind, *fields = row.split("\t")
        tables[kind].append(fields)
    return tables


def used(formula):
    return set(re.findall(r"[A-Z][A-Z0-9_]*", formula))


def check_events(events, metrics, found):
    check("events have the specification's number, mnemonics, class and functional group",
          [[e[0], e[1], e[2], e[3], "None" if e[5] == "-" else e[5]] for e in events],
          [row[:5] for row in found])
    # CHAIN only extends the preceding counter
    check("events are countable as specified, except CHAIN",
          [[e[1], e[4] != "ETE" and e[1] != "CHAIN"] for e in events],
          [[row[1], row[5] == "countable"] for row in found])
    users = {}
    for row in metrics:
        events_of = row[4].split(",") + (["CPU_CYCLES"] if row[5] == "cycles" else [])
        for event in events_of:
            users.setdefault(event, []).append(row[0])
    check("events are used by the metrics listed in the specification",
          [[e[1], e[6]] for e in events],
          [[row[1], ";".join(users.get(row[1], ["-"]))] for row in found])


def check_metrics(metrics, groups, found):
    member_of = {}
    for row in groups:
        for metric in row[4].split(","):
            member_of.setdefault(metric, []).append(row[0])
    check("metrics have the specification's name, groups, formula and unit", metrics,
          [[row[0], ",".join(sorted(member_of[row[0]])), row[1], row[2]] for row in found])
    check("metrics' programmable events are those of their formulas except CPU_CYCLES",
          [[m[0], sorted(used(m[2]) - {"CPU_CYCLES"})] for m in metrics],
          [[row[0], sorted(row[4].split(","))] for row in found])
    check("metrics in percent and MPKI have 4 decimals, all others 6",
          [[m[0], "4" if m[3] == "MPKI" or m[3].startswith("percent") else "6"]
           for m in metrics],
          [[row[0], row[3]] for row in found])


def check_groups(groups, metrics, found):
    formulas = {row[0]: row[1] for row in metrics}
    rows = []
    for name, _, title, stage, members in found:
        members = sorted(members.split(","))
        events = sorted(set().union(*(used(formulas[m]) for m in members)))
        rows.append([name, title, stage, str(len(members)), str(len(events)),
                     ",".join(members), ",".join(events)])
    check("groups have the specification's title, stage, metrics and events", groups, rows)
    check("files of groups have the names of the groups in lower case",
          [g[0].lower() for g in groups], [row[1] for row in found])


# Events of the extra groups. The specification describes the first two in prose
# (sections 3.3 and 3.4), the others are all the implementation-defined events of
# their kind.
def events_of_extra(events):
    names = [e[1] for e in events]
    return {
        "Memory_Traffic": {"MEM_ACCESS", "MEM_ACCESS_RD", "MEM_ACCESS_WR", "INST_RETIRED"},
        "Remote_Access": {"REMOTE_ACCESS", "MEM_ACCESS", "INST_RETIRED"},
        "Backend_Resources": {"STALL_BACKEND"} | {
            name for name in names if name.startswith("IMP_STALL_BACKEND_")},
        "CHI_Busy": {name for name in names if re.fullmatch("IMP_L2_CHI_CBUSY[0-9]", name)},
        "SPE_Sampling": {"INST_RETIRED"} | {e[1] for e in events if e[5] == "SPE"},
    }


def formula_of_sampling(what):
    """Formula of a metric of SPE sampling; shares refer to samples taken."""
    others = {"interval": "SAMPLE_POP / SAMPLE_FEED",
              "uops_per_instruction": "SAMPLE_POP / INST_RETIRED"}
    events = {"collision": "COLLISION", "pass": "FILTRATE", "branch": "FEED_BR",
              "load": "FEED_LD", "store": "FEED_ST", "op_match": "FEED_OP",
              "event_match": "FEED_EVENT", "latency_match": "FEED_LAT"}
    if what in others:
        return others[what]
    return f"SAMPLE_{events[what.removesuffix('_percentage')]} / SAMPLE_FEED * 100"


def formula_by_name(name):
    """Formula implied by the name of an extra metric."""
    what, _, per = name.rpartition("_")
    if name.startswith("spe_"):
        return formula_of_sampling(name.removeprefix("spe_"))
    if per in ("ratio", "pki"):
        event = {"memory_read": "MEM_ACCESS_RD", "memory_write": "MEM_ACCESS_WR",
                 "remote_access": "REMOTE_ACCESS"}[what]
        return f"{event} / MEM_ACCESS" if per == "ratio" else f"{event} / INST_RETIRED * 1000"
    if per == "bound":
        waits_for = what.removeprefix("backend_").upper()
        return f"IMP_STALL_BACKEND_{waits_for} / STALL_BACKEND * 100"
    levels = [f"IMP_L2_CHI_CBUSY{level}" for level in range(4)]
    return f"{levels[int(what.removeprefix('chi_busy_'))]} / ({' + '.join(levels)}) * 100"


def faults_of_formula(row, countable):
    """Faults of an extra metric; Python parses the formula."""
    name, formula, unit, decimals, programmable, cycles = row
    tree = ast.parse(formula, mode="eval").body
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    faults = []
    if not names <= countable:
        faults.append(f"cannot be counted: {sorted(names - countable)}")
    if sorted(programmable.split(",")) != sorted(names - {"CPU_CYCLES"}):
        faults.append(f"events parsed differently: {programmable}")
    if (cycles == "cycles") != ("CPU_CYCLES" in names):
        faults.append("CPU_CYCLES parsed differently")
    ending, places = (" * 100", "4") if unit.startswith("percent") else \
        (" / INST_RETIRED * 1000", "4") if unit == "per kilo instruction" else ("", "6")
    if not formula.endswith(ending) or (not ending and "*" in formula):
        faults.append(f"is not {unit}")
    if decimals != places:
        faults.append(f"{decimals} decimals")
    return [f"{name}: {fault}" for fault in faults]


def check_extra(spec, found):
    """Check the rows that are not in the specification."""
    extra, groups = found["metric beyond"], found["group beyond"]
    countable = {e[1] for e in spec["events"] if e[4] != "ETE" and e[1] != "CHAIN"}
    faults = [fault for row in extra for fault in faults_of_formula(row, countable)]
    check("extra metrics have countable events and the decimals of their unit (faults)", [],
          faults)

    check("extra metrics have the formulas that their names imply",
          [formula_by_name(row[0]) for row in extra], [row[1] for row in extra])

    names = [row[0] for kind in ("metric", "metric beyond", "group", "group beyond")
             for row in found[kind]]
    check("all names of metrics and groups, including extra ones, are different",
          sorted(set(names)), sorted(names))
    members = sorted(m for row in groups for m in row[4].split(","))
    check("each extra metric is in one extra group, and no other metric is",
          sorted(row[0] for row in extra), members)
    check("extra groups have stage 0 and files named after them in lower case",
          [[row[0].lower(), "0"] for row in groups], [[row[1], row[3]] for row in groups])
    formulas = {row[0]: row[1] for row in extra}
    check("extra groups have all events of their kind",
          sorted([name, sorted(events)] for name, events
                 in events_of_extra(spec["events"]).items()),
          sorted([row[0], sorted(set().union(*(used(formulas[m])
                                               for m in row[4].split(","))))]
                 for row in groups))


def check_tree(tree, groups, found):
    # every metric of the first stage is a node; one without a next item is a leaf
    nodes = {m: [] for row in groups if row[3] == "1" for m in row[4].split(",")}
    for node, following in found:
        nodes.setdefault(node, []).append(following)
    check("the tree has the specification's nodes, edges and leaves",
          sorted([row[0], row[1]] for row in tree),
          sorted([node, ",".join(items) or "-"] for node, items in nodes.items()))


def main():
    spec = {table: read_table(f"{table}.tsv") for table in ("events", "metrics", "groups", "tree")}
    found = dump()
    check("the specification's tables have 224 events, 67 metrics and 18 groups",
          [224, 67, 18], [len(spec[table]) for table in ("events", "metrics", "groups")])
    check_events(spec["events"], found["metric"], found["event"])
    check_metrics(spec["metrics"], found["group"], found["metric"])
    check_groups(spec["groups"], found["metric"], found["group"])
    check_tree(spec["tree"], found["group"], found["tree"])
    check_extra(spec, found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Tables of the module compared with those of selftests/spec, field by field.

Extra metrics and groups, which the specification does not have, are those of extra.tsv.
"""
import os
import re
import subprocess
import sys

from losses import read_table
from workload import OUTPUT, Tap

tap = Tap()


def check(name, expected, got, table="the specification's tables"):
    """Expected and got are lists of rows, whose order matters."""
    same = expected == got
    if not same:
        for row in [r for r in expected if r not in got][:5]:
            print(f"# only in {table}: {row}")
        for row in [r for r in got if r not in expected][:5]:
            print(f"# only in the module, not in {table}: {row}")
        print(f"# {len(expected)} rows expected, {len(got)} found")
    tap.check(same, f"{name} ({len(expected)} rows)")


def check_faults(name, faults):
    print("".join(f"# {fault}\n" for fault in faults), end="")
    tap.check(not faults, name)


def dump():
    """The module's tables, or None if they are invalid"""
    run = subprocess.run([os.path.join(OUTPUT, "spec_dump")], capture_output=True, text=True,
                         check=False)
    check_faults("the module's tables and formulas initialize",
                 run.stderr.splitlines() or [f"status {run.returncode}"] * (run.returncode != 0))
    if run.returncode:
        return None
    tables = {kind: [] for kind in ("event", "metric", "metric beyond", "group",
                                    "group beyond", "tree")}
    for row in run.stdout.splitlines():
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


def check_metrics(kind, table, metrics, groups, found):
    member_of = {}
    for row in groups:
        for metric in row[4].split(","):
            member_of.setdefault(metric, []).append(row[0])
    check(f"{kind} have the name, groups, formula and unit of {table}", metrics,
          [[row[0], ",".join(sorted(member_of.get(row[0], ["-"]))), row[1], row[2]]
           for row in found], table)
    check(f"{kind} use CPU_CYCLES and the programmable events of their formulas",
          [[m[0], "CPU_CYCLES" in used(m[2]), sorted(used(m[2]) - {"CPU_CYCLES"})]
           for m in metrics],
          [[row[0], row[5] == "cycles", sorted(row[4].split(","))] for row in found], table)
    check(f"{kind} in percent, MPKI and per kilo instruction have 4 decimals, all others 6",
          [[m[0], "4" if re.match("percent|MPKI|per kilo", m[3]) else "6"] for m in metrics],
          [[row[0], row[3]] for row in found], table)


def check_groups(groups, metrics, found):
    formulas = {row[0]: row[1] for row in metrics}
    rows = []
    for name, _, title, stage, members in found:
        members = sorted(members.split(","))
        events = sorted(set().union(*(used(formulas.get(m, "")) for m in members)))
        rows.append([name, title, stage, str(len(members)), str(len(events)),
                     ",".join(members), ",".join(events)])
    check("groups have the specification's title, stage, metrics and events", groups, rows)
    check("files of groups have the names of the groups in lower case",
          [g[0].lower() for g in groups], [row[1] for row in found])


def faults_of_formula(name, formula, unit, countable):
    """Faults of an extra metric"""
    ending = " * 100" if unit.startswith("percent") else \
        " / INST_RETIRED * 1000" if unit in ("per kilo instruction", "MPKI") else ""
    if not formula.endswith(ending) or (not ending and "*" in formula):
        yield f"{name}: {formula} is not {unit}"
    for event in sorted(used(formula) - countable):
        yield f"{name}: {event} cannot be counted"


def check_extra(spec, found):
    """Check the rows that are not in the specification."""
    extra, groups, rows = found["metric beyond"], found["group beyond"], spec["extra"]
    check_metrics("extra metrics", "extra.tsv", rows, groups, extra)
    countable = {e[1] for e in spec["events"] if e[4] != "ETE" and e[1] != "CHAIN"}
    check_faults("extra.tsv has countable events and formulas of their unit",
                 [fault for name, _, formula, unit in rows
                  for fault in faults_of_formula(name, formula, unit, countable)])
    members = {}
    for name, group, *_ in rows:
        members.setdefault(group, []).append(name)
    check("extra groups have stage 0, a file of their name and the metrics of extra.tsv in order",
          [[name, name.lower(), "0", ",".join(names)] for name, names in members.items()],
          [[row[0], row[1], row[3], row[4]] for row in groups], "extra.tsv")
    names = [row[0] for kind in ("metric", "metric beyond", "group", "group beyond")
             for row in found[kind]]
    check("all names of metrics and groups are different", sorted(set(names)), sorted(names))
    kinds = "IMP_STALL_BACKEND_|IMP_L2_CHI_CBUSY[0-9]|IMP_CT_FLUSH|SAMPLE_"
    check_faults("extra metrics use all events of their kinds",
                 [f"no metric uses {e[1]}" for e in spec["events"] if re.match(kinds, e[1]) and
                  not any(e[1] in used(row[2]) for row in rows)])


def check_tree(tree, groups, found):
    # every metric of the first stage is a node; one without a next item is a leaf
    nodes = {m: [] for row in groups if row[3] == "1" for m in row[4].split(",")}
    for node, following in found:
        nodes.setdefault(node, []).append(following)
    check("the tree has the specification's nodes, edges and leaves",
          sorted([row[0], row[1]] for row in tree),
          sorted([node, ",".join(items) or "-"] for node, items in nodes.items()))


def main():
    spec = {table: read_table(f"{table}.tsv")
            for table in ("events", "metrics", "groups", "tree", "extra")}
    found = dump()
    if not found:
        return tap.done()
    check("the specification's tables have 224 events, 67 metrics and 18 groups",
          [224, 67, 18], [len(spec[table]) for table in ("events", "metrics", "groups")])
    check_events(spec["events"], found["metric"], found["event"])
    check_metrics("metrics", "metrics.tsv", spec["metrics"], found["group"], found["metric"])
    check_groups(spec["groups"], found["metric"], found["group"])
    check_tree(spec["tree"], found["group"], found["tree"])
    check_extra(spec, found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

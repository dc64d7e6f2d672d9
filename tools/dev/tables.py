# SPDX-License-Identifier: GPL-2.0
"""The tables of the module and the tools, *.def.h, for scripts."""
import json
import pathlib
import re
import subprocess
import sys
from collections import namedtuple

TOP = pathlib.Path(__file__).resolve().parents[2]
LIBN3T = TOP / "drivers/perf/n3_telemetry/libn3t"
TELEMETRY = TOP / "tools/libn3telemetry"
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\w+|[(),]')


def read_table(path, *macros):
    """Yields the arguments of each row, and its macro; adjacent strings are one."""
    text = subprocess.run(["cc", "-E", "-P", "-x", "c", f"-I{LIBN3T.parent}",
                           *(f"-D{name}={name}" for name in macros), path],
                          check=True, capture_output=True, text=True).stdout
    row, depth = [], 0
    for token in TOKEN.findall(text):
        if depth == 0 and token != "(":
            row = [token, ""]
        elif token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
            if depth == 0 and row[0] in macros:
                yield row[1:], row[0]
        elif token == ",":
            row.append("")
        else:
            row[-1] += json.loads(token) if token[0] == '"' else token


def rows(path, macro, *others):
    """The rows of one macro."""
    return [row for row, name in read_table(path, macro, *others) if name == macro]


def read_number(name, path):
    """The value of a macro, as written"""
    return re.search(rf"^#define {name}\s+\(?([\d.]+)", path.read_text(), re.M)[1]


GROUP_MACROS = ("N3T_GROUP", "N3T_MEMBER", "N3T_TREE_METRIC", "N3T_TREE_GROUP")
GROUPS, MEMBERS, TREE_METRICS, TREE_GROUPS = (
    rows(LIBN3T / "n3t_groups.def.h", macro, *GROUP_MACROS) for macro in GROUP_MACROS)
# both, in order
TREE = [row for row, name in read_table(LIBN3T / "n3t_groups.def.h", *GROUP_MACROS)
        if name.startswith("N3T_TREE")]
EVENTS = rows(LIBN3T / "n3t_events.def.h", "N3T_EVENT", "N3T_EVENT_RENAMED")
LATER = dict(rows(LIBN3T / "n3t_events.def.h", "N3T_EVENT_RENAMED", "N3T_EVENT"))
COUNTABLE = {name for name, *_, countable in EVENTS if countable != "0"}
STAGES = {name: stage for name, _, stage, *_ in GROUPS}
Unit = namedtuple("Unit", "words brief decimals")
UNITS = {name: Unit(*row) for name, *row in rows(LIBN3T / "n3t_metrics.def.h", "N3T_UNIT")}
# the group is that of an extra metric
Metric = namedtuple("Metric", "name brief unit formula means usual large source group")


def read_metrics():
    """The metrics; exits if a row is incomplete."""
    for row, macro in read_table(LIBN3T / "n3t_metrics.def.h", "N3T_METRIC", "N3T_METRIC_BEYOND"):
        group, name, *others = row if macro == "N3T_METRIC_BEYOND" else [None, *row]
        if len(others) != 7 or "" in others:
            sys.exit(f"{name}: its row lacks one of {', '.join(Metric._fields[1:-1])}")
        if others[1] not in UNITS:
            sys.exit(f"{name}: no N3T_UNIT() {others[1]}")
        if group not in (None, *STAGES):
            sys.exit(f"{name}: no N3T_GROUP() {group}")
        for word in re.findall(r"\w+", others[2]):
            if word != "SLOTS" and not word.isdigit() and word not in COUNTABLE:
                sys.exit(f"{name}: no event of n3t_events.def.h that can be counted: {word}")
        yield Metric(name, *others, group)


METRICS = list(read_metrics())
FORMULAS = {metric.name: metric.formula for metric in METRICS}


def check_short_names():
    """Exits if a short name is that of another row, in any case."""
    kinds = {"metric": FORMULAS, "group": STAGES, "event": [*(row[0] for row in EVENTS),
                                                            *LATER.values()],
             "term": [row[0] for row in rows(TELEMETRY / "terms.def.h", "TERM_TEXT")],
             "word": [row[0] for row in rows(TELEMETRY / "words.def.h", "WORD_TEXT")]}
    owners = {name.lower(): f"{kind} {name}" for kind, names in kinds.items() for name in names}
    for metric in METRICS:
        own = f"metric {metric.name}"
        other = owners.setdefault(metric.brief.lower(), own)
        if other != own:
            sys.exit(f"{metric.name}: its short name {metric.brief} is also that of {other}")


check_short_names()


def read_children():
    """{metric of the decision tree: its parts}, parents first, from the first level"""
    parts = {part for _, part in TREE_METRICS}
    edges = TREE_METRICS + [[node, metric] for node, group in TREE_GROUPS if STAGES[group] == "1"
                            for of_group, metric in MEMBERS
                            if of_group == group and metric not in parts]
    found, level = {}, [metric for group, metric in MEMBERS if group == "Topdown_L1"]
    while level:
        for node in level:
            found[node] = [child for parent, child in edges if parent == node]
        level = [child for node in level for child in found[node]]
    return found


CHILDREN = read_children()
# metrics of Topdown_L1 in the order of all outputs
L1 = ("frontend_bound", "backend_bound", "bad_speculation", "retiring")
# of rates in Prometheus
WINDOW = "5m"


def plain_name(metric):
    """Of a metric without a factor of 100 or 1000, as in n3-exporter's series"""
    return re.sub("_percentage$", "_ratio", re.sub("_mpki$", "_misses_per_instruction", metric))


def write_prometheus(name, text):
    """Writes a generated file, or compares it with --check; returns the exit status."""
    path = TOP / "tools/n3exporter/prometheus" / name
    if sys.argv[1:] != ["--check"]:
        path.write_text(text, encoding="ascii")
    elif not path.exists() or path.read_text(encoding="ascii") != text:
        print(f"{path.relative_to(TOP)} differs from the tables: run {sys.argv[0]}")
        return 1
    return 0

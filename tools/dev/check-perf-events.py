#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check-perf-events.py DIR - tables of the module beside those of perf for the Neoverse N3

DIR is the folder of perf-events.sh. Prints each difference that perf-events.txt does not list, and
each one that it lists in vain.

Events are compared by name and number, metrics by group and by values: both formulas are
computed in fractions for random counts, so notation does not matter.
"""
import json
import pathlib
import random
import re
import sys
from fractions import Fraction

TOP = pathlib.Path(__file__).resolve().parents[2]
LIBN3T = TOP / "drivers/perf/n3_telemetry/libn3t"
KNOWN = pathlib.Path(__file__).with_name("perf-events.txt")

SLOTS = 5
TRIES = 20
SEED = 1


def read(name):
    return re.sub(r"/\*.*?\*/", "", (LIBN3T / name).read_text(encoding="ascii"), flags=re.S)


def module_events():
    """{name: number}, with the later names"""
    text = read("n3t_events.def.h")
    later = dict(re.findall(r"^N3T_EVENT_RENAMED\((\w+), (\w+)\)", text, re.M))
    return {later.get(name, name): int(number, 16) for name, number in
            re.findall(r"^N3T_EVENT\((\w+), (0x[0-9a-f]+), ", text, re.M)}


def module_metrics():
    """{name: formula} of the specification"""
    return dict(re.findall(r'^N3T_METRIC\((\w+), \w+,\s*"(.*)"\)$', read("n3t_metrics.def.h"), re.M))


def module_groups(metrics):
    members = re.findall(r"^N3T_MEMBER\((\w+), (\w+)\)", read("n3t_groups.def.h"), re.M)
    return {name: {group for group, metric in members if metric == name} for name in metrics}


def load(paths):
    """All entries of these files, {(key, name): entry}"""
    found = {}
    for path in paths:
        for entry in json.loads(path.read_text(encoding="utf-8")):
            for key in ("EventName", "MetricName", "ArchStdEvent"):
                if key in entry:
                    found[key, entry[key].lower()] = entry
    return found


def perf_tables(folder):
    """Events, {name: number}, and metrics, {name: entry}"""
    standard = load(sorted(folder.glob("*.json")))
    events, metrics = {}, {}
    for (key, name), entry in load(sorted((folder / "neoverse-n3").glob("*.json"))).items():
        whole = dict(entry)
        if key == "ArchStdEvent":
            key = "EventName" if ("EventName", name) in standard else "MetricName"
            whole = {**standard[key, name], **entry}
        if key == "EventName":
            events[name.upper()] = int(whole["EventCode"], 16)
        else:
            metrics[name] = whole
    return events, metrics


def value(formula, counts, slots):
    """In fractions; None if the formula has an event without a count"""
    def operand(match):
        text = match[0]
        if text[0].isdigit():
            return f"Fraction('{text}')"
        return "slots" if text.lower() in ("#slots", "slots") else f"counts['{text.upper()}']"
    assert re.fullmatch(r"[\w#.()+\-*/ ]+", formula), formula
    try:
        code = re.sub(r"#?\b[A-Za-z_]\w*|\d+(\.\d+)?", operand, formula)
        return eval(code, {"Fraction": Fraction}, {"counts": counts, "slots": slots})
    except KeyError:
        return None


def quotients(ours, theirs, counts):
    """Perf's values over the module's; empty without a common event"""
    pairs = [(value(ours, each, SLOTS), value(theirs, each, SLOTS)) for each in counts]
    return {perf / module for module, perf in pairs if module and perf is not None}


def plain(groups):
    """Names of groups without case and separators"""
    return {re.sub("[^a-z0-9]", "", name.lower()) for name in groups}


def differences(folder):
    rng = random.Random(SEED)
    events, metrics = perf_tables(folder)
    ours, formulas = module_events(), module_metrics()
    groups = module_groups(formulas)
    for name in sorted(set(events) | set(ours)):
        if name not in events or name not in ours:
            yield f"event {name}: only {'the module' if name in ours else 'perf'}"
        elif events[name] != ours[name]:
            yield f"event {name}: number {ours[name]:#06x}, perf {events[name]:#06x}"
    counts = [{name: Fraction(rng.randrange(1, 10**9)) for name in set(ours) | set(events)}
              for _ in range(TRIES)]
    for name in sorted(set(metrics) | set(formulas)):
        if name not in metrics or name not in formulas:
            yield f"metric {name}: only {'the module' if name in formulas else 'perf'}"
            continue
        scale = re.match(r"[\d.]+", metrics[name].get("ScaleUnit", "1"))[0]
        theirs = f"({metrics[name]['MetricExpr']}) * {scale}"
        factors = quotients(formulas[name], theirs, counts)
        if factors == {100}:
            yield f"metric {name}: percent in perf"
        elif factors != {1}:
            yield f"metric {name}: formula, perf {metrics[name]['MetricExpr']}"
        perf_groups = set(metrics[name]["MetricGroup"].split(";")) - {"Default"}
        if plain(groups[name]) != plain(perf_groups):
            yield (f"metric {name}: groups {' '.join(sorted(groups[name]))}, "
                   f"perf {' '.join(sorted(perf_groups))}")


def main():
    found = list(differences(pathlib.Path(sys.argv[1])))
    known = [line for line in KNOWN.read_text(encoding="ascii").splitlines()
             if line and not line.startswith("#")]
    wrong = [f"not in {KNOWN.name}: {line}" for line in found if line not in known]
    wrong += [f"{KNOWN.name} lists in vain: {line}" for line in known if line not in found]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

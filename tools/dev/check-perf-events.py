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

from tables import EVENTS, LATER, MEMBERS, METRICS

KNOWN = pathlib.Path(__file__).with_name("perf-events.txt")

SLOTS = 5
TRIES = 20
SEED = 1


OURS = {LATER.get(name, name): int(number, 16) for name, number, *_ in EVENTS}
# those of the specification
FORMULAS = {metric.name: metric.formula for metric in METRICS if not metric.group}


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
    for name in sorted(set(events) | set(OURS)):
        if name not in events or name not in OURS:
            yield f"event {name}: only {'the module' if name in OURS else 'perf'}"
        elif events[name] != OURS[name]:
            yield f"event {name}: number {OURS[name]:#06x}, perf {events[name]:#06x}"
    counts = [{name: Fraction(rng.randrange(1, 10**9)) for name in set(OURS) | set(events)}
              for _ in range(TRIES)]
    for name in sorted(set(metrics) | set(FORMULAS)):
        if name not in metrics or name not in FORMULAS:
            yield f"metric {name}: only {'the module' if name in FORMULAS else 'perf'}"
            continue
        scale = re.match(r"[\d.]+", metrics[name].get("ScaleUnit", "1"))[0]
        theirs = f"({metrics[name]['MetricExpr']}) * {scale}"
        factors = quotients(FORMULAS[name], theirs, counts)
        if factors == {100}:
            yield f"metric {name}: percent in perf"
        elif factors != {1}:
            yield f"metric {name}: formula, perf {metrics[name]['MetricExpr']}"
        perf_groups = set(metrics[name]["MetricGroup"].split(";")) - {"Default"}
        groups = {group for group, metric in MEMBERS if metric == name}
        if plain(groups) != plain(perf_groups):
            yield (f"metric {name}: groups {' '.join(sorted(groups))}, "
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

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Plans without distrusted events, compared with the formulas of the specification.

Each event that metrics use is excluded alone, at every number of counters, as are random
combinations of events. No set may contain an excluded event; exactly the metrics whose
formula contains one are unsupported; every other metric that fits is placed, with all its
events.

Formulas are read from the specification's metrics.tsv; those of extra metrics from the
output of spec_dump, which spec_test.py checks by rules.

    distrust_test.py [CHOICES [SEED]]
"""
import os
import random
import re
import subprocess
import sys

from workload import OUTPUT, SPEC, STALL_SLOT_PARTS, Tap

COUNTERS = range(1, 32)


def read_metrics():
    """The events of each metric."""
    with open(SPEC, encoding="ascii") as table:
        rows = [line.split("\t") for line in table if not line.startswith("#")]
    metrics = {row[0]: row[2] for row in rows}
    dump = subprocess.run([os.path.join(OUTPUT, "spec_dump")], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    rows = [row.split("\t") for row in dump.splitlines()]
    metrics.update({row[1]: row[2] for row in rows if row[0] == "metric beyond"})
    return {name: set(re.findall(r"[A-Z][A-Z0-9_]*", text)) for name, text in metrics.items()}


def plans(questions):
    """Sets, the set of each metric and unsupported metrics of each plan."""
    text = "".join(f"{counters} {' '.join(events)}\n" for counters, events in questions)
    result = subprocess.run([os.path.join(OUTPUT, "distrust_eval")], input=text, text=True,
                            stdout=subprocess.PIPE, check=True).stdout
    sets, homes, unsupported = [], {}, set()
    for key, *words in map(str.split, result.splitlines()):
        if key == "set":
            sets.append(set(words))
        elif key == "home":
            homes[words[0]] = int(words[1])
        elif key == "unsupported":
            unsupported.add(words[0])
        else:
            yield sets, homes, unsupported
            sets, homes, unsupported = [], {}, set()


def given(events):
    """Events whose counts a set provides."""
    derived = {"STALL_SLOT"} if events.issuperset(STALL_SLOT_PARTS) else set()
    return events | derived | {"CPU_CYCLES"}


def faults(metrics, counters, distrusted, plan):
    sets, homes, unsupported = plan
    for events in sets:
        if events & distrusted:
            yield f"a set has {events & distrusted}"
        if not 0 < len(events) <= counters:
            yield f"a set has {len(events)} events"
    for name, events in metrics.items():
        needs = bool(events & distrusted)
        if (name in unsupported) != needs:
            yield f"{name} is{' not' * needs} unsupported"
        fits = len(events - {"CPU_CYCLES"}) <= counters
        if (name in homes) != (fits and not needs):
            yield f"{name} is{' not' * (name not in homes)} placed"
        if name in homes and not events <= given(sets[homes[name]]):
            yield f"{name} lacks {events - given(sets[homes[name]])}"


def check(tap, metrics, questions, text):
    found = [f"{counters} counters without {' '.join(sorted(events))}: {fault}"
             for (counters, events), plan in zip(questions, plans(questions), strict=True)
             for fault in faults(metrics, counters, set(events), plan)]
    for line in found[:10]:
        print(f"# {line}")
    tap.check(not found, f"{text} ({len(questions)} plans)")


def main():
    choices = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    rng, tap, metrics = random.Random(seed), Tap(), read_metrics()
    used = sorted(set().union(*metrics.values()))
    print(f"# seed {seed}, {len(used)} events, {len(metrics)} metrics")
    tap.check(len(used) > 66, "metrics use more than 66 events, including CPU_CYCLES")
    check(tap, metrics, [(counters, [event]) for event in used for counters in COUNTERS],
          "plans without any one event that metrics use are sound, with 1 to 31 counters")
    drawn = [(rng.choice(COUNTERS), rng.sample(used, rng.randint(0, len(used))))
             for _ in range(choices)]
    few = [(rng.choice(COUNTERS), rng.sample(used, rng.randint(2, 6))) for _ in range(choices)]
    check(tap, metrics, drawn, "plans without random choices of events are sound")
    check(tap, metrics, few, "plans without random choices of a few events are sound")
    check(tap, metrics, [(counters, used) for counters in COUNTERS],
          "plans without all events are sound")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

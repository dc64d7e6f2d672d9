#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_pair.py DIR

Writes recordings of six snapshots that do not overlap, a and b among them, and the expected
result of report --diff of these two: metrics.json and table.
"""
import json
import sys
from math import sqrt
from statistics import mean, stdev
from digits import most_of, texts
from recording_read import pack

out = sys.argv[1]
COLUMNS = {  # unit, A: mean, half, B: mean, half; None is a word, half 0 none
    "topdown_l1.frontend_bound": ("percent of slots", 10, 1, 12, 1),
    "topdown_l1.backend_bound": ("percent of slots", 50, 4, 51, 2),
    "topdown_l1.bad_speculation": ("percent of slots", None, 0, 3, 1),
    "topdown_l1.retiring": ("percent of slots", 40, 0, 41, 0),
    "general.ipc": ("per cycle", 2, 0.1, 1, 0.1),
    "mpki.branch_mpki": ("MPKI", 0, 0, 1, 0.1),
    "mpki.dtlb_mpki": ("MPKI", 4, 0, 8, 0),
    "mpki.itlb_mpki": ("MPKI", None, 0, None, 0),
    "general.m1": ("", -5, 1, -10, 1),
}
STEPS = (-0.02, 0.02, 0.01, -0.01, 0.015, -0.015)
WIDE = {"topdown_l1.retiring": 4500}    # so wide that the error says nothing


def values(middle, name):
    return [middle + WIDE.get(name, 1) * step for step in STEPS]


def lines(about, of):
    yield "n3stat-recording 1"
    yield from (f"about {k} {v}" for k, v in about.items())
    yield "places cpu0 system"
    yield f"columns {' '.join(COLUMNS)}"
    for i in range(len(STEPS)):
        cells = []
        for column, (unit, *numbers) in COLUMNS.items():
            middle, half = numbers[of:of + 2]
            if middle is None:
                cells.append("idle")
                continue
            value = values(middle, column)[i]
            # three decimals: of this size, all half widths are exact
            cells.append(f"{value:.3f}:{value - half:.3f}:{value + half:.3f}:50:50" if half
                         else f"{value:.3f}")
        yield from (f"t {100 + 2 * i}", "0", f"1 {' '.join(cells)}", "end")


def write(name, about, of):
    with open(f"{out}/{name}", "wb") as file:
        file.write(pack(lines(about, of)))


ABOUT = {"host": "one", "kernel": "6.1.0", "window_ms": 2000, "pmu": "armv8_pmuv3_0"}
write("a", ABOUT, 0)
write("b", ABOUT, 2)
write("same_but_host", {**ABOUT, "host": "two"}, 2)
write("other", {"host": "two", "kernel": "6.12.0", "window_ms": 1000, "pmu": "n3_sim",
                "simulated": 1, "core": "Neoverse V2 (0xd4f)"}, 2)
write("bare", {}, 2)


def error(middle, half, name):
    by_spread = 2.571 * stdev(values(middle, name)) / sqrt(len(STEPS))
    return max(by_spread, half / sqrt(len(STEPS)))


metrics = {}
for name, (unit, a, ha, b, hb) in COLUMNS.items():
    points = unit.startswith("percent")
    column, name = name, name.split(".")[1]
    if a is None and b is None:
        continue
    if a is None or b is None:
        metrics[name] = {"a": a, "b": b, "a_word": "idle", "change": None, "relative": None,
                         "error": None, "verdict": "no number to compare",
                         "verdict_id": "no_number", "size": -1}
    else:
        change, both = b - a, sqrt(error(a, ha, column) ** 2 + error(b, hb, column) ** 2)
        nothing = points and both >= 100
        verdict = ("error unknown" if nothing else "within the error" if abs(change) <= both
                   else "more" if change > 0 else "less")
        ids = {"error unknown": "error_unknown", "within the error": "within_error"}
        metrics[name] = {"a": a, "b": b, "change": change,
                         "relative": 100 * change / abs(a) if a else None,
                         "error": None if nothing else both, "verdict": verdict,
                         "verdict_id": ids.get(verdict, verdict),
                         "size": -1 if nothing else abs(change) / both}
    metrics[name].update(unit=unit, change_unit="percentage points" if points else unit,
                         a_windows=a is not None and len(STEPS),
                         b_windows=b is not None and len(STEPS))
metrics = dict(sorted(metrics.items(), key=lambda m: -m[1].pop("size")))
json.dump(metrics, open(f"{out}/metrics.json", "w"))


def shown(name, m):
    most = most_of(m["unit"])
    pp = " pp" if m["unit"].startswith("percent") else ""
    # without intervals there is no coverage here: the numbers are not of slices
    sampled = next(c[2] or c[4] for n, c in COLUMNS.items() if n.endswith("." + name))
    error = m["error"] if m["error"] is not None or sampled else 0
    number = lambda x: texts(x, error, most)[0]
    line = [name, "idle" if m["a"] is None else number(m["a"]), number(m["b"])]
    if m["change"] is None:
        line += ["- - -"]
    else:
        change, half = texts(m["change"], error, most)
        line += [("+" if m["change"] >= 0 else "") + change + pp,
                 "none" if m["error"] is None else half + pp,
                 "-" if m["relative"] is None else f"{m['relative']:+.1f} %"]
    return " ".join(line + [m["unit"] or "-", m["verdict"]])


with open(f"{out}/table", "w") as file:
    for name, m in metrics.items():
        print(shown(name, m), file=file)
    verdicts = [m["verdict"] for m in metrics.values()]
    different = verdicts.count("more") + verdicts.count("less")
    compared = different + verdicts.count("within the error")
    print("1 metric is excluded: no value in A or in B.", file=file)
    print(f"{different} of {compared} compared metrics differ; by chance {0.05 * compared:.2g} "
          "would (5 % of those compared).", file=file)

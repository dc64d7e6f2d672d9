#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The library's answer: areas, causes, losses and both texts are those of losses.py.

They are compared for known estimates, whose texts are written down, for random ones, many of them
at the limits of the rule, and for the windows of workloads. Short names are unique.

15 windows (LONG=1: 500) of constant workloads have known answers: at least 99 % are right, and none
has another area. For varied workloads, with 10 windows (LONG=1: 500) each, the largest area of the
true values is named, alone or among others, in 97 % of the windows, less three standard errors for
that number. Slices have 4 ms, anchors are the default.

    answer_test.py [WINDOWS [SEED]]
"""
import math
import os
import random
import re
import subprocess
import sys
from fractions import Fraction

import losses
from workload import FORMULAS, MS, OUTPUT, SLICE, START, Phases, Plan, Slices, Tap, answers, \
    by_length, rates, side_by_side, varied

WINDOW = 2000 * MS
SHORT_SLICE = 4 * MS
NAMED_RIGHT = 0.97
CASES = 4000    # of random estimates
LONG, SHORT = 79, 24
METRICS = [metric for metric in losses.TREE if metric]
WORDS = ("disabled", "stale", "idle", "unsupported", "inconsistent")

# Estimates: short names, percent, "+-" with an error of 0 unless it is given ("?": unknown);
# long and short text, which are the same if there is one.
KNOWN = """
F 10.7 B 44.4 S 11.8 R 33.1: backend_bound 44% (topdown_backend: -) = backend_bound 44%
F 10.7 B 44.4 S 11.8 R 33.1 MEM disabled: backend_bound 44% (group topdown_backend is not chosen) \
= backend_bound 44%
F 10 B 44 S 12 R 34 MEM 75 CACHE 60 L1D 50 L2D 50 DTLB 27 CORE 20 RENAME 50: \
backend_bound 44%: L1D 10, L2D 10, DTLB 9, rest 15 = backend_bound 44% spread
F 10 B 44 S 12 R 34 MEM 75 CACHE 100 L1D 100: backend_bound 44%: L1D 33, rest 11 = \
backend_bound 44% L1D
F 10 B 44+-? S 12 R 34 MEM 75 CACHE 100 L1D 100: backend_bound ~44%: L1D 33, rest 11 = \
backend_bound ~44% L1D
F 10 B 40 S 12 R 38 MEM 50 CACHE 0 DTLB 0 STORE 0 CORE 25: \
backend_bound 40%: rest of MEM 20, rest 20 = backend 40% rest of MEM
F 10 B 40 S 12 R 38 MEM 49 CACHE 0 DTLB 0 STORE 0 CORE 25: \
backend_bound 40%: rest of MEM 20, CORE 10, rest 10 = backend_bound 40% spread
F 10 B 32 S 12 R 46 CORE 56.25 IQ 50: \
backend_bound 32%: CORE 18, IQ 16 = backend_bound 32% spread
F 10 B 32 S 12 R 46 CORE 57 IQ 50: backend_bound 32%: CORE 18, rest 14 = backend_bound 32% CORE
F 10 B 32 S 12 R 46 CORE 100: backend_bound 32%: CORE 32 = backend_bound 32% CORE
F 10 B 32 S 12 R 46 CORE 98.4375: backend_bound 32%: CORE 32, rest 0 = backend_bound 32% CORE
F 10 B 32 S 12 R 46 CORE 98.45: backend_bound 32%: CORE 32 = backend_bound 32% CORE
F 10 B 20 S 12 R 58 CORE 25 IQ 24: backend_bound 20%: CORE 5, rest 15 = backend_bound 20% spread
F 10 B 20 S 12 R 58 CORE 24 IQ 24: backend_bound 20%
F 3 B 4 S 3.5 R 69 MEM 100: mixed: backend_bound 4%, bad_speculation 4%, frontend_bound 3% = \
mixed B 4% S 4% F 3%
F 29 B 31 S 8 R 32 MEM 90 FMEM 80: mixed: backend_bound 31% (MEM 28), frontend_bound 29% (FMEM 23) \
= mixed B 31% F 29%
F 28.9 B 31 S 8 R 32 CORE 90 FMEM 80: backend_bound 31%: CORE 28, rest 3 = backend_bound 31% CORE
F 28+-1 B 31+-2 S 8 R 32 MEM 90 FMEM 80: \
mixed: backend_bound 31% (MEM 28), frontend_bound 28% (FMEM 22) = mixed B 31% F 28%
F 28+-? B 31+-2.9 S 8 R 32 CORE 90 FMEM 80: backend_bound 31%: CORE 28, rest 3 = \
backend_bound 31% CORE
F 30+-? B 30+-? S 30+-? R 10: mixed: backend_bound ~30%, bad_speculation ~30%, frontend_bound ~30% \
= B ~30% S ~30% F ~30%
F 30+-? B 30 S 29 R 10 FMEM 100 FC 50 ITLB 0 CORE 100 RENAME 10: \
mixed: B 30% (rest of CORE 27), F ~30% (rest of FMEM 15), S 29% = mixed B 30% F ~30% S 29%
F 10 B 9 S 10.9 R 70: mixed: bad_speculation 11%, frontend_bound 10%, backend_bound 9% = \
mixed S 11% F 10% B 9%
F 10 B 9 S 10.9 R 70.1: retiring 70%
F -1 B -0.5 S -2 R 60: retiring 60%
F 0 B -1 S -2 R 60: frontend_bound 0%
F -1 B 20 S 18.5 R 60: mixed: backend_bound 20%, bad_speculation 18% = mixed B 20% S 18%
F 10 B 20 S 40 R 30: bad_speculation 40%
F 10 B stale S idle R 30: stale
F 100+-? B 0 S 0 R 0 FMEM 30 FC 0 ITLB 0 FCORE 36 FLOW 0 FLUSH 0: \
frontend_bound ~100%: rest of FCORE 36, rest of FMEM 30, rest 34 = frontend ~100% spread
F 24+-2.5 B 30+-3.5 S 24 R 22 CORE 50 FCORE 50: \
mixed: backend_bound 30% (CORE 15), frontend_bound 24% (FCORE 12) = mixed B 30% F 24%
""".replace("\\\n", "").strip().splitlines()

# Arguments of rates(); the short text without numbers.
WORKLOADS = (
    ("L1 data cache", {"backend": 60, "backend_split": (90, 5, 5),
                       "memory_split": (75, 10, 10, 5)}, "backend_bound L1D"),
    ("L2 cache", {"backend": 60, "backend_split": (90, 5, 5), "memory_split": (10, 75, 10, 5)},
     "backend_bound L2D"),
    ("data TLB", {"backend": 50, "backend_split": (90, 5, 5), "memory_split": (10, 10, 75, 5)},
     "backend_bound DTLB"),
    ("stores", {"backend": 50, "backend_split": (90, 5, 5), "memory_split": (10, 5, 10, 75)},
     "backend_bound STORE"),
    ("renaming", {"backend": 55, "backend_split": (10, 80, 10), "rename": 75},
     "backend_bound RENAME"),
    ("core, and 80 % of that for no reason with a name",
     {"backend": 55, "backend_split": (10, 80, 10), "rename": 20}, "backend rest of CORE"),
    ("busy backend", {"backend": 55, "backend_split": (20, 15, 65)}, "backend_bound IQ"),
    ("backend in parts of less than half",
     {"backend": 50, "backend_split": (70, 20, 10), "memory_split": (30, 30, 30, 10)},
     "backend_bound spread"),
    ("backend in parts of less than 5 % of all slots",
     {"backend": 24, "backend_split": (55, 27, 18), "memory_split": (30, 30, 30, 10)},
     "backend_bound"),
    ("L1 instruction cache", {"frontend": 45, "backend": 20, "frontend_split": (90, 10),
                              "fetch_split": (75, 10, 15)}, "frontend_bound L1I"),
    ("flow of instructions", {"frontend": 45, "backend": 20, "frontend_split": (10, 90)},
     "frontend_bound FLOW"),
    ("bad speculation", {"frontend": 10, "backend": 15, "speculation": 50}, "bad_speculation"),
    ("backend 42 % in parts of at most 17 %, bad speculation 28 %",
     {"frontend": 10, "backend": 42, "speculation": 28, "memory_split": (67, 13, 10, 10)},
     "backend_bound spread"),
    ("retiring 72 %", {"frontend": 8, "backend": 15, "speculation": 5}, "retiring"),
    ("frontend as large as backend", {"frontend": 30, "backend": 30, "speculation": 10},
     "mixed B F|mixed F B"),
)

tap = Tap()


def run(*arguments, text=None):
    return subprocess.run([os.path.join(OUTPUT, "answer_eval"), *arguments], input=text,
                          stdout=subprocess.PIPE, text=True, check=True).stdout


NAMES = {metric: short for metric, short, _ in map(str.split, run("names").splitlines())}


def is_own_cause(area):
    return [cause[0] for cause in area.causes] == [area.metric]


def name_of(cause, shares):
    return "rest of " * losses.is_rest(cause[0], shares) + NAMES[cause[0]]


def number(area):
    return f"{'~' * (area.error is None)}{float(area.share):.0f}%"


def with_cause(area, shares, name):
    text = f"{name} {number(area)}"
    if area.causes and not is_own_cause(area):
        text += f" ({name_of(area.causes[0], shares)} {float(area.causes[0][1]):.0f})"
    return text


def long_text(areas, shares):
    if len(areas) > 1:
        texts = ["mixed: " + ", ".join(parts) for parts in (
            [with_cause(area, shares, area.metric) for area in areas],
            [with_cause(area, shares, NAMES[area.metric]) for area in areas],
            [f"{area.metric} {number(area)}" for area in areas])]
        return next(text for text in texts if len(text) <= LONG)
    area, = areas
    text = f"{area.metric} {number(area)}"
    if area.word:
        group = "topdown_" + area.metric[:-len("_bound")]
        return text + (f" (group {group} is not chosen)" if area.word == "disabled" else
                       f" ({group}: {area.word})")
    parts = [f"{name_of(cause, shares)} {float(cause[1]):.0f}"
             for cause in area.causes if not is_own_cause(area)]
    parts += [f"rest {float(area.rest):.0f}"] * bool(area.rest)
    return text + ": " * bool(parts) + ", ".join(parts)


def short_text(areas, shares):
    letters = " ".join(f"{NAMES[area.metric]} {number(area)}" for area in areas)
    texts = ["mixed " + letters, letters]
    if len(areas) == 1:
        area, = areas
        end = " " + ("spread" if area.spread else name_of(area.causes[0], shares)) \
            if area.causes and not is_own_cause(area) else ""
        texts = [f"{name} {number(area)}{end}" for name in (
            area.metric, area.metric.removesuffix("_bound"), NAMES[area.metric])]
    return next(text for text in texts if len(text) <= SHORT)


def lines_of(values):
    """What answer_eval prints, by losses.py."""
    areas, listed, word = losses.find(values)
    if word:
        return ["loses -1 next", f"long {word}", f"short {word}"]
    shares = dict(losses.shares_of(losses.numbers_of(values)))

    def line(key, end):
        error = "none" if end[2] is None else f"{float(end[2]):.9f}"
        rest = " rest" if key != "area" and losses.is_rest(end[0], shares) else ""
        return f"{key} {end[0]} {float(end[1]):.9f} {error}{rest}"

    lines = []
    for area in areas:
        lines.append(line("area", area))
        lines += [line("part" if area.spread else "cause", cause) for cause in area.causes]
        lines.append(f"rest {float(area.rest):.9f} below {area.word or 'known'}")
    lines += [line("loss", loss) for loss in listed]
    first = areas[0]
    at = first.metric if first.spread or not first.causes else first.causes[0][0]
    loss = 0 if first.metric == "retiring" else float(first.share)
    return [*lines, f"loses {loss:.9f} next " + " ".join(losses.next_of(at)),
            f"long {long_text(areas, shares)}", f"short {short_text(areas, shares)}"]


def is_same(found, wanted):
    """The same words, and numbers but for rounding; groups in any order."""
    def words(line):
        first, mark, groups = line.partition(" next")
        return [*first.split(" "), mark, *sorted(groups.split())]

    def close(a, b):
        return a == b or all(re.fullmatch(r"-?\d+\.\d+|-1", word) for word in (a, b)) and \
            abs(float(a) - float(b)) < 1e-6

    return len(found) == len(wanted) and all(
        len(words(a)) == len(words(b)) and all(map(close, words(a), words(b)))
        for a, b in zip(found, wanted))


def quality_of(metric, value):
    """A line of quality. The value itself is another number than the estimate."""
    if not isinstance(value, tuple):
        return f"{metric} value={value} low=none high=none coverage=0.00 slices=0 " \
               f"estimate={value} estimate_low=none estimate_high=none"
    percent, error = value
    low, high = ("none", "none") if error is None else (
        f"{float(end):.9f}" for end in (percent - error, percent + error))
    return f"{metric} value={float(percent) / 2 + 1:.4f} low=0.0 high=9.0 coverage=9.0 slices=9 " \
           f"estimate={float(percent):.9f} estimate_low={low} estimate_high={high}"


def evaluated(cases):
    """The lines of each case: lines of quality."""
    text = run(text="".join("\n".join(case) + "\n\n" for case in cases))
    return [block.split("\n") for block in text.split("\n\n")[:-1]]


def compare(cases):
    """Number of cases {metric: value} with the same lines; prints others."""
    found = evaluated([[quality_of(*pair) for pair in values.items()] for values in cases])
    wrong = [(lines, lines_of(values), values) for lines, values in zip(found, cases)
             if not is_same(lines, lines_of(values))]
    for case in wrong[:3]:
        print("#", *case, sep="\n# ")
    return len(found) - len(wrong)


def read_known(text):
    by_short, values = {short: metric for metric, short in NAMES.items()}, {}
    words = text.split()
    for name, word in zip(words[::2], words[1::2]):
        value, _, error = word.partition("+-")
        values[by_short[name]] = word if value.isalpha() else (
            Fraction(value), None if error == "?" else Fraction(error or 0))
    return values


def check_known():
    for line in KNOWN:
        estimates, texts = line.split(": ", 1)
        in_full, _, in_short = texts.partition(" = ")
        values = read_known(estimates)
        lines = evaluated([[quality_of(*pair) for pair in values.items()]])[0]
        wanted = [f"long {in_full}", f"short {in_short or in_full}"]
        tap.check(lines[-2:] == wanted and compare([values]), f"{estimates}: {wanted}")
        if lines[-2:] != wanted:
            print("#", *lines, sep="\n# ")


def random_value(rng, percents, errors):
    """Numbers that a double has exactly, or others."""
    percent = rng.choice(percents) if percents else rng.uniform(-5, 105)
    error = rng.choice(errors) if percents else rng.choice((0, rng.uniform(0, 3)))
    exact = [Fraction(f"{float(number):.9f}") for number in (percent, error)]
    return exact[0], None if rng.random() < 0.03 else exact[1]


def random_estimates(rng):
    at_limits = rng.random() < 0.7
    top = [rng.randint(-4, 144) / 2 for _ in range(2)]
    top += [top[0] - 2, top[0] - 4, 5, 70, 70.5, 12]
    errors = rng.choice(((0,), (0, 0.25, 1, 1.5), (0, 2, 4)))
    parts = [12.5 * i for i in range(9)] + [0, 25, 50, 50, 75, 110, -5]
    values = {}
    for metric in METRICS:
        percents = (top if metric in losses.L1 else parts) if at_limits else ()
        values[metric] = random_value(rng, percents, errors)
        if rng.random() < (0.01 if metric in losses.L1 else 0.1):
            values[metric] = rng.choice(WORDS)
    if rng.random() < 0.1:
        word = rng.choice(WORDS)
        values.update({metric: word for metric in METRICS if "backend_" in metric
                       and metric != "backend_bound"})
    for metric in METRICS:
        if rng.random() < 0.02:
            del values[metric]
    return values


def kind_of(values):
    areas, _, word = losses.find(values)
    if word:
        return "word"
    if len(areas) > 1:
        return "mixed"
    return areas[0].metric + (" word" if areas[0].word else " spread" if areas[0].spread else
                              " cause" if areas[0].causes else "")


def check_random(seed):
    rng = random.Random(seed)
    cases = [random_estimates(rng) for _ in range(CASES)]
    right = compare(cases)
    kinds = [kind_of(values) for values in cases]
    rare = min((kinds.count(kind), kind) for kind in set(kinds))
    tap.check(right == CASES and len(set(kinds)) == 12 and rare[0] > CASES / 500,
              f"{CASES} random estimates ({right} right; of 12 kinds {len(set(kinds))}, at least "
              f"{rare[0]} {rare[1]})")


def estimates_of(lines):
    """Estimate and error of each metric, or its word."""
    values = {}
    for line in lines:
        metric, *fields = line.split()
        estimate, low, high = (dict(field.split("=") for field in fields)[key] for key in (
            "estimate", "estimate_low", "estimate_high"))
        values[metric] = estimate if estimate[-1].isalpha() else (
            Fraction(estimate), None if low == "none" else (Fraction(high) - Fraction(low)) / 2)
    return values


def windows_of(slices, windows):
    """Ends of windows, with areas and short text; and how many are as by losses.py."""
    ends = [START + (i + 1) * WINDOW for i in range(windows)]
    lines = []
    for until in ends:
        lines += slices.lines(until)
        lines.append(f"q {until - WINDOW} {until} {' '.join(METRICS)}")
    replies = answers(lines)
    cases = [replies[i:i + len(METRICS)] for i in range(0, len(replies), len(METRICS))]
    found = evaluated(cases)
    right = sum(is_same(lines, lines_of(estimates_of(case))) for lines, case in zip(found, cases))
    areas = [[line.split()[1] for line in lines if line.startswith("area")] for lines in found]
    return list(zip(ends, areas, [lines[-1].removeprefix("short ") for lines in found])), right


def try_workload(shares, windows, seed):
    plan = Plan(seed, windows * WINDOW // SHORT_SLICE + 10)
    return windows_of(Slices(random.Random(seed), Phases([(SLICE, rates(**shares))]), plan,
                             noise=0.01, length=SHORT_SLICE), windows)


def report(name, wanted, windows, found, same):
    texts = [re.sub(r" ~?-?\d+%", "", text) for *_, text in found]
    right = sum(text in wanted.split("|") for text in texts)
    area = wanted.split()[0]
    other = sum(area != "mixed" and not areas[0].startswith(area) for _, areas, _ in found)
    for text in sorted(set(texts) - set(wanted.split("|")))[:5]:
        print(f"# {texts.count(text)} times: {text}")
    tap.check(len(found) == same == windows and right >= 0.99 * windows and not other,
              f"workload '{name}': {wanted} in 99 % of {windows} windows, and another area in none "
              f"({100 * right / windows:.1f} %, {other})")


def largest(truth):
    """The areas that may be the largest: of equal ones each."""
    values = {metric: (truth(metric), 0) for metric in METRICS}
    return [area.metric for area in losses.find(values)[0]]


def try_varied(nr, windows, seed, length):
    """Name, windows that name the largest area, alone and in all; windows as by losses.py."""
    name, phases, options = list(varied(random.Random(seed), (windows + 1) * WINDOW / MS))[nr]
    plan = Plan(seed + nr, windows * WINDOW // length + 10)
    options = {"noise": 0.02 * math.sqrt(length / SLICE), **options}
    slices = Slices(random.Random(seed + nr), phases, plan, length=length, **options)
    found, same = windows_of(slices, windows)
    good = [len(areas) for until, areas, _ in found
            if largest(lambda metric, until=until:
                       slices.truth(metric, until - WINDOW, until))[0] in areas]
    return name, good.count(1), len(good), same


def report_varied(name, windows, alone, right, same):
    floor = NAMED_RIGHT - 3 * math.sqrt(NAMED_RIGHT * (1 - NAMED_RIGHT) / windows)
    tap.check(same == windows and right / windows >= floor,
              f"workload '{name}': the largest area is named in 97 % of {windows} windows "
              f"({100 * right / windows:.1f} %; {alone} alone)")


def main():
    windows = int(sys.argv[1]) if len(sys.argv) > 1 else by_length(15, 500)
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    assert set(METRICS) <= set(FORMULAS)
    wrong = [row for row in map(str.split, run("names").splitlines()) if row[0] != row[2]]
    tap.check(not wrong, f"short names are unique {wrong}")
    check_known()
    check_random(seed)
    jobs = [(workload[1], windows, seed + i) for i, workload in enumerate(WORKLOADS)]
    for (name, _, wanted), found in zip(WORKLOADS, side_by_side(try_workload, jobs)):
        report(name, wanted, windows, *found)
    of_varied = by_length(10, 500)
    jobs = [(nr, of_varied, seed, SHORT_SLICE)
            for nr in range(len(list(varied(random.Random(seed), 1))))]
    for name, *found in side_by_side(try_varied, jobs):
        report_varied(name, of_varied, *found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

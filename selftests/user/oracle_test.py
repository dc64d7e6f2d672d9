#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Random counts through the C formulas, compared with exact rational arithmetic.

The formulas are read from metrics.tsv and extra.tsv by Python's own
parser and evaluated with fractions.Fraction: neither the text of the tables
nor any C code is shared. Every text that the C code prints, and every scaled
number, must be identical to the last digit.

The same for combined windows of one to eight CPUs: once with each CPU's rates
rounded as by n3t_rate(), to the last digit; once without rounding, with the value
within the error that rounding the rates can cause.

    oracle_test.py [VECTORS [SEED]]
"""
import ast
import operator
import os
import random
import subprocess
import sys
from fractions import Fraction

from losses import read_table
from workload import OUTPUT, Tap

U64_MAX = 2**64 - 1
S64_MAX = 2**63 - 1
EXACT_BITS = 56     # of counts for which values are specified; larger ones also work
RATE_UNIT = 65536   # rates are multiples of 1/65536 per second
NS = 10**9
# text reported in place of a value, in order of precedence
WORDS = ("offline", "disabled", "unplaced", "contended", "idle", "stale", "implausible",
         "undef")

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub,
             ast.Mult: operator.mul, ast.Div: operator.truediv}

# kinds of values and verdicts that expected() counts
KINDS = ("undef", "unplaced", "sum beyond 64 bits", "tie", "negative tie", "negative",
         "minus zero avoided", "beyond 90 bits", "scaled saturates")

tap = Tap()


def metric_from(name, formula, unit):
    tree = ast.parse(formula, mode="eval").body
    events = sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)})
    four = unit in ("MPKI", "per kilo instruction") or unit.startswith("percent")
    return name, tree, events, 4 if four else 6


def read_metrics(table):
    return [metric_from(name, formula, unit) for name, _, formula, unit in read_table(table)]


class Between:
    """A number known only by its bounds."""
    def __init__(self, low, high):
        self.low, self.high = low, high

    @staticmethod
    def of(value):
        return value if isinstance(value, Between) else Between(value, value)

    @staticmethod
    def hull(values):
        return Between(min(values), max(values))

    def __add__(self, other):
        other = Between.of(other)
        return Between(self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        other = Between.of(other)
        return Between(self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        other = Between.of(other)
        return Between.hull([a * b for a in (self.low, self.high)
                             for b in (other.low, other.high)])

    def __truediv__(self, other):
        other = Between.of(other)
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError
        return self * Between(1 / other.high, 1 / other.low)

    def __radd__(self, other):
        return Between.of(other) + self

    def __rsub__(self, other):
        return Between.of(other) - self

    def __rmul__(self, other):
        return Between.of(other) * self

    def __rtruediv__(self, other):
        return Between.of(other) / self


def count_of(counts, event):
    if event != "STALL_SLOT" or event in counts:
        return counts[event]
    both = counts["STALL_SLOT_FRONTEND"] + counts["STALL_SLOT_BACKEND"]
    if both > U64_MAX:
        raise OverflowError
    return both


def evaluate(node, counts):
    """The exact value; raises ZeroDivisionError, KeyError or OverflowError."""
    if isinstance(node, ast.BinOp):
        left, right = evaluate(node.left, counts), evaluate(node.right, counts)
        return OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.Constant):
        return Fraction(node.value)
    count = count_of(counts, node.id)
    return count if isinstance(count, Between) else Fraction(count)


def expected(tree, counts, decimals, seen):
    try:
        value = evaluate(tree, counts)
    except ZeroDivisionError:
        seen["undef"] += 1
        return "undef"
    except KeyError:
        seen["unplaced"] += 1
        return "unplaced"
    except OverflowError:
        seen["sum beyond 64 bits"] += 1
        return "implausible"

    shifted = abs(value) * 10**decimals
    scaled = int(shifted + Fraction(1, 2))      # floor: ties go up, so away from zero
    digits = str(scaled).rjust(decimals + 1, "0")
    negative = value < 0 and scaled != 0
    seen["tie"] += shifted - int(shifted) == Fraction(1, 2)
    seen["negative tie"] += value < 0 and shifted - int(shifted) == Fraction(1, 2)
    seen["negative"] += negative
    seen["minus zero avoided"] += value < 0 and scaled == 0
    seen["beyond 90 bits"] += scaled >= 2**90
    seen["scaled saturates"] += scaled > S64_MAX
    text = f"{'-' if negative else ''}{digits[:-decimals]}.{digits[-decimals:]}"
    scaled = -scaled if negative else scaled
    return f"{text} {max(-S64_MAX - 1, min(S64_MAX, scaled))}"


def random_count(rng, kind):
    if kind == "any":
        return rng.randrange(2**rng.randint(0, EXACT_BITS))
    if kind == "small":
        return rng.randrange(12)
    if kind == "round":     # finite decimal quotients, many of them ties
        return rng.randint(0, 30) * 2**rng.randint(0, 12) * 5**rng.randint(0, 8)
    if kind == "near":      # differences close to 0
        return 2**48 + rng.randint(-3, 3)
    if kind == "ends":
        return rng.choice((0, 1, 2, U64_MAX, U64_MAX - 1, 2**63, 2**63 - 1, 2**32,
                           2**EXACT_BITS, 2**EXACT_BITS - 1))
    return rng.randrange(2**rng.randint(EXACT_BITS, 64))    # "huge"


def random_counts(rng, events):
    kind = rng.choice(("any", "any", "any", "small", "round", "round", "near", "ends",
                       "huge", "mixed"))
    counts = {}
    for event in events:
        one = rng.choice(("any", "small", "round", "ends", "huge")) if kind == "mixed" else kind
        counts[event] = random_count(rng, one)
        if rng.random() < 0.01:
            counts[event] = 0
    if "STALL_SLOT" in counts and rng.random() < 0.3:
        slots = counts.pop("STALL_SLOT")
        counts["STALL_SLOT_FRONTEND"] = slots
        counts["STALL_SLOT_BACKEND"] = random_count(rng, "ends" if kind == "ends" else "any")
    elif rng.random() < 0.01:
        programmable = sorted(set(counts) - {"CPU_CYCLES"})
        del counts[rng.choice(programmable)]
    if rng.random() < 0.1:
        counts["SW_INCR"] = 7       # other events must have no effect
    items = list(counts.items())
    rng.shuffle(items)
    return dict(items)


def random_cpu(rng, events):
    """A verdict, or a time with plausible counts for that time."""
    if rng.random() < 0.2:
        return rng.choice(WORDS[:-1])
    time = rng.randrange(10**6, 10**rng.randint(7, 11))
    counts = random_counts(rng, events)
    fastest = 2**rng.randint(4, 34)     # events per second
    missing = set(events) - set(counts)
    if "STALL_SLOT_FRONTEND" in counts and "STALL_SLOT_BACKEND" in counts:
        missing.discard("STALL_SLOT")
    # A metric is placed with all of its events: one without a count meets no denominator of 0.
    least = len(missing) > 0
    for event in counts:
        counts[event] = rng.randrange(least, fastest * time // NS + 2)
        if not least and rng.random() < 0.03:
            counts[event] = 0
    return time, counts


def verdict_of(tree, cpu):
    if isinstance(cpu, str):
        return cpu
    try:
        evaluate(tree, cpu[1])
    except ZeroDivisionError:
        return "undef"
    except KeyError:
        return "unplaced"
    return "value"


def rate_of(count, time):
    """Rounded to nearest, halves up."""
    return int(Fraction(count * RATE_UNIT * NS, time) + Fraction(1, 2))


def combined(metric, cpus, seen):
    """Expected text, and the bounds of the value if there is one."""
    name, tree, events, decimals = metric
    verdicts = [verdict_of(tree, cpu) for cpu in cpus]
    included = [cpu for cpu, verdict in zip(cpus, verdicts) if verdict in ("value", "undef")]
    seen["CPUs excluded"] += len(cpus) - len(included)
    seen["undef among values"] += "undef" in verdicts and "value" in verdicts
    if not included:
        seen["all CPUs excluded"] += 1
        return max(verdicts, key=WORDS.index), None
    rates = {event: sum(rate_of(count_of(counts, event), time) for time, counts in included)
             for event in events}
    exact = {event: sum(Fraction(count_of(counts, event) * RATE_UNIT * NS, time)
                        for time, counts in included) for event in events}
    text = expected(tree, rates, decimals, seen)
    off = Fraction(len(included), 2)
    try:
        bounds = evaluate(tree, {e: Between(r - off, r + off) for e, r in exact.items()})
    except ZeroDivisionError:
        return text, None
    plain = {event: sum(count_of(counts, event) for _, counts in included) for event in events}
    seen["plain sum is wrong"] += expected(tree, plain, decimals, dict(seen)) != text
    return text, bounds


def line_of(name, cpus):
    return f"{name} / " + " / ".join(
        cpu if isinstance(cpu, str) else
        f"{cpu[0]} {' '.join(f'{e}={c}' for e, c in cpu[1].items())}" for cpu in cpus)


def run(lines):
    """The answers of the C code, and what it complains about: "no metric NAME" ends it."""
    text = "".join(f"{line}\n" for line in lines)
    with open(os.path.join(OUTPUT, "oracle.vectors"), "w", encoding="ascii") as copy:
        copy.write(text)
    result = subprocess.run([os.path.join(OUTPUT, "oracle_eval")], input=text, text=True,
                            capture_output=True, check=False)
    complaints = result.stderr.splitlines()
    if result.returncode and not complaints:
        complaints = [f"oracle_eval ended with status {result.returncode}"]
    return result.stdout.splitlines(), complaints


def differences(lines, answers):
    """Number of answers of the C code that are not as expected, and all answers."""
    results, complaints = run(lines)
    for complaint in complaints:
        print(f"# {complaint}")
    wrong = [i for i in range(len(lines)) if i >= len(results) or results[i] != answers[i]]
    for i in wrong[:10]:
        got = results[i] if i < len(results) else "nothing"
        print(f"# {lines[i]}: expected {answers[i]}, got {got}")
    return len(wrong) + abs(len(results) - len(lines)) + len(complaints), results


def out_of_bounds(results, metrics, bounds):
    """Number of values whose error exceeds that of rounding the rates."""
    out = 0
    for result, metric, bound in zip(results, metrics, bounds):
        if bound and result[-1].isdigit():
            value = int(result.split()[0].replace(".", ""))
            half = Fraction(1, 2)
            out += not (bound.low * 10**metric[3] - half <= value
                        <= bound.high * 10**metric[3] + half)
    return out


def tap_seen(what, seen, number):
    print("# " + ", ".join(f"{kind}: {times}" for kind, times in seen.items()))
    enough = max(1, number // 10000)
    few = [kind for kind, times in seen.items() if times < enough]
    tap.check(not few, f"{what} occurs at least {enough} times "
              f"(too rare: {', '.join(few) or 'none'})")


def test_counts(rng, which, metrics, number, kinds):
    seen = dict.fromkeys(KINDS, 0)
    lines, answers = [], []
    for i in range(number):
        name, tree, events, decimals = metrics[i % len(metrics)]
        counts = random_counts(rng, events)
        lines.append(f"{name} {' '.join(f'{e}={c}' for e, c in counts.items())}")
        answers.append(expected(tree, counts, decimals, seen))
    wrong, _ = differences(lines, answers)
    tap.check(not wrong, f"{len(metrics)} {which} have exact values for {number} random count "
              f"vectors ({wrong} differ)")
    tap_seen(f"{which}: each kind of value among random count vectors",
             {kind: seen[kind] for kind in kinds}, number)


def test_cpus(rng, metrics, number):
    kinds = ("undef", "negative", "CPUs excluded", "undef among values", "all CPUs excluded",
             "plain sum is wrong")
    seen = dict.fromkeys(KINDS + kinds, 0)
    lines, answers, bounds, used = [], [], [], []
    for i in range(number):
        metric = metrics[i % len(metrics)]
        cpus = [random_cpu(rng, metric[2]) for _ in range(rng.randint(1, 8))]
        answer, bound = combined(metric, cpus, seen)
        lines.append(line_of(metric[0], cpus))
        answers.append(answer)
        bounds.append(bound)
        used.append(metric)
    wrong, results = differences(lines, answers)
    tap.check(not wrong, f"{len(metrics)} metrics have exact values of rounded rates for {number} "
              f"random windows of 1 to 8 CPUs ({wrong} differ)")
    wrong = out_of_bounds(results, used, bounds)
    tap.check(not wrong, "values for windows of 1 to 8 CPUs are within the error of rounding rates "
              f"({wrong} are not)")
    tap_seen("each kind of combination among windows of 1 to 8 CPUs",
             {kind: seen[kind] for kind in kinds}, number)


def main():
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 109530
    rng = random.Random(seed)
    specified, extra = read_metrics("metrics.tsv"), read_metrics("extra.tsv")

    print(f"# {number} vectors, seed {seed}", flush=True)
    tap.check(len(specified) == 67,
              f"metrics.tsv has the specification's 67 metrics ({len(specified)})")
    test_counts(rng, "metrics of the specification", specified, number, KINDS)
    # no differences and no large factors in these
    test_counts(rng, "extra metrics", extra, number // 5,
                ("undef", "unplaced", "tie", "scaled saturates"))
    test_cpus(rng, specified + extra, number // 5)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())

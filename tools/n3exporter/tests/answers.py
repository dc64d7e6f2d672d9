#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""answers.py PROGRAMS N3STAT RULES - areas and causes by n3stat, by the rules for Prometheus and in
exact fractions, on trees whose errors are at most 1 point

Half of the random trees have whole percentages and quarters below them, so that many values are
at the limits, and n3stat computes with them exactly.
"""
import collections
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from fleet import L1, TREE, answer_of
from rules import END, STEP, promtool
from series import GROUPS, write

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests"))
import make_tree   # noqa: E402 # pylint: disable=wrong-import-position

SLOTS = 10 ** 8
LAST = END // STEP + 1
NR = 300    # random trees
ROOTS = ("frontend_bound", "backend_bound", "bad_speculation", "retiring")
MEM = {"backend_mem_bound": 100}
ALL_L1D = {**MEM, "backend_mem_cache_bound": 100, "backend_cache_l1d_bound": 100}
# percentages of ROOTS and below them, and {area: cause}
LIMITS = (
    ((30, 32, 8, 30), {}, {"backend_bound": "unknown", "frontend_bound": "unknown"}),
    ((Fraction("29.99"), 32, 8, 30), {}, {"backend_bound": "unknown"}),
    ((29, 28, 27, 16), {}, {"frontend_bound": "unknown", "backend_bound": "unknown",
                            "bad_speculation": "bad_speculation"}),
    ((20, 20, 20, 40), {}, {"frontend_bound": "unknown", "backend_bound": "unknown",
                            "bad_speculation": "bad_speculation"}),
    ((10, 12, 8, 70), {}, {"backend_bound": "unknown", "frontend_bound": "unknown"}),
    ((10, 12, 7, 71), {}, {"retiring": "retiring"}),
    ((-8, 0, -9, 60), {}, {"backend_bound": "spread"}),
    # no operations, so neither of the last two has a value
    ((30, 70, 0, 0), {}, {}),
    ((-1, 1, -9, 60), {}, {"backend_bound": "spread"}),
    ((0, 4, 0, 60), {}, {"backend_bound": "spread"}),
    ((0, 5, 0, 60), {}, {"backend_bound": "unknown"}),
    ((0, 5, 0, 60), ALL_L1D, {"backend_bound": "backend_cache_l1d_bound"}),
    ((0, Fraction("4.96875"), 0, 60), ALL_L1D, {"backend_bound": "spread"}),
    # half of 40, then less
    ((10, 40, 10, 40), {**MEM, "backend_mem_tlb_bound": 50, "backend_mem_store_bound": 25},
     {"backend_bound": "backend_mem_tlb_bound"}),
    ((10, 40, 10, 40), {**MEM, "backend_mem_tlb_bound": Fraction("49.9375"),
                        "backend_mem_store_bound": 25}, {"backend_bound": "spread"}),
    # close to the second, which is no end of 5 %
    ((10, 13, 10, 67), {**MEM, "backend_mem_tlb_bound": 50,
                        "backend_mem_store_bound": Fraction("38.25")},
     {"backend_bound": "backend_mem_tlb_bound"}),
    # 2 points ahead of the rest, then more
    ((10, 32, 10, 48), {**MEM, "backend_mem_tlb_bound": Fraction("53.125")},
     {"backend_bound": "spread"}),
    ((10, 32, 10, 48), {**MEM, "backend_mem_tlb_bound": Fraction("53.140625")},
     {"backend_bound": "backend_mem_tlb_bound"}),
    # slots that no child names are no cause
    ((10, 40, 10, 40), {"backend_mem_bound": 25}, {"backend_bound": "spread"}),
    ((10, 40, 10, 40), {"backend_mem_bound": 50}, {"backend_bound": "backend_mem_bound"}),
)


def topdown_of(shares, flush):
    """Totals whose metrics have these percentages."""
    frontend, backend, bad, retiring = (Fraction(share) / 100 for share in shares)
    flush = max(Fraction(flush) / 100, -frontend)
    # bad speculation includes the flushes
    speculated = retiring + bad - flush
    parts = {"slots": 1, "stall_slots": 1 - speculated, "frontend_stall_slots": frontend + flush,
             "backend_stall_slots": backend, "frontend_flush_slots": flush,
             "ops_retired": retiring, "ops_speculated": speculated}
    return {f"{family}_total": SLOTS * part for family, part in parts.items()}


class Case:
    """A machine and a CPU of the same percentages."""

    def __init__(self, nr, shares, below, flush=0):
        self.instance, self.cpu = f"m{nr}", f"cpu{nr}"
        self.percent = {**dict(zip(ROOTS, map(Fraction, shares))),
                        **{metric: Fraction(part) for metric, part in below.items()}}
        self.totals = topdown_of(shares, flush)
        if not self.totals["ops_speculated_total"]:
            del self.percent["bad_speculation"], self.percent["retiring"]

    def series(self):
        """Of n3-exporter, in promtool's notation"""
        machine = ("job", "n3"), ("instance", self.instance)
        for family in "up", "trusted":
            yield (family, machine), f"1x{LAST}"
        yield ("info", machine + (("simulated", "0"),)), f"1x{LAST}"
        totals = {(family, ()): total for family, total in self.totals.items()}
        for metric, percent in self.percent.items():
            if metric not in L1:
                for part, total in ("numerator", SLOTS * percent / 100), ("denominator", SLOTS):
                    totals[f"metric_{part}_total", (("metric", metric),)] = total
        for (family, labels), total in totals.items():
            yield (family, machine + labels), f"0+{float(total)!r}x{LAST}"

    def write(self, rng, root):
        write(f"{root}/{self.cpu}/status", "state sampling\nbudget 6\nwithdrawn 0\n")
        for group in "topdown_l1", "topdown_frontend", "topdown_backend":
            flat, quality = "", ""
            for metric in GROUPS[group]:
                if metric not in self.percent:
                    flat += f"{metric} undef\n"
                    quality += f"{metric} value=undef\n"
                    continue
                value = float(self.percent[metric])
                # of an end, with errors of metrics above it, at most 1
                error = rng.uniform(0, 0.8 if metric in L1 else 0.25)
                flat += f"{metric} {value:.12f}\n"
                quality += f"{metric} value={value:.12f} low={value - error:.12f} " \
                    f"high={value + error:.12f} coverage=48.50 slices=48\n"
            write(f"{root}/{self.cpu}/{group}", flat)
            write(f"{root}/{self.cpu}/quality/{group}", quality)

    def exact(self):
        return answer_of({metric: percent / 100 for metric, percent in self.percent.items()})

    def by_n3stat(self, n3stat, root):
        text = subprocess.run([n3stat, "bottleneck", "-r", root, self.cpu], check=True,
                              capture_output=True, text=True).stdout
        found = {}
        for line in text.splitlines():
            key, *words = line.split()
            if key in ("area", "cause", "part"):
                assert float(words[2]) <= 1, line
            if key == "area":
                area, share = words[0], float(words[1])
                found[area] = ("spread", share, share)
            elif key == "cause":
                found[area] = (words[0], share, float(words[1]))
            elif key == "below":
                found[area] = ("unknown", share, share)
        return {(area, cause): shares for area, (cause, *shares) in found.items()}


def random_parts(rng, is_coarse):
    """{metric: percentage}: of one below each metric often most, and of some none"""
    below = {}
    for node, parts in TREE.items():
        leader = rng.choice(parts) if parts and rng.randrange(4) else None
        for part in parts if rng.randrange(12) else ():
            least, most = (3, 4) if part == leader else (0, 2)
            if part != leader and not rng.randrange(6):
                continue
            below[part] = Fraction(25 * rng.randint(least, most)) if is_coarse else \
                Fraction(rng.randint(least * 10 ** 6, most * 10 ** 6), 4 * 10 ** 4)
    return below


def random_case(rng, nr):
    """Of both kinds, in turn"""
    is_coarse = nr % 2
    whole = 100 if is_coarse else 10 ** 6
    cuts = sorted(rng.randrange(whole // rng.randint(1, 3)) for _ in range(3))
    shares = [Fraction(100 * (after - before), whole)
              for before, after in zip([0, *cuts], [*cuts, whole])]
    rng.shuffle(shares)
    flush = rng.randrange(10) if rng.randrange(4) == 0 else 0
    shares[0] -= flush
    shares[2] += flush
    return Case(nr, shares, random_parts(rng, is_coarse), flush)


def near(have, wanted):
    return have.keys() == wanted.keys() and all(
        abs(float(one) - 100 * other) < 1e-3
        for key, shares in wanted.items() for one, other in zip(have[key], shares))


def expected_of(case, answer):
    """Series of a machine, with their values"""
    for name, number in ("bottleneck", len({area for area, _ in answer})), ("cause", len(answer)):
        series = f'instance:n3_telemetry_{name}:ratio_rate5m{{instance="{case.instance}"'
        yield f"count({series}}})", END, number or None
        for (area, cause), shares in answer.items():
            of = f', metric="{area}"' if name == "bottleneck" else \
                f', area="{area}", metric="{cause}"'
            value = float(shares[name == "cause"])
            yield f"sum(abs({series}{of}}} - {value!r}) < bool 1e-12)", END, 1


def check_rules(programs, rules, cases):
    inputs, expected, counts = {}, [], collections.Counter()
    for case in cases:
        answer = case.exact()
        inputs.update(case.series())
        expected += expected_of(case, answer)
        counts.update(area for area, _ in answer)
    expected += [(f'sum(fleet:n3_telemetry_bottleneck:count{{metric="{area}"}})', END, count)
                 for area, count in counts.items()]
    promtool(programs, rules, inputs, STEP, expected)


def main(programs, n3stat, rules):
    rng = random.Random(7)
    cases = [Case(nr, shares, below) for nr, (shares, below, _) in enumerate(LIMITS)]
    for case, (_, _, wanted) in zip(cases, LIMITS):
        assert case.exact().keys() == set(wanted.items()), (case.percent, case.exact())
    cases += [random_case(rng, nr) for nr in range(len(cases), len(cases) + NR)]
    kinds = {(len(case.exact()), cause) for case in cases for _, cause in case.exact()}
    # nearly all of 21 causes
    assert {nr for nr, _ in kinds} == {1, 2, 3} and len({cause for _, cause in kinds}) > 18, kinds
    with tempfile.TemporaryDirectory() as root:
        make_tree.main([root, "--cpus", "1", "--no-totals"])
        for case in cases:
            case.write(rng, root)
        for case in cases:
            found = case.by_n3stat(n3stat, root)
            assert near(found, case.exact()), (case.percent, found, case.exact())
    # promtool limits the samples of a query
    for nr in range(0, len(cases), 40):
        check_rules(programs, rules, cases[nr:nr + 40])


if __name__ == "__main__":
    main(*sys.argv[1:])

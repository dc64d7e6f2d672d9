# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Made-up machines of a fleet, and the values of the recording rules in exact fractions.

The values follow from n3-exporter's output and the specification's tables
(selftests/spec), not from the expressions of the rules.
"""
import collections
import os
import re
import subprocess
from fractions import Fraction

from series import SPEC, parse, write

WINDOW = 300
TOPDOWN = ("slots", "stall_slots", "frontend_stall_slots", "backend_stall_slots",
           "frontend_flush_slots", "ops_retired", "ops_speculated")
STATES = ("sampled", "dropped", "yielded", "off")
SPEC_SLOTS = 5


def read_formulas():
    with open(os.path.join(SPEC, "metrics.tsv"), encoding="ascii") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    return {row[0]: row[2] for row in rows}


FORMULAS = read_formulas()
L1 = [metric for metric, formula in FORMULAS.items() if "STALL_SLOT" in formula]


class Machine:
    """Its files, which counted() and set() change, and what n3-exporter makes of them."""

    def __init__(self, root, instance, job="n3", per="system", simulated=0):
        self.root, self.labels, self.per = root, {"instance": instance, "job": job}, per
        self.files = {"spec": f"simulated {simulated}\ncore N3\n", "distrust": "none\n",
                      "status": "state sampling\nswitch direct\ncost 10\nversion 0.2\n",
                      "cpu0/status": "state sampling\nbudget 6\n"}
        self.totals = collections.defaultdict(int)
        self.set("system/topdown_l1", "retiring 20.0000\n")

    def set(self, name, text):
        self.files[name] = text

    def counted(self, totals, place="system", file="topdown_l1"):
        for key, value in totals.items():
            self.totals[place, file, key] += value

    def reload(self):
        for key in self.totals:
            self.totals[key] = 0

    def update(self):
        texts = collections.defaultdict(str)
        for (place, file, key), value in self.totals.items():
            texts[f"{place}/counters/{file}"] += f"{key} {value}\n"
        for name, text in {**self.files, **texts}.items():
            write(f"{self.root}/{name}.new", text)
            os.replace(f"{self.root}/{name}.new", f"{self.root}/{name}")

    def export(self, exporter):
        """Return: {(family, labels): value} of the output, with the labels of a target."""
        self.update()
        text = subprocess.run([exporter, "--source", self.root, "--once", "--per", self.per,
                               "--groups", "all"], check=True, capture_output=True,
                              text=True).stdout
        found = {}
        for series, value in parse(text).items():
            name, labels = re.fullmatch(r"n3_telemetry_(\w+)(?:\{(.*)\})?", series).groups()
            labels = dict(re.findall(r'(\w+)="([^"]*)"', labels or ""))
            found[name, frozenset({**labels, **self.labels}.items())] = value
        return found


def slots(width, cycles, retiring, backend=Fraction(1, 2), flush=0, wasted=0):
    """Totals of Topdown_L1: backend is a share of the stalls, wasted of the operations."""
    total = width * cycles
    stalls = total - round(total * retiring)
    of_backend = round(stalls * backend)
    return {"slots_total": total, "stall_slots_total": stalls,
            "frontend_stall_slots_total": stalls - of_backend,
            "backend_stall_slots_total": of_backend,
            "frontend_flush_slots_total": width * flush,
            "ops_retired_total": total - stalls - round((total - stalls) * wasted),
            "ops_speculated_total": total - stalls}


def rate(samples, end):
    """Prometheus's rate() over WINDOW; samples are (time, value). None without two."""
    samples = [(Fraction(at), value) for at, value in samples if end - WINDOW <= at <= end]
    if len(samples) < 2:
        return None
    increase = samples[-1][1] - samples[0][1]
    for (_, before), (_, after) in zip(samples, samples[1:]):
        increase += before if after < before else 0
    duration = samples[-1][0] - samples[0][0]
    mean = duration / (len(samples) - 1)
    before, after = samples[0][0] - (end - WINDOW), end - samples[-1][0]
    if increase > 0:  # a counter is not below 0
        before = min(before, duration * samples[0][1] / increase)
    extended = duration + sum(gap if gap < mean * 11 / 10 else mean / 2 for gap in (before, after))
    return increase * extended / duration / WINDOW


class Oracle:
    """Values of the rules at a time, of {(family, labels): [(time, value)]}."""

    def __init__(self, series, end):
        self.end = end
        self.gauges = collections.defaultdict(dict)
        self.rates = collections.defaultdict(dict)
        for (family, labels), samples in series.items():
            if family.endswith("_total"):
                value = rate(samples, end)
                if value is not None:
                    self.rates[family[:-len("_total")]][labels] = value
            elif samples and samples[-1][0] > end - WINDOW:
                self.gauges[family][labels] = samples[-1][1]
        self.simulated = {self.machine(labels) for labels in self.gauges["info"]
                          if dict(labels)["simulated"] != "0"}
        self.usable = {self.place(labels) for labels, value in self.gauges["trusted"].items()
                       if value == 1 and self.machine(labels) not in self.simulated}

    @staticmethod
    def machine(labels):
        labels = dict(labels)
        return labels["job"], labels["instance"]

    @staticmethod
    def place(labels):
        labels = dict(labels)
        return tuple(labels.get(name, "") for name in ("job", "instance", "cpu", "numa_node"))

    def level(self, level, place):
        """Labels of a place at a level."""
        job, instance = place[:2]
        return {"instance": (("instance", instance), ("job", job)), "job": (("job", job),),
                "fleet": ()}[level]

    def topdown(self, level):
        """{labels: {family: rate}}, of places that count them all"""
        complete = set(self.usable)
        for family in TOPDOWN:
            complete &= {self.place(labels) for labels in self.rates[family]}
        sums = collections.defaultdict(lambda: collections.defaultdict(Fraction))
        for family in TOPDOWN:
            for labels, value in self.rates[family].items():
                if self.place(labels) in complete:
                    sums[self.level(level, self.place(labels))][family] += value
        return sums

    @staticmethod
    def l1(metric, totals):
        cycles = totals["slots"] / SPEC_SLOTS
        events = {"STALL_SLOT": totals["stall_slots"], "CPU_CYCLES": cycles,
                  "STALL_SLOT_FRONTEND": totals["frontend_stall_slots"],
                  "STALL_SLOT_BACKEND": totals["backend_stall_slots"],
                  "STALL_FRONTEND_FLUSH": totals["frontend_flush_slots"] / SPEC_SLOTS,
                  "OP_RETIRED": totals["ops_retired"], "OP_SPEC": totals["ops_speculated"]}
        # pylint: disable-next=eval-used # a formula of the tables
        return eval(FORMULAS[metric], {}, events) / 100

    def rules(self):
        """{(record, labels): value}"""
        values = {}

        def add(record, labels, value, **more):
            values[record, frozenset([*labels, *more.items()])] = value

        for level in ("instance", "job", "fleet"):
            for labels, totals in self.topdown(level).items():
                for family in TOPDOWN:
                    add(f"{level}:n3_telemetry_{family}:rate5m", labels, totals[family])
                for metric in L1:
                    add(f"{level}:n3_telemetry_metric:ratio_rate5m", labels,
                        self.l1(metric, totals), metric=metric)
        return values

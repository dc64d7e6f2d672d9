# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Made-up machines of a fleet, and the values of the recording rules in exact fractions.

The values follow from n3-exporter's output and the specification's tables
(selftests/spec), not from the expressions of the rules.
"""
import collections
import itertools
import math
import os
import re
import subprocess
from fractions import Fraction

from series import FORMULAS, parse, write
import losses   # of selftests/user, in the path of series.py

WINDOW = 300
AGO = 30         # a level reads the level below as it was then
START = 330      # seconds after a load
TOPDOWN = ("slots", "stall_slots", "frontend_stall_slots", "backend_stall_slots",
           "frontend_flush_slots", "ops_retired", "ops_speculated")
STATES = ("sampled", "dropped", "yielded", "off")
SPEC_SLOTS = 5
# metrics of the decision tree, and those of a machine
TREE_METRICS = {metric for metric in losses.TREE if metric}
TREE = {metric: below for metric, below in losses.TREE.items() if metric}
REPLICATES = 8
LEVELS = ("instance", "job", "fleet")
MIN_SLICES = 4    # of a replicate, for an interval
# no two machines are loaded at the same time
STARTS = itertools.count(1)
# of the system, and of CPUs
STATUS = "budget 6\nwithdrawn {}\n"
L1 = [metric for metric, formula in FORMULAS.items() if "STALL_SLOT" in formula]


class Machine:
    """Its files, which counted() and set() change, and what n3-exporter makes of them."""

    def __init__(self, root, instance, job="n3", per="system", simulated=0):
        self.root, self.labels, self.per = root, {"instance": instance, "job": job}, per
        self.files = {"spec": f"simulated {simulated}\ncore N3\n", "distrust": "none\n",
                      "status": "state sampling\nswitch direct\ncost 10\nversion 0.2\n",
                      "system/status": STATUS.format(0), "cpu0/status": STATUS.format(0)}
        self.totals = collections.defaultdict(int)
        self.start_ns = next(STARTS)
        self.is_gone = False
        self.is_target = True

    def set(self, name, text):
        self.files[name] = text

    def counted(self, totals, place="system", file="topdown_l1"):
        for key, value in totals.items():
            self.totals[place, file, key] += value

    def reload(self, start=0):
        self.start_ns = start * 10 ** 9 + next(STARTS)
        for key in self.totals:
            self.totals[key] = 0

    def update(self):
        texts = collections.defaultdict(str)
        for (place, file, key), value in self.totals.items():
            texts[f"{place}/counters/{file}"] += f"{key} {value}\n"
        for place in {place for place, _, _ in self.totals} | {"system"}:
            texts[f"{place}/counters/time"] += f"start_unix_ns {self.start_ns}\n"
        for name, text in {**self.files, **texts}.items():
            write(f"{self.root}/{name}.new", text)
            os.replace(f"{self.root}/{name}.new", f"{self.root}/{name}")

    def replicated(self, nr, totals, slices):
        """The setting is 1, and a replicate has counted."""
        self.set("replicates", "1\n")
        self.counted({f"r{nr}_{key}": value
                      for key, value in {**totals, "slices_total": slices}.items()},
                     file="topdown_l1.replicates")

    def export(self, exporter):
        """Return: {(family, labels): value} of the output, with the labels of a target."""
        if not self.is_target:
            return {}
        self.update()
        source = f"{self.root}/nowhere" if self.is_gone else self.root
        text = subprocess.run([exporter, "--source", source, "--once", "--per", self.per,
                               "--groups", "all", "--errors"], check=not self.is_gone,
                              capture_output=True, text=True).stdout
        found = {}
        for series, value in parse(text).items():
            of_module = re.fullmatch(r"n3_telemetry_(\w+)(?:\{(.*)\})?", series)
            if not of_module:
                continue
            name, labels = of_module.groups()
            labels = dict(re.findall(r'(\w+)="([^"]*)"', labels or ""))
            found[name, frozenset({**labels, **self.labels}.items())] = value
        found["target_up", frozenset(self.labels.items())] = "1"
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


def quantile_of(values, quantile):
    """Of sorted values, between two of them by their distance"""
    at = quantile * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def rate(samples, end):
    """Prometheus's rate() over WINDOW; samples are (time, value). None without two."""
    samples = [(Fraction(at), value) for at, value in samples
               if end - WINDOW <= at <= end and value is not None]
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


def answer_of(values):
    """{(area, cause): their shares}, the largest area first, of {metric: value}"""
    found = {}
    for area in losses.find({metric: (100 * value, 0) for metric, value in values.items()})[0]:
        cause, share = "unknown" if area.word else "spread", area.share
        if area.causes and not area.spread:
            cause, share, _ = area.causes[0]
        found[area.metric, cause] = area.share / 100, share / 100
    return found


def answer_on_page(values):
    """In words of the page: areas of a machine and their causes"""
    shares, rests = Oracle.split(values)
    text = ""
    for (area, cause), (of_area, of_cause) in answer_of(values).items():
        text += f"{area} {float(100 * of_area):.0f} %"
        if cause in rests and cause != area:
            rest = "rest of " * (rests[cause] < shares[cause])
            text += f": {rest}{cause} {float(100 * of_cause):.0f} %"
        elif cause != area:
            text += f": {cause}"
    return text


class Moment:
    """What the rules compute from n3-exporter's series at a time.

    series: {(family, labels): [(time, value)]}. A gauge that is older than recent seconds is
    absent. The family target_up is Prometheus's up.
    """

    def __init__(self, series, end, recent):
        self.end = end
        self.gauges = collections.defaultdict(dict)
        self.rates = collections.defaultdict(dict)
        for (family, labels), samples in series.items():
            samples = [sample for sample in samples if sample[0] <= end]
            if family.endswith("_total"):
                value = rate(samples, end)
                if value is not None:
                    self.rates[family[:-len("_total")]][labels] = value
                family = family[:-len("_total")]
            if samples and samples[-1][0] > end - recent and samples[-1][1] is not None:
                self.gauges[family][labels] = samples[-1][1]
        real = {self.machine(labels) for labels in self.gauges["info"]
                if dict(labels)["simulated"] == "0"}
        self.started = {self.machine(labels) for labels, value
                        in self.gauges["start_time_seconds"].items()
                        if abs(end - value) < START}
        withdrew = {self.machine(labels) for labels, value in self.rates["withdrawals"].items()
                    if value > 0}
        self.trusted = {labels for labels, value in self.gauges["trusted"].items()
                        if value == 1 and self.machine(labels) in
                        real - withdrew - self.started}
        self.cpus = {self.place(labels)[:3] for labels in self.trusted}

    @staticmethod
    def machine(labels):
        labels = dict(labels)
        return labels["job"], labels["instance"]

    @staticmethod
    def place(labels):
        labels = dict(labels)
        return tuple(labels.get(name, "") for name in ("job", "instance", "cpu", "numa_node"))

    @staticmethod
    def level(level, place):
        """Labels of a place at a level."""
        job, instance = place[:2]
        return {"instance": (("instance", instance), ("job", job)), "job": (("job", job),),
                "fleet": ()}[level]

    def complete(self):
        """Usable places that count all of Topdown_L1."""
        places = [set(map(self.place, self.gauges[family])) for family in TOPDOWN]
        return {place for place in set.intersection(*places) if place[:3] in self.cpus}

    def topdown(self, level, replicate=None):
        """{labels: {family: rate}}"""
        complete = self.complete()
        sums = collections.defaultdict(lambda: collections.defaultdict(Fraction))
        for family in TOPDOWN + (("slices",) if replicate is not None else ()):
            for labels, value in self.rates[family].items():
                if self.place(labels) in complete and (
                        replicate is None or ("replicate", str(replicate)) in labels):
                    sums[self.level(level, self.place(labels))][family] += value
        return sums

    def others(self, level, family, label):
        """{labels: {value of the label: rate}}"""
        sums = collections.defaultdict(lambda: collections.defaultdict(Fraction))
        for labels, value in self.rates[family].items():
            if self.place(labels)[:3] in self.cpus:
                sums[self.level(level, self.place(labels))][dict(labels)[label]] += value
        return sums


class Oracle:
    """Values of the rules.

    ends: time of the last evaluation of each level, or one for all. read(time, level) is the time
    of the evaluation of a level that is read then.
    """

    def __init__(self, series, ends, recent=WINDOW, read=lambda time, _level: time - AGO):
        self.series, self.recent, self.read = series, recent, read
        self.ends = ends if isinstance(ends, dict) else dict.fromkeys(LEVELS, ends)
        self.moments = {}

    def at(self, end):
        if end not in self.moments:
            self.moments[end] = Moment(self.series, end, self.recent)
        return self.moments[end]

    def of_machines(self, level):
        """The moment whose values of machines the values of a level are made of."""
        end = self.ends[level]
        for below in reversed(LEVELS[:LEVELS.index(level)]):
            end = self.read(end, below)
        return self.at(end)

    def of_totals(self, level):
        """The same for metrics beyond Topdown_L1: jobs add up totals of machines."""
        end = self.ends[level]
        return self.at(self.read(end, "job") if level == "fleet" else end)

    @staticmethod
    def l1(metric, totals):
        """Return: None if it has no value."""
        cycles = totals["slots"] / SPEC_SLOTS
        events = {"STALL_SLOT": totals["stall_slots"], "CPU_CYCLES": cycles,
                  "STALL_SLOT_FRONTEND": totals["frontend_stall_slots"],
                  "STALL_SLOT_BACKEND": totals["backend_stall_slots"],
                  "STALL_FRONTEND_FLUSH": totals["frontend_flush_slots"] / SPEC_SLOTS,
                  "OP_RETIRED": totals["ops_retired"], "OP_SPEC": totals["ops_speculated"]}
        try:
            # pylint: disable-next=eval-used # a formula of the tables
            return eval(FORMULAS[metric], {}, events) / 100
        except ZeroDivisionError:
            return None

    def metrics(self, level):
        """{labels: {metric: value}}"""
        values = {labels: {metric: self.l1(metric, totals) for metric in L1}
                  for labels, totals in self.of_machines(level).topdown(level).items()}
        parts = [self.of_totals(level).others(level, f"metric_{part}", "metric")
                 for part in ("numerator", "denominator", "subtrahend")]
        for labels, denominators in parts[1].items():
            for metric, denominator in denominators.items():
                part = parts[0][labels][metric] - parts[2][labels][metric]
                if level != "instance" or metric in TREE_METRICS:
                    values.setdefault(labels, {})[metric] = \
                        part / denominator if denominator else None
            if values.get(labels, {}).get("ll_cache_read_miss_ratio") is not None:
                values[labels]["ll_cache_read_hit_ratio"] = \
                    1 - values[labels]["ll_cache_read_miss_ratio"]
        return {labels: {metric: value for metric, value in of_labels.items() if value is not None}
                for labels, of_labels in values.items()}

    @staticmethod
    def split(metrics):
        """Return: shares of all slots along the tree, and the losses."""
        percent = {metric: (100 * value, None) for metric, value in metrics.items()}
        return ({metric: share / 100 for metric, (share, _) in losses.shares_of(percent)},
                {metric: loss / 100 for metric, loss, _ in losses.losses_of(percent, 0)})

    def half_width(self, level, metric):
        """{labels: half width}, of sums of places with all replicates, and slices in each"""
        found, slices = collections.defaultdict(list), collections.defaultdict(list)
        covered = collections.Counter()
        for nr in range(REPLICATES):
            for labels, totals in self.of_machines(level).topdown(level, nr).items():
                found[labels].append(self.l1(metric, totals))
                slices[labels].append(totals["slices"] * WINDOW)
                covered[labels] += totals["slots"]
        for labels, totals in self.of_machines(level).topdown(level).items():
            values = found[labels]
            if totals["slots"] == covered[labels] and len(values) == REPLICATES and \
                    None not in values and min(slices[labels]) >= MIN_SLICES:
                mean = sum(values) / REPLICATES
                square = sum((value - mean) ** 2 for value in values) / REPLICATES
                yield labels, 0.894 * math.sqrt(square)

    def rules(self):
        """{(record, labels): value}"""
        values = {}

        def add(record, labels, value, **more):
            values[record, frozenset([*labels, *more.items()])] = value

        now = self.of_machines("instance")
        for labels in now.trusted:
            add("cpu:n3_telemetry_usable:bool", labels, 1)
        for place in now.complete():
            names = zip(("job", "instance", "cpu", "numa_node"), place)
            add("place:n3_telemetry_topdown_usable:bool", [item for item in names if item[1]], 1)
        for level in LEVELS:
            prefix, machines = level + ":n3_telemetry_", self.of_machines(level)
            for nr in range(REPLICATES):
                for labels, totals in machines.topdown(level, nr).items():
                    for family in TOPDOWN + ("slices",):
                        add(f"{level}_replicate:n3_telemetry_{family}:rate5m", labels,
                            totals[family], replicate=str(nr))
                    for metric in L1:
                        add(f"{level}_replicate:n3_telemetry_metric:ratio_rate5m", labels,
                            self.l1(metric, totals), metric=metric, replicate=str(nr))
            for labels, totals in machines.topdown(level).items():
                for family in TOPDOWN:
                    add(f"{prefix}{family}:rate5m", labels, totals[family])
            for part in ("numerator", "denominator", "subtrahend") if level != "instance" else ():
                for labels, rates in self.of_totals(level).others(
                        level, f"metric_{part}", "metric").items():
                    for metric, value in rates.items():
                        add(f"{prefix}metric_{part}:rate5m", labels, value, metric=metric)
            for labels, of_labels in self.metrics(level).items():
                for metric, value in of_labels.items():
                    add(prefix + "metric:ratio_rate5m", labels, value, metric=metric)
                shares, rests = self.split(of_labels)
                for metric, value in shares.items():
                    add(prefix + "share:ratio_rate5m", labels, value, metric=metric)
                for metric, value in rests.items():
                    add(prefix + "loss:ratio_rate5m", labels, value, metric=metric)
            for metric in L1:
                for labels, value in self.half_width(level, metric):
                    add(prefix + "metric:half_width_rate5m", labels, value, metric=metric)
            for labels, seconds in machines.others(level, "cpu_seconds", "state").items():
                for state, value in seconds.items():
                    add(prefix + "cpu_seconds:rate5m", labels, value, state=state)
                busy = sum(seconds.values()) - seconds["off"]
                if busy:
                    add(prefix + "coverage:ratio_rate5m", labels, seconds["sampled"] / busy)
        self.add_machines(add)
        return values

    def of_instances(self, end):
        """The values of all machines at another time"""
        return Oracle(self.series, end, self.recent, self.read)

    def add_machines(self, add):
        for labels, of_labels in self.metrics("instance").items():
            for (area, cause), (of_area, of_cause) in answer_of(of_labels).items():
                prefix = "instance:n3_telemetry_"
                add(prefix + "bottleneck:ratio_rate5m", labels, of_area, metric=area)
                add(prefix + "cause:ratio_rate5m", labels, of_cause, metric=cause, area=area)
        expected, missing, _ = self.counts(self.ends["instance"])
        for kind, machines in ("expected", expected), ("missing", missing):
            for place in machines:
                add(f"instance:n3_telemetry_{kind}:bool", Moment.level("instance", place), 1)
        for level in ("job", "fleet"):
            self.add_counts(add, level)
            end = self.read(self.ends[level], "instance")
            machines = self.of_instances(end).metrics("instance")
            shares = collections.defaultdict(list)
            for labels, of_labels in machines.items():
                place = Moment.level(level, (dict(labels)["job"], None))
                for metric, value in self.split(of_labels)[0].items():
                    if metric in L1:
                        shares[place, metric].append(value)
            for (labels, metric), values in shares.items():
                for quantile in "0.1", "0.5", "0.9":
                    add(f"{level}:n3_telemetry_share:quantile_rate5m", labels,
                        quantile_of(sorted(values), Fraction(quantile)), metric=metric,
                        quantile=quantile)

    def counts(self, end):
        """Return: the machines that are expected, missing and present at a time."""
        moment = self.at(end)
        targets = {Moment.machine(labels) for labels in moment.gauges["target_up"]
                   if ("n3_telemetry_expected", "no") not in labels}
        expected = targets & self.had_module(end)
        present = {Moment.machine(labels) for labels, totals
                   in moment.topdown("instance").items() if totals["slots"] > 0}
        return expected, expected - present - moment.started, expected & present

    def had_module(self, end):
        """Machines whose module was loaded and real at an evaluation until then"""
        kinds = collections.defaultdict(dict)
        for (family, labels), samples in self.series.items():
            if family in ("up", "info"):
                for at, value in samples:
                    if at <= end and value is not None:
                        kinds[Moment.machine(labels), at][family] = \
                            value if family == "up" else dict(labels)["simulated"]
        return {machine for (machine, _), kind in kinds.items()
                if kind.get("up") == 1 and kind.get("info") == "0"}

    def add_counts(self, add, level):
        end = self.ends[level]
        for below in reversed(LEVELS[:LEVELS.index(level)]):
            end = self.read(end, below)
        expected, missing, present = (
            collections.Counter(Moment.level(level, place) for place in machines)
            for machines in self.counts(end))
        for labels, count in expected.items():
            add(f"{level}:n3_telemetry_expected:count", labels, count)
            add(f"{level}:n3_telemetry_missing:count", labels, missing[labels])
            add(f"{level}:n3_telemetry_present:count", labels, present[labels])
            add(f"{level}:n3_telemetry_missing:ratio", labels, Fraction(missing[labels], count))
        areas = collections.Counter(
            (Moment.level(level, (dict(labels)["job"], None)), area)
            for labels, of_labels in self.of_instances(end).metrics("instance").items()
            for area, _ in answer_of(of_labels))
        for (labels, area), count in areas.items():
            add(f"{level}:n3_telemetry_bottleneck:count", labels, count, metric=area)

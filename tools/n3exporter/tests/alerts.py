#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""alerts.py PROGRAMS RULES [CASE...] - alerts about machines that are not counted, by promtool

Each case is a fleet with faults, and the alerts that fire at times; others must not fire then.
promtool evaluates groups in any order, so a time when machines change has no certain alerts.
"""
import itertools
import re
import sys

from fleet import TOPDOWN
from rules import promtool

STEP = 120
HOUR = 3600 // STEP
DAY = 24 * HOUR
# Unix times of loads before all samples, of no two machines the same
LOADED = itertools.count(-100000)
# of totals, in slots and operations
RATES = dict(zip(TOPDOWN, (1000, 600, 200, 400, 50, 300, 400)))


class Target:
    """Its series in promtool's notation; each call of a kind appends some steps."""

    def __init__(self, instance, job="n3", start=None, **labels):
        self.labels = {"instance": instance, "job": job, **labels}
        self.start = next(LOADED) if start is None else start
        self.at, self.samples = 0, {}

    def add(self, steps, series):
        """series: {(family, labels): (value, growth)}; all others end."""
        for key in series.keys() | self.samples.keys():
            text = self.samples.setdefault(key, f"_x{self.at} " if self.at else "")
            if key in series:
                value, growth = series[key]
                text += f"{value}{growth:+}x{steps - 1} "
            else:
                text += f"stale{f' _x{steps - 1}' if steps > 1 else ''} "
            self.samples[key] = text
        self.at += steps
        return self

    def absent(self, steps):
        return self.add(steps, {})

    def down(self, steps):
        return self.add(steps, {("target_up", ()): (0, 0)})

    def unloaded(self, steps):
        return self.add(steps, {("target_up", ()): (1, 0), ("up", ()): (0, 0)})

    def good(self, steps, simulated="0", trusted=1, growth=1, lacking=(), files=(), unreadable=0):
        series = {("target_up", ()): (1, 0), ("up", ()): (1, 0), ("trusted", ()): (trusted, 0),
                  ("start_time_seconds", ()): (self.start, 0),
                  ("files_unreadable", ()): (unreadable, 0),
                  **({("info", (("simulated", simulated),)): (1, 0)} if simulated else {})}
        for family, rate in RATES.items():
            if family not in lacking:
                since = self.at * STEP * rate
                series[f"{family}_total", ()] = (since, growth * STEP * rate)
        for name, modified in files:
            series["node_textfile_mtime_seconds", (("file", name),)] = modified
        return self.add(steps, series)

    def frozen(self, steps):
        return self.good(steps, growth=0)

    def untrusted(self, steps):
        return self.good(steps, trusted=0)

    def partial(self, steps):
        return self.good(steps, lacking=("ops_retired",))

    def simulated(self, steps):
        return self.good(steps, simulated="1")

    def reloaded(self, steps):
        self.start = self.at * STEP - 20 + next(LOADED) / 2 ** 20
        return self.good(steps)

    def series(self):
        for (family, labels), text in self.samples.items():
            yield (family, (*self.labels.items(), *labels)), text


FAULTS = ("down", "unloaded", "frozen", "untrusted", "partial", "simulated", "absent")


def firing(alert, **labels):
    """Number of alerts that fire, None if none"""
    labels = {"alertstate": "firing", "alertname": alert, **labels}
    chosen = ", ".join(f'{name}=~"{value}"' for name, value in labels.items())
    return f"count(ALERTS{{{chosen}}})"


def never(steps):
    """No alert fires until then."""
    return (f'count(count_over_time(ALERTS{{alertstate="firing"}}[{steps * STEP}s]))', steps, None)


def good_ones(number, steps, job="n3", **labels):
    return [Target(f"m{nr}{''.join(labels.values())}", job, **labels).good(steps)
            for nr in range(number)]


def case_healthy():  # nothing, at any time
    return good_ones(10, 3 * HOUR), [never(3 * HOUR)]


def case_replaced():  # 2 of 20 machines each hour, by others that were just loaded
    targets = good_ones(12, 6 * HOUR)
    for hour in range(4):
        for nr in range(2):
            old = Target(f"old{hour}-{nr}").good((hour + 1) * HOUR)
            targets.append(old.absent((5 - hour) * HOUR))
            new = Target(f"new{hour}-{nr}").absent((hour + 1) * HOUR)
            targets.append(new.reloaded((5 - hour) * HOUR))
    return targets, [never(6 * HOUR)]


def case_short_lived():  # machines that live for 40 minutes
    targets, life = [], 40 * 60 // STEP
    for nr in range(72):
        target = Target(f"m{nr}").absent(nr * life // 12 + 1).reloaded(life)
        targets.append(target.absent(7 * life - target.at))
    return targets, [never(6 * life)]


def case_rebooted():  # one machine after the other, each down for six minutes
    targets, down = [], 360 // STEP
    for nr in range(30):
        target = Target(f"m{nr}").good(HOUR + nr * down).down(down)
        targets.append(target.reloaded(6 * HOUR - target.at))
    return targets, [never(6 * HOUR)]


def case_textfile():  # all move from HTTP to the textfile, both for ten minutes
    targets, both = [], 600 // STEP
    for nr in range(20):
        http = Target(f"m{nr}:10303").good(3 * HOUR + both).absent(DAY)
        file = Target(f"m{nr}:9100", "node", http.start).absent(3 * HOUR)
        targets += [http, file]
        file.good(DAY + both, files=[
            ("/var/lib/prometheus/node-exporter/n3.prom", (3 * HOUR * STEP, STEP))])
    return targets, [never(3 * HOUR + DAY)]


def case_outage():  # one of 21 is down for 72 hours, and is listed until it is back
    steps = 72 * HOUR
    targets = good_ones(20, steps + 3 * HOUR)
    targets.append(Target("down").good(HOUR).down(steps).good(2 * HOUR))
    one = firing("N3TelemetryMachineMissing", instance="down")
    expected = [(firing(".*"), HOUR - 1, None), (firing(".*"), steps + 2 * HOUR, None)]
    for at in HOUR + HOUR // 2, DAY, 26 * HOUR, 2 * DAY, steps:
        expected += [(one, at, 1), (firing(".*"), at, 1),
                     ('count(instance:n3_telemetry_missing:bool{instance="down"})', at, 1),
                     ("sum(fleet:n3_telemetry_expected:count)", at, 21)]
    return targets, expected


def case_single():  # each fault of one of 30 machines
    targets, expected = [], []
    for fault in FAULTS:
        targets += good_ones(29, 5 * HOUR, fault)
        last = Target("last", fault).good(HOUR)
        targets.append(getattr(last, fault)(2 * HOUR).good(2 * HOUR))
        for at, fires in (HOUR + 3, False), (2 * HOUR, True), (3 * HOUR - 3, True), \
                (4 * HOUR, False):
            one = firing("N3TelemetryMachineMissing", job=fault)
            expected += [(one, at, 1 if fires and fault != "absent" else None),
                         (firing("N3Telemetry(Job|Fleet).*"), at, None)]
    expected += [(firing("N3TelemetryWithdrawn"), 2 * HOUR, 1),
                 (firing(".*"), 2 * HOUR, len(FAULTS)),
                 (firing(".*"), 5 * HOUR - 1, None)]
    return targets, expected


def case_never_right():  # faults from the first scrape on; without the module, none is expected
    targets = good_ones(100, 3 * HOUR)
    targets += [getattr(Target(fault), fault)(3 * HOUR) for fault in FAULTS]
    # not counted from the first scrape on
    missing = ("frozen", "untrusted", "partial")
    return targets, [(firing("N3TelemetryMachineMissing"), 2 * HOUR, len(missing)),
                     (firing("N3TelemetryMachineMissing", instance="|".join(missing)), 2 * HOUR,
                      len(missing)), (firing(".*Missing"), 2 * HOUR, len(missing)),
                     ("sum(fleet:n3_telemetry_expected:count)", 2 * HOUR, 100 + len(missing))]


def case_all():  # a fault of all machines of a job, and of a fleet
    for fault in FAULTS[:-2]:
        targets = [getattr(Target(f"m{nr}", fault).good(HOUR), fault)(2 * HOUR) for nr in range(3)]
        at = 2 * HOUR
        yield targets, [(firing("N3TelemetryMachineMissing"), at, 3),
                        (firing("N3TelemetryJobMissing", job=fault), at, 1),
                        (firing("N3TelemetryFleetMissing"), at, 1),
                        ("sum(fleet:n3_telemetry_missing:ratio)", at, 1),
                        ("sum(fleet:n3_telemetry_present:count)", at, 0)]


def case_many():  # 5 % of a fleet, of one of its jobs
    targets = good_ones(40, 3 * HOUR, "large") + good_ones(17, 3 * HOUR, "small")
    targets += [Target(f"down{nr}", "small").good(HOUR).down(2 * HOUR) for nr in range(3)]
    at = 2 * HOUR
    return targets, [(firing("N3TelemetryMachineMissing"), at, 3),
                     (firing("N3TelemetryJobMissing"), at, 1),
                     (firing("N3TelemetryJobMissing", job="small"), at, 1),
                     (firing("N3TelemetryFleetMissing"), at, 1)]


def case_removed():  # the module is removed on purpose
    targets = good_ones(5, 3 * HOUR)
    targets += [getattr(Target(fault, n3_telemetry_expected="no").good(HOUR), fault)(2 * HOUR)
                for fault in FAULTS if fault != "untrusted"]
    return targets, [never(3 * HOUR)]


def case_twice():  # a machine that is scraped over HTTP, too
    targets = [Target(f"m{nr}:10303", start=nr / 1024 - 10 ** 5).good(3 * HOUR) for nr in range(5)]
    second = Target("m3:9100", "node", targets[3].start).absent(HOUR)
    targets.append(second.good(HOUR).absent(HOUR))
    # a simulated fleet may be made of copies
    targets += [Target(f"copy{nr}", start=-9).simulated(3 * HOUR) for nr in range(2)]
    twice = firing("N3TelemetryScrapedTwice")
    return targets, [(twice, HOUR, None), (twice, 2 * HOUR - 1, 1), (firing(".*"), 2 * HOUR - 1, 1),
                     (firing(".*"), 3 * HOUR - 1, None)]


def case_old_textfile():  # a textfile that is not written any more
    name = "/var/lib/prometheus/node-exporter/n3.prom"
    targets = good_ones(30, 3 * HOUR, "node")
    old = Target("old", "node").good(HOUR, files=[(name, (0, STEP))])
    targets.append(old.good(2 * HOUR, growth=0, files=[
        (name, (HOUR * STEP, 0)), ("/tmp/other.prom", (0, 0))]))
    purpose = Target("removed", "node", n3_telemetry_expected="no")
    targets.append(purpose.good(3 * HOUR, files=[(name, (0, 0))]))
    at = 2 * HOUR
    return targets, [(firing("N3TelemetryTextfileOld"), HOUR, None),
                     (firing("N3TelemetryTextfileOld", instance="old"), at, 1),
                     (firing("N3TelemetryMachineMissing", instance="old"), at, 1),
                     (firing(".*"), at, 2)]


def case_zones():  # a label of targets: the job is all of them
    targets = good_ones(10, 3 * HOUR, zone="a") + good_ones(29, 3 * HOUR, zone="b")
    targets.append(Target("down", zone="a").good(HOUR).down(2 * HOUR))
    at = 2 * HOUR
    # one of 11 in its zone, and of 40
    return targets, [(firing("N3TelemetryMachineMissing", instance="down", zone="a"), at, 1),
                     (firing(".*"), at, 1)]


def case_unreadable():  # a file of the module
    targets = good_ones(30, 3 * HOUR)
    targets.append(Target("one").good(HOUR).good(2 * HOUR, unreadable=1))
    at = 2 * HOUR
    return targets, [(firing("N3TelemetryFilesUnreadable"), HOUR, None),
                     (firing("N3TelemetryFilesUnreadable", instance="one"), at, 1),
                     (firing(".*"), at, 1)]


def case_unknown_kind():  # simulated counts that do not say so, for a time
    targets = good_ones(30, 3 * HOUR)
    one = Target("simulated").simulated(HOUR)
    targets.append(one.good(HOUR, simulated=None).simulated(HOUR))
    return targets, [never(3 * HOUR),
                     ("sum(instance:n3_telemetry_slots:rate5m{instance='simulated'})",
                      3 * HOUR // 2, None)]


def case_restarts():  # a module that is loaded every ten minutes
    targets = good_ones(30, 3 * HOUR)
    again = Target("again").good(HOUR)
    for _ in range(12):
        again.reloaded(600 // STEP)
    targets.append(again)
    return targets, [(firing("N3TelemetryMachineRestarts"), HOUR, None),
                     (firing("N3TelemetryMachineRestarts", instance="again"), 2 * HOUR, 1),
                     (firing(".*"), 2 * HOUR, 1)]


def check(programs, rules, targets, expected):
    inputs = {key: text for target in targets for key, text in target.series()}
    # an evaluation precedes the question
    promtool(programs, rules, inputs, STEP, [(expr, at * STEP, value) for expr, at, value
                                             in expected], 2 * STEP)


def main(programs, rules, *chosen):
    names = re.findall(r"^def case_(\w+)", open(__file__, encoding="ascii").read(), re.M)
    for name in chosen or names:
        made = globals()[f"case_{name}"]()
        for targets, expected in [made] if isinstance(made, tuple) else made:
            check(programs, rules, targets, expected)
        print(name)


if __name__ == "__main__":
    main(*sys.argv[1:])

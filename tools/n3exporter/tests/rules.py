#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Rules for Prometheus: computed by Debian's promtool and Prometheus, and in exact fractions.

rules.py TEST PROGRAMS EXPORTER RULES

PROGRAMS is the directory that prometheus.sh prints, RULES that of the generated files.
"""
import contextlib
import glob
import html
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from fractions import Fraction

from fleet import (AGO, L1, REPLICATES, STATES, STATUS, TREE_METRICS, Machine, Oracle,
                   answer_on_page, slots)
from http_clients import PATIENCE, server, wait_until
from prometheus import fetch, free_port, prometheus, query, running
from series import GROUPS, plain_names

STEP = 60
STEPS = 8
# the first samples; machines were loaded at 0
BEGIN = 600
# between two samples, with a window of them for each level
END = BEGIN + STEP * (STEPS - 1) + 30
LARGE = 10 ** 12


def selector(record, labels):
    names = ("job", "instance", "cpu", "numa_node", "metric", "replicate", "state", "area",
             "quantile")
    return f"{record}{{" + ", ".join(f'{name}="{dict(labels).get(name, "")}"'
                                     for name in names) + "}"


def number(value):
    """of a sample, exact if it is a total"""
    if value is None:
        return "stale"
    return str(value) if value.denominator == 1 else repr(float(value))


def promtool(programs, rules, inputs, interval, expected, evaluated=30):
    """Evaluates the rules with promtool.

    inputs: {(family, labels): its values in promtool's notation}
    expected: (expression, seconds, value or None) each
    """
    names = {"target_up": "up", **{name: name for name in ("node_textfile_mtime_seconds",
                                                           "kube_pod_info")}}
    inputs = [{"series": names.get(family, f"n3_telemetry_{family}") + "{" +
               ",".join(f'{name}="{value}"' for name, value in labels) + "}", "values": values}
              for (family, labels), values in inputs.items()]
    results = [{"expr": expr, "eval_time": f"{at}s",
                "exp_samples": [{"labels": "{}", "value": value}] if value is not None else []}
               for expr, at, value in expected]
    test = {"interval": f"{interval}s", "input_series": inputs, "promql_expr_test": results}
    with tempfile.TemporaryDirectory() as directory:
        with open(f"{directory}/test.yml", "w", encoding="ascii") as out:
            # JSON is YAML, too
            json.dump({"rule_files": [f"{rules}/rules.yml", f"{rules}/alerts.yml"], "tests": [test],
                       "evaluation_interval": f"{evaluated}s"}, out)
        done = subprocess.run([f"{programs}/promtool", "test", "rules", out.name], check=False,
                              capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[:4000] + done.stderr[:4000]


def compare(programs, rules, series, values, others=()):
    """Compares values {(record, labels): value} of rules, and of others, with promtool's."""
    inputs = {}
    for key, samples in series.items():
        at = dict(samples)
        inputs[key] = f"_x{BEGIN // STEP} " + " ".join(
            number(at[BEGIN + step * STEP]) if BEGIN + step * STEP in at else "_"
            for step in range(STEPS))
    expected = [(f"count({name})", END, sum(name == other for other, _ in values))
                for name in sorted({name for name, _ in values})]
    for expr, value in [(selector(*rule), value) for rule, value in values.items()] + [*others]:
        allowed = max(abs(float(value)), 1e-3) * 1e-9
        expected.append((f"sum(abs({expr} - {float(value)!r}) <= bool {allowed!r})", END, 1))
    promtool(programs, rules, inputs, STEP, expected)


def record(machines, exporter, count):
    """Series of STEPS outputs; count(step) adds to the machines' totals after each.

    A value is None where a series ends.
    """
    series = {}
    for step in range(STEPS):
        at = BEGIN + step * STEP
        for machine in machines:
            for key, value in machine.export(exporter).items():
                if not key[0].endswith("duration_seconds"):
                    series.setdefault(key, []).append((at, Fraction(value)))
        for samples in series.values():
            if samples[-1][0] < at and samples[-1][1] is not None:
                samples.append((at, None))
        count(step)
    return series


def test_check(programs, _exporter, rules):  # promtool check rules
    # a configuration may take them as *.yml
    for name in glob.glob(f"{rules}/*.yml"):
        done = subprocess.run([f"{programs}/promtool", "check", "rules", name],
                              check=False, capture_output=True, text=True)
        assert done.returncode == 0 and "SUCCESS" in done.stdout, done


def value_of(values, record_name, **labels):
    return values[record_name, frozenset(labels.items())]


def two_machines(exporter, loads):
    """Return: series of machines a and b that count a load in each step."""
    with tempfile.TemporaryDirectory() as root:
        machines = [Machine(f"{root}/{name}", name) for name in ("a", "b")]

        def count(_step):
            for machine, load in zip(machines, loads):
                machine.counted(load)

        count(0)
        return record(machines, exporter, count)


RATIO = "n3_telemetry_metric:ratio_rate5m"


def test_ratio(programs, exporter, rules):  # the ratio of sums, not the mean of ratios
    series = two_machines(exporter, [slots(5, 9 * LARGE, Fraction("0.2"), Fraction("0.7")),
                                     slots(5, LARGE, Fraction("0.6"), Fraction("0.7"))])
    values = Oracle(series, END).rules()
    assert value_of(values, f"fleet:{RATIO}", metric="retiring") == Fraction("0.24")
    ratios = [value_of(values, f"instance:{RATIO}", metric="retiring", instance=instance, job="n3")
              for instance in "ab"]
    assert sum(ratios) / 2 == Fraction("0.4")
    compare(programs, rules, series, values,
            [(f'avg(instance:{RATIO}{{metric="retiring"}})', Fraction("0.4"))])


def fleet(root):
    """Machines of all kinds, and a function that counts a step of theirs."""
    jobs = {"web": ("narrow", "wide", "rare", "busy"), "all": ("sure", "certain"),
            "db": ("reloaded", "older", "untrusted", "withdrew", "partial", "simulated", "gone")}
    named = {name: Machine(f"{root}/{name}", name, job, simulated=int(name == "simulated"))
          for job, names in jobs.items() for name in names}
    named["untrusted"].set("system/status", STATUS.format(4))
    # before the window
    named["busy"].set("system/status", STATUS.format(0) + "withdrawals 5\n")
    named["gone"].is_gone = True
    cpus = Machine(f"{root}/cpus", "cpus", "web", per="cpu")
    cpus.set("system/status", STATUS.format(1))
    for cpu in range(4):
        cpus.set(f"cpu{cpu}/status", STATUS.format(int(cpu == 2)))
    nodes = Machine(f"{root}/nodes", "nodes", "web", per="numa_node")
    share, rng = Fraction, random.Random(1)

    def count(step):
        for name in ("narrow", "wide", "reloaded", "untrusted", "withdrew", "simulated", "busy"):
            count_metrics(rng, named[name])
            count_time(rng, named[name])
        named["narrow"].counted(slots(5, 7 * LARGE + step, share("0.31"), share("0.2"), LARGE // 7))
        named["wide"].counted(slots(10, LARGE, share("0.62"), share("0.9"), LARGE // 99,
                                    share("0.3")))
        named["busy"].counted(slots(5, LARGE, share("0.75")))
        for name in jobs["all"]:
            count_replicates(rng, named[name])
        # the last replicate has a slice in every other step
        count_replicates(rng, named["rare"], step % 2)
        if step == 2:
            named["reloaded"].reload(BEGIN + 2 * STEP + 1)
        if step == 1:
            named["older"].reload(BEGIN + STEP)
        for name in "reloaded", "older":
            named[name].counted(slots(8, (step + 1) * LARGE, share(step + 2, 10), share("0.6"),
                                      LARGE // 33, share("0.1")))
        # 1 was written to enable at once
        named["withdrew"].set("system/status", STATUS.format(0) + f"withdrawals {5 + step // 3}\n")
        for name in ("untrusted", "withdrew", "simulated"):
            named[name].counted(slots(5, 999 * LARGE, share("0.99")))
        named["partial"].counted({key: value for key, value in slots(5, LARGE, share("0.9")).items()
                               if key != "ops_speculated_total"})
        for node in range(2):
            nodes.counted(slots(5, LARGE, share(node + 1, 5), share("0.6")), f"node{node}")
            count_time(rng, nodes, f"node{node}")
        for cpu in range(4):
            load = slots(5, (1 + cpu) * LARGE, share(cpu + 1, 5), share("0.7"), LARGE // 50)
            if cpu == 3:
                del load["stall_slots_total"]
            cpus.counted(load, f"cpu{cpu}")
            count_metrics(rng, cpus, f"cpu{cpu}")
            count_time(rng, cpus, f"cpu{cpu}")

    count(0)
    return [*named.values(), cpus, nodes], count


def count_replicates(rng, machine, slices=9):
    for nr in range(REPLICATES):
        load = slots(5, LARGE + rng.randrange(LARGE // 9), Fraction(20 + rng.randrange(5), 100),
                     Fraction(rng.randrange(50), 50))
        machine.replicated(nr, load, slices if nr == REPLICATES - 1 else 9)


def count_metrics(rng, machine, place="system"):
    """All groups; the same event in two groups has the same totals."""
    for group, metrics in GROUPS.items():
        for metric in metrics:
            if metric in L1 or metric == "ll_cache_read_hit_ratio":
                continue
            denominator = rng.randrange(LARGE) + LARGE
            totals = {"numerator": denominator * rng.randrange(1000) // 2500,
                      "denominator": denominator}
            if metric == "integer_dp_percentage":
                totals["subtrahend"] = totals["numerator"] // 7
            machine.counted({f"{metric}_{part}_total": value for part, value in totals.items()},
                            place, group)


def count_time(rng, machine, place="system"):
    machine.counted({f"{state}_ns": rng.randrange(10 ** 10) for state in STATES}, place, "time")


def test_fleet(programs, exporter, rules):  # widths, CPUs, a reload, untrusted, simulated ones
    with tempfile.TemporaryDirectory() as root:
        machines, count = fleet(root)
        series = record(machines, exporter, count)
    values = Oracle(series, END).rules()
    name = "instance:n3_telemetry_slots:rate5m"
    assert {dict(labels)["instance"] for record_name, labels in values if record_name == name} == \
        {"narrow", "wide", "older", "cpus", "nodes", "sure", "certain", "rare", "busy"}
    # of all machines in the sum, or none
    widths = {level: f"{level}:n3_telemetry_metric:half_width_rate5m"
              for level in ("instance", "job", "fleet")}
    for level, wanted in ("instance", {"sure", "certain"}), ("job", {"all"}), ("fleet", set()):
        assert {dict(labels)[level] for record_name, labels in values
                if record_name == widths[level]} == wanted, level
    # all but those that are simulated or never had the module
    assert value_of(values, "fleet:n3_telemetry_expected:count") == 13
    assert len(L1) == 4
    ratios = {dict(labels)["metric"] for record_name, labels in values
              if record_name == "fleet:n3_telemetry_metric:ratio_rate5m"}
    names = plain_names()
    assert ratios == {names[metric] for metrics in GROUPS.values() for metric in metrics} >= \
        set(names.values())
    # the machine's has those of the tree only
    name = "instance:n3_telemetry_metric:ratio_rate5m"
    assert {dict(labels)["metric"] for record_name, labels in values if record_name == name} == \
        TREE_METRICS
    with open(f"{rules}/rules.yml", encoding="ascii") as text:
        assert set(re.findall(r"record: (\S+)", text.read())) == \
            {name for name, _ in values} | {widths["fleet"], f"container:{RATIO}"}
    compare(programs, rules, series, values)


def number_of(values, instance):
    """Series of a machine with one area: each further one has two."""
    names = [name for name, labels in values if ("instance", instance) in labels]
    return len(names) + 2 - 2 * names.count("instance:n3_telemetry_bottleneck:ratio_rate5m")


def test_replicates(programs, exporter, rules):  # half widths of the fleet: of all machines or none
    rng = random.Random(3)
    for has_all in True, False:
        with tempfile.TemporaryDirectory() as root:
            machines = [Machine(f"{root}/{name}", name) for name in ("a", "b")]

            def count(_step):
                for machine in machines:
                    count_time(rng, machine)
                count_replicates(rng, machines[0])
                if has_all:
                    count_replicates(rng, machines[1])
                else:
                    machines[1].counted(slots(5, LARGE, Fraction("0.6"), Fraction("0.7")))

            count(0)
            series = record(machines, exporter, count)
        values = Oracle(series, END).rules()
        name = "fleet:n3_telemetry_metric:half_width_rate5m"
        assert sum(name == other for other, _ in values) == (len(L1) if has_all else 0)
        # numbers of fleet.rst
        assert number_of(values, "a") == 28 + 100
        assert number_of(values, "b") == (28 + 100 if has_all else 28)
        compare(programs, rules, series, values,
                [('count({__name__=~"[a-z_]+:n3_telemetry_.*", instance="a"}) + 2 - 2 * '
                  'count(instance:n3_telemetry_bottleneck:ratio_rate5m{instance="a"})', 28 + 100),
                 (f"(count({name}) or vector(0))", len(L1) if has_all else 0)])


def test_missing(programs, exporter, rules):  # machines that are simulated, gone or still
    with tempfile.TemporaryDirectory() as root:
        # at the first output and later; only "real" is in the sums at the end
        kinds = {"real": (1, 0), "gone": (1, 0), "left": (1, 0), "removed": (1, 0),
                 "simulated": (1, 1), "was": (0, 1), "still": (0, 0)}
        machines = {name: Machine(f"{root}/{name}", name, simulated=first)
                    for name, (first, _) in kinds.items()}
        machines["removed"].labels["n3_telemetry_expected"] = "no"

        def count(step):
            for name, machine in machines.items():
                if step == 0:
                    machine.set("spec", f"simulated {kinds[name][1]}\ncore N3\n")
                if name != "still" or step < 0:
                    machine.counted(slots(5, LARGE, Fraction("0.6"), Fraction("0.7")))
            for name in "gone", "removed":
                machines[name].is_gone = step >= STEPS - 3
            machines["left"].is_target = step < STEPS - 3

        count(-1)
        series = record([*machines.values()], exporter, count)
    values = Oracle(series, END).rules()
    assert {dict(labels)["instance"] for name, labels in values
            if name == "instance:n3_telemetry_missing:bool"} == {"gone", "was", "still"}
    counts = [value_of(values, f"fleet:n3_telemetry_{name}")
              for name in ("expected:count", "present:count", "missing:ratio")]
    assert counts == [4, 1, Fraction(3, 4)]
    compare(programs, rules, series, values)


def test_labels(programs, exporter, rules):  # other labels stay in jobs, and the fleet is one
    series = two_machines(exporter, [slots(5, 9 * LARGE, Fraction("0.2"), Fraction("0.7")),
                                     slots(5, LARGE, Fraction("0.6"), Fraction("0.7"))])
    series = {(family, labels | {("zone", dict(labels)["instance"].upper())}): samples
              for (family, labels), samples in series.items()}
    compare(programs, rules, series, {}, [
        (f'fleet:{RATIO}{{metric="retiring"}}', Fraction("0.24")),
        ('count({__name__=~"fleet:.*:ratio_rate5m", metric="retiring"})', 2),
        (f'job:{RATIO}{{metric="retiring", zone="A"}}', Fraction("0.2")),
        (f'job:{RATIO}{{metric="retiring", zone="B"}}', Fraction("0.6")),
        ("fleet:n3_telemetry_expected:count", 2), ("fleet:n3_telemetry_present:count", 2),
        ('count({__name__=~"job:.*:ratio_rate5m", metric="retiring"})', 4),
        ('(count({__name__=~"fleet:.*:ratio_rate5m", zone!=""}) or vector(0))', 0)])


GUIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                     "../../../Documentation/admin-guide/fleet.rst")
UID = "01234567-89ab-cdef-0123-456789abcde"
# names of systemd and of kubelet, and a static pod
PODS = [f"/kubepods.slice/kubepods-pod{UID.replace('-', '_')}0.slice/crio-{'c0ffee00' * 8}.scope",
        f"/kubepods/burstable/pod{UID}1/{'c0ffee00' * 8}",
        f"/kubepods/burstable/pod{UID.replace('-', '')}2/{'c0ffee00' * 8}"]


def test_containers(programs, _exporter, rules):  # shares of containers with 400 pieces
    # instance: trusted, simulated, withdrawals a step, loaded at, pieces a step
    machines = {"good": (1, 0, 0, 0, 80), "cpus": (1, 0, 0, 0, 80),
                "few": (1, 0, 0, 0, 79), "simulated": (1, 1, 0, 0, 80),
                "untrusted": (0, 0, 0, 0, 80), "withdrew": (1, 0, 1, 0, 80),
                "loaded": (1, 0, 0, END - 300, 80)}
    loads = {PODS[0]: slots(5, LARGE, Fraction("0.3"), Fraction("0.7"), LARGE // 50,
                            Fraction("0.2")),
             PODS[1]: slots(5, 9 * LARGE, Fraction("0.6"), Fraction("0.1")),
             PODS[2]: slots(5, 2 * LARGE, Fraction("0.5")),
             "/idle": dict.fromkeys(slots(5, 1, Fraction(1)), 0)}
    inputs, expected = {}, []

    def add(family, instance, value, growth=0, **labels):
        # counters are large, so that no rate is cut at 0
        inputs[family, (("job", "n3"), ("instance", instance), *labels.items())] = \
            f"{value}{growth:+}x{END // STEP + 1}"

    for instance, (trusted, simulated, withdrawals, start, pieces) in machines.items():
        add("trusted", instance, trusted, **({"cpu": "0"} if instance == "cpus" else {}))
        add("info", instance, 1, simulated=simulated)
        add("withdrawals_total", instance, 10 ** 4, withdrawals)
        add("start_time_seconds", instance, start)
        for cgroup, load in loads.items():
            add("cgroup_sampled_pieces_total", instance, 10 ** 4, pieces, cgroup=cgroup)
            for key, value in load.items():
                add("cgroup_sampled_events_total", instance, 100 * LARGE, value, cgroup=cgroup,
                    event=key.removesuffix("_total"))
    # one of its CPUs is not trusted
    add("trusted", "cpus", 0, cpu="1")
    for cgroup, load in loads.items():
        totals = {key.removesuffix("_total"): Fraction(value) for key, value in load.items()}
        for metric in L1:
            value = Oracle.l1(metric, totals)
            labels = f'job="n3", instance="good", cgroup="{cgroup}", metric="{metric}"'
            rule = f"container:{RATIO}{{{labels}}}"
            expected.append((f"sum(abs({rule} - {float(value)!r}) < bool 1e-9)", END, 1)
                            if value is not None else (rule, END, None))
    expected.append((f"count(container:{RATIO})", END, 3 * len(L1)))
    with open(GUIDE, encoding="ascii") as text:
        example = re.search(r"\n\tlabel_replace\(\n(\t.*\n)+", text.read())[0]
    for nr, cgroup in enumerate(PODS):
        inputs["kube_pod_info", (("uid", UID + str(nr)), ("pod", f"p{nr}"), ("namespace", "n"),
                                 ("instance", "kube"))] = f"1x{END // STEP + 1}"
        named = f'container:{RATIO}{{cgroup="{cgroup}"}}'
        for label in ("pod", f"p{nr}"), ("namespace", "n"):
            named = f'label_replace({named}, "{label[0]}", "{label[1]}", "", "")'
        expected.append((f"count(({example}) == on (pod, namespace, metric) {named})", END,
                         len(L1) if nr < 2 else None))
    expected.append((f"count({example})", END, 2 * len(L1)))
    promtool(programs, rules, inputs, STEP, expected)


HOUR = 3600
INTERVAL = 120
DAY = 24 * HOUR // INTERVAL
PHASES = (DAY, 2 * HOUR // INTERVAL, HOUR // INTERVAL)


def changing_fleet(root):
    """Return: 22 machines, and a function that counts a phase of theirs.

    One is simulated, and one is not trusted in the first phase. In the second phase five
    machines change, and in each a further one is gone. In the third phase one
    and the simulated one yield, and one is disabled.
    """
    nr_real = 20
    machines = [Machine(f"{root}/m{nr}", f"m{nr}") for nr in range(nr_real)]
    machines.append(Machine(f"{root}/simulated", "simulated", simulated=1))
    machines.append(Machine(f"{root}/untrusted", "untrusted"))

    def count(phase, steps):
        for nr, machine in enumerate(machines):
            changed = nr if phase else None
            machine.is_gone = nr_real - phase <= nr < nr_real
            if phase == 2 and nr in (5, 6, nr_real):
                state, word = ("off", "disabled") if nr == 6 else ("yielded", "contended")
                machine.counted({f"{state}_ns": steps * 11 * 10 ** 10}, file="time")
                machine.set("system/status", STATUS.format(0) + f"included 0\n{word} 7\n")
                continue
            sampled = 89 if changed == 1 else 91
            machine.counted({"sampled_ns": steps * sampled * 10 ** 9, "off_ns": steps * 10 ** 10,
                             "dropped_ns": steps * 4 * 10 ** 9,
                             "yielded_ns": steps * (96 - sampled) * 10 ** 9}, file="time")
            # the frontend alone, and with the backend
            backend = {2: "0.2", 7: "0.51"}.get(changed, "0.7")
            load = slots(5, LARGE, Fraction("0.2"), Fraction(backend))
            machine.counted({key: steps * value for key, value in load.items()})
            machine.set("system/status", STATUS.format(int(nr > nr_real and not phase)) +
                        "included 3\nidle 4\n" +
                        ("contended 1\n" if changed == 3 or nr == nr_real else "") +
                        f"withdrawals {3 + (changed == 4 or phase and nr == nr_real)}\n")
    return machines, count


def phases(machines, count, exporter):
    """Series in promtool's notation: totals increase steadily in each phase."""
    texts = {}
    count(0, 10)  # no counter begins at 0
    for phase, steps in enumerate(PHASES):
        before = [machine.totals.copy() for machine in machines]
        count(phase, steps)
        for machine, totals in zip(machines, before):
            after, machine.totals = machine.totals, totals
            first = machine.export(exporter)
            machine.totals = after
            for key, value in machine.export(exporter).items():
                start = Fraction(first[key])
                step = (Fraction(value) - start) / steps if key[0].endswith("_total") else 0
                texts.setdefault(key, {})[phase] = \
                    f"{number(start)}+{number(Fraction(step))}x{steps - 1}"
    return {key: " ".join(by_phase.get(phase, f"_x{steps}") for phase, steps in enumerate(PHASES))
            for key, by_phase in texts.items() if not key[0].endswith("duration_seconds")}


def test_alerts(programs, exporter, rules):  # alerts after their time, and only then
    with tempfile.TemporaryDirectory() as root:
        inputs = phases(*changing_fleet(root), exporter)
    firing = 'ALERTS{{alertstate="firing", alertname=~"{}"}}'.format
    alerts = ['N3TelemetryCoverageLow", instance="m1',
              'N3TelemetryBottleneckMoved", metric="frontend_bound", instance="m2',
              'N3TelemetryVerdict", verdict="contended", instance="m3']
    change = DAY * INTERVAL
    withdrawn = firing("N3TelemetryWithdrawn")
    untrusted = firing("N3TelemetryWithdrawn\", instance=\"untrusted")
    others = firing(".*\", alertname!~\".*Missing")
    late, later = change + 3 * HOUR // 2, change + 11 * HOUR // 4
    # at each evaluation from the first on, and no longer
    expected = [(f"sum(count_over_time({untrusted}[1d]))", change - INTERVAL, DAY // 2),
                (f"count({others})", change - INTERVAL, 1),
                (f"count({untrusted})", change, None), (others, change + HOUR // 2, None),
                (f'count({withdrawn})', change, 1), (f"count({others})", change, 1),
                (f'count({firing("N3TelemetryWithdrawn")[:-1]}, instance="m4"}})', change, 1),
                (f"count({others})", late, len(alerts)),
                (f"count({others})", change + 9 * HOUR // 4, len(alerts)),
                (f"count({others})", later, len(alerts))]
    expected += [(f"count({firing(alert)})", late, 1) for alert in alerts]
    expected += [(f'count({firing("N3TelemetryMachineMissing")})', at, number)
                 # one is gone, then a second one and two that count nothing
                 for at, number in ((change - INTERVAL, 1), (late, 1), (later, 4))]
    expected += [(f'count({firing("N3Telemetry(Job|Fleet)Missing")})', at, number)
                 for at, number in ((late, None), (later, 2))]
    promtool(programs, rules, inputs, INTERVAL, expected, 2 * INTERVAL)


SCRAPED = 2
SHORT_AGO = 4
CONFIG = """
global: {{scrape_interval: {scraped}s, scrape_timeout: {scraped}s, evaluation_interval: 1s}}
rule_files: [{rules}/rules.yml, {rules}/alerts.yml]
scrape_configs:
- job_name: n3
  static_configs: [{{targets: [{targets}]}}]
"""


# the last rules of the groups, of those that always have values
LAST_RULES = {"instance": "instance:n3_telemetry_expected:bool",
              "job": "job:n3_telemetry_missing:ratio", "fleet": "fleet:n3_telemetry_missing:ratio"}
# number of machines with a sample of new totals
CHANGED = "count(count by (instance) (changes(n3_telemetry_slots_total[5m]) > 0))"


class Prometheus:
    """A client of one that runs."""

    def __init__(self, url):
        self.url = url
        self.wrong = {}

    def page(self, instance=None):
        chosen = urllib.parse.urlencode({"job": "n3", "instance": instance} if instance else {})
        return fetch(f"{self.url}/consoles/n3-fleet.html?{chosen}")

    def query(self, expr):
        return query(self.url, expr)

    def number(self, expr):
        """Value of an expression; 0 if it has none."""
        return sum(Fraction(values[-1][1]) for _, values in self.query(expr))

    def evaluated(self):
        """Time at which each group was evaluated last, at least; 0 if one never was."""
        return min(self.number(f"max(timestamp({name}))") for name in LAST_RULES.values())

    def agrees(self, since):
        """Do all rules have the oracle's values, at their last time?"""
        found = self.query('{__name__=~"[a-z_]+:n3_telemetry_.*"}[90s]')
        times = {level: sorted({Fraction(str(values[0])) for labels, samples in found
                                if labels["__name__"] == name for values in samples})
                 for level, name in LAST_RULES.items()}
        if not all(times.values()) or min(of_level[-1] for of_level in times.values()) < since:
            return False

        def read(time, level):
            return max((at for at in times[level] if at <= time - SHORT_AGO), default=0)

        ends = {level: of_level[-1] for level, of_level in times.items()}
        got = {}
        for labels, values in found:
            level = labels["__name__"].split(":")[0].split("_")[0]
            for at, value in values:
                if Fraction(str(at)) == ends.get(level, ends["instance"]):
                    got[labels.pop("__name__"), frozenset(labels.items())] = float(value)
        series = {}
        for labels, values in self.query('{__name__=~"n3_telemetry_.*|up"}[7m]'):
            name = labels.pop("__name__")
            family = "target_up" if name == "up" else name.removeprefix("n3_telemetry_")
            series[family, frozenset(labels.items())] = [
                (Fraction(str(at)), Fraction(value)) for at, value in values]
        # a machine that is gone has no gauges from the next scrape on
        wanted = Oracle(series, ends, 3 * SCRAPED, read).rules()
        self.wrong = {key: (got.get(key), wanted.get(key)) for key in got.keys() | wanted.keys()
                      if key not in got or key not in wanted or
                      abs(got[key] - wanted[key]) > max(abs(wanted[key]), 1e-3) * 1e-9}
        return not self.wrong


@contextlib.contextmanager
def running_rules(programs, rules, targets, data=None):
    """Return: a Prometheus that scrapes the targets, with the rules and the console.

    Groups follow each other as quickly as it evaluates them here.
    """
    with tempfile.TemporaryDirectory() as copied:
        for name in "rules.yml", "alerts.yml":
            with open(f"{rules}/{name}", encoding="ascii") as text, \
                    open(f"{copied}/{name}", "w", encoding="ascii") as copy:
                copy.write(text.read().replace(f"offset {AGO}s", f"offset {SHORT_AGO}s"))
        config = CONFIG.format(rules=copied, scraped=SCRAPED,
                               targets=", ".join(f"'{target}'" for target in targets))
        with prometheus(programs, config, f"--web.console.templates={rules}/consoles",
                        data=data) as url:
            yield Prometheus(url)


def test_restart(programs, exporter, rules):  # a machine that is down while Prometheus restarts
    with contextlib.ExitStack() as stack:
        root = stack.enter_context(tempfile.TemporaryDirectory())
        served = []
        for name in "up", "down":
            machine = Machine(f"{root}/{name}", name)
            machine.counted(slots(5, LARGE, Fraction("0.5")))
            machine.update()
            served.append(server(exporter, machine.root))
        targets = [f"127.0.0.1:{stack.enter_context(one).port}" for one in served[:1]]
        with served[1] as down:
            targets.append(f"127.0.0.1:{down.port}")
            with running_rules(programs, rules, targets, f"{root}/data") as client:
                wait_until(lambda: client.number("count(instance:n3_telemetry_expected:bool)") == 2,
                           "scrapes")
        start = time.time()
        missing = f'instance:n3_telemetry_missing:bool{{instance="{targets[1]}"}}'
        with running_rules(programs, rules, targets, f"{root}/data") as client:
            wait_until(lambda: client.number(f"timestamp({missing})") > start and
                       client.number("count(instance:n3_telemetry_expected:bool)") == 2,
                       "the machine")


def test_alertmanager(programs, _exporter, rules):  # the example's alerts that hide others
    missing = "N3Telemetry{}Missing".format
    alerts = {("a", "m1", missing("Machine")), ("b", "m1", missing("Machine")),
              ("b", "m2", "N3TelemetryTextfileOld"), ("b", "m2", missing("Machine")),
              ("a", "", missing("Job"))}
    config = f"{rules}/../deploy/alertmanager.yml"
    subprocess.run([f"{programs}/amtool", "check-config", config], check=True, capture_output=True)

    def hidden(more=()):
        sent = [{"labels": dict(zip(("job", "instance", "alertname"), alert))}
                for alert in alerts.union(more)]
        post = urllib.request.Request(f"{url}/api/v2/alerts", json.dumps(sent).encode(),
                                      {"Content-Type": "application/json"})
        with urllib.request.urlopen(post, timeout=PATIENCE):
            pass
        found = json.loads(fetch(f"{url}/api/v2/alerts"))
        return {tuple(alert["labels"].get(name, "") for name in ("job", "instance", "alertname"))
                for alert in found if alert["status"]["inhibitedBy"]}

    with tempfile.TemporaryDirectory() as directory:
        address = f"127.0.0.1:{free_port()}"
        url = f"http://{address}"
        # it reads templates below /usr/share
        with running("unshare", "-rm", "sh", "-c", 'mount --bind "$0" /usr/share && exec "$@"',
                     f"{programs}/../share", f"{programs}/prometheus-alertmanager",
                     f"--config.file={os.path.abspath(config)}",
                     "--log.level=warn", f"--storage.path={directory}", "--cluster.listen-address=",
                     f"--web.listen-address={address}"):
            wait_until(lambda: fetch(f"{url}/-/ready"), "Alertmanager")
            by_job = {("a", "m1", missing("Machine")), ("b", "m2", missing("Machine"))}
            wait_until(lambda: hidden() == by_job, "alerts hidden by those of jobs")
            all_of_them = {alert for alert in alerts if "Missing" in alert[2]}
            fleet_alert = ("", "", missing("Fleet"))
            wait_until(lambda: hidden([fleet_alert]) == all_of_them, "by that of the fleet")


def rows_of(page, table):
    """Text of the cells of each row of a table."""
    found = re.search(rf'<table class="{table}">(.*?)</table>', page, re.S)
    return [[html.unescape(re.sub("<.*?>", "", cell))
             for cell in re.findall("<td>(.*?)</td>", row, re.S)]
            for row in re.findall("<tr><td>.*?</tr>", found[1] if found else "", re.S)]


def test_prometheus(programs, exporter, rules):  # Prometheus's values, the dashboard, the console
    rng = random.Random(4)
    with contextlib.ExitStack() as stack:
        root = stack.enter_context(tempfile.TemporaryDirectory())
        names = ("tree", "wide", "cpus", "still", "untrusted", "withdrew", "partial", "gone",
                 "down", "simulated")
        named = {name: Machine(f"{root}/{name}", name, simulated=int(name == "simulated"),
                            per="cpu" if name == "cpus" else "system")
              for name in names}
        named["tree"].set("system/status", STATUS.format(0) + "included 3\nidle 1\nwithdrawals 2\n")
        named["cpus"].set("cpu1/status", STATUS.format(0))
        named["untrusted"].set("system/status", STATUS.format(1))
        named["withdrew"].set("system/status", STATUS.format(0) + "withdrawals 1\n")

        def count():
            for name, machine in named.items():
                load = slots(5, LARGE, Fraction("0.31"), Fraction("0.2"), LARGE // 7)
                if name == "tree":
                    count_metrics(rng, machine)
                    count_time(rng, machine)
                    for nr in range(REPLICATES):
                        machine.replicated(nr, load, 9)
                elif name == "cpus":
                    for cpu in range(2):
                        machine.counted(slots(5 + cpu, LARGE, Fraction("0.5")), f"cpu{cpu}")
                elif name == "wide":
                    count_replicates(rng, machine)
                else:
                    machine.counted({key: value for key, value in load.items()
                                     if name != "partial" or key != "stall_slots_total"})
                machine.update()

        count()
        served = {name: stack.enter_context(server(
            exporter, machine.root, "--groups", "all", "--errors", "--per", machine.per,
            errors=int(name == "gone")))
                  for name, machine in named.items() if name != "down"}
        down = contextlib.ExitStack()
        served["down"] = down.enter_context(server(exporter, named["down"].root))
        instances = {name: f"127.0.0.1:{served[name].port}" for name in names}
        client = stack.enter_context(running_rules(programs, rules, instances.values()))
        known = "count(instance:n3_telemetry_missing:bool)"
        wait_until(lambda: client.number("fleet:n3_telemetry_expected:count") == len(named) - 1,
                   "scrapes")
        down.close()
        os.rename(named["gone"].root, f"{root}/elsewhere")
        named["withdrew"].set("system/status", STATUS.format(0) + "withdrawals 2\n")
        del named["gone"], named["still"]
        count()
        # all but "down", which is not scraped any more
        wait_until(lambda: client.number(CHANGED) == len(named) - 1 and
                   client.number("count(n3_telemetry_up)") == len(names) - 1 and
                   client.number("count(n3_telemetry_up == 0)") == 1, "new totals")
        since = time.time()
        wait_until(lambda: client.evaluated() > since and client.number(known) == 6,
                   "values")

        machines, missing = ({f"{instances[name]} n3" for name in some} for some in (
            ("tree", "wide", "cpus"),
            ("still", "untrusted", "withdrew", "partial", "gone", "down")))
        pages = []

        def is_complete():
            """A machine is missing for a moment if a busy host delays its scrape."""
            pages.append(client.page())
            # "withdrew" and "untrusted"
            return "N3TelemetryWithdrawn: 2<" in pages[-1] and \
                {row[0] for row in rows_of(pages[-1], "machines")} == machines and \
                dict(rows_of(pages[-1], "missing")).keys() == missing

        wait_until(is_complete, "a page with all machines")
        slots_total = f'n3_telemetry_slots_total{{instance="{instances["untrusted"]}"}}'
        assert client.number(slots_total) == \
            named["untrusted"].totals["system", "topdown_l1", "slots_total"]
        # samples of the last moment may not be there yet when rules are evaluated
        try:
            wait_until(lambda: client.agrees(since), "rules with exact values")
        except AssertionError:
            print(list(client.wrong.items())[:9], file=sys.stderr)
            raise
        with open(f"{rules}/dashboard.json", encoding="ascii") as text:
            top = json.load(text)["panels"]
        # rows of a machine are not queried before they are opened
        assert not any("$instance" in json.dumps(panel) for panel in top if "targets" in panel)
        panels = [each for panel in top for each in (panel, *panel.get("panels", ()))]
        expressions = [target["expr"].replace("$job", "n3").replace("$instance", ".*")
                       .replace("$metric", "backend_bound")
                       for panel in panels for target in panel.get("targets", ())]
        assert len(expressions) > 30
        for expr in expressions:
            wait_until(lambda expr=expr: client.query(expr), expr)

        parts = re.findall(r"<small>(\d+) · <b>(\d+)</b> · (\d+) %</small>", pages[-1])
        quantiles = {(labels["metric"], labels["quantile"]): 100 * float(samples[-1][1]) for
                     labels, samples in client.query("fleet:n3_telemetry_share:quantile_rate5m")}
        for metric, part in zip(("frontend_bound", "backend_bound", "bad_speculation", "retiring"),
                                parts, strict=True):
            for quantile, text in zip(("0.1", "0.5", "0.9"), part):
                assert abs(float(text) - quantiles[metric, quantile]) < 0.51, (metric, part)
        reasons = dict(rows_of(pages[-1], "missing"))
        of_simulated, = re.findall('<p class="note">(No values.*?)</p>',
                                   client.page(instances["simulated"]), re.S)
        assert len({*reasons.values(), of_simulated}) == 7, reasons
        for machine, reason in reasons.items():
            assert reason in client.page(machine.split()[0]), machine

        chosen = f'{{instance="{instances["tree"]}"}}'
        values = {labels["metric"]: Fraction(samples[-1][1]) for labels, samples in
                  client.query(f"instance:n3_telemetry_metric:ratio_rate5m{chosen}")}
        assert dict(row[::2] for row in rows_of(pages[-1], "machines"))[
            f"{instances['tree']} n3"] == answer_on_page(values)
        shares, losses = Oracle.split(values)
        rows = rows_of(client.page(instances["tree"]), "losses")
        wanted = sorted(losses, key=losses.get)[:-7:-1]
        assert [name for name, *_ in rows] == [
            "rest of " * (losses[metric] < shares[metric]) + metric for metric in wanted], rows
        assert len({name.split()[0] == "rest" for name, *_ in rows}) == 2, rows

        kinds = set()
        for name in "tree", "wide":
            values = {labels["metric"]: 100 * float(samples[-1][1]) for labels, samples in
                      client.query("instance:n3_telemetry_metric:half_width_rate5m"
                                       f'{{instance="{instances[name]}"}}')}
            texts = re.findall("</i>([a-z ]+)</dt>\n<dd>[^±]*± (.*)</small>",
                               client.page(instances[name]))
            assert len(texts) == len(L1), texts
            for legend, text in texts:
                width = values[legend.replace(" ", "_")]
                kinds.add(width < 0.05)
                assert text == "&lt; 0.1" if width < 0.05 else abs(float(text) - width) < 0.051
        assert len(kinds) == 2


if __name__ == "__main__":
    test, *arguments = sys.argv[1:]
    os.environ["NO_PROXY"] = "*"
    globals()["test_" + test](*arguments)

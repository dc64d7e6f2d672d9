#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Rules for Prometheus: computed by Debian's promtool and Prometheus, and in exact fractions.

rules.py TEST PROGRAMS EXPORTER RULES

PROGRAMS is the directory that prometheus.sh prints, RULES that of the generated files.
"""
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

from fleet import L1, Machine, Oracle, slots

STEP = 60
STEPS = 6
END = 330  # between two samples
LARGE = 10 ** 12


def selector(record, labels):
    names = ("job", "instance", "metric", "state", "verdict")
    return f"{record}{{" + ", ".join(f'{name}="{dict(labels).get(name, "")}"'
                                     for name in names) + "}"


def number(value):
    """of a sample, exact if it is a total"""
    if value is None:
        return "_"
    return str(value) if value.denominator == 1 else repr(float(value))


def promtool(programs, rules, series, end, expected, others=()):
    """Compares values {(record, labels): value} of rules, and of others, with promtool's."""
    lines = [f"rule_files: ['{rules}/rules.yml']", "evaluation_interval: 30s", "tests:",
             "- interval: 1m", "  input_series:"]
    for (family, labels), samples in series.items():
        at = dict(samples)
        text = ",".join(f'{name}="{value}"' for name, value in labels)
        lines += [f"  - series: 'n3_telemetry_{family}{{{text}}}'", "    values: '" +
                  " ".join(number(at.get(step * STEP)) for step in range(STEPS)) + "'"]
    lines.append("  promql_expr_test:")

    def expect(expr, value):
        lines.extend([f"  - expr: '{expr}'", f"    eval_time: {end}s", "    exp_samples:",
                      f"    - {{labels: '{{}}', value: {value}}}"])

    for record in {record for record, _ in expected}:
        expect(f"count({record})", sum(name == record for name, _ in expected))
    for expr, value in [(selector(*rule), value) for rule, value in expected.items()] + [*others]:
        allowed = max(abs(float(value)), 1e-3) * 1e-9
        expect(f"sum(abs({expr} - {float(value)!r}) <= bool {allowed!r})", 1)
    with tempfile.TemporaryDirectory() as directory:
        with open(f"{directory}/test.yml", "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")
        done = subprocess.run([f"{programs}/promtool", "test", "rules", out.name], check=False,
                              capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[:4000] + done.stderr[:4000]


def record(machines, exporter, count):
    """Series of STEPS outputs; count(step) adds to the machines' totals after each."""
    series = {}
    for step in range(STEPS):
        for machine in machines:
            for key, value in machine.export(exporter).items():
                if not key[0].endswith("duration_seconds"):
                    series.setdefault(key, []).append((step * STEP, Fraction(value)))
        count(step)
    return series


def test_check(programs, _exporter, rules):  # promtool check rules
    for name in ("rules.yml",):
        done = subprocess.run([f"{programs}/promtool", "check", "rules", f"{rules}/{name}"],
                              check=False, capture_output=True, text=True)
        assert done.returncode == 0 and "SUCCESS" in done.stdout, done


def value_of(values, record_name, **labels):
    return values[record_name, frozenset(labels.items())]


def test_ratio(programs, exporter, rules):  # the ratio of sums, not the mean of ratios
    with tempfile.TemporaryDirectory() as root:
        machines = [Machine(f"{root}/{name}", name) for name in ("a", "b")]
        loads = [slots(5, cycles * LARGE, Fraction(retiring)) for cycles, retiring in
                 ((9, "0.2"), (1, "0.6"))]

        def count(_step):
            for machine, load in zip(machines, loads):
                machine.counted(load)

        count(0)
        series = record(machines, exporter, count)
    values = Oracle(series, END).rules()
    name = "n3_telemetry_metric:ratio_rate5m"
    assert value_of(values, f"fleet:{name}", metric="retiring") == Fraction("0.24")
    ratios = [value_of(values, f"instance:{name}", metric="retiring", instance=instance, job="n3")
              for instance in "ab"]
    assert sum(ratios) / 2 == Fraction("0.4")
    promtool(programs, rules, series, END, values,
             [(f'avg(instance:{name}{{metric="retiring"}})', Fraction("0.4"))])


def fleet(root):
    """Machines of all kinds, and how they count."""
    system = {name: Machine(f"{root}/{name}", name, job) for name, job in
              (("narrow", "web"), ("wide", "web"), ("reloaded", "db"), ("untrusted", "db"),
               ("partial", "db"))}
    system["simulated"] = Machine(f"{root}/simulated", "simulated", "db", simulated=1)
    cpus = Machine(f"{root}/cpus", "cpus", "web", per="cpu")
    system["untrusted"].set("system/topdown_l1", "retiring implausible\n")
    cpus.set("cpu2/topdown_l1", "retiring inconsistent\n")
    for cpu in (0, 1, 3):
        cpus.set(f"cpu{cpu}/topdown_l1", "retiring 20.0000\n")
    share = Fraction

    def count(step):
        system["narrow"].counted(slots(5, 7 * LARGE + step, share("0.31"), share("0.2"), LARGE // 7))
        system["wide"].counted(slots(10, LARGE, share("0.62"), share("0.9"), LARGE // 99,
                                     share("0.3")))
        if step == 2:
            system["reloaded"].reload()
        system["reloaded"].counted(slots(8, (step + 1) * LARGE, share(step + 2, 10), share("0.6"),
                                         LARGE // 33, share("0.1")))
        system["untrusted"].counted(slots(5, 999 * LARGE, share("0.99")))
        system["simulated"].counted(slots(5, 999 * LARGE, share("0.98")))
        missing = slots(5, 50 * LARGE, share("0.9"))
        del missing["ops_speculated_total"]
        system["partial"].counted(missing)
        for cpu in range(4):
            load = slots(5, (1 + cpu) * LARGE, share(cpu + 1, 5), share("0.7"), LARGE // 50)
            if cpu == 3:
                del load["stall_slots_total"]
            cpus.counted(load, f"cpu{cpu}")

    machines = [*system.values(), cpus]
    count(0)
    return machines, count


def test_fleet(programs, exporter, rules):  # widths, CPUs, a reload, untrusted, simulated machines
    with tempfile.TemporaryDirectory() as root:
        machines, count = fleet(root)
        series = record(machines, exporter, count)
    values = Oracle(series, END).rules()
    name = "instance:n3_telemetry_slots:rate5m"
    assert {dict(labels)["instance"] for record_name, labels in values if record_name == name} == \
        {"narrow", "wide", "reloaded", "cpus"}
    assert len(L1) == 4
    promtool(programs, rules, series, END, values)


if __name__ == "__main__":
    test, *arguments = sys.argv[1:]
    os.environ["NO_PROXY"] = "*"
    globals()["test_" + test](*arguments)

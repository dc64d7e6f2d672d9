#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Totals of made-up CPUs, and the series that follow from them.

series.py make DIR CPUS NODES
	adds counters/ to a tree of make_tree.py
series.py check CPUS NODES PER GROUPS [errors] <OUTPUT
	compares n3-exporter's output with the series that these options select

Sums of CPUs are exact; those of slots exceed 64 bits. Debian's Python has prometheus_client.
"""
import os
import random
import re
import sys

from prometheus_client.parser import text_string_to_metric_families

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../../selftests/user"))
from losses import read_table   # noqa: E402 # pylint: disable=wrong-import-position

PREFIX = "n3_telemetry_"
TIME = ["sampled_ns", "dropped_ns", "yielded_ns", "off_ns", "start_ns", "start_unix_ns",
        "sampler_ns", "cycles_total"]
TOPDOWN = ["slots_total", "stall_slots_total", "frontend_stall_slots_total",
           "backend_stall_slots_total", "frontend_flush_slots_total", "ops_retired_total",
           "ops_speculated_total"]
REPLICATES = 8
VERDICTS = {"value": 5, "offline": 1, "disabled": 0, "unplaced": 0, "unsupported": 0,
            "contended": 0, "idle": 2, "stale": 0, "implausible": 0, "inconsistent": 0, "undef": 0}
# what make_tree.py and make() write into spec, status, distrust
MACHINE = {"up": {"": "1"}, "files_unreadable": {"": "0"}, "counters": {"": "4"},
           "distrusted_events": {"": "3"}, "withdrawals_total": {"": "7"},
           "sampler_cost_ratio": {"": "0.001234"},
           "cpus": {f'verdict="{word}"': str(nr) for word, nr in VERDICTS.items()}}
STARTS = {"start_ns": 5_000_000_000, "start_unix_ns": 1_795_877_095_609_084_672}
GROUPS = {row[0].lower(): row[5].split(",") for row in read_table("groups.tsv")}
FORMULAS = {row[0]: row[2] for row in read_table("metrics.tsv")}


def plain_names():
    """{metric: name of its ratio without the factor that the specification multiplies by}"""
    names = {}
    for metric, formula in FORMULAS.items():
        factor = (re.search(r" \* (1000?)$", formula) or "  ")[1]
        suffix, plain = {"1000": ("_mpki", "_misses_per_instruction"),
                         "100": ("_percentage", "_ratio")}.get(factor, ("", ""))
        names[metric] = re.sub(f"{suffix}$", plain, metric)
        assert not names[metric].endswith(("_mpki", "_percentage")), metric
    changed = {name for metric, name in names.items() if name != metric}
    assert changed and not changed & FORMULAS.keys() and len(set(names.values())) == len(names)
    return names


def is_missing(cpu, key):
    """CPU 1 does not count STALL_SLOT, and CPU 2 counts no branches."""
    return cpu == 1 and re.fullmatch("(r[0-7]_)?stall_slots_total", key) or \
        cpu == 2 and key.startswith("branch_mpki_")


def make_cpu(rng, cpu):
    files = {"time": {key: rng.randrange(10 ** rng.randrange(1, 19)) for key in TIME}}
    files["time"].update(STARTS)
    # the sum of two CPUs exceeds 64 bits
    files["topdown_l1"] = {key: 2 ** 64 - rng.randrange(1, 2 ** 40) for key in TOPDOWN}
    files["topdown_l1.replicates"] = {
        f"r{nr}_{key}": 2 ** 61 - rng.randrange(1, 2 ** 40)
        for nr in range(REPLICATES) for key in TOPDOWN + ["slices_total"]}
    totals = {}
    for group, metrics in GROUPS.items():
        # 1 less the miss ratio
        keys = [f"{metric}_{part}_total" for metric in metrics
                if metric != "ll_cache_read_hit_ratio" for part in ("numerator", "denominator")]
        keys += ["integer_dp_percentage_subtrahend_total"] * ("integer_dp_percentage" in metrics)
        if group != "topdown_l1":
            files[group] = {key: totals.setdefault(key, rng.randrange(2 ** 60)) for key in keys}
    return {name: {key: value for key, value in keys.items() if not is_missing(cpu, key)}
            for name, keys in files.items()}


def add_up(places):
    total = {}
    for files in places:
        for name, keys in files.items():
            for key, value in keys.items():
                of_file = total.setdefault(name, {})
                of_file[key] = of_file.get(key, 0) + value
    total["time"].update(STARTS)
    return total


def make_places(cpus, nodes):
    rng = random.Random("1")
    places = {f"cpu{cpu}": make_cpu(rng, cpu) for cpu in range(cpus)}
    for node in range(nodes):
        places[f"node{node}"] = add_up([places[f"cpu{cpu}"] for cpu in range(node, cpus, nodes)])
    places["system"] = add_up([places[f"cpu{cpu}"] for cpu in range(cpus)])
    return places


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as out:
        out.write(text)


def make(directory, cpus, nodes):
    for place, files in make_places(cpus, nodes).items():
        for name, keys in files.items():
            write(f"{directory}/{place}/counters/{name}",
                  "".join(f"{key} {value}\n" for key, value in keys.items()))
    for cpu in range(cpus):
        write(f"{directory}/cpu{cpu}/status", "state sampling\nbudget 6\nwithdrawn 0\n"
              "withdrawals 1\n")
    write(f"{directory}/system/status", "cpus 8\nincluded 5\nexcluded 3\nbudget 4\nwithdrawn 0\n"
          "withdrawals 7\noffline 1\nidle 2\n")
    write(f"{directory}/status", "state sampling\ncpus_sampled 5\nswitch direct\nmax_cost 2000\n"
          "cost 1234\nreason none\nversion 0.2\n")
    write(f"{directory}/distrust", "STALL_SLOT L1D_CACHE 0x1234\n")
    with open(f"{directory}/spec", encoding="ascii") as spec:
        text = spec.read()
    write(f"{directory}/spec", text.replace("pmu n3_sim\n",
                                            'pmu n3_sim\ncore A "Neoverse" N3\\ (0xd8e)\n'))


def nanoseconds(value):
    return f"{value // 10 ** 9}.{value % 10 ** 9:09d}"


def expect(cpus, nodes, per, groups, errors):
    """{series: value}, as text"""
    series = {}

    def add(family, labels, value):
        labels = ",".join(label for label in labels if label)
        series[PREFIX + family + (f"{{{labels}}}" if labels else "")] = value

    for family, samples in MACHINE.items():
        for labels, value in samples.items():
            add(family, [labels], value)
    add("start_time_seconds", [], nanoseconds(STARTS["start_unix_ns"]))
    if per != "cpu":
        add("trusted", [], "1")
    names = plain_names()
    for place, files in make_places(cpus, nodes).items():
        number = re.sub("[a-z]", "", place)
        kind = {"cpu": "cpu", "node": "numa_node", "system": "system"}[re.sub("[0-9]", "", place)]
        if kind != per:
            continue
        label = f'{kind}="{number}"' if number else ""
        if per == "cpu":
            add("trusted", [label], "1")
        for state in ("sampled", "dropped", "yielded", "off"):
            add("cpu_seconds_total", [f'state="{state}"', label],
                nanoseconds(files["time"][f"{state}_ns"]))
        add("sampler_seconds_total", [label], nanoseconds(files["time"]["sampler_ns"]))
        add("cycles_total", [label], str(files["time"]["cycles_total"]))
        for key, value in files["topdown_l1"].items() if not errors else ():
            add(key, [label], str(value))
        for key, value in files["topdown_l1.replicates"].items() if errors else ():
            add(key[3:], [f'replicate="{key[1]}"', label], str(value))
        for group in GROUPS if groups == "all" else groups.lower().split(",") if groups else ():
            for key, value in files.get(group, {}).items() if group != "topdown_l1" else ():
                metric, part = re.fullmatch("(.*)_(numerator|denominator|subtrahend)_total",
                                            key).groups()
                add(f"metric_{part}_total", [f'metric="{names[metric]}"', label], str(value))
    return series


def parse(text):
    """Return: {series: value}; each family is in one piece, and each series there once."""
    families = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    assert len(families) == len(set(families)), "a family is in two pieces"
    series, family = {}, None
    for line in text.splitlines():
        if line.startswith("# "):
            word, kind, family = line.split()[:3]
            assert word == "#" and kind in ("HELP", "TYPE"), line
            continue
        # labels have no braces and no blanks but in their values
        name, value = line.rsplit(" ", 1)
        assert re.fullmatch(family + r"(\{.*\})?", name), f"{name} is not in {family}"
        assert name not in series, f"{name} is there twice"
        series[name] = value
    nr = 0
    for parsed in text_string_to_metric_families(text):
        labels = {tuple(sorted(sample.labels)) for sample in parsed.samples}
        assert len(labels) == 1, f"labels of {parsed.name} differ"
        assert parsed.type in ("counter", "gauge") and parsed.documentation, parsed.name
        assert (parsed.type == "counter") == parsed.samples[0].name.endswith("_total"), parsed.name
        nr += len(parsed.samples)
    assert nr == len(series), "the parser found another number of series"
    return series


def check(text, *args):
    got, wanted = parse(text), expect(*args)
    info = [name for name in got if name.startswith(PREFIX + "info{")]
    assert len(info) == 1 and got.pop(info[0]) == "1"
    assert re.fullmatch(PREFIX + r'info\{core="A \\"Neoverse\\" N3\\\\ \(0xd8e\)",simulated="1",'
                        r'switch="direct",version="0.2",virtual="[01]"\}', info[0]), info[0]
    build = [name for name in got if name.startswith("n3_exporter_build_info{")]
    assert len(build) == 1 and got.pop(build[0]) == "1"
    assert re.fullmatch(r'.*\{version="[0-9]+\.[0-9.]+"\}', build[0]), build
    assert re.fullmatch(r"[0-9]+\.[0-9]{6}", got.pop(PREFIX + "scrape_duration_seconds"))
    for name in sorted(set(got) | set(wanted)):
        if got.get(name) != wanted.get(name):
            print(f"{name}: {got.get(name)}, expected {wanted.get(name)}")
            return 1
    print(len(got) + 2)
    return 0


def main():
    what, *args = sys.argv[1:]
    if what == "make":
        return make(args[0], int(args[1]), int(args[2]))
    return check(sys.stdin.read(), int(args[0]), int(args[1]), args[2], args[3],
                 "errors" in args[4:])


if __name__ == "__main__":
    sys.exit(main())

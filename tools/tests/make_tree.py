#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Makes a tree in the module's format, from artificial counts of every event.

make_tree.py DIR [--cpus N] [--nodes N] [--seed N] [--lean METRIC] [--no-quality]
             [--spe] [--no-totals | --grown SEED] [--seconds N] [--real]

All metrics of a CPU are computed from the same counts by the formulas of the
specification's tables, so they are consistent. --lean makes one of backend_bound,
frontend_bound, bad_speculation, retiring the largest. Estimates are computed from
other counts, which differ by some percent. With --spe the CPUs have SPE. The totals
in counters/ are of 100 s, or of --seconds; without --no-totals. With --grown they have grown by
those of make_counts() with another seed. With --real the PMU counts as that of a CPU.
Existing files are replaced one by one, so a reader can continue. A test in Python calls main()
with the arguments.
"""
import argparse
import ast
import os
import random

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../selftests/spec")


def read_table(name):
    with open(os.path.join(SPEC, name), encoding="ascii") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]


METRICS = {row[0]: (row[2], row[3]) for row in read_table("metrics.tsv")}
GROUPS = {row[0]: (row[2], row[5].split(",")) for row in read_table("groups.tsv")}
EVENTS = sorted({e for row in read_table("groups.tsv") for e in row[6].split(",")})

# fractions: STALL_SLOT_FRONTEND, STALL_SLOT_BACKEND of all slots; OP_RETIRED of OP_SPEC
LEAN = {
    "backend_bound": (0.08, 0.65, 0.95),
    "frontend_bound": (0.60, 0.12, 0.93),
    "bad_speculation": (0.12, 0.10, 0.45),
    "retiring": (0.07, 0.10, 0.98),
}


def parts(rng, names, total, counts):
    weights = [rng.uniform(0.1, 1) for _ in names]
    for name, weight in zip(names, weights):
        counts[name] = int(total * weight / sum(weights))


def make_counts(rng, lean):
    cycles = 3_000_000_000
    frontend, backend, good = (x * rng.uniform(0.9, 1.05) for x in LEAN[lean])
    counts = {e: rng.randrange(1_000_000, 200_000_000) for e in EVENTS}
    counts["CPU_CYCLES"] = cycles
    counts["STALL_SLOT_FRONTEND"] = int(5 * cycles * frontend)
    counts["STALL_SLOT_BACKEND"] = int(5 * cycles * backend)
    counts["STALL_SLOT"] = counts["STALL_SLOT_FRONTEND"] + counts["STALL_SLOT_BACKEND"]
    counts["OP_SPEC"] = 5 * cycles - counts["STALL_SLOT"]
    counts["OP_RETIRED"] = int(counts["OP_SPEC"] * min(good, 0.99))
    counts["INST_RETIRED"] = int(counts["OP_RETIRED"] * 0.9)
    counts["INST_SPEC"] = int(counts["OP_SPEC"] * 0.9)
    for side, share in (("FRONTEND", frontend), ("BACKEND", backend)):
        stall = f"STALL_{side}"
        counts[stall] = int(cycles * share * 0.95)
        parts(rng, (f"{stall}_MEMBOUND", f"{stall}_CPUBOUND"), counts[stall], counts)
        parts(rng, (f"{stall}_L1{'I' if side == 'FRONTEND' else 'D'}", f"{stall}_MEM",
                    f"{stall}_TLB"), counts[f"{stall}_MEMBOUND"] * 0.9, counts)
    counts["STALL_BACKEND_ST"] = counts["STALL_BACKEND_MEMBOUND"] // 20
    counts["STALL_BACKEND_RENAME"] = counts["STALL_BACKEND_CPUBOUND"] // 3
    counts["STALL_BACKEND_BUSY"] = counts["STALL_BACKEND"] // 9
    parts(rng, ("STALL_FRONTEND_FLUSH", "STALL_FRONTEND_FLOW"),
          counts["STALL_FRONTEND_CPUBOUND"] * 0.3, counts)
    return counts


def correct(rng, counts):
    corrected = {e: max(1, int(count * rng.uniform(0.96, 1.04))) for e, count in counts.items()}
    cycles = corrected["CPU_CYCLES"] = counts["CPU_CYCLES"]
    corrected["STALL_SLOT"] = corrected["STALL_SLOT_FRONTEND"] + corrected["STALL_SLOT_BACKEND"]
    corrected["OP_SPEC"] = 5 * cycles - corrected["STALL_SLOT"]
    corrected["OP_RETIRED"] = int(corrected["OP_SPEC"] * rng.uniform(0.98, 1) *
                                  counts["OP_RETIRED"] / counts["OP_SPEC"])
    return corrected


def decimals(unit):
    return 4 if unit.startswith("percent") or unit == "MPKI" else 6


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="ascii") as out:
        out.write(text)
    os.rename(path + ".new", path)


def write_place(path, counts, rng, args):
    corrected = correct(random.Random(f"{args.seed} {os.path.basename(path)}"), counts)
    for group, (_, members) in GROUPS.items():
        flat, nested = "", ""
        for metric in members:
            formula, unit = METRICS[metric]
            digits = decimals(unit)
            # only event names and arithmetic: the table is the project's own
            value = eval(formula, {"__builtins__": {}}, counts)
            error = abs(value) * rng.uniform(0.002, 0.02) + 10 ** -digits
            coverage = 48.5 if group == "Topdown_L1" else rng.uniform(3, 5)
            flat += f"{metric} {value:.{digits}f}\n"
            nested += (f"{metric} value={value:.{digits}f} low={value - error:.{digits}f} "
                       f"high={value + error:.{digits}f} coverage={coverage:.2f} "
                       f"slices={int(coverage)}")
            estimate = eval(formula, {"__builtins__": {}}, corrected)
            if abs(estimate - value) < 2 * 10 ** -digits:
                estimate += 3 * 10 ** -digits
            error = 0.4 * error + 10 ** -digits
            nested += (f" estimate={estimate:.{digits}f}"
                       f" estimate_low={estimate - error:.{digits}f}"
                       f" estimate_high={estimate + error:.{digits}f}\n")
        write(f"{path}/{group.lower()}", flat)
        if not args.no_quality:
            write(f"{path}/quality/{group.lower()}", nested)


def lead_to(quality, path):
    """All slots are lost at the end of this path through the tree."""
    for group in ("Topdown_L1", "Topdown_Frontend", "Topdown_Backend"):
        numbers = [(name, "100.00" if name in path else "0.00") for name in GROUPS[group][1]]
        write(f"{quality}/{group.lower()}",
              "".join(f"{name} value={n} low={n} high={n} coverage=50.00 slices=50 estimate={n} "
                      f"estimate_low={n} estimate_high={n}\n" for name, n in numbers))


# Totals of Topdown_L1: the event, and whether it counts cycles.
SLOTS = {
    "slots_total": ("CPU_CYCLES", True),
    "stall_slots_total": ("STALL_SLOT", False),
    "frontend_stall_slots_total": ("STALL_SLOT_FRONTEND", False),
    "backend_stall_slots_total": ("STALL_SLOT_BACKEND", False),
    "frontend_flush_slots_total": ("STALL_FRONTEND_FLUSH", True),
    "ops_retired_total": ("OP_RETIRED", False),
    "ops_speculated_total": ("OP_SPEC", False),
}


def events_of(node):
    return [name.id for name in ast.walk(node) if isinstance(name, ast.Name)]


def parts_of(metric):
    """{key: events}; none of a metric that is no quotient of sums, or 1 less another one."""
    if metric == "ll_cache_read_hit_ratio" or metric in GROUPS["Topdown_L1"][1]:
        return {}
    quotient, = (node for node in ast.walk(ast.parse(METRICS[metric][0]))
                 if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
    above, parts = quotient.left, {}
    if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Sub):
        parts["subtrahend"] = events_of(above.right)
        above = above.left
    parts.update(numerator=events_of(above), denominator=events_of(quotient.right))
    return {f"{metric}_{part}_total": events for part, events in parts.items()}


def write_totals(path, counts, cpus, args):
    """CPUs that were sampled for 90 % of the time, or 95, and yielded otherwise."""
    sampled = 95 if args.real else 90
    counts = {event: count * args.seconds // 100 for event, count in counts.items()}
    of_cpus = cpus * args.seconds * 10**7
    write(f"{path}/counters/time",
          f"sampled_ns {sampled * of_cpus}\ndropped_ns 0\n"
          f"yielded_ns {(100 - sampled) * of_cpus}\n"
          f"off_ns 0\nstart_ns 1000\nstart_unix_ns {10**18 + 10**9 * args.seed}\n"
          f"cycles_total {30 * counts['CPU_CYCLES']}\n")
    for group, (_, members) in GROUPS.items():
        text = "".join(f"{key} {sum(counts[event] for event in events)}\n"
                       for metric in members for key, events in parts_of(metric).items())
        write(f"{path}/counters/{group.lower()}", text)
    write(f"{path}/counters/topdown_l1",
          "".join(f"{key} {counts[event] * (5 if in_cycles else 1)}\n"
                  for key, (event, in_cycles) in SLOTS.items()))


def add_counts(total, counts):
    for event, count in counts.items():
        total[event] = total.get(event, 0) + count


def grown_counts(seed, cpu):
    rng = random.Random(f"{seed} {cpu}")
    return make_counts(rng, rng.choice(sorted(LEAN)))


def write_top(path, is_simulated):
    groups = "".join(f"group {g.lower()} stage {s} metrics {len(m)}\n"
                     for g, (s, m) in GROUPS.items())
    groups += "group spe_sampling extra metrics 10\nnamed 1\n"
    write(f"{path}/spec", "specification made up for tests\npmu n3_sim\n"
          f"simulated {int(is_simulated)}\nevents 224\nmetrics 67\ngroups 18\n" + groups)
    write(f"{path}/status", "state sampling\ncpus_sampled 4\nswitch in-place\nreason none\n"
          "user_access checked\nversion 0.1\n")
    # the library would miss moments otherwise
    for name, text in (("results", "text"),
                       ("enable", "1"), ("slice_ms", "4"), ("window_ms", "2000"),
                       ("anchors", "auto"), ("distrust", "none"), ("custom", "none"),
                       ("contention", "yield"), ("reserved_counters", "0"),
                       ("switch", "auto"), ("replicates", "0"),
                       ("container_pieces", "0"),
                       ("groups", " ".join(g.lower() for g in GROUPS))):
        write(f"{path}/{name}", text + "\n")


SPE_KEYS = ("version", "min_interval", "max_record", "records", "counter_bits", "format",
            "alternate_clock", "filters", "features", "align", "buffer_flags", "external_abort",
            "pmsver", "pmsidr", "pmbidr")
SPE_N3 = ("1.2", "1024", "64", "fixed", "12", "0", "none", "event operation latency not_event",
          "load_data_source random_interval previous_branch", "64", "ignored", "not_described",
          "3", "0x1026477", "0x6")


def write_spe(path, has_spe):
    values = SPE_N3 if has_spe else ["0" if key == "pmsver" else "none" for key in SPE_KEYS]
    text = "usable yes\nreason none\n" if has_spe else "usable no\nreason guest\n"
    write(path, text + "".join(f"{key} {value}\n" for key, value in zip(SPE_KEYS, values)))


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("--cpus", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lean", choices=sorted(LEAN))
    parser.add_argument("--no-quality", action="store_true")
    parser.add_argument("--spe", action="store_true")
    parser.add_argument("--no-totals", action="store_true")
    parser.add_argument("--grown", type=int)
    parser.add_argument("--seconds", type=int, default=100)
    parser.add_argument("--real", action="store_true")
    args = parser.parse_args(arguments)
    rng = random.Random(args.seed)
    total, grown = {}, {}

    write_top(args.dir, not args.real)
    for cpu in range(args.cpus):
        counts = make_counts(rng, args.lean or sorted(LEAN)[cpu % len(LEAN)])
        add_counts(total, counts)
        write_place(f"{args.dir}/cpu{cpu}", counts, rng, args)
        write_spe(f"{args.dir}/cpu{cpu}/spe", args.spe)
        if args.grown is not None:
            add_counts(counts, grown_counts(args.grown, cpu))
        add_counts(grown, counts)
        if not args.no_totals:
            write_totals(f"{args.dir}/cpu{cpu}", counts, 1, args)
        write(f"{args.dir}/cpu{cpu}/status", "state sampling\nbudget 6\ncounters 6\nsets 16\n"
              "anchors STALL_SLOT_BACKEND\ntopdown_l1 whole\nslice_ms 4\nslice_reason slice_ms\n"
              "slice_cost_ns 5300\nslices 41200\ndropped 0\nage_ms 12\nyielded_ms 0\n"
              "yielded_total_ms 0\nyields 0\nreason none\nwithdrawn 0\nwithdrawals 0\n")
    for place in [f"node{n}" for n in range(args.nodes)] + ["system"]:
        write_place(f"{args.dir}/{place}", total, rng, args)
        if not args.no_totals:
            write_totals(f"{args.dir}/{place}", grown, args.cpus, args)
        write(f"{args.dir}/{place}/status", f"cpus {args.cpus}\nincluded {args.cpus}\nexcluded 0\n"
              "withdrawn 0\nwithdrawals 0\n")
    # of nothing yet, and no group
    write(f"{args.dir}/system/containers", "")


if __name__ == "__main__":
    main()

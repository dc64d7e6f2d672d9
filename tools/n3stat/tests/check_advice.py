#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_advice.py N3STAT DIR - every advice of the table, under every condition.

A tree for each combination of facts: SPE usable or not, counts simulated or not, one NUMA node or
two. In each, the answer is another metric of the specification's tree on each CPU, and the ids of
the advice are compared with the conditions below."""
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys

import make_tree

HERE = pathlib.Path(__file__).resolve().parent
TABLE = (HERE / "../../reader/advice.def.h").read_text(encoding="ascii")
TREE = (HERE / "../../../selftests/spec/tree.tsv").read_text(encoding="ascii")
ROWS = re.findall(r"^ADVICE_ROW\((\w+), (\w+), (?!FIX)", TABLE, re.M)
PMU = "armv8_test_7"

# All other ids apply always. The commands with SPE come first, so those of perf do not apply then.
NEEDS_SPE = {"be_mem_find_spe", "be_cache_find_spe", "be_l2d_find_spe", "be_store_find_spe",
             "bad_find_spe", "be_l2d_c2c", "be_store_c2c"}
NEEDS_NO_SPE = {"be_mem_find", "be_cache_find", "be_l2d_find", "be_store_find", "bad_find",
                "be_l2d_shared", "be_store_shared"}
NEEDS_NODES = {"be_l2d_nodes"}
NEEDS_SIMULATION = {"real_n3"}
NEEDS_PERF = {"perf_rights", "perf_counters", "perf_skid", "perf_irqs"}
CONDITIONAL = NEEDS_SPE | NEEDS_NO_SPE | NEEDS_NODES | NEEDS_SIMULATION | NEEDS_PERF


def check(true, text):
    if not true:
        sys.exit(text)


def wanted_of(metric, spe, simulated, nodes):
    ids = {i for i, subject in ROWS if subject in (metric, "perf")}
    if not spe:
        ids -= NEEDS_SPE
    if spe:
        ids -= NEEDS_NO_SPE
    if nodes == 1:
        ids -= NEEDS_NODES
    if not simulated:
        ids -= NEEDS_SIMULATION
    if any(i.endswith("_find_spe") for i in ids):
        ids -= NEEDS_PERF
    return ids


def main():
    n3stat, top = sys.argv[1:]
    metrics = [line.split("\t")[0] for line in TREE.splitlines() if line and line[0] != "#"]
    check({s for _, s in ROWS} == set(metrics) | {"perf"}, "subjects of the table")
    check(len({i for i, _ in ROWS}) == len(ROWS), "an id occurs twice")
    check(CONDITIONAL <= {i for i, _ in ROWS}, "ids with conditions are in the table")
    explained = subprocess.check_output([n3stat, "explain", *metrics], text=True)
    paths = [line.split(None, 1)[1].split(" > ") for line in explained.splitlines()
             if line.startswith("path:")]
    check([p[-1] for p in paths] == metrics, "paths")
    shown, hidden = set(), set()
    for spe, simulated, nodes in itertools.product((False, True), (False, True), (1, 2)):
        tree = pathlib.Path(top, f"advice-{spe}-{simulated}-{nodes}")
        make_tree.main([str(tree), "--cpus", "1", "--nodes", str(nodes),
                        *(["--spe"] if spe else [])])
        spec = (tree / "spec").read_text()
        spec = re.sub("^pmu .*", f"pmu {'n3_sim' if simulated else PMU}", spec, flags=re.M)
        spec = re.sub("^simulated .*", f"simulated {simulated:d}", spec, flags=re.M)
        (tree / "spec").write_text(spec)
        for cpu, path in enumerate(paths):
            if cpu > 0:
                shutil.copytree(tree / "cpu0", tree / f"cpu{cpu}")
            make_tree.lead_to(tree / f"cpu{cpu}/quality", path)
        text = subprocess.check_output([n3stat, "-r", tree, "tree", "--json", "--per", "cpu"])
        places = json.loads(text)["places"]
        check([place["id"] for place in places] == list(range(len(paths))), f"{tree.name}: CPUs")
        for path, place in zip(paths, places):
            answer, advice = place["answer"], place["advice"]
            where = f"{tree.name}, {path[-1]}"
            # an area whose parts lose nothing has no cause
            causes = [end["metric"] for end in answer["causes"]] or answer["areas"]
            check(answer["areas"] == path[:1] and causes == path[-1:], f"{where}: {answer}")
            ids, wanted = set(advice["ids"]), wanted_of(path[-1], spe, simulated, nodes)
            check(ids == wanted, f"{where}: {sorted(ids ^ wanted)}")
            shown |= ids
            hidden |= {i for i, _ in ROWS} - ids
            command = advice["find_it"]
            if command.startswith("perf "):
                pmu = "armv8_pmuv3_0" if simulated else PMU
                check(f" -e {pmu}/" in command, f"{where}: {command}")
            noted = bool(ids & (NEEDS_PERF | NEEDS_SIMULATION))
            check((advice["note"] is not None) == noted, f"{where}: note")
    check(shown == {i for i, _ in ROWS} and CONDITIONAL <= hidden, "all were seen both ways")


main()

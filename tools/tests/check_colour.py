#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_colour.py N3STAT TREE - red values of a table are those above the published ones."""
import json
import re
import subprocess
import sys

N3STAT, TREE = sys.argv[1:]
# of all slots
MUCH = {"frontend_bound": 15, "backend_bound": 20, "bad_speculation": 15, "retiring": 70,
        "backend_core_bound": 10, "backend_mem_bound": 20, "backend_mem_store_bound": 20,
        "backend_mem_tlb_bound": 10, "backend_cache_l1d_bound": 5, "backend_cache_l2d_bound": 5}
ABOVE = {"backend_core_bound": "backend_bound", "backend_mem_bound": "backend_bound",
         "backend_mem_store_bound": "backend_mem_bound",
         "backend_mem_tlb_bound": "backend_mem_bound",
         "backend_mem_cache_bound": "backend_mem_bound",
         "backend_cache_l1d_bound": "backend_mem_cache_bound",
         "backend_cache_l2d_bound": "backend_mem_cache_bound"}


def n3stat(*words):
    return subprocess.run((N3STAT, "-r", TREE, "-C", "0-1", *words), check=True, text=True,
                          capture_output=True).stdout


def share(values, metric):
    above = ABOVE.get(metric)
    return values[metric] * (share(values, above) / 100 if above else 1)


def main():
    both = set()
    groups = "-g", "topdown_l1,topdown_backend"
    values = {place["place"]: {metric: cell["estimate"] for group in place["groups"].values()
                               for metric, cell in group.items()}
              for place in json.loads(n3stat("--json", *groups))["places"]}
    lines = n3stat("--color=always", *groups).splitlines()
    for i, line in enumerate(lines):
        if not line.startswith(" cpu"):
            continue
        for row in lines[i + 2:i + 4]:
            place, *cells = re.findall(r"\S+", row.replace("\033[31m", " RED"))
            cells = " ".join(cells).replace("RED ", "RED").split()
            for metric, cell in zip(line.split()[1:], cells):
                red = share(values[f"cpu{place}"], metric) > MUCH.get(metric, 100)
                both.add(red)
                assert ("RED" in cell) == red, (metric, row)
    assert both == {False, True}


main()

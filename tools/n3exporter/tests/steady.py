# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What bench and test of the rules share: machines whose totals grow steadily, ranges."""
import os
import re
import sys
import tempfile

import yaml

from prometheus import once
from series import REPLICATES, write

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests"))
import make_tree   # noqa: E402 # pylint: disable=wrong-import-position

KINDS = 8
PERIOD = 100  # the totals are those of this time in seconds
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600, "y": 365 * 24 * 3600}


def output(exporter, options, kind=0, cpus=1):
    """Return: its output with these options; the module was loaded in 1970."""
    with tempfile.TemporaryDirectory() as tree:
        make_tree.main([tree, f"--cpus={cpus}", f"--seed={kind}", "--no-quality",
                        f"--lean={sorted(make_tree.LEAN)[kind % len(make_tree.LEAN)]}"])
        for place in [f"{tree}/cpu{cpu}" for cpu in range(cpus)] + [f"{tree}/system"]:
            with open(f"{place}/counters/topdown_l1", encoding="ascii") as totals:
                keys = [line.split() for line in totals] + [["slices_total", "9999"]]
            # replicates differ a little
            write(f"{place}/counters/topdown_l1.replicates", "".join(
                f"r{nr}_{key} {int(value) // (REPLICATES + nr * (key == 'stall_slots_total'))}\n"
                for nr in range(REPLICATES) for key, value in keys))
            with open(f"{place}/counters/time", "a", encoding="ascii") as time:
                time.write("sampler_ns 10000000\n")
        write(f"{tree}/replicates", "1\n")
        write(f"{tree}/spec", "simulated 0\ncore N3\n")
        write(f"{tree}/status", "state sampling\nswitch direct\nversion 0.2\ncost 999\n")
        with open(f"{tree}/system/status", "a", encoding="ascii") as status:
            status.write("budget 6\n")
        return re.sub("(?m)^(n3_telemetry_start_time_seconds) .*", r"\1 0",
                      once(exporter, tree, *options))


def expressions(directory):
    """of its rules and alerts"""
    found = []
    for name in "rules", "alerts":
        with open(f"{directory}/{name}.yml", encoding="ascii") as text:
            found += [rule["expr"] for group in yaml.safe_load(text)["groups"]
                      for rule in group["rules"]]
    return found


def seconds(duration):
    return sum(int(nr) * UNITS[unit] for nr, unit in re.findall(r"(\d+)([a-z])", duration))


def ranges(texts):
    """Return: {(name, range, offset)} in seconds"""
    found = set()
    for name, text, offset in re.findall(
            r"([\w:]*)(?:\{[^{}]*\})?\[([^]]*)\](?: offset (\w+))?", "\n".join(texts)):
        assert ":" not in text, f"[{text}] is a range of an expression, which is not measured here"
        found.add((name, seconds(text), seconds(offset)))
    return found

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""make_selftest.py EVENTS.TSV [EVENT...] - a report of n3stat selftest with two CPUs; on the
second one, these events do not count."""

import json
import sys

events = [line.split("\t") for line in open(sys.argv[1]) if not line.startswith("#")]
dead = sys.argv[2:]
assert all(name in [event[1] for event in events] for name in dead)


def event_of(code, name, is_dead):
    counts = "PMU" in code[4] and name != "CHAIN"
    verdict = "does not count" if is_dead else "counts" if counts else "nothing here moves it"
    return {
        "name": name, "code": code[0].lower(), "verdict": verdict,
        "reason": {"does not count": "0 in 50 ms of what moves it", "counts": ""}.get(
            verdict, "no counter counts it"),
        "count": 4711 if verdict == "counts" else 0, "enabled_ns": 50000000,
        "running_ns": 50000000, "kernels": "stores", "named": True,
    }


def cpu_of(number, dead_here):
    listed = [event_of(event, event[1], event[1] in dead_here) for event in events]
    return {
        "cpu": number, "midr": "0x410fd8e1", "core": "Neoverse N3 r0p1",
        "pmu": "armv8_pmuv3_0", "counters": 6, "events": listed, "identities": [
            {"identity": "OP_RETIRED <= OP_SPEC", "outcome": "holds", "found": "2 and 3"}],
    }


print(json.dumps({
    "format": "n3stat selftest 1", "version": "0.2", "kernel": "6.1.0-test", "page_size": 65536,
    "guest": "KVM", "cpus": [cpu_of(0, []), cpu_of(5, dead)],
    "simulated": False,
}))

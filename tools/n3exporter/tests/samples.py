#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Samples that an evaluation of all rules and alerts loads for a machine.

samples.py PROGRAMS EXPORTER RULES

Prometheus counts them for each expression (totalQueryableSamples) on samples of a scrape and
evaluation interval of 15 s. The limits are half of the numbers that it prints after
	for name in rules alerts; do
		git show aeba214:tools/n3exporter/prometheus/$name.yml >RULES/$name.yml
	done
No range exceeds an hour.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

from http_clients import wait_until
from prometheus import fetch, prometheus, query
from series import parse
from steady import PERIOD, expressions, output, ranges

LIMITS = {(): 12465 / 2, ("--groups", "all", "--errors"): 19102 / 2}
INTERVAL = 15
SPAN = 12 * 60  # more than two windows
END = 1_700_000_000 // INTERVAL * INTERVAL


def fleet(exporter, options, machines):
    """Return: {series: (value at END, growth per second)}"""
    found = {}
    for nr in range(machines):
        labels = f'instance="m{nr}",job="n3"'
        found[f"up{{{labels}}}"] = 1, 0
        for name, text in parse(output(exporter, options, nr % 4)).items():
            name, _, others = name.strip("}").partition("{")
            value = float(text)
            found[f"{name}{{{others}{',' * bool(others)}{labels}}}"] = \
                value, value / PERIOD if name.endswith("_total") else 0
        # no machine is scraped twice
        found[f"n3_telemetry_start_time_seconds{{{labels}}}"] = nr, 0
    return found


def records(programs, rules, series):
    """Return: {series: (value, 0)} of the rules after SPAN, evaluated in order."""
    inputs = [{"series": name, "values":
               f"{value:.9f}+{growth * INTERVAL:.9f}x{SPAN // INTERVAL}"}
              for name, (value, growth) in series.items()]
    # expects no series, so promtool prints all
    expected = [{"expr": '{__name__=~".+:.+"}', "eval_time": f"{SPAN}s"}]
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as out:
        # JSON is YAML, too
        json.dump({"rule_files": [f"{os.path.abspath(rules)}/rules.yml"],
                   "evaluation_interval": f"{INTERVAL}s",
                   "tests": [{"interval": f"{INTERVAL}s", "input_series": inputs,
                              "promql_expr_test": expected}]}, out)
        out.flush()
        printed = subprocess.run([f"{programs}/promtool", "test", "rules", out.name], check=False,
                                 capture_output=True, text=True).stderr
    return {f"{name}{{{labels}}}": (float(value), 0) for name, labels, value in re.findall(
        r'\{__name__="([^"]*)",?([^}]*)\} (\S+?)(?:,|$)', printed.replace('", ', '",'), re.M)}


def make_blocks(programs, series, spans, directory):
    with open(f"{directory}/samples", "w", encoding="ascii") as out:
        for name, (value, growth) in series.items():
            span = max(SPAN, spans.get(name.partition("{")[0], 0))
            for at in range(END - span, END + 1, INTERVAL):
                out.write(f"{name} {value + growth * (at - END):.9f} {at}\n")
        out.write("# EOF\n")
    subprocess.run([f"{programs}/promtool", "tsdb", "create-blocks-from", "openmetrics", out.name,
                    f"{directory}/data"], check=True, stdout=subprocess.DEVNULL)


def loaded(programs, texts, data):
    """Return: number of samples at END."""
    nr = 0
    with prometheus(programs, "", data=data) as url:
        wait_until(lambda: query(url, f"up @ {END}"), "samples")
        for expr in texts:
            reply = fetch(f"{url}/api/v1/query?" + urllib.parse.urlencode(
                {"query": expr, "time": END, "stats": "all"}))
            nr += json.loads(reply)["data"]["stats"]["samples"]["totalQueryableSamples"]
    return nr


def main(programs, exporter, rules):
    texts = expressions(rules)
    spans = {name: length + offset for name, length, offset in sorted(
        ranges(texts), key=lambda item: item[1] + item[2])}
    wrong = [f"{name}[{length}s]" for name, length, _ in ranges(texts) if length > 3600]
    for options, limit in LIMITS.items():
        totals = {}
        for machines in 4, 8:
            series = fleet(exporter, options, machines)
            series.update(records(programs, rules, series))
            with tempfile.TemporaryDirectory() as directory:
                make_blocks(programs, series, spans, directory)
                totals[machines] = loaded(programs, texts, f"{directory}/data")
        nr = (totals[8] - totals[4]) / 4
        print(f"{nr:.0f} samples a machine and {totals[4] - 4 * nr:.0f} of job and fleet, "
              f"at most {limit:.0f} a machine: {' '.join(options) or 'default options'}",
              flush=True)
        if not 0 < nr <= limit:
            wrong.append(options)
    assert not wrong, wrong


if __name__ == "__main__":
    os.environ["NO_PROXY"] = "*"
    main(*sys.argv[1:])

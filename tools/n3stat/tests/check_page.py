#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_page.py DOM RECORDING

Holds a report, as a browser shows it (its document after the script has run),
against the recording, which is read here again: charts, means, the tree.
"""
import html
import json
import re
import sys


def check(condition, what):
    if not condition:
        sys.exit(what)


def read_recording(path):
    places, columns, rows, snapshots, last = [], [], {}, [], {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            word, *rest = line.split()
            if word == "places":
                places = rest
            elif word == "columns":
                columns = rest
            elif word == "t":
                rows = {}
            elif word == "end":
                snapshots.append(rows)
            elif word.isdigit():
                last[word] = last[word] if rest == ["="] else rest
                rows[places[int(word)]] = dict(zip(columns, last[word]))
    return places, columns, snapshots


def estimate(cell):
    """Of value:low:high:coverage:slices:estimate:low:high, or the value where that ends before."""
    parts = cell.split(":")
    text = parts[5] if len(parts) == 8 else parts[0]
    return float(text) if re.fullmatch(r"-?[0-9.]+", text) else None


def estimates(snapshots, place, column):
    return [estimate(row[place].get(column, "-")) for row in snapshots]


def mean(snapshots, place, column):
    numbers = [number for number in estimates(snapshots, place, column) if number is not None]
    return sum(numbers) / len(numbers) if numbers else None


def check_band(dom, snapshots, place):
    """The lowest band of the chart: from 100 % at y 10 to 0 % at y 270."""
    path = re.search(r'id="band-retiring"[^>]* d="M([^"L]*)', dom).group(1)
    drawn = [float(y) for y in path.split()[1::2]]
    wanted = [270 - 2.6 * number for number in estimates(snapshots, place, "topdown_l1.retiring")]
    check(len(drawn) == len(wanted) and
          all(abs(y - want) < 0.06 for y, want in zip(drawn, wanted)), f"{drawn} not {wanted}")


def check_heat(dom, snapshots, cpus, metric):
    """How many cells there are of each of the nine shades."""
    heat = re.search(rf'<g class="heat" data-metric="{metric}".*?</g>', dom, re.S).group(0)
    drawn = sorted(path.count("M") for path in re.findall(r' d="([^"]*)"', heat))
    shades = [int(min(max(number, 0), 99.9) * 9 / 100) for cpu in cpus
              for number in estimates(snapshots, cpu, f"topdown_l1.{metric}") if number is not None]
    wanted = sorted(shades.count(shade) for shade in set(shades))
    check(drawn == wanted, f"{metric}: cells of each shade {drawn} not {wanted}")


def main():
    with open(sys.argv[1], encoding="utf-8") as page:
        dom = page.read()
    places, columns, snapshots = read_recording(sys.argv[2])
    main_place = "system" if "system" in places else places[0]
    cpus = [p for p in places if p.startswith("cpu")]

    check(not re.search(r"""(?:src|href)=|url\((?!#|"?#|&quot;#)|https?://(?!www\.w3\.org)""", dom),
          "the page asks for something outside of it")
    for metric in ("frontend_bound", "backend_bound", "bad_speculation", "retiring"):
        path = re.search(rf'id="band-{metric}"[^>]* d="([^"]*)"', dom)
        check(path and path.group(1).startswith("M"), f"no band for {metric}")
        check("nan" not in path.group(1), f"{metric}: nan in the chart")
        check_heat(dom, snapshots, cpus, metric)
    check_band(dom, snapshots, main_place)
    check('id="estimates"' in dom, "not said what the numbers are")
    labels = re.findall(r"<text[^>]*>(cpu\d+)(?:-\d+)?</text>", dom)
    check(labels and labels[0] == cpus[0], f"rows of the heat map: {labels[:3]}")

    tree = re.search(r'<table id="tree">(.*?)</table>', dom, re.S).group(1)
    rows = re.findall(r'data-metric="(\w+)".*?</td><td>([^<]*)</td>', tree)
    check(len(rows) == 21, f"{len(rows)} rows in the tree")
    for metric, text in rows:
        column = next(c for c in columns if c.split(".")[1] == metric)
        number = mean(snapshots, main_place, column)
        if number is not None:
            check(abs(float(text.split()[0]) - number) < 0.006, f"{metric}: {text} not {number}")
    check(re.search(r'<tr class="path"[^>]*data-metric="(frontend_bound|backend_bound|'
                    r'bad_speculation|retiring)"', tree) or 'id="undetermined"' in dom,
          "no path is marked")
    if len(snapshots) > 1:
        span = re.search(r'<output id="span-text">([^<]*)<', dom)
        check(span and " s to " in span.group(1), "the script did not run")

    shown = 0
    for group, table in re.findall(r'<table class="group" data-group="([^"]*)">(.*?)</table>',
                                   dom, re.S):
        for name, text in re.findall(r"<tr><td>([^<]*)</td><td>([^<]*)</td>", table):
            column = f"{group}.{html.unescape(name)}"
            check(column in columns, f"{column} was not recorded")
            number = mean(snapshots, main_place, column)
            if number is not None:
                check(abs(float(text) - number) <= 0.0051, f"{name}: {text} not {number}")
            shown += 1
    check(shown == len(columns), f"{shown} of {len(columns)} values")
    table = re.search(r'<table id="places">(.*?)</table>', dom, re.S).group(1)
    check(len(re.findall(r"<tr><td>", table)) == len(places), "a row for each place")
    data = json.loads(re.search(r'id="data">([^<]*)<', dom).group(1))
    check(len(data["metrics"]) == 21, "the script's data")


main()

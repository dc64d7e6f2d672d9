#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_page.py DOM RECORDING

Compares a report in a browser (its document after the script has run) with the
recording: charts, means, the tree.
"""
import html
import json
import re
import sys

from digits import decimals_of
from recording_read import Recording


def check(condition, what):
    if not condition:
        sys.exit(what)


def estimate(cell):
    """Estimate, or else the value."""
    text = cell if isinstance(cell, str) else cell.get("estimate", cell["value"])
    return float(text) if re.fullmatch(r"-?[0-9.]+", text) else None


def estimates(snapshots, place, column):
    return [estimate(row[place].get(column, "-")) for row in snapshots]


def mean(snapshots, place, column):
    numbers = [number for number in estimates(snapshots, place, column) if number is not None]
    return sum(numbers) / len(numbers) if numbers else None


def is_rounded(text, number):
    """The page's numbers are rounded to about 0.001 before."""
    return abs(float(text) - number) <= 0.5 * 10 ** -decimals_of(text) + 0.001


BOX = re.compile(r"M(-?[\d.]+) (-?[\d.]+)H(-?[\d.]+)[Vv](-?[\d.]+)H-?[\d.]+z")


def check_band(dom, snapshots, place):
    """Values of the chart's lowest band: 100 % is y 0, 0 % is y 260."""
    chart = dom[dom.index('<div class="chart" id="topdown">'):]
    path = re.search(r'data-metric="retiring" d="([^"]*)"', chart).group(1)
    drawn = [float(top) for _, low, _, top in BOX.findall(path) if float(low) == 260]
    wanted = [260 - 2.6 * number for number in estimates(snapshots, place, "topdown_l1.retiring")]
    check(len(drawn) == len(wanted) and
          all(abs(y - want) < 0.06 for y, want in zip(drawn, wanted)), f"{drawn} not {wanted}")


def check_heat(dom, snapshots, cpus, metric):
    """Number of boxes of each shade: equal neighbours share one."""
    heat = re.search(r'<div class="chart" id="heat">.*?</svg>', dom, re.S).group(0)
    drawn = {name: d.count("M") for name, d in
             re.findall(r'<path class="([hw][-\w]*)" d="([^"]*)"', heat)}
    wanted = {}
    for cpu in cpus:
        shades = [f"h{int(min(max(number, 0), 99.9) / 10)}" if number is not None else "word"
                  for number in estimates(snapshots, cpu, f"topdown_l1.{metric}")]
        for i, shade in enumerate(shades):
            if shade != "word" and (i == 0 or shades[i - 1] != shade):
                wanted[shade] = wanted.get(shade, 0) + 1
    drawn = {name: nr for name, nr in drawn.items() if name[0] == "h"}
    check(drawn == wanted, f"{metric}: boxes of each shade {drawn} not {wanted}")


def main():
    with open(sys.argv[1], encoding="utf-8") as page:
        dom = page.read()
    recording = Recording(sys.argv[2])
    places, columns = recording.places, recording.columns
    snapshots = [snapshot["rows"] for snapshot in recording.snapshots()]
    main_place = "system" if "system" in places else places[0]
    cpus = [p for p in places if p.startswith("cpu")]

    check(not re.search(r"""(?:src|href)=|url\((?!#|"?#|&quot;#)|https?://(?!www\.w3\.org)""", dom),
          "the page asks for something outside of it")
    for metric in ("frontend_bound", "backend_bound", "bad_speculation", "retiring"):
        path = re.search(rf'data-metric="{metric}" d="([^"]*)"', dom)
        check(path and path.group(1).startswith("M"), f"no band for {metric}")
        check("nan" not in path.group(1).lower(), f"{metric}: nan in the chart")
    check_heat(dom, snapshots, cpus, "backend_bound")
    check_band(dom, snapshots, main_place)
    check('id="estimates"' in dom, "not said what the numbers are")
    labels = re.findall(r"<span style=\"top:[^>]*>(cpu\d+)(?:-\d+)?</span>", dom)
    check(labels == cpus, f"rows of the heat map: {labels}")

    tree = re.search(r'<table id="tree">(.*?)</table>', dom, re.S).group(1)
    rows = re.findall(r'data-metric="(\w+)".*<td>([^<]*)</td></tr>', tree)
    check(len(rows) == 21, f"{len(rows)} rows in the tree")
    for metric, text in rows:
        column = next(c for c in columns if c.split(".")[1] == metric)
        number = mean(snapshots, main_place, column)
        if number is not None:
            check(is_rounded(text.split()[0], number), f"{metric}: {text} not {number}")
    check(re.search(r'<tr class="named"[^>]*data-metric="(frontend_bound|backend_bound|'
                    r'bad_speculation|retiring)"', tree),
          "the answer is not marked")
    check('<output id="span-text">whole recording<' in dom, "the script did not run")

    shown = 0
    for group, table in re.findall(r'<table class="group" data-group="([^"]*)">(.*?)</table>',
                                   dom, re.S):
        for name, text in re.findall(r"<tr><td>([^<]*)</td><td>([^<]*)</td>", table):
            column = f"{group}.{html.unescape(name)}"
            check(column in columns, f"{column} was not recorded")
            number = mean(snapshots, main_place, column)
            if number is not None:
                check(is_rounded(text, number), f"{name}: {text} not {number}")
            shown += 1
    check(shown == len(columns), f"{shown} of {len(columns)} values")
    table = re.search(r'<table id="places">(.*?)</table>', dom, re.S).group(1)
    check(len(re.findall(r"<tr[^>]*><td>", table)) == len(places), "a row for each place")
    data = json.loads(re.search(r'id="data">([^<]*)<', dom).group(1))
    check(len(data["lines"]) == sum(len(cells) for cells in snapshots[0].values()),
          "the script's data")


main()

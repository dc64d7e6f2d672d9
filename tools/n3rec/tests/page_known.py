# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Recordings of known numbers and their pages, for page_use.py and page_look.py.

Both are called as PROGRAM N3STAT DIR and print a line for each check: 0 or 1 and its name; the
reason of a failure goes to stderr.
"""
import math
import os
import re
import subprocess
import sys

from browser import Browser
from digits import decimals_of
from recording_read import pack

HERE = os.path.dirname(os.path.abspath(__file__))
N3STAT, DIR = sys.argv[1:]
LEVEL_1 = ("frontend_bound", "backend_bound", "bad_speculation", "retiring")
LONG, OUTLIER = 3600, 1800
CHECKS = []
STEPS = {0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800}


def check(name):
    def add(function):
        CHECKS.append((name, function))
        return function
    return add


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def near(have, want, by, what):
    expect(abs(have - want) <= by, f"{what}: {have}, not {want}")


def write(name, places, columns, rows, about="", window=2000):
    """rows: (time, {place: [cell, ...]}) of each snapshot; other places are unchanged."""
    path = f"{DIR}/{name}.rec"
    lines = ["n3stat-recording 1", f"about window_ms {window}", *about.splitlines(),
             f"places {' '.join(places)}", f"columns {' '.join(columns)}"]
    for time, cells in rows:
        lines.append(f"t {time}")
        lines += (" ".join((str(i), *map(str, cells[place]))) for i, place in enumerate(places)
                  if place in cells)
        lines.append("end")
    with open(path, "wb") as out:
        out.write(pack(lines))
    return path


def page_of(recording, *options):
    page = f"{recording[:-4]}{len(options)}.html"
    subprocess.run((N3STAT, "report", "-o", page, *options, recording), check=True)
    return page


def long_cell(place, column, i):
    """Value of a snapshot of the long recording: a number or a word."""
    if place == "cpu3" and 900 <= i < 1200:
        return "idle"
    if place == "cpu3" and 2400 <= i < 2700:
        return "offline"
    if place == "cpu1" and 100 <= i < 150:
        return "contended"
    if place == "cpu1" and 200 <= i < 300:
        return "disabled"
    if place == "cpu0" and 3000 <= i < 3100:
        return "stale"
    if place == "cpu2" and i == OUTLIER:
        return {"bad_speculation": 94, "ipc": 0.1}.get(column, 2)
    base = {"frontend_bound": 15, "backend_bound": 45, "bad_speculation": 5, "retiring": 35,
            "ipc": 1.5}[column]
    return base + (i % 7 - 3) * (0.01 if column == "ipc" else 0.1)


def text_of(value, half=0.5):
    """With few decimals, as half widths above 128 units of the last one are rounded."""
    if isinstance(value, str):
        return value
    digits = max(decimals_of(f"{x:.3f}".rstrip("0")) for x in (value, half))
    low, high = value - half, value + half
    return f"{value:.{digits}f}:{low:.{digits}f}:{high:.{digits}f}:48.5:48"


def make_long():
    columns = [f"topdown_l1.{metric}" for metric in LEVEL_1] + ["general.ipc"]
    names = [column.split(".")[1] for column in columns]
    places = ["cpu0", "cpu1", "cpu2", "cpu3", "node0", "system"]
    return write("long", places, columns,
                 ((1000 + 2 * i, {place: [text_of(long_cell(place, name, i)) for name in names]
                                  for place in places}) for i in range(LONG)),
                 "about interval 2\n")


def numbers(place, column, first, last):
    cells = [long_cell(place, column, i) for i in range(first, last + 1)]
    return [cell for cell in cells if not isinstance(cell, str)]


def boxes(browser, selector):
    """Bounding box (left, top, right, bottom) of a path."""
    d = browser.js(f"[...document.querySelectorAll({selector!r})].map(p => p.getAttribute('d'))"
                   ".join('')")
    return [(float(a), min(float(b), float(e)), float(c), max(float(b), float(e)))
            for a, b, c, e in re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H[\d.]+z", d)]


def seconds(text):
    """Seconds of a text such as 12.5 s, 1:05 or 1:00:05."""
    if text.endswith(" s"):
        return float(text[:-2])
    total = 0
    for part in text.split(":"):
        total = 60 * total + float(part)
    return total


def check_ticks(browser, selector, first, last):
    texts = browser.js(f"[...document.querySelectorAll({selector!r} + ' .times span')]"
                       ".map(s => s.textContent)")
    times = [seconds(text) for text in texts]
    gaps = {round(b - a, 3) for a, b in zip(times, times[1:])}
    shape = {re.sub(r"\d+", "0", text) for text in texts}
    expect(3 <= len(times) <= 11, f"{selector}: {texts}")
    expect(len(gaps) == 1 and gaps <= STEPS, f"{selector}: not round: {texts}")
    expect(len(shape) == 1, f"{selector}: two formats: {texts}")
    expect(times[0] >= first - 1e-6 and times[-1] <= last + 1e-6, f"{selector}: {texts}")
    expect(abs(math.remainder(times[0], gaps.pop())) < 1e-6, f"{selector}: {texts}")
    return times


def spec_columns(nr_groups):
    path = f"{HERE}/../../../selftests/spec/groups.tsv"
    with open(path, encoding="ascii") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line[0] != "#"]
    return [f"{row[0].lower()}.{metric}"
            for row in rows[:nr_groups] for metric in row[5].split(",")]


def tree_rows(browser):
    return browser.js("[...document.querySelectorAll('#tree tbody tr')].map(r => [r.className, "
                      "...[...r.cells].slice(0, 3).map(c => c.textContent)])")


def said(browser):
    return browser.js("[...document.querySelectorAll('#answer, #losses, p.advice')].filter("
                      "p => !p.hidden).map(p => p.textContent).join('|')")


def run():
    with Browser() as browser:
        for name, function in CHECKS:
            browser.events = []
            try:
                function(browser)
                expect(not browser.errors(), browser.errors())
                print(0, name, flush=True)
            except (AssertionError, RuntimeError, TypeError, ValueError, IndexError, KeyError,
                    StopIteration, AttributeError, subprocess.CalledProcessError) as error:
                print(1, name, flush=True)
                print(f"{name}: {type(error).__name__} {error}", file=sys.stderr)


RECORDING = make_long()
PAGE = page_of(RECORDING)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""page_use.py N3STAT DIR - uses pages of known recordings as a reader would.

Prints a line for each check: 0 or 1 and its name; why it failed goes to stderr. Numbers
are held against the recordings, which are made here; colours are computed.
"""
import math
import os
import random
import re
import statistics
import subprocess
import sys

from browser import Browser, pixels

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


def write(name, places, columns, rows, about=""):
    """rows: (time, {place: [cell, ...]}) of each snapshot."""
    path = f"{DIR}/{name}.rec"
    with open(path, "w", encoding="ascii") as out:
        print(f"n3stat-recording 1\nabout window_ms 2000\n{about}places {' '.join(places)}\n"
              f"columns {' '.join(columns)}", file=out)
        for time, cells in rows:
            print(f"t {time}", file=out)
            for i, place in enumerate(places):
                print(i, *cells[place], file=out)
            print("end", file=out)
    return path


def page_of(recording, *options):
    page = f"{recording[:-4]}{len(options)}.html"
    subprocess.run((N3STAT, "report", "-o", page, *options, recording), check=True)
    return page


def long_cell(place, column, i):
    """What a snapshot of the long recording has: a number, or a word."""
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
    return value if isinstance(value, str) else \
        f"{value:.4f}:{value - half:.4f}:{value + half:.4f}:48.5:48"


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
    """(left, top, right, bottom) of what a path draws."""
    d = browser.js(f"[...document.querySelectorAll({selector!r})].map(p => p.getAttribute('d'))"
                   ".join('')")
    return [(float(a), min(float(b), float(e)), float(c), max(float(b), float(e)))
            for a, b, c, e in re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H[\d.]+z", d)]


def seconds(text):
    """Of 12.5 s, 1:05 or 1:00:05."""
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
    shape = {re.sub(r"\d+", "0", re.sub(r"\.\d", "", text)) for text in texts}
    expect(3 <= len(times) <= 11, f"{selector}: {texts}")
    expect(len(gaps) == 1 and gaps <= STEPS, f"{selector}: not round: {texts}")
    expect(len(shape) == 1, f"{selector}: two formats: {texts}")
    expect(times[0] >= first - 1e-6 and times[-1] <= last + 1e-6, f"{selector}: {texts}")
    expect(abs(math.remainder(times[0], gaps.pop())) < 1e-6, f"{selector}: {texts}")
    return times


@check("report: without scripts the page shows all of the recording, and the extremes")
def without_scripts(browser):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.look()
        browser.open(PAGE)
        picture = browser.picture(f"{DIR}/plain.png")
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    # the outlier, in a map that is there without a script: one box of the last shade
    heat = text[text.index('id="heat-bad_speculation"'):].split("</svg>")[0]
    last = re.findall(r'<path class="h9" d="([^"]*)"', heat)
    expect(len(last) == 1 and last[0].count("M") == 1, f"the outlier's cell: {last}")
    expect("the largest of up to 30 snapshots" in text, "not said what a cell is")
    expect("the pale band reaches from the smallest" in text, "not said what a band is")
    seen = {pixel for row in pixels(picture)[::3] for pixel in row[::3]}
    expect({(10, 97, 63), (190, 108, 156), (251, 174, 41), (0, 65, 116)} <= seen,
           "not all four colours of the chart")
    expect({"w-idle", "w-offline", "w-contended", "w-disabled", "w-other"} <=
           set(re.findall(r'<path class="(w-\w+)"', text)), "words in the map")


@check("report: one snapshot of 94 % is seen in the whole recording's charts")
def outlier(browser):
    browser.look()
    browser.open(PAGE)
    browser.js("n3stat.choose('cpu2', 0, 3599)")
    tops = boxes(browser, "#extremes-bad_speculation .extremes")
    # the band's picture is 56 high: 94 % at 3.36; the mean of 12 snapshots is far below
    near(min(top for _, top, _, _ in tops), 56 * 0.06, 0.06, "the band's top")
    browser.choose("#heat-choose", browser.js("column_of('bad_speculation')"))
    dark = browser.js("document.querySelector('#heat .h9').getAttribute('d')")
    expect(dark.count("M") == 1, f"cells above 90 %: {dark}")
    browser.choose("#heat-by", "mean")
    expect(not browser.js("!!document.querySelector('#heat .h9')"), "the mean is not above 90 %")
    expect("shade of the mean of" in browser.js("document.getElementById('heat-note').textContent"),
           "not said that cells are means")


@check("report: dragging over a chart chooses a span, down to a single snapshot")
def zoom(browser):
    browser.look()
    browser.open(PAGE)
    browser.drag("#topdown .plot", 0.49, 0.51)
    first, last = browser.js("[state.from, state.to]")
    near(first, 0.49 * LONG, 4, "from")
    near(last, 0.51 * LONG, 4, "to")
    check_ticks(browser, "#topdown", 2 * first, 2 * last + 2)
    browser.js(f"n3stat.choose('cpu2', {OUTLIER - 5}, {OUTLIER + 4})")
    browser.drag("#heat .plot", 0.52, 0.58)
    expect(browser.js("[state.from, state.to]") == [OUTLIER, OUTLIER], "a single snapshot")
    drawn = boxes(browser, "#topdown [data-metric=bad_speculation]")
    near(drawn[0][3] - drawn[0][1], 2.6 * 94, 0.2, "its height")
    expect("1 snapshot" in browser.js("document.getElementById('tree-head').textContent"), "head")
    browser.js("document.getElementById('back').click()")
    browser.js("shown")
    expect(browser.js("state.to - state.from") == 9, "back")
    browser.js("document.getElementById('whole').click()")
    browser.js("shown")
    expect(browser.js("[state.from, state.to]") == [0, LONG - 1], "the whole recording")


@check("report: a pointer over a chart shows value, error and time")
def hover(browser):
    browser.look()
    browser.open(PAGE)
    browser.js(f"n3stat.choose('cpu2', {OUTLIER - 5}, {OUTLIER + 4})")
    for chart, down, wanted in (
            ("topdown", 0.5, ("cpu2 1:00:00", "Bad speculation 94.00 ± 0.50 %slots")),
            ("extremes-retiring", 0.5, ("cpu2 1:00:00", "Retiring 2.00 ± 0.50 %slots")),
            ("heat", 2.5 / 4, ("1:00:00", "cpu2 2.00 ± 0.50 %slots")),
            ("metric", 0.5, ("ipc 0.1000 ± 0.5000 /cycle",))):
        browser.js(f"document.getElementById('{chart}').scrollIntoView({{ block: 'center' }})")
        x, y, width, height = browser.box(f"#{chart} .plot")
        browser.mouse("mouseMoved", x + width * 0.55, y + height * down)
        tip = browser.js("document.getElementById('tip').hidden ? '' : "
                         "document.getElementById('tip').textContent")
        expect(all(text in tip for text in wanted), f"{chart}: {tip!r}")
    browser.js("n3stat.choose('cpu3', 890, 1210)")
    browser.js("document.getElementById('heat').scrollIntoView({ block: 'center' })")
    x, y, width, height = browser.box("#heat .plot")
    browser.mouse("mouseMoved", x + width * 0.5, y + height * 3.5 / 4)
    tip = browser.js("document.getElementById('tip').textContent")
    expect("cpu3 idle" in tip, f"an idle CPU: {tip!r}")


@check("report: axes have round times in one format, and values from 0 on")
def axes(browser):
    browser.look()
    browser.open(PAGE)
    for first, last in ((0, 3599), (0, 9), (7, 31), (100, 399), (1000, 2799), (1800, 1800),
                        (17, 1234), (3000, 3003)):
        browser.js(f"n3stat.choose('cpu0', {first}, {last})")
        for chart in ("#topdown", "#heat", "#metric"):
            check_ticks(browser, chart, 2 * first, 2 * last + 2)
    for chart in ("topdown", "metric", "extremes-retiring"):
        lowest = browser.js(f"[...document.querySelectorAll('#{chart} .values span')]"
                            ".find(s => s.style.top === '100%').textContent")
        expect(lowest in ("0", "0 %"), f"{chart} begins at {lowest}")
    browser.js("n3stat.choose('cpu0', 0, 3599)")
    times = check_ticks(browser, "#topdown", 0, 7200)
    expect(times[0] == 0 and times[1] == 900 and times[-1] == 7200, f"{times}")


@check("report: tables and tree are of the chosen place and span, and say so")
def tables(browser):
    browser.look()
    browser.open(PAGE)
    for place, first, last in (("cpu2", 1795, 1805), ("cpu3", 880, 2500), ("node0", 0, 3599)):
        browser.js(f"n3stat.choose('{place}', {first}, {last})")
        for head in ("tree-head", "values-head", "topdown-head"):
            text = browser.js(f"document.getElementById('{head}').textContent")
            whole = (first, last) == (0, LONG - 1)
            expect(f": {place}, " in text, text)
            expect(("whole recording" if whole else f", {last - first + 1} snapshots") in text, text)
        rows = browser.js("[...document.querySelectorAll('#groups-part tbody tr')].map("
                          "r => [...r.cells].map(c => c.textContent))")
        expect([row[0] for row in rows] == [*LEVEL_1, "ipc"], f"{rows}")
        for name, mean, _, low, high, _, nr, _ in rows:
            values = numbers(place, name, first, last)
            digits = 1e-4 if name == "ipc" else 1e-2
            near(float(mean), statistics.fmean(values), digits, f"{place} {name}")
            near(float(low), min(values), digits, f"{place} {name} min")
            near(float(high), max(values), digits, f"{place} {name} max")
            expect(int(nr) == len(values), f"{place} {name}: {nr} snapshots")
        cells = browser.js("[...document.querySelectorAll('#places tbody tr')].map("
                           "r => [...r.cells].map(c => c.textContent))")
        expect([row[0] for row in cells] == ["cpu0", "cpu1", "cpu2", "cpu3", "node0", "system"],
               f"{cells}")
        near(float(cells[2][3].split()[0]),
             statistics.fmean(numbers("cpu2", "bad_speculation", first, last)), 0.01, "cpu2")
    browser.js("n3stat.choose('cpu3', 2400, 2600)")
    expect("offline" in browser.js("document.querySelector('#places tbody').rows[3].textContent"),
           "an offline CPU")


@check("report: the map tells idle, offline and contended apart, with a legend")
def words(browser):
    browser.look()
    browser.open(PAGE)
    legend = browser.js("[...document.querySelectorAll('#heat-legend span')].map("
                        "s => [s.textContent, s.firstElementChild && s.firstElementChild.className])")
    for word, row, first, last in (("idle", 3, 900, 1200), ("offline", 3, 2400, 2700),
                                   ("contended", 1, 100, 150), ("disabled", 1, 200, 300),
                                   ("stale", 0, 3000, 3100)):
        kind = word if word != "stale" else "other"
        expect([word, f"w-{kind}"] in legend, f"{legend}")
        browser.js("n3stat.choose('system', 0, 3599)")
        d = browser.js(f"document.querySelector('#heat .w-{kind}').getAttribute('d')")
        left, top, right = map(float, re.match(r"M([\d.]+) ([\d.]+)H([\d.]+)", d).groups())
        near(left, first / 3.6, 6, f"{word} begins")
        near(right, last / 3.6, 6, f"{word} ends")
        expect(top == 20 * row, f"{word}: {top}")
    styles = {browser.js(f"(s => s.fill + s.background)(getComputedStyle(document.querySelector("
                         f"'#heat-legend .w-{word}')))") for word in ("idle", "offline", "contended", "disabled",
                                                        "other")}
    expect(len(styles) == 5, f"{styles}")


def spec_columns(nr_groups):
    path = f"{HERE}/../../../selftests/spec/groups.tsv"
    with open(path, encoding="ascii") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line[0] != "#"]
    return [f"{row[0].lower()}.{metric}" for row in rows[:nr_groups] for metric in row[5].split(",")]


def tree_rows(browser):
    return browser.js("[...document.querySelectorAll('#tree tbody tr')].map(r => [r.className, "
                      "...[...r.cells].slice(0, 3).map(c => c.textContent)])")


def said(browser):
    return browser.js("[...document.querySelectorAll('p.end, #undetermined, #path')].filter("
                      "p => !p.hidden).map(p => p.textContent).join('|')")


@check("report: the tree of any CPU and span is that of a recording of that alone")
def tree(browser):
    rng = random.Random(4)
    columns, rows = spec_columns(3), []
    means = {place: [rng.uniform(5, 90) for _ in columns] for place in ("cpu0", "cpu7", "system")}
    for i in range(14):
        rows.append((100 + 2 * i, {place: [text_of(round(mean + rng.uniform(-4, 4), 3),
                                                   round(rng.uniform(0.1, 3), 3))
                                           for mean in means[place]] for place in means}))
    many = page_of(write("many", list(means), columns, rows))
    alone = write("alone", ["cpu7"], columns, rows)
    browser.look()
    for first, last in ((0, 13), (2, 9), (5, 5)):
        one = page_of(alone, "--from", str(2 * first), "--to", str(2 * last))
        browser.open(one)
        wanted, end = tree_rows(browser), said(browser)
        browser.open(many)
        browser.js(f"n3stat.choose('cpu7', {first}, {last})")
        have = tree_rows(browser)
        expect(len(have) == len(wanted) == 21, f"{len(have)} rows")
        for mine, theirs in zip(have, wanted):
            expect(mine[:2] == theirs[:2], f"{mine} {theirs}")
            for a, b in zip(mine[2:], theirs[2:]):
                near(*(float(re.search(r"[\d.]+", text)[0]) for text in (a, b)), 0.011, mine[1])
        # the number of the CPU in the command
        expect(said(browser).replace("-C 7", "-a") == end, f"{said(browser)} not {end}")
        expect("Find the code" not in end or "-C 7" in said(browser), said(browser))


@check("report: any recorded metric of any place can be shown over time")
def metric(browser):
    browser.look()
    browser.open(PAGE)
    browser.js("n3stat.choose('cpu2', 1796, 1805)")
    options = browser.js("[...document.querySelectorAll('#metric-choose option')].map("
                         "o => o.textContent)")
    expect(options == [*LEVEL_1, "ipc"], f"{options}")
    for name, top in (("bad_speculation", 100), ("ipc", 2)):
        browser.choose("#metric-choose", browser.js(f"column_of('{name}')"))
        d = browser.js("document.querySelector('#metric .mean').getAttribute('d')")
        drawn = [180 - float(y) for y in re.findall(r"(?:M[\d.]+ |V)([\d.]+)", d)]
        wanted = [180 * value / top for value in numbers("cpu2", name, 1796, 1805)]
        expect(len(drawn) == len(wanted), f"{name}: {drawn}")
        for have, want in zip(drawn, wanted):
            near(have, want, 0.06, name)
        expect(f"{name} of cpu2" in browser.js("document.getElementById('metric-name').textContent"),
               "its name")


@check("report: what the page has in bins says so, with the command for single snapshots")
def bins(browser):
    page = page_of(RECORDING, "--cells", "0")
    browser.look()
    browser.open(page)
    browser.js("n3stat.choose('cpu2', 1795, 1805)")
    command = "n3stat report --from 3589.99 --to 3610.01 -o span.html"
    for note in ("extremes-note", "heat-note", "metric-note", "coarse"):
        text = browser.js(f"(e => e.hidden ? '' : e.textContent)(document.getElementById('{note}'))")
        expect(command in text, f"{note}: {text!r}")
        expect("bins of 6 snapshots" in text, f"{note}: {text!r}")
    browser.choose("#metric-choose", browser.js("column_of('retiring')"))
    expect("mean of up to 6 snapshots" in browser.js(
        "document.getElementById('metric-note').textContent"), "what a point is")
    # bins of 6: the span touches those from 1794 to 1805
    row = browser.js("[...document.querySelectorAll('#groups-part tbody tr')].map("
                     "r => [...r.cells].map(c => c.textContent))")[2]
    values = numbers("cpu2", "bad_speculation", 1794, 1805)
    expect(row[0] == "bad_speculation ≈" and int(row[6]) == 12, f"{row}")
    near(float(row[1]), statistics.fmean(values), 0.02, "mean")
    near(float(row[3]), min(values), 0.02, "min")
    near(float(row[4]), max(values), 0.02, "max")
    spread = 2.201 * statistics.stdev(values) / math.sqrt(12)
    near(float(row[2].split()[1]), spread, 0.05, "error")
    browser.js("n3stat.choose('cpu2', 1794, 1805)")
    expect(browser.js("document.getElementById('coarse').hidden"), "the span is of whole bins")
    # and the command does what it says
    text = subprocess.run((N3STAT, "report", "--from", "3589.99", "--to", "3610.01", "-o", "-",
                           RECORDING), capture_output=True, text=True, check=True).stdout
    expect("<dt>Snapshots</dt><dd>11</dd>" in text and "A point is one snapshot" in text, "command")


@check("report: says what was not recorded, and shows what was")
def not_recorded(browser):
    rows = [(10 + 1.14 * i, {"cpu0": [text_of(1 + i / 100, 0.1)], "system": [text_of(2, 0.1)]})
            for i in range(20)]
    page = page_of(write("ipc", ["cpu0", "system"], ["general.ipc"], rows, "about interval 0.5\n"))
    browser.look()
    browser.open(page)
    text = browser.js("document.body.innerText")
    expect("Topdown level 1 was not recorded" in text, "not said")
    expect(not browser.js("!!document.getElementById('topdown')"), "an empty chart")
    expect(browser.js("document.querySelectorAll('#heat path[class^=h]').length") > 0, "no map")
    expect(browser.js("document.querySelector('#metric .mean').getAttribute('d').length") > 9,
           "no ipc")
    expect("reached 1.14 s, asked 0.5 s" in text, "what the recorder reached")
    expect("The recorder fell behind" in text, "that it fell behind")
    browser.open(PAGE)
    text = browser.js("document.body.innerText")
    expect("Interval\n2 s" in text and "fell behind" not in text, "an interval that was kept")
    part = page_of(write("part", ["cpu0"], ["topdown_l1.retiring", "topdown_l1.backend_bound"],
                         [(1 + i, {"cpu0": [text_of(25.0), text_of(60.0)]}) for i in range(3)]))
    browser.open(part)
    expect("Of Topdown level 1 these were not recorded: frontend_bound, bad_speculation." in
           browser.js("document.body.innerText"), "a part of level 1")
    drawn = browser.js("[...document.querySelectorAll('#topdown-part .mean')].map("
                       "p => p.getAttribute('d'))")
    expect(len(drawn) == 2 and drawn[0].startswith("M0.0 22.4H"), f"{drawn}")
    level_1 = page_of(write("level1", ["cpu0"], [f"topdown_l1.{m}" for m in LEVEL_1],
                            [(1, {"cpu0": [text_of(25.0)] * 4})]))
    browser.open(level_1)
    rows = tree_rows(browser)
    expect(["", "backend_mem_bound", "not recorded", ""] in rows, f"{rows}")


@check("report: an error larger than what is possible is none, in C and in the script")
def impossible(browser):
    # value, half width, and what is shown of the error; one and two snapshots, no overlap
    cases = ((22.1, 103.9, "none"), (50, 49.9, "± 49.90"), (50, 50, "none"), (50, 60, "none"),
             (5, 94.9, "± 94.90"), (5, 96, "none"), (95, 99, "none"), (120, 99.9, "± 99.90"),
             (120, 100, "none"))
    for value, half, wanted in cases:
        path = write("wide", ["cpu0", "cpu1"], [f"topdown_l1.{m}" for m in LEVEL_1] + ["general.ipc"],
                     [(1, {place: [text_of(value, half)] * 5 for place in ("cpu0", "cpu1")})])
        browser.open(page_of(path))
        for place in ("cpu0", "cpu1"):
            browser.js(f"n3stat.choose('{place}', 0, 0)")
            row = next(row for row in tree_rows(browser) if row[1] == "retiring")
            expect(row[3] == wanted, f"{place}: {value} ± {half}: {row}")
            group = browser.js("[...document.querySelectorAll('#groups-part tbody tr')].map("
                               "r => r.cells[2].textContent)")
            expect(group[3] == wanted, f"{place}: {value} ± {half}: {group}")
            # of what is no percentage nothing is known to be impossible
            expect(group[4] == f"± {half:.4f}", f"ipc: {group}")


@check("report: a browser that cannot unpack says so, and shows the whole recording")
def cannot_unpack(browser):
    script = browser.call("Page.addScriptToEvaluateOnNewDocument",
                          source="delete window.DecompressionStream")["identifier"]
    try:
        browser.look()
        browser.open(PAGE)
        text = browser.js("document.getElementById('controls').innerText")
        expect("This browser cannot show spans" in text, text)
        expect(browser.js("document.querySelectorAll('#topdown .band').length") == 4, "no chart")
        expect(len(tree_rows(browser)) == 21, "no tree")
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


@check("report: says on a terminal how far it is, and nothing elsewhere")
def progress(_):
    master, slave = os.openpty()
    said_there = b""
    with subprocess.Popen((N3STAT, "report", "-o", f"{DIR}/tty.html", RECORDING),
                          stderr=slave) as process:
        os.close(slave)
        try:
            while part := os.read(master, 1 << 16):
                said_there += part
        except OSError:
            pass    # Linux says so when the other end is closed
    os.close(master)
    expect(process.returncode == 0, "it failed")
    said_there = said_there.decode()
    expect("\rread 20 snapshots" in said_there and "\rread 3600 snapshots" in said_there and
           said_there.endswith("\r\033[K"), repr(said_there[-60:]))
    quiet = subprocess.run((N3STAT, "report", "-o", f"{DIR}/tty.html", RECORDING),
                           capture_output=True, check=True)
    expect(not quiet.stderr, quiet.stderr)


@check("report: a recording of one snapshot is shown")
def single(browser):
    page = page_of(RECORDING, "--from", "3600", "--to", "3600")
    browser.look()
    browser.open(page)
    expect(not browser.errors(), browser.errors())
    drawn = boxes(browser, "#topdown [data-metric=retiring]")
    expect(drawn == [(0, drawn[0][1], 1000, 260)], f"{drawn}")
    check_ticks(browser, "#topdown", 3600, 3602)
    browser.js("n3stat.choose('cpu2', 0, 0)")
    near(boxes(browser, "#topdown [data-metric=bad_speculation]")[0][1], 260 - 2.6 * 96, 0.2, "cpu2")


def luminance(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


# Of linear red, green, blue: Machado, Oliveira and Fernandes (2009), severity 1
BLIND = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}


def seen_by(colour, matrix):
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4
              for p in (part / 255 for part in colour)]
    mixed = [min(max(sum(m * p for m, p in zip(row, linear)), 0), 1) for row in matrix]
    return tuple(255 * (12.92 * p if p <= 0.0031308 else 1.055 * p ** (1 / 2.4) - 0.055)
                 for p in mixed)


def colour(browser, selector, of="backgroundColor"):
    text = browser.js(f"getComputedStyle(document.querySelector({selector!r})).{of}")
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


@check("report: bands and shades differ in lightness, for all kinds of eyes, in both schemes")
def colours(browser):
    backs = []
    for scheme in ("light", "dark"):
        browser.look(scheme=scheme)
        browser.open(PAGE)
        back = colour(browser, "body")
        backs.append(back)
        bands = [colour(browser, f".legend .l{i}") for i in range(4)]
        shades = [colour(browser, f"#heat-legend .h{i}") for i in range(10)]
        for eyes, see in (("all", lambda c: c), *((name, lambda c, m=matrix: seen_by(c, m))
                                                 for name, matrix in BLIND.items())):
            for i, (a, b) in enumerate(zip(bands, bands[1:])):
                far = contrast(see(a), see(b))
                expect(far >= 1.4, f"{scheme}, {eyes}: bands {i} and {i + 1}: {far:.2f}")
        for a in bands:
            expect(contrast(a, back) >= 1.4, f"{scheme}: {a} on {back}")
        for i, (a, b) in enumerate(zip(shades, shades[1:])):
            expect(contrast(a, b) >= 1.2, f"{scheme}: shades {i} and {i + 1}")
        for selector in ("body", ".facts dt", ".bins", "td.unit", ".note, .name", "select"):
            text = colour(browser, selector, "color")
            expect(contrast(text, back) >= 4.5, f"{scheme}: {selector}: {text} on {back}")
        expect(contrast(colour(browser, ".mean", "stroke"), back) >= 3, f"{scheme}: the line")
    expect(luminance(backs[0]) > 0.9 and luminance(backs[1]) < 0.05, f"{backs}")


CUT = """[...document.querySelectorAll('body *')].filter(e => !e.closest('.wide, svg, select, #tip')
    && e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 0.5)
    .map(e => e.tagName + '.' + e.className + '#' + e.id)"""
OVERLAP = """[...document.querySelectorAll('.times')].flatMap(t => {
    const boxes = [...t.children].filter(e => e.getClientRects().length)
        .map(e => e.getBoundingClientRect());
    return boxes.slice(1).filter((b, i) => b.left < boxes[i].right + 2).map(() => t.textContent);
})"""


@check("report: at 1280 and 390 pixels, light and dark, nothing is cut off")
def widths(browser):
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            browser.look(width=width, scheme=scheme)
            browser.open(PAGE)
            for place, first, last in (("system", 0, 3599), ("cpu3", 880, 920)):
                browser.js(f"n3stat.choose('{place}', {first}, {last})")
                expect(browser.js("document.documentElement.scrollWidth") <= width, "scrolls")
                cut = browser.js(CUT)
                expect(not cut, f"{width}, {scheme}: cut off: {cut}")
                overlap = browser.js(OVERLAP)
                expect(not overlap, f"{width}: times overlap: {overlap}")
            small = browser.js("Math.min(...[...document.querySelectorAll('.values span, "
                               ".times span, td, p')].map(e => parseFloat("
                               "getComputedStyle(e).fontSize)))")
            expect(small >= 10, f"{width}: text of {small} pixels")
            picture = pixels(browser.picture(f"{DIR}/{width}{scheme}.png"))
            expect(len(picture[0]) == width, "the picture's width")
            seen = {pixel for row in picture[::2] for pixel in row[::2]}
            for i in range(4):
                expect(colour(browser, f".legend .l{i}") in seen, f"{width}, {scheme}: band {i}")


@check("report: headings of tables stay on the screen")
def sticky(browser):
    # a table of many places
    columns = [f"topdown_l1.{metric}" for metric in LEVEL_1]
    places = [f"cpu{i}" for i in range(150)] + ["system"]
    page = page_of(write("wide", places, columns, [
        (1 + i, {place: [text_of(25.0)] * 4 for place in places}) for i in range(2)]))
    for width in (1280, 390):
        browser.look(width=width)
        browser.open(page)
        browser.js("(row => row.scrollIntoView({ block: 'center' }))("
                   "document.querySelector('#places').tBodies[0].rows[100])")
        browser.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        top, bottom = browser.js("(h => [h.top, h.bottom])(document.querySelector('#places th')"
                                 ".getBoundingClientRect())")
        expect(0 <= top < bottom <= 900, f"{width}: headings at {top}")
        over = browser.js(f"(e => e.closest('th') && e.closest('th').textContent)("
                          f"document.elementFromPoint(60, {(top + bottom) / 2}) || document.body)"
                          if width == 390 else
                          f"(x => document.elementFromPoint(x, {(top + bottom) / 2}).textContent)("
                          "document.querySelector('#places th').getBoundingClientRect().x + 5)")
        expect(over == "place", f"{width}: there is {over!r} at the headings")
    labels = browser.js("[...document.querySelectorAll('#heat .values span')].map("
                        "s => s.textContent)")
    expect(labels[0] == "cpu0-1" and "2 CPUs" in browser.js(
        "document.getElementById('heat-note').textContent"), f"two CPUs a row: {labels[:2]}")


@check("report: on paper nothing is cut off, and it is light")
def paper(browser):
    # A4 has 718 pixels between margins of 1 cm
    browser.look(width=718, scheme="dark", media="print")
    browser.open(PAGE)
    expect(browser.js("document.documentElement.scrollWidth") <= 718, "wider than paper")
    cut = browser.js("[...document.querySelectorAll('body *')].filter(e => e.getClientRects()"
                     ".length && !e.closest('svg') && e.getBoundingClientRect().right > 718.5)"
                     ".map(e => e.tagName + '.' + e.className)")
    expect(not cut, f"cut off: {cut}")
    overflow = browser.js("[...document.querySelectorAll('.wide')].map("
                          "e => getComputedStyle(e).overflowX + getComputedStyle(e).maxHeight)")
    expect(set(overflow) == {"visiblenone"}, f"tables that scroll: {set(overflow)}")
    expect(luminance(colour(browser, "body")) > 0.9, "not light")
    expect(browser.js("getComputedStyle(document.getElementById('controls')).display") == "none",
           "controls on paper")
    browser.look(scheme="dark")
    pages = len(re.findall(rb"/Type\s*/Page\b", browser.pdf()))
    expect(2 <= pages <= 6, f"{pages} pages")


def main():
    global RECORDING, PAGE
    RECORDING = make_long()
    PAGE = page_of(RECORDING)
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


RECORDING = PAGE = None
main()

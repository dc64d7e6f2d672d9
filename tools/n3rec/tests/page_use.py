#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""page_use.py N3STAT DIR - uses pages of known recordings as a reader would."""
import collections
import json
import math
import os
import random
import re
import statistics
import subprocess

from browser import pixels
from digits import decimals_for, decimals_of, texts
from page_known import (DIR, LEVEL_1, LONG, N3STAT, OUTLIER, PAGE, RECORDING, boxes, check,
                        check_ticks, expect, long_cell, near, numbers, page_of, run, said,
                        spec_columns, text_of, tree_rows, write)


def same_number(have, want, decimals, what):
    """Whether a text has this number with these decimals; the page's numbers are rounded before."""
    expect(decimals_of(have) == decimals, f"{what}: {have}: not {decimals} decimals")
    near(float(have), want, 0.51 * 10 ** -decimals, what)


def half_text(text):
    return text.removeprefix("± ")


@check("report: without scripts the page shows the tables of all of the recording, and says so")
def without_scripts(browser):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.look()
        browser.open(PAGE)
        browser.picture(f"{DIR}/plain.png", whole=True)
        shown = browser.call("DOM.getOuterHTML",
                             nodeId=browser.call("DOM.getDocument", depth=1)["root"]["nodeId"])
        root = browser.call("DOM.getDocument")["root"]["nodeId"]
        nodes = [browser.call("DOM.querySelector", selector=selector, nodeId=root)["nodeId"]
                 for selector in ("noscript p", "#answer", "#losses", "#places", "table.group")]
        heights = [browser.call("DOM.getBoxModel", nodeId=node)["model"]["height"]
                   for node in nodes]
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
    expect(min(heights) > 10, f"heights of the texts and the tables: {heights}")
    text = shown["outerHTML"]
    for place in ("cpu0", "cpu1", "cpu2", "cpu3", "node0", "system"):
        expect(re.search(f'<tr><td>{place}</td><td data-loss="4[45][0-9.]*">backend_bound 45%</td>',
                         text), f"no row of {place}")
    answer = re.search(r'<p id="answer">.*?<span>(\w+)</span>: <b>([^<]*)</b>', text)
    expect(answer.groups() == ("system", "backend_bound 45% (topdown_backend: not recorded)"),
           f"{answer}")
    losses = re.search(r'<p id="losses"[^>]*>(.*?)</p>', text).group(1)
    expect(re.findall("[a-z]+_[a-z]+", losses) ==
           ["backend_bound", "frontend_bound"], losses)
    values = numbers("system", "backend_bound", 0, LONG - 1)
    row = re.search(r"<tr><td>backend_bound</td>(.*?)</tr>", text).group(1)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", row)
    near(float(cells[0]), statistics.fmean(values), 0.006, "mean")
    # a decimal, as single snapshots have errors of 0.5
    near(float(cells[2]), min(values), 0.051, "min")
    near(float(cells[3]), max(values), 0.051, "max")


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
    expect(browser.js("document.getElementById('tip').hidden"), "what the pointer was over before")
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
            ("topdown", 0.5, ("cpu2 1:00:00", "Bad speculation 94.0 ± 0.5 %slots")),
            ("extremes-retiring", 0.5, ("cpu2 1:00:00", "Retiring 2.0 ± 0.5 %slots")),
            ("heat", 2.5 / 4, ("1:00:00", "cpu2 2.0 ± 0.5 %slots")),
            ("metric", 0.5, ("ipc 0.10 (error none) /cycle",))):
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


@check("report: a page of a span says what is of the span and what of the recording")
def part(browser):
    page = page_of(RECORDING, "--from", "3600", "--to", "3602.5")
    with open(page, encoding="utf-8") as lines:
        text = lines.read()
    facts = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", text))
    # 3600 snapshots 2 s apart; the pointer covers 2 of them
    expect(facts.get("Snapshots") == "2 of 3600", f"{facts}")
    expect(facts.get("Length of the recording") == "1:59:58" and "Length" not in facts, f"{facts}")
    browser.look()
    browser.open(page)
    # 4 s in steps of half a second
    axis = browser.js("[...document.querySelectorAll('#topdown .times.fine span')].map("
                      "s => s.textContent)")
    expect(axis == [f"1:00:0{i // 2}.{i % 2 * 5}" for i in range(9)], f"{axis}")
    check_ticks(browser, "#topdown", 3600, 3604)
    browser.js("n3stat.choose('cpu1', 0, 0)")
    check_ticks(browser, "#topdown", 3600, 3602)
    head = browser.js("document.querySelector('#groups-part thead').innerText")
    expect("(all of this page)" in head, head)
    with open(PAGE, encoding="utf-8") as lines:
        facts = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", lines.read()))
    expect((facts.get("Length"), facts.get("Snapshots")) == ("1:59:58", "3600"), f"{facts}")


@check("report: a time typed moves the other end of the span, or is refused")
def typed(browser):
    browser.look()
    browser.open(PAGE)
    refused = "(e => e.hidden ? '' : e.textContent)(document.getElementById('refused'))"
    # typed text and its field, and the resulting span, in snapshots 2 s apart
    for end, text, span, words in (
            ("from", "3554", [1777, 3599], ""), ("to", "3554", [1777, 1777], ""),
            ("to", "2500", [1250, 1250], ""), ("from", "1900", [950, 1250], ""),
            ("to", "1000", [500, 500], ""), ("from", "1800", [900, 900], ""),
            ("from", "99999", [900, 900], "No snapshot is at or after 99999 s; enter 0 to 7198"),
            ("to", "-1", [900, 900], "No snapshot is at or before -1 s; enter 0 to 7198"),
            ("from", "", [900, 900], "This is not a time; enter 0 to 7198 seconds."),
            ("to", "99999", [900, 3599], ""), ("from", "7198", [3599, 3599], "")):
        browser.choose(f"#{end}", text)
        have = browser.js("[state.from, state.to]")
        expect(have == span, f"{end} {text}: {have}, not {span}")
        said_there = browser.js(refused)
        expect(words in said_there and bool(words) == bool(said_there),
               f"{end} {text}: {said_there!r}")
        shown = browser.js("[+document.getElementById('from').value, "
                           "+document.getElementById('to').value]")
        expect(shown == [2 * i for i in span], f"{end} {text}: {shown}")


@check("report: tables and tree are of the chosen place and span, and say so")
def tables(browser):
    browser.look()
    browser.open(PAGE)
    # Student's t for 95 % by numbers in the span
    T = {11: 2.228, 1220: 1.962, 1621: 1.961, LONG: 1.961}
    for place, first, last in (("cpu2", 1795, 1805), ("cpu3", 880, 2500), ("node0", 0, 3599)):
        browser.js(f"n3stat.choose('{place}', {first}, {last})")
        for head in ("tree-head", "values-head", "topdown-head"):
            text = browser.js(f"document.getElementById('{head}').textContent")
            whole = (first, last) == (0, LONG - 1)
            expect(f": {place}, " in text, text)
            span = "whole recording" if whole else f", {last - first + 1} snapshots"
            expect(span in text, text)
        rows = browser.js("[...document.querySelectorAll('#groups-part tbody tr')].map("
                          "r => [...r.cells].map(c => c.textContent))")
        expect([row[0] for row in rows] == [*LEVEL_1, "ipc"], f"{rows}")
        text = browser.js("document.getElementById('groups-part').parentNode.innerText")
        expect("coverage\n(whole recording)" in text and
               "over the whole recording whatever" in text, "not said what coverage is of")
        for name, mean, text, low, high, _, nr, _ in rows:
            values = numbers(place, name, first, last)
            most, wanted = 4 if name == "ipc" else 2, statistics.fmean(values)
            error = max(T[len(values)] * statistics.stdev(values), 0.5) / math.sqrt(len(values))
            # of single snapshots: 0.5
            for have, want, half in ((mean, wanted, error), (low, min(values), 0.5),
                                     (high, max(values), 0.5), (half_text(text), error, error)):
                same_number(have, want, decimals_for(half, most), f"{place} {name}")
            expect(int(nr) == len(values), f"{place} {name}: {nr} snapshots")
        cells = browser.js("[...document.querySelectorAll('#places tbody tr')].map("
                           "r => [...r.cells].map(c => c.textContent))")
        expect([row[0] for row in cells] == ["cpu0", "cpu1", "cpu2", "cpu3", "node0", "system"],
               f"{cells}")
        values = numbers("cpu2", "bad_speculation", first, last)
        error = max(T[len(values)] * statistics.stdev(values), 0.5) / math.sqrt(len(values))
        same_number(cells[2][4].split()[0], statistics.fmean(values),
                    decimals_for(error, 2), "cpu2")
    browser.js("n3stat.choose('cpu3', 2400, 2600)")
    expect("offline" in browser.js("document.querySelector('#places tbody').rows[3].textContent"),
           "an offline CPU")


@check("report: the map tells idle, offline and contended apart, with a legend")
def words(browser):
    browser.look()
    browser.open(PAGE)
    legend = browser.js(
        "[...document.querySelectorAll('#heat-legend span')].map("
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
                         f"'#heat-legend .w-{word}')))")
              for word in ("idle", "offline", "contended", "disabled", "other")}
    expect(len(styles) == 5, f"{styles}")


@check("report: the tree of any CPU and span is that of a recording of that alone")
def tree(browser):
    rng, mixed = random.Random(4), set()
    browser.look()
    # with and without overlapping windows, and with errors from far below the last decimal on
    for window, spans in ((1500, ((0, 13), (2, 9), (5, 5))), (4500, ((0, 13), (3, 10)))):
        columns, rows = spec_columns(3), []
        means = {place: [(rng.uniform(5, 90), 10 ** rng.uniform(-2, 0.5)) for _ in columns]
                 for place in ("cpu0", "cpu7", "system")}
        for i in range(14):
            rows.append((100 + 2 * i, {place: [
                text_of(round(mean + rng.uniform(-4, 4) * size, 3),
                        round(rng.uniform(0.1, 3) * size, 3))
                for mean, size in means[place]] for place in means}))
        many = page_of(write("many", list(means), columns, rows, window=window))
        alone = write("alone", ["cpu7"], columns, rows, window=window)
        for first, last in spans:
            browser.open(page_of(alone, "--from", str(2 * first), "--to", str(2 * last)))
            wanted, end = tree_rows(browser), said(browser)
            browser.open(many)
            browser.js(f"n3stat.choose('cpu7', {first}, {last})")
            have = tree_rows(browser)
            expect(len(have) == len(wanted) == 21, f"{len(have)} rows")
            for mine, theirs in zip(have, wanted):
                expect(mine[:2] == theirs[:2], f"{mine} {theirs}")
                for a, b in zip(mine[2:], theirs[2:]):
                    shown = [re.search(r"[\d.]+", text)[0] for text in (a, b)]
                    # numbers that are rounded twice may differ in the last digit
                    near(*map(float, shown), 1.1 * 10 ** -min(map(decimals_of, shown)), mine[1])
            # the number of the CPU in the command, too
            expect(said(browser) == end, f"{said(browser)} not {end}")
            expect("-C 7" in said(browser), said(browser))
            mixed.add(" mixed: " in end)
    expect(len(mixed) == 2, f"{mixed}")


@check("report: the page's script gives the answer and prints the numbers that n3stat does")
def script(browser):
    cases = json.loads(subprocess.run((os.environ["PATH_CASES"], "4000", "1"), check=True,
                                      capture_output=True).stdout)
    browser.open(PAGE)
    # JSON has no NaN
    known = "const known = x => x === null ? NaN : x;"
    have = json.loads(browser.js(
        f"{{ {known} JSON.stringify({json.dumps(cases['numbers'])}.map("
        "one => Object.values(number_text(one.number, known(one.error), one.most)))) }"))
    expect(len(have) == 4000, f"{len(have)} numbers")
    for case, text in zip(cases["numbers"], have):
        expect(text == [case["text"], case["error_text"]], f"{text} not {case}")
        want = texts(case["number"], case["error"], case["most"])
        expect(tuple(text) == want, f"{case}: not {want}")
    have = json.loads(browser.js(
        f"{{ {known} const all = list => Object.fromEntries(Object.entries(list).map("
        f"([name, x]) => [name, known(x)])); JSON.stringify({json.dumps(cases['cases'])}.map("
        "one => { const answer = find_answer(about, all(one.values), all(one.errors), one.words);"
        " return { ...answer, text: answer_text(about, answer),"
        " brief: answer_brief(about, answer) } })) }"))
    kinds = collections.Counter()
    for case, found in zip(cases["cases"], have, strict=True):
        expect(found == {key: case[key] for key in found}, f"{found} not {case}")
        areas = case["areas"]
        kinds["word" if case["word"] else "retiring" if areas[0]["metric"] == "retiring" else
              "mixed" if len(areas) > 1 else "no value below" if areas[0]["word"] else
              "spread" if areas[0]["spread"] else "cause" if areas[0]["causes"] else "alone"] += 1
    # each kind of answer occurs
    expect(len(kinds) == 7 and min(kinds.values()) >= 50, f"{kinds}")


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
        shown = browser.js("document.getElementById('metric-name').textContent")
        expect(f"{name} of cpu2" in shown, "its name")


@check("report: what the page has in bins says so, with the command for single snapshots")
def bins(browser):
    # of 3,500,000 values, 5 of the system and ipc of 967 CPUs leave room for 800
    columns = ["general.ipc"] + [f"topdown_l1.{metric}" for metric in LEVEL_1]
    known, more = [f"cpu{i}" for i in range(4)], [f"cpu{i}" for i in range(4, 967)]
    rows = [(1000 + 2 * i, {place: [text_of(long_cell(place, column.split(".")[1], i))
                                    for column in columns] for place in (*known, "system")})
            for i in range(LONG)]
    rows[0][1].update((place, [1.5]) for place in more)
    recording = write("large", [*known, *more, "system"], columns, rows)
    page = page_of(recording)
    browser.look()
    browser.open(page)
    browser.js("n3stat.choose('cpu2', 1795, 1805)")
    browser.choose("#metric-choose", browser.js("column_of('retiring')"))
    command = "n3stat report --from 3589.99 --to 3610.01 -o span.html"
    for note in ("extremes-note", "heat-note", "metric-note", "coarse"):
        text = browser.js("(e => e.hidden ? '' : e.textContent)("
                          f"document.getElementById('{note}'))")
        expect(command in text, f"{note}: {text!r}")
        expect("bins of 6 snapshots" in text, f"{note}: {text!r}")
    expect("mean of up to 6 snapshots" in browser.js(
        "document.getElementById('metric-note').textContent"), "what a point is")
    # bins of 6: the span overlaps the ones from 1794 to 1805
    row = browser.js("[...document.querySelectorAll('#groups-part tbody tr')].map("
                     "r => [...r.cells].map(c => c.textContent))")[3]
    values = numbers("cpu2", "bad_speculation", 1794, 1805)
    expect(row[0] == "bad_speculation ≈" and int(row[6]) == 12, f"{row}")
    spread = 2.201 * statistics.stdev(values) / math.sqrt(12)
    expect(spread > 1, f"error {spread}")
    same_number(row[1], statistics.fmean(values), 0, "mean")
    same_number(half_text(row[2]), spread, 0, "error")
    same_number(row[3], min(values), 1, "min")
    same_number(row[4], max(values), 1, "max")
    browser.js("n3stat.choose('cpu2', 1794, 1805)")
    expect(browser.js("document.getElementById('coarse').hidden"), "the span is of whole bins")
    # and the command works
    text = subprocess.run((N3STAT, "report", "--from", "3589.99", "--to", "3610.01", "-o", "-",
                           recording), capture_output=True, text=True, check=True).stdout
    expect("<dt>Snapshots</dt><dd>11 of 3600</dd>" in text and
           "A point is one snapshot" in text, "command")


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
    x, y, width, height = map(int, browser.box("#overview"))
    rows = [row[x + 5:x + width - 5] for row in pixels(browser.picture())[y + 2:y + height - 2]]
    drawn = [any(sum(pixel) < 300 for pixel in column) for column in zip(*rows)]
    expect(sum(drawn) > 0.95 * len(drawn), f"the overview: a line in {sum(drawn)} of {len(drawn)}")
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
    # value, half width, and the shown error; one and two snapshots, no overlap
    # limits of the module: 50 points of a percentage, three times another value
    cases = ((22.1, 103.9, "none"), (50, 49.9, "± 50"), (50, 50, "± 50"),
             (50, 50.1, "none"), (5, 49, "± 49"), (5, 60, "none"), (120, 50, "± 50"),
             (120, 51, "none"))
    for value, half, wanted in cases:
        columns = [f"topdown_l1.{m}" for m in LEVEL_1] + ["general.ipc"]
        path = write("wide", ["cpu0", "cpu1"], columns,
                     [(1, {place: [text_of(value, half)] * 5 for place in ("cpu0", "cpu1")})])
        browser.open(page_of(path))
        for place in ("cpu0", "cpu1"):
            browser.js(f"n3stat.choose('{place}', 0, 0)")
            row = next(row for row in tree_rows(browser) if row[1] == "retiring")
            expect(row[3] == wanted, f"{place}: {value} ± {half}: {row}")
            group = browser.js("[...document.querySelectorAll('#groups-part tbody tr')].map("
                               "r => r.cells[2].textContent)")
            expect(group[3] == wanted, f"{place}: {value} ± {half}: {group}")
            wanted_ipc = f"± {half:.0f}" if half <= 3 * value else "none"
            expect(group[4] == wanted_ipc, f"ipc: {group}")


@check("report: a browser that cannot unpack says so, and shows the tables")
def cannot_unpack(browser):
    script = browser.call("Page.addScriptToEvaluateOnNewDocument",
                          source="delete window.DecompressionStream")["identifier"]
    try:
        browser.look()
        browser.open(PAGE)
        text = browser.js("document.getElementById('controls').innerText")
        expect("This browser cannot show spans" in text, text)
        expect(browser.js("document.querySelectorAll('#places tbody tr').length") == 6, "no places")
        expect(browser.js("document.querySelectorAll('table.group tr').length") > 5, "no values")
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
    top = boxes(browser, "#topdown [data-metric=bad_speculation]")[0][1]
    near(top, 260 - 2.6 * 96, 0.2, "cpu2")


run()

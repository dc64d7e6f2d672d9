#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""page_select.py N3STAT DIR - sorted tables, links to a selection, answers, scales of the page."""
import math
import random

from page_known import LEVEL_1, PAGE, check, expect, page_of, run, spec_columns, text_of, write

PLACES = ["cpu1", "cpu2", "cpu10", "system"]
BACKEND = {"cpu1": 30, "cpu2": "idle", "cpu10": 50, "system": 40}
ROWS = "[...$('places').tBodies[0].rows].map(row => row.cells[{}].textContent)"
HEADS = "[...$('places').tHead.rows[0].cells]"
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def small_page():
    columns = [f"topdown_l1.{metric}" for metric in LEVEL_1]
    cells = {}
    for place, backend in BACKEND.items():
        rest = 70 - (0 if backend == "idle" else backend)
        cells[place] = [text_of(backend if backend == "idle" else number)
                        for number in (10, backend, 20, rest)]
    return page_of(write("small", PLACES, columns, [(1e9 + 2 * i, cells) for i in range(5)],
                         "about host a<b\nabout interval 2\n"))


SMALL = small_page()


def press(browser, key, text):
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=text
                     if kind == "keyDown" else "", windowsVirtualKeyCode=13)
    browser.js(FRAMES)


@check("report: a table is sorted by a click on a head and by the keyboard, words last")
def sorted_tables(browser):
    browser.look()
    browser.open(SMALL)
    heads = browser.js(f"{HEADS}.map(head => head.textContent)")
    at = next(i for i, head in enumerate(heads) if head.startswith("backend_bound"))
    expect(browser.js(ROWS.format(0)) == PLACES, "not as recorded at first")
    wanted = (("descending", ["cpu10", "system", "cpu1", "cpu2"]),
              ("ascending", ["cpu1", "system", "cpu10", "cpu2"]), ("none", PLACES))
    for how in "mouse", "keyboard":
        for way, rows in wanted:
            browser.js(f"{HEADS}[{at}].querySelector('button').focus()")
            if how == "keyboard":
                press(browser, "Enter", "\r")
            else:
                browser.js("document.activeElement.scrollIntoView({ block: 'center' })")
                x, y, width, height = browser.box(f"#places th:nth-child({at + 1}) button")
                for kind in ("mousePressed", "mouseReleased"):
                    browser.mouse(kind, x + width / 2, y + height / 2)
                browser.js(FRAMES)
            expect(browser.js(ROWS.format(0)) == rows, f"{how} {way}: "
                   f"{browser.js(ROWS.format(0))}")
            sorts = browser.js(f"{HEADS}.map(head => head.ariaSort)")
            expect(sorts[at] == way and sorts.count("none") == len(sorts) - (way != "none"),
                   f"{how}: {sorts}")
            expect(browser.js("document.activeElement.closest('th') && "
                              "document.activeElement.closest('th').cellIndex") == at,
                   f"{how}: the head lost the focus")
    browser.js(f"sort_by({HEADS}[0])")
    browser.js("shown")
    expect(browser.js(ROWS.format(0)) == PLACES, "cpu10 is not after cpu2")


def texts(browser):
    return browser.js("document.body.innerText")


@check("report: a link opens the same place, span, metrics and order")
def links(browser):
    browser.look()
    browser.open(PAGE)
    expect(browser.js("location.hash") == "", "a link to all of it")
    browser.js("n3stat.choose('cpu1', 40, 160)")
    browser.choose("#heat-choose", str(browser.js("column_of('retiring')")))
    browser.choose("#heat-by", "min")
    browser.choose("#metric-choose", str(browser.js("column_of('bad_speculation')")))
    browser.js("sort_by(document.querySelector('table.group th'))")
    browser.js("shown")
    link, seen = browser.js("location.href"), texts(browser)
    expect("contended" in seen or "cpu1" in seen, "another place")
    # each with its own event: that of an earlier page must not stand for the link's
    for url in ("about:blank", link):
        browser.events = []
        browser.call("Page.navigate", url=url)
        browser.wait("Page.loadEventFired")
    browser.js("n3stat.ready")
    expect(texts(browser) == seen, f"{link} opens another view")
    expect(browser.js("[state.from, state.to]") == [40, 160], link)
    # unknown names are left out
    browser.js("location.hash = '#place=cpu77&from=x&to=9&metric=a.b&heat=c&heat_by=d&sort=e.f'")
    browser.js(f"new Promise(done => setTimeout(done, 100)).then(() => {FRAMES})")
    expect(browser.js("[state.place, state.from, state.to, state.heat_by]") ==
           [browser.js("about.main"), 0, 4, "max"], browser.js("location.hash"))


@check("report: file, host and time are in the title")
def title(browser):
    browser.open(SMALL)
    expect(browser.js("document.title").startswith("small.rec, a<b, 2001-09-09 01:46:40 UTC"),
           browser.js("document.title"))


@check("report: each share has its own scale")
def scales(browser):
    browser.open(SMALL)
    tops = browser.js("about.level1.map(([name]) => document.querySelector("
                      "`#extremes-${name} .values span:last-of-type`).previousElementSibling ? "
                      "[...document.querySelectorAll(`#extremes-${name} .values span`)]"
                      ".map(s => parseFloat(s.textContent)).sort((a, b) => b - a)[0] : 0)")
    # of retiring 30, bad speculation 20, frontend 10, backend 40
    expect(tops == [50, 20, 10, 50], f"{tops}")


def random_four(rng):
    parts = [rng.random() ** 3 for _ in LEVEL_1]
    return {metric: round(100 * part / math.fsum(parts), 2)
            for metric, part in zip(LEVEL_1, parts)}


def loss_of(*fours):
    """Share of the largest area of the means, 0 for retiring."""
    *lost, retiring = (math.fsum(four[metric] for four in fours) / len(fours)
                       for metric in LEVEL_1)
    return 0 if retiring > 70 else max(lost)


def random_page():
    """Return: the page of four snapshots; by the last one of a span, the losses of each place."""
    rng, columns = random.Random(7), spec_columns(3)
    halves, losses = ({}, {}), {1: {}, 3: {}}
    for place in (f"cpu{i}" for i in range(60)):
        fours = random_four(rng), random_four(rng)
        for cells, four in zip(halves, fours):
            cells[place] = [text_of(four.get(name, round(rng.uniform(0, 60), 1)), 1)
                            for name in (column.split(".")[1] for column in columns)]
            cells["cpu60"] = ["idle"] * len(columns)
        losses[1][place], losses[3][place] = loss_of(fours[0]), loss_of(*fours)
    return page_of(write("answers", list(losses[1]) + ["cpu60"], columns,
                         [(1 + 2 * i, halves[i // 2]) for i in range(4)])), losses


RANDOM, LOSSES = random_page()


@check("report: answers are sorted by the share of the largest area, retiring as 0, words last")
def sorted_answers(browser):
    browser.open(RANDOM)
    at = browser.js(f"{HEADS}.findIndex(head => head.textContent.startsWith('answer'))")
    names = {text.split()[0] for text in browser.js(ROWS.format(at))}
    expect({"mixed", "frontend", "retiring", "idle"} <= names, f"{names}")
    for last, losses in LOSSES.items():
        browser.js(f"n3stat.choose('cpu0', 0, {last})")
        for up in 0, 1:
            browser.js(f"state.sorts.places = [{at}, {up}]; show()")
            browser.js("shown")
            rows = browser.js(ROWS.format(0))
            expect(rows[-1] == "cpu60", f"{rows}")
            shares = [(1 if up else -1) * losses[place] for place in rows[:-1]]
            expect(len(shares) == 60 and all(a <= b + 0.01 for a, b in zip(shares, shares[1:])),
                   f"0 to {last}, {up}: {shares}")


@check("report: a page about processes opens on the CPU where they ran most")
def processes(browser):
    columns = [f"topdown_l1.{metric}" for metric in LEVEL_1] + ["rates.theirs"]
    cells = {place: [10, 40, 20, 30, theirs] for place, theirs in
             (("cpu0", 5), ("cpu1", 60), ("cpu2", 7), ("system", 24))}
    recording = write("processes", list(cells), columns, [(1 + 2 * i, cells) for i in range(3)],
                      "about who pid 7\n")
    page = page_of(recording)
    with open(page, encoding="utf-8") as lines:
        text = lines.read()
    for head in '<p id="answer"><span>cpu1<', 'id="topdown-head">Topdown over time: cpu1<', \
            'id="tree-head">Decision tree: cpu1<', 'id="values-head">Values: cpu1<':
        expect(head in text, head)
    expect(text.count("<td>60</td>") + text.count("<td>60.0") > 0, "values of another place")
    browser.open(page)
    expect(browser.js("about.places[state.place]") == "cpu1", "the script opens another place")
    expect(browser.js("[$('answer').querySelector('span').textContent, location.hash]") ==
           ["cpu1", ""], "another answer, or a link to it")


@check("report: the script gives the answers of n3stat, for all places of random trees")
def answers(browser):
    browser.open(RANDOM)
    told = browser.js(ROWS.format(1))
    found = browser.js("about.places.map((_, place) => "
                       "answer_brief(about, answer_at(place, 0, nr - 1)))")
    expect(len(set(told)) > 10 and any("mixed" in text for text in told), f"{told}")
    expect(told == found, f"{[pair for pair in zip(told, found) if pair[0] != pair[1]]}")
    text = browser.js("[$('answer').querySelector('b').textContent, "
                      "answer_text(about, answer_at(about.main, 0, nr - 1))]")
    expect(text[0] == text[1], f"{text}")


run()

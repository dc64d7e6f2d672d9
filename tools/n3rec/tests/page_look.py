#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""page_look.py N3STAT DIR - appearance of the page: colours, widths, headings, paper."""
import re

from browser import pixels
from page_known import DIR, LEVEL_1, PAGE, check, expect, page_of, run, spec_columns, text_of, write


def luminance(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


# For linear red, green, blue: Machado, Oliveira and Fernandes (2009), severity 1
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
        letters = browser.js("[...document.querySelectorAll('#topdown .letter')].map("
                             "e => [e.textContent, e.offsetTop])")
        # bad speculation is 5 % high: without room
        expect([name for name, _ in letters] == ["R", "F", "B"], f"{scheme}: {letters}")
        expect(letters == sorted(letters, key=lambda pair: -pair[1]), f"{scheme}: {letters}")
        shades = [colour(browser, f"#heat-legend .h{i}") for i in range(10)]
        for eyes, see in (("all", lambda c: c), *((name, lambda c, m=matrix: seen_by(c, m))
                                                 for name, matrix in BLIND.items())):
            for i, (a, b) in enumerate(zip(bands, bands[1:])):
                far = contrast(see(a), see(b))
                expect(far >= 1.4, f"{scheme}, {eyes}: bands {i} and {i + 1}: {far:.2f}")
        for a in bands:
            expect(contrast(a, back) >= 3, f"{scheme}: {a} on {back}")
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
            for place, first, last in (("system", 0, 3599), ("cpu3", 880, 920),
                                       ("cpu3", 1800, 1800)):
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


@check("report: at 390 pixels the tree fits")
def tree(browser):
    columns = spec_columns(3)
    page = page_of(write("tree", ["cpu0"], columns, [
        (1 + 2 * i, {"cpu0": [text_of(25.0, 1)] * len(columns)}) for i in range(2)]))
    browser.look(width=390)
    browser.open(page)
    sizes = browser.js("(e => [e.scrollWidth, e.clientWidth])("
                       "document.querySelector('#tree-part .wide'))")
    expect(sizes[0] <= sizes[1], f"{sizes}")


@check("report: at 390 pixels a table that scrolls shows it at its edge")
def scrolls(browser):
    edge = ("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {"
            "const box = wide.getBoundingClientRect(), row = wide.querySelector('tbody tr')"
            ".getBoundingClientRect();"
            "done([box.right, row.top, row.bottom].map(Math.floor)); })))")
    for scheme in ("light", "dark"):
        browser.look(width=390, scheme=scheme)
        browser.open(PAGE)
        back = colour(browser, "body")
        browser.js("var wide = document.querySelector('#groups-part .wide')")
        expect(browser.js("wide.scrollWidth > wide.clientWidth"), "all of it fits")
        browser.js("wide.scrollIntoView({ block: 'center' })")
        for left, wanted in ((0, True), (9999, False)):
            browser.js(f"wide.scrollLeft = {left}")
            right, top, bottom = browser.js(edge)
            rows = pixels(browser.picture())[top + 2:bottom - 3]
            seen = [contrast(row[right - 2], back) for row in rows]
            dark = sum(far > 2 for far in seen) > 0.9 * len(seen)
            expect(dark == wanted, f"{scheme}: scrolled by {left}: {seen}")
        lone = browser.js("[...document.querySelectorAll('#heat-legend span')].filter(s => "
                          "s.id !== 'heat-unit' && !s.querySelector('i')).map(s => s.textContent)")
        expect(not lone, f"in the legend without a colour: {lone}")
        lines = browser.js("document.querySelector('#heat-legend .h9').parentNode"
                           ".getClientRects().length")
        height = browser.js("document.querySelector('#heat-legend .h9').parentNode.offsetHeight")
        expect(lines == 1 and height < 30, f"the last shade has {height} pixels")


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


run()

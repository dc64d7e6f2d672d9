#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""palette.py TOOLS - the letters and colours of Topdown level 1 are the same in the recording's
page, n3top, the console and the dashboard, and can be seen on each background."""
import json
import pathlib
import re
import sys

TOOLS = pathlib.Path(sys.argv[1])
# on a terminal a colour has a name, and the terminal its shade
NAMES = {"COLOR_YELLOW": "orange", "COLOR_BLUE": "blue", "COLOR_MAGENTA": "pink",
         "COLOR_GREEN": "green"}
WANTED = {"frontend_bound": ("F", "orange"), "backend_bound": ("B", "blue"),
          "bad_speculation": ("S", "pink"), "retiring": ("R", "green")}
GRAFANA = ("#ffffff", "#181b1f")
LEAST = 3


def read(name):
    return (TOOLS / name).read_text(encoding="utf-8")


def parts_of(colour):
    return [int(colour[i:i + 2], 16) for i in (1, 3, 5)]


def luminance(colour):
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
              for part in (x / 255 for x in parts_of(colour))]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def name_of(colour):
    """By the order of red, green and blue, the largest first."""
    order = sorted(zip(parts_of(colour), "rgb"), reverse=True)
    return {"rgb": "orange", "rbg": "pink", "bgr": "blue", "gbr": "green"}.get(
        "".join(letter for _, letter in order))


def long_hex(colour):
    return colour if len(colour) == 7 else "#" + "".join(2 * x for x in colour[1:])


def style_of(text):
    """Colours of the classes l0 to l3, and the backgrounds."""
    classes = dict(re.findall(r"--(l[0-3]): (#\w{6})", text))
    backs = [long_hex(colour) for colour in re.findall(r"--back: (#\w+)", text)]
    assert len(classes) == 4 and len(backs) == 2, (classes, backs)
    return classes, backs


def of_page():
    classes, backs = style_of(read("lib/page.css"))
    metrics = re.findall(r'^\t\{ "(\w+)", "', read("n3rec/page_parts.c"), re.M)
    letters = re.search(r"LETTERS = '(\w{4})'", read("n3rec/page_charts.js"))[1]
    return {metric: (letters[i], classes[f"l{i}"]) for i, metric in enumerate(metrics)}, backs


def of_console():
    text = read("n3exporter/prometheus/consoles/n3-fleet.html")
    classes, backs = style_of(text)
    found = {}
    for metric, name, letter in re.findall(r'"(\w+)" "(l[0-3])" "(\w)"', text):
        # parts of a bar, and the legend
        assert found.setdefault(metric, (letter, classes[name])) == (letter, classes[name])
    return found, backs


def of_dashboard():
    found = {}
    for panel in json.loads(read("n3exporter/prometheus/dashboard.json"))["panels"]:
        letters = {re.search('metric="(\\w+)"', target["expr"])[1]: target["legendFormat"][0]
                   for target in panel.get("targets", ()) if target["legendFormat"][1] == " "}
        for override in panel.get("fieldConfig", {}).get("overrides", ()):
            if override["properties"][0]["id"] != "color":
                continue
            metric = re.search(r"(\w+)\$/$", override["matcher"]["options"])[1]
            colour = override["properties"][0]["value"]["fixedColor"]
            assert not found.get(metric) or found[metric][1] == colour, panel["title"]
            if metric in letters:
                found[metric] = (letters[metric], colour)
    return found, GRAFANA


def of_top():
    rows = re.findall(r"\{ '(\w)', \"(\w+)\", \"", read("n3top/top_draw.c"))
    colours = re.findall(r"COLOR_\w+", re.search(r"colours\[TOP_NR_BARS\] = \{(.*?)\}",
                                                 read("n3top/top_screen.c"), re.S)[1])
    return {metric: (letter, NAMES[colour]) for (letter, metric), colour in zip(rows, colours)}


def main():
    assert of_top() == WANTED, of_top()
    page, _ = of_page()
    for read_one in of_page, of_console, of_dashboard:
        found, backs = read_one()
        assert found == page, f"{read_one.__name__}: {found}"
        assert {metric: (letter, name_of(colour)) for metric, (letter, colour) in
                found.items()} == WANTED, found
        for metric, (_, colour) in found.items():
            for back in backs:
                assert contrast(colour, back) >= LEAST, (read_one.__name__, metric, colour, back)
            # of the letter, which is bold
            assert contrast(colour, "#000000") >= LEAST, colour


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""picture_test.py DIR - picture.py on stored text: places, colours, comparison; files in DIR"""
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).parent
DIR = pathlib.Path(sys.argv[1])
TEXT = """# n3stat 1
other

# n3stat tree --color=always
cpu3 <busiest>               of all slots
  frontend_bound               4.12% ±0.01 |#         |
\033[1m> backend_bound       \033[31m71.3%\033[0m & more\033[0m
"""
NUMBERS = TEXT.replace("4.12%", "5.1%").replace("|#  ", "|###")


def run(mode, text, *names, command="n3stat tree"):
    (DIR / "output").write_text(text, encoding="utf-8")
    return subprocess.run((HERE / "picture.py", mode, DIR / "output", command,
                           *(DIR / name for name in names)), check=False).returncode


def cells(name):
    """Row, column, text, bold and colour of each text; the columns it takes are its characters."""
    root = xml.etree.ElementTree.parse(DIR / name).getroot()
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert abs(float(text.get("textLength")) - 7.8 * len(text.text)) < 0.1, text.text
        yield (round((float(text.get("y")) - 16) / 17 - 0.75),
               round((float(text.get("x")) - 16) / 7.8), text.text,
               text.get("font-weight") == "bold", text.get("fill"))


def main():
    assert run("write", TEXT, "light.svg", "dark.svg") == 0
    light, dark = list(cells("light.svg")), list(cells("dark.svg"))
    assert [cell[:4] for cell in light] == [cell[:4] for cell in dark]
    lines = TEXT.split("\n")[4:]
    for row, column, text, *_ in light[1:]:
        plain = lines[row - 1].replace("\033[1m", "").replace("\033[31m", "").replace("\033[0m", "")
        assert plain[column:column + len(text)] == text, (row, column, text)
    assert light[0][:3] == (0, 0, "# n3stat tree")
    assert [cell[2] for cell in light if cell[3]] == ["> backend_bound", "71.3%"]
    red, = [cell for cell in light if cell[2] == "71.3%"]
    others = {cell[4] for cell in light if cell[2] != "71.3%"}
    assert red[4] not in others and len(others) == 2, others
    assert not {cell[4] for cell in light} & {cell[4] for cell in dark}
    both = "light.svg", "dark.svg"
    assert run("compare", TEXT, *both) == run("compare", NUMBERS, *both) == 0
    assert run("compare", TEXT.replace("busiest", "idle"), *both) == 1
    assert run("compare", TEXT.replace("& more", "& more\nmore"), *both) == 1
    assert run("compare", TEXT, *both, command="n3stat 1") == 1
    assert run("write", TEXT, *both, command="n3stat none") == 1


main()

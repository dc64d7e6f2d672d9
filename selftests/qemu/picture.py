#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""picture.py - a command's output in a terminal, as pictures of the README

	picture.py write OUTPUT COMMAND LIGHT.svg DARK.svg
	picture.py compare OUTPUT COMMAND SVG...	numbers, bars and blanks are not compared

OUTPUT is that of guest/samples.sh, where COMMAND has --color=always, which is not shown. Each run
of characters has its place, as fonts differ in width.
"""
import html
import pathlib
import re
import sys

from samples import outputs_of, shape

WIDTH, HEIGHT, SIZE, ROOM = 7.8, 17, 13, 16
COLOUR = " --color=always"
BOLD = ' font-weight="bold"'
SCHEMES = (
    {"back": "#ffffff", "text": "#1a1a1a", "soft": "#555555", "rule": "#dddddd", 31: "#b3261e"},
    {"back": "#14171c", "text": "#e8e8ea", "soft": "#a9adb5", "rule": "#333943", 31: "#ff8a80"},
)
# the palette of Topdown, by the terminal's names
PALETTE = {32: "#4ca376", 33: "#d67e0b", 34: "#2e6aa8", 35: "#c02a80"}
SGR = re.compile("\033\\[([0-9;]*)m")


def output_of(text, command):
    found = [lines for name, lines in outputs_of(text) if name in (command, command + COLOUR)]
    if not found:
        raise SystemExit(f"no output of \"{command}\"")
    return found[0]


def runs_of(line):
    """Column, text, whether it is bold, and colour, of each run of a line."""
    column, bold, colour = 0, False, "text"
    for i, part in enumerate(SGR.split(line)):
        if i % 2:
            for code in map(int, (part or "0").split(";")):
                bold = code == 1 or code and bold
                colour = code if 30 < code < 36 else colour if code else "text"
            continue
        for word in re.finditer(r"\S+(?: \S+)*", part):
            yield column + word.start(), word[0], bold, colour
        column += len(part)


def svg_of(command, lines, scheme):
    columns = max(len(SGR.sub("", line)) for line in lines + [f"# {command}"])
    width, height = 2 * ROOM + columns * WIDTH, 2 * ROOM + (len(lines) + 1) * HEIGHT
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
           f'viewBox="0 0 {width:.0f} {height}" role="img" xml:space="preserve" '
           f'font-family="ui-monospace, \'DejaVu Sans Mono\', Menlo, Consolas, monospace" '
           f'font-size="{SIZE}">')
    yield "<!-- SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause -->"
    yield "<!-- Written by make samples. -->"
    yield f"<title>{html.escape(command)}</title>"
    yield (f'<rect x=".5" y=".5" width="{width - 1:.0f}" height="{height - 1}" rx="8" '
           f'fill="{scheme["back"]}" stroke="{scheme["rule"]}"/>')
    for i, line in enumerate([f"# {command}"] + lines):
        for column, text, bold, colour in runs_of(line):
            fill = {**PALETTE, **scheme}.get("soft" if i == 0 else colour, scheme["text"])
            yield (f'<text x="{ROOM + column * WIDTH:.1f}" y="{ROOM + (i + 0.75) * HEIGHT:.1f}" '
                   f'textLength="{len(text) * WIDTH:.1f}" fill="{fill}"{bold and BOLD or ""}>'
                   f'{html.escape(text, False)}</text>')
    yield "</svg>\n"


def lines_of(svg):
    """Command and lines of a picture."""
    lines = {}
    for y, text in re.findall(r'<text [^>]*y="([\d.]+)"[^>]*>(.*?)</text>', svg):
        lines[float(y)] = f"{lines.get(float(y), '')} {html.unescape(text)}"
    command, *rest = (lines[y].strip() for y in sorted(lines))
    return command.removeprefix("# "), rest


def shapes(lines):
    return [shape(SGR.sub("", line)) for line in lines if line.strip()]


def main():
    mode, output, command, *names = sys.argv[1:] or [""] * 3
    paths = [pathlib.Path(name) for name in names]
    if mode not in ("write", "compare") or not paths or mode == "write" and len(paths) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    lines = output_of(pathlib.Path(output).read_text(encoding="utf-8"), command)
    if mode == "write":
        for path, scheme in zip(paths, SCHEMES):
            path.write_text("\n".join(svg_of(command, lines, scheme)), encoding="utf-8")
        return 0
    wrong = 0
    for path in paths:
        shown, text = lines_of(path.read_text(encoding="utf-8"))
        if shown != command or shapes(text) != shapes(lines):
            print(f"{path}: differs from the output of today: make samples")
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""gen-units.py - prints the list of units, which docs.py appends to Documentation/tools.rst

A unit is a source, or a header without one. Its description is the first sentence of the comment
in line 2. A unit without a description, or with one that is no noun, is an error.
"""
import pathlib
import re
import sys
import textwrap

TOP = pathlib.Path(__file__).resolve().parents[2]
ROOTS = ["drivers/perf/n3_telemetry", "tools"]
# tests, scripts of developers, the kernel's headers for user space
LEFT_OUT = {"tests", "dev", "include"}
SOURCES = {".c", ".S", ".js", ".css"}
COMMENT = re.compile(r"[^\n]*\n/\*(.*?)(?:\*/|\n \*\n)", re.DOTALL)
# a question, or the first macro of a table
UNFIT = re.compile(r"^$|(?:^|: )(?:how|what|when|where|whether|which|who|why)\b|\?|^[A-Z0-9_]+\(",
                   re.IGNORECASE)


def is_unit(path):
    """Whether a file has a line of its own."""
    return path.suffix in SOURCES or path.suffix == ".h" and not path.with_suffix(".c").exists()


def description(path):
    """The first sentence of the comment in line 2, empty without one."""
    comment = COMMENT.match(path.read_text(encoding="utf-8"))
    text = " ".join(re.sub(r"^ \*", "", comment[1] if comment else "", flags=re.M).split())
    return re.split(r"\.(?= |$)", text)[0]


def line_of(path):
    """The unit's entry: a comment is not markup."""
    text = re.sub(r"([*`|\\]|_\b|--)", r"\\\1", description(path))
    return textwrap.fill(f"* ``{path.name}``: {text}", 100, subsequent_indent="  ",
                         break_long_words=False, break_on_hyphens=False)


def main():
    """Prints a section for each folder; errors go to stderr."""
    units = sorted((path for root in ROOTS for path in (TOP / root).rglob("*")
                    if is_unit(path) and not LEFT_OUT & set(path.relative_to(TOP).parts)),
                   key=lambda path: (path.parent, path.name))
    unfit = [path for path in units if UNFIT.search(description(path))]
    for path in unfit:
        print(f"{path.relative_to(TOP)}: line 2 does not name the purpose of the unit",
              file=sys.stderr)
    for folder in dict.fromkeys(path.parent.relative_to(TOP) for path in units):
        print(f"\n{folder}/\n{'-' * (len(str(folder)) + 1)}\n")
        print("\n".join(line_of(path) for path in units if path.parent == TOP / folder))
    return 1 if unfit else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""samples.py OUTPUT PAGE... - compares samples in documentation with what commands print today

OUTPUT has lines "# COMMAND" and their output, as guest/samples.sh writes them. A sample of a page is
an indented line "# COMMAND" and the lines below it; "[...]" stands for any lines. Numbers, bars and
spaces are not compared, and only commands that are in OUTPUT. Prints each sample that differs, and
returns 1 if any does.
"""
import re
import sys

SIMULATED = "simulated counts (n3_sim)"


def shape(line):
    line = re.sub(r"[0-9]+(\.[0-9]+)?|(?<!\S)-(?!\S)", "9", line)
    line = re.sub(r"([#FBSR])\1*(?=[#FBSR| ]*\|)", r"\1", line)
    return re.sub(r"\s+", " ", line).strip()


def outputs_of(text):
    """Lines of each command's outputs."""
    found = {}
    for block in re.split(r"^# ", text, flags=re.M)[1:]:
        command, *lines = block.rstrip().split("\n")
        found.setdefault(command, []).append([shape(x) for x in lines if x != SIMULATED and x])
    return found


def samples_of(text):
    """Command and lines of each sample."""
    for block in re.findall(r"^\t# .*(?:\n(?:\t.*)?)*", text, re.M):
        for sample in re.split(r"^\t# ", block, flags=re.M)[1:]:
            command, *lines = sample.rstrip().split("\n")
            lines = [x[1:] for x in lines if x.strip()]
            yield command, [x if x == "[...]" else shape(x) for x in lines if x != SIMULATED]


def matches(sample, output):
    if not sample:
        return not output
    if sample[0] == "[...]":
        return any(matches(sample[1:], output[i:]) for i in range(len(output) + 1))
    return bool(output) and sample[0] == output[0] and matches(sample[1:], output[1:])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        outputs = outputs_of(file.read())
    differ = compared = 0
    for page in sys.argv[2:]:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for command, sample in samples_of(text):
            # a command of a setting has no output in the page
            if command not in outputs or not sample:
                continue
            compared += 1
            if any(matches(sample, output) for output in outputs[command]):
                continue
            differ += 1
            print(f"{page}: {command}: differs from today's output")
    print(f"{compared} samples compared, {differ} differ")
    sys.exit(differ or not compared)


main()

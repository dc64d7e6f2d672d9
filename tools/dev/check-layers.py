#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check-layers.py - no include against the layers of design.rst, and none in a circle

The layers of the module are those of the table in design.rst, the ones of the tools are in
ALLOWED. Tests may include any header.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
MODULE = "drivers/perf/n3_telemetry"
LIBN3T = MODULE + "/libn3t"
STATS = "tools/libn3telemetry/stats"
SIMULATOR = "drivers/perf/n3_sim"
# the kernel's headers for user space
KERNEL = "tools/include"

SEARCHED = ["tools", "tools/spe", MODULE, "."]

# Folders that a folder may include in addition to itself. Programs do not include each other.
PROGRAM = ["tools/lib", "tools/libn3telemetry", "tools/reader"]
ALLOWED = {
    LIBN3T: [],
    STATS: [LIBN3T],
    MODULE: [LIBN3T],
    SIMULATOR: [LIBN3T, MODULE],
    KERNEL: [],
    "tools/lib": [],
    "tools/spe/libspe": [],
    "tools/libn3telemetry": ["tools/lib", LIBN3T, STATS],
    "tools/reader": ["tools/lib", "tools/libn3telemetry"],
    "tools/n3stat": PROGRAM,
    "tools/n3top": PROGRAM,
    "tools/n3rec": PROGRAM,
    "tools/spe/n3spe": ["tools/lib", "tools/spe/libspe"],
    "tools/n3check": PROGRAM + [LIBN3T],
    "tools/n3exporter": PROGRAM,
    "tools/dev": [],
}

# the only header of the module for the simulator
SHARED = MODULE + "/perf_private.h"

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<\"])([^>\"]+)", re.MULTILINE)


def sources():
    """All sources and headers of the project except tests."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "drivers", "tools"],
                           cwd=TOP, check=True, capture_output=True, text=True).stdout.split()
    return {name for name in names if re.search(r"\.[chS]$", name) and (TOP / name).exists()
            and not re.search(r"(^|/)tests/", name)}


def folder_of(name):
    """The folder of ALLOWED that a file belongs to."""
    return max((folder for folder in ALLOWED if name.startswith(folder + "/")), key=len,
               default=None)


def unit_of(name):
    """A source and its header are one unit."""
    return os.path.splitext(name)[0]


def node_of(name):
    """The parts that may not form a circle: units of tools, headers of pure units."""
    pure = not name.startswith("tools/") or folder_of(name) == STATS
    return name if pure else unit_of(name)


def includes(name, files):
    """Included headers of the project with their paths, None for a missing one."""
    for bracket, header in INCLUDE.findall((TOP / name).read_text(encoding="utf-8")):
        searched = SEARCHED if bracket == "<" else [os.path.dirname(name), *SEARCHED]
        paths = [os.path.normpath(os.path.join(folder, header)) for folder in searched]
        found = [path for path in paths if path in files]
        if found or bracket == "\"":
            yield header, found[0] if found else None
        elif folder_of(name) == LIBN3T and f"{KERNEL}/{header}" not in files:
            # libn3t is also built for user space
            yield header, None


def module_layers():
    """The layer of each unit, by the table of design.rst."""
    text = (TOP / "Documentation/design.rst").read_text(encoding="utf-8")
    rule, table = re.search(r"^layer +files[^\n]*\n(=+ +=+ +=+)\n(.*?)\n\1$", text,
                            re.MULTILINE | re.DOTALL).groups()
    start, end = rule.index(" ="), rule.rindex(" =")
    layers, nr = {}, 0
    for row in table.splitlines():
        nr += row[0] != " "
        for unit in re.findall(r"[a-z_]+(?![a-z_]|.*/)", row[start:end]):
            if unit != "h":
                layers[f"{MODULE}/{unit}"] = nr
    return layers


def errors_of(name, header, path, layers):
    """Why a file may not include a header."""
    own = folder_of(name)
    if path is None:
        yield f"no {header} in the project"
        return
    other = folder_of(path)
    if other != own and other not in ALLOWED[own]:
        yield f"{header} is not in {' '.join([own, *ALLOWED[own]])}"
    if own == SIMULATOR and other == MODULE and path != SHARED:
        yield f"{header} is internal to n3_telemetry"
    if layers.get(unit_of(path), 0) > layers.get(unit_of(name), 99):
        yield f"{header} belongs to a layer below in design.rst"


def circles(arrows):
    """Nodes that include each other, directly or through others."""
    def reached(start):
        todo, seen = [start], set()
        while todo:
            for unit in arrows[todo.pop()] - seen:
                seen.add(unit)
                todo.append(unit)
        return seen

    closure = {unit: reached(unit) for unit in list(arrows)}
    return {tuple(sorted(other for other in closure[unit] if unit in closure.get(other, ())))
            for unit in closure if unit in closure[unit]}


def main():
    """Prints each wrong include and each circle."""
    files, layers = sources(), module_layers()
    arrows = collections.defaultdict(set)
    errors = []

    for name in sorted(files):
        if folder_of(name) is None:
            errors.append(f"{name}: the folder is not in ALLOWED")
            continue
        if folder_of(name) == MODULE and unit_of(name) not in layers:
            errors.append(f"{name}: not in the table of layers of design.rst")
        for header, path in includes(name, files):
            errors += [f"{name}: {error}" for error in errors_of(name, header, path, layers)]
            if path in files and node_of(path) != node_of(name):
                arrows[node_of(name)].add(node_of(path))
    errors += ["circle: " + " ".join(units) for units in sorted(circles(arrows))]
    print("\n".join(errors), end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check-tools.py sizes, or check-tools.py symbols OBJECTS... - limits of the source code

sizes: lines of code, of files and of functions. symbols: global symbols of the tools that no
other object file uses, uses against the layers of check-layers.py, circles of units that use each
other's symbols, lines of the sources that are linked into n3stat, and mutable static variables;
OBJECTS are directories of builds for different architectures.

Prints the figures, or only what exceeds its limit.
"""
import collections
import graphlib
import pathlib
import re
import runpy
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
LAYERS = runpy.run_path(str(TOP / "tools/dev/check-layers.py"))

# A limit changes only in the commit that needs it, with the reason. Lines of code, see CODE:
TELEMETRY = 40400
SPE = 11500
REPOSITORY = 166800
# of a file of tools, except tables and units moved from the module
FILE = 500
# of the sources that are linked into n3stat, except units of the module and those moved from it
N3STAT = 13800
# of a function of tools or the module, with its braces
FUNCTION = 50
# mutable static variables of the tools
MUTABLE = 10

CODE = re.compile(r"\.(c|h|js|css|S)$")
TEST = re.compile(r"(^|/)tests/")
# sampling with SPE, and what is not part of a program
SPE_FOLDERS = re.compile(r"tools/spe/")
OTHER_FOLDERS = re.compile(r"tools/(dev|man)/")
# tables, and units moved from the module
LONG_FILES = re.compile(r"\.def\.h$|^tools/libn3telemetry/stats/")
# units of the module
LIBN3T = "libn3t/"

# sections of variables; constants with addresses are in .data.rel.ro
VARIABLES = re.compile(r"(\*COM\*|\.t?(bss|data)(?!\.rel\.ro))")


def tracked():
    """Names of all files of the repository with their texts, without binary files."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, capture_output=True,
                           text=True).stdout.split("\0")
    for name in names:
        if name and not re.search(r"(^|/)upstream/", name) and (TOP / name).is_file():
            data = (TOP / name).read_bytes()
            if b"\0" not in data:
                yield name, data.decode("utf-8", "replace")


def functions(text):
    """Names and lines of functions, in the kernel's style."""
    lines, start = text.split("\n"), None
    for nr, line in enumerate(lines):
        if line == "{":
            start = nr
        elif line == "}" and start is not None:
            head = " ".join(lines[max(start - 3, 0):start])
            yield re.findall(r"(\w+)\(", head)[-1:], nr - start + 1
            start = None


def exceeding(what, number, limit):
    """The line for a number above its limit, if it is."""
    return [f"{what}: {number}, the limit is {limit}"] if number > limit else []


def sizes():
    """Prints what is too large, or the figures."""
    total, errors, longest_file, longest_function = collections.Counter(), [], 0, 0

    for name, text in tracked():
        lines = text.count("\n")
        total["repository"] += lines
        if not CODE.search(name) or TEST.search(name) or \
           not name.startswith(("tools/", "drivers/")):
            continue
        for function, size in functions(text):
            errors += exceeding(f"{name}: {''.join(function)}()", size, FUNCTION)
            longest_function = max(longest_function, size)
        if not name.startswith("tools/"):
            continue
        if SPE_FOLDERS.match(name):
            total["spe"] += lines
        elif not OTHER_FOLDERS.match(name):
            total["telemetry"] += lines
        if not LONG_FILES.search(name):
            errors += exceeding(name, lines, FILE)
            longest_file = max(longest_file, lines)
    for what, limit in (("telemetry", TELEMETRY), ("spe", SPE), ("repository", REPOSITORY)):
        errors += exceeding(f"lines of {what}", total[what], limit)
    return errors, f"telemetry {total['telemetry']} lines, SPE {total['spe']}, " \
        f"repository {total['repository']}; longest file {longest_file}, " \
        f"function {longest_function}"


def source_of(unit):
    """The source of a unit, None if it is gone."""
    return next((path for folder in ("tools", "tools/spe") for suffix in (".c", ".S")
                 if (path := TOP / folder / (unit + suffix)).exists()), None)


def unit_of(directory, name):
    """The unit of an object file, None if its source is gone."""
    unit = name.removeprefix(f"{directory}/").removesuffix(".o")
    return unit if unit.startswith(LIBN3T) or source_of(unit) else None


def symbols_of(directory):
    """Unit, name, class and section of each symbol of a build."""
    objects = sorted(str(path) for path in pathlib.Path(directory).rglob("*.o"))
    out = subprocess.run(["nm", "-A", "-f", "sysv", *objects], check=True, capture_output=True,
                         text=True).stdout
    for line in out.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7:
            path, name = fields[0].split(":", 1)
            unit = unit_of(directory, path)
            if unit:
                yield unit, name, fields[2], fields[6]


def is_checked(unit):
    """Tests and the module's units only use symbols."""
    return not TEST.search(unit) and not unit.startswith(LIBN3T)


def tests_of(unit):
    """The text of the unit tests: those of its folder, and the one of its name."""
    folder = source_of(unit).parent
    files = [*folder.glob("tests/*.[ch]"), TOP / "tools/tests" / (unit.rpartition("/")[2] + ".c")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if path.exists())


def circle(uses):
    """Errors: units that use each other's symbols, directly or through others."""
    try:
        graphlib.TopologicalSorter(uses).prepare()
    except graphlib.CycleError as error:
        return ["circle of symbols: " + " ".join(error.args[1])]
    return []


def against_layers(uses):
    """Units that use a unit of a folder that theirs may not include."""
    for user in list(uses):
        own = LAYERS["folder_of"](str(source_of(user).relative_to(TOP)))
        for unit in sorted(uses[user]):
            other = LAYERS["folder_of"](str(source_of(unit).relative_to(TOP)))
            if other not in [own, *LAYERS["ALLOWED"][own]]:
                yield f"{user} uses {unit}, against the layers"


def lines_linked(uses, folder):
    """Lines of a program's sources: those of its folder, and what these use."""
    units, todo = set(), [unit for unit in uses if unit.startswith(folder)]
    while todo:
        unit = todo.pop()
        if unit not in units:
            units.add(unit)
            todo += uses[unit]
    return sum(source_of(unit).read_bytes().count(b"\n") for unit in units
               if not LONG_FILES.search(f"tools/{unit}"))


def symbols(directories):
    """Prints unused symbols, circles and mutable variables, or the figures."""
    definers, users, mutable = {}, collections.defaultdict(set), set()

    for directory in directories:
        for unit, name, kind, section in symbols_of(directory.rstrip("/")):
            if kind == "U" and not TEST.search(unit):
                users[name].add(unit)
            if not is_checked(unit) or kind == "U":
                continue
            if kind.isupper() and name != "main":
                definers.setdefault(name, unit)
            if VARIABLES.match(section) and name != "$d" and not name.startswith("."):
                mutable.add((unit, re.sub(r"\.\d+$", "", name)))
    unused = [f"{unit}: only the unit itself uses {name}"
              for name, unit in sorted(definers.items(), key=lambda pair: pair[::-1])
              if not users[name] and not re.search(rf"\b{name}\b", tests_of(unit))]
    uses = collections.defaultdict(set)
    for name, unit in definers.items():
        for user in filter(is_checked, users[name]):
            uses[user].add(unit)
    linked = lines_linked(uses, "n3stat/")
    errors = unused + [*against_layers(uses)] + circle(dict(uses)) + \
        exceeding("lines linked into n3stat", linked, N3STAT)
    if len(mutable) > MUTABLE:
        errors += exceeding("mutable static variables", len(mutable), MUTABLE) + \
            [f"{unit}: {name}" for unit, name in sorted(mutable)]
    return errors, f"{len(definers)} symbols; n3stat links {linked} lines; " \
        f"{len(mutable)} mutable static variables: " + \
        ", ".join(f"{unit}:{name}" for unit, name in sorted(mutable))


def main():
    """Exits with 1 if a limit is exceeded."""
    match sys.argv[1:]:
        case ["sizes"]:
            errors, figures = sizes()
        case ["symbols", _, *_]:
            errors, figures = symbols(sys.argv[2:])
        case _:
            sys.exit(__doc__)
    print("\n".join(errors) if errors else figures)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

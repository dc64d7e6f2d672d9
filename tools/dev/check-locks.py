#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check-locks.py - compares locks in kernel-doc with lockdep assertions

A function whose "Context:" requires a lock must assert that it is held, and a function that
asserts a lock must document it there. The CPU hotplug lock is excluded: Linux 6.1 does not
export lockdep_assert_cpus_held(). Each mutex must be in the lock table of
Documentation/design.rst, and one that is "only tried" there must never be waited for.
Mistakes are printed; any mistake is an error, and so is a run without anything to compare.
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
MODULE = TOP / "drivers/perf/n3_telemetry"
DESIGN = TOP / "Documentation/design.rst"

# lock: its name in kernel-doc, the asserted expression
LOCKS = {
    "n3t_control_lock": (r"n3t_control_lock", r"&n3t_control_lock"),
    "the lock of a CPU": (r"@\w+->lock\b|\block of (the|a|that) CPU\b", r"&\w+->lock"),
    "self_test_lock": (r"self_test_lock", r"&self_test_lock"),
}

# a row of the table: the lock and its kind
ROW = re.compile(r"^``(?:\w+\.)?(?P<name>\w+)`` +mutex(?P<how>\S*(?: \S+)*)", re.MULTILINE)
MUTEX = re.compile(r"\b(?:DEFINE_MUTEX\(|mutex_init\(&(?:\w+(?:->|\.))*)(?P<name>\w+)\)")
WAIT = re.compile(r"\bmutex_lock\w*\(&(?:\w+(?:\[\w+\])?(?:->|\.))*(?P<name>\w+)\)")

# an optional comment, a definition at the start of a line, its body
FUNCTION = re.compile(
    r"(?P<comment>/\*(?:(?!\*/).)*\*/\n)?"
    r"^(?P<head>[a-z][\w \t*]*?\**(?P<name>\w+)\((?:[^;{}])*?\))\n\{\n(?P<body>.*?)^\}\n",
    re.MULTILINE | re.DOTALL)


def context(comment):
    """The text of the section "Context:" of a kernel-doc comment."""
    lines = [re.sub(r"^ \*/?\s?", "", line) for line in comment.splitlines()]
    found = []
    for line in lines:
        if line.startswith("Context:"):
            found = [line[len("Context:"):]]
        elif found and (not line.strip() or re.match(r"\w+:", line)):
            break
        elif found:
            found.append(line)
    return " ".join(found)


def says_held(text, name):
    """Whether a clause of a Context requires the lock."""
    return any(re.search(name, clause) and re.search(r"\bheld\b", clause)
               and not re.search(r"\b(no|not)\b", clause)
               for clause in re.split(r"[;.](?:\s|$)", text))


def compare(path):
    """Yields a line for each mistake and None for each lock that is documented correctly."""
    text = path.read_text(encoding="utf-8")
    for function in FUNCTION.finditer(text):
        comment = function["comment"] or ""
        has_doc = comment.startswith("/**")
        doc = context(comment) if has_doc else ""
        is_public = not function["head"].startswith("static ")
        line = text.count("\n", 0, function.start("head")) + 1
        where = f"{path.name}:{line}: {function['name']}()"

        for lock, (name, argument) in LOCKS.items():
            said = says_held(doc, name)
            asserted = re.search(rf"\blockdep_assert_held\({argument}\)", function["body"])
            if said and not asserted:
                yield f"{where} says that {lock} is held and does not assert it"
            elif asserted and not said and (has_doc or is_public):
                yield f"{where} asserts {lock}; its Context does not say that it is held"
            elif said:
                yield None


def compare_table(path, table):
    """Yields a line for each mutex missing in the table, or waited for contrary to it."""
    text = path.read_text(encoding="utf-8")
    for mutex in MUTEX.finditer(text):
        if mutex["name"] not in table:
            yield f"{path.name}: {mutex['name']} is not in the lock table of {DESIGN.name}"
    for wait in WAIT.finditer(text):
        if "tried" in table.get(wait["name"], ""):
            yield f"{path.name}: {wait['name']} is waited for; {DESIGN.name}: only tried"


def main():
    """Compares the files of the module."""
    paths = sorted(MODULE.glob("*.[ch]"))
    table = {row["name"]: row["how"] for row in ROW.finditer(DESIGN.read_text(encoding="utf-8"))}
    results = [result for path in paths for result in compare(path)]
    mistakes = [result for result in results if result]
    mistakes += [mistake for path in paths for mistake in compare_table(path, table)]

    if not results:
        mistakes = ["no function says or asserts that a lock is held"]
    print("\n".join(mistakes), end="\n" if mistakes else "")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())

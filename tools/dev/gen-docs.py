#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""gen-docs.py [--check | --pages DIR] - pictures or pages of the documentation from the tables

Writes Documentation/pictures/tree.svg and the ABI's list of metrics from the tables of the module,
and style.css into each picture. With --check it writes nothing and reports files that differ,
settings whose range or default in the ABI differs from the module's, rows of cores without a
source, and lists of their words that differ. With --pages it writes metrics.rst, events.rst,
advice.rst and glossary.rst, from the tables of the module and the tools, to DIR.
"""
import contextlib
import difflib
import io
import pathlib
import re
import sys
import textwrap

from tables import (CHILDREN, EVENTS, GROUPS, LATER, LIBN3T, MEMBERS, METRICS, STAGES, TELEMETRY,
                    TOP, TREE, TREE_GROUPS, UNITS, read_number, read_table, rows)

DOCS = TOP / "Documentation"
ABI = DOCS / "ABI/testing/sysfs-kernel-n3_telemetry"
MODULE = LIBN3T.parent

CLASSES = {"COMMON_ARCH": "architectural", "COMMON_IMPDEF": "common",
           "PRODUCT_IMPDEF": "product", "DEBUG_IMPDEF": "debug"}
# kinds and conditions as in advice.h
ADVICE_WORDS = {
    "MEANS": "means", "LOOK": "look at", "FIND": "find it", "NOTE": "note", "FIX": "fix",
    "ALWAYS": "", "SPE": ", if SPE is usable", "NO_SPE": ", if SPE is not usable",
    "SEVERAL_NODES": ", unless there is one NUMA node",
    "PERF": ", if the command is one of perf", "SIMULATED": ", if counts are simulated",
}


SOURCES = rows(TELEMETRY / "sources.def.h", "SOURCE_OF")
# slots per cycle, SLOTS in formulas
N3_SLOTS = next(row[5] for row in rows(LIBN3T / "core.def.h", "N3T_CORE") if row[0] == "n3")


def heading(text, line):
    """A title with the line below it."""
    print(f"\n{text}\n{line * len(text)}")


def paragraph(text, indent, rest=None):
    """Words in lines of at most 78 characters, all but the first indented by @rest."""
    print(textwrap.fill(text, 78, initial_indent=" " * indent, break_long_words=False,
                        subsequent_indent=" " * (indent if rest is None else rest),
                        break_on_hyphens=False))


def field(name, text):
    paragraph(f":{name}: {text}", 4, 8)


def links(names):
    """Every link target is a heading of the same page."""
    return ", ".join(f"`{name.lower()}`_" for name in names)


def events_of(formula):
    """In the order of the formula, including CPU_CYCLES."""
    return [name for name in dict.fromkeys(re.findall(r"\b[A-Z]\w+", formula)) if name != "SLOTS"]


def print_metrics(of_the_specification):
    for metric in METRICS:
        if (not metric.group) != of_the_specification:
            continue
        name, unit, events = metric.name, UNITS[metric.unit], events_of(metric.formula)
        groups = [group for group, member in MEMBERS if member == name]
        following = [to for node, to in TREE if node == name]
        print(f"\n.. _{name}:\n\n``{name}``")
        paragraph(metric.means, 4)
        print(f"\n    :Short name: {metric.brief}")
        print(f"    :Unit: {unit.words}, {unit.decimals} decimals")
        print(f"    :Formula: ``{metric.formula.replace('SLOTS', N3_SLOTS)}``")
        print(f"    :Events: {', '.join(events)}")
        print(f"    :Counters: {len(set(events) - {'CPU_CYCLES'})} plus the cycle counter")
        print(f"    :Groups: {links(groups)}")
        if following:
            print(f"    :Next: {links(following)}")


def print_groups(of_the_specification):
    for name, title, stage, section, purpose in GROUPS:
        if (stage != "0") != of_the_specification:
            continue
        print(f"\n.. _{name.lower()}:\n\n``{name.lower()}``: {title}")
        paragraph(purpose, 4)
        print()
        if of_the_specification:
            print(f"    :Stage: {stage}")
        if section:
            print(f"    :Section: {section}")
        print(f"    :Metrics: {links(metric for group, metric in MEMBERS if group == name)}")


def begin(title):
    print(""".. Made by tools/dev/gen-docs.py from the tables in drivers/perf/n3_telemetry.
.. Change those, not this file.""")
    heading(title, "=")


def write_metrics():
    specified = sum(not metric.group for metric in METRICS)
    groups = sum(stage != "0" for stage in STAGES.values())

    begin("Metrics and metric groups")
    print(f"""
For users of values. What does a metric mean, and which events does it need?

{specified} metrics in {groups} groups are those of Arm's *Neoverse N3 Core Telemetry
Specification* (109530, issue 01); {len(METRICS) - specified} more metrics in \
{len(GROUPS) - groups} groups are not. *Section*
refers to the specification, whose section 4.3 has the formulas.

A group is one file in each directory of ``/sys/kernel/n3_telemetry``. A metric is
computed from events that were counted together: the exact quotient, rounded to
the given decimals (to nearest, ties away from zero). It is ``unplaced`` on a CPU
with too few counters, and ``unsupported`` if ``distrust`` names one of its events.

Metrics whose formula subtracts can be negative; no value is clamped. *Next* names
the metrics or groups to look at when the metric is large.""")
    heading("Groups", "-")
    print_groups(True)
    heading("Extra groups", "-")
    print("\nNot sampled unless they are named in ``groups``.")
    print_groups(False)
    heading("Metrics", "-")
    print_metrics(True)
    heading("Extra metrics", "-")
    print_metrics(False)


def write_events():
    line = "  ".join("=" * width for width in (6, 44, 13, 16, 7))
    row = "{:<6}  {:<44}  {:<13}  {:<16}  {}".format
    nr = {kind: sum(event[2] == kind for event in EVENTS) for kind in CLASSES}

    begin("Events")
    print(f"""
For users of perf and of ``custom``. Which events exist? Which metrics use them?

{len(EVENTS)} events. While the module is loaded, perf accepts their names in lower case,
such as ``armv8_pmuv3/stall_slot/``, and both names of an event that was renamed.
The setting ``custom`` accepts names in any case.

Section 4.4 of Arm's *Neoverse N3 Core Telemetry Specification* (109530, issue 01)
describes the events. Classes:

* architectural: defined by the Arm architecture ({nr["COMMON_ARCH"]})
* common: a number that Arm recommends for the purpose ({nr["COMMON_IMPDEF"]})
* product: this core's own, in the specification ({nr["PRODUCT_IMPDEF"]})
* debug: this core's own, from Arm's later event data ({nr["DEBUG_IMPDEF"]})

{line}""")
    print(row("number", "name, later name", "class", "functional group", "metrics"), line, sep="\n")
    for name, code, kind, group, countable in EVENTS:
        group = group.replace("None", r"\-")
        names = ", ".join(filter(None, (name, LATER.get(name))))
        users = ", ".join(metric.name for metric in METRICS if name in events_of(metric.formula))
        if countable == "0":
            users = "*cannot be counted alone*" + users
        print(row(f"0x{int(code, 16):04X}", names, CLASSES[kind], group, users or r"\-"))
    print(line)


def check_source(name, text):
    """Each part of a source begins with a document, or is the reason why there is none."""
    for part in text.split("; "):
        document, _, path = part.partition(", ")
        if part.startswith("no published source: "):
            continue
        if document not in (source[0] for source in SOURCES):
            sys.exit(f'{name}: no document of sources.def.h begins "{part}"')
        if document == "n3_telemetry" and not (TOP / re.split("[,:;]", path)[0]).exists():
            sys.exit(f"{name}: no file {path}")


def print_advice():
    advice = rows(TOP / "tools/reader/advice.def.h", "ADVICE_ROW")
    advice += [(name, "spe_info", "FIX", "ALWAYS", text, source) for name, text, source in
               rows(TOP / "tools/spe/n3spe/fixes.def.h", "SPE_FIX")]
    last = None
    for name, subject, kind, condition, text, source in advice:
        if subject != last:
            heading(subject, "~")
        last = subject
        print(f"\n``{name}`` ({ADVICE_WORDS[kind]}{ADVICE_WORDS[condition]})")
        if kind == "FIND" or (kind == "FIX" and subject != "word"):
            print(f"    ``{text}``")
        else:
            paragraph(text, 4)
        print()
        check_source(name, source)
        field("Source", source)


def print_levels():
    for metric in METRICS:
        published = [(word, text) for word, text in (("Usual", metric.usual),
                                                     ("Large", metric.large)) if text != "NULL"]
        print(f"\n``{metric.name}``")
        for word, text in published:
            field(word, text)
        if published:
            check_source(metric.name, metric.source)
        field("Source" if published else "Not published", metric.source)


def write_glossary():
    terms = [row[:2] for row, _ in read_table(TELEMETRY / "terms.def.h", "TERM_TEXT",
                                              "GLOSSARY_TEXT")]
    briefs = [f"{metric.brief} (``{metric.name}``)" for metric in METRICS
              if metric.name in CHILDREN]
    terms.append(("short name", f"Of a metric of the tree in answers: {', '.join(briefs)}."))
    print(""".. Made by tools/dev/gen-docs.py from tools/libn3telemetry/terms.def.h. Change
.. that, not this file.""")
    heading("Glossary", "=")
    print("""
For all readers. What does a term of n3_telemetry mean? ``n3stat explain TERM``
prints those of its output with the place to look.

.. glossary::""")
    for term, means in sorted(terms, key=lambda row: row[0].lower()):
        print(f"\n   {term}")
        paragraph(means, 6)


def write_advice():
    print(""".. Made by tools/dev/gen-docs.py from tools/reader/advice.def.h,
.. tools/libn3telemetry/sources.def.h and the rows of metrics (n3t_metrics.def.h).
.. Change those, not this file.""")
    heading("Advice and its sources", "=")
    print("\nFor readers of advice by n3stat. When is it given, and what supports it?\n")
    paragraph("``n3stat tree``, ``top``, ``explain`` and ``report`` print advice on an answer; "
              "``n3stat doctor`` and ``n3stat spe info`` print a fix after \"try:\". "
              "Each text has an id, which ``n3stat tree --json`` prints, a condition and a "
              "source: a document of the list at the end, with a section or file. In "
              "commands, PMU stands for the name of the CPUs' PMU and WHERE for ``-C`` with "
              "a list of CPUs.", 0)
    heading("Advice", "-")
    print_advice()
    heading("Usual and large values", "-")
    print()
    paragraph("``n3stat explain`` prints these values. Those of Intel's cores are thresholds "
              "of toplev; those of misses per thousand instructions are for AWS Graviton. For "
              "Neoverse N3 itself, no values have been published.", 0)
    print_levels()
    heading("Sources", "-")
    for name, title, url in SOURCES:
        print(f"\n{name}")
        paragraph(title, 4)
        if url != "NULL":
            print(f"    {url}")


class Picture:
    """The decision tree: a row for each node, indented by depth. styled() adds the style."""
    ROW, BOX, WIDTH, INDENT, LEFT, TOP = 30, 22, 206, 26, 16, 44
    NEXT = 334      # left end of the groups to look at next
    TOTAL = 660
    # of each part of the tree: the palette of all outputs, as the style has it
    COLOURS = ("amber", "blue", "red", "green")

    def __init__(self):
        self.rows = 0
        # in the order of groups and of their files
        self.nodes = [metric for group, metric in MEMBERS if STAGES[group] == "1"]

    def print_groups(self, node, x, y):
        """The groups to look at next, two in a line."""
        following = [to for parent, to in TREE_GROUPS if parent == node]
        names = [name.lower() for name, *_ in GROUPS if name in following]
        lines = [", ".join(names[i:i + 2]) for i in range(0, len(names), 2)]
        if names:
            print(f'<path class="line dots" d="M{x} {y}H{self.NEXT - 6}"/>')
        for i, line in enumerate(lines):
            comma = "," if i < len(lines) - 1 else ""
            print(f'<text class="soft" x="{self.NEXT}" y="{y + 4 + i * 15}">{line}{comma}</text>')

    def print_node(self, node, depth, colour):
        x, y = self.LEFT + depth * self.INDENT, self.TOP + self.rows * self.ROW
        print(f'<rect class="box {colour}" x="{x}" y="{y}" width="{self.WIDTH}" '
              f'height="{self.BOX}" rx="4"/>')
        print(f'<text class="name" x="{x + 10}" y="{y + 15}">{node}</text>')
        self.print_groups(node, x + self.WIDTH, y + self.BOX // 2)
        self.rows += 1
        for child in sorted(CHILDREN[node], key=self.nodes.index):
            # from this box down and to that of the child
            print(f'<path class="line" d="M{x + 13} {y + self.BOX}'
                  f'V{self.TOP + self.rows * self.ROW + self.BOX // 2}h{self.INDENT - 13}"/>')
            self.print_node(child, depth + 1, colour)

    def print(self):
        height = self.TOP + len(self.nodes) * self.ROW + 16
        print(f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.TOTAL} {height}" \
width="{self.TOTAL}" height="{height}" role="img">
<!-- Made by tools/dev/gen-docs.py from libn3t/n3t_groups.def.h: change that. -->
<title>Decision tree</title>
<style>
</style>
<rect class="paper" width="{self.TOTAL}" height="{height}" rx="8"/>
<text class="soft" x="{self.LEFT}" y="24">metric, and the parts of it</text>
<text class="soft" x="{self.NEXT}" y="24">groups to look at next</text>""")
        for root, colour in zip(CHILDREN, self.COLOURS):
            self.print_node(root, 0, colour)
        print("</svg>")


def printed(function):
    """What a function prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function()
    return out.getvalue()


def styled(picture):
    """With the style of all pictures."""
    style = (DOCS / "pictures/style.css").read_text(encoding="utf-8")
    return re.sub(r"(?<=^<style>\n).*?(?=^</style>$)", lambda _: style, picture, flags=re.M | re.S)


def write_pages(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, write in (("metrics", write_metrics), ("events", write_events),
                        ("advice", write_advice), ("glossary", write_glossary)):
        (folder / f"{name}.rst").write_text(
            ".. SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause\n" + printed(write),
            encoding="utf-8")


def stage_of(group):
    return "extra" if STAGES[group] == "0" else f"stage {STAGES[group]}"


def print_units():
    """Groups with their metrics by unit, for the ABI."""
    unit_of = {metric.name: UNITS[metric.unit].words for metric in METRICS}
    for group in STAGES:
        print(f"{group.lower()} ({stage_of(group)})")
        members = [metric for of_group, metric in MEMBERS if of_group == group]
        for unit in dict.fromkeys(unit_of[metric] for metric in members):
            names = ", ".join(metric for metric in members if unit_of[metric] == unit)
            print(textwrap.fill(f"{unit}: {names}.", 63, initial_indent=" " * 4,
                                subsequent_indent=" " * 4))


def abi():
    """The ABI with the metrics of the tables."""
    text = ABI.read_text(encoding="utf-8")
    for group in STAGES:
        nr = sum(of_group == group for of_group, _ in MEMBERS)
        text = re.sub(rf"(?<=\tgroup ){group.lower()} .*",
                      f"{group.lower()} {stage_of(group)} metrics {nr}", text)
    before, lead, rest = text.partition("Metrics by\n\t\ttheir units:\n\n")
    return before + lead + textwrap.indent(printed(print_units), "\t\t") + \
        rest[rest.index("Users:"):]


def documents():
    """{name: text} of all pictures, and of the ABI."""
    pictures = {name: (DOCS / f"pictures/{name}.svg").read_text(encoding="utf-8")
                for name in ("data-path", "slice", "sets")}
    pictures["tree"] = "<!-- SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause -->\n" + \
        printed(Picture().print)
    return {str(ABI.relative_to(DOCS)): abi(),
            **{f"pictures/{name}.svg": styled(text) for name, text in pictures.items()}}


def expected_settings():
    """(setting, words that its description in the ABI must contain)"""
    config = MODULE / "config.h"
    default = dict(re.findall(r"^SETTING\((\w+),.*\(default: ([^ )]*)",
                              (MODULE / "settings.c").read_text(encoding="utf-8"), re.M))

    yield "slice_ms", (f"{read_number('N3T_SLICE_MS_MIN', config)} to "
                       f"{read_number('N3T_SLICE_MS_MAX', LIBN3T / 'pace.h')}. "
                       f"Default {read_number('N3T_SLICE_MS_DEFAULT', config)}.")
    yield "window_ms", (f"two rotations to {read_number('N3T_WINDOW_MS_MAX', config)}. "
                        f"Default {read_number('N3T_WINDOW_MS_DEFAULT', config)}.")
    yield "reserved_counters", (f"0 to {read_number('N3T_MAX_COUNTERS', LIBN3T / 'n3t.h')}. "
                                f"Default {default['reserved_counters']}.")
    for name in ("enable", "groups", "distrust", "custom", "cpus", "contention", "replicates",
                 "switch"):
        yield name, f"Default {default[name]}."


def abi_errors():
    """Facts about settings that the ABI lacks."""
    for name, text in expected_settings():
        description = re.search(rf"^What:\s+/sys/kernel/n3_telemetry/{name}\n(.*?)(?=^What:|\Z)",
                                ABI.read_text(encoding="utf-8"), re.M | re.S)[1]
        if f" {text} " not in " ".join(description.split()) + " ":
            yield f'{ABI.name}: {name}: the module\'s are "{text}", which it does not say'


def core_errors():
    """Rows of cores without a source, and lists of the words of core= that differ from the table."""
    cores = rows(LIBN3T / "core.def.h", "N3T_CORE")
    words = sorted({word for _, word, *_ in cores})

    for row in cores:
        if not row[-1]:
            yield f"core.def.h: {row[0]} has no source"
    for path, listed in ((MODULE / "pmu.c", r"or names \(([^)]*)\)"),
                         (ABI, r"or by name \(([^;)]*)"),
                         (DOCS / "silicon.rst", r"the words ([^.]*), separated")):
        found = re.search(listed, " ".join(path.read_text(encoding="utf-8").split()))
        if not found or re.findall(r"\w+", found[1]) != words:
            yield f"{path.name}: the words of core= are not {', '.join(words)}"


def main():
    errors = []
    match sys.argv[1:]:
        case ["--pages", folder]:
            return write_pages(pathlib.Path(folder))
        case [] | ["--check"]:
            pass
        case _:
            sys.exit(__doc__)
    for name, text in documents().items():
        old = (DOCS / name).read_text(encoding="utf-8")
        if sys.argv[1:] != ["--check"]:
            (DOCS / name).write_text(text, encoding="utf-8")
        elif old != text:
            errors += [f"Documentation/{name} is out of date: run tools/dev/gen-docs.py",
                       *list(difflib.unified_diff(old.splitlines(), text.splitlines(),
                                                  lineterm=""))[:20]]
    if sys.argv[1:] == ["--check"]:
        errors += [*abi_errors(), *core_errors()]
        printed(write_advice)   # exits if a source is unknown
    print("".join(f"{error}\n" for error in errors), end="")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

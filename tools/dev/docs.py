#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""docs.py [DIR] - builds the documentation in DIR/html (build/docs), without any warning

DIR/source has copies of Documentation/ and of OUTSIDE, the pages of gen-docs.py, a list of units,
and pages that are made of the ABI file and, by mandoc, of the manual pages. A unit is a source, or
a header without one; its description is the first sentence of the comment in line 2, which may be
no question. Sphinx checks links within them. Files of the repository that pages and manual
pages name must exist. Links to other hosts are not followed, as the build needs no network: only
their syntax is checked.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

TOP = pathlib.Path(__file__).resolve().parents[2]
ABI = "Documentation/ABI/testing/sysfs-kernel-n3_telemetry"
FOLDERS = "Documentation|debian|drivers|include|selftests|tools"
# of units
ROOTS = ["drivers/perf/n3_telemetry", "tools"]
# tests, scripts of developers, the kernel's headers for user space
LEFT_OUT = {"tests", "dev", "include"}
SOURCES = {".c", ".S", ".js", ".css"}
COMMENT = re.compile(r"[^\n]*\n/\*(.*?)(?:\*/|\n \*\n)", re.DOTALL)
# a question, or the first macro of a table
UNFIT = re.compile(r"^$|(?:^|: )(?:how|what|when|where|whether|which|who|why)\b|\?|^[A-Z0-9_]+\(",
                   re.IGNORECASE)
OUTSIDE = ["tools/spe/spe.rst", "CONTRIBUTING.md"]


def heading(text, line):
    """A title with the line below it."""
    return f"\n{text}\n{line * len(text)}\n\n"


def abi_entry(entry):
    """The section of one entry of the ABI file."""
    description = re.search(r"^Description:\s*(.*?)(?=^[A-Z]\w+:|\Z)", entry, re.M | re.S)
    names = re.findall(r"^What:\s*(\S+)", entry, re.M)
    text = "\n".join(line.removeprefix("\t\t") for line in description[1].split("\n"))
    return (heading(f"``{names[0]}``", "-") +
            "".join(f"Also ``{name}``\n\n" for name in names[1:]) + text.strip() + "\n")


def abi_page():
    """The ABI file as a page."""
    entries = re.findall(r"(?:^What:.*\n+)+(?:(?!What:).*\n)*",
                         (TOP / ABI).read_text(encoding="utf-8"), re.M)
    return (heading("Files in sysfs", "=") +
            "For authors of programs that read the module. What does each file contain?\n\n"
            f"The source of this page is ``{ABI}``.\n" +
            "".join(abi_entry(entry) for entry in entries))


def manual_page(source, names):
    """A manual page as HTML, with links to the others, and the line of its NAME section."""
    html = subprocess.run(["mandoc", "-Thtml", "-Ofragment", source], check=True,
                          capture_output=True, text=True).stdout
    html = re.sub(r'<table class="(head|foot)">.*?</table>', "", html, flags=re.S)
    # a line of <pre> ends already
    html = re.sub(r"<pre.*?</pre>", lambda code: code[0].replace("<br/>\n", ""), html, flags=re.S)
    html = re.sub(r"<b>([\w.-]+)</b>\(([1-8])\)",
                  lambda x: f'<a href="{x[1]}.{x[2]}.html">{x[0]}</a>'
                  if f"{x[1]}.{x[2]}" in names else x[0], html)
    html = re.sub(r"(?<![\w./-])(?:Documentation/)?([\w/-]+)\.rst\b",
                  r'<a href="../\1.html">\g<0></a>', html)
    title = ", ".join(f"{name}({source.suffix[1:]})" for name in names_of(source))
    indented = "".join(f"   {line}\n" for line in html.split("\n"))
    return heading(title, "=") + ".. raw:: html\n\n" + indented


def names_of(source):
    """The names of programs in the NAME section: the search finds the page by each."""
    names = re.search(r"^(.*) \\- ", source.read_text(encoding="utf-8"), re.M)[1].split(", ")
    return names[:1] + [name for name in names[1:] if "." not in name]


def purpose(source):
    """What the NAME section says that the program does."""
    return re.search(r"\\- (.*)", source.read_text(encoding="utf-8"))[1].replace("\\-", "-")


def manual_pages(folder):
    """Writes all, with a page that lists them."""
    sources = sorted(TOP.glob("tools/**/man/*.[1-8]"), key=lambda page: page.name)
    names = [source.name for source in sources]
    folder.mkdir()
    for source in sources:
        (folder / f"{source.name}.rst").write_text(manual_page(source, names), encoding="utf-8")
    (folder / "index.rst").write_text(
        heading("Manual pages", "=") +
        "For users of the programs. Which options and files does each have?\n\n" +
        ".. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in names) + "\n" +
        "".join(f":doc:`{name}`\n    {purpose(source)}\n\n"
                for name, source in zip(names, sources)), encoding="utf-8")


def is_unit(path):
    """Whether a file has a line of its own."""
    return path.suffix in SOURCES or path.suffix == ".h" and not path.with_suffix(".c").exists()


def description(path):
    """The first sentence of the comment in line 2, empty without one."""
    comment = COMMENT.match(path.read_text(encoding="utf-8"))
    text = " ".join(re.sub(r"^ \*", "", comment[1] if comment else "", flags=re.M).split())
    return re.split(r"\.(?= |$)", text)[0]


def unit_line(path):
    """The unit's entry: a comment is not markup."""
    text = re.sub(r"([*`|\\]|_\b|--)", r"\\\1", description(path))
    return textwrap.fill(f"* ``{path.name}``: {text}", 100, subsequent_indent="  ",
                         break_long_words=False, break_on_hyphens=False) + "\n"


def append_units(page):
    """Adds a section for each folder. Returns the units that line 2 does not describe."""
    units = sorted((path for root in ROOTS for path in (TOP / root).rglob("*")
                    if is_unit(path) and not LEFT_OUT & set(path.relative_to(TOP).parts)),
                   key=lambda path: (path.parent, path.name))
    with open(page, "a", encoding="utf-8") as file:
        for folder in dict.fromkeys(path.parent for path in units):
            file.write(heading(f"{folder.relative_to(TOP)}/", "-") +
                       "".join(unit_line(path) for path in units if path.parent == folder))
    return [path for path in units if UNFIT.search(description(path))]


def collect(source):
    """Makes the folder of all sources."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(TOP / "Documentation", source, ignore=shutil.ignore_patterns("testing"))
    subprocess.run([TOP / "tools/dev/gen-docs.py", "--pages", source], check=True)
    (source / "ABI").mkdir(exist_ok=True)
    (source / "ABI/files.rst").write_text(abi_page(), encoding="utf-8")
    manual_pages(source / "man")
    for name in OUTSIDE:
        if (TOP / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            text = (TOP / name).read_text(encoding="utf-8").replace("](Documentation/", "](")
            # a label for each section
            text = re.sub(r"^## (.*)", lambda title: "(%s-%s)=\n\n%s" % (
                name.lower().removesuffix(".md"), title[1].lower().replace(" ", "-"), title[0]),
                          text, flags=re.M)
            (source / name).write_text(text, encoding="utf-8")


def mend_theme(scripts):
    """Debian 12's furo.js is a module that a page loads as a script: its import is put inside."""
    furo = scripts / "furo.js"
    module = re.match(r'import \w+ from "\./(.*)";', furo.read_text(encoding="utf-8"))
    if module:
        furo.write_text((scripts / module[1]).read_text(encoding="utf-8") +
                        furo.read_text(encoding="utf-8")[module.end():], encoding="utf-8")


def bad_names(name):
    """Files that a document names and that do not exist, and links that are not ones."""
    text = (TOP / name).read_text(encoding="utf-8").replace("\\-", "-")
    for path in re.findall(r"(?<![\w./<$}-])(?:(?:%s)/[\w./*-]*[\w*]|\.ci/\w+)" % FOLDERS, text):
        if not any(TOP.glob(path)) and not (TOP / f"{path}.rst").is_file() and \
                not path.startswith("tools/testing/"):
            yield f"{name}: no file {path}"
    for page, section in re.findall(r"\b(n3[\w.-]+) ?\(([1-8])\)", text):
        if not any(TOP.glob(f"tools/**/man/{page}.{section}")):
            yield f"{name}: no manual page {page}({section})"
    for link in re.findall(r"\]\(([^)#\s]+)", text) if name.endswith(".md") else []:
        if "://" not in link and not (TOP / name).parent.joinpath(link).exists():
            yield f"{name}: no file {link}"
    for link in re.findall(r"\w+://[^\s`>\"')]*", text):
        if not re.match(r"https?://([\w-]+\.)+\w+(:\d+)?(/|$)|https?://(localhost|127\.0\.0\.1|"
                        r"[A-Z_]+)\b|file:///", link.rstrip(".,")):
            yield f"{name}: {link} is not a link"


def documents():
    """All pages for people but those of gen-docs.py."""
    for pattern in ("*.md", "Documentation/**/*.rst", "Documentation/ABI/*/*", "selftests/**/*.md",
                    "tools/**/man/*", "tools/**/*.rst", "tools/**/*.md"):
        for path in sorted(TOP.glob(pattern)):
            yield str(path.relative_to(TOP))


def main():
    """Collects and builds; an unchanged page is built again, or it would not warn again."""
    if sys.argv[1:2] and sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build/docs").resolve()
    version = re.search(r'N3T_VERSION\s+"(.*)"',
                        (TOP / "drivers/perf/n3_telemetry/libn3t/n3t.h").read_text())[1]
    bad = [line for name in documents() for line in bad_names(name)]
    print("".join(f"{line}\n" for line in bad), end="")
    collect(build / "source")
    for path in append_units(build / "source/tools.rst"):
        bad.append(path)
        print(f"{path.relative_to(TOP)}: line 2 does not name the purpose of the unit")
    sphinx = subprocess.run(["sphinx-build", "-q", "-E", "-n", "-W", "--keep-going", "-b", "html",
                           "-d", build / "doctrees", build / "source", build / "html"],
                          env=dict(os.environ, N3T_VERSION=version), check=False)
    mend_theme(build / "html/_static/scripts")
    return bool(bad) or sphinx.returncode


if __name__ == "__main__":
    sys.exit(main())

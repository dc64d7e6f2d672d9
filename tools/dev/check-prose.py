#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check-prose.py [-v] - limits ten turns of phrase in comments, messages and documentation

Each phrase is correct English now and then; in large numbers they make text hard to read.
Counted are the comments of sources and scripts, string literals of C with two or more blanks
and the text of documentation, per folder of tracked files. Folders with fewer than MIN_WORDS words are counted with their parent. A folder
above its limit is printed with its most frequent phrases, and is an error. -v prints all
folders.
"""
import collections
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
MIN_WORDS = 300

# phrases per 1,000 words
LIMIT = 5

# Folders that are not revised yet. A row holds for subfolders without a row of their own.
LIMITS = {
    ".": 18,
    "Documentation": 16,
    "Documentation/ABI": 11,
    "Documentation/admin-guide": 11,
}

PHRASES = {
    "what it ...":
        r"\bwhat (?:it|they|there|is|are|was|were|a|an|the|slices|each|anchors?|others|belongs"
        r"|has|needs|follows|happens|only|that|cannot|can)\b",
    "beside": r"\bbeside\b",
    "tell": r"\b(?:tells?|told|telling)\b",
    "is no": r"(?<!there )\b(?:is|are|was|were|be) (?:no|none)\b(?! longer| more|t)",
    "whoever": r"\b(?:whoever|those who|nobody|somebody|anybody)\b",
    "all that": r"\ball (?:that|of (?:it|them|this|these))\b",
    "for good":
        r"\b(?:for good|as a rule|but for|anew|at the (?:least|most|earliest)|by itself"
        r"|in (?:its|their) turn|all the same|as well as not)\b",
    "says how": r"\bsays? (?:nothing|so|how|which|that it|whether|why|what)\b",
    "goes with":
        r"\b(?:goes? with|gone through|taken off|takes off|comes? to|is to be|are to be"
        r"|is to (?:do|end|have|get)|has to be|have to be)\b",
    "so much": r"\b(?:so|as) (?:much|many|long|often)\b",
}

# comments, string literals (adjacent ones are one) and character constants
C_TEXT = re.compile(r"""(?P<comment>/\*.*?\*/|//[^\n]*)"""
                    r"""|(?P<string>"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)"""
                    r"""|'(?:\\.|[^'\\\n])+'""", re.DOTALL)
HASH_COMMENT = re.compile(r"^\s*#[^!].*$", re.MULTILINE)
DOCSTRING = re.compile(r'""".*?"""', re.DOTALL)

C_NAME = re.compile(r"\.(c|h|S|js|dts)$")
HASH_NAME = re.compile(r"\.(sh|awk|py|mk|config)$|(^|/)(Makefile|Kbuild|init)$")
TEXT_NAME = re.compile(r"\.(rst|md|[1-8])$|^Documentation/ABI/")


def prose(name):
    """The comments of a source, or the text of a document."""
    if C_NAME.search(name):
        texts = C_TEXT.finditer(read(name))
        comments, strings = zip(*[(text["comment"] or "", sentence(text["string"] or ""))
                                  for text in texts] or [("", "")])
        return re.sub(r"^\s*\*", "", "\n".join(comments), flags=re.MULTILINE) + \
            "\n".join(strings)
    if HASH_NAME.search(name):
        source = read(name)
        comments = DOCSTRING.findall(source) if name.endswith(".py") else []
        return re.sub(r"^\s*#", "", "\n".join(comments + HASH_COMMENT.findall(source)),
                      flags=re.MULTILINE)
    return read(name) if TEXT_NAME.search(name) else ""


def sentence(literals):
    """The text of adjacent string literals, empty if it has fewer than two blanks."""
    text = re.sub(r"\\[nt]", " ", re.sub(r"\"\s*\"", "", literals)).strip('"')
    return text if text.count(" ") >= 2 else ""


def read(name):
    """The contents of a tracked file; a deleted one is empty."""
    try:
        return (TOP / name).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def count_words(text):
    """The number of words of a text."""
    return len(re.findall(r"[A-Za-z']+", text))


def folders():
    """The text of each folder, small ones merged into their parents."""
    names = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=TOP,
                           check=True, capture_output=True, text=True).stdout.split("\0")
    texts = collections.defaultdict(str)
    for name in filter(None, names):
        path = pathlib.PurePath(name)
        texts[path.parent] += prose(name) + "\n"
        for above in path.parents:
            texts[above] += ""
    for folder in sorted(texts, key=lambda path: -len(path.parts)):
        if folder.parts and count_words(texts[folder]) < MIN_WORDS:
            texts[folder.parent] += texts.pop(folder)
    return texts


def limit_of(folder):
    """The limit of a folder, from its own row or that of the nearest folder above it."""
    for above in [folder, *folder.parents]:
        if str(above) in LIMITS and (above.parts or above == folder):
            return LIMITS[str(above)]
    return LIMIT


def main():
    """Compares each folder with its limit."""
    failed = False

    for folder, text in sorted(folders().items()):
        text = re.sub(r"\s+", " ", text)
        words = count_words(text)
        found = {phrase: len(re.findall(pattern, text, re.IGNORECASE))
                 for phrase, pattern in PHRASES.items()}
        rate = 1000 * sum(found.values()) / max(words, 1)
        above = rate > limit_of(folder)
        failed = failed or above
        if above or sys.argv[1:] == ["-v"]:
            top = sorted(found.items(), key=lambda item: -item[1])[:3]
            print(f"{folder}: {rate:.1f} per 1,000 words, limit {limit_of(folder)}: "
                  + ", ".join(f"{number} \"{phrase}\"" for phrase, number in top if number))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

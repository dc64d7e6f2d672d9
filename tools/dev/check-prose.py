#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check-prose.py [PAGE...] - limits ten turns of phrase in comments, messages and documentation

Each phrase is correct English now and then; in large numbers they make text hard to read.
Counted are the comments of sources and scripts, and string literals of C with two or more blanks,
per folder of tracked files. Folders with fewer than MIN_WORDS words are counted with their parent.
A folder above its limit is printed with its most frequent phrases, and is an error.

Pages (README.md and its neighbours, and the documentation) are counted one by one, with a limit for
their average. Their sentences have a limit, too, and all guides together have one of words,
without code and output. A guide begins with its reader and question. PAGE is a generated page, whose
sentences may be long.
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

# of pages: phrases per 1,000 words on average, words of a sentence on average, of all guides
PAGES_LIMIT = 3
SENTENCE_LIMIT = 25
GUIDES_LIMIT = 22200

PAGE_NAME = re.compile(r"(README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|Documentation/.*\.rst$"
                       r"|Documentation/ABI/|tools/spe/spe\.rst$")

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


def tracked():
    """Names of all files that are, or would be, in the repository."""
    names = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=TOP,
                           check=True, capture_output=True, text=True).stdout.split("\0")
    return [name for name in names if name and (TOP / name).is_file()]


def folders(names):
    """The text of each folder, small ones merged into their parents."""
    texts = collections.defaultdict(str)
    for name in names:
        path = pathlib.PurePath(name)
        texts[path.parent] += prose(name) + "\n"
        for above in path.parents:
            texts[above] += ""
    for folder in sorted(texts, key=lambda path: -len(path.parts)):
        if folder.parts and count_words(texts[folder]) < MIN_WORDS:
            texts[folder.parent] += texts.pop(folder)
    return texts


def phrases_in(text):
    """Each phrase's number, and the rate of all per 1,000 words."""
    text = re.sub(r"\s+", " ", text)
    found = {phrase: len(re.findall(pattern, text, re.IGNORECASE))
             for phrase, pattern in PHRASES.items()}
    return found, 1000 * sum(found.values()) / max(count_words(text), 1)


def without_code(text):
    """A page without its literal blocks."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    lines = []
    code = None
    for line in text.split("\n"):
        indent = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if code is not None and (indent > code or not line.strip()):
            continue
        code = indent if re.search(r"^(?!\s*\.\.).*::\s*$", line) else None
        lines += [line] if code is None else [line, ""]
    return "\n".join(lines)


def paragraphs(text):
    """The running text of a page: no code, tables, lists, titles and comments."""
    found = []
    for block in re.split(r"\n[ \t]*\n", re.sub(r"^Description:\s*", "\n\t\t", without_code(text),
                                                flags=re.M)):
        lines = block.strip("\n").split("\n")
        words = block.split()
        if not words or re.match(r"[-*+#|:.=~`^]|\d+\.$|What:", words[0]) and \
                not words[0].startswith(("``", ":", "**", "*")) or \
                any(re.match(r"\s*([=~^-])\1{2,}[ =~^-]*$", line) for line in lines):
            continue
        if re.match(r":\w+:(?!`)|\*$|(\.\.|What:)", words[0]):
            continue
        found.append(" ".join(words))
    return found


def sentence_length(text):
    """The mean number of words of the sentences of running text."""
    sentences = [part for paragraph in paragraphs(text)
                 for part in re.split(r"(?<=[.!?])[)\"*]*\s+(?=[A-Z`*:\[(\"])|::?$", paragraph)
                 if part and len(part.split()) > 2]
    return sum(len(part.split()) for part in sentences) / max(len(sentences), 1)


def begins_well(text):
    """Whether the first two lines of running text name the reader and ask a question."""
    first = re.split(r"\n[ \t]*\n", re.sub(r"\A(\.\..*\n|\s+|[=#*~-]{3,}\n.*\n[=#*~-]{3,}\n"
                                         r"|.*\n[=-]{3,}\n|\.\. _.*\n)+", "", text))[0]
    start = " ".join(first.split("\n")[:2])
    return start.startswith("For ") and "?" in start


def check_pages(names, generated):
    """Faults of pages; those generated are tables."""
    faults = []
    phrases = words = guides = 0
    for name in [*filter(PAGE_NAME.match, names), *generated]:
        text = read(name)
        found, rate = phrases_in(text)
        length = sentence_length(text)
        guide = name.startswith(("Documentation/", "tools/")) and "/ABI/" not in name
        phrases += sum(found.values())
        words += count_words(text)
        guides += guide * len(without_code(text).split())
        if rate > LIMIT:
            faults.append(f"{name}: {rate:.1f} per 1,000 words, limit {LIMIT}: {top(found)}")
        if length > SENTENCE_LIMIT and name not in generated:
            faults.append(f"{name}: {length:.1f} words a sentence, limit {SENTENCE_LIMIT}")
        if (guide or name in generated) and not begins_well(text):
            faults.append(f"{name}: begins without \"For READER. QUESTION?\" in two lines")
    average = 1000 * phrases / max(words, 1)
    if average > PAGES_LIMIT:
        faults.append(f"all pages: {average:.1f} per 1,000 words, limit {PAGES_LIMIT}")
    if guides > GUIDES_LIMIT:
        faults.append(f"all guides: {guides} words, limit {GUIDES_LIMIT}")
    return faults


def top(found):
    """The most frequent phrases."""
    most = sorted(found.items(), key=lambda item: -item[1])[:3]
    return ", ".join(f"{number} \"{phrase}\"" for phrase, number in most if number)


def main():
    """Compares each folder and page with its limits."""
    names = tracked()
    faults = check_pages(names, sys.argv[1:])

    for folder, text in sorted(folders([x for x in names if not PAGE_NAME.match(x)]).items()):
        found, rate = phrases_in(text)
        if rate > LIMIT:
            faults.append(f"{folder}: {rate:.1f} per 1,000 words, limit {LIMIT}: {top(found)}")
    print("".join(f"{fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

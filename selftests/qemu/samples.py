#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""samples.py - commands in the documentation and their output

	samples.py commands PAGE...		checks that each command is run by a test
	samples.py compare OUTPUT PAGE...	compares output in pages with that of today
	samples.py write OUTPUT PAGE...		writes today's output into the pages

A command is a line "# COMMAND" (as root) or "$ COMMAND" of a literal block; the lines below it are
its output, in which "[...]" stands for any lines. guest/samples.sh runs commands (lines
"shown") and prints "# COMMAND" and the output: that is OUTPUT. Other commands need a comment
directly above the block, or the paragraph before it:

	.. test: PATH [PATH...]		these run the program, with the same subcommand, or
					access the file
	.. not run: REASON

in Markdown "<!-- test: PATH -->". Numbers, bars and blanks are not compared. Where "[...]" is next
to other lines, these are looked for in today's output.
"""
import collections
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = TOP / "selftests/qemu/guest/samples.sh"
SIMULATED = "simulated counts (n3_sim)"
ANY = "[...]"

# that begin a line of a block without prompts: a command that would not be checked
PROGRAMS = set("""apt apt-get cat cd cp curl dkms dmesg dpkg echo git grep insmod journalctl
    kubectl make mokutil modprobe perf perf2bolt rmmod scp ssh sudo systemctl tar n3stat
    n3-exporter""".split())
# tests may access files in other ways
FILE_PROGRAMS = {"cat", "echo", "grep"}
# the word after one of these is a command of its own
WITH_SUBCOMMANDS = {"n3stat", "n3stat spe", "make", "perf", "systemctl", "dkms", "kubectl"}

# a command of a block: its text, the page's line of it and the one after its output
Command = collections.namedtuple("Command", "text line end")


def indent(line):
    return line[:len(line) - len(line.lstrip())]


def paragraph_before(lines, i):
    """First line and the one after the last of the paragraph above line i."""
    last = i
    while last > 0 and not lines[last - 1].strip():
        last -= 1
    first = last
    while first > 0 and lines[first - 1].strip():
        first -= 1
    return first, last


def mark_above(lines, i):
    """Test and reason of the comments above line i."""
    tests, reason = [], ""
    while True:
        first, last = paragraph_before(lines, i)
        text = " ".join(line.strip() for line in lines[first:last])
        if not re.match(r"(\.\.|<!--) (test|not run): ", text):
            return tests, reason
        for kind, words in re.findall(r"(?:\.\.|<!--) (test|not run): (.*?)(?= \.\. | *-->|$)",
                                      text):
            tests += words.split() if kind == "test" else []
            reason += words if kind == "not run" else ""
        i = first


def rst_blocks(lines):
    """First line, the one after the last, and the line below the mark, of each literal block."""
    for i, line in enumerate(lines):
        block = re.match(r"\s*\.\. code-block::", line)
        if not block and (not line.rstrip().endswith("::") or line.lstrip().startswith("..")):
            continue
        first = i + 1
        while first < len(lines) and (not lines[first].strip() or
                                      block and re.match(r"\s+:[a-z]+:", lines[first])):
            first += 1
        prefix = indent(lines[first]) if first < len(lines) else ""
        if not prefix.startswith(indent(line)) or prefix == indent(line):
            continue
        last = first
        while last < len(lines) and (not lines[last].strip() or lines[last].startswith(prefix)):
            last += 1
        yield first, last, i if block else paragraph_before(lines, i + 1)[0]


def md_blocks(lines):
    """The same of fenced blocks."""
    fences = [i for i, line in enumerate(lines) if line.lstrip().startswith("```")]
    for start, end in zip(fences[::2], fences[1::2]):
        yield start + 1, end, start


def blocks(page, lines):
    """Commands, mark, first line and the one after the last of each literal block."""
    for first, last, mark in (md_blocks if page.suffix == ".md" else rst_blocks)(lines):
        starts = [i for i in range(first, last) if re.match(r"\s*[#$] \S", lines[i]) and
                  indent(lines[i]) == indent(lines[first])]
        commands = []
        for start, end in zip(starts, starts[1:] + [last]):
            while not lines[end - 1].strip():
                end -= 1
            # an explanation may follow after tabs
            text = re.sub(r"\t+\(.*\)$", "", lines[start].strip()[2:]).rstrip()
            commands.append(Command(text, start, end))
        yield commands, mark_above(lines, mark), first, last


def shown_by_samples():
    """Patterns of the commands that guest/samples.sh runs; values of variables may vary."""
    text = SAMPLES.read_text(encoding="utf-8")
    constants = dict(re.findall(r"^(\w+)=(\S+)$", text, re.M))
    for command in re.findall(r'^\s*shown "((?:\\.|[^"\\])*)"', text, re.M):
        for name, value in constants.items():
            command = re.sub(rf"\${name}\b", value, command)
        parts = re.split(r"(?<!\\)\$(?:\w+|!)", command)
        yield re.compile(r"\S+".join(re.escape(re.sub(r"\\(.)", r"\1", x)) for x in parts))


def program_of(command):
    """Program and subcommands: "n3stat spe report"."""
    words = [word for word in re.sub(r"^(sudo +|[A-Z_0-9]+=\S* +)+", "", command).split()]
    found = pathlib.PurePath(words[0]).name
    for word in words[1:]:
        if found not in WITH_SUBCOMMANDS or not re.match(r"[a-z][\w-]*$", word):
            break
        found += f" {word}"
    return found


def text_of(test):
    """The text of a test and, of one that boots a machine, of the script there."""
    guest = TOP / test.replace("qemu/", "qemu/guest/")
    return "".join(x.read_text(encoding="utf-8", errors="replace")
                   for x in {TOP / test, guest} if x.is_file())


def recipe_scripts(target):
    """Scripts that a target of the Makefile runs."""
    recipe = re.search(rf"^{re.escape(target)}:.*\n((?:\t.*\n)+)",
                       (TOP / "Makefile").read_text(encoding="utf-8"), re.M)
    return re.findall(r"[\w-]+\.(?:sh|py)", recipe[1]) if recipe else []


def runs(test, command):
    """Whether a test has the program and a line with the subcommands; or the last file."""
    text = text_of(test)
    program, *words = program_of(command).split()
    files = re.findall(r"[\w.-]+(?=/?(?:\s|$))", command)
    if program in FILE_PROGRAMS and files:
        program = files[-1]
    if program == "make" and any(x in text for x in recipe_scripts(words[0] if words else "")):
        return True
    return re.search(rf"\b{re.escape(program)}\b", text) and \
        re.search(r"\b" + r"\b[^\n]*?[^\w\n-]".join(map(re.escape, words)) + r"\b|^$", text)


def check_block(where, commands, mark, shown):
    """The faults of a block."""
    tests, reason = mark
    for test in tests:
        if not (TOP / test).is_file():
            yield f"{where}: no file {test}"
            return
    for command in commands:
        if any(pattern.fullmatch(command.text) for pattern in shown):
            continue
        if not reason and not tests:
            yield f"{where}: no test runs \"{command.text}\", and no reason is given"
        elif not reason and not any(runs(test, command.text) for test in tests):
            yield f"{where}: {' '.join(tests)} does not run \"{program_of(command.text)}\""


def check_commands(pages):
    """Prints commands that no test runs."""
    shown, faults, number = list(shown_by_samples()), [], 0
    for page in pages:
        lines = page.read_text(encoding="utf-8").split("\n")
        for commands, mark, first, last in blocks(page, lines):
            where = f"{page}:{first + 1}"
            number += len(commands)
            faults += check_block(where, commands, mark, shown)
            if not commands and any(re.match(r"\S+|$", line.strip())[0] in PROGRAMS
                                    for line in lines[first:last]):
                faults.append(f"{where}: a command without a prompt, \"# \" or \"$ \"")
    print("".join(f"{fault}\n" for fault in faults) + f"{number} commands, {len(faults)} faults")
    return bool(faults or not number)


def shape(line):
    line = re.sub(r"[0-9]+(\.[0-9]+)?|(?<!\S)-(?!\S)", "9", line)
    line = re.sub(r"([#FBSR])\1*(?=[#FBSR| ]*\|)", r"\1", line)
    return re.sub(r"\s+", " ", line).strip()


def outputs_of(text):
    """Command and lines of each output."""
    for part in re.split(r"^# ", text, flags=re.M)[1:]:
        command, *lines = part.rstrip().split("\n")
        yield command, [line.rstrip() for line in lines if line != SIMULATED]


def same_command(one, other, shown):
    return one == other or any(x.fullmatch(one) and x.fullmatch(other) for x in shown)


def parts_of(sample):
    """The lines between "[...]"."""
    parts = [[]]
    for line in sample:
        if line.strip() == ANY:
            parts.append([])
        elif line.strip() != SIMULATED:
            parts[-1].append(line.strip())
    return parts


def fill(sample, output):
    """Today's lines for those of a sample, None if they have other shapes."""
    solid = [(i, shape(line)) for i, line in enumerate(output) if line]
    parts, new, start = parts_of(sample), [], 0
    for part in parts:
        first, last = part is parts[0], part is parts[-1]
        want = [shape(line) for line in part if line]
        rest = range(start, len(solid) - len(want) + 1)
        places = {0} & set(rest) if first else set(rest)
        places &= {len(solid) - len(want)} if last else places
        place = min((x for x in places
                     if [line for _, line in solid[x:x + len(want)]] == want), default=None)
        if place is None:
            return None
        start = place + len(want)
        new += [] if first else [ANY]
        new += [""] if not first and part and not part[0] else []
        new += output[solid[place][0]:solid[start - 1][0] + 1] if want else []
        new += [""] if not last and want and not part[-1] else []
    return new


def samples_of(page, lines, outputs, shown):
    """Commands with outputs to compare, the last first, and today's candidates."""
    for commands, *_ in reversed(list(blocks(page, lines))):
        for command in reversed(commands):
            today = [output for output in outputs if same_command(command.text, output[0], shown)]
            # a command of a setting has no output in the page
            if today and command.end > command.line + 1:
                yield command, today


def compare(output, pages, write):
    """Compares or replaces samples."""
    shown = list(shown_by_samples())
    outputs = list(outputs_of(output.read_text(encoding="utf-8")))
    differ = compared = 0
    for page in pages:
        lines = page.read_text(encoding="utf-8").split("\n")
        for command, today in samples_of(page, lines, outputs, shown):
            prefix = indent(lines[command.line])
            sample = [line.removeprefix(prefix) for line in lines[command.line + 1:command.end]]
            filled = [(x, new) for x, y in today if (new := fill(sample, y)) is not None]
            compared += 1
            if not filled or sample == [ANY]:
                written = write and (ANY not in sample or sample == [ANY])
                differ += not written
                print(f"{page}:{command.line + 1}: {command.text}: "
                      f"{'written anew' if written else 'differs from the output of today'}")
                if not written:
                    continue
                filled = today
            if write:
                text, new = filled[0]
                head = lines[command.line].replace(command.text, text)
                lines[command.line:command.end] = [head] + [(prefix + x).rstrip() for x in new]
        if write:
            page.write_text("\n".join(lines), encoding="utf-8")
    print(f"{compared} samples compared, {differ} differ")
    return bool(differ or not compared)


def main():
    mode, *names = sys.argv[1:] or [""]
    paths = [pathlib.Path(name) for name in names]
    if mode == "commands" and paths:
        return check_commands(paths)
    if mode in ("compare", "write") and len(paths) > 1:
        return compare(paths[0], paths[1:], mode == "write")
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""mutants.py [PATTERN...] - changes single lines, and runs the tests of each unit, which must fail

The changes are in mutants.txt, with the tests; PATTERN selects those whose file or line contains
one of these. Each runs in a copy of the tree in build/mutants, two at a time. Without a change all
of these tests must pass, and each changed tree must compile. Printed is a TAP line for each change.
A change that no test notices has survived: that is an error, and so is one that was noticed but has
a reason why it cannot be.
"""
import concurrent.futures
import contextlib
import fcntl
import os
import pathlib
import queue
import signal
import subprocess
import sys
import threading
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = TOP / "build/mutants"
JOBS = 2
RUNNING = set()
LONGEST = 1200      # seconds of a test; one that hangs has failed
# programs of a test of tools, if more than n3stat
PROGRAMS = {"doctor": ("n3check",), "exporter": ("n3-exporter",), "top_columns": ("n3top",),
            "who": ("n3rec", "n3top")}
# likewise programs that are only for tests
HELPERS = {"exporter": ("confined",)}


class Mutant:
    """A change of the table."""

    def __init__(self, file, test, line):
        self.file, self.test, self.line = file, test, line
        self.replacement = self.reason = ""

    def __str__(self):
        return f"{self.file}: {self.line} -> {self.replacement or 'nothing'}"

    def applied(self, text):
        """Return: the file's text with the change; None if not exactly one line matches."""
        lines = text.split("\n")
        found = [i for i, line in enumerate(lines) if line.strip() == self.line]
        if len(found) != 1:
            return None
        line = lines[found[0]]
        lines[found[0]] = line[:len(line) - len(line.lstrip())] + self.replacement
        return "\n".join(lines)


def read_table():
    table = []
    with open(TOP / "tools/dev/mutants.txt", encoding="ascii") as lines:
        for line in lines:
            kind, text = line[0], line[1:].strip()
            if kind == "-":
                table.append(Mutant(*unit, text))
            elif kind == "+":
                table[-1].replacement = text
            elif kind == "=":
                table[-1].reason = text
            elif kind not in "#\n":
                unit = line.split()
    return table


def make(tree, folder, *arguments):
    return ["make", "-s", "--no-print-directory", "-C", str(tree / folder), *map(str, arguments)]


def commands(tree, test):
    """Return: commands that build a test, and the one that runs it."""
    kind, name = test.split(":")
    user, tools = tree / "build/user", tree / "build/tools"
    if kind == "user" and name.endswith(".py"):
        return ([make(tree, "selftests/user", f"OUTPUT={user}")],
                ["env", f"OUTPUT={user}", tree / "selftests/user" / name])
    if kind == "user":
        program, _, suite = name.partition(",")
        return ([make(tree, "selftests/user", f"OUTPUT={user}", user / program)],
                [user / program, *suite.split()])
    if kind == "tools":
        programs = ("n3stat", *PROGRAMS.get(name, ()))
        found, = (tree / "tools").glob(f"*/tests/{name}_test.sh")
        return ([make(tree, "tools", f"O={tools}", *(tools / part / program for part in ("", "tests")
                                                     for program in programs),
                      *(tools / "tests" / program for program in HELPERS.get(name, ())))],
                [tree / "tools/dev/plain-env.sh", f"N3STAT={tools}/tests/n3stat",
                 f"N3STAT_PLAIN={tools}/n3stat", tree / "tools/tests/test.sh", found])
    assert kind == "guest", test
    return ([[tree / "selftests/qemu/modules.sh", "6.1"]],
            [tree / "selftests/qemu/kselftest.sh", "6.1", name])


def stop(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)


def succeeds(command, tree, log):
    """Return: whether the command succeeds; it is ended at the first "not ok"."""
    # with the copy's directories, and ccache
    command = ["bash", "-c", '. selftests/qemu/lib.sh && exec "$@"', "-", *map(str, command)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, errors="replace", cwd=tree,
                          env={**os.environ, "BUILD": str(tree / "build")},
                          start_new_session=True) as process:
        RUNNING.add(process)
        timer = threading.Timer(LONGEST, stop, [process])
        timer.start()
        passed = True
        for line in process.stdout:
            log.write(line)
            if line.startswith("not ok") and passed:
                passed = False
                stop(process)
        timer.cancel()
        RUNNING.discard(process)
    return passed and process.returncode == 0


def update(path, data):
    """Leaves a file that has this content as it is, and what was made of it."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy(nr):
    """Return: a copy of the tree's files, with the objects of an earlier one."""
    tree = BUILD / f"tree{nr}"
    names = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=TOP,
                           capture_output=True, check=True, text=True).stdout.split("\0")[:-1]
    wanted = {tree / name: TOP / name for name in names if (TOP / name).is_file()}
    for path in tree.rglob("*"):
        if path.is_file() and path not in wanted and path.relative_to(tree).parts[0] != "build":
            path.unlink()
    for path, source in wanted.items():
        update(path, source.read_bytes())
        path.chmod(source.stat().st_mode)
    return tree


def run(test, tree, log):
    """Return: "broken" if the test cannot be built, else "killed" or "survived"."""
    builds, program = commands(tree, test)
    if not all(succeeds(build, tree, log) for build in builds):
        return "broken"
    return "survived" if succeeds(program, tree, log) else "killed"


def run_mutant(mutant, tree, log):
    path = tree / mutant.file
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant.applied(text), encoding="utf-8")
        return run(mutant.test, tree, log)
    finally:
        path.write_text(text, encoding="utf-8")


def in_copies(function, items):
    """Yields (item, result, log file, seconds) of each item in the order of their ends."""
    trees = queue.Queue()
    for nr in range(JOBS):
        trees.put(copy(nr))

    def work(nr, item):
        tree, begun = trees.get(), time.monotonic()
        name = BUILD / f"{function.__name__}{nr}.log"
        try:
            with open(name, "w", encoding="utf-8") as log:
                return item, function(item, tree, log), name, time.monotonic() - begun
        finally:
            trees.put(tree)

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        jobs = [pool.submit(work, nr, item) for nr, item in enumerate(items)]
        for job in concurrent.futures.as_completed(jobs):
            yield job.result()


def end(*_):
    for process in list(RUNNING):
        stop(process)
    os._exit(1)


def main(patterns):
    for which in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(which, end)
    table = read_table()
    lost = [mutant for mutant in table
            if mutant.applied((TOP / mutant.file).read_text(encoding="utf-8")) is None]
    for mutant in lost:
        print(f"# not one line: {mutant}")
    if lost:
        return 1
    chosen = [mutant for mutant in table
              if not patterns or any(p in f"{mutant.file} {mutant.line}" for p in patterns)]
    tests = list(dict.fromkeys(mutant.test for mutant in chosen))
    BUILD.mkdir(parents=True, exist_ok=True)
    lock = open(BUILD / "lock", "w", encoding="ascii")
    fcntl.flock(lock, fcntl.LOCK_EX)
    print(f"TAP version 13\n1..{len(tests) + len(chosen)}", flush=True)
    failed = nr = 0

    def report(ok, text, log, seconds):
        nonlocal failed, nr
        nr += 1
        failed += not ok
        print(f"{'ok' if ok else 'not ok'} {nr} - {text} ({seconds:.0f} s)", flush=True)
        if not ok:
            print(f"# {log.relative_to(TOP)}", flush=True)

    for test, result, log, seconds in in_copies(run, tests):
        report(result == "survived", f"{test} passes without a change", log, seconds)
    if failed:
        return 1
    for mutant, result, log, seconds in in_copies(run_mutant, chosen):
        note = f", as expected: {mutant.reason}" if mutant.reason else ""
        report(result == ("survived" if mutant.reason else "killed"),
               f"{result}{note}: {mutant}", log, seconds)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

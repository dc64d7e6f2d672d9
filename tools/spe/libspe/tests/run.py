#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""run.py DIR [NAME...] - tests of the decoder, as TAP: those in NAME_test.py, or all.

DIR has the programs of the Makefile. A test is a function test_...() with a
one-line docstring, its TAP name. It raises an exception on failure, or Skip.
"""

import importlib
import pathlib
import signal
import sys
import traceback

import programs

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE / "../../tests"))
LONGEST = 600	# seconds for a test


def too_long(*_):
    raise TimeoutError(f"not done in {LONGEST} s")


def run(number, name, test):
    """Prints a TAP line and returns its result."""
    text = f"{name}: {test.__doc__}"
    signal.alarm(LONGEST)
    try:
        test()
    except programs.Skip as why:
        print(f"ok {number} - {text} # SKIP {why}", flush=True)
    except Exception:  # pylint: disable=broad-except
        print(f"not ok {number} - {text}", flush=True)
        print("# " + "\n# ".join(traceback.format_exc().splitlines()[-12:]), flush=True)
        return False
    else:
        print(f"ok {number} - {text}", flush=True)
    return True


def main(folder, *names):
    programs.folder = pathlib.Path(folder)
    names = names or sorted(p.name[:-8] for p in HERE.glob("*_test.py"))
    tests = [(name, test) for name in names
             for key, test in vars(importlib.import_module(name + "_test")).items()
             if key.startswith("test_")]
    print(f"TAP version 13\n1..{len(tests)}")
    signal.signal(signal.SIGALRM, too_long)
    good = sum(run(number, *test) for number, test in enumerate(tests, 1))
    print(f"# {good} passed, {len(tests) - good} failed")
    return 0 if good == len(tests) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

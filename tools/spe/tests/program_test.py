# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The programs that test by themselves."""

import subprocess

import programs


def run(name, *arguments):
    """All is ok that it prints."""
    done = subprocess.run([programs.folder / name, *map(str, arguments)], capture_output=True,
                          text=True, check=False)
    if done.returncode or "\nok 1" not in done.stdout or "not ok" in done.stdout:
        raise AssertionError(f"{done.returncode}\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    print("# " + "\n# ".join(done.stdout.splitlines()[1:]))


def test_fuzz():
    """no crash, and no record from damaged bytes, in 100,000 damaged streams"""
    run("fuzz", 100000, 1)


def test_bench():
    """packets and records take no longer than with the decoder of perf"""
    run("bench")

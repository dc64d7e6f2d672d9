# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Test programs with TAP output."""

import subprocess

import programs


def run(name, *arguments):
    """All its TAP lines are ok."""
    done = subprocess.run([programs.folder / name, *map(str, arguments)], capture_output=True,
                          text=True, check=False)
    if done.returncode or "\nok 1" not in done.stdout or "not ok" in done.stdout:
        raise AssertionError(f"{done.returncode}\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    print("# " + "\n# ".join(done.stdout.splitlines()[1:]))


def test_fuzz():
    """no crash of 2,000 damaged inputs, and the same records of streams in pieces"""
    run("../tests/fuzz", 2000, 1)


def test_bench():
    """packets and records are decoded at least as fast as by perf"""
    run("bench")

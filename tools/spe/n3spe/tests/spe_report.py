# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Complete output of n3stat spe for a recording, and properties of programs."""
import collections
import json
import os
import re
import subprocess


def report_of(n3stat, path, *options):
    """The report and standard error."""
    done = subprocess.run([n3stat, "spe", "report", "--json", "--top", "100000", *options, path],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"exit status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout), done.stderr


def counts(rows, *keys):
    """Records by the values of these keys."""
    found = collections.Counter()
    for row in rows:
        found[tuple(row[key] for key in keys) if len(keys) > 1 else row[keys[0]]] += row["records"]
    return dict(found)


def profile_of(n3stat, path, *options):
    """Exit status, lines, standard error."""
    done = subprocess.run([n3stat, "spe", "profile", *options, path], capture_output=True,
                          text=True, check=False)
    return done.returncode, sorted(done.stdout.splitlines()), done.stderr


def tool(name, *arguments, **more):
    """Output of one of the tools for the target's programs."""
    return subprocess.run(["aarch64-linux-gnu-" + name, *arguments], capture_output=True,
                          text=True, check=True, **more).stdout


def flat_program(path, size):
    """Code of @size bytes from the start of the file on, which is at address 0x400000."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    tool("gcc", "-nostdlib", "-static", "-Wl,--build-id=none", "-x", "assembler", "-o", path, "-",
         input=f".globl _start\n_start: .zero {size}\n")


def offset_of(program, address):
    """The offset in the file of an address."""
    for line in tool("readelf", "-lW", program).splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and int(words[2], 16) <= address < \
                int(words[2], 16) + int(words[4], 16):
            return int(words[1], 16) + address - int(words[2], 16)
    raise SystemExit("no segment")


def build_id_of(program):
    return re.search(r"Build ID: ([0-9a-f]+)", tool("readelf", "-n", program))[1]

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_suggestions.py N3STAT TERMS

Checks the names that "n3stat explain" suggests for random misspellings of metrics: at most a third
of the letters may be wrong, by a distance computed here. TERMS are further names.
"""
import random
import subprocess
import sys


def distance(a, b):
    rows = [[i + j if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1,
                             rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


def listed(what, column):
    lines = subprocess.check_output([sys.argv[1], "list", what], text=True).splitlines()
    return [line.split()[column] for line in lines[1:] if line[0] != " " and "missing:" not in line]


names = listed("metrics", 0)
shown = set(listed("groups", 0)) | set(names) | set(listed("events", 1))
extra = {"front", "back", "bad", "bad_spec", "retir", "frontend", "backend", "retiring"}
extra |= set("offline disabled unplaced unsupported contended idle stale implausible "
             "inconsistent undef".split())
extra |= set(sys.argv[2].split())
lower = {name.lower() for name in shown | extra}
rng = random.Random(7)
letters = "abcdefghijklmnopqrstuvwxyz_0123456789"
checked = 0
for _ in range(150):
    word = list(rng.choice(names))
    for _ in range(rng.randrange(1, 7)):
        at = rng.randrange(len(word))
        how = rng.randrange(4)
        if how == 0:
            word[at] = rng.choice(letters)
        elif how == 1 and len(word) > 3:
            del word[at]
        elif how == 2:
            word.insert(at, rng.choice(letters))
        elif at:
            word[at - 1], word[at] = word[at], word[at - 1]
    word = "".join(word)
    if word in lower or word + "_bound" in lower or word[0].isdigit() or len(word) > 48:
        continue
    said = subprocess.run([sys.argv[1], "explain", word], stderr=subprocess.PIPE, text=True)
    assert said.returncode == 5, (word, said)
    # others are farther than a third
    near = {name: distance(word, name) for name in lower
            if abs(len(name) - len(word)) <= len(word) // 3}
    # the beginning of a name is as near as the most different word
    near.update({name: min(near.get(name, 99), len(word) // 3) for name in lower
                 if name.startswith(word) and len(word) >= 3})
    best = min(near.values(), default=99)
    wanted = {name for name, d in near.items() if d == best and d <= len(word) // 3}
    got = said.stderr.split("did you mean ")[1].split("?")[0].split(" or ") \
        if "did you mean" in said.stderr else []
    assert len(got) == min(2, len(wanted)) and {g.lower() for g in got} <= wanted, \
        (word, got, wanted)
    checked += 1
assert checked > 100, checked

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_files_check.py N3STAT DIR SEED

Random containers, each with its own file of one path, identified by build id or by inode. With
one of the files available, n3stat spe report and profile name only the code of that one, and
report that there are others."""
import collections
import pathlib
import random
import sys

import spe_file as f
import spe_packets as spe
from spe_report import build_id_of, counts, offset_of, profile_of, report_of, tool

PATH, TEXT = "/srv/app", 0x410000


class Variant:
    """A program with its own functions, in sequence."""

    def __init__(self, rng, tmp, letter):
        self.root = tmp / f"root_{letter}"
        program = self.root / PATH[1:]
        program.parent.mkdir(parents=True, exist_ok=True)
        # the build id depends on the code: mov x0, #letter
        self.functions, at, text = [], 0, [".text"]
        code = 0xd2800000 | ord(letter) << 5
        for i in range(4):
            name, size = f"{letter}{i}", 4 * rng.randrange(2, 10)
            self.functions.append((at, at + size, name))
            text += [f".type {name}, %function", f"{name}:", f".fill {size // 4}, 4, {code}",
                     f".size {name}, {size}"]
            at += size
        source = tmp / f"{letter}.s"
        source.write_text("\n".join(text) + "\n", encoding="ascii")
        tool("as", "-o", tmp / "a.o", source)
        tool("ld", "-e", "0", "--build-id=sha1", f"-Ttext={TEXT:#x}", "-o", program, tmp / "a.o")
        self.build_id = build_id_of(program)
        self.offset = offset_of(program, TEXT)

    def address(self, rng):
        """An offset in the text, and the function's name."""
        start, end, name = rng.choice(self.functions)
        return rng.randrange(start, end, 4), name


class Container:
    def __init__(self, rng, pid, variants):
        self.pid, self.variant = pid, rng.choice(variants)
        self.base = 0x10000 * pid
        self.has_id = rng.random() < 0.6
        # identical files have the same inode
        self.inode = (8, 1, 50 + variants.index(self.variant), 7)

    def events(self):
        build_id = bytes.fromhex(self.variant.build_id) if self.has_id else None
        return [f.comm(self.pid, "app"),
                f.mmap2(self.pid, self.base, 0x10000, self.variant.offset, PATH, build_id,
                        self.inode)]

    def identity(self):
        return self.variant.build_id if self.has_id else self.inode


def is_named(container, containers, told, root):
    """Whether the file in root names a container's code."""
    if container.has_id:
        return container.variant is root
    if len({c.identity() for c in containers}) > 1 or len(told) > 1:
        return False
    return told == {root.build_id} or not told


def main():
    n3stat, tmp, rng = sys.argv[1], pathlib.Path(sys.argv[2]), random.Random(sys.argv[3])
    variants = [Variant(rng, tmp, letter) for letter in "abc"]
    containers = [Container(rng, 10 + i, variants) for i in range(rng.randrange(1, 6))]
    told = {c.variant.build_id for c in containers if c.has_id or rng.random() < 0.3}
    record(n3stat, tmp / "files.data", rng, variants, containers, told)
    # identified by the recording's list alone, as another file
    only = Container(rng, 10, variants[:1])
    only.has_id = False
    record(n3stat, tmp / "only.data", rng, variants, [only], {variants[1].build_id})


def record(n3stat, path, rng, variants, containers, told):
    data, calls, samples = [], [], []
    for time in range(1, 400):
        container = rng.choice(containers)
        at, name = container.variant.address(rng)
        to, _ = container.variant.address(rng)
        data.append(spe.record(pc=container.base + at, target=container.base + to, op=spe.BRANCH,
                               events=spe.RETIRED | spe.LATE_PREFETCH, time=time,
                               context=container.pid))
        samples.append((container, name))
        calls.append((container, f"B {TEXT + at:x} {TEXT + to:x}"))
    with f.Recording(path) as recording:
        recording.perf(0, 0, *(e for c in containers for e in c.events()))
        recording.build_ids(*((i, PATH) for i in sorted(told)))
        recording.aux(0, b"".join(data))
    for root in variants:
        check(n3stat, path, root, containers, told, samples, calls)


def check(n3stat, path, root, containers, told, samples, calls):
    named = {c: is_named(c, containers, told, root) for c in containers}
    # a single unidentified one takes the names of the file
    if any(n and c.variant is not root for c, n in named.items()):
        return
    wanted = collections.Counter(name if named[c] else "[no symbol]" for c, name in samples)
    report, said = report_of(n3stat, path, "--symfs", root.root)
    got = counts(report["functions"], "function")
    if got != wanted:
        sys.exit(f"{root.root}: {sorted(got.items() ^ wanted.items())}")
    if report["events"][1]["event"] != "late_prefetch" or "machine" not in report["recording"]:
        sys.exit(f"{root.root}: {report['events']} of {report['recording']}")
    other = sum(not named[c] for c, _ in samples)
    if report["limits"].get("other_file", 0) != other:
        sys.exit(f"{root.root}: {report['limits'].get('other_file')} of other files, not {other}")
    if bool(said) != (not all(named[c] for c, _ in samples)):
        sys.exit(f"{root.root}: said {said!r}")
    edges = collections.Counter(call for c, call in calls if named[c])
    code, lines, said = profile_of(n3stat, path, "--symfs", root.root)
    if lines != sorted(f"{edge} {n} 0" for edge, n in edges.items()):
        sys.exit(f"{root.root}: profile {lines[:5]} of {len(edges)}: {said}")
    if code != (0 if edges else 1):
        sys.exit(f"{root.root}: profile ends with {code}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Programs run by the tests, and comparison of their output."""

import pathlib
import subprocess

import spe_packets as spe

folder = pathlib.Path(".")

# enum spe_field
HAS = {name: 1 << bit for bit, name in enumerate((
    "pc", "target", "va", "pa", "previous", "total", "issue", "translation", "alternate",
    "events", "op", "source", "context1", "context2", "time", "unknown"))}


class Skip(Exception):
    """Not testable on this machine."""


def decode(mode, data, *options):
    """Lines of the decoder for these bytes."""
    done = subprocess.run([folder / "decode", *map(str, options), mode], input=data,
                          capture_output=True, check=False)
    if done.returncode or done.stderr:
        raise RuntimeError(f"decode: {done.returncode}\n{done.stderr[:2000].decode()}")
    return done.stdout.decode().splitlines()


def numbers(lines):
    return [tuple(map(int, line.split())) for line in lines]


def expected(offset, length, fields):
    """The line of a record with these fields, as returned by fields_of()."""
    has = sum(bit for name, bit in HAS.items() if name in fields)
    get = fields.get
    return (offset, length, has, *(get(name, 0) for name in (
        "pc", "target", "va", "pa", "previous", "total", "issue", "translation",
        "alternate", "events")), *get("op", (0, 0)), *(get(name, 0) for name in (
            "source", "context1", "context2", "time", "el", "tag")))


def expect(got, wanted, what="result"):
    """Raises an exception that shows the first difference, if any."""
    if got == wanted:
        return
    if isinstance(wanted, list):
        for number, pair in enumerate(zip(got, wanted)):
            if pair[0] != pair[1]:
                raise AssertionError(f"{what} {number}:\n  {pair[0]}\n  not {pair[1]}")
        raise AssertionError(f"{what}: {len(got)} of them, not {len(wanted)}")
    raise AssertionError(f"{what}: {got}, not {wanted}")


class Stream:
    """Records and padding, with the expected decoder output."""

    def __init__(self):
        self.data = bytearray()
        self.records = []	# (offset, length, bytes)
        self.padding = 0
        self.unknown = 0

    def pad(self, count):
        self.data += spe.pad(count)
        self.padding += count

    def add(self, data):
        """A good record without leading padding."""
        self.records.append((len(self.data), len(data), data))
        self.data += data

    def lines(self, keep=None):
        """Records with these indexes, or all."""
        chosen = self.records if keep is None else [self.records[n] for n in keep]
        return [expected(offset, length, spe.fields_of(data))
                for offset, length, data in chosen]

    def totals(self):
        unknown = sum(spe.fields_of(data).get("unknown", 0) for _, _, data in self.records)
        return (len(self.records), 0, 0, self.padding, unknown)

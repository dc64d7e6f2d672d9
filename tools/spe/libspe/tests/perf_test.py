# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Comparison with "perf report -D" of Debian's linux-perf on the same bytes."""

import random
import re
import shutil
import subprocess
import tempfile

import spe_file
import spe_packets as spe
from programs import Skip, decode, expect

LINE = re.compile(r"\.  ([0-9a-f]{8}):  ((?:[0-9a-f]{2} ?)+) *(\S.*)?$")
PERF_EVENTS = 0xfff | 3 << 17
OTHER_KNOWN = {0, 1}
MEMORY_KNOWN = {0x00, 0x04, 0x10, 0x30}


def perf_lines(data):
    """(offset, length, text) of all packets."""
    if not shutil.which("perf"):
        raise Skip("no perf")
    with tempfile.NamedTemporaryFile() as file:
        file.write(spe_file.perf_data(data))
        file.flush()
        done = subprocess.run(["perf", "report", "-D", "-i", file.name], capture_output=True,
                              text=True, check=False)
    text = done.stdout.split("ARM SPE data", 1)
    if len(text) < 2:
        raise AssertionError(f"perf shows no SPE data: {done.stderr[-500:]}")
    lines = []
    for line in text[1].splitlines():
        found = LINE.match(line)
        if found:
            # a packet that fills the column is followed by one blank
            lines.append((int(found[1], 16), len(found[2].split()), found[3] or ""))
    return lines


def our_lines(data):
    lines = (line.split(" ", 2) for line in decode("text", data))
    return [(int(at), int(length), text) for at, length, text in lines]


def understood(kind, index, payload):
    """Whether perf 6.1 fully decodes the packet."""
    if kind == spe.EVENTS:
        return not payload & ~PERF_EVENTS
    if kind == spe.COUNTER:
        return index < 3
    if kind == spe.ADDRESS:
        return index != 4 and not (index < 2 and payload >> 60 & 1)
    if kind != spe.OPERATION:
        return True
    if index == 0:
        return payload in OTHER_KNOWN or payload & 0x89 == 0x08
    if index == 1:
        return (payload & 0xfe in MEMORY_KNOWN or payload & 0xe2 == 2 or
                payload & 0x0a == 8 and not is_new_memory(payload))
    return index != 2 or payload < 4


def is_new_memory(payload):
    return payload & 0xfe in (0x14, 0x20) or payload == 0x25 or payload & 0xfa == 0x40


def compare(data):
    """Number of packets decoded by perf, which must be equal, and of others."""
    data += bytes(-len(data) % 8)
    perfs, ours = perf_lines(data), our_lines(data)
    counts = [0, 0]
    packets = list(spe.packets(data))
    if len(ours) != len(packets):
        raise AssertionError(f"{len(ours)} packets, not {len(packets)}")
    # perf reports an incomplete packet at the end as bad
    for perf, our, packet in zip(perfs, ours, packets):
        _, _, kind, index, _, payload = packet
        known = understood(kind, index, payload)
        counts[not known] += 1
        if known:
            expect(our, perf, "packet")
        elif kind == spe.ADDRESS and index == 4:
            expect((our[:2], our[2][:4], perf[2]),
                   (perf[:2], "PBT ", f"ADDR {payload:#x} (4)"))
        else:
            expect(our[:2], perf[:2], "place")
            if not our[2].startswith(perf[2]):
                raise AssertionError(f"{our} does not start like {perf}")
    rest = perfs[len(ours):]
    expect([text for _, _, text in rest[:1]], ["Bad packet!"] * bool(rest))
    if len(rest) > 9:
        raise AssertionError(f"perf has {len(rest)} more")
    return counts


def test_neoverse():
    """records of Neoverse cores are printed like in perf"""
    rng = random.Random(1)
    data = b""
    for _ in range(2000):
        fields = spe.random_fields(rng)
        fields["events"] &= PERF_EVENTS
        fields.pop("previous", None)
        if fields["op"][0] == 0:
            fields["op"] = (0, fields["op"][1] & 1)
        data += spe.record(**fields) + spe.pad(rng.choice((0, 0, 64, 200)))
    known, unknown = compare(data)
    expect((unknown, known > 15000), (0, True))


def test_all_values():
    """all operations, events, counters, addresses and contexts: equal, or start with perf's"""
    rng = random.Random(2)
    data = b"".join(spe.operation(n, v) for n in range(4) for v in range(256))
    for size in (1, 2, 4, 8):
        data += b"".join(spe.events(1 << bit, size) for bit in range(8 * size))
        data += b"".join(spe.source(rng.getrandbits(8 * size), size) for _ in range(20))
        data += b"".join(spe.events(rng.getrandbits(8 * size), size) for _ in range(20))
    data += spe.events((1 << 64) - 1, 8) + spe.source((1 << 64) - 1, 8)
    for index in range(32):
        for value in (0, 1, 0xfff, 0xffff):
            data += spe.counter(index, value) + spe.counter(index, value, True)
        for value in (0, (1 << 64) - 1, 1 << 60, *(rng.getrandbits(64) for _ in range(8))):
            data += spe.address(index, value) + spe.address(index, value, True)
    data += b"".join(spe.context(n, v) for n in range(4) for v in (0, 1, 0xffffffff))
    data += b"".join(spe.timestamp(v) for v in (0, 1, 1 << 63, (1 << 64) - 1)) + spe.end()
    known, unknown = compare(data)
    expect((known > 1000, unknown > 500), (True, True), f"{known} known, {unknown} unknown")


def test_loose():
    """records of any size and order: equal, or start with perf's"""
    rng = random.Random(3)
    data = b"".join(spe.loose_record(spe.random_fields(rng, True), rng) for _ in range(2000))
    expect(compare(data)[0] > 5000, True)


def test_bad():
    """the same bytes are bad in damaged streams"""
    rng = random.Random(4)
    data = bytearray(b"".join(spe.random_record(rng) for _ in range(2000)))
    for _ in range(2000):
        data[rng.randrange(len(data))] = rng.getrandbits(8)
    # perf aligns alignment packets to its own memory
    for at in range(len(data) - 1):
        if data[at] & 0xfc == 0x20 and data[at + 1] == 0:
            data[at] = 0xff
    if data.count(b"\xff") < 100:
        raise AssertionError("nothing is damaged")
    compare(bytes(data))

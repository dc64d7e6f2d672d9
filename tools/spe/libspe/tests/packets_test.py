# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Single packets."""

import random

import spe_packets as spe
from programs import decode, expect, numbers


def one(data, *options):
    """The first packet: length, type, index, size, payload."""
    return numbers(decode("packets", data, *options))[0][1:]


def test_known():
    """all packet types, sizes and indexes"""
    value = 0x8877665544332211
    for size in (1, 2, 4, 8):
        low = value & (1 << 8 * size) - 1
        expect(one(spe.events(value, size)), (size + 1, spe.EVENTS, 0, size, low))
        expect(one(spe.source(value, size)), (size + 1, spe.SOURCE, 0, size, low))
    for index in range(4):
        expect(one(spe.operation(index, 0x11)), (2, spe.OPERATION, index, 1, 0x11))
        expect(one(spe.context(index, value)), (5, spe.CONTEXT, index, 4, 0x44332211))
    for index in range(8):
        expect(one(spe.counter(index, value)), (3, spe.COUNTER, index, 2, 0x2211))
        expect(one(spe.address(index, value)), (9, spe.ADDRESS, index, 8, value))
    for index in range(32):
        expect(one(spe.counter(index, value, True)), (4, spe.COUNTER, index, 2, 0x2211))
        expect(one(spe.address(index, value, True)), (10, spe.ADDRESS, index, 8, value))
    expect(one(spe.timestamp(value)), (9, spe.TIMESTAMP, 0, 8, value))
    expect(one(spe.end()), (1, spe.END, 0, 0, 0))


def test_padding():
    """up to 16 bytes of padding are one packet"""
    expect(numbers(decode("packets", spe.pad(1) + spe.end())),
           [(0, 1, spe.PAD, 0, 0, 0), (1, 1, spe.END, 0, 0, 0)])
    expect([line[:3] for line in numbers(decode("packets", spe.pad(37)))],
           [(0, 16, spe.PAD), (16, 16, spe.PAD), (32, 5, spe.PAD)])


def test_alignment():
    """an alignment packet extends to the next multiple in the AUX buffer"""
    for header, multiple in ((0x20, 2), (0x21, 4), (0x22, 8), (0x23, 16)):
        for aux in range(40):
            length = multiple - aux % multiple
            data = bytes([header, 0]) + b"\xff" * 30
            expect(one(data, "-a", aux), (length, spe.ALIGNMENT, 0, 0, 0), f"at {aux}")


def test_every_header():
    """all first bytes and all extended headers are decoded as specified"""
    pairs = [(first, second) for first in range(256) for second in range(256)
             if first & 0xf0 == 0x20 or second % 51 == first % 51]
    # an end after each limits the effect of bad bytes
    data = b"".join(bytes(pair) + spe.end() * 14 for pair in pairs)
    found = numbers(decode("packets", data))
    expect(found, list(spe.packets(data)), "packet")
    expect(sum(packet[0] % 16 == 0 for packet in found), len(pairs))


def test_random_bytes():
    """random bytes are decoded as specified"""
    for seed in range(8):
        rng = random.Random(seed)
        data = rng.choices(range(256), k=20000)
        if seed % 2:
            good = [0, 1, 0x20, 0x23, 0x42, 0x52, 0x43, 0x48, 0x64, 0x71, 0x98, 0xb0, 0xb2]
            data = rng.choices(good, k=20000)
        expect(numbers(decode("packets", bytes(data), "-a", seed * 7)),
               list(spe.packets(bytes(data), seed * 7)), "packet")


def test_incomplete():
    """an incomplete packet is not decoded"""
    for packet in (spe.timestamp(5), spe.events(1, 8), spe.address(9, 1), spe.counter(1, 1),
                   spe.context(0, 1), spe.operation(0, 1)):
        for length in range(1, len(packet)):
            expect(decode("packets", packet[:length]), [])

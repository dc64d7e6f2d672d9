# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Whole records of good streams."""

import random

import spe_packets as spe
from programs import Stream, decode, expect, expected, numbers


def stream_of(rng, count, shape, paddings=(1, 15, 16, 17, 64, 4096)):
    """shape: neoverse, loose, or both alternating."""
    stream = Stream()
    for _ in range(count):
        if rng.random() < 0.1:
            stream.pad(rng.choice(paddings))
        if shape == "neoverse" or shape == "both" and rng.random() < 0.5:
            data = spe.random_record(rng)
            if rng.random() < 0.05:
                data = data[:20] + bytes([rng.getrandbits(8)]) + data[21:]
        else:
            data = spe.loose_record(spe.random_fields(rng, True), rng)
        stream.add(data)
    return stream


def check(stream, *options):
    *records, totals = numbers(decode("records", bytes(stream.data), *options))
    expect(records, stream.lines(), "record")
    expect(totals, stream.totals(), "totals")


def test_neoverse():
    """records of 64 bytes in the layout of Neoverse cores"""
    check(stream_of(random.Random(1), 8000, "neoverse"))
    check(stream_of(random.Random(2), 3000, "neoverse", (64, 4096)), "-f", 64)


def test_loose():
    """records of any size, packets in any order, any values"""
    check(stream_of(random.Random(3), 5000, "loose"))


def test_both():
    """both in one stream"""
    check(stream_of(random.Random(4), 5000, "both"))


def test_paths():
    """feeding single bytes, without the fast path, gives the same result"""
    for shape in ("neoverse", "loose", "both"):
        stream = stream_of(random.Random(shape), 2000, shape)
        check(stream)
        check(stream, "-b", 1)


def test_almost_neoverse():
    """a byte that differs from the layout of Neoverse cores is not ignored"""
    rng = random.Random(5)
    for _ in range(12):
        damaged = []
        for number in range(64):
            data = bytearray(spe.random_record(rng))
            data[number] ^= 1 << rng.randrange(8)
            damaged.append(bytes(data))
        stream = b"".join(damaged)
        expect(decode("records", stream, "-b", 1), decode("records", stream), "line")
        # those that are still well-formed
        sound = [data for data in damaged if spe.fields_of(data) and data[0]]
        lines = numbers(decode("records", b"".join(sound)))
        expect([line[2:] for line in lines[:-1]],
               [expected(0, 0, spe.fields_of(data))[2:] for data in sound], "record")


def test_pieces():
    """random pieces give the same result as a single one"""
    stream = stream_of(random.Random(6), 2000, "both")
    for seed in range(1, 11):
        check(stream, "-s", seed)


def test_largest():
    """2,048 bytes are a record, 2,049 are not"""
    body = spe.address(0, 1) + spe.events(2)
    fill = 2048 - len(body) - 1
    *records, totals = numbers(decode("records", body + spe.pad(fill) + spe.end()))
    expect((len(records), records[0][1], totals[1]), (1, 2048, 0))
    for options in ((), ("-b", 1)):
        lines = numbers(decode("records", body + spe.pad(fill + 1) + spe.end() +
                               spe.record(pc=1, op=spe.LOAD), *options))
        expect([line[:2] for line in lines], [(2049, 64), (1, 1)])


def test_unknown():
    """packets of unknown index or class are counted, the rest of the record is decoded"""
    data = (spe.address(0, 0x1000) + spe.address(5, 7) + spe.address(31, 7) +
            spe.counter(9, 7) + spe.counter(4, 1) + spe.context(3, 1) +
            spe.operation(3, 0x55) + spe.events(2) + spe.end())
    record, totals = numbers(decode("records", data))
    expect((record[3], record[13], record[14]), (0x1000, 3, 0x55))
    expect(totals, (1, 0, 0, 0, 6))


def test_alignment():
    """alignment packets are padding, relative to the AUX buffer"""
    for aux in range(0, 64, 3):
        length = 16 - (aux + 9) % 16
        data = (spe.address(0, 0x1000) + (b"\x23\0" + b"\xff" * 14)[:length] +
                (b"" if length > 1 else b"\0") + spe.events(2) + spe.end())
        for options in ((), ("-b", 1)):
            record, totals = numbers(decode("records", data, "-a", aux, *options))
            expect(record[1], len(data))
            expect(totals, (1, 0, 0, 0, 0))


def test_addresses():
    """addresses are extended by bit 55, the top byte is stored separately"""
    low = 0x80123456789abc
    data = spe.record(pc=low | 0xff << 56, el=2, op=spe.LOAD, va=low, tag=0x5a, pa=low)
    fields = numbers(decode("records", data))[0]
    high = low | 0xff << 56
    expect((fields[3], fields[5], fields[6], fields[19], fields[20]), (high, high, low, 2, 0x5a))

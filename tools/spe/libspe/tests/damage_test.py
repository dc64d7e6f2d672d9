# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Damaged streams: the intact records are known, and no others may be reported."""

import random

import spe_packets as spe
from programs import Stream, decode, expect, expected, numbers

# Invalid first bytes of packets, and second bytes of extended ones.
BAD = [byte for byte in range(256)
       if byte & 0xfc != 0x20 and spe.packet_at(bytes([byte]) + bytes(9), 0)[1] == spe.BAD]


def neoverse(rng, count):
    """Records with payloads that often look like ends of records."""
    stream = Stream()
    for _ in range(count):
        fields = spe.random_fields(rng)
        for name in ("pc", "va", "pa", "target"):
            if name in fields and rng.random() < 0.3:
                fields[name] = sum(rng.choice((0, 1, 1, 0x71, 0xb0, 2)) << 8 * n
                                   for n in range(7))
        stream.add(spe.record(**fields))
    return stream


def loose(rng, count):
    """Records of any size starting with the PC, the same start for all as on one core."""
    stream = Stream()
    for _ in range(count):
        fields = spe.random_fields(rng, True)
        fields["pc"] = spe.code_address(rng)
        stream.add(spe.loose_record(fields, rng, "pc"))
    return stream


def headers(data):
    """Offsets of packets with a payload; the last is the end if it has one."""
    return [at for at, _, kind, *_ in spe.packets(data) if kind not in (spe.PAD, spe.END)]


def check(data, intact, sure, *options, alike=()):
    """Only intact records, including all certain ones; totals.

    alike: offsets of records with undetectable damage, which may be reported.
    """
    *lines, totals = numbers(decode("records", bytes(data), *options))
    reported = {line[0]: line for line in lines}
    for at, line in reported.items():
        if at not in alike:
            expect(line, intact.get(at), f"record at {at}")
    missing = sorted(sure - reported.keys())
    expect(missing, [], "intact records that are missing")
    expect(totals[0], len(lines))
    return totals


def bad_headers(stream, rng, share, options):
    """Headers become invalid first bytes."""
    data, damaged = bytearray(stream.data), set()
    lines = stream.lines()
    for number, (offset, _, record) in enumerate(stream.records):
        if rng.random() < share:
            at = rng.choice(headers(record))
            data[offset + at] = rng.choice(BAD)
            damaged.add(number)
    intact = {line[0]: line for number, line in enumerate(lines) if number not in damaged}
    # a damaged record hides the next if its end is damaged or part of a payload
    sure = {line[0] for number, line in enumerate(lines)
            if not {number, number - 1} & damaged}
    totals = check(data, intact, sure, *options)
    lost = len(intact) - totals[0]
    # the rest of a damaged record is counted again if it starts like a record
    if lost > len(damaged) * 0.25 or totals[2] < len(damaged) or \
            not len(damaged) * 0.5 <= totals[1] <= len(damaged) * 1.1 + 1:
        raise AssertionError(f"{len(damaged)} damaged, {lost} lost with them, {totals}")


def test_bad_bytes():
    """a bad byte damages only its own record, with any payloads"""
    rng = random.Random(1)
    for share in (0.01, 0.2, 0.5):
        for options in ((), ("-f", 64), ("-b", 1), ("-s", 9)):
            bad_headers(neoverse(rng, 2000), rng, share, options)


def test_bad_bytes_loose():
    """the same with records of any size, except that one more may be lost"""
    rng = random.Random(2)
    stream = loose(rng, 4000)
    data, damaged = bytearray(stream.data), set()
    for number, (offset, _, record) in enumerate(stream.records):
        if rng.random() < 0.05:
            data[offset + rng.choice(headers(record))] = rng.choice(BAD)
            damaged.add(number)
    intact = {line[0]: line for number, line in enumerate(stream.lines())
              if number not in damaged}
    sure = {stream.records[number][0] for number in range(len(stream.records))
            if not {number, number - 1, number - 2} & damaged}
    sure -= {line[0] for line in stream.lines()[:20]}
    check(data, intact, sure)


def cut_or_fill(stream, rng, share):
    """Some records lose or gain bytes.

    Returns the new bytes, intact records, certain ones (after two intact ones), and records with
    another time."""
    data, intact, sure, alike = bytearray(), {}, set(), set()
    before, nr_before = True, 2
    for (_, _, record), line in zip(stream.records, stream.lines()):
        # two of them in a row may cancel out
        whole = not before or rng.random() >= share
        if whole:
            intact[len(data)] = (len(data), *line[1:])
            # one may be hidden, the next one shows the new positions
            if nr_before >= 2:
                sure.add(len(data))
            data += record
        else:
            at, count = rng.randrange(1, 63), rng.randrange(1, 30)
            if at > 55:  # another timestamp, and the damage only comes after it
                alike.add(len(data))
            if rng.random() < 0.5:
                data += record[:at] + record[at + count:]
            else:
                data += record[:at] + bytes(rng.choices(range(256), k=count)) + record[at:]
        before, nr_before = whole, nr_before + 1 if whole else 0
    return data, intact, sure, alike


def test_lost_and_added_bytes():
    """with fixed-size records, lost and added bytes are detected, bad or not"""
    for seed in range(4):
        rng = random.Random(seed)
        for share in (0.01, 0.2):
            data, *known, alike = cut_or_fill(neoverse(rng, 2000), rng, share)
            check(data, *known, "-f", 64, alike=alike)
            check(data, *known, "-f", 64, "-s", 3, alike=alike)


def test_changed_bytes():
    """with changed bytes, all reported records are well-formed, and intact ones are not lost"""
    for seed in range(20):
        rng = random.Random(seed)
        stream = neoverse(rng, 1000)
        data, damaged = bytearray(stream.data), set()
        for at in range(0, len(data), 64):
            if rng.random() < 0.25:
                data[at + rng.randrange(64)] ^= rng.choice((rng.randrange(1, 256), 1, 0x10, 0xb0))
                damaged.add(at)
        for options in (("-f", 64), ()):
            *lines, _ = numbers(decode("records", bytes(data), *options))
            for line in lines:
                at, length = line[:2]
                fields = spe.fields_of(bytes(data[at:at + length]), at)
                if fields is None or options and (at + length) % 64:
                    raise AssertionError(f"a malformed record at {at}")
                expect(line, expected(at, length, fields), "record")
            reported = {line[0] for line in lines}
            missing = [at for at in range(64, len(data), 64) if at not in reported | damaged and
                       at - 64 in reported - damaged]
            expect(missing, [], "intact records that are missing")


def test_ends_in_a_payload():
    """ends in the payload of a damaged record do not start a record"""
    rng = random.Random(7)
    stream = neoverse(rng, 12)
    data = bytearray(stream.data)
    at = 64 * 8
    data[at:at + 9] = bytes((0x80, 1, 1, 1, 1, 1, 0xb0, 0x73, 0xec))
    lines = stream.lines()
    intact = {line[0]: line for line in lines if line[0] != at}
    check(data, intact, {line[0] for line in lines if line[0] not in (at, at + 64)})


def test_truncated():
    """a record without its end is dropped, wherever it is truncated"""
    rng = random.Random(4)
    stream = neoverse(rng, 2)
    lines = stream.lines()
    for length in range(0, len(stream.data) + 1):
        options = ("-b", 1) if length % 2 else ()
        *records, totals = numbers(decode("records", bytes(stream.data[:length]), *options))
        whole = length // 64
        expect(records, lines[:whole])
        expect(totals[:2], (whole, int(length % 64 != 0)), f"{length} bytes")


def test_gaps():
    """at a gap, a started record is dropped, and the rest of one is not a record"""
    rng = random.Random(5)
    for seed in range(15):
        stream = neoverse(rng, 60)
        cuts = sorted(rng.sample(range(1, 60 * 64), 2 * rng.randrange(1, 4)))
        data, gaps, kept = bytearray(), [], [(0, cuts[0])]
        kept += [(cuts[n], cuts[n + 1]) for n in range(1, len(cuts) - 1, 2)]
        kept += [(cuts[-1], len(stream.data))]
        intact, sure = {}, set()
        for start, end in kept:
            for line in stream.lines():
                if start <= line[0] and line[0] + 64 <= end:
                    at = len(data) + line[0] - start
                    intact[at] = (at, *line[1:])
                    # the rest of an earlier one may hide the start
                    if line[0] == start or line[0] >= start + 64:
                        sure.add(at)
            if data:
                gaps += ["-g", f"{len(data)},{start}"]
            data += stream.data[start:end]
        for options in ((), ("-f", 64), ("-s", seed + 1)):
            check(data, intact, sure, *gaps, *options)


def test_other_sizes():
    """records of another size than declared are found after losing some"""
    rng = random.Random(6)
    stream = loose(rng, 400)
    *lines, totals = numbers(decode("records", bytes(stream.data), "-f", 64))
    if len(lines) < 300 or totals[1] > 100:
        raise AssertionError(f"{totals}")


def test_twice():
    """a record with a repeated packet is damaged"""
    for packet in (spe.address(0, 1), spe.events(1), spe.counter(2, 5), spe.operation(0, 0),
                   spe.context(1, 1), spe.source(1), spe.address(3, 0), spe.counter(3, 0)):
        data = spe.address(4, 1) + packet * 2 + spe.end()
        expect(numbers(decode("records", data)), [(0, 1, 0, 0, 0)])
        data = spe.address(4, 1) + packet + spe.end()
        expect(len(decode("records", data)), 2)


def test_nothing():
    """an end alone is not a record"""
    for data in (spe.end(), spe.timestamp(5)):
        expect(numbers(decode("records", data)), [(0, 1, 0, 0, 0)])
    expect(numbers(decode("records", b"")), [(0, 0, 0, 0, 0)])

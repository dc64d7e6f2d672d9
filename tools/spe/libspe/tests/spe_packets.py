#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Encoder and decoder of SPE packets and records.

Based on the format's description only, as an independent reference for the decoder. Fields
are named like those of struct spe_record.

    record(pc=0x400000, el=0, op=LOAD, events=RETIRED, time=5)   64 bytes, as on Neoverse cores
    record(**random_fields(rng)), or random_record(rng)         random ones
    loose_record(fields, rng)     the same packets in any order, no fixed size
    packets(data)                 (offset, length, type, index, size, payload) of each packet
    fields_of(data)               the fields of a well-formed record
"""

(BAD, PAD, ALIGNMENT, END, TIMESTAMP, EVENTS, SOURCE, OPERATION, CONTEXT, COUNTER,
 ADDRESS) = range(11)

# Bits of the events packet
EXCEPTION, RETIRED, L1D_ACCESS, L1D_REFILL, TLB_ACCESS, TLB_WALK = (1 << n for n in range(6))
NOT_TAKEN, MISPREDICTED, LLC_ACCESS, LLC_MISS, REMOTE, MISALIGNED, LATE_PREFETCH = (
    1 << n for n in range(6, 13))

# Operations: class and payload
OTHER, LOAD, STORE, ATOMIC_LOAD = (0, 0x00), (1, 0x00), (1, 0x01), (1, 0x06)
BRANCH, COND_BRANCH, INDIRECT_BRANCH = (2, 0x00), (2, 0x01), (2, 0x02)

ADDRESSES = {"pc": 0, "target": 1, "va": 2, "pa": 3, "previous": 4}
COUNTERS = {"total": 0, "issue": 1, "translation": 2, "alternate": 3}
LOW = (1 << 56) - 1


def little(value, size):
    return (value & (1 << 8 * size) - 1).to_bytes(size, "little")


def sized(header, value, size):
    """A packet with its size in the header."""
    return bytes([header | size.bit_length() - 1 << 4]) + little(value, size)


def pad(count=1):
    return bytes(count)


def end():
    return b"\x01"


def timestamp(ticks):
    return b"\x71" + little(ticks, 8)


def events(bits, size=2):
    return sized(0x42, bits, size)


def source(value, size=1):
    return sized(0x43, value, size)


def operation(number, payload):
    return bytes([0x48 | number, payload])


def context(index, value):
    return bytes([0x64 | index]) + little(value, 4)


def indexed(header, index, payload, extended):
    """Indexes above 7 require extended headers, smaller ones may use them."""
    if index > 7 or extended:
        return bytes([0x20 | index >> 3, header | index & 7]) + payload
    return bytes([header | index]) + payload


def counter(index, value, extended=False):
    return indexed(0x98, index, little(value, 2), extended)


def address(index, value, extended=False):
    return indexed(0xb0, index, little(value, 8), extended)


def instruction(value, el=0, ns=1, nse=0):
    """The payload of an address in code."""
    return value & LOW | nse << 60 | el << 61 | ns << 63


def parts(fields):
    """The packets of a record: name and bytes, in the order of Neoverse cores."""
    el, ns = fields.get("el", 0), fields.get("ns", 1)
    make = {
        "pc": lambda v: address(0, instruction(v, el, ns)),
        "context": None,
        "op": lambda v: operation(*v),
        "events": lambda v: events(v, fields.get("events_size", 2)),
        "issue": lambda v: counter(1, v),
        "total": lambda v: counter(0, v),
        "target": lambda v: address(1, instruction(v, el, ns)),
        "va": lambda v: address(2, v & LOW | fields.get("tag", v >> 56) << 56),
        "translation": lambda v: counter(2, v),
        "pa": lambda v: address(3, v & LOW | ns << 63),
        "previous": lambda v: address(4, instruction(v, el, ns)),
        "source": lambda v: source(v, fields.get("source_size", 1)),
        "alternate": lambda v: counter(3, v),
    }
    for name, encode in make.items():
        value = fields.get(name)
        if name == "context":
            one, two = value if isinstance(value, tuple) else (value, None)
            if one is not None:
                yield "context1", context(0, one)
            if two is not None:
                yield "context2", context(1, two)
        elif value is not None:
            yield name, encode(value)


def last(fields):
    return end() if fields.get("time") is None else timestamp(fields["time"])


# Layout of Neoverse cores. No public capture has a previous branch target: it is placed where
# branches have no physical address.
SLOTS = {"pc": 0, "context1": 9, "context2": 14, "op": 19, "events": 21, "issue": 24,
         "total": 27, "target": 30, "va": 30, "translation": 39, "pa": 42, "previous": 42,
         "source": 51}


def record(**fields):
    """64 bytes. Fields: pc, el, ns, context (one or a pair), op (a pair), events, issue,
    total, target, va (tag in its top byte, or tag=), translation, pa, previous, source,
    time. Fields not given are absent."""
    data = bytearray(64)
    for name, packet in parts(fields):
        at = SLOTS[name]
        if any(data[at:at + len(packet)]):
            raise ValueError(f"{name}: its place is taken")
        data[at:at + len(packet)] = packet
    tail = last(fields)
    at = 55 if len(tail) == 9 else 63
    data[at:at + len(tail)] = tail
    if len(data) != 64:
        raise ValueError("too long")
    return bytes(data)


def loose_record(fields, rng, first=None):
    """The same packets in any order, with padding and extended headers here and there;
    the packet named first, if any, comes first."""
    data = b""
    made = [(name == first, rng.random(), packet) for name, packet in parts(fields)]
    made = [packet for _, _, packet in sorted(made, reverse=True)]
    for packet in made:
        if packet[0] & 0xf8 in (0x98, 0xb0) and rng.random() < 0.2 and (data or not first):
            packet = b"\x20" + packet
        data += packet + pad(rng.choice((0, 0, 0, 1, 5, 20)))
    return data + last(fields)


def code_address(rng):
    """A realistic address of user space or the kernel."""
    low = rng.getrandbits(rng.choice((20, 32, 47))) & ~3
    return low | 0xffff << 48 if rng.random() < 0.4 else low


def random_fields(rng, any_value=False):
    """Fields of a load, store, branch or other operation; any_value: including undefined ones."""
    kind = rng.choice(("load", "load", "store", "branch", "branch", "other"))
    pc = code_address(rng)
    fields = {"pc": pc, "el": rng.choice((1, 2)) if pc >> 63 else 0,
              "events": RETIRED | rng.getrandbits(16) & ~EXCEPTION,
              "total": rng.choice((rng.randrange(100), rng.randrange(4096), 0xfff)),
              "issue": rng.randrange(200)}
    if rng.random() < 0.3:
        fields["context"] = (rng.choice((None, 1, rng.getrandbits(22))), rng.getrandbits(22))
    if kind == "branch":
        fields["op"] = (2, rng.randrange(4))
        fields["target"] = code_address(rng)
        if rng.random() < 0.5:
            fields["previous"] = code_address(rng)
    elif kind == "other":
        fields["op"] = (0, rng.randrange(8))
    else:
        fields["op"] = (1, rng.choice((0, 4, 6, 0x10, 0x12)) | (kind == "store"))
        fields["va"] = code_address(rng)
        if rng.random() < 0.2:
            fields["tag"] = rng.getrandbits(8)
        fields["translation"] = rng.randrange(300)
        if rng.random() < 0.5:
            fields["pa"] = rng.getrandbits(40)
        if kind == "load" and rng.random() < 0.9:
            fields["source"] = rng.choice((0, 8, 9, 10, 11, 12, 13, 14))
    if rng.random() < 0.9:
        fields["time"] = rng.getrandbits(rng.choice((30, 48, 63)))
    if any_value:
        widen(fields, rng)
    return fields


def widen(fields, rng):
    """Records of other cores: any width, any bits, any counter."""
    fields["events_size"] = rng.choice((1, 2, 4, 8))
    fields["events"] = rng.getrandbits(8 * fields["events_size"])
    fields["op"] = (rng.randrange(4), rng.getrandbits(8))
    for name in COUNTERS:
        if rng.random() < 0.5:
            fields[name] = rng.getrandbits(16)
    for name in ADDRESSES:
        if rng.random() < 0.3:
            fields[name] = rng.getrandbits(56)
    fields["tag"] = rng.getrandbits(8)
    if rng.random() < 0.5:
        fields["source_size"] = rng.choice((1, 2, 4, 8))
        fields["source"] = rng.getrandbits(8 * fields["source_size"])
    for name in rng.sample(sorted(fields), rng.randrange(3)):
        del fields[name]
    fields.setdefault("op", (1, 0))


def random_record(rng):
    return record(**random_fields(rng))


# Reading: the format's definition, without optimization.

def size_of(header):
    return 1 << (header >> 4 & 3)


def short_packet(data, at, first):
    """Type, index and length of the header of a packet with a payload at data[at]; None if
    it is another packet. first: not the second byte of an extended one."""
    h = data[at]
    if h & 0xf8 == 0xb0:
        return ADDRESS, h & 7, 1 + size_of(h)
    if h & 0xf8 == 0x98:
        return COUNTER, h & 7, 1 + size_of(h)
    if not first:
        return None
    if h == 0x71:
        return TIMESTAMP, 0, 9
    if h & 0xcf == 0x42:
        return EVENTS, 0, 1 + size_of(h)
    if h & 0xcf == 0x43:
        return SOURCE, 0, 1 + size_of(h)
    if h & 0xfc == 0x48:
        return OPERATION, h & 3, 2
    if h & 0xfc == 0x64:
        return CONTEXT, h & 3, 5
    return None


def packet_at(data, at, aux=0):
    """(length, type, index, size, payload), or None if incomplete."""
    h = data[at]
    if h == 0:
        return 1, PAD, 0, 0, 0
    if h == 1:
        return 1, END, 0, 0, 0
    extended = h & 0xfc == 0x20
    if extended and at + 1 == len(data):
        return None
    if extended and data[at + 1] == 0:
        multiple = 1 << (h & 15) + 1
        length = multiple - (aux + at) % multiple
        return (length, ALIGNMENT, 0, 0, 0) if at + length <= len(data) else None
    found = short_packet(data, at + extended, not extended)
    if not found:
        return 1, BAD, 0, 0, 0
    kind, index, length = found
    if at + extended + length > len(data):
        return None
    payload = data[at + extended + 1:at + extended + length]
    index |= (h & 3) << 3 if extended else 0
    return extended + length, kind, index, length - 1, int.from_bytes(payload, "little")


def packets(data, aux=0):
    """(offset, length, type, index, size, payload) of each complete packet. Padding: up to 16
    bytes are one packet, as in perf."""
    at = 0
    while at < len(data):
        found = packet_at(data, at, aux)
        if not found:
            return
        length, *rest = found
        if rest[0] == PAD:
            while length < 16 and at + length < len(data) and data[at + length] == 0:
                length += 1
        yield (at, length, *rest)
        at += length


def canonical(value):
    value &= LOW
    return value | 0xff << 56 if value >> 55 else value


def fields_of(data, aux=0):
    """Fields of a well-formed record, named as in struct spe_record; None if malformed: a bad
    byte, a repeated packet, no end, only an end."""
    fields, ended = {}, False

    def put(name, value):
        if name in fields:
            raise KeyError(name)
        fields[name] = value

    try:
        for _, _, kind, index, _, payload in packets(data, aux):
            if kind == BAD or ended and kind not in (PAD, ALIGNMENT):
                return None
            if kind == TIMESTAMP:
                put("time", payload)
            elif kind == EVENTS:
                put("events", payload)
            elif kind == SOURCE:
                put("source", payload)
            elif kind == OPERATION:
                put("op", (index, payload))
            elif kind == CONTEXT and index < 2:
                put(f"context{index + 1}", payload)
            elif kind == COUNTER and index < 4:
                put([*COUNTERS][index], payload)
            elif kind == ADDRESS and index < 5:
                name = [*ADDRESSES][index]
                put(name, payload & LOW if name == "pa" else canonical(payload))
                if name == "pc":
                    fields["el"] = payload >> 61 & 3
                if name == "va":
                    fields["tag"] = payload >> 56
            elif kind in (CONTEXT, COUNTER, ADDRESS):
                fields["unknown"] = fields.get("unknown", 0) + 1
            ended = ended or kind in (END, TIMESTAMP)
    except KeyError:
        return None
    if fields.get("op", (0, 0))[0] == 3:
        fields["unknown"] = fields.get("unknown", 0) + 1
    return fields if ended and fields.keys() - {"time"} else None

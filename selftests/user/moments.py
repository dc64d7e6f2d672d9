# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Reader of cpuN/moments, written from Documentation/ABI, for tests."""
import struct

RECORD, HEAD = 4096, 56
PART_TIME, PART_CYCLES, PART_COUNTS = 2, 3, 4


class Reader:
    """Numbers of a record, one after the other."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, code, nr=1):
        """nr numbers of struct's type code."""
        values = struct.unpack_from(f"<{nr}{code}", self.data, self.at)
        self.at += struct.calcsize(f"<{nr}{code}")
        return values

    def one(self, code):
        return self.take(code)[0]


def bits(words):
    """Numbers of the bits that are set in words of 64 bits."""
    return {64 * i + k for i, word in enumerate(words) for k in range(64) if word >> k & 1}


def head(reader):
    """The beginning of a record."""
    assert bytes(reader.take("B", 4)) == b"N3TM"
    names = ("version", "bytes", "record", "records", "cpu", "run", "slices", "since_ns",
             "until_ns", "first_set", "sets")
    codes = "HHHHIQQQQHH"
    found = {name: reader.one(code) for name, code in zip(names, codes)}
    reader.take("I")
    assert found["version"] == 1 and found["bytes"] == RECORD
    return found


def cpu(reader):
    """The rest of record 0."""
    names = ("window_ms", "slice_ms", "between", "state", "how", "slots", "trust", "flags")
    found = {name: reader.one(code) for name, code in zip(names, "IIIBBBBI")}
    found["node"] = reader.one("I")
    found["cycles"] = reader.one("Q")
    found["newest_end_ns"] = reader.one("Q")
    found["anchor_sums"] = [reader.take("Q", 4) for _ in range(4)]
    names = ("budget", "sets", "events", "l1_set", "custom_set", "anchors")
    plan = {name: reader.one("H") for name in names}
    plan["anchor"] = reader.take("H", 4)[:plan["anchors"]]
    metrics, events = reader.take("H", 2)
    plan["distrust"] = bits(reader.take("Q", (events + 63) // 64))
    plan["chosen"] = bits(reader.take("Q", (metrics + 63) // 64))
    plan["unsupported"] = bits(reader.take("Q", (metrics + 63) // 64))
    plan["set_of"] = reader.take("H", metrics)
    plan["set"] = []
    for _ in range(plan["sets"]):
        nr, slots = reader.one("H"), reader.one("I")
        plan["set"].append({"slots": slots, "anchor": reader.take("B", 4),
                            "code": reader.take("H", nr)})
    return found | {"plan": plan}


def edge(reader, nr):
    """A slice: its end, length, cycles and counts."""
    return dict(zip(("end_ns", "time_ns", "cycles"), reader.take("Q", 3)),
                count=reader.take("Q", nr))


def one_set(reader):
    """A set of a record."""
    number, nr, parts, products, memory, edges = (reader.one(c) for c in "HBBHBB")
    found = {"number": number, "memory": memory}
    found["differences"], found["weight"] = reader.take("I", 2)
    names = ("slices", "dropped", "time_ns", "middles_ns", "cycles")
    found |= dict(zip(names, reader.take("Q", 5)), count=reader.take("Q", nr))
    first, last = edge(reader, nr), edge(reader, nr)
    found["edges"] = (first, last) if edges else None
    found["product"] = reader.take("q", products)
    for name in ("part", "from", "shift"):
        found[name] = reader.take("B", parts)
    reader.at = -(-reader.at // 8) * 8
    return found


def read(data):
    """Everything in a copy of the file: heads, the CPU, its sets by number."""
    heads, sets, first = [], {}, None
    assert len(data) % RECORD == 0 and data
    for at in range(0, len(data), RECORD):
        reader = Reader(data[at:at + RECORD])
        heads.append(head(reader))
        if at == 0:
            first = cpu(reader)
            continue
        for nr in range(heads[-1]["sets"]):
            found = one_set(reader)
            assert found["number"] == heads[-1]["first_set"] + nr
            sets[found["number"]] = found
        assert not any(reader.data[reader.at:])
    return heads, first, sets

# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Streams of SPE, one AUX buffer each, as a minimal perf.data."""

import struct

FEATURE_ARCH, FEATURE_CPUID = 6, 9
AUXTRACE_INFO, AUXTRACE, FINISHED_ROUND = 70, 71, 68
ARM_SPE = 4		# enum auxtrace_type
PMU_TYPE = 8
HEADER_SIZE = 104
NEOVERSE_N2 = "0x00000000410fd490"


def attribute(memory=False):
    """A perf_event_attr of 128 bytes."""
    sample_type = 1 << 16 | 1 << 1 | 1 << 2 | 1 << 7  # identifier, tid, time, cpu
    if memory:
        sample_type |= 1 << 0 | 1 << 15  # ip, data_src
    attr = struct.pack("<IIQQQQQ", PMU_TYPE, 128, 0, 4096, sample_type, 0, 1 << 18)
    return attr.ljust(128, b"\0")


def event(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text_feature(text):
    data = text.encode() + b"\0"
    data += bytes(-len(data) % 64)
    return struct.pack("<I", len(data)) + data


def aux_events(streams):
    out = event(AUXTRACE_INFO, struct.pack("<IIQQ", ARM_SPE, 0, PMU_TYPE, 1))
    for cpu, stream in enumerate(streams):
        stream += bytes(-len(stream) % 8)
        out += event(AUXTRACE, struct.pack("<QQQIiII", len(stream), 0, cpu, cpu, -1, cpu, 0))
        out += stream
    return out + event(FINISHED_ROUND, b"")


def perf_data(*streams, cpuid=NEOVERSE_N2, memory=False):
    """The bytes of the file; with memory, for "perf mem report", which derives the ids of its
    samples from the event's."""
    ids = struct.pack("<Q", 1) if memory else b""
    attrs = attribute(memory) + struct.pack("<QQ", HEADER_SIZE + 144, len(ids))
    data = aux_events(streams)
    data_at = HEADER_SIZE + len(attrs) + len(ids)
    features = {FEATURE_ARCH: text_feature("aarch64"), FEATURE_CPUID: text_feature(cpuid)}
    at = data_at + len(data) + 16 * len(features)
    table = b""
    for content in features.values():
        table += struct.pack("<QQ", at, len(content))
        at += len(content)
    bits = sum(1 << feature for feature in features)
    header = b"PERFILE2" + struct.pack("<QQ", HEADER_SIZE, len(attrs))
    header += struct.pack("<QQQQQQ", HEADER_SIZE, len(attrs), data_at, len(data), 0, 0)
    header += bits.to_bytes(32, "little")
    return header + attrs + ids + data + table + b"".join(features.values())

# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Writer of perf.data, as of "perf record -e arm_spe_0// --switch-events -a" on arm64.

Based on perf.data-file-format.txt, perf_event.h and event.h of Linux 6.1 only.

    with Recording(path, {"period": 4096}, cpus=(0, 1)) as r:
        r.perf(0, 0, mmap2(...))
        r.aux(0, data, cpu=0)
"""
import collections
import io
import struct

(MMAP, LOST, COMM, EXIT, FORK, SAMPLE, MMAP2, AUX, ITRACE_START, SWITCH,
 SWITCH_CPU_WIDE) = 1, 2, 3, 4, 7, 9, 10, 11, 12, 14, 15
(HEADER_ATTR, FINISHED_ROUND, ID_INDEX, AUXTRACE_INFO, AUXTRACE,
 AUXTRACE_ERROR) = 64, 68, 69, 70, 71, 72
TIME_CONV, HEADER_FEATURE, COMPRESSED, FINISHED_INIT, COMPRESSED2 = range(79, 84)
# perf_event_header.misc
KERNEL, USER, SWITCH_OUT, COMM_EXEC, HAS_BUILD_ID = 1, 2, 1 << 13, 1 << 13, 1 << 14
# AUX records
TRUNCATED, OVERWRITE, PARTIAL, COLLISION = 1, 2, 4, 8
# perf_event_attr.sample_type, in the order of a record's end
IP, TID, TIME, ID, STREAM_ID, CPU, DATA_SRC, IDENTIFIER = (
    1 << n for n in (0, 1, 2, 6, 9, 7, 15, 16))
SAMPLE_TYPE = TID | TIME | CPU | IDENTIFIER
# file sections
(BUILD_IDS, HOSTNAME, OSRELEASE, ARCH, NRCPUS, CPUID, CMDLINE, EVENT_DESC, PMU_MAPPINGS,
 AUXTRACE_INDEX, COMPRESSED_INFO, LAST_FEATURE) = 2, 3, 4, 6, 7, 9, 11, 12, 16, 18, 27, 32
MIDR, N2, ARM_SPE, PMU_TYPE, FIRST_ID = 0x410fd8e0, 0x410fd490, 4, 8, 12
# 1 tick of the timer is 1 ns, starting at BASE
BASE = 1000000000
ALL = 0xffffffff

# A record of the kernel. Its end is written by Recording; with time 0 it is perf's own.
Event = collections.namedtuple("Event", "kind body misc pid tid time cpu")


def event(kind, body, misc=0, pid=0, tid=None, time=0, cpu=0):
    return Event(kind, body, misc, pid, pid if tid is None else tid, time, cpu)


def text(name, multiple=8):
    data = (name if isinstance(name, bytes) else name.encode()) + b"\0"
    return data + bytes(-len(data) % multiple)


def sized_text(name):
    data = text(name, 64)
    return struct.pack("<I", len(data)) + data


def record(kind, body=b"", misc=0):
    return struct.pack("<IHH", kind, misc, len(body) + 8) + body


def place_of(pid, start, size, offset, tid=None):
    tid = pid if tid is None else tid
    return struct.pack("<IIQQQ", pid & ALL, tid & ALL, start, size, offset)


def mmap2(pid, start, size, offset, name, build_id=None, inode=(8, 1, 2, 3), tid=None, **of):
    """inode: major and minor number of the device, inode and generation."""
    file_id = (struct.pack("<B3x20s", len(build_id), build_id) if build_id else
               struct.pack("<IIQQ", *inode))
    return event(MMAP2, place_of(pid, start, size, offset, tid) + file_id +
                 struct.pack("<II", 5, 2) + text(name), USER | (HAS_BUILD_ID if build_id else 0),
                 pid=pid, tid=tid, **of)


def mmap(pid, start, size, offset, name, tid=None, misc=USER, **of):
    return event(MMAP, place_of(pid, start, size, offset, tid) + text(name), misc, pid=pid, tid=tid,
                 **of)


def kernel_map(start, size, name):
    return event(MMAP, place_of(-1, start, size, start, tid=0) + text(name), KERNEL)


def comm(pid, name, exec_=False, tid=None, **of):
    return event(COMM, struct.pack("<II", pid, tid or pid) + text(name), COMM_EXEC * exec_,
                 pid=pid, tid=tid, **of)


def fork(pid, parent, time, tid=None, **of):
    return event(FORK, struct.pack("<IIIIQ", pid, parent, tid or pid, parent, time), pid=parent,
                 time=time, **of)


def end(pid, parent, time, tid=None, **of):
    return event(EXIT, struct.pack("<IIIIQ", pid, parent, tid or pid, parent, time), pid=pid,
                 tid=tid, time=time, **of)


def switch_in(pid, time, cpu, tid=None):
    return event(SWITCH_CPU_WIDE, struct.pack("<II", 0, 0), 0, pid, tid, time, cpu)


def switch_out(pid, time, cpu, tid=None, to=0):
    return event(SWITCH_CPU_WIDE, struct.pack("<II", to, to), SWITCH_OUT, pid, tid, time, cpu)


def lost(count, **of):
    return event(LOST, struct.pack("<QQ", FIRST_ID, count), **of)


class Pmu(collections.namedtuple("Pmu", "number name cpus midr")):
    """cpus: those on which its event is opened."""


class Recording:
    """midr: of all CPUs, or a dict by CPU, for which the file has metadata of Linux 6.14; None if
    unknown. threads: those of perf record --per-thread, without CPUs and times. pmus: more than
    one, each with an event of its own."""

    def __init__(self, path, info=None, cpus=(0,), midr=MIDR, **more):
        self.info = {"host": "host", "kernel": "6.1.0", "command": "perf record -a", "period": 8192,
                     "clock_shift": 0, "clock_mult": 1, "clock_zero": BASE, "threads": None,
                     "sample_type": SAMPLE_TYPE, "attr_size": 128, "pmus": None, "pipe": False,
                     "sideband_type": None, "short_clock": False, "only_user": False,
                     "metadata": 2 if isinstance(midr, dict) else 1, **(info or {}), **more}
        self.cpus = tuple(cpus)
        self.midrs = midr if isinstance(midr, dict) else dict.fromkeys(self.cpus, midr)
        self.file = path if isinstance(path, io.BytesIO) else open(path, "wb")
        self.path = path
        self.threads = self.info["threads"]
        self.pmus = self.info["pmus"] or [
            Pmu(PMU_TYPE, "arm_spe_0", self.cpus, next(iter(self.midrs.values()), None))]
        # each event has a number for each CPU, or thread
        self.numbers = {}
        for number, on in enumerate([p.cpus for p in self.pmus] + [self.cpus]):
            for place in self.threads or on:
                self.numbers[number, place] = FIRST_ID + len(self.numbers)
        self.offsets, self.index, self.builds, self.now = {}, [], [], 1
        self.begun = False
        self.start = 16 if self.info["pipe"] else 104 + 8 * len(self.numbers) + (
            len(self.pmus) + 1) * (self.info["attr_size"] + 16)
        self.file.write(struct.pack("<8sQ", b"PERFILE2", 16) if self.info["pipe"] else
                        bytes(self.start))
        self.first_records()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.begin()
        self.round()
        if not self.info["pipe"]:
            self.sections_and_header()
        if self.file is not self.path:
            self.file.close()

    def write(self, data):
        self.file.write(data)

    # --- attributes and sections

    def events(self):
        """(name, attribute, numbers): those of SPE, and the dummy one of the kernel's records."""
        inherit = 0 if self.threads else 1 << 1
        found = []
        for number, pmu in enumerate(self.pmus + [None]):
            kind, config, period = (pmu.number, 1, self.info["period"]) if pmu else (1, 9, 1)
            # sample_id_all; mmap, comm, task, mmap2, comm_exec, context_switch
            flags = 1 << 18 | inherit
            flags |= (self.info["only_user"] << 5 if pmu else
                      sum(1 << n for n in (8, 9, 13, 23, 24, 26)))
            samples = IP | self.sample_type(not pmu) | (DATA_SRC if pmu else 0)
            attr = struct.pack("<IIQQQQQ", kind, self.info["attr_size"], config, period, samples, 0,
                               flags).ljust(self.info["attr_size"], b"\0")
            found.append((pmu.name + "//" if pmu else "dummy:u", attr,
                          [n for (i, _), n in self.numbers.items() if i == number]))
        return found

    def sample_type(self, sideband):
        """Fields at the end of an event's records."""
        kinds = sideband and self.info["sideband_type"] or self.info["sample_type"]
        return kinds & ~(TIME | CPU) if self.threads else kinds

    def sections(self):
        """By number. perf has no variant and revision in the CPUID."""
        info, events = self.info, self.events()
        found = {HOSTNAME: sized_text(info["host"]), OSRELEASE: sized_text(info["kernel"]),
                 ARCH: sized_text("aarch64"), NRCPUS: struct.pack("<II", *2 * [len(self.cpus)])}
        if self.pmus[0].midr is not None:
            found[CPUID] = sized_text(f"{self.pmus[0].midr & ~0xf0000f:#018x}")
        words = info["command"].split(" ")
        found[CMDLINE] = struct.pack("<I", len(words)) + b"".join(map(sized_text, words))
        found[EVENT_DESC] = struct.pack("<II", len(events), info["attr_size"]) + b"".join(
            attr + struct.pack("<I", len(numbers)) + sized_text(name) +
            struct.pack(f"<{len(numbers)}Q", *numbers) for name, attr, numbers in events)
        found[PMU_MAPPINGS] = struct.pack("<I", len(self.pmus)) + b"".join(
            struct.pack("<I", p.number) + sized_text(p.name) for p in self.pmus)
        if not info["pipe"]:
            if self.builds:
                found[BUILD_IDS] = b"".join(self.builds)
            found[AUXTRACE_INDEX] = struct.pack("<Q", len(self.index)) + b"".join(
                struct.pack("<QQ", *entry) for entry in self.index)
        return dict(sorted(found.items()))

    def sections_and_header(self):
        data_end, sections = self.file.tell(), self.sections()
        at = data_end + 16 * len(sections)
        for data in sections.values():
            self.file.write(struct.pack("<QQ", at, len(data)))
            at += len(data)
        self.file.write(b"".join(sections.values()))
        numbers, attrs, at = b"", b"", 104
        for _, attr, mine in self.events():
            attrs += attr + struct.pack("<QQ", at, 8 * len(mine))
            numbers += struct.pack(f"<{len(mine)}Q", *mine)
            at += 8 * len(mine)
        self.file.seek(0)
        self.file.write(struct.pack(
            "<8sQQQQQQQQQQQQ", b"PERFILE2", 104, self.info["attr_size"] + 16, at, len(attrs),
            self.start, data_end - self.start, 0, 0, sum(1 << n for n in sections), 0, 0, 0) +
            numbers + attrs)

    def auxtrace_info(self):
        words = [self.pmus[0].number, 0]
        if self.info["metadata"] > 1:
            per_cpu = [(cpu, self.midrs[cpu] if len(self.pmus) == 1 else pmu.midr, pmu.number)
                       for pmu in self.pmus for cpu in pmu.cpus]
            words = [self.info["metadata"], 4, self.pmus[0].number, len(per_cpu)]
            for cpu, midr, number in per_cpu:
                words += [0x1010101010101010, cpu, 3, midr, number, 1024]
        return record(AUXTRACE_INFO, struct.pack(f"<II{len(words)}Q", ARM_SPE, 0, *words))

    def first_records(self):
        """perf's own, before all of the kernel's."""
        info = self.info
        if info["pipe"]:
            for _, attr, numbers in self.events():
                self.write(record(HEADER_ATTR, attr + struct.pack(f"<{len(numbers)}Q", *numbers)))
            for number, data in (*self.sections().items(), (LAST_FEATURE, b"")):
                self.write(record(HEADER_FEATURE, struct.pack("<Q", number) + data))
        if info["clock_mult"] is not None:
            clock = struct.pack("<QQQ", info["clock_shift"], info["clock_mult"], info["clock_zero"])
            # since Linux 5.10 more follow
            self.write(record(TIME_CONV, clock if info["short_clock"] else clock + struct.pack(
                "<QQBB6x", 0, (1 << 56) - 1, 1, 1)))
        places = list(self.threads or self.cpus)
        self.write(record(ID_INDEX, struct.pack("<Q", len(self.numbers)) + b"".join(
            struct.pack("<QQqq", n, places.index(at), *((-1, at) if self.threads else (at, -1)))
            for (_, at), n in self.numbers.items())))
        if info["metadata"]:
            self.write(self.auxtrace_info())

    # --- records

    def begin(self):
        if not self.begun:
            self.begun = True
            self.write(record(FINISHED_INIT))

    def ended(self, what):
        """The bytes of an event, with its end."""
        self.now = max(self.now, what.time)
        number, owner = 0, (what.pid & ALL, what.tid & ALL)
        if what.time:
            places = self.threads or self.cpus
            here = what.tid if self.threads else what.cpu
            here = here if here in places else places[0]
            of = len(self.pmus)
            if what.kind in (AUX, ITRACE_START):
                of = next(i for i, p in enumerate(self.pmus) if self.threads or here in p.cpus)
            number = self.numbers[of, here]
        else:
            owner = (0, 0)
        words = {TID: struct.pack("<II", *owner), TIME: struct.pack("<Q", what.time),
                 ID: struct.pack("<Q", number), STREAM_ID: struct.pack("<Q", number),
                 CPU: struct.pack("<II", what.cpu & ALL, 0), IDENTIFIER: struct.pack("<Q", number)}
        mine = self.sample_type(what.kind not in (AUX, ITRACE_START))
        tail = b"".join(data for bit, data in words.items() if mine & bit)
        return record(what.kind, what.body + tail, what.misc)

    def ring(self, data):
        """Bytes from a ring of the kernel."""
        self.write(data)

    def perf(self, _stream, _cpu, *events):
        if any(e.time for e in events):
            self.begin()
        self.ring(b"".join(map(self.ended, events)))

    def aux(self, stream, data, cpu=0, pid=-1, flags=0, offset=None, time=0):
        """An AUX record and its data."""
        self.aux_record(stream, len(data), cpu, pid, flags, offset, time)
        self.auxtrace(stream, data, cpu, pid)

    def aux_record(self, stream, size, cpu=0, pid=-1, flags=0, offset=None, time=0):
        self.begin()
        at = self.offsets.get(stream, 0) if offset is None else offset
        self.offsets[stream] = at
        self.ring(self.ended(event(AUX, struct.pack("<QQQ", at, size, flags), 0, max(pid, 0),
                                   time=time or self.now, cpu=cpu)))

    def auxtrace(self, stream, data, cpu=0, tid=-1):
        padded = data + bytes(-len(data) % 8)
        if self.threads:
            cpu, tid = -1, self.threads[stream] if tid < 0 else tid
        else:
            tid = -1
        self.index.append((self.file.tell(), 48))
        self.write(record(AUXTRACE, struct.pack(
            "<QQQIIII", len(padded), self.offsets[stream], 0, stream, tid & ALL, cpu & ALL, 0)))
        self.write(padded)
        self.offsets[stream] += len(data)

    def round(self):
        """All rings were drained: what follows is later than what was drained a round ago."""
        self.write(record(FINISHED_ROUND))

    def gap(self, cpu, code, reason, time):
        """Samples may be missing up to this time."""
        self.begin()
        self.write(record(AUXTRACE_ERROR, struct.pack(
            "<IIIiiiQQ", 1, code, cpu, -1, -1, 1, 0, time) + text(reason)))

    def build_ids(self, *pairs):
        for build_id, name in pairs:
            path, data = text(name, 64), bytes.fromhex(build_id)
            self.builds.append(struct.pack(
                "<IHHi20sB3x", 0, (KERNEL if name[0] == "[" else USER) | 1 << 15,
                36 + len(path), -1, data, len(data)) + path)

    def kallsyms(self, *symbols):
        """As n3stat spe record keeps them."""
        with open(f"{self.path}.kallsyms", "w", encoding="utf-8") as file:
            file.writelines(f"{a:016x} {t} {name}\n" for a, t, name in symbols)


def perf_data(*streams, midr=N2):
    """The bytes of a file with these streams, one for each CPU."""
    file = io.BytesIO()
    with Recording(file, cpus=range(len(streams)), midr=midr) as recording:
        for cpu, data in enumerate(streams):
            recording.aux(cpu, data, cpu=cpu)
    return file.getvalue()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""spe_variants_check.py N3STAT DIR [NAME...]

Variants of perf.data files. Each has 30 records of process 100 "app" on CPU 0 and 12 of process 200
"kid", which app forked, on CPU 1, unless its row has more. A row has what follows from it: owners,
values of "limits", files, missing samples and ids of warnings, or the id of the refusal."""
import itertools
import json
import os
import pathlib
import struct
import subprocess
import sys

import spe_file as f
import spe_packets as spe
from spe_report import counts

APP, KID = 0xaaaa00000000, 0xbbbb00000000
BOTH = {"100 app": 30, "200 kid": 12}
CUT = {"[incomplete_recording]"}
AUXTRACE_HEAD = struct.pack("<IHH", f.AUXTRACE, 0, 48)


def app(nr=30, first=0, tick=1, **more):
    return b"".join(spe.record(pc=APP + 0x100 + 4 * (i % 8), op=spe.OTHER, events=spe.RETIRED,
                               **{"time": (1000 + 10 * i) // tick, "context": 100, **more})
                    for i in range(first, first + nr))


def kid(nr=12, tick=1, **more):
    return b"".join(spe.record(pc=KID + 0x200 + 4 * (i % 8), op=spe.LOAD, va=0xffff00001000,
                               source=0, events=spe.RETIRED,
                               **{"time": (1005 + 20 * i) // tick, "context": 200, **more})
                    for i in range(nr))


def at(time):
    return f.BASE + time


# --- records of tasks

def app_events(mapped=f.mmap2):
    return [f.comm(100, "app"), mapped(100, APP, 0x1000, 0, "/srv/app")]


def kid_events(mapped=f.mmap2):
    return [f.fork(200, 100, at(810)), f.comm(200, "kid", exec_=True, time=at(820), cpu=1),
            mapped(200, KID, 0x1000, 0, "/srv/kid", time=at(830), cpu=1)]


SWITCHES = [f.switch_out(0, at(800), 0, to=100), f.switch_in(100, at(801), 0),
            f.switch_out(0, at(840), 1, to=200), f.switch_in(200, at(841), 1)]
ENDS = [f.end(200, 100, at(3000), cpu=1), f.switch_out(100, at(3010), 0)]


def plain(r, mapped=f.mmap2, **more):
    r.perf(0, 0, *app_events(mapped), *SWITCHES[:2], *kid_events(mapped))
    data(r, **more)
    r.perf(0, 0, *ENDS)


def data(r, **more):
    r.aux(0, app(**more), time=at(2000))
    r.aux(1, kid(**more), cpu=1, time=at(2000))


def no_contexts(r, tick=1):
    """A kernel without CONFIG_PID_IN_CONTEXTIDR."""
    r.perf(0, 0, *app_events(), *kid_events(), *SWITCHES)
    r.aux(0, app(context=None, tick=tick), time=at(2000))
    r.aux(1, kid(context=None, tick=tick), cpu=1, time=at(2000))


def any_order(order):
    """Parts of a round in this order; the rings of several CPUs are not sorted."""
    def write(r):
        parts = [lambda: r.perf(0, 0, *app_events(), *SWITCHES),
                 lambda: r.perf(1, 1, *kid_events()[1:]),
                 lambda: r.perf(0, 0, kid_events()[0]),
                 lambda: r.aux(1, kid(context=None), cpu=1, time=at(2000)),
                 lambda: r.aux(0, app(context=None), time=at(2000))]
        for number in order:
            parts[number]()
    return write


def rounds(r):
    """Each CPU's data in windows of 7 records, AUX records behind or before their data."""
    r.perf(0, 0, *app_events(), *kid_events(), *SWITCHES)
    for turn, stream in itertools.product(range(5), range(2)):
        piece = (app(context=None), kid(context=None))[stream][turn * 448:turn * 448 + 448]
        if piece and turn % 2:
            r.aux(stream, piece, cpu=stream, time=at(1100 + 70 * turn))
        elif piece:
            start = r.offsets.get(stream, 0)
            r.offsets[stream] = start
            r.auxtrace(stream, piece, stream)
            r.aux_record(stream, len(piece), stream, offset=start, time=at(1100 + 70 * turn))
            r.offsets[stream] = start + len(piece)
        if stream:
            r.round()


def flags(r):
    r.perf(0, 0, *app_events(), *kid_events())
    r.aux(0, app(10), flags=f.TRUNCATED, time=at(1100))
    r.aux(0, app(10, 10), flags=f.PARTIAL, time=at(1200))
    r.aux(0, app(10, 20), flags=f.COLLISION | f.TRUNCATED | f.PARTIAL, time=at(1300))
    # all is lost: neither data nor AUXTRACE
    r.aux_record(0, 0, flags=f.TRUNCATED, time=at(1400))
    r.aux(1, kid(), cpu=1, time=at(2000))


def full(r):
    """The kernel ends a full buffer one byte early, and fills up the cache line."""
    r.perf(0, 0, *app_events(), *kid_events())
    r.aux(0, app(10) + bytes(63), time=at(1100))
    r.aux_record(0, 0, flags=f.TRUNCATED, time=at(1100))
    r.aux(0, bytes(1), time=at(1150))
    r.aux(0, app(20, 10), time=at(1200))
    r.aux(1, kid(), cpu=1, time=at(2000))


def missing(r):
    """Two records of CPU 0 are missing, and CPU 1 was offline."""
    r.perf(0, 0, *app_events(), *kid_events())
    r.aux(0, app(10), time=at(1100))
    r.aux(0, app(20, 10), offset=12 * 64, time=at(2000))
    r.gap(1, 4, "CPU offline", at(900))
    r.aux(1, kid(), cpu=1, time=at(2000))


def silent(r):
    """SPE of CPU 0 ends at 1290, the tasks of the CPU do not."""
    plain(r)
    r.perf(0, 0, *(e for i in range(20) for e in (
        f.switch_out(0, at(4000 + 200 * i), 0, to=100), f.switch_in(100, at(4001 + 200 * i), 0),
        f.switch_out(100, at(4100 + 200 * i), 0))))


def kernel_threads(r):
    """CPU 0 goes on to run kernel threads alone."""
    plain(r)
    r.perf(0, 0, *(e for i in range(20) for e in (
        f.switch_in(9, at(4001 + 200 * i), 0), f.switch_out(9, at(4050 + 200 * i), 0))))


def full_at(end):
    """The buffer of CPU 0 was full at last. A task runs later."""
    def write(r):
        r.perf(0, 0, *app_events(), *kid_events())
        r.aux(0, app(), flags=f.TRUNCATED, time=at(2000))
        r.aux(1, kid(), cpu=1, time=at(2000))
        r.perf(0, 0, f.switch_in(100, at(end), 0))
    return write


def data_maps(r):
    """Mappings of perf record -d, which are not code."""
    plain(r)
    r.perf(0, 0, *(f.mmap2(pid, base, 0x1000, 0, "/srv/data", time=at(900))._replace(misc=1 << 13)
                   for pid, base in ((100, APP), (200, KID))))


def high_cpus(r):
    r.perf(0, 0, *app_events(), *kid_events(),
           *(f.switch_in(pid, at(841), cpu) for pid, cpu in ((100, 254), (200, 700))))
    r.aux(0, app(context=None), cpu=254, time=at(2000))
    r.aux(1, kid(context=None), cpu=700, time=at(2000))


def strangers(r):
    """Records and fields of a later perf, and samples of another event."""
    r.write(f.record(200, bytes(range(40))) + f.record(65535, b""))
    r.write(f.record(f.SAMPLE, bytes(48), f.USER))
    plain(r, lambda *place, **of: longer(f.mmap2(*place, **of)))
    r.write(f.record(84, bytes(8)))


def longer(event):
    return event._replace(body=event.body + bytes(16))


def per_thread(r):
    r.perf(0, 0, f.comm(100, "app"), f.mmap2(100, APP, 0x1000, 0, "/srv/app"), f.comm(200, "kid"),
           f.mmap2(200, KID, 0x1000, 0, "/srv/kid"), f.event(f.SWITCH, b"", pid=100, time=at(900)))
    for stream, (one, tid) in enumerate(((app, 100), (kid, 200))):
        # END instead of a timestamp
        r.aux(stream, one(context=None, time=None), pid=tid, time=at(2000))
    r.perf(0, 0, f.end(200, 100, at(3000)))


def threads_of_one(r):
    r.perf(0, 0, *app_events(), f.comm(100, "worker", tid=101), f.fork(100, 100, 0, tid=101))
    for stream, tid in enumerate((100, 101)):
        r.aux(stream, app(15, context=None, time=None), pid=tid, time=at(2000))


def four_cpus(r):
    plain(r)
    r.aux(2, app(7), cpu=2, time=at(2000))
    r.aux(3, kid(5), cpu=3, time=at(2000))


def snapshot(r):
    plain(r)
    r.aux(0, app(10), flags=f.OVERWRITE, time=at(2100))


def compressed(kind):
    """Refused before anything is unpacked."""
    def write(r):
        plain(r)
        r.write(f.record(kind, bytes(41 if kind == f.COMPRESSED else 48)))
    return write


def no_spe(r):
    r.perf(0, 0, *app_events())


# --- changes of a file's bytes

def data_end(content):
    return sum(struct.unpack_from("<QQ", content, 40))


def killed(content):
    """The size of the data is written at the end; the bits of the sections are there."""
    return content[:48] + bytes(8) + content[56:data_end(content)]


TWO = [f.Pmu(8, "arm_spe_0", (0, 1), f.MIDR), f.Pmu(9, "arm_spe_1", (2, 3), f.N2)]
FOUR = {"cpus": (0, 1, 2, 3), "pmus": TWO}


def row(write, owners=None, options=None, change=None, limits=None, warnings=(), refused=None):
    return (write, owners or BOTH, {"cpus": (0, 1), **(options or {})}, change, limits or {},
            warnings, refused)


READ = {
    "plain": row(plain),
    "metadata2": row(plain, options={"metadata": 2}),
    "midrs": row(plain, options={"midr": {0: f.MIDR, 1: f.N2}}),
    "attr_136": row(plain, options={"attr_size": 136}),
    "attr_112": row(plain, options={"attr_size": 112}),
    "no_identifier": row(plain, options={"sample_type": f.TID | f.TIME | f.CPU}),
    "more_ids": row(plain, options={"sample_type": f.SAMPLE_TYPE | f.ID | f.STREAM_ID}),
    "id_alone": row(plain, options={"sample_type": f.TID | f.TIME | f.ID | f.CPU}),
    "other_sideband": row(plain, options={"sideband_type": f.SAMPLE_TYPE | f.ID | f.STREAM_ID}),
    "mmap": row(lambda r: plain(r, f.mmap)),
    "strangers": row(strangers),
    "no_contexts": row(no_contexts),
    "no_clock": row(no_contexts, options={"clock_mult": None}, warnings={"[no_times]"}),
    "no_identifier_switches": row(no_contexts, options={"sample_type": f.TID | f.TIME | f.CPU}),
    # ticks of 2 ns
    "other_timer": row(lambda r: no_contexts(r, 2), {"100 app": 30, "200 kid": 12}, {
        "clock_mult": 2 << 21, "clock_shift": 21}),
    "old_clock": row(no_contexts, options={"short_clock": True}),
    "no_clock": row(plain, options={"clock_mult": None}),
    "rounds": row(rounds),
    "flags": row(flags, limits={"truncated": 3, "partial": 2, "collisions": 1}),
    "full": row(full, limits={"truncated": 1, "gaps": 0, "damaged_records": 0}),
    "missing": row(missing, limits={"gaps": 1, "gap_bytes": 128,
                                    "losses": [(0, 1, 128), (1, 1, None)]}),
    "silent": row(silent, warnings={"[silent_cpu]"}, limits={"losses": [(0, 1, None)]}),
    "kernel_threads": row(kernel_threads, warnings={"[silent_cpu]"}),
    "user_alone": row(kernel_threads, options={"only_user": True}, limits={"losses": []}),
    "silent_user": row(silent, options={"only_user": True}, warnings={"[silent_cpu]"}),
    "full_at_end": row(full_at(2001), limits={"losses": [(0, 1, None)]}),
    "full_before": row(full_at(20000000), warnings={"[silent_cpu]"}),
    "data_maps": row(data_maps, limits={"files": {"/srv/app": 30, "/srv/kid": 12}}),
    "high_cpus": row(high_cpus, options={"cpus": (254, 700)}),
    "two_pmus": row(four_cpus, {"100 app": 37, "200 kid": 17}, {**FOUR, "metadata": 2}),
    "per_thread": row(per_thread, options={"threads": (100, 200)}),
    "per_thread_2": row(per_thread, options={"threads": (100, 200), "metadata": 2}),
    "threads_of_one": row(threads_of_one, {"100 app": 30}, {"threads": (100, 101)}),
    "killed": row(plain, change=killed, warnings=CUT, limits={"complete": "no"}),
    "cut_sections": row(plain, change=lambda c: c[:data_end(c) + 40], warnings=CUT),
    "cut_data": row(plain, {"100 app": 30, "200 kid": 5}, warnings=CUT,
                    change=lambda c: c[:c.rindex(AUXTRACE_HEAD) + 48 + 5 * 64 + 20]),
    "cut_record": row(plain, {"100 app": 30}, warnings=CUT,
                      change=lambda c: c[:c.rindex(AUXTRACE_HEAD) + 20]),
    "killed_cut": row(plain, {"100 app": 30, "200 kid": 3}, warnings=CUT,
                      change=lambda c: killed(c)[:c.rindex(AUXTRACE_HEAD) + 48 + 3 * 64 + 1]),
    **{"order_" + "".join(map(str, order)): row(any_order(order))
       for order in list(itertools.permutations(range(5)))[::7]},
}
REFUSED = {
    "pipe": row(plain, options={"pipe": True}, refused="[pipe_recording]"),
    "compressed": row(compressed(f.COMPRESSED), refused="[compressed_recording]"),
    "compressed2": row(compressed(f.COMPRESSED2), refused="[compressed_recording]"),
    "compressed_killed": row(compressed(f.COMPRESSED), change=killed,
                             refused="[compressed_recording]"),
    "snapshot": row(snapshot, refused="[snapshot_recording]"),
    "two_pmus_old": row(four_cpus, options={**FOUR, "metadata": 1}, refused="[several_pmus]"),
    "version_3": row(plain, options={"metadata": 3}, refused="[newer_recording]"),
    "no_spe": row(no_spe, options={"metadata": 0}, refused="[no_spe_data]"),
    "big_endian": row(plain, change=lambda c: b"2ELIFREP" + c[8:], refused="[big_endian]"),
    "text": row(plain, change=lambda c: b"text\n", refused="[not_a_recording]"),
    "empty": row(plain, change=lambda c: b"", refused="[empty_recording]"),
    "cut_header": row(plain, change=lambda c: c[:50], refused="[damaged_recording]"),
    "cut_attributes": row(plain, change=lambda c: c[:150], refused="[damaged_recording]"),
}


def report(n3stat, path):
    done = subprocess.run([n3stat, "spe", "report", "--json", "--top", "100", path],
                          capture_output=True, text=True, check=False)
    ids = {line.split()[-1] for line in done.stderr.splitlines() if line.endswith("]")}
    try:
        return done.returncode, json.loads(done.stdout or "{}"), ids - {"[binary_unreadable]"}
    except ValueError:
        return done.returncode, {}, ids


def check(n3stat, path, what):
    write, owners, options, change, limits, warnings, refused = what
    with f.Recording(str(path), **options) as recording:
        write(recording)
    if change:
        path.write_bytes(change(path.read_bytes()))
    status, found, ids = report(n3stat, path)
    if refused:
        return (status != 0, ids) == (True, {refused}) and "processes" not in found, (status, ids)
    got = counts(found.get("processes", []), "process")
    values = {**found.get("limits", {}), "losses": [
        (row["cpu"], row["windows"], row["bytes"]) for row in found.get("losses", [])],
              "files": counts(found.get("functions", []), "file")}
    values = {key: values.get(key) for key in limits}
    return (status, got, values, ids) == (0, owners, limits, set(warnings)), (status, got, values,
                                                                             ids)


class Wordy(f.Recording):
    """A command line of many words."""
    words = 0

    def sections(self):
        return {**super().sections(), f.CMDLINE: struct.pack("<I", self.words) +
                self.words * (struct.pack("<I", 2) + b"a\0")}


def many_words(n3stat, path):
    """Sections of more than 256 KB are left out, as their cost is not linear."""
    for Wordy.words, kept in (40000, 40000), (500000, 0):
        with Wordy(str(path), cpus=(0, 1)) as recording:
            plain(recording)
        status, found, _ = report(n3stat, path)
        words = found["recording"].get("command", "").split()
        if (status, len(words)) != (0, kept):
            return False, (status, len(words))
    return True, ""


def cut_anywhere(n3stat, path):
    """At each length either a refusal, or the whole records before the cut, with a warning."""
    with f.Recording(str(path), cpus=(0, 1)) as recording:
        plain(recording)
    content = path.read_bytes()
    starts = [at for at in range(len(content)) if content.startswith(AUXTRACE_HEAD, at)]
    places = {start + d for start in starts for d in (-1, 0, 1, 47, 48, 49, 111, 112, 113)}
    for cut in sorted({*range(0, len(content), 61), *places, len(content)}):
        path.write_bytes(content[:cut])
        status, found, ids = report(n3stat, path)
        whole = [min(nr, max(0, (cut - start - 48) // 64)) for start, nr in zip(starts, (30, 12))]
        got = counts(found.get("processes", []), "process")
        wanted = {name: nr for name, nr in zip(BOTH, whole) if nr}
        if status == 0 and (got != wanted or CUT - ids and cut < len(content)):
            return False, (cut, got, wanted, ids)
        if status and (sum(whole) or len(ids) != 1):
            return False, (cut, status, ids)
    return True, ""


def main():
    n3stat, folder, *names = sys.argv[1:]
    wrong = 0
    rows = {**READ, **REFUSED}
    others = {"cut_anywhere": cut_anywhere, "many_words": many_words}
    for name in names or [*rows, *others]:
        path = pathlib.Path(folder) / f"{name}.data"
        good, got = (others[name](n3stat, path) if name in others else
                     check(n3stat, path, rows[name]))
        if not good:
            wrong += 1
            print(f"{name}: {got}")
        if not os.environ.get("KEEP"):
            path.unlink()
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()

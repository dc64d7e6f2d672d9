#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Makes a tree in the format of /proc with artificial processes, at one of two times.

make_proc.py DIR STAGE [--threads N]

STAGE is 0 or 1: before and after. Changes in between, in ms of CPU time:

  process 100 "(a) R 1 b"   100: 600 on CPU 0
                            101: 300 on CPU 2, idle according to /proc/stat
                            102: 400, from CPU 0 to CPU 1
                            103: ended, having run 200 on CPU 3
                            104: its line is truncated
                            105: no schedstat, 200 on CPU 2 by clock ticks
                            106: schedstat of zeros, 100 on CPU 1 by clock ticks
                            107: new, 30 on CPU 3
                            108: another with the same id: less than before
  process 200 "new\\nline"   200: 700 on CPU 1
  process 210 "\\xff\\xfe\\033" 210: did not run
  process 300 "child"       of 100, new: 40 on CPU 3
  process 301 "old"         of 100, new, but ran 500 s before
  process 302 "grandchild"  of 300, new: 25 on CPU 3
  process 303 "other"       of 200, new: 45 on CPU 3
  process 400 "many"        --threads of them, 1 on CPUs 0 to 3 in turn
  process 500 "fast"        1000 s on CPU 0, more than the time in between

/proc/stat: CPU 0 is busy for half of the time, the rest idle; CPU 1 20 % busy, 60 %
idle, 20 % stolen; CPU 2 idle, waiting for I/O half of that; CPU 3 busy. cg contains 100,
cg/below 200 and 210; cg/empty is empty.
"""
import argparse
import os
import shutil

MS = 1000000


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "wb") as out:
        out.write(data if isinstance(data, bytes) else data.encode())
    os.rename(path + ".new", path)


def stat_line(tid, comm, parent, ticks, cpu):
    fields = ["R", parent, 1, 1, 0, -1, 0, 0, 0, 0, 0, ticks - ticks // 3, ticks // 3, 0, 0, 20,
              0, 1, 0, 4711, 0, 0, 2**64 - 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17, cpu, 0, 0]
    # escaped as by the kernel
    name = comm.replace(b"\\", b"\\\\").replace(b"\n", b"\\n")
    return b"%d (%s) %s\n" % (tid, name, " ".join(map(str, fields)).encode())


def put_thread(task, tid, line, ms, sched, waited):
    """Updates atomically for readers: new threads appear with both files, and stat is only
    read if schedstat has changed."""
    new = not os.path.exists(f"{task}/{tid}")
    path = f"{task}/.{tid}" if new else f"{task}/{tid}"
    write(f"{path}/stat", line)
    if sched is True:
        write(f"{path}/schedstat", f"{ms * MS} {waited * MS} 7\n")
    elif sched == "zeros":
        write(f"{path}/schedstat", "0 0 0\n")
    if new:
        os.rename(path, f"{task}/{tid}")


def thread(top, pid, tid, comm, cpu, ms, parent=1, sched=True, waited=0):
    line = stat_line(tid, comm, parent, ms // 10, cpu)
    # a new process appears with all its files at once
    new = tid == pid and not os.path.exists(f"{top}/{pid}")
    where = f"{top}/.new" if new else f"{top}/{pid}"
    put_thread(f"{where}/task", tid, line, ms, sched, waited)
    if tid == pid:
        write(f"{where}/stat", line)
        write(f"{where}/comm", comm + b"\n")
    if new:
        os.rename(where, f"{top}/{pid}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("stage", type=int)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    top, late = args.dir, args.stage

    odd = b"(a) R 1 b"
    thread(top, 100, 100, odd, 0, 10000 + 600 * late, waited=5 + 250 * late)
    thread(top, 100, 101, odd, 2, 20000 + 300 * late)
    thread(top, 100, 102, odd, late, 30000 + 400 * late)
    thread(top, 100, 104, odd, 3, 1000)
    thread(top, 100, 105, odd, 2, 4000 + 200 * late, sched=False)
    thread(top, 100, 106, odd, 1, 4000 + 100 * late, sched="zeros")
    thread(top, 100, 108, odd, 0, 9000 - 8500 * late)
    thread(top, 200, 200, b"new\nline", 1, 500 + 700 * late)
    thread(top, 210, 210, b"\xff\xfe\033", 1, 500)
    for i in range(args.threads):
        thread(top, 400, 400 + i, b"many", i % 4, 100 + late)
    thread(top, 500, 500, b"fast", 0, 1000 + 1000000 * late)
    if late:
        shutil.rmtree(f"{top}/100/task/103", ignore_errors=True)
        line = stat_line(104, odd, 1, 999, 3)
        write(f"{top}/100/task/104/schedstat", f"{2000 * MS} 0")
        write(f"{top}/100/task/104/stat", line[:len(line) // 2])
        thread(top, 100, 107, odd, 3, 30)
        thread(top, 300, 300, b"child", 3, 40, parent=100)
        thread(top, 301, 301, b"old", 3, 500000, parent=100)
        thread(top, 302, 302, b"grandchild", 3, 25, parent=300)
        thread(top, 303, 303, b"other", 3, 45, parent=200)
    else:
        thread(top, 100, 103, odd, 3, 700)

    # user nice system idle iowait irq softirq steal guest guest_nice
    write(f"{top}/stat",
          "cpu  1 1 1 1 1 1 1 1 1 1\n"
          f"cpu0 {100 + 30 * late} {10 + 5 * late} {20 + 10 * late} {500 + 50 * late} "
          f"9 {7 + 3 * late} {3 + 2 * late} 0 5 0\n"
          f"cpu1 {20 * late} 0 0 {60 * late} 0 0 0 {20 * late} 0 0\n"
          f"cpu2 50 0 0 {900 + 50 * late} {50 * late} 0 0 0 0 0\n"
          f"cpu3 {1000 + 100 * late} 0 0 77 0 0 0 0 0 0\n"
          "intr 12345 0 0\nctxt 1\n")
    write(f"{top}/../sys/devices/system/node/node0/cpulist", "0-1\n")
    write(f"{top}/../sys/devices/system/node/node1/cpulist", "2-3\n")
    write(f"{top}/../cg/cgroup.procs", "100\n")
    write(f"{top}/../cg/below/cgroup.procs", "200\n210\n")
    write(f"{top}/../cg/empty/cgroup.procs", "")


if __name__ == "__main__":
    main()

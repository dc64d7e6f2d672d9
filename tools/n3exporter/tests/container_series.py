#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""n3-exporter --containers: files of sums by cgroup, and the series that follow from them.

container_series.py TEST EXPORTER LATER

A tree of directories takes the place of cgroups. The library LATER shifts the program's clock.
"""
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile

from prometheus_client.parser import text_string_to_metric_families

from http_clients import Server, get, wait_until
from series import PREFIX, TOPDOWN, write

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests"))
import make_tree   # noqa: E402 # pylint: disable=wrong-import-position

SLOTS = 5
PIECES, NS, CYCLES, COUNTS = 0, 1, 2, 3
NUMBERS = 9
POD = ("/kubepods.slice/kubepods-burstable.slice/"
       "kubepods-burstable-pod01234567_89ab_cdef_0123_456789abcdef.slice")
CONTAINER = f"{POD}/cri-containerd-{'c0ffee00' * 8}.scope"
SSH = "/system.slice/ssh.service"


def values(seed, pieces):
    """Nine numbers of a record that differ from each other and between seeds"""
    rng = random.Random(seed)
    return [pieces] + [rng.randrange(10 ** 9, 10 ** 12) for _ in range(NUMBERS - 1)]


def total(*lists):
    return [sum(numbers) for numbers in zip(*lists)]


def series_of(numbers):
    """{family and event: value} of a container with these sums"""
    counts = [numbers[CYCLES], *numbers[COUNTS:]]
    wanted = {"sampled_pieces_total": numbers[PIECES],
              "sampled_seconds_total": numbers[NS] / 1e9}
    for key, count in zip(TOPDOWN, counts):
        event = key.replace("_total", "")
        # the counts of slots and of the flush are in cycles
        wanted[event] = count * (SLOTS if event in ("slots", "frontend_flush_slots") else 1)
    return wanted


class Host:
    """Its file of containers, its cgroups, and the exporter."""

    def __init__(self, root, exporter, later):
        self.root, self.exporter, self.later = root, exporter, later
        self.source, self.cgroups = f"{root}/kernel/n3_telemetry", f"{root}/fs/cgroup"
        self.records, self.head, self.clock, self.port = {}, [1, 0, 0, 0, 0, 0, 0, 0], 0, None
        os.makedirs(f"{root}/kernel")
        os.makedirs(self.cgroups)
        make_tree.main([self.source, "--cpus=1", "--no-quality"])
        write(f"{self.source}/spec", f"simulated 0\ncore N3\nslots {SLOTS}\n")
        write(f"{self.source}/status", "state sampling\nversion 0.2\n")
        write(f"{self.source}/container_pieces", "125\n")
        self.update()

    def make(self, path):
        """Return: its id"""
        os.makedirs(self.cgroups + path, exist_ok=True)
        return os.stat(self.cgroups + path).st_ino

    def remove(self, path):
        shutil.rmtree(self.cgroups + path)

    def set(self, cgroup, numbers, first=7):
        self.records[cgroup] = [cgroup, first, *numbers]
        self.update()

    def update(self, text=None):
        lines = [self.head, *self.records.values()]
        text = text if text is not None else "".join(
            "".join(f"{number:20d} " for number in line).ljust(255) + "\n" for line in lines)
        write(f"{self.source}/system/containers.new", text)
        os.rename(f"{self.source}/system/containers.new", f"{self.source}/system/containers")

    def shift(self, seconds):
        self.clock += seconds
        write(f"{self.root}/later.new", f"{self.clock}\n")
        os.rename(f"{self.root}/later.new", f"{self.root}/later")

    def command(self, *options):
        return [self.exporter, "--source", self.source, "--containers", *options]

    @contextlib.contextmanager
    def runs(self, *options, errors=(), output=("--listen", "127.0.0.1:0")):
        env = dict(os.environ, LD_PRELOAD=self.later, LATER=f"{self.root}/later")
        served = Server(self.command(*output, *options), has_socket="--listen" in output, env=env)
        try:
            self.port = served.port if "--listen" in output else None
            yield
            printed = [line.rsplit("[")[-1].rstrip("]") for line in served.end().splitlines()]
            assert printed == list(errors), printed
        finally:
            served.process.kill()

    def scrape(self):
        """Return: {cgroup: {family or event: value}}, and other series in ""

        Values are read again, as a second has passed for the program.
        """
        self.shift(2)
        status, _, text = get(self.port)
        assert status == 200, text
        return parse(text)

    def shows(self, wanted, **others):
        """These containers with these sums, and no others"""
        got = self.scrape()
        rest = got.pop("")
        assert set(got) == set(wanted), (set(got), set(wanted))
        for cgroup, numbers in wanted.items():
            assert got[cgroup] == series_of(numbers), (cgroup, got[cgroup], series_of(numbers))
        for name, value in others.items():
            assert rest[name] == value, (name, rest[name], value)


def parse(text):
    found = {"": {}}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels, name = sample.labels, sample.name.removeprefix(PREFIX)
            if name.startswith("cgroup"):
                name = name.removeprefix("cgroup_")
                if "cgroup" in labels:
                    row = found.setdefault(labels["cgroup"], {})
                    key = labels.get("event", name)
                    assert key not in row, (labels, name)
                    row[key] = sample.value
                else:
                    found[""][labels.get("reason", name)] = sample.value
            elif name in ("up", "files_unreadable"):
                found[""][name] = sample.value
    return found


def test_base(host):  # the first reading is the base, and a series begins at 400 pieces
    ssh, old = host.make(SSH), values(1, 5000)
    host.set(ssh, old)
    with host.runs():
        host.shows({})
        host.set(ssh, total(old, values(2, 399)))
        host.shows({})
        old = total(old, values(2, 399), values(3, 1))
        host.set(ssh, old)
        host.shows({SSH: total(values(2, 399), values(3, 1))})
    # again after a restart
    with host.runs():
        host.shows({})
        host.set(ssh, total(old, values(4, 400)))
        host.shows({SSH: values(4, 400)})


def test_new(host):  # later ids start at 0; a smaller value or another first piece is a new one
    root = host.make("")
    host.set(root, values(1, 5000))
    with host.runs():
        host.shows({})
        ssh = host.make(SSH)
        host.set(ssh, values(2, 1000))
        host.shows({SSH: values(2, 1000)})
        host.set(ssh, values(3, 999))
        host.shows({SSH: total(values(2, 1000), values(3, 999))})
        host.set(ssh, values(4, 2000), first=8)
        host.set(root, total(values(1, 5000), values(5, 401)))
        host.shows({SSH: total(values(2, 1000), values(3, 999), values(4, 2000)),
                    "/": values(5, 401)})
        # replaced in the module's table, and there again
        entry = host.records.pop(ssh)
        host.update()
        host.shows({SSH: total(values(2, 1000), values(3, 999), values(4, 2000)),
                    "/": values(5, 401)})
        host.records[ssh] = entry
        host.update()
        host.shows({SSH: total(values(2, 1000), values(3, 999), *2 * [values(4, 2000)]),
                    "/": values(5, 401)})


def test_wrap(host):  # sums of the module are modulo 2^64, those of series are not
    ssh, top = host.make(SSH), [10] + (NUMBERS - 1) * [2 ** 64 - 2 ** 20]
    host.set(ssh, top)
    with host.runs():
        host.shows({})
        host.set(ssh, [410] + (NUMBERS - 1) * [2 ** 20])
        host.shows({SSH: [400] + (NUMBERS - 1) * [2 ** 21]})
        for nr in range(1, 5):
            host.set(ssh, [410 + nr] + (NUMBERS - 1) * [2 ** 20 + nr * 2 ** 63 & 2 ** 64 - 1])
            host.shows({SSH: [400 + nr] + (NUMBERS - 1) * [2 ** 21 + nr * 2 ** 63]})


def test_leaves(host):  # a container keeps the sums of cgroups in it that are removed
    leaves = [host.make(f"{CONTAINER}/{name}") for name in ("a", "b")]
    with host.runs():
        host.shows({})
        for seed, leaf in enumerate(leaves):
            host.set(leaf, values(seed, 300))
        host.shows({CONTAINER: total(values(0, 300), values(1, 300))})
        host.remove(f"{CONTAINER}/a")
        host.records.pop(leaves[0])
        host.set(leaves[1], total(values(1, 300), values(2, 1)))
        sums = total(values(0, 300), values(1, 300), values(2, 1))
        host.shows({CONTAINER: sums})
        host.shift(10)
        host.set(host.make(f"{CONTAINER}/c/d"), values(3, 5))
        host.shows({CONTAINER: total(sums, values(3, 5))})


def test_end(host):  # a series ends 5 minutes after its directory is gone
    ssh, small = host.make(SSH), host.make("/system.slice/small.service")
    with host.runs():
        host.shows({})
        host.set(ssh, values(1, 500))
        host.set(small, values(2, 399))
        host.shows({SSH: values(1, 500)}, removed=0)
        host.remove("/system.slice")
        # never shown: its pieces are counted at once
        host.shows({SSH: values(1, 500)}, removed=399)
        host.shift(270)
        host.shows({SSH: values(1, 500)})
        # the unit is started again
        ssh = host.make(SSH)
        host.set(ssh, values(3, 20), first=9)
        host.shows({SSH: total(values(1, 500), values(3, 20))})
        host.remove(SSH)
        host.shows({SSH: total(values(1, 500), values(3, 20))})
        host.shift(270)
        host.shows({SSH: total(values(1, 500), values(3, 20))})
        host.shift(30)
        host.shows({}, removed=399)
        # a new one begins at 400 pieces
        host.shift(10)
        ssh = host.make(SSH)
        host.set(ssh, values(4, 399), first=10)
        host.shows({})
        host.set(ssh, values(4, 400), first=10)
        host.shows({SSH: total(values(4, 399), [1] + 8 * [0])})


def test_walks(host):  # the tree is read if an id is unknown, at most every 10 seconds
    first = host.make(SSH)
    with host.runs():
        host.shows({})
        host.set(first, values(1, 400))
        host.shows({SSH: values(1, 400)})
        cron, known = host.make("/system.slice/cron.service"), {SSH: values(1, 400)}
        host.set(cron, values(2, 300))
        host.shows(known, removed=0)
        host.set(cron, total(values(2, 300), values(3, 200)))
        # removed before it is known
        gone = host.make("/system.slice/gone.service")
        host.set(gone, values(4, 77))
        host.remove("/system.slice/gone.service")
        host.shows(known, removed=0)
        host.shift(10)
        known["/system.slice/cron.service"] = total(values(2, 300), values(3, 200))
        host.shows(known, removed=77)


def test_limit(host):  # --max-series leaves out containers, not the machine's series
    host.make(SSH)
    with host.runs():
        host.shift(2)
        plain = sum(not line.startswith(("#", "process_", "n3_exporter"))
                    for line in get(host.port)[2].splitlines())
    ids = {path: host.make(path) for path in (SSH, "/a.service", "/b.service")}
    first, second, third = sorted(ids, key=ids.get)  # as in a reading

    def fill(entry):
        host.shows({}, cgroups_left_out=0)
        for path, cgroup in ids.items():
            host.set(cgroup, values(path, 400), first=entry)

    with host.runs("--max-series", str(plain + 17)):
        fill(8)
        host.shows({first: values(first, 400)}, cgroups_left_out=2, up=1)
    with host.runs("--max-series", str(plain + 18)):
        fill(9)
        host.shows({path: values(path, 400) for path in (first, second)}, cgroups_left_out=1)
        # its place is free
        host.remove(first)
        host.scrape()
        host.shift(300)
        host.scrape()
        host.shows({path: values(path, 400) for path in (second, third)}, cgroups_left_out=0)


def test_labels(host):  # a path is a label, whatever its characters
    paths = {'/a"b\\c d': '/a"b\\c d', "/\\x2d": "/\\x2d", "/{é}\t": "/{\\xc3\\xa9}\\x09",
             "/\udcff": "/\\xff", "/\x1b": "/\\x1b", "/\\x1b": "/\\x5cx1b",
             "/\\x5cx1b": "/\\x5cx5cx1b"}
    with host.runs():
        host.shows({})
        for path in paths:
            host.set(host.make(path), values(1, 400))
        host.shows({label: values(1, 400) for label in paths.values()})


def test_head(host):  # coverage, and pieces and slices that no container has
    ssh = host.make(SSH)
    host.head = [1, 11, 22, 33, 44, 55, 6 * 10 ** 9 + 1, 7 * 10 ** 9]
    host.set(ssh, values(1, 1))
    with host.runs():
        host.shows({}, evicted_total=22, full=33, dropped_slices_total=55,
                   covered_seconds_total=6.000000001, busy_seconds_total=7)


def test_off(host):  # while the setting is 0 nothing grows, and one warning has the reason
    ssh = host.make(SSH)
    host.set(ssh, values(1, 5000))
    write(f"{host.source}/container_pieces", "0\n")
    with host.runs(errors=2 * ["containers_off"]):
        for _ in range(2):
            got = host.scrape()
            assert got == {"": {"up": 1, "files_unreadable": 0}}, got
        write(f"{host.source}/container_pieces", "125\n")
        host.shows({})
        host.set(ssh, total(values(1, 5000), values(2, 400)))
        host.shows({SSH: values(2, 400)})
        write(f"{host.source}/container_pieces", "0\n")
        for _ in range(2):
            host.shows({SSH: values(2, 400)})


def test_unreadable(host):  # a malformed file is one that is unreadable, until it is whole again
    ssh = host.make(SSH)
    with host.runs(errors=["malformed_file"]):
        host.shows({}, files_unreadable=0)
        host.set(ssh, values(1, 400))
        host.shows({SSH: values(1, 400)})
        host.update("x" * 256)
        for _ in range(2):
            host.shows({SSH: values(1, 400)}, files_unreadable=1, up=1)
        host.set(ssh, total(values(1, 400), values(2, 1)))
        host.shows({SSH: total(values(1, 400), values(2, 1))}, files_unreadable=0)
    # that of a PMU which the user named: slots of an N3
    write(f"{host.source}/spec", "simulated 1\n")
    with host.runs():
        host.shows({})
        host.set(ssh, values(4, 400), first=9)
        host.shows({SSH: values(4, 400)})
    # no slots: no shares
    write(f"{host.source}/spec", "simulated 0\ncore N3\nslots unknown\n")
    with host.runs():
        host.shows({})
        host.set(ssh, values(3, 400), first=8)
        assert set(host.scrape()[SSH]) == {"sampled_pieces_total", "sampled_seconds_total"}


def test_reload(host):  # the module is unloaded and loaded again
    ssh = host.make(SSH)
    with host.runs(errors=["no_directory"]):
        host.shows({})
        host.set(ssh, values(1, 400))
        host.shows({SSH: values(1, 400)})
        os.rename(host.source, host.source + ".gone")
        assert host.scrape() == {"": {"up": 0, "files_unreadable": 0}}
        os.rename(host.source + ".gone", host.source)
        host.set(ssh, values(2, 30), first=20)
        host.shows({SSH: total(values(1, 400), values(2, 30))})


def test_textfile(host):  # --textfile has the series, too
    ssh = host.make(SSH)
    file = f"{host.root}/n3.prom"

    def has(wanted):
        with contextlib.suppress(FileNotFoundError), open(file, encoding="ascii") as text:
            found = parse(text.read())
            return found.keys() - {""} == wanted.keys() and "evicted_total" in found[""] and \
                all(found[path] == series_of(numbers) for path, numbers in wanted.items())
        return False

    with host.runs(output=("--textfile", file, "--interval", "0.05")):
        wait_until(lambda: has({}), "the file")
        host.set(ssh, values(1, 400))
        wait_until(lambda: has({SSH: values(1, 400)}), "the container")


def test_trees(host):  # fs/cgroup of the source's sysfs, or --cgroups
    def rejects(kind, code, *options):
        done = subprocess.run(host.command(*options), capture_output=True, text=True, check=False,
                              timeout=60)
        assert done.returncode == code and done.stderr.endswith(f"[{kind}]\n"), done

    rejects("conflicting_options", 2, "--once")
    rejects("conflicting_options", 2, "--once", "--textfile", f"{host.root}/n3.prom")
    done = subprocess.run([host.exporter, "--once", "--source", host.source, "--cgroups",
                           host.cgroups], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.endswith("[conflicting_options]\n"), done
    rejects("no_cgroup2", 1, "--cgroups", f"{host.root}/none")
    os.rename(host.cgroups, f"{host.root}/other")
    rejects("no_cgroup2", 1)
    host.cgroups = f"{host.root}/other"
    with host.runs("--cgroups", host.cgroups, errors=["no_cgroup2"]):
        host.shows({})
        host.set(host.make(SSH), values(1, 400))
        host.shows({SSH: values(1, 400)})
        os.rename(host.cgroups, host.cgroups + ".gone")
        host.shift(10)
        host.set(1, values(2, 7))
        host.shows({SSH: values(1, 400)}, removed=7, files_unreadable=1)


def main():
    test, exporter, later = sys.argv[1:]
    signal.alarm(600)
    with tempfile.TemporaryDirectory() as root:
        globals()["test_" + test](Host(root, exporter, later))


if __name__ == "__main__":
    main()

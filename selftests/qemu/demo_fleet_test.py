#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""make demo-fleet: values over HTTP and over a textfile, the page, and the end.

demo_fleet_test.py [KERNEL]

Only ratios are compared: they do not depend on the speed of the host. Known are those that the
specification's formulas make of the simulation's rates. TAP.
"""
import contextlib
import html
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from fractions import Fraction

import demo_fleet
from demo_fleet import HERE, fetch, free_port, query, wait_until

TOP = HERE.parents[1]
sys.path += [str(TOP / "tools/n3exporter/tests"), str(TOP / "tools/tests")]
# pylint: disable=wrong-import-position
import browser
from fleet import FORMULAS, L1, TOPDOWN, TREE, Oracle, answer_on_page

DIRECTORY = TOP / "build/demo-fleet"
MARK = "N3T_DEMO_FLEET_TEST"
# percentage points. Totals are whole counts of whole slices.
NEAR = 0.1
PAGE = "/consoles/n3-fleet.html"


def known(rates):
    """{metric: percentage}, of the tree"""
    found = {}
    for metric in TREE:
        with contextlib.suppress(ZeroDivisionError):
            # pylint: disable-next=eval-used # a formula of the tables
            found[metric] = eval(FORMULAS[metric], {}, rates)
    return found


def without_shares(text):
    return re.sub(r" \d+ %", "", text)


def near(values, wanted, what):
    for metric in L1:
        assert abs(values[metric] - wanted[metric]) < NEAR, (what, metric, values, wanted)


class Demo:
    """A running make demo-fleet."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.log = tempfile.NamedTemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            ["make", "-s", "-C", TOP, "demo-fleet", f"KERNEL={kernel}"],
            env={**os.environ, MARK: str(os.getpid())}, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=subprocess.STDOUT, start_new_session=True)

    def check(self):
        assert self.process.poll() is None, self.text()

    def text(self):
        return pathlib.Path(self.log.name).read_text(encoding="utf-8")

    def wait_for(self, pattern):
        wait_until(lambda: re.search(pattern, self.text()), pattern, [self])
        return re.search(pattern, self.text())

    def left(self):
        """{process ID: command} of processes with the mark in their environment"""
        mark = f"{MARK}={os.getpid()}".encode()
        found = {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    found[int(folder.name)] = (folder / "cmdline").read_bytes()
        return found

    def interrupt(self):
        """As a terminal does."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(demo_fleet.TIMEOUT)

    def kill(self):
        for pid in self.left():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class Guest:
    """An emulated machine of the demo."""

    def __init__(self, name, ports):
        self.name, self.files = name, f"http://127.0.0.1:{ports['files']}"
        self.exporter = ports["exporter"]

    def rates(self):
        """Rates of each CPU."""
        texts = [fetch(f"{self.files}/rates{cpu}")
                 for cpu in range(len(demo_fleet.MACHINES[self.name]))]
        return [{event: int(rate) for event, rate in map(str.split, text.splitlines())}
                for text in texts]

    def uniform(self):
        """Rates of all CPUs, or None if they differ."""
        first, *others = self.rates()
        return first if all(rates == first for rates in others) else None


def shares(url, selector, by, at):
    """{label: {metric: percentage}}, of the rates of all seven totals at a time"""
    rates = {}
    for family in TOPDOWN:
        text = f"sum by ({by}) (rate(n3_telemetry_{family}_total{selector}[5m]))"
        for labels, value in query(url, text, at).items():
            rates.setdefault(dict(labels)[by], {})[family] = value
    return {label: {metric: 100 * Oracle.l1(metric, totals) for metric in L1}
            for label, totals in rates.items()}


@contextlib.contextmanager
def node_exporter(programs, guest, directory):
    """Return: the port of one that reads the guest's textfile, and a function that copies it."""
    port = free_port()
    files = directory / "files"
    files.mkdir()

    def copy():
        text = fetch(f"{guest.files}/n3.prom")
        if text:
            (directory / "n3.prom").write_text(text, encoding="ascii")
            os.replace(directory / "n3.prom", files / "n3.prom")

    process = demo_fleet.Process(
        [f"{programs}/prometheus-node-exporter", "--collector.disable-defaults",
         "--collector.textfile", f"--collector.textfile.directory={files}",
         f"--web.listen-address=127.0.0.1:{port}"], directory / "node_exporter.log")
    try:
        yield port, copy
    finally:
        demo_fleet.end([process])


CONFIG = """
global: {{scrape_interval: 5s, scrape_timeout: 5s}}
scrape_configs:
- job_name: http
  static_configs: [{{targets: ['127.0.0.1:{http}']}}]
- job_name: textfile
  static_configs: [{{targets: ['127.0.0.1:{textfile}']}}]
"""


class Tests:
    """In the order of their definition."""

    def __init__(self, kernel, stack):
        self.kernel, self.stack = kernel, stack
        self.programs = subprocess.run([TOP / "tools/n3exporter/tests/prometheus.sh"], check=True,
                                       stdout=subprocess.PIPE, text=True).stdout.strip()
        self.demo = self.url = self.guests = self.plain = None

    def start(self):
        self.demo = Demo(self.kernel)
        self.stack.callback(self.demo.kill)

    def test_interrupted(self):
        """Ctrl-C ends it while the machines boot"""
        self.start()
        wait_until(lambda: any(b"hostfwd" in command for command in self.demo.left().values()),
                   "QEMU", [self.demo])
        self.demo.interrupt()
        assert not self.demo.left(), self.demo.left()

    def test_url(self):
        """it prints a URL of 127.0.0.1 although the default port is taken"""
        with contextlib.suppress(OSError):
            self.stack.enter_context(socket.create_server(("127.0.0.1", demo_fleet.PORT)))
        self.start()
        self.url = self.demo.wait_for(r"(http://127\.0\.0\.1:\d+)" + PAGE)[1]
        assert not self.url.endswith(f":{demo_fleet.PORT}")
        ports = json.loads((DIRECTORY / "ports.json").read_text(encoding="ascii"))
        self.guests = [Guest(name, of_name) for name, of_name in ports.items()]
        assert {guest.name for guest in self.guests} == set(demo_fleet.MACHINES)

    def test_rules(self):
        """shares by the rules are known for machines with one workload"""
        tested = 0
        for guest in self.guests:
            rates = guest.uniform()
            if rates:
                found = query(self.url, "100 * instance:n3_telemetry_metric:ratio_rate5m"
                                        f'{{instance="{guest.name}"}}')
                near({dict(labels)["metric"]: value for labels, value in found.items()},
                     known(rates), guest.name)
                tested += 1
        assert tested >= 2

    def half_widths(self, guest):
        found = query(self.url, "100 * instance:n3_telemetry_metric:half_width_rate5m"
                                f'{{instance="{guest.name}"}}')
        return {dict(labels)["metric"]: value for labels, value in found.items()}

    def test_half_widths(self):
        """half widths by the rules: of all machines, and small for constant workloads"""
        for guest in self.guests:
            widths = self.half_widths(guest)
            assert set(widths) == set(L1), (guest.name, widths)
            # on a busy host, rates over the first few scrapes are rough
            if guest.uniform():
                wait_until(lambda guest=guest: max(self.half_widths(guest).values()) < NEAR,
                           f"small half widths of {guest.name}", [self.demo])

    def rows(self):
        """{machine: (areas and causes, coverage, {metric: percentage})} of the page"""
        page = fetch(self.url + PAGE).replace("<wbr>", "")
        rows = {}
        for row in re.findall(r"<tr><td><a .*?</tr>", page, re.S):
            name, = re.findall(r"<a [^>]*>(.*?)</a>", row)
            answer, = re.findall(r"<td>(<div>.*?)</td>", row, re.S)
            answer = re.sub("<.*?>", "", answer)
            coverage, = re.findall(r"<td>(\d+) %</td>", row)
            parts = re.findall(r'title="(\w+) ([0-9.]+) %"', row)
            rows[html.unescape(name)] = (without_shares(answer), int(coverage),
                                         {metric: float(value) for metric, value in parts})
        return rows

    def test_page(self):
        """the page shows these shares, areas and causes, and the time counted"""
        # jobs and the fleet read values of a minute ago
        wait_until(lambda: fetch(self.url + PAGE).count("±") == len(L1), "values of the fleet",
                   [self.demo])
        page = fetch(self.url + PAGE)
        notes = re.findall('<p class="note">(.*?)</p>', page)
        assert any("SIMULATED" in note for note in notes), notes
        rows, answers = self.rows(), {}
        assert set(rows) == {guest.name for guest in self.guests}, rows
        for guest in self.guests:
            _, coverage, parts = rows[guest.name]
            assert 0 < coverage <= 100
            rates = guest.uniform()
            if rates:
                wanted = known(rates)
                near(parts, wanted, guest.name)
                answers[guest.name] = without_shares(answer_on_page(
                    {metric: Fraction(value) / 100 for metric, value in wanted.items()}))
        # a deep metric has a rate after two scrapes with slices of its set between them
        wait_until(lambda: answers == {name: self.rows()[name][0] for name in answers},
                   f"areas and causes {answers}", [self.demo])

    def test_machine(self):
        """the page of a machine has its shares"""
        for guest in self.guests:
            page = fetch(f"{self.url}{PAGE}?job=demo&instance={guest.name}")
            assert f"<h1>Topdown of {guest.name}</h1>" in page
            parts = {metric: float(value)
                     for metric, value in re.findall(r'title="(\w+) ([0-9.]+) %"', page)}
            assert abs(sum(parts[metric] for metric in L1) - 100) < 1, parts

    def test_look(self):
        """the page fits a window of 1280 and of 390 pixels"""
        with browser.Browser() as window:
            for width in (1280, 390):
                window.look(width)
                window.events = []
                window.call("Page.navigate", url=self.url + PAGE)
                window.wait("Page.loadEventFired")
                assert window.js("document.documentElement.scrollWidth") == width
                _, _, whole, _ = window.box(".whole")
                parts = window.js("[...document.querySelectorAll('.whole i')]"
                                  ".map(part => part.getBoundingClientRect().width)")
                assert len(parts) == len(L1) and abs(sum(parts) - whole) < 2, (parts, whole)

    def scrape_routes(self, guest):
        """Return: a Prometheus with increased totals of the guest, over HTTP and a textfile."""
        directory = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        port, copy = self.stack.enter_context(node_exporter(self.programs, guest, directory))
        prometheus = demo_fleet.Prometheus(
            self.programs, CONFIG.format(http=guest.exporter, textfile=port),
            directory / "prometheus", free_port())
        self.stack.callback(demo_fleet.end, [prometheus])

        def increased():
            copy()
            found = query(prometheus.url, "min by (job, cpu) "
                          "(changes(n3_telemetry_slots_total[5m])) >= 2")
            return len(found) == 1 + len(guest.rates())

        wait_until(increased, "increased totals", [self.demo, prometheus])
        return prometheus

    def test_routes(self):
        """over a textfile and node_exporter the shares of CPUs are known, and sums as over HTTP"""
        # Sums over CPUs with different workloads depend on the time of the scrape.
        mixed = next(guest for guest in self.guests if not guest.uniform())
        uniform = next(guest for guest in self.guests if guest.uniform())
        for guest in (mixed, uniform):
            self.plain = self.scrape_routes(guest)
            at = time.time()
            of_cpus = shares(self.plain.url, '{job="textfile"}', "cpu", at)
            for cpu, rates in enumerate(guest.rates()):
                near(of_cpus[str(cpu)], known(rates), f"CPU {cpu} of {guest.name}")
        routes = shares(self.plain.url, "", "job", at)
        for job in ("http", "textfile"):
            near(routes[job], known(uniform.uniform()), job)

    def test_no_values(self):
        """without the rules the pages have a note"""
        for page in (PAGE, PAGE + "?job=n3&instance=%3Cb%3E%22%5C"):
            text = fetch(self.plain.url + page)
            assert text.count('<p class="note">') == 1, text
            assert "<table" not in text and "<b>" not in text, text

    def test_end(self):
        """Ctrl-C ends it, and no process is left"""
        assert self.demo.left()
        self.demo.interrupt()
        assert not self.demo.left(), self.demo.left()


def main():
    tests = [name for name in vars(Tests) if name.startswith("test_")]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    os.environ["NO_PROXY"] = "*"
    # a limit on the duration ends it in order, too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with contextlib.ExitStack() as stack:
        run = Tests(sys.argv[1] if len(sys.argv) > 1 else "6.1", stack)
        for nr, name in enumerate(tests, 1):
            test = getattr(run, name)
            try:
                test()
            except Exception:  # pylint: disable=broad-except # whatever it is
                failed = 1
                print(f"not ok {nr} - {test.__doc__}")
                print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()),
                      end="", flush=True)
            else:
                print(f"ok {nr} - {test.__doc__}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())

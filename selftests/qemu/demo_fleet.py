#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""make demo-fleet: emulated Neoverse N3s with n3-exporter, and a Prometheus that scrapes them.

demo_fleet.py KERNEL PROMETHEUS DIR

PROMETHEUS is the directory that tools/n3exporter/tests/prometheus.sh prints. Ends with SIGINT,
SIGTERM or SIGHUP and leaves no process running. All ports are those of 127.0.0.1. Logs and the
guests' ports (ports.json) are in DIR.
"""
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
RULES = HERE.parents[1] / "tools/n3exporter/prometheus"

# workloads of the CPUs of each machine: scenarios of n3_sim
MACHINES = {
    "simulated-1": ("backend_memory_bound", "backend_memory_bound"),
    "simulated-2": ("frontend_bound", "retiring"),
    "simulated-3": ("bad_speculation", "bad_speculation"),
    "simulated-4": ("retiring", "retiring"),
}
PORT = 9090
# of the guest
EXPORTER, FILES = 10303, 8080
TIMEOUT = 600
# Rules leave out simulated counts: the label of the series says that these are not. The page states
# that they are, because of the external label.
CONFIG = """
global:
  scrape_interval: 5s
  scrape_timeout: 5s
  evaluation_interval: 2s
  external_labels: {{simulated: '1'}}
rule_files: ['{rules}/rules.yml', '{rules}/alerts.yml']
scrape_configs:
- job_name: demo
  static_configs:
{targets}
  metric_relabel_configs:
  - {{source_labels: [simulated], regex: '1', target_label: simulated, replacement: '0'}}
  # they have just booted, for which rules would leave them out for minutes
  - {{source_labels: [__name__], regex: n3_telemetry_start_time_seconds, action: drop}}
"""
TARGET = "  - {{targets: ['127.0.0.1:{port}'], labels: {{instance: {name}}}}}"


class Failed(Exception):
    pass


class Interrupted(Exception):
    pass


interrupts = []


def pause(seconds):
    time.sleep(seconds)
    if interrupts:
        raise Interrupted


def free_port(wanted=0):
    try:
        with socket.create_server(("127.0.0.1", wanted)) as listener:
            return listener.getsockname()[1]
    except OSError:
        return free_port()


def fetch(url):
    """Return: the text, or nothing if the server does not answer yet."""
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return reply.read().decode()
    except (OSError, http.client.HTTPException) as error:
        if getattr(error, "code", 503) < 500:
            raise
        return ""


def wait_until(condition, what, processes=()):
    end = time.monotonic() + TIMEOUT
    while not condition():
        for process in processes:
            process.check()
        if time.monotonic() > end:
            raise Failed(f"waited {TIMEOUT} s in vain for {what}")
        pause(0.2)


class Process:
    """A command in a process group that a terminal does not interrupt."""

    def __init__(self, command, log):
        self.log = log
        with open(log, "wb") as out:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=subprocess.STDOUT, start_new_session=True)

    def check(self):
        if self.process.poll() is not None:
            end = self.log.read_text(errors="replace").splitlines()[-15:]
            raise Failed("\n".join([*end, f"ended with {self.process.returncode}: see {self.log}"]))

    def signal(self, number):
        """Return: whether the group has a process."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return False
        return True


def end(processes):
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            process.signal(number)
        patience = time.monotonic() + 30
        while time.monotonic() < patience:
            for process in processes:
                process.process.poll()
            if not any(process.signal(0) for process in processes):
                return
            time.sleep(0.05)


class Machine(Process):
    """An emulated N3 whose ports are those of guest/fleet.sh."""

    def __init__(self, kernel, directory, scenarios):
        self.exporter, self.files = free_port(), free_port()
        # -t: such a guest is silent
        super().__init__(
            [HERE / "run.sh", "-k", kernel, "-m", "pair", "-s", str(len(scenarios)),
             "-q", "-icount shift=0,sleep=on", "-t", "1000000000", "-o", directory,
             "-n", f"{self.exporter}:{EXPORTER}", "-n", f"{self.files}:{FILES}",
             "fleet", *scenarios], directory.with_suffix(".log"))


class Prometheus(Process):
    def __init__(self, programs, config, directory, port):
        self.url = f"http://127.0.0.1:{port}"
        directory.mkdir()
        (directory / "prometheus.yml").write_text(config, encoding="ascii")
        super().__init__(
            [f"{programs}/prometheus", f"--config.file={directory}/prometheus.yml",
             f"--storage.tsdb.path={directory}/data", f"--web.listen-address=127.0.0.1:{port}",
             f"--web.console.templates={RULES}/consoles", "--log.level=warn"],
            directory / "log")


def query(url, text, at=None):
    """The value of each series, by its labels."""
    asked = {"query": text, **({} if at is None else {"time": at})}
    reply = fetch(f"{url}/api/v1/query?{urllib.parse.urlencode(asked)}")
    return {frozenset(result["metric"].items()): float(result["value"][1])
            for result in (json.loads(reply)["data"]["result"] if reply else ())}


def show(url):
    print(f"""
  {url}/consoles/n3-fleet.html

Topdown of {len(MACHINES)} emulated Neoverse N3s. All counts are SIMULATED (n3_sim).

  the bar            slots of the fleet: sums of the machines' slots, then shares, with
                     half of their 95 % confidence intervals
  the table          the bottleneck of each machine, and the share of time that was counted
  a machine's name   the shares and losses of this machine alone

The page reloads itself. Ctrl-C ends the machines and Prometheus.
""", flush=True)


def clean(directory):
    """Leaves the logs."""
    for initrd in directory.glob("*/initrd"):
        initrd.unlink()
    shutil.rmtree(directory / "prometheus/data", ignore_errors=True)


def run(kernel, programs, directory):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    running, ports, targets = [], {}, []
    print(f"  booting {len(MACHINES)} emulated Neoverse N3s, half a minute", flush=True)
    try:
        for name, scenarios in MACHINES.items():
            machine = Machine(kernel, directory / name, scenarios)
            running.append(machine)
            ports[name] = {"exporter": machine.exporter, "files": machine.files}
            targets.append(TARGET.format(port=machine.exporter, name=name))
        (directory / "ports.json").write_text(json.dumps(ports), encoding="ascii")
        prometheus = Prometheus(programs, CONFIG.format(rules=RULES, targets="\n".join(targets)),
                                directory / "prometheus", free_port(PORT))
        running.append(prometheus)
        machines = "count by (instance) (instance:n3_telemetry_bottleneck:ratio_rate5m)"
        wait_until(lambda: len(query(prometheus.url, machines)) == len(MACHINES),
                   "values of all machines", running)
        show(prometheus.url)
        while True:
            for process in running:
                process.check()
            pause(0.2)
    finally:
        end(running)
        clean(directory)


def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: interrupts.append(1))
    os.environ["NO_PROXY"] = "*"
    kernel, programs, directory = sys.argv[1:]
    try:
        run(kernel, programs, pathlib.Path(directory).resolve())
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    except Interrupted:
        return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Time, series and memory that Prometheus needs for a fleet.

fleet_bench.py [--machines N] [--interval S] [--options "OPTIONS"]... [--cpus N]
	PROGRAMS EXPORTER RULES

PROGRAMS is what tools/n3exporter/tests/prometheus.sh prints, RULES a directory with rules.yml
and alerts.yml. A small server answers all scrapes with outputs of n3-exporter whose totals grow
steadily. Each --options describes an equal part of the machines (without any, five parts); those
with --per cpu have --cpus. It prints figures once all windows are full; for ranges above 5 minutes
it writes blocks of the time before. Other programs on the machine lengthen the durations, so their
share is printed. The CPU time per interval depends less on them.
"""
import argparse
import asyncio
import json
import operator
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../n3exporter/tests"))
# pylint: disable=wrong-import-position
from prometheus import fetch, prometheus, query   # noqa: E402
from steady import KINDS, PERIOD, expressions, output, ranges   # noqa: E402

OPTIONS = "", "--groups topdown_frontend,topdown_backend", "--groups all", "--errors", "--per cpu"
WINDOW = 300
BLOCK = 2 * 3600
JOBS = 10
CONSTANT = 'count({instance="", __name__=~".+:.+"})'
CONFIG = """global: {{scrape_interval: {0}s, scrape_timeout: {0}s, evaluation_interval: {0}s}}
rule_files: [{rules}/rules.yml, {rules}/alerts.yml]
scrape_configs:
"""
JOB = """- job_name: {job}
  static_configs: [{{targets: [{targets}]}}]
  relabel_configs:
  - {{source_labels: [__address__], target_label: instance}}
  - {{source_labels: [__address__], replacement: /$1, target_label: __metrics_path__}}
  - {{target_label: __address__, replacement: "127.0.0.1:{port}"}}
"""


class Kind:
    """An output with places for its totals"""

    def __init__(self, text):
        self.totals, self.form = [], ""
        for line in text.replace("%", "%%").splitlines():
            name, value = line.rsplit(" ", 1)
            if line.startswith("#") or not name.partition("{")[0].endswith("_total"):
                self.form += line + "\n"
            else:
                self.totals.append(float(value))
                self.form += f"{name} {'%.9f' if '.' in value else '%.0f'}\n"

    def at(self, elapsed):
        grown = 1 + elapsed / PERIOD
        return self.form % tuple(total * grown for total in self.totals)


class Answers(asyncio.Protocol):
    """A connection, on which one request follows the answer to the last."""
    machines = {}
    start = time.time()

    def connection_made(self, transport):
        self.transport, self.request = transport, b""

    def data_received(self, data):
        self.request += data
        if not self.request.endswith(b"\r\n\r\n"):
            return
        nr, kind = self.machines[self.request.split()[1].decode()]
        self.request = b""
        text = kind.at(time.time() - self.start + nr)
        body = text.replace("start_time_seconds 0", f"start_time_seconds {nr}").encode()
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n"
                             b"Content-Length: %d\r\n\r\n%s" % (len(body), body))


def serve():
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(Answers, "127.0.0.1", 0, backlog=1024))
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return server.sockets[0].getsockname()[1]


def make_machines(args):
    """Return: [(options, first part of their names, number)]; the server knows them."""
    found = []
    for nr_options, options in enumerate(args.options):
        kinds = [Kind(output(args.exporter, options.split(), nr, args.cpus)) for nr in range(KINDS)]
        prefix = re.sub("[^a-z]+", "-", options).strip("-") or "default"
        number = (args.machines + len(args.options) - 1 - nr_options) // len(args.options)
        found.append((options or "default", prefix, number))
        for nr in range(number):
            Answers.machines[f"/{prefix}-{nr}"] = len(Answers.machines), kinds[nr % KINDS]
    return found


class Meter:
    """Figures of Prometheus about itself, and CPU times"""

    def __init__(self, url):
        self.url = url

    def metrics(self):
        return dict(line.rsplit(" ", 1) for line in fetch(f"{self.url}/metrics").splitlines()
                    if not line.startswith("#"))

    def groups(self):
        """Return: {group: (time of its last evaluation, duration)}"""
        reply = json.loads(fetch(f"{self.url}/api/v1/rules?type=record"))
        return {group["name"]: (group["lastEvaluation"], group["evaluationTime"])
                for group in reply["data"]["groups"]}

    def times(self):
        """Return: seconds of wall, all CPUs, Prometheus, this program; samples appended."""
        with open("/proc/stat", encoding="ascii") as stat:
            ticks = [int(text) for text in stat.readline().split()[1:9]]
        metrics = self.metrics()
        return [time.time(), (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK"),
                float(metrics["process_cpu_seconds_total"]), time.process_time(),
                sum(float(value) for name, value in metrics.items()
                    if name.startswith("prometheus_tsdb_head_samples_appended_total"))]

    def value(self, expr):
        return sum(float(values[-1][1]) for _, values in query(self.url, expr))

    def wait(self, condition, what):
        print(f"waiting for {what}", file=sys.stderr, flush=True)
        while not condition():
            time.sleep(3)


def evaluations(meter, number):
    """Return: {group: durations} after the one of now"""
    found = {}

    def is_done():
        for group, (at, duration) in meter.groups().items():
            found.setdefault(group, {})[at] = duration
        return min(map(len, found.values())) > number

    meter.wait(is_done, f"{number} evaluations")
    return {group: list(durations.values())[1:] for group, durations in found.items()}


def backfill(meter, args, found, data, began):
    """Samples of the longer ranges, with the values of now"""
    now = int(time.time())
    spans = {}
    for name, length, offset in found:
        first, last = spans.get(name, (now, 0))
        spans[name] = (min(first, now - offset - length),
                       max(last, now - offset + 2 * WINDOW if offset else began))
    series = [(re.sub("__name__=[^,]*,?", "", ",".join(
                   f'{label}="{value}"' for label, value in labels.items())), values[0][1], name)
              for name in spans for labels, values in query(meter.url, name)]
    for block in range(min(spans.values(), default=(now,))[0] // BLOCK, now // BLOCK + 1):
        with open(f"{data}.txt", "w", encoding="ascii") as out:
            for labels, value, name in series:
                first, last = spans[name]
                out.writelines(f"{name}{{{labels}}} {value} {at}\n" for at in range(
                    max(first, block * BLOCK), min(last, (block + 1) * BLOCK), args.interval))
            out.write("# EOF\n")
        subprocess.run([f"{args.programs}/promtool", "tsdb", "create-blocks-from", "openmetrics",
                        out.name, data], check=True, stdout=subprocess.DEVNULL)


def fill(meter, args, data, began):
    """Waits until all windows are full."""
    found = {item for item in ranges(expressions(args.rules)) if sum(item[1:]) > WINDOW}
    meter.wait(lambda: meter.value("count(n3_telemetry_up == 1)") == args.machines, "all machines")
    # a scrape may be late
    meter.wait(lambda: meter.value("min(count_over_time(n3_telemetry_slots_total[5m]))")
               >= WINDOW // args.interval - 1, "full windows")
    evaluations(meter, 1)
    backfill(meter, args, found, data, began)
    for name, length, offset in found:
        samples = f"min(count_over_time({name}[{length}s]" + f" offset {offset}s" * bool(offset)
        meter.wait(lambda text=samples, nr=length // args.interval * 9 // 10:
                   meter.value(text + "))") >= nr, f"{name}[{length}s]")


def report(meter, args, machines):
    before = meter.times()
    durations = evaluations(meter, 10)
    wall, busy, of_prometheus, own, samples = map(operator.sub, meter.times(), before)
    print(f"{args.machines} machines, scraped and evaluated every {args.interval} s")
    for group, seconds in durations.items():
        print(f"{statistics.median(seconds):9.3f} s  {group}, median of {len(seconds)} "
              f"(from {min(seconds):.3f} to {max(seconds):.3f})")
    print(f"{sum(map(statistics.median, durations.values())):9.3f} s  all groups\n\n"
          "   raw and of rules: series of a machine")
    for options, prefix, number in machines:
        chosen = f'instance=~"{prefix}-[0-9]+", __name__!="ALERTS_FOR_STATE", __name__'
        raw, of_rules = (meter.value(f'count({{{chosen}{sign}".+:.+"}})') / number
                         for sign in ("!~", "=~"))
        print(f"{raw:6.1f} {of_rules:6.1f}  {options}: {number} machines")
    print(f"{meter.value(CONSTANT):9.0f}    series of {JOBS} jobs and the fleet")
    metrics = {name: float(value) for name, value in meter.metrics().items()}
    print(f"{samples / wall:9.0f}    samples a second\n")
    print(f"{metrics['process_resident_memory_bytes'] / 1e6:9.0f} MB resident, "
          f"{metrics['go_memstats_heap_inuse_bytes'] / 1e6:.0f} MB heap, "
          f"{metrics['prometheus_tsdb_head_series']:.0f} series in the head, "
          f"after {(time.time() - Answers.start) / 60:.0f} minutes")
    print(f"{of_prometheus / wall * args.interval:9.3f} s of CPU time per interval, with scrapes")
    for name, share in (("Prometheus", of_prometheus), ("server of the machines", own),
                        ("other programs", busy - of_prometheus - own)):
        print(f"{100 * share / wall:9.1f} % of {os.cpu_count()} times 100 %: {name}")


def main():
    parser = argparse.ArgumentParser()
    for name in "programs", "exporter", "rules":
        parser.add_argument(name, type=os.path.abspath)
    for name, number in ("--machines", 1000), ("--interval", 15), ("--cpus", 64):
        parser.add_argument(name, type=int, default=number)
    parser.add_argument("--options", action="append")
    args = parser.parse_args()
    args.options = args.options or OPTIONS
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Prometheus is ended, too"))
    machines = make_machines(args)
    names = [path[1:] for path in Answers.machines]
    config = CONFIG.format(args.interval, rules=args.rules)
    port = serve()
    for nr in range(JOBS):
        config += JOB.format(job=f"job{nr}", port=port, targets=", ".join(names[nr::JOBS]))
    # blocks are not compacted meanwhile
    with tempfile.TemporaryDirectory() as directory, prometheus(
            args.programs, config, "--storage.tsdb.max-block-duration=2h",
            data=f"{directory}/data") as url:
        meter = Meter(url)
        fill(meter, args, f"{directory}/data", int(time.time()))
        report(meter, args, machines)


if __name__ == "__main__":
    os.environ["NO_PROXY"] = "*"
    main()

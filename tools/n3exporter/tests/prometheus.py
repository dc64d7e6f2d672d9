#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""n3-exporter with Debian's programs of Prometheus, on free ports of 127.0.0.1; see also rules.py.

prometheus.py TEST PROGRAMS EXPORTER SOURCE

PROGRAMS is the directory that prometheus.sh prints.
"""
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from http_clients import PATIENCE, get, server, wait_until
from series import parse


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def fetch(url):
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as reply:
            return reply.read().decode()
    except (urllib.error.URLError, ConnectionError):
        return ""


@contextlib.contextmanager
def running(*command):
    # its log goes to standard error, which is only shown if the test fails
    process = subprocess.Popen(command, stdout=sys.stderr)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


@contextlib.contextmanager
def prometheus(programs, config, *options, data=None):
    """Return: the URL of a Prometheus with this configuration, and perhaps a directory of data."""
    with tempfile.TemporaryDirectory() as directory:
        port = free_port()
        with open(f"{directory}/prometheus.yml", "w", encoding="ascii") as out:
            out.write(config)
        with running(f"{programs}/prometheus", f"--config.file={out.name}", "--log.level=warn",
                     f"--storage.tsdb.path={data or directory + '/data'}",
                     f"--web.listen-address=127.0.0.1:{port}", *options):
            yield f"http://127.0.0.1:{port}"


def query(url, expr):
    """Return: [(labels, values)], with one value or those of a range."""
    reply = fetch(f"{url}/api/v1/query?" + urllib.parse.urlencode({"query": expr}))
    results = json.loads(reply)["data"]["result"] if reply else []
    return [(result["metric"], result.get("values") or [result["value"]]) for result in results]


def once(exporter, source, *options):
    return subprocess.run([exporter, "--source", source, "--once", *options], check=True,
                          capture_output=True, text=True).stdout


def test_promtool(programs, exporter, source):  # promtool check metrics
    texts = [once(exporter, source, *options)
             for options in ((), ("--per", "numa_node"), ("--per", "cpu", "--groups", "all"))]
    with server(exporter, source) as served:
        texts.append(get(served.port)[2])
    for text in texts:
        checked = subprocess.run([f"{programs}/promtool", "check", "metrics"], check=False,
                                 input=text, capture_output=True, text=True)
        assert checked.returncode == 0 and not checked.stdout + checked.stderr, checked


def test_node_exporter(programs, exporter, source):  # node_exporter's textfile collector
    with tempfile.TemporaryDirectory() as directory:
        file = f"{directory}/n3.prom"
        once(exporter, source, "--per", "cpu", "--groups", "all", "--textfile", file)
        with open(file, encoding="ascii") as written:
            wanted = parse(written.read())
        port = free_port()
        with running(f"{programs}/prometheus-node-exporter", "--collector.disable-defaults",
                     "--collector.textfile", f"--collector.textfile.directory={directory}",
                     f"--web.listen-address=127.0.0.1:{port}"):
            url = f"http://127.0.0.1:{port}/metrics"
            wait_until(lambda: "\nnode_textfile_scrape_error " in fetch(url), "node_exporter")
            got = {}
            for line in fetch(url).splitlines():
                if line.startswith(("n3_", "node_textfile_scrape_error")):
                    name, value = line.rsplit(" ", 1)
                    got[frozenset(name.strip("}").replace("{", ",").split(","))] = float(value)
    assert got.pop(frozenset(["node_textfile_scrape_error"])) == 0
    assert got == {frozenset(name.strip("}").replace("{", ",").split(",")): float(value)
                   for name, value in wanted.items()}


if __name__ == "__main__":
    test, *arguments = sys.argv[1:]
    os.environ["NO_PROXY"] = "*"
    globals()["test_" + test](*arguments)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Clients of n3-exporter, good and bad ones.

http_clients.py TEST EXPORTER SOURCE [COUNT]

Each test starts a server on a free port of 127.0.0.1 and ends it by SIGTERM, after which its exit
status is 0 and nothing unexpected is on standard error.
"""
import collections
import contextlib
import gzip
import http.client
import os
import random
import re
import resource
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

TYPE = "text/plain; version=0.0.4; charset=utf-8"
LIMIT = 128
PATIENCE = 120


class Server:
    """A running exporter, which prints its address unless it writes a file."""

    def __init__(self, command, has_socket=True, **popen):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, **popen)
        if has_socket:
            url = self.process.stdout.readline()
            self.port = int(re.fullmatch(r"https?://.*:(\d+)/metrics\n", url)[1])
            self.url = url

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def memory(self, key):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(next(line for line in status if line.startswith(key + ":")).split()[1])

    def end(self):
        """Return: standard error."""
        self.process.send_signal(signal.SIGTERM)
        errors = self.process.communicate(timeout=PATIENCE)[1]
        assert self.process.returncode == 0, (self.process.returncode, errors)
        return errors


@contextlib.contextmanager
def running(command, errors=0, **more):
    """Ends it by SIGTERM, after which there were this number of errors."""
    process = Server(command, **more)
    try:
        yield process
        text = process.end()
        assert text.count("\n") == errors, text
    finally:
        process.process.kill()


def server(exporter, source, *options, listen=("--listen", "127.0.0.1:0"), **more):
    return running([exporter, "--source", source, *listen, *options], **more)


def get(port, path="/metrics", method="GET", body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(method, path, body)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, reply.getheader("Content-Type"), text


def is_good(port):
    status, kind, text = get(port)
    return status == 200 and kind == TYPE and "\nn3_telemetry_up 1\n" in text


def is_served(port):
    """is_good(), or false if all connections are in use."""
    try:
        return is_good(port)
    except (ConnectionError, http.client.HTTPException):
        return False


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.05)


def drop_duration(text):
    return [line for line in text.splitlines() if not line.startswith("n3_telemetry_scrape")]


def test_replies(exporter, source):  # each path and method
    once = subprocess.run([exporter, "--source", source, "--once"], capture_output=True, check=True,
                          text=True).stdout
    with server(exporter, source) as served:
        status, kind, text = get(served.port)
        assert (status, kind) == (200, TYPE)
        different = set(drop_duration(text)) ^ set(drop_duration(once))
        assert all(re.match("(# .* )?process_", line) for line in different), different
        assert get(served.port, "/metrics?name=x")[:2] == (200, TYPE)
        status, kind, text = get(served.port, method="HEAD")
        assert (status, kind, text) == (200, TYPE, "")
        status, kind, text = get(served.port, "/")
        assert status == 200 and kind.startswith("text/html") and '"/metrics"' in text
        for path in ("/metric", "/metrics/", "/..", "/%2e%2e/etc/passwd", "/" + 4000 * "x"):
            assert get(served.port, path)[0] == 404, path
        for path, wanted in (("/metrics", 200), ("/metrics?name=x", 200), ("/", 200), ("", 200),
                             ("/metric", 404)):
            for host in "http://127.0.0.1:1", "HTTP://x", "https://x:1", "Https://x":
                assert get(served.port, host + path)[0] == wanted, host + path
        assert get(served.port, "/http://x/metrics")[0] == 404
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
            assert get(served.port, method=method, body="x=1")[0] == 405, method
        assert get(served.port, body=100000 * "x")[0] == 200
        assert get(served.port, "/" + 40000 * "x")[0] in (413, 414, 431)
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
        for _ in range(3):
            connection.request("GET", "/metrics")
            first = connection.sock
            assert first and "n3_telemetry_up 1" in connection.getresponse().read().decode()
        assert connection.sock is first, "the connection was not kept"
    with server(exporter, source, "--max-series", "33", errors=1) as served:
        status, kind, text = get(served.port)
        assert status == 500 and "34" in text and "33" in text, (status, text)
    # the port is in use
    with server(exporter, source) as served:
        second = subprocess.run([exporter, "--source", source, "--listen",
                                 f"127.0.0.1:{served.port}"], capture_output=True, text=True,
                                check=False)
        assert second.returncode == 1 and second.stderr.endswith("[system_error]\n"), second


def exchange(port, request):
    """Return: the status of the reply, and whether it ends the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
        client.sendall(request)
        with client.makefile("rb") as replies:
            status = int(replies.readline().split()[1])
            return status, b"Connection: close\r\n" in iter(replies.readline, b"\r\n")


def test_refused(exporter, source):  # ambiguous requests get 400
    first = b"GET /metrics HTTP/1.1\r\n"
    with server(exporter, source) as served:
        for method in b"GET", b"POST":
            for lines in (b"", b"Host: a\r\nHost: a\r\n", b"Host: a\r\nhost: b\r\n",
                          b"Host: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                          b"Host: a\r\nTRANSFER-ENCODING: chunked\r\nContent-Length: 0\r\n",
                          b"Host: a\r\nTransfer-Encoding : chunked\r\nContent-Length: 0\r\n",
                          b"Host: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n"):
                request = first.replace(b"GET", method) + lines + b"\r\n0\r\n\r\n"
                assert exchange(served.port, request) == (400, True), request
        for url in b"/%00", b"/metrics%00", b"/metrics?a=%00", b"http://x/metrics%00x":
            request = first.replace(b"/metrics", url) + b"Host: a\r\n\r\n"
            assert exchange(served.port, request) == (400, True), url
        for request in (first + b"Host: a\r\nContent-Length: 5\r\n\r\nabcde",
                        first + b"Host: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        first.replace(b"/metrics", b"/%6detrics?a=%2500") + b"Host: a\r\n\r\n",
                        b"GET /metrics HTTP/1.0\r\n\r\n"):
            assert exchange(served.port, request)[0] == 200, request


CODINGS = {True: ("gzip", "GZIP", "x-gzip", "gzip;q=1", "gzip;q=1.000", "gzip;q=0.001",
                  "gzip ; Q=0.5", "*", "*;q=0.1", "deflate, gzip;q=1.0, *;q=0.5", "br,\tgzip",
                  "gzip,identity;q=0", "identity;q=0.5, gzip;q=0.5", "identity;q=0.5, gzip",
                  ",,gzip,", "br;q=1, *;q=1", ("br", "gzip")),
           False: (None, "", "identity", "br, deflate", "gzip;q=0", "gzip;q=0.0", "gzip;q=0.000",
                   "*;q=0", "gzip;q=0, *", "*, gzip;q=0", "identity, gzip;q=0.5", "gzip;q=x",
                   "gzip;q=", "gzip;q", "gzip;q=2", "gzip;q=1.1", "gzip;q=-1", "gzipped", "gzi",
                   "gzip;level=1", "not gzip", ("gzip;q=0", "*"))}


def get_coded(port, method, codings):
    """Return: the body and the headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.putrequest(method, "/metrics", skip_accept_encoding=True)
    for value in codings if isinstance(codings, tuple) else [codings] * (codings is not None):
        connection.putheader("Accept-Encoding", value)
    connection.endheaders()
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    assert reply.status == 200 and reply.getheader("Content-Type") == TYPE
    assert reply.getheader("Vary") == "Accept-Encoding", codings
    return body, reply


def test_gzip(exporter, source):  # compressed texts, at least 4 times shorter
    with server(exporter, source, "--per", "cpu") as served:
        for is_coded, values in CODINGS.items():
            for codings in values:
                body, reply = get_coded(served.port, "GET", codings)
                assert (reply.getheader("Content-Encoding") == "gzip") is is_coded, codings
                text = gzip.decompress(body) if is_coded else body
                assert len(text) > 8192 and b"\nn3_telemetry_up 1\n" in text
                assert not is_coded or len(body) * 4 <= len(text), (len(body), len(text))
        while True:
            text = get_coded(served.port, "GET", "")[0]
            body = get_coded(served.port, "GET", "gzip")[0]
            length = get_coded(served.port, "HEAD", "gzip")[1].getheader("Content-Length")
            # all are of one reading of the series
            if get_coded(served.port, "GET", "")[0] == text:
                assert gzip.decompress(body) == text and length == str(len(body))
                break
    empty = source + ".empty"
    os.mkdir(empty)
    with server(exporter, empty, errors=1) as served:
        body, reply = get_coded(served.port, "GET", "gzip")
        assert reply.getheader("Content-Encoding") is None and b"\nn3_telemetry_up 0\n" in body
    os.rmdir(empty)


def test_addresses(exporter, source):  # addresses of IPv4 and IPv6; SIGHUP does not end it
    v4, v6 = "127.0.0.1", "::1"
    for address, shown, *hosts in ((":0", "[::]", v4, v6), ("[::]:0", "[::]", v4, v6),
                                   ("[::1]:0", "[::1]", v6), ("127.0.0.1:0", v4, v4),
                                   ("0.0.0.0:0", "0.0.0.0", v4)):
        with server(exporter, source, listen=(f"--web.listen-address={address}",)) as served:
            assert served.url.startswith(f"http://{shown}:"), served.url
            for host in v4, v6:
                served.process.send_signal(signal.SIGHUP)
                try:
                    with socket.create_connection((host, served.port), timeout=PATIENCE) as client:
                        client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
                        assert client.recv(15) == b"HTTP/1.1 200 OK"
                        assert host in hosts, (address, host)
                except ConnectionRefusedError:
                    assert host not in hosts, (address, host)


def test_process(exporter, source):  # series of the process
    before = time.time()
    with server(exporter, source) as served:
        started = time.time()

        def read():
            """Return: the values of a new reading."""
            text = get(served.port)[2]
            wait_until(lambda: get(served.port)[2] != text, "other values")
            return {name: float(value) for name, value in re.findall(
                r"^process_(\w+) (\S+)$", get(served.port)[2], re.M)}

        first = read()
        assert len(first) == 6 and before <= first["start_time_seconds"] <= started, first
        assert first["max_fds"] == resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE)[0]
        assert abs(first["virtual_memory_bytes"] / 1024 - served.memory("VmSize")) < 4096, first
        assert abs(first["resident_memory_bytes"] / 1024 - served.memory("VmRSS")) < 4096, first
        with contextlib.ExitStack() as clients:
            for _ in range(20):
                clients.enter_context(served.connect())
            wait_until(lambda: read()["open_fds"] == first["open_fds"] + 20, "20 descriptors")
        kept = http.client.HTTPConnection("127.0.0.1", served.port)

        def counts_all():
            kept.request("GET", "/metrics")
            counted = re.search("^process_open_fds (.*)$", kept.getresponse().read().decode(), re.M)
            return int(counted[1]) == len(os.listdir(f"/proc/{served.process.pid}/fd"))

        wait_until(counts_all, "its number of descriptors")
        kept.close()
        for _ in range(100):
            get(served.port)
        last = read()
        with open(f"/proc/{served.process.pid}/stat", encoding="ascii") as stat:
            spent = sum(map(int, stat.read().split()[13:15])) / os.sysconf("SC_CLK_TCK")
        assert first["cpu_seconds_total"] < last["cpu_seconds_total"] <= spent + 0.1, (last, spent)
        assert last["start_time_seconds"] == first["start_time_seconds"]


def test_idle(exporter, source):  # without connections it does not wake up
    with server(exporter, source) as served:
        before = -1
        assert is_good(served.port)
        path = f"/proc/{served.process.pid}/status"

        def is_quiet():
            nonlocal before
            with open(path, encoding="ascii") as status:
                switches = int(re.search(r"^voluntary_ctxt_switches:\t(\d+)$", status.read(),
                                         re.M)[1])
            # several times the interval in which connections are checked
            time.sleep(3)
            before, last = switches, before
            return before == last

        wait_until(is_quiet, "an idle exporter")
        assert is_good(served.port)


def passing(fd, nr="1"):
    """Arguments of Popen: the process gets the descriptor as a service manager passes it."""
    def pass_socket():
        # in the child, the only process that knows its id
        os.dup2(fd, 3)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=nr)
    return {"preexec_fn": pass_socket, "pass_fds": [3, fd]}


def test_activation(exporter, source):  # a socket of a service manager
    def refuses(end, options, *passed):
        failed = subprocess.run([exporter, "--source", source, *options], capture_output=True,
                                text=True, check=False, **passing(*passed))
        assert failed.returncode == 2 and failed.stderr.endswith(end), failed
        assert failed.stdout == "", failed

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port, fd = listener.getsockname()[1], listener.fileno()
        with server(exporter, source, listen=(), **passing(fd)) as served:
            assert served.port == port
            assert is_good(port)
        refuses("\n", (), fd, "2")
        refuses("\n", ("--listen", "127.0.0.1:0"), fd)
    # as of Accept=yes, and a file
    ours, theirs = socket.socketpair()
    with ours, theirs, open(os.devnull, "rb") as null:
        refuses("[bad_value]\n", (), theirs.fileno())
        refuses("[bad_value]\n", (), null.fileno())
    # variables of another process
    variables = {"LISTEN_PID": "1", "LISTEN_FDS": "1"}
    with server(exporter, source, env={**os.environ, **variables}) as served:
        assert is_good(served.port)


def test_gone(exporter, source):  # the module is unloaded and loaded again
    gone = source + ".gone"
    with server(exporter, source, errors=1) as served:
        assert is_good(served.port)
        os.rename(source, gone)
        wait_until(lambda: not is_good(served.port), "up 0")
        status, kind, text = get(served.port)
        assert (status, kind) == (200, TYPE) and "\nn3_telemetry_up 0\n" in text
        assert not re.search("n3_telemetry.*_total", text)
        # the whole directory at once
        shutil.copytree(gone, source + ".new")
        os.rename(source + ".new", source)
        wait_until(lambda: is_good(served.port), "up 1")
    shutil.rmtree(source)
    with server(exporter, source, errors=1) as served:
        assert "\nn3_telemetry_up 0\n" in get(served.port)[2]
        os.rename(gone, source)
        wait_until(lambda: is_good(served.port), "up 1")


def test_age(exporter, source):  # values are read at most once a second
    path = f"{source}/system/counters/time"
    with open(path, encoding="ascii") as old:
        saved = old.read()

    def cycles(port):
        return next(line for line in get(port)[2].splitlines()
                    if line.startswith("n3_telemetry_cycles_total ")).split()[1]

    with server(exporter, source) as served:
        seen = 0
        for value in range(1000, 1400):
            start = time.monotonic()
            before = cycles(served.port)
            with open(path + ".new", "w", encoding="ascii") as new:
                new.write(f"cycles_total {value}\n")
            os.rename(path + ".new", path)
            after = cycles(served.port)
            # a reply may be up to a second old when the first request arrives
            if after == before and time.monotonic() - start < 1:
                seen += 1
            wait_until(lambda value=value: cycles(served.port) == str(value), "the new value")
            if seen == 2:
                break
        assert seen == 2, "each request reads the values"
    with open(path, "w", encoding="ascii") as old:
        old.write(saved)


def is_closed(client):
    """Whether the server has closed the connection; waits for it."""
    try:
        return client.recv(4096) == b""
    except ConnectionResetError:
        return True


class Holder(threading.Thread):
    """Holds connections, and opens each again when the server has closed it."""

    def __init__(self, port, nr, request):
        super().__init__()
        self.port, self.nr, self.request = port, nr, request
        self.opened, self.ending = 0, False
        self.selector = selectors.DefaultSelector()

    def __enter__(self):
        self.start()
        wait_until(lambda: self.opened >= self.nr, "held connections")
        return self

    def __exit__(self, *_):
        self.ending = True
        self.join()

    def open(self):
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(("127.0.0.1", self.port))
        self.selector.register(client, selectors.EVENT_READ | selectors.EVENT_WRITE)
        self.opened += 1

    def use(self, client, events):
        if events & selectors.EVENT_WRITE:
            client.sendall(self.request)
            self.selector.modify(client, selectors.EVENT_READ)
        if events & selectors.EVENT_READ and not client.recv(65536):
            raise ConnectionError

    def run(self):
        for _ in range(self.nr):
            self.open()
        while not self.ending:
            for key, events in self.selector.select(0.1):
                try:
                    self.use(key.fileobj, events)
                except BlockingIOError:
                    pass
                except ConnectionError:
                    self.selector.unregister(key.fileobj)
                    key.fileobj.close()
                    self.open()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()


def test_limit(exporter, source):  # 64 and 1,000 held connections do not keep scrapes out
    resource.setrlimit(resource.RLIMIT_NOFILE, 2 * resource.getrlimit(resource.RLIMIT_NOFILE)[1:])
    with server(exporter, source) as served:
        descriptors = f"/proc/{served.process.pid}/fd"
        before = len(os.listdir(descriptors))
        for nr in 64, 1000:
            for request in b"", b"GET /metrics HTTP/1.1\r\nHo", BATCH[:200]:
                with Holder(served.port, nr, request) as holder:
                    for _ in range(20):
                        assert is_good(served.port)
                        # those that libmicrohttpd is closing, and one that is read
                        assert len(os.listdir(descriptors)) - before <= LIMIT + 4
                assert nr <= LIMIT or holder.opened > nr, "no held connection was closed"
        # only the one whose last request is the oldest
        clients = [http.client.HTTPConnection("127.0.0.1", served.port) for _ in range(2)]
        for client in *clients, clients[0]:
            client.request("GET", "/metrics")
            assert client.getresponse().read()
        kept, ended = (client.sock for client in clients)
        others = [served.connect() for _ in range(LIMIT - 1)]
        ended.settimeout(PATIENCE)
        assert ended.recv(1) == b""
        clients[0].request("GET", "/metrics")
        assert clients[0].getresponse().read() and clients[0].sock is kept
        for client in *clients, *others:
            client.close()


def test_clients(exporter, source):  # slow, silent and half-open clients
    with server(exporter, source) as served:
        silent = served.connect()
        partial = served.connect()
        partial.sendall(b"GET /metrics HTTP/1.1\r\nHo")
        half = served.connect()
        half.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        half.shutdown(socket.SHUT_WR)
        incomplete = served.connect()
        incomplete.sendall(b"GET /met")
        incomplete.shutdown(socket.SHUT_WR)
        reset = served.connect()
        reset.sendall(b"GET /metrics HTTP/1.1\r\n")
        reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        reset.close()
        # reads nothing
        greedy = served.connect()
        greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        greedy.sendall(1000 * b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        drips = [served.connect() for _ in range(40)]
        for drip in drips:
            drip.sendall(b"GET /metrics HTTP/1.1\r\n")
            drip.settimeout(0)
        assert half.recv(15) == b"HTTP/1.1 200 OK"
        start = time.monotonic()
        while drips:
            assert time.monotonic() - start < PATIENCE, "a slow client keeps its connection"
            assert is_good(served.port)
            for drip in list(drips):
                try:
                    drip.send(b"x")
                    if drip.recv(100) == b"":
                        drips.remove(drip)
                except BlockingIOError:
                    pass
                except ConnectionError:
                    drips.remove(drip)
            time.sleep(0.3)
        assert time.monotonic() - start > 11, "a slow client counts as silent"
        for client in silent, partial:
            assert is_closed(client)
        assert b"200 OK" not in incomplete.recv(4096)
        assert is_good(served.port)
        greedy.close()
        half.close()


def mutate(rng, text):
    text = bytearray(text)
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(text) + 1)
        if rng.random() < 0.5:
            text[at:at + rng.randrange(4)] = rng.randbytes(rng.randrange(4))
        else:
            text[at:at] = rng.choice((b"\r\n", b":", b" ", b"\0", b"%", b"\r\n\r\n", b"\xff", b","))
    return bytes(text)


SEEDS = (b"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n",
         b"HEAD / HTTP/1.0\r\n\r\n",
         b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde",
         b"GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
         b"5\r\nabcde\r\n0\r\n\r\n",
         b"GET /metrics?a=b&c HTTP/1.1\r\nHost: x\r\nCookie: a=b; c=\"d\"\r\n"
         b"Expect: 100-continue\r\nContent-Length: 18446744073709551616\r\n\r\n")


def make_garbage(rng):
    kind = rng.random()
    if kind < 0.2:
        return rng.randbytes(rng.randrange(1, 200))
    if kind < 0.25:
        return b"GET /" + rng.randbytes(1) * rng.randrange(40000) + b" HTTP/1.1\r\n\r\n"
    if kind < 0.3:
        return b"GET / HTTP/1.1\r\n" + b"".join(b"a%d: %d\r\n" % (i, i) for i in range(
            rng.randrange(3000))) + b"\r\n"
    return b"".join(mutate(rng, rng.choice(SEEDS)) for _ in range(rng.randrange(1, 4)))


def test_garbage(exporter, source, count=10000):  # garbage, seeded
    rng = random.Random("n3-exporter")
    # an incomplete request keeps its connection until the client closes it
    clients = collections.deque()
    with server(exporter, source) as served:
        for i in range(count):
            client = served.connect()
            with contextlib.suppress(OSError):
                client.sendall(make_garbage(rng))
                if rng.random() < 0.5:
                    client.shutdown(socket.SHUT_WR)
            clients.append(client)
            if len(clients) > LIMIT // 2:
                with clients.popleft() as oldest, contextlib.suppress(OSError):
                    oldest.settimeout(0)
                    oldest.recv(65536)
            if i % 500 == 0:
                wait_until(lambda: is_served(served.port), "a reply among garbage")
        while clients:
            clients.pop().close()
        wait_until(lambda: is_served(served.port), "a reply after garbage")


# method, path, status; sent without waiting for replies
MIX = 10 * [("GET", "/metrics", 200), ("HEAD", "/metrics", 200), ("GET", "/", 200),
            ("HEAD", "/metrics?a=b", 200), ("GET", "/none", 404), ("HEAD", "/", 200)]
BATCH = "".join(f"{method} {path} HTTP/1.1\r\nHost: x\r\n\r\n" for method, path, _ in MIX).encode()


def read_reply(replies, method):
    """Return: the status and the body."""
    status, length = int(replies.readline().split()[1]), 0
    while (line := replies.readline()) != b"\r\n":
        if line.startswith(b"Content-Length: "):
            length = int(line.split()[1])
    return status, replies.read(length) if method == "GET" else b""


def test_requests(exporter, source, count=10000):  # many requests; memory stays the same
    batches = -(-count // len(MIX))
    with server(exporter, source) as served:
        with served.connect() as client, client.makefile("rb") as replies:
            for i in range(batches):
                client.sendall(BATCH)
                for method, path, wanted in MIX:
                    status, text = read_reply(replies, method)
                    assert status == wanted, (status, path)
                    assert path != "/metrics" or method != "GET" or b"\nn3_telemetry_up 1\n" in text
                if i == batches // 10:
                    before = served.memory("VmHWM")
        assert is_good(served.port)
        grown = served.memory("VmHWM") - before
        # memory that a sanitizer has quarantined is not reused
        assert grown < (4096 if "/tests/" not in exporter else 1 << 20), f"{grown} KB"


def test_memory(exporter, source, most=8192):  # 512 CPUs take at most 8 MB more than none
    empty = source + ".empty"
    os.mkdir(empty)
    peaks = []
    for tree, nr in (empty, 0), (source, 20 + 14 * 512):
        with server(exporter, tree, "--per", "cpu", errors=not nr) as served:
            text = get(served.port)[2]
            for _ in range(3):
                before = text
                wait_until(lambda before=before: get(served.port)[2] != before, "other values")
                text = get(served.port)[2]
            assert not nr or len(re.findall("^n3_telemetry_", text, re.M)) == nr
            peaks.append(served.memory("VmHWM"))
    os.rmdir(empty)
    assert peaks[1] - peaks[0] <= most, peaks


if __name__ == "__main__":
    test, *arguments = sys.argv[1:]
    globals()["test_" + test](*arguments[:2], *map(int, arguments[2:]))

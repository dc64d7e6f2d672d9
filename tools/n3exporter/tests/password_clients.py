#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Clients of n3-exporter with right and wrong passwords.

password_clients.py TEST EXPORTER SOURCE
"""
import base64
import contextlib
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import threading

from access import Site, basic, fetch, hash_of, status
from http_clients import read_reply, wait_until

WAITING = 8


@contextlib.contextmanager
def serving(exporter, source, users, **more):
    """Return: the server without TLS, and its Site."""
    with tempfile.TemporaryDirectory() as directory:
        here = Site(directory)
        with here.serve(exporter, source, with_tls=False, users=users, **more) as served:
            yield served, here


def send(port, user, password):
    """Sends a request, and does not wait for the reply."""
    client = socket.create_connection(("127.0.0.1", port), timeout=600)
    client.sendall(f"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                   f"Authorization: {basic(user, password)}\r\n\r\n".encode())
    return client


def receive(client):
    """Return: the status; None if the connection was closed before."""
    text = b""
    with client, contextlib.suppress(ConnectionError):
        while more := client.recv(65536):
            text += more
    if not text:
        return None
    head = text.split(b"\r\n\r\n")[0].decode().splitlines()
    assert ("503" in head[0]) == ("Retry-After: 1" in head), head
    return int(head[0].split()[1])


def test_replies(exporter, source):  # right and wrong passwords, on each page
    users = {"alice": hash_of("wonderland"), "bob": hash_of("a:b: \xe9", kind="2y"),
             "carol": hash_of("", kind="2a"), "long": hash_of(72 * "x")}
    right = [("alice", "wonderland"), ("bob", "a:b: \xe9"), ("carol", ""), ("long", 72 * "x")]
    wrong = [("alice", "wonderlan"), ("alice", "wonderland "), ("alice", "Wonderland"),
             ("alice", ""), ("alice", "a:b: \xe9"), ("bob", "wonderland"), ("Alice", "wonderland"),
             ("", ""), ("", "wonderland"), ("dave", "wonderland"), ("alice", "x" * 10000),
             ("alice", users["alice"]), ("long", 71 * "x"), ("alice:wonderland", ""),
             ("alice", "wonderland\0"), ("alice", "wonderland\0x"), ("alice\0", "wonderland")]
    token = basic("alice", "wonderland").split()[1]
    malformed = [None, "", "Basic", "Basic ", "Basic  ", f"Bearer {token}", token, f"Basic{token}",
                 "Basic " + base64.b64encode(b"alice").decode(), "Basic !!!!", "Basic Og==",
                 f"Basic {token}!", f"Basic {token[:5]}", "Basic " + base64.b64encode(
                     bytes(range(256))).decode()]
    with serving(exporter, source, users) as (served, _):
        port = served.port
        # the second time, right ones are remembered
        for _ in range(2):
            for login in right:
                assert status(port, authorization=basic(*login)) == 200, login
                assert status(port, authorization=basic(*login), method="HEAD") == 200, login
            for login in wrong:
                assert status(port, authorization=basic(*login)) == 401, login
            for header in malformed:
                reply, text = fetch(port, authorization=header)
                assert reply.status == 401, header
                assert reply.getheader("WWW-Authenticate") == "Basic"
                assert "n3_telemetry" not in text
        assert status(port, authorization=f"bASIC {token}") == 200
        for path, wanted in ("/", 200), ("/metrics", 200), ("/none", 404):
            assert fetch(port, None, f"Basic {token}", path)[0].status == wanted
            assert fetch(port, None, None, path)[0].status == 401
    # a reply to each request of a connection, whatever the one before had
    with serving(exporter, source, users) as (served, _), served.connect() as client, \
            client.makefile("rb") as replies:
        for login, wanted in 3 * ((right[0], 200), (wrong[0], 401), (right[1], 200)):
            client.sendall(f"GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: "
                           f"{basic(*login)}\r\n\r\n".encode())
            assert read_reply(replies, "GET")[0] == wanted


def test_flood(exporter, source):  # 50 wrong passwords for each scrape: 20 of 20 scrapes succeed
    users = {"prometheus": hash_of("right", 9)}
    counts = {}
    with serving(exporter, source, users) as (served, _):
        right = basic("prometheus", "right")
        assert status(served.port, authorization=right) == 200
        for scrape in range(20):
            clients = [send(served.port, "prometheus", f"wrong {scrape} {nr}") for nr in range(50)]
            assert status(served.port, authorization=right) == 200, scrape
            for client in clients:
                got = receive(client)
                counts[got] = counts.get(got, 0) + 1
        assert set(counts) == {401, 503} and counts[401] >= 20 * WAITING, counts


def test_queue(exporter, source):  # one is hashed and 8 wait, further ones get 503
    with serving(exporter, source, {"a": hash_of("right", 12)}) as (served, _):
        clients = [send(served.port, "a", f"wrong {nr}") for nr in range(40)]
        assert status(served.port) == 401
        got = [receive(client) for client in clients]
        assert set(got) == {401, 503} and WAITING <= got.count(401) < 40, got
        assert status(served.port, authorization=basic("a", "right")) == 200


def cpu_time(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as text:
        return sum(map(int, text.read().rsplit(")", 1)[1].split()[11:13]))


def test_unknown(exporter, source):  # an unknown user costs as much as the costliest known one
    with serving(exporter, source, {"cheap": hash_of("x"), "dear": hash_of("x", 11),
                                    "other": hash_of("x")}) as (served, _):
        times = {}
        for user in "cheap", "dear", "nobody":
            before = cpu_time(served.process.pid)
            for nr in range(4):
                assert status(served.port, authorization=basic(user, f"wrong {nr}")) == 401
            times[user] = cpu_time(served.process.pid) - before
        assert times["dear"] / 2 < times["nobody"] < times["dear"] * 2, times
        assert times["cheap"] < times["dear"] / 2, times


def test_remembered(exporter, source):  # a right password is hashed once, wrong ones each time
    with serving(exporter, source, {"a": hash_of("right", 11)}) as (served, _):
        def cost_of(password, nr):
            before = cpu_time(served.process.pid)
            for _ in range(nr):
                status(served.port, authorization=basic("a", password))
            return cpu_time(served.process.pid) - before
        once = cost_of("right", 1)
        assert cost_of("wrong", 4) > once
        # more right ones than are remembered, but all the same
        assert cost_of("right", 4) < once / 2


def test_many(exporter, source):  # more users than are remembered
    users = {f"u{nr}": hash_of(f"p{nr}") for nr in range(150)}
    with serving(exporter, source, users) as (served, _):
        for _ in range(2):
            for nr in range(150):
                assert status(served.port, authorization=basic(f"u{nr}", f"p{nr}")) == 200
                assert status(served.port, authorization=basic(f"u{nr}", f"p{nr + 1}")) == 401


def test_reload(exporter, source):  # SIGHUP: removed users and old passwords are refused
    old, new = hash_of("old"), hash_of("new")
    with serving(exporter, source, {"a": old, "b": old}) as (served, here):
        def is_now(user, password, wanted):
            return status(served.port, authorization=basic(user, password)) == wanted

        def reload(users):
            here.write(users, with_tls=False)
            served.process.send_signal(signal.SIGHUP)
        assert is_now("a", "old", 200) and is_now("b", "old", 200) and is_now("c", "old", 401)
        reload({"a": new, "c": old})
        wait_until(lambda: is_now("b", "old", 401), "the end of user b")
        assert is_now("a", "old", 401) and is_now("a", "new", 200) and is_now("c", "old", 200)
        reload({"a": "secret"})
        error = served.process.stderr.readline()
        assert error.endswith(" [bad_value]\n") and "secret" not in error
        assert is_now("a", "new", 200)
        reload({})
        wait_until(lambda: status(served.port) == 200, "a server without passwords")
        reload({"a": new})
        wait_until(lambda: status(served.port) == 401, "a server with passwords")
        # a password that was right when the check began
        reload({"a": hash_of("slow", 12)})
        wait_until(lambda: is_now("a", "new", 401), "the slow hash")
        client = send(served.port, "a", "slow")
        reload({"b": new})
        assert receive(client) in (200, 401)
        wait_until(lambda: is_now("a", "slow", 401), "the end of user a")


def test_gone(exporter, source):  # clients that leave while their password is checked
    with serving(exporter, source, {"a": hash_of("right", 10)}) as (served, _):
        for nr in range(60):
            client = send(served.port, "a", "right" if nr % 2 else f"wrong {nr}")
            if nr % 3 == 1:
                client.shutdown(socket.SHUT_WR)
            if nr % 3 == 2:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if nr % 3:
                client.close()
            else:
                threading.Thread(target=receive, args=(client,), daemon=True).start()
        wait_until(lambda: status(served.port, authorization=basic("a", "right")) == 200, "200")
        # at the limit, connections are closed, whatever they wait for
        held = [send(served.port, "a", f"wrong {nr}") for nr in range(12)]
        held += [served.connect() for _ in range(300)]
        assert status(served.port, authorization=basic("a", "right")) == 200
        for client in held:
            client.close()
        assert status(served.port, authorization=basic("a", "right")) == 200


def test_end(exporter, source):  # SIGTERM while passwords are checked
    for nr in 1, 4, 20:
        with serving(exporter, source, {"a": hash_of("right", 11)}) as (served, _):
            clients = [send(served.port, "a", f"wrong {i}") for i in range(nr)]
            # 20 are more than wait: one is refused while the others are suspended
            if nr == 20:
                select.select(clients, [], [])
            served.process.send_signal(signal.SIGTERM)
            for client in clients:
                assert receive(client) in (None, 401, 503)


if __name__ == "__main__":
    test, *arguments = sys.argv[1:]
    os.environ["NO_PROXY"] = "*"
    globals()["test_" + test](*arguments)

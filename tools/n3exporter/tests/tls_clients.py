#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Clients of n3-exporter over TLS, and its file of settings.

tls_clients.py TEST EXPORTER SOURCE [COUNT|PROGRAMS|UNIT]
"""
import contextlib
import http.client
import ipaddress
import os
import pathlib
import random
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import warnings

from cryptography import x509

from access import SERVER_NAME, VERSIONS, Authority, Site, basic, connect, hash_of, status
from http_clients import PATIENCE, make_garbage, mutate, passing, wait_until

CLIENT_AUTH = ("NoClientCert", "RequestClientCert", "RequireAnyClientCert",
               "VerifyClientCertIfGiven", "RequireAndVerifyClientCert")


@contextlib.contextmanager
def site():
    with tempfile.TemporaryDirectory() as directory:
        yield Site(directory)


# --- certificates of clients

def make_clients(directory, authority):
    """Return: the files of each kind of client."""
    other, impostor = Authority(directory, "other", "other"), Authority(directory, "impostor")
    return {"none": None,
            "right": authority.issue("right"),
            "any purpose": authority.issue("any", None),
            "expired": authority.issue("expired", days=(-9, -1)),
            "early": authority.issue("early", days=(1, 9)),
            "server": authority.issue("wrong", "server"),
            "other CA": other.issue("foreign"),
            "same name": impostor.issue("same")}


def test_client_auth(exporter, source):  # each client_auth_type with right and wrong clients
    trusted = {"right", "any purpose"}
    with site() as here:
        clients = make_clients(here.directory, here.authority)
        everyone = set(clients)
        admitted = {"NoClientCert": everyone, "RequestClientCert": everyone,
                    "RequireAnyClientCert": everyone - {"none"},
                    "VerifyClientCertIfGiven": trusted | {"none"},
                    "RequireAndVerifyClientCert": trusted}
        for kind in ("", *CLIENT_AUTH):
            # NoClientCert excludes a CA
            more = {} if kind in ("", "NoClientCert") else {"client_ca_file": "ca.pem"}
            with here.serve(exporter, source, client_auth_type=kind, **more) as served:
                for name, files in clients.items():
                    wanted = 200 if name in admitted[kind or "NoClientCert"] else None
                    for version in VERSIONS.values():
                        got = status(served.port, here.context(files, version))
                        assert got == wanted, (kind, name, version, got)
        with here.serve(exporter, source, client_auth_type="RequireAnyClientCert") as served:
            assert status(served.port, here.context(clients["other CA"])) == 200
            assert status(served.port, here.context()) is None


def test_alerts(exporter, source):  # a client learns why it is refused
    reasons = {"none": "CERTIFICATE_REQUIRED", "expired": "CERTIFICATE_EXPIRED",
               "other CA": "UNKNOWN_CA", "server": "BAD_CERTIFICATE"}
    with site() as here:
        clients = make_clients(here.directory, here.authority)
        with here.serve(exporter, source, client_auth_type="RequireAndVerifyClientCert",
                        client_ca_file="ca.pem") as served:
            for name, reason in reasons.items():
                for version in VERSIONS.values():
                    # a request that crosses the alert would hide it
                    connection = connect(served.port, here.context(clients[name], version))
                    try:
                        with contextlib.closing(connection):
                            connection.connect()
                            connection.sock.recv(1)
                    except ssl.SSLError as error:
                        assert error.reason.endswith(reason), (name, error)
                    else:
                        raise AssertionError(name)


def test_sans(exporter, source):  # client_allowed_sans: a DNS name, an address, e-mail, URI
    allowed = ["prometheus.example", "192.0.2.7", "2001:db8::7", "ops@example.org",
               "spiffe://example.org/prometheus"]
    right = [x509.DNSName("prometheus.example"),
             x509.IPAddress(ipaddress.ip_address("192.0.2.7")),
             x509.IPAddress(ipaddress.ip_address("2001:db8::7")),
             x509.RFC822Name("ops@example.org"),
             x509.UniformResourceIdentifier("spiffe://example.org/prometheus")]
    wrong = [x509.DNSName("x.prometheus.example"), x509.DNSName("prometheus.example.org"),
             x509.DNSName("prometheus.exampl"), x509.DNSName("PROMETHEUS.example"),
             x509.DNSName("*.example"), x509.IPAddress(ipaddress.ip_address("192.0.2.70")),
             x509.IPAddress(ipaddress.ip_address("2001:db8::8")),
             x509.RFC822Name("ops@example.com"), x509.DNSName("x" * 2000),
             x509.UniformResourceIdentifier("spiffe://example.org/"),
             x509.RegisteredID(x509.ObjectIdentifier("1.2.3"))]
    # a zero ends the name of C
    hidden = b"prometheus.example\0.org"
    with site() as here:
        issue = here.authority.issue
        cases = [([name], True) for name in right] + [([name], False) for name in wrong]
        cases += [(wrong + right[1:2] + wrong, True), (wrong, False), ((), False),
                  (b"\x30" + bytes([len(hidden) + 2]) + b"\x82" + bytes([len(hidden)]) + hidden,
                   False)]
        clients = [(issue(f"san{nr}", sans=sans), is_right)
                   for nr, (sans, is_right) in enumerate(cases)]
        foreign = Authority(here.directory, "other", "other").issue("foreign", sans=right)
        for kind in CLIENT_AUTH[3:]:
            with here.serve(exporter, source, client_auth_type=kind, client_ca_file="ca.pem",
                            client_allowed_sans=allowed) as served:
                for nr, (files, is_right) in enumerate(clients):
                    got = status(served.port, here.context(files))
                    assert got == (200 if is_right else None), (kind, cases[nr], got)
                assert status(served.port, here.context(foreign)) is None
                assert status(served.port, here.context()) == (200 if "If" in kind else None)
        with here.serve(exporter, source, client_auth_type=kind, client_ca_file="ca.pem",
                        client_allowed_sans=[]) as served:
            assert status(served.port, here.context(clients[0][0])) is None


# --- versions

def test_versions(exporter, source):  # min_version and max_version
    every = {f"TLS1{nr}": getattr(ssl.TLSVersion, f"TLSv1_{nr}" if nr else "TLSv1")
             for nr in range(4)}
    names = list(every)
    ranges = [(None, None)] + [(low, high) for low in names for high in names if low <= high]
    warnings.simplefilter("ignore")		# of Python, about old versions
    with site() as here:
        for low, high in ranges:
            limits = {"min_version": low, "max_version": high}
            with here.serve(exporter, source, **{k: v for k, v in limits.items() if v}) as served:
                for name, version in every.items():
                    context = here.context(version=version)
                    context.set_ciphers("ALL:@SECLEVEL=0")
                    wanted = (low or "TLS12") <= name <= (high or "TLS13")
                    got = status(served.port, context)
                    assert got == (200 if wanted else None), (low, high, name, got)


# --- clients without TLS, and connections that are held

def test_plain(exporter, source):  # without TLS, or with garbage, a client gets nothing
    rng = random.Random("tls")
    with site() as here, here.serve(exporter, source) as served:
        assert status(served.port) is None
        for nr in range(500):
            with served.connect() as client, contextlib.suppress(OSError):
                client.sendall(make_garbage(rng))
                client.shutdown(socket.SHUT_WR)
                while text := client.recv(4096):
                    assert b"n3_telemetry" not in text and b"HTTP" not in text
            assert nr % 50 or status(served.port, here.context()) == 200


def client_hello(context):
    """Return: the first message of a client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1").do_handshake()
    return outgoing.read()


def test_held(exporter, source):  # held handshakes do not keep scrapes out
    with site() as here, here.serve(exporter, source) as served:
        hello = client_hello(here.context())
        for sent in b"", hello[:1], hello[:len(hello) // 2], hello:
            for nr in 64, 200:
                with contextlib.ExitStack() as held:
                    for _ in range(nr):
                        client = held.enter_context(served.connect())
                        with contextlib.suppress(ConnectionError):
                            client.sendall(sent)
                    for _ in range(20):
                        assert status(served.port, here.context()) == 200, (sent, nr)


def test_stopped(exporter, source):  # a handshake that stops takes no time of a CPU
    with site() as here, here.serve(exporter, source) as served:

        def seconds():
            with open(f"/proc/{served.process.pid}/stat", encoding="ascii") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        hello = client_hello(here.context())
        before = seconds()
        with served.connect() as client:
            client.sendall(hello[:len(hello) // 2])
            # until the server closes it, after ten seconds
            with contextlib.suppress(ConnectionError):
                while client.recv(4096):
                    pass
        assert seconds() - before < 1, seconds() - before


def test_memory(exporter, source):  # many handshakes, and memory stays the same
    with site() as here, here.serve(exporter, source, client_auth_type="VerifyClientCertIfGiven",
                                    client_ca_file="ca.pem") as served:
        clients = [here.context(files) for files in
                   make_clients(here.directory, here.authority).values()]
        with contextlib.ExitStack() as held:
            for nr in range(1000):
                status(served.port, clients[nr % len(clients)])
                if nr == 200:
                    for _ in range(120):
                        client = held.enter_context(contextlib.closing(
                            connect(served.port, clients[0])))
                        client.connect()
                    before = served.memory("VmHWM")
            assert status(served.port, clients[0]) == 200
        grown = served.memory("VmHWM") - before
        # memory that a sanitizer has quarantined is not reused
        limits = (4096, 48 * 1024) if "/tests/" not in exporter else (1 << 20, 1 << 20)
        assert grown < limits[0] and before < limits[1], (before, grown)


# --- the file of settings

GOOD = "$2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG"
PAIR = "tls_server_config:\n  cert_file: server.pem\n  key_file: server.key\n"
CA = PAIR + "  client_ca_file: ca.pem\n"
ACCEPTED = [
    "", "---\n", "# a comment\n", "{}", "null", "tls_server_config:\n", "tls_server_config: {}\n",
    "basic_auth_users:\n", "basic_auth_users: {}\n", "http_server_config:\n  http2: true\n",
    "http_server_config: {http2: false}", PAIR, PAIR + "  client_auth_type: ''\n",
    PAIR + "  client_ca_file:\n  client_allowed_sans: ~\n  min_version:\n",
    PAIR + "  client_auth_type: NoClientCert\n", PAIR + "  min_version: TLS13\n",
    PAIR + "basic_auth_users:\n" + "".join(
        f"  u{kind}: {GOOD.replace('2y', kind)}\n" for kind in ("2a", "2b", "2y")),
    CA + "  client_auth_type: RequireAndVerifyClientCert\n  client_allowed_sans: [a, b]\n",
    CA + "  client_auth_type: RequestClientCert\n",
    "tls_server_config: {cert_file: 'server.pem', key_file: \"server.key\"}\n",
    f"basic_auth_users: &users\n  a: &hash {GOOD}\n  b: *hash\n",
]
# line of the error
REFUSED = [
    (1, "tls_server_confg:\n"), (3, PAIR.replace("key_file", "key")), (4, PAIR + "  cipher: [a]\n"),
    (3, PAIR.replace("key_file", "cert_file")), (4, PAIR + PAIR), (5, PAIR + "---\n{}\n"),
    (1, "text\n"), (1, "- a\n"), (1, "tls_server_config: text\n"), (1, "basic_auth_users: [a]\n"),
    (2, "tls_server_config:\n  cert_file: server.pem\n"),
    (2, "tls_server_config:\n  key_file: server.key\n"),
    (2, "tls_server_config:\n  min_version: TLS12\n"),
    (2, "tls_server_config:\n  client_auth_type: NoClientCert\n"),
    (2, PAIR.replace("server.pem", "''")), (2, PAIR.replace("server.pem", "")),
    (2, PAIR.replace("server.pem", "[a]")), (2, PAIR.replace("server.pem", "\"a\\0b\"")),
    (4, PAIR + "  client_auth_type: Require\n"), (4, PAIR + "  client_auth_type: [NoClientCert]\n"),
    (2, CA), (2, CA + "  client_auth_type: NoClientCert\n"),
    (2, PAIR + "  client_auth_type: RequireAndVerifyClientCert\n"),
    (2, PAIR + "  client_auth_type: VerifyClientCertIfGiven\n"),
    (2, CA + "  client_auth_type: RequireAnyClientCert\n  client_allowed_sans: [a]\n"),
    (6, CA + "  client_auth_type: VerifyClientCertIfGiven\n  client_allowed_sans: a\n"),
    (7, CA + "  client_auth_type: VerifyClientCertIfGiven\n  client_allowed_sans:\n  - {a: b}\n"),
    (4, PAIR + "  min_version: TLS14\n"), (4, PAIR + "  max_version: 1.2\n"),
    (2, PAIR + "  min_version: TLS13\n  max_version: TLS12\n"),
    (2, "http_server_config:\n  http2: maybe\n"), (2, "http_server_config:\n  headers: {a: b}\n"),
    (1, "rate_limit:\n  burst: 1\n"), (1, "a: b: c\n"), (" byte 4", "{}\n\x01\n"),
    *((2, f"basic_auth_users:\n  a: {text}\n") for text in (
        "secret", "", "~", "[a]", "5", GOOD[:-1], GOOD + "a", GOOD.replace("2y", "2x"),
        GOOD.replace("2y", "1"), GOOD.replace("$10$", "$15$"), GOOD.replace("$10$", "$31$"),
        GOOD.replace("$10$", "$03$"), GOOD.replace("$10$", "$1$"), GOOD.replace("z", "!"),
        "$6$salt$hash", "{SHA}x")),
    (2, f"basic_auth_users:\n  'a:b': {GOOD}\n"),
    (3, f"basic_auth_users:\n  a: {GOOD}\n  a: {GOOD}\n"),
    (2, f"basic_auth_users:\n  ? [a]\n  : {GOOD}\n"),
]


def attempt(exporter, source, file, **more):
    """A start with a file, on an address of no interface: it ends before it serves.

    Return: standard error; without an error of the file it is that of the address.
    """
    done = subprocess.run([exporter, "--source", source, "--listen", "192.0.2.1:0",
                           "--web.config.file", file], check=False, capture_output=True,
                          timeout=PATIENCE, **more)
    text = done.stderr.decode(errors="replace")
    assert text.count("\n") == 1 and not done.stdout, (text, done.stdout)
    ids = {"[system_error]\n": 1, "[cannot_read]\n": 1, "[bad_value]\n": 2}
    assert done.returncode == ids.get(text[text.rindex("["):]), (done.returncode, text)
    return text


def test_file(exporter, source):  # right and wrong files of settings, with the line
    with site() as here:
        for text in ACCEPTED:
            with open(here.file, "w", encoding="ascii") as out:
                out.write(text)
            assert "192.0.2.1" in attempt(exporter, source, here.file), text
        for line, text in REFUSED:
            with open(here.file, "w", encoding="ascii") as out:
                out.write(text)
            error = attempt(exporter, source, here.file)
            assert f"{here.file}:{line}: " in error and "[bad_value]" in error, (text, error)
            assert "secret" not in error and "$2" not in error, error
        assert "[cannot_read]" in attempt(exporter, source, here.file + ".none")
        here.write()
        assert "192.0.2.1" in attempt(exporter, source, "web.yml", cwd=here.directory)


def test_damaged(exporter, source):  # damaged, exchanged and missing certificates are refused
    # GnuTLS leaks a certificate that is cut off
    more = {"env": {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}}
    with site() as here:
        here.write(client_auth_type="RequestClientCert", client_ca_file="ca.pem")
        here.authority.issue("other")
        assert "192.0.2.1" in attempt(exporter, source, here.file, **more)
        for name, other in ("server.pem", "other.pem"), ("server.key", "other.key"), \
                ("ca.pem", "other.key"):
            right, wrong = (pathlib.Path(here.directory, each) for each in (name, other))
            text = right.read_bytes()
            for damaged in b"", text[:len(text) // 2], wrong.read_bytes(), b"\0" + text[1:]:
                right.write_bytes(damaged)
                error = attempt(exporter, source, here.file, **more)
                assert "[cannot_read]" in error and name in error, (name, damaged, error)
            right.unlink()
            error = attempt(exporter, source, here.file, **more)
            assert "[cannot_read]" in error and name in error, error
            right.write_bytes(text)


def test_mutated(exporter, source, count=300):  # mutated files are accepted or refused
    rng = random.Random("web.yml")
    accepted = 0
    texts = [text.encode() for text in ACCEPTED + [text for _, text in REFUSED]]
    with site() as here:
        for _ in range(int(count)):
            with open(here.file, "wb") as out:
                text = mutate(rng, rng.choice(texts))
                out.write(text)
            accepted += "192.0.2.1" in attempt(exporter, source, here.file)
    assert 0 < accepted < int(count)


# --- SIGHUP

def serial_of(port, context):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain:
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as client:
            return client.getpeercert()["serialNumber"]


def test_reload(exporter, source):  # SIGHUP reads certificates again; wrong ones change nothing
    with site() as here:
        clients = make_clients(here.directory, here.authority)
        with here.serve(exporter, source) as served:
            context, port = here.context(), served.port
            # begins with the first certificate
            with contextlib.closing(connect(port, context)) as kept:
                kept.connect()
                first = serial_of(port, context)

                def reload():
                    served.process.send_signal(signal.SIGHUP)

                here.authority.issue("server", "server", SERVER_NAME)
                reload()
                wait_until(lambda: serial_of(port, context) != first, "the new certificate")
                second = serial_of(port, context)
                # TLS off, an unknown key, and a key of another certificate
                for change, kind in ((lambda: here.write(with_tls=False), "bad_value"),
                                     (lambda: here.write(cipher=[]), "bad_value"),
                                     (lambda: here.write(key_file="right.key"), "cannot_read")):
                    change()
                    reload()
                    assert served.process.stderr.readline().endswith(f" [{kind}]\n")
                    assert serial_of(port, context) == second
                here.write(client_auth_type="RequireAndVerifyClientCert", client_ca_file="ca.pem")
                reload()
                wait_until(lambda: status(port, context) is None, "a demand for certificates")
                assert status(port, here.context(clients["right"])) == 200
                assert status(port, here.context(clients["expired"])) is None
                kept.request("GET", "/metrics")
                assert kept.getresponse().read().endswith(b"\n")
        with here.serve(exporter, source, with_tls=False) as served:
            here.write()
            served.process.send_signal(signal.SIGHUP)
            assert served.process.stderr.readline().endswith(" [bad_value]\n")
            assert status(served.port) == 200


# --- other programs

def test_prometheus(exporter, source, programs):  # Prometheus, with a password and a certificate
    from prometheus import prometheus, query  # pylint: disable=import-outside-toplevel
    with site() as here:
        files = here.authority.issue("prometheus", sans=[x509.DNSName("prometheus.example")])
        with here.serve(exporter, source, users={"prometheus": hash_of("secret", 10)},
                        client_auth_type="RequireAndVerifyClientCert", client_ca_file="ca.pem",
                        client_allowed_sans=["prometheus.example"]) as served:
            config = f"""
global: {{scrape_interval: 1s}}
scrape_configs:
- job_name: n3
  scheme: https
  basic_auth: {{username: prometheus, password: secret}}
  tls_config: {{ca_file: {here.authority.file}, cert_file: {files[0]}, key_file: {files[1]}}}
  static_configs: [targets: ['127.0.0.1:{served.port}']]
"""
            with prometheus(programs, config) as url:
                wait_until(lambda: [value[1] for _, values in query(url, "n3_telemetry_up")
                                    for value in values] == ["1"], "a scrape")


def test_service(exporter, source, unit):  # the unit's filter of system calls admits all of it
    from deploy import read_service, traced  # pylint: disable=import-outside-toplevel
    settings, _ = read_service(unit)
    with site() as here, socket.create_server(("127.0.0.1", 0)) as listener:
        here.write(users={"a": hash_of("secret")})
        with traced([exporter, "--source", source, "--web.config.file", here.file], settings,
                    {"accept4", "eventfd2"}, **passing(listener.fileno())):
            port, context = listener.getsockname()[1], here.context()
            assert status(port, context, basic("a", "secret")) == 200
            assert status(port, context, basic("a", "wrong")) == 401


if __name__ == "__main__":
    test, *arguments = sys.argv[1:]
    os.environ["NO_PROXY"] = "*"
    globals()["test_" + test](*arguments)

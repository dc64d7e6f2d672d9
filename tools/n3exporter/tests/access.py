# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Certificates, hashes and files of --web.config.file, and clients, for tests."""
import base64
import contextlib
import ctypes
import datetime
import http.client
import ipaddress
import os
import ssl

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, ExtensionOID, NameOID

from http_clients import PATIENCE, server

PURPOSES = {"client": ExtendedKeyUsageOID.CLIENT_AUTH, "server": ExtendedKeyUsageOID.SERVER_AUTH}
VERSIONS = {"TLS12": ssl.TLSVersion.TLSv1_2, "TLS13": ssl.TLSVersion.TLSv1_3}
SERVER_NAME = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]

crypt = ctypes.CDLL("libcrypt.so.1").crypt
crypt.restype = ctypes.c_char_p


def hash_of(password, cost=4, kind="2b"):
    salt = base64.b64encode(os.urandom(15)).decode().replace("+", ".") + "O."
    return crypt(password.encode(), f"${kind}${cost:02}${salt}".encode()).decode()


class Authority:
    """A CA, which issues certificates into a directory."""

    def __init__(self, directory, file, name="CA"):
        self.directory = directory
        self.subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.file = f"{directory}/{file}.pem"
        with open(self.file, "wb") as out:
            out.write(self.sign(self.subject, self.key, (-1, 9), [
                x509.BasicConstraints(True, None)]))

    def sign(self, subject, key, days, extensions):
        now = datetime.datetime.utcnow()
        builder = x509.CertificateBuilder(
            self.subject, subject, key.public_key(), x509.random_serial_number(),
            now + datetime.timedelta(days[0]), now + datetime.timedelta(days[1]))
        for extension in extensions:
            builder = builder.add_extension(extension, isinstance(extension, x509.BasicConstraints))
        certificate = builder.sign(self.key, hashes.SHA256())
        return certificate.public_bytes(serialization.Encoding.PEM)

    def issue(self, name, purpose="client", sans=(), days=(-1, 9)):
        """Return: the names of the certificate and the key; sans may be DER."""
        names = f"{self.directory}/{name}.pem", f"{self.directory}/{name}.key"
        key = ec.generate_private_key(ec.SECP256R1())
        extensions = [x509.BasicConstraints(False, None)]
        if purpose:
            extensions.append(x509.ExtendedKeyUsage([PURPOSES[purpose]]))
        if isinstance(sans, bytes):
            extensions.append(x509.UnrecognizedExtension(
                ExtensionOID.SUBJECT_ALTERNATIVE_NAME, sans))
        elif sans:
            extensions.append(x509.SubjectAlternativeName(sans))
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        with open(names[0], "wb") as out:
            out.write(self.sign(subject, key, days, extensions))
        with open(names[1], "wb") as out:
            out.write(key.private_bytes(serialization.Encoding.PEM,
                                        serialization.PrivateFormat.PKCS8,
                                        serialization.NoEncryption()))
        return names


def write_config(name, tls=None, users=None):
    sections = {"tls_server_config": tls, "basic_auth_users": users}
    with open(name, "w", encoding="ascii") as out:
        yaml.safe_dump({key: value for key, value in sections.items() if value is not None}, out)


class Site:
    """A directory with a CA and a server's certificate, and the file of --web.config.file."""

    def __init__(self, directory):
        self.directory = directory
        self.authority = Authority(directory, "ca")
        self.authority.issue("server", "server", SERVER_NAME)
        self.file = f"{directory}/web.yml"
        # relative to the file
        self.tls = {"cert_file": "server.pem", "key_file": "server.key"}

    def write(self, users=None, with_tls=True, **tls):
        write_config(self.file, {**self.tls, **tls} if with_tls else None, users)

    @contextlib.contextmanager
    def serve(self, exporter, source, *options, errors=0, **config):
        self.write(**config)
        with server(exporter, source, "--web.config.file", self.file, *options,
                    errors=errors) as served:
            yield served

    def context(self, names=None, version=None):
        context = ssl.create_default_context(cafile=self.authority.file)
        context.hostname_checks_common_name = False
        if names:
            context.load_cert_chain(*names)
        if version:
            context.minimum_version = context.maximum_version = version
        return context


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def connect(port, context=None):
    if context:
        return http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)


def fetch(port, context=None, authorization=None, path="/metrics", method="GET"):
    """Return: the reply and its text."""
    with contextlib.closing(connect(port, context)) as connection:
        connection.request(method, path, headers=(
            {"Authorization": authorization} if authorization is not None else {}))
        reply = connection.getresponse()
        return reply, reply.read().decode()


def status(*args, **more):
    """Return: the status, None if the connection was refused during or after the handshake."""
    try:
        reply, text = fetch(*args, **more)
    except (ssl.SSLError, ConnectionError, http.client.HTTPException):
        return None
    assert reply.status != 200 or "\nn3_telemetry_up 1\n" in text or more.get("method") == "HEAD"
    return reply.status

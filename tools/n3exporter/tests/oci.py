#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""An OCI archive of tools/dev/image.py, without its code.

oci.py check ARCHIVE SECONDS ARCHITECTURE...	digests, configuration, files; SECONDS: their time
oci.py unpack ARCHIVE ARCHITECTURE DIR
"""
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile


class Archive:
    def __init__(self, path):
        self.tar = tarfile.open(path)
        assert json.loads(self.bytes("oci-layout")) == {"imageLayoutVersion": "1.0.0"}
        both, = json.loads(self.bytes("index.json"))["manifests"]
        self.used = {both["digest"]}
        self.images = {}
        for image in json.loads(self.blob(both))["manifests"]:
            assert image["platform"]["os"] == "linux"
            self.images[image["platform"]["architecture"]] = json.loads(self.blob(image))

    def bytes(self, name):
        return self.tar.extractfile(name).read()

    def blob(self, descriptor):
        algorithm, _, digest = descriptor["digest"].partition(":")
        data = self.bytes(f"blobs/{algorithm}/{digest}")
        assert algorithm == "sha256" and hashlib.sha256(data).hexdigest() == digest
        assert len(data) == descriptor["size"]
        self.used.add(descriptor["digest"])
        return data

    def config(self, architecture):
        config = json.loads(self.blob(self.images[architecture]["config"]))
        assert config["architecture"] == architecture and config["os"] == "linux"
        return config

    def layer(self, architecture):
        descriptor, = self.images[architecture]["layers"]
        data = gzip.decompress(self.blob(descriptor))
        assert self.config(architecture)["rootfs"]["diff_ids"] == [
            "sha256:" + hashlib.sha256(data).hexdigest()]
        return tarfile.open(fileobj=io.BytesIO(data))


def check_members(tar, seconds):
    names = tar.getnames()
    assert names == sorted(set(names)), names
    for member in tar:
        assert (member.uid, member.gid, member.mtime) == (0, 0, seconds), member.name
        assert member.isfile() or member.isdir(), member.name
        assert member.mode in ((0o755,) if member.isdir() else (0o644, 0o755)), member.name


def needs(path):
    """Libraries that it needs."""
    text = subprocess.run(["readelf", "-dW", path], check=True, capture_output=True,
                          text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def check_files(layer, program):
    """No library is absent or superfluous, and each has a package with its licence."""
    shared = {name.rpartition("/")[2]: name for name in layer.getnames() if ".so" in name}
    found, waiting = set(), [program]
    with tempfile.TemporaryDirectory() as directory:
        layer.extractall(directory)
        while waiting:
            wanted = set(needs(f"{directory}/{waiting.pop()}")) - found
            found |= wanted
            waiting += [shared[name] for name in wanted]
    assert found == set(shared), found ^ set(shared)
    names = layer.getnames()
    packages = [name.rpartition("/")[2] for name in names if "/status.d/" in name]
    assert {"libc6", "libmicrohttpd12", "libgnutls30", "libjson-c5"} <= set(packages)
    for package in packages:
        text = layer.extractfile(f"var/lib/dpkg/status.d/{package}").read().decode()
        assert f"Package: {package}\n" in text and "\nVersion: " in text
        licence = layer.extractfile(f"usr/share/doc/{package}/copyright").read().decode()
        for name in re.findall(r"/usr/share/common-licenses/([A-Z][A-Za-z0-9.-]*\w)", licence):
            assert f"usr/share/common-licenses/{name}" in names, (package, name)


def test_check(path, seconds, *architectures):
    archive = Archive(path)
    check_members(archive.tar, int(seconds))
    assert sorted(archive.images) == sorted(architectures)
    for architecture in architectures:
        config = archive.config(architecture)
        program, = config["config"]["Entrypoint"]
        assert config["config"]["User"] == "0:0"
        assert config["config"]["Labels"]["org.opencontainers.image.version"]
        layer = archive.layer(architecture)
        check_members(layer, int(seconds))
        check_files(layer, program.lstrip("/"))
    blobs = {"sha256:" + name.rpartition("/")[2] for name in archive.tar.getnames()
             if name.startswith("blobs/sha256/")}
    assert blobs == archive.used, blobs ^ archive.used


def unpack(path, architecture, directory):
    """Return: the command."""
    archive = Archive(path)
    archive.layer(architecture).extractall(directory)
    return archive.config(architecture)["config"]["Entrypoint"]


if __name__ == "__main__":
    {"check": test_check, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])

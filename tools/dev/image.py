#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""image.py ARCHIVE LIBRARIES ARCHITECTURE=PROGRAM... - an OCI archive with n3-exporter

LIBRARIES is the directory of image_libs.sh. An image has the program, the shared libraries that it
needs with the dynamic loader, their copyright files and packages, and nothing else. The bytes depend
on these files, on the version, and on SOURCE_DATE_EPOCH, by default the time of the commit.
"""
import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile

TOP = pathlib.Path(__file__).resolve().parents[2]
NAME = "n3-exporter"
PROGRAM = f"usr/bin/{NAME}"
VARIANTS = {"arm64": {"variant": "v8"}}
OCI = "application/vnd.oci.image"
LABEL = "org.opencontainers.image."


def output(*command):
    return subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True).stdout


def source_date():
    """Time of the commit, which a release archive has as the time of its files."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given or not (TOP / ".git").exists():
        return int(given or (TOP / "CHANGELOG.md").stat().st_mtime)
    return int(output("git", "log", "-1", "--format=%ct"))


# --- files

def needed(path):
    """File names of the libraries that an ELF file names, and the path of the loader."""
    text = output("readelf", "-dlW", str(path))
    return re.findall(r"\(NEEDED\).*\[(.*)\]|program interpreter: /(.*)\]", text)


def find(packages, name):
    """Return: package, and path in it."""
    for folder in ("lib", "usr/lib"):
        for path in packages.glob(f"*/{folder}/*/{name}"):
            return packages / path.relative_to(packages).parts[0], path
    sys.exit(f"image.py: no package in {packages} has {name}: add it to image_libs.sh")


def libraries(packages, program):
    """Return: files by name in the image, and the packages."""
    files, used, waiting, names = {}, set(), needed(program), set()
    while waiting:
        # the loader, which libraries need by its name, has the path that the program names
        name, loader = waiting.pop()
        name = name or os.path.basename(loader)
        if name not in names:
            names.add(name)
            package, path = find(packages, name)
            used.add(package)
            files[loader or str(path.relative_to(package))] = path.resolve()
            waiting = needed(path) + waiting
    return files, used


def contents(packages, program):
    """Files by name in the image."""
    files, used = libraries(packages, program)
    # scanners find packages and their versions there
    for package in used | {packages / "base-files"}:
        files[f"var/lib/dpkg/status.d/{package.name}"] = package / "DEBIAN/control"
        name = f"usr/share/doc/{package.name}/copyright"
        files[name] = package / name
    # copyright files refer to these
    licences = packages / "base-files/usr/share/common-licenses"
    files.update({f"usr/share/common-licenses/{path.name}": path for path in licences.iterdir()})
    return files | {PROGRAM: program, f"usr/share/doc/{NAME}/copyright": TOP / "debian/copyright"}


def archive(files, when):
    """Return: a tar file with bytes by name, of root, and the directories above them."""
    out = io.BytesIO()
    folders = {str(folder) for name in files for folder in pathlib.PurePath(name).parents}
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted((folders | files.keys()) - {"."}):
            info = tarfile.TarInfo(name)
            info.mtime = when
            info.mode = 0o755
            if name in files:
                data, is_executable = files[name]
                info.size = len(data)
                info.mode = 0o755 if is_executable else 0o644
                tar.addfile(info, io.BytesIO(data))
            else:
                info.type = tarfile.DIRTYPE
                tar.addfile(info)
    return out.getvalue()


# --- OCI

class Layout:
    """A directory of blobs by their digests."""

    def __init__(self):
        self.files = {"oci-layout": (b'{"imageLayoutVersion":"1.0.0"}', False)}

    def add(self, kind, data):
        """Return: a descriptor."""
        if not isinstance(data, bytes):
            data = json.dumps(data, indent=1).encode()
        digest = hashlib.sha256(data).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = (data, False)
        return {"mediaType": f"{OCI}.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    def add_image(self, architecture, layer, labels):
        created = labels[LABEL + "created"]
        platform = {"architecture": architecture, "os": "linux", **VARIANTS.get(architecture, {})}
        config = self.add("config.v1+json", {
            **platform, "created": created,
            "config": {"User": "0:0", "Entrypoint": [f"/{PROGRAM}"], "Cmd": ["--listen=:10303"],
                       "ExposedPorts": {"10303/tcp": {}}, "Labels": labels},
            "rootfs": {"type": "layers",
                       "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
            "history": [{"created": created, "created_by": "tools/dev/image.py"}]})
        manifest = self.add("manifest.v1+json", {
            "schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json", "config": config,
            "layers": [self.add("layer.v1.tar+gzip", gzip.compress(layer, mtime=0))]})
        return {**manifest, "platform": platform}

    def finish(self, images, labels):
        index = {"schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json"}
        both = self.add("index.v1+json", {**index, "manifests": images, "annotations": labels})
        version = labels[LABEL + "version"]
        # containerd's name for it, and that of others
        names = {"io.containerd.image.name": f"docker.io/library/{NAME}:{version}",
                 LABEL + "ref.name": version}
        self.files["index.json"] = json.dumps(
            {**index, "manifests": [{**both, "annotations": names}]}, indent=1).encode(), False


def main(out, packages, *programs):
    when = source_date()
    labels = {LABEL + key: value for key, value in {
        "title": NAME, "description": "Telemetry of Arm Neoverse N3 CPUs for Prometheus",
        "version": output("tools/dev/version.sh").strip(),
        "created": datetime.datetime.fromtimestamp(when, datetime.timezone.utc).isoformat(),
    }.items()}
    layout, images = Layout(), []
    for architecture, program in sorted(each.split("=", 1) for each in programs):
        files = contents(pathlib.Path(packages, architecture), pathlib.Path(program).resolve())
        layer = archive({name: (path.read_bytes(), os.access(path, os.X_OK))
                         for name, path in files.items()}, when)
        images.append(layout.add_image(architecture, layer, labels))
    layout.finish(images, labels)
    pathlib.Path(out).write_bytes(archive(layout.files, when))


main(*sys.argv[1:])

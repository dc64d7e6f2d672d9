#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""n3-exporter as the files in deploy run it.

deploy.py service UNIT EXPORTER SOURCE
deploy.py manifest DAEMONSET
deploy.py pod DAEMONSET EXPORTER SOURCE		(root)
"""
import contextlib
import fcntl
import glob
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

import yaml

from http_clients import PATIENCE, get, is_good, wait_until

SIOCSIFFLAGS, IFF_UP = 0x8914, 1


@contextlib.contextmanager
def process(command, **popen):
    """A running command, whose first line of output is the exporter's; SIGTERM ends it."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          **popen) as running:
        try:
            assert running.stdout.readline().endswith("/metrics\n"), running.communicate()[1]
            yield running
            running.send_signal(signal.SIGTERM)
            running.communicate(timeout=PATIENCE)
            assert running.returncode == 0, running.returncode
        finally:
            running.kill()


# --- systemd

def read_unit(path):
    """Return: lists of values by name."""
    settings = {}
    with open(path, encoding="ascii") as unit:
        for line in unit:
            name, equals, value = line.strip().partition("=")
            if equals and not name.startswith("#"):
                settings.setdefault(name, []).append(value)
    return settings


def calls_of(names):
    """System calls of a filter's names, such as @system-service."""
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        text = subprocess.run(["systemd-analyze", "--no-pager", "syscall-filter", name], check=True,
                              capture_output=True, text=True).stdout
        calls |= calls_of(re.findall(r"^    (@?[a-z0-9_-]+)$", text, re.M))
    return calls


def admitted_calls(filters):
    calls = set()
    for names in filters:
        if names.startswith("~"):
            calls -= calls_of(names[1:].split())
        else:
            calls |= calls_of(names.split())
    assert "read" in calls and "mount" not in calls
    return calls


def test_service(path, exporter, source):
    """The exporter answers without any network but the socket, with admitted system calls."""
    unit = read_unit(path)
    assert unit["DynamicUser"] == ["yes"] and "Group" not in unit and "User" not in unit
    assert unit["SupplementaryGroups"] == ["n3-telemetry"]
    assert unit["PrivateNetwork"] == ["yes"] and unit["RestrictAddressFamilies"] == ["none"]
    assert unit["CapabilityBoundingSet"] == [""] and unit["MemoryDenyWriteExecute"] == ["yes"]
    options = unit["ExecStart"][0].split()[1:]
    with socket.create_server(("127.0.0.1", 0)) as listener, \
            tempfile.NamedTemporaryFile("r", encoding="utf-8") as trace:
        def pass_socket():
            os.dup2(listener.fileno(), 3)
            os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
        # with -D, the exporter has the id that LISTEN_PID names
        unshare = ["unshare", "-n"] + (["-r"] if os.getuid() else [])
        with process([*unshare, "strace", "-D", "-f", "-qq", "-o", trace.name, exporter,
                      "--source", source, *options],
                     preexec_fn=pass_socket, pass_fds=[3, listener.fileno()]):
            port = listener.getsockname()[1]
            assert is_good(port) and get(port, "/")[0] == 200
        text = trace.read()
    used = set(re.findall(r"^\d+ +(\w+)\(", text, re.M))
    assert {"accept4", "openat"} <= used
    assert not used - admitted_calls(unit["SystemCallFilter"]), used
    assert not {"socket", "socketpair"} & used
    assert not re.search("PROT_WRITE.PROT_EXEC", text)


# --- Kubernetes

def read_manifest(path):
    """Return: the DaemonSet and the NetworkPolicy."""
    with open(path, encoding="ascii") as text:
        objects = list(yaml.safe_load_all(text))
    assert [each["kind"] for each in objects] == ["DaemonSet", "NetworkPolicy"]
    return objects


def test_manifest(path):
    """Privileges, mounts and labels."""
    daemons, policy = read_manifest(path)
    template = daemons["spec"]["template"]
    labels = template["metadata"]["labels"]
    assert daemons["spec"]["selector"]["matchLabels"] == labels
    assert policy["spec"]["podSelector"]["matchLabels"] == labels
    pod = template["spec"]
    assert not {"hostPID", "hostNetwork", "hostIPC", "hostUsers", "serviceAccountName"} & set(pod)
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"] == {
        "runAsNonRoot": True, "runAsUser": 65534, "runAsGroup": 65534,
        "supplementalGroups": [10303], "seccompProfile": {"type": "RuntimeDefault"}}
    container, = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]}}
    mount, = container["volumeMounts"]
    volume, = pod["volumes"]
    assert mount == {"name": volume["name"], "mountPath": "/host/sys", "readOnly": True}
    assert volume["hostPath"] == {"path": "/sys"}
    args = container["args"]
    assert args[args.index("--source") + 1] == "/host/sys/kernel/n3_telemetry"
    port, = container["ports"]
    assert args[args.index("--listen") + 1] == f"0.0.0.0:{port['containerPort']}"
    rule, = policy["spec"]["ingress"]
    assert rule["ports"] == [{"port": port["name"]}] and policy["spec"]["policyTypes"] == [
        "Ingress", "Egress"] and "egress" not in policy["spec"]


def mount(*args):
    subprocess.run(["mount", *args], check=True)


class Pod:
    """Root file system of a pod with the host's libraries, in namespaces of this process."""

    def __init__(self, manifest, exporter, top):
        spec = read_manifest(manifest)[0]["spec"]["template"]["spec"]
        self.container, = spec["containers"]
        self.context = spec["securityContext"]
        self.sys = f"{top}/sys"
        self.root = f"{top}/root"
        os.makedirs(f"{self.sys}/kernel")
        os.mkdir(self.root)
        mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", self.root)
        for name in glob.glob("/lib*") + glob.glob("/usr/lib*"):
            self.add_libraries(name)
        self.copy(exporter, self.container["command"][0])
        self.copy(shutil.which("setpriv"), "/setpriv")
        mounted = self.root + self.container["volumeMounts"][0]["mountPath"]
        os.makedirs(mounted)
        mount("--bind", self.sys, mounted)
        mount("-o", "remount,bind,ro", mounted)
        mount("-o", "remount,ro", self.root)
        self.mounted = mounted

    def add_libraries(self, name):
        if os.path.islink(name):
            os.symlink(os.readlink(name), self.root + name)
        else:
            os.makedirs(self.root + name)
            mount("--bind", name, self.root + name)

    def copy(self, program, name):
        os.makedirs(os.path.dirname(self.root + name), exist_ok=True)
        shutil.copy(program, self.root + name)

    def run(self, user=None, groups=None):
        user = user or self.context["runAsUser"]
        groups = self.context["supplementalGroups"] if groups is None else groups
        groups = ["--groups=" + ",".join(map(str, groups))] if groups else ["--clear-groups"]
        return process(["chroot", self.root, "/setpriv", f"--reuid={user}", *groups,
                        f"--regid={self.context['runAsGroup']}", "--no-new-privs",
                        "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all",
                        *self.container["command"], *self.container["args"]],
                       env={"PATH": "/usr/sbin:/usr/bin"})

    def port(self):
        return self.container["ports"][0]["containerPort"]


def refuses_writes(path):
    try:
        with open(path, "wb"):
            return False
    except OSError as error:
        return error.strerror == "Read-only file system"


def load_module(source, target, group):
    """A copy with modes and owners as those of the module with gid=."""
    staged = target + ".new"
    shutil.copytree(source, staged)
    for folder, _, names in os.walk(staged):
        os.chmod(folder, 0o755)
        for name in names:
            os.chown(f"{folder}/{name}", 0, group)
            os.chmod(f"{folder}/{name}", 0o440)
    os.rename(staged, target)


def check_pod(pod, source):
    group, = pod.context["supplementalGroups"]
    module = f"{pod.sys}/kernel/n3_telemetry"
    port = pod.port()
    with pod.run() as running:
        assert "\nn3_telemetry_up 0\n" in get(port)[2]
        load_module(source, module, group)
        wait_until(lambda: is_good(port), "the module")
        with open(f"{source}/system/counters/topdown_l1", encoding="ascii") as totals:
            slots = re.search(r"^slots_total (\d+)$", totals.read(), re.M)[1]
        assert f"\nn3_telemetry_slots_total {slots}\n" in get(port)[2]
        with open(f"/proc/{running.pid}/status", encoding="ascii") as lines:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in lines if ":\t" in line)
        assert status["Uid"] == status["Gid"] == "65534\t65534\t65534\t65534", status
        assert status["Groups"].split() == [str(group)] and status["NoNewPrivs"] == "1"
        assert {int(status[name], 16) for name in ("CapEff", "CapPrm", "CapInh", "CapBnd")} == {0}
        shutil.rmtree(module)
        wait_until(lambda: not is_good(port), "the module's end")
        load_module(source, module, group)
        wait_until(lambda: is_good(port), "the module again")
    for user, groups in ((None, []), (1000, []), (None, [group + 1])):
        with pod.run(user, groups):
            text = get(port)[2]
            assert "\nn3_telemetry_up 0\n" in text and "_total" not in text, (user, groups)
    assert refuses_writes(f"{pod.mounted}/kernel/n3_telemetry/enable")
    assert refuses_writes(f"{pod.root}/file")


def test_pod(manifest, exporter, source):
    """The command line, as any user, group and mount that the manifest names."""
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
        try:
            check_pod(Pod(manifest, exporter, top), source)
        finally:
            subprocess.run(["umount", "-R", f"{top}/root"], check=False)


def main():
    globals()[f"test_{sys.argv[1]}"](*sys.argv[2:])


if __name__ == "__main__":
    main()

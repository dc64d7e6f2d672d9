#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""n3-exporter as the files in deploy run it.

deploy.py service UNIT EXPORTER SOURCE
deploy.py textfile UNIT EXPORTER SOURCE
deploy.py socket UNIT DROP-IN
deploy.py manifest DAEMONSET
deploy.py relabelling DAEMONSET CONFIGURATION PROGRAMS	of a Prometheus, or a PodMonitor
deploy.py rules PROMETHEUSRULE FILE...
deploy.py pod DAEMONSET ARCHIVE ARCHITECTURE SOURCE	(root)
"""
import contextlib
import ctypes
import fcntl
import glob
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

import yaml

import oci
from http_clients import get, is_good, passing, running, wait_until

SIOCSIFFLAGS, IFF_UP = 0x8914, 1
CAP_PERFMON = 38
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, CLONE_NEWPID = 24, 38, 0x20000000


# --- systemd

def read_unit(path, section="Service"):
    """Return: lists of values by name."""
    settings, current = {}, None
    with open(path, encoding="ascii") as unit:
        for line in unit:
            name, equals, value = line.strip().partition("=")
            if name.startswith("["):
                current = name.strip("[]")
            elif equals and current == section and not name.startswith("#"):
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


ISOLATED = {"PrivateNetwork": ["yes"], "RestrictAddressFamilies": ["none"],
            "IPAddressDeny": ["any"], "CapabilityBoundingSet": ["CAP_PERFMON"],
            "AmbientCapabilities": ["CAP_PERFMON"], "DynamicUser": ["yes"],
            "NoNewPrivileges": ["yes"],
            "MemoryDenyWriteExecute": ["yes"], "ProtectSystem": ["strict"]}


def read_service(path):
    """Return: its settings, and the options of the exporter."""
    unit = read_unit(path)
    assert ISOLATED.items() <= unit.items() and not {"User", "SupplementaryGroups"} & set(unit)
    return unit, unit["ExecStart"][0].split()[1:]


def is_confined(pid):
    """Does each thread have a filter of system calls, and no way to more privileges?"""
    wanted = {"NoNewPrivs:\t1\n", "Seccomp:\t2\n"}
    for name in glob.glob(f"/proc/{pid}/task/*/status"):
        with open(name, encoding="ascii") as lines:
            wanted &= set(lines)
    return len(wanted) == 2


@contextlib.contextmanager
def traced(command, unit, wanted, **more):
    """Runs a command without a network; its system calls are those that the unit admits.

    It confines itself before it reads a file of the module.
    """
    # with -D, the exporter has the id that LISTEN_PID names
    unshare = ["unshare", "-n"] + (["-r"] if os.getuid() else [])
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as trace:
        with running([*unshare, "strace", "-D", "-f", "-qq", "-o", trace.name, *command],
                     **more) as traced_one:
            yield
            assert is_confined(traced_one.process.pid)
        text = trace.read()
    source = command[command.index("--source") + 1]
    assert 0 < text.find("prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ") < \
        text.find(f'openat(AT_FDCWD, "{source}')
    used = set(re.findall(r"^\d+ +(\w+)\(", text, re.M))
    assert wanted <= used
    assert not used - admitted_calls(unit["SystemCallFilter"]), used
    assert not {"socket", "socketpair"} & used
    assert not re.search("PROT_WRITE.PROT_EXEC", text)


def test_service(path, exporter, source):
    """The exporter answers without any network but the socket, with admitted system calls."""
    unit, options = read_service(path)
    assert "Group" not in unit
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with traced([exporter, "--source", source, *options], unit, {"accept4", "openat"},
                    **passing(listener.fileno())):
            port = listener.getsockname()[1]
            assert is_good(port) and get(port, "/")[0] == 200


def test_textfile(path, exporter, source):
    """The file is in the directory that is writable, and is written with admitted system calls."""
    unit, options = read_service(path)
    assert unit["Group"] == ["prometheus"]
    option, name = options
    assert option == "--textfile" and unit["ReadWritePaths"] == [os.path.dirname(name)]
    # the network of the service has no socket of another unit
    assert not {"Requires", "Wants", "BindsTo"} & set(read_unit(path, "Unit"))
    assert "Sockets" not in unit and read_unit(path, "Install")["WantedBy"] == ["multi-user.target"]
    with tempfile.TemporaryDirectory() as directory:
        name = f"{directory}/{os.path.basename(name)}"

        def is_up(value):
            with contextlib.suppress(FileNotFoundError), open(name, encoding="ascii") as file:
                return f"\nn3_telemetry_up {value}\n" in file.read()

        with traced([exporter, "--source", source, option, name], unit, {"rename", "openat"},
                    has_socket=False):
            wait_until(lambda: is_up(1), "the file")
        assert is_up(0)


def test_socket(path, drop_in):
    """Only local addresses are admitted, and those that a drop-in adds."""
    unit, more = read_unit(path, "Socket"), read_unit(drop_in, "Socket")
    assert unit == {"ListenStream": ["127.0.0.1:10303"], "IPAddressDeny": ["any"],
                    "IPAddressAllow": ["localhost"]}
    # the first value removes those of the unit
    assert more["ListenStream"] == ["", "10303"]
    assert set(more) == {"ListenStream", "IPAddressAllow"} and "any" not in more["IPAddressAllow"]


# --- Kubernetes

def read_manifest(path):
    """Return: objects by kind."""
    with open(path, encoding="ascii") as text:
        objects = {thing["kind"]: thing for thing in yaml.safe_load_all(text)}
    assert list(objects) == ["Namespace", "DaemonSet", "NetworkPolicy"]
    return objects


def read_pod(path):
    """Return: its template and its container."""
    template = read_manifest(path)["DaemonSet"]["spec"]["template"]
    container, = template["spec"]["containers"]
    return template, container


def check_probes(container, port):
    for probe in (container["livenessProbe"], container["readinessProbe"]):
        # with web.yml, a probe may lack a password or a certificate
        assert probe.get("httpGet", {"path": "/", "port": port}) == {"path": "/", "port": port}
        assert ("httpGet" in probe) == ("tcpSocket" not in probe)
        assert probe["timeoutSeconds"] >= 5
        assert ("httpGet" in probe) != any("--web.config.file" in arg for arg in container["args"])


def check_volumes(pod, container):
    """All of /sys, and the Secret of web.yml if there is such an option."""
    mounts = {each.pop("name"): each for each in container["volumeMounts"]}
    volumes = {each.pop("name"): each for each in pod["volumes"]}
    assert mounts.pop("sys") == {"mountPath": "/host/sys", "readOnly": True}
    assert volumes.pop("sys") == {"hostPath": {"path": "/sys"}}
    files = [arg.partition("=")[2] for arg in container["args"] if "web.config" in arg]
    assert [os.path.dirname(name) for name in files] == [each["mountPath"]
                                                        for each in mounts.values()]
    assert mounts.keys() == volumes.keys() and all("secret" in each for each in volumes.values())


def check_pod_template(template, container):
    pod = template["spec"]
    assert not {"hostPID", "hostNetwork", "hostIPC", "hostUsers", "serviceAccountName"} & set(pod)
    assert pod["automountServiceAccountToken"] is False
    # all nodes, before others
    assert pod["tolerations"] == [{"operator": "Exists"}]
    assert pod["priorityClassName"] == "system-node-critical"
    assert pod["securityContext"] == {
        "runAsUser": 0, "runAsGroup": 0, "seccompProfile": {"type": "RuntimeDefault"}}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"], "add": ["PERFMON"]}}
    port, = container["ports"]
    assert {"--source=/host/sys/kernel/n3_telemetry",
            f"--listen=:{port['containerPort']}"} <= set(container["args"])
    # that of the image
    assert "command" not in container
    check_probes(container, port["name"])
    check_volumes(pod, container)


def check_policy(policy, port):
    rule, = policy["ingress"]
    source, = rule["from"]
    # not any namespace, in which any pod can have that label
    assert source["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"]
    assert source["podSelector"]["matchLabels"]
    assert rule["ports"] == [{"port": port}] and policy["policyTypes"] == [
        "Ingress", "Egress"] and "egress" not in policy


def test_manifest(path):
    """Privileges, mounts and labels."""
    objects = read_manifest(path)
    space = objects["Namespace"]["metadata"]
    assert space["labels"]["pod-security.kubernetes.io/enforce"] == "privileged"
    daemons, policy = objects["DaemonSet"], objects["NetworkPolicy"]
    assert {each["metadata"]["namespace"] for each in (daemons, policy)} == {space["name"]}
    template, container = read_pod(path)
    labels = template["metadata"]["labels"]
    assert daemons["spec"]["selector"]["matchLabels"] == labels
    assert policy["spec"]["podSelector"]["matchLabels"] == labels
    assert daemons["spec"]["updateStrategy"] == {"type": "RollingUpdate",
                                                 "rollingUpdate": {"maxUnavailable": "10%"}}
    check_pod_template(template, container)
    check_policy(policy["spec"], container["ports"][0]["name"])


def operator_config(monitor, template, port):
    """Return: the configuration that prometheus-operator makes of a PodMonitor."""
    endpoint, = monitor["spec"]["podMetricsEndpoints"]
    assert monitor["spec"]["selector"]["matchLabels"] == template["metadata"]["labels"]
    assert endpoint.keys() == {"port", "relabelings"} and endpoint["port"] == port
    snake = [{re.sub("[A-Z]", lambda match: "_" + match[0].lower(), key): value
              for key, value in rule.items()} for rule in endpoint["relabelings"]]
    # it selects pods of its own namespace
    discovered = {"role": "pod", "namespaces": {"names": [monitor["metadata"]["namespace"]]}}
    return {"scrape_configs": [{"job_name": "n3-telemetry/n3-exporter",
                                "kubernetes_sd_configs": [discovered],
                                "relabel_configs": snake}]}


def test_relabelling(manifest, path, programs):
    """promtool: the pods of the manifest are targets, and their nodes the only names."""
    template, container = read_pod(manifest)
    label = template["metadata"]["labels"]["app.kubernetes.io/name"]
    port = container["ports"][0]["name"]
    with open(path, encoding="ascii") as text:
        config = yaml.safe_load(text)
    if "kind" in config:
        config = operator_config(config, template, port)
    meta = "__meta_kubernetes_"
    pod = {f"{meta}pod_label_app_kubernetes_io_name": label, f"{meta}pod_node_name": "node1",
           f"{meta}pod_container_port_name": port, f"{meta}pod_phase": "Running",
           "pod": "n3-exporter-x7k2p", "container": "n3-exporter", "namespace": "default",
           "endpoint": port, "zone": "a"}
    found = {**pod, f"{meta}pod_label_app_kubernetes_io_name": "other"}, \
        {**pod, f"{meta}pod_container_port_name": "http"}, \
        {**pod, f"{meta}pod_phase": "Failed"}, pod
    job, = config["scrape_configs"]
    # Debian's program is built without it
    assert job.pop("kubernetes_sd_configs") == [
        {"role": "pod", "namespaces": {"names": ["n3-telemetry"]}}]
    job["static_configs"] = [{"targets": [f"192.0.2.{nr}:1"], "labels": labels}
                             for nr, labels in enumerate(found)]
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as out:
        yaml.safe_dump(config, out)
        out.flush()
        text = subprocess.run([f"{programs}/promtool", "check", "service-discovery", out.name,
                               job["job_name"]], check=True, capture_output=True, text=True).stdout
    targets = [target["labels"] for target in json.loads(text) if target["labels"]]
    kept = [{name: value for name, value in labels.items() if not name.startswith("__")}
            for labels in targets]
    assert kept == [{"job": "n3", "instance": "node1", "zone": "a"}], kept


def test_rules(path, *files):
    """The groups of the files, in an object that kubectl can apply."""
    with open(path, encoding="ascii") as text:
        rule = yaml.safe_load(text)
    groups = []
    for name in files:
        with open(name, encoding="ascii") as text:
            groups += yaml.safe_load(text)["groups"]
    assert rule["kind"] == "PrometheusRule" and rule["spec"] == {"groups": groups}
    # of all annotations, of which one is the object
    assert len(json.dumps(rule)) < 256 << 10


def mount(*args):
    subprocess.run(["mount", *args], check=True)


class Pod:
    """A pod with the image, in namespaces of this process."""

    def __init__(self, manifest, archive, architecture, top):
        template, self.container = read_pod(manifest)
        self.context = template["spec"]["securityContext"]
        self.sys = f"{top}/sys"
        self.root = f"{top}/root"
        os.makedirs(f"{self.sys}/kernel")
        os.mkdir(self.root)
        mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", self.root)
        self.command = oci.unpack(archive, architecture, self.root)
        self.mounted = self.root + self.container["volumeMounts"][0]["mountPath"]
        os.makedirs(self.mounted)
        mount("--bind", self.sys, self.mounted)
        mount("-o", "remount,bind,ro", self.mounted)
        mount("-o", "remount,ro", self.root)

    def enter(self):
        """As a runtime: in the new process."""
        libc = ctypes.CDLL(None, use_errno=True)
        os.chroot(self.root)
        os.chdir("/")
        os.setgroups([])
        os.setgid(self.context["runAsGroup"])
        os.setuid(self.context["runAsUser"])
        assert self.container["securityContext"]["capabilities"]["add"] == ["PERFMON"]
        for capability in range(64):
            if capability != CAP_PERFMON:
                libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        assert not libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)

    @contextlib.contextmanager
    def run(self):
        # process 1 of its namespace, which a signal without a handler does not end
        libc = ctypes.CDLL(None)
        own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        assert not libc.unshare(CLONE_NEWPID)
        # the module is missing at the start and once later
        with running([*self.command, *self.container["args"]], errors=2, env={},
                     preexec_fn=self.enter) as served:
            assert not libc.setns(own, CLONE_NEWPID)
            yield served

    def port(self):
        return self.container["ports"][0]["containerPort"]


def refuses_writes(path):
    try:
        with open(path, "wb"):
            return False
    except OSError as error:
        return error.strerror == "Read-only file system"


def load_module(source, target):
    """A copy with modes and owners as those of the module."""
    staged = target + ".new"
    shutil.copytree(source, staged)
    for folder, _, names in os.walk(staged):
        os.chmod(folder, 0o755)
        for name in names:
            os.chown(f"{folder}/{name}", 0, 0)
            os.chmod(f"{folder}/{name}", 0o444)
    os.rename(staged, target)


def check_pod(pod, source):
    module = f"{pod.sys}/kernel/n3_telemetry"
    port = pod.port()
    with pod.run() as served:
        assert get(port, pod.container["livenessProbe"]["httpGet"]["path"])[0] == 200
        assert "\nn3_telemetry_up 0\n" in get(port)[2]
        load_module(source, module)
        wait_until(lambda: is_good(port), "the module")
        with open(f"{source}/system/counters/topdown_l1", encoding="ascii") as totals:
            slots = re.search(r"^slots_total (\d+)$", totals.read(), re.M)[1]
        assert f"\nn3_telemetry_slots_total {slots}\n" in get(port)[2]
        with open(f"/proc/{served.process.pid}/status", encoding="ascii") as lines:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in lines if ":\t" in line)
        assert status["Uid"] == status["Gid"] == "0\t0\t0\t0", status
        assert status["NSpid"].split()[1:] == ["1"]
        assert not status["Groups"].strip() and is_confined(served.process.pid)
        assert {int(status[name], 16) for name in ("CapEff", "CapPrm", "CapBnd")} == \
            {1 << CAP_PERFMON} and not int(status["CapInh"], 16), status
        shutil.rmtree(module)
        wait_until(lambda: not is_good(port), "the module's end")
        load_module(source, module)
        wait_until(lambda: is_good(port), "the module again")
    assert refuses_writes(f"{pod.mounted}/kernel/n3_telemetry/enable")
    assert refuses_writes(f"{pod.root}/file")


def test_pod(manifest, archive, architecture, source):
    """The image and its arguments, with the user, capabilities and mount of the manifest."""
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
        try:
            check_pod(Pod(manifest, archive, architecture, top), source)
        finally:
            subprocess.run(["umount", "-R", f"{top}/root"], check=False)


if __name__ == "__main__":
    globals()[f"test_{sys.argv[1]}"](*sys.argv[2:])

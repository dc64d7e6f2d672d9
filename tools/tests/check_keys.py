#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_keys.py < JSON, one object or one per line

Keys consist of lower case letters, digits and '_', as in the module's files, or are events
in the module's spelling. Every top-level object has a key for simulated counts.
"""
import json
import re
import sys


def check(value, path):
    if isinstance(value, list):
        for item in value:
            check(item, path)
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]*|[A-Z][A-Z0-9_]*(\.[a-z_]+)?", key):
            sys.exit(f"{path}: key '{key}'")
        check(item, f"{path}.{key}")


text = sys.stdin.read()
decoder = json.JSONDecoder()
at = nr = 0
while at < len(text.rstrip()):
    top, at = decoder.raw_decode(text, at)
    at += len(text[at:]) - len(text[at:].lstrip())
    if "simulated" not in top or top["simulated"] not in (True, False, None):
        sys.exit(f"simulated: {list(top)}")
    check(top, "")
    nr += 1
if not nr:
    sys.exit("nothing was printed")

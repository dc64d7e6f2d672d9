#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""check_copied.py DOM WANTED - the texts that copy_test.sh's page was asked to copy"""
import html
import re
import sys

dom, wanted = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
copied = re.findall(r"&lt;(.*?)&gt;", dom, re.S)
assert len(copied) == 6, dom
got = "".join(html.unescape(text).rstrip("\n") + "\n" for text in copied)
assert got == wanted, got

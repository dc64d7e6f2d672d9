#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""page_commands.py FILE... - writes the command that each page shows for a span"""
import sys
from browser import Browser

with Browser() as browser:
    for file in sys.argv[1:]:
        browser.open(f"page.{file}.html")
        browser.js("n3stat.choose(about.places[about.main], 1, 1)")
        with open(f"command.{file}", "w") as command:
            browser.js("document.body.innerHTML = command_html()")
            print(browser.js("document.querySelector('code').textContent"), file=command)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""browser.py PAGE [SCRIPT [PAGE SCRIPT]...] - documents in headless Chromium, each after its
script and, except for the last, followed by a line with a form feed.

As a module: a page with measurements, screenshots, printing and a mouse. Chromium is
controlled through a pipe, with the DevTools protocol.
"""
import base64
import json
import os
import pathlib
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--remote-debugging-pipe")


LONGEST = 120	# seconds that it may take to answer


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp()
        theirs_in, self.out = os.pipe()
        self.inp, theirs_out = os.pipe()

        def descriptors():
            # It reads from 3 and writes to 4, which may be swapped here.
            high_in, high_out = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen(
            ("chromium", *ARGUMENTS, f"--user-data-dir={self.profile}"), close_fds=False,
            preexec_fn=descriptors, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Emulation.setScrollbarsHidden", hidden=True)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        os.close(self.out)
        self.process.terminate()
        self.process.wait(20)
        os.close(self.inp)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        while b"\0" not in self.rest:
            if not select.select([self.inp], [], [], LONGEST)[0]:
                raise TimeoutError(f"the browser says nothing for {LONGEST} s")
            part = os.read(self.inp, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait("Page.loadEventFired")
        self.js("window.n3stat ? n3stat.ready : 0")

    def errors(self):
        """An error in the page's scripts."""
        return [event["params"]["exceptionDetails"]["exception"].get("description", "?")
                for event in self.events if event.get("method") == "Runtime.exceptionThrown"]

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description"))
        return result["result"].get("value")

    def look(self, width=1280, height=900, scheme="light", media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path=None, whole=False):
        params = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            params = {"clip": {**size, "x": 0, "y": 0, "scale": 1},
                      "captureBeyondViewport": True}
        data = base64.b64decode(self.call("Page.captureScreenshot", **params)["data"])
        if path:
            pathlib.Path(path).write_bytes(data)
        return data

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True,
                                          paperWidth=8.27, paperHeight=11.69)["data"])

    def box(self, selector):
        return self.js(f"(b => [b.x, b.y, b.width, b.height])(document.querySelector("
                       f"{json.dumps(selector)}).getBoundingClientRect())")

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                  clickCount=0 if kind == "mouseMoved" else 1)

    def drag(self, selector, first, last):
        """Drags over an element from one part of its width to another."""
        self.js(f"document.querySelector({json.dumps(selector)}).scrollIntoView("
                "{ block: 'center' })")
        x, y, width, height = self.box(selector)
        for kind, part in (("mouseMoved", first), ("mousePressed", first),
                           ("mouseMoved", (first + last) / 2), ("mouseMoved", last),
                           ("mouseReleased", last)):
            self.mouse(kind, x + width * part, y + height / 2)
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def choose(self, selector, value):
        self.js(f"(s => {{ s.value = {json.dumps(value)}; s.dispatchEvent(new Event('change', "
                f"{{ bubbles: true }})) }})(document.querySelector({json.dumps(selector)}))")
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def pixels(data):
    """Rows of (red, green, blue) of a PNG picture: 8 bits, RGB or RGBA."""
    width, _, _, kind = struct.unpack(">IIBB", data[16:26])
    pos, packed = 8, b""
    while pos < len(data):
        size, name = struct.unpack(">I4s", data[pos:pos + 8])
        packed += data[pos + 8:pos + 8 + size] if name == b"IDAT" else b""
        pos += 12 + size
    each = {2: 3, 6: 4}[kind]
    raw, stride, last, rows = zlib.decompress(packed), width * each, None, []
    last = bytes(stride)
    for at in range(0, len(raw), stride + 1):
        how, row = raw[at], bytearray(raw[at + 1:at + 1 + stride])
        for i in range(stride):
            a, b = row[i - each] if i >= each else 0, last[i]
            if how == 1:
                row[i] = (row[i] + a) & 255
            elif how == 2:
                row[i] = (row[i] + b) & 255
            elif how == 3:
                row[i] = (row[i] + (a + b) // 2) & 255
            elif how == 4:
                c = last[i - each] if i >= each else 0
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                row[i] = (row[i] + near) & 255
        rows.append([tuple(row[i:i + 3]) for i in range(0, stride, each)])
        last = row
    return rows


def main():
    arguments = [*sys.argv[1:], "0"]
    with Browser() as browser:
        for nr in range(0, len(arguments) - 1, 2):
            if nr > 0:
                print("\f")
            browser.open(arguments[nr])
            browser.js(arguments[nr + 1])
            print(browser.js("document.documentElement.outerHTML"))
            for error in browser.errors():
                print(error, file=sys.stderr)


if __name__ == "__main__":
    main()

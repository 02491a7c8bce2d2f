"""Chromium through chromedriver, with nothing but the standard library."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
         "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars",
         "--force-device-scale-factor=1"]


def missing():
    """The program that is not there, or None."""
    for names in (("chromium", "chromium-browser", "google-chrome"),
                  ("chromedriver",)):
        if not any(shutil.which(n) for n in names):
            return names[0]
    return None


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="faultwire-pages.")
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.root = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}", "--allowed-ips=127.0.0.1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.folder))
        self.session = None
        try:
            self.begin()
        except Exception:
            self.close()
            raise

    def begin(self):
        end = time.monotonic() + 20
        while True:
            try:
                if self.ask("GET", "/status")["ready"]:
                    break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(.05)
        options = {"args": FLAGS + [f"--user-data-dir={self.folder}/data"]}
        got = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"performance": "ALL"}}}})
        self.session = got["sessionId"]
        self.command("/url", {"url": "about:blank"})
        self.requests()  # those of the first tab are the browser's own

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.root + path, data, {"Content-Type": "application/json"},
            method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as r:
                return json.load(r)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(e.read().decode()[:600]) from None

    def command(self, path, body):
        return self.ask("POST", f"/session/{self.session}{path}", body)

    def cdp(self, name, **params):
        return self.command("/goog/cdp/execute",
                            {"cmd": name, "params": params})

    def show(self, path, width, height=900, dark=False, phone=False):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width,
                 height=height, deviceScaleFactor=1, mobile=phone)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"}])
        self.command("/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *args):
        return self.command("/execute/sync",
                            {"script": script, "args": list(args)})

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.cdp("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode={"ArrowRight": 39}.get(key, 0))

    def requests(self):
        """Addresses that were asked for since the last call."""
        found = []
        for line in self.command("/se/log", {"type": "performance"}):
            m = json.loads(line["message"])["message"]
            if m["method"] == "Network.requestWillBeSent":
                found.append(m["params"]["request"]["url"])
        return found

    def shot(self, file, whole=True):
        got = self.cdp("Page.captureScreenshot", format="png",
                       captureBeyondViewport=whole)
        with open(file, "wb") as f:
            f.write(base64.b64decode(got["data"]))

    def close(self):
        try:
            if self.session:
                self.ask("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

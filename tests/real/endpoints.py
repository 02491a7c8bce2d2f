"""Runs tests/real/endpoints.mjs, for each SDK of `packages`, against a
`faultwire serve`; used by tests/real/run."""
import os
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIO = f"{HERE}/scenarios/batches-that-fail-by-half.json"
START_S = 10


def port_of(path, server):
    end = time.monotonic() + START_S
    while time.monotonic() < end and server.poll() is None:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                text = file.read().strip()
            if text:
                return int(text)
        time.sleep(0.02)
    raise RuntimeError("faultwire serve does not start")


def check(program, folder, packages):
    """Yields (package, what is wrong or "")."""
    with tempfile.TemporaryDirectory() as private:
        path = f"{private}/port"
        server = subprocess.Popen(
            [program, "serve", "--quiet", "--port", "0", "--port-file", path,
             SCENARIO], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            base = f"http://127.0.0.1:{port_of(path, server)}"
            for package in packages:
                done = subprocess.run(
                    ["node", f"{HERE}/endpoints.mjs", folder, package,
                     f"{base}/{package}"], stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    text=True, timeout=60)
                yield package, done.stdout if done.returncode else ""
        finally:
            server.terminate()
            server.wait()

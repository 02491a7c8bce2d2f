#!/usr/bin/env python3
"""tests/wire/tls_clients.py FAULTWIRE - clients nobody here wrote over HTTPS:
each is told by the variable of docs/tls.md whom to trust, gets an answer, and
refuses every certificate that is wrong on purpose. A program that is not
there is skipped, and said so."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

REFUSED = ("expired", "not_yet_valid", "wrong_name", "unknown_ca",
           "self_signed", "plain_http", "alert", "reset", "fin")
NODE = """
fetch(process.argv[1]).then(r => process.exit(r.status == 200 ? 0 : 1),
                            () => process.exit(1))
"""
PYTHON = """
import sys, urllib.request
sys.exit(0 if urllib.request.urlopen(sys.argv[1], timeout=9).status == 200
         else 1)
"""
REQUESTS = """
import sys, requests
sys.exit(0 if requests.get(sys.argv[1], timeout=9).status_code == 200 else 1)
"""
CURL = ["curl", "-sf", "-m", "9", "-o", os.devnull]
PY = sys.executable
CLIENTS = (
    ("curl, CURL_CA_BUNDLE", CURL, "CURL_CA_BUNDLE"),
    ("curl, SSL_CERT_FILE", CURL, "SSL_CERT_FILE"),
    ("curl --cacert", CURL + ["--cacert", "{CA}"], None),
    ("node, NODE_EXTRA_CA_CERTS", ["node", "-e", NODE], "NODE_EXTRA_CA_CERTS"),
    ("python urllib, SSL_CERT_FILE", [PY, "-c", PYTHON], "SSL_CERT_FILE"),
    ("python requests, REQUESTS_CA_BUNDLE", [PY, "-c", REQUESTS],
     "REQUESTS_CA_BUNDLE"),
)


class Server:
    """`faultwire serve` whose connection 2 has the fault."""

    def __init__(self, program, folder, fault):
        tls = {"faults": [{"connection": "2+", "fault": fault}]}
        self.path = f"{folder}/{fault}.json"
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({"name": fault, "why": "w", "tls": tls,
                       "steps": [{"reply": "message", "times": "always"}]},
                      file)
        self.ca = f"{folder}/ca/ca.pem"
        ours, theirs = os.pipe()
        self.process = subprocess.Popen(
            [program, "serve", "--quiet", "-p", "0", "--tls-dir",
             f"{folder}/ca", "--ready-fd", str(theirs), self.path],
            pass_fds=[theirs], stdout=subprocess.DEVNULL)
        os.close(theirs)
        with os.fdopen(ours) as file:
            self.port = file.read().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def ask(self, command, variable, trust=True):
        env = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"),
               "NO_PROXY": "*"}
        ca = self.ca if trust else os.devnull
        if variable:
            env[variable] = ca
        command = [word.replace("{CA}", ca) for word in command]
        return subprocess.run(
            [*command, f"https://127.0.0.1:{self.port}/v1/models"], env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=60).returncode


def missing(command):
    if not shutil.which(command[0]):
        return f"no {command[0]}"
    if "requests" in command[-1] and subprocess.run(
            [PY, "-c", "import requests"], stderr=subprocess.DEVNULL,
            check=False).returncode:
        return "no Python requests"
    return None


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, command, variable in CLIENTS:
            why = missing(command)
            if why:
                print(f"skip - {name}: {why}")
                continue
            for fault in REFUSED:
                with Server(sys.argv[1], folder, fault) as server:
                    good = server.ask(command, variable)
                    bad = server.ask(command, variable)
                if good != 0 or bad == 0:
                    failed += 1
                    print(f"not ok - {name}, {fault}: exit {good} where all "
                          f"is well, {bad} with the fault")
            with Server(sys.argv[1], folder, "stall") as server:
                if server.ask(command, variable, trust=False) == 0:
                    failed += 1
                    print(f"not ok - {name}: trusts a CA it was not told of")
            print(f"done - {name}")
    sys.exit(1 if failed else 0)


main()

"""Which runtimes are here, and how the client of each is started. What is not
here is None with a reason that is printed."""
import filecmp
import os
import shutil
import subprocess
import sys

from run import faultwire

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = f"{HERE}/clients"
FOLDER = f"{faultwire.TREE}/build/runtimes"
BUN = f"{FOLDER}/node_modules/@oven/bun-linux-x64/bin/bun"
CLAUDE = f"{FOLDER}/node_modules/@anthropic-ai/claude-code-linux-x64/claude"
NOT_FETCHED = "not in build/runtimes: check --fetch gets it from npm"
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "ECONNREFUSED",
               "ECONNRESET", "ENETUNREACH", "ERR_SOCKET_TIMEOUT")
BODY = '{"model":"m","max_tokens":64,"stream":true,"messages":[]}'
CURL = ["curl", "-sS", "-N", "--fail", "-d", BODY]


def fetch():
    """Bun and Claude Code, exact versions, once: half a gigabyte on disk."""
    lock = f"{FOLDER}/package-lock.json"
    if (os.path.exists(BUN) and os.path.exists(CLAUDE) and
            os.path.exists(lock) and
            filecmp.cmp(lock, f"{HERE}/package-lock.json", False)):
        return
    if not shutil.which("npm"):
        print("skip: npm is not installed")
        return
    os.makedirs(FOLDER, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(f"{HERE}/{name}", FOLDER)
    npm = subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
         "--fetch-retries=1"], cwd=FOLDER, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False)
    if npm.returncode == 0:
        return
    os.remove(lock)
    for word in UNREACHABLE:
        if word in npm.stdout:
            print(f"skip: the npm registry cannot be reached ({word})")
            return
    sys.exit("npm ci failed:\n" + npm.stdout)


def on_path(program):
    return None if shutil.which(program) else f"{program} is not installed"


def go_program(name, cgo):
    """Builds it when the source is newer; why it cannot be had, or None."""
    program = f"{FOLDER}/{name}"
    source = f"{CLIENTS}/retry.go"
    if not shutil.which("go"):
        return "go is not installed"
    if cgo == "1" and not shutil.which("gcc"):
        return "gcc is not installed"
    if (os.path.exists(program) and
            os.path.getmtime(program) > os.path.getmtime(source)):
        return None
    os.makedirs(FOLDER, exist_ok=True)
    env = {**os.environ, "CGO_ENABLED": cgo, "GOPROXY": "off",
           "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod",
           "GOCACHE": f"{FOLDER}/go-cache"}
    subprocess.run(["go", "build", "-o", program, source], check=True,
                   env=env, cwd=FOLDER)
    return None


def with_requests():
    found = subprocess.run(["/usr/bin/python3", "-c", "import requests"],
                           stderr=subprocess.DEVNULL, check=False)
    return None if found.returncode == 0 else "requests is not installed"


def fetched(path):
    return None if os.path.exists(path) else NOT_FETCHED


# curl knows no reset of a usage limit, and only the errors it is told of.
CURL_COMMANDS = {
    "retry-after-3600": [*CURL, "--retry", "3", "{BASE}/v1/messages"],
    "overloaded-twice": [*CURL, "--retry", "3", "--retry-all-errors",
                         "{BASE}/v1/messages"],
    "usage-limit-with-retry-after": [*CURL, "--retry", "3",
                                     "{BASE}/v1/messages"],
    "silent-stream": [*CURL, "--max-time", "300", "{BASE}/v1/messages"],
}

# name: (None or why not, command or one for each scenario)
RUNTIMES = {
    "python-threads": (lambda: None,
                       [sys.executable, f"{CLIENTS}/urllib_threads.py"]),
    "python-asyncio": (lambda: None,
                       [sys.executable, f"{CLIENTS}/asyncio_streams.py"]),
    "python-requests": (with_requests,
                        ["/usr/bin/python3", f"{CLIENTS}/requests_loop.py"]),
    "node": (lambda: on_path("node"), ["node", f"{CLIENTS}/fetch.mjs"]),
    "bun": (lambda: fetched(BUN), [BUN, f"{CLIENTS}/fetch.mjs"]),
    "java": (lambda: on_path("javac") and on_path("java"),
             ["java", f"{CLIENTS}/Retry.java"]),
    "go-static": (lambda: go_program("go-static", "0"),
                  [f"{FOLDER}/go-static"]),
    "go-dynamic": (lambda: go_program("go-dynamic", "1"),
                   [f"{FOLDER}/go-dynamic"]),
    "curl": (lambda: on_path("curl"), CURL_COMMANDS),
    "bash": (lambda: on_path("curl"), ["bash", f"{CLIENTS}/retry.bash"]),
}


def command(name, scenario):
    """None: that runtime has no such test."""
    how = RUNTIMES[name][1]
    if isinstance(how, list):
        return None if scenario == "usage-limit-with-retry-after" else how
    return how.get(scenario)

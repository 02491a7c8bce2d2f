"""What the checks of this folder share: the built program, and its runs."""
import json
import os
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
POLICY = f"{TREE}/tests/policies/guard.json"


class Run:
    """One call of faultwire: code, out, err, and its JSON report."""

    def __init__(self, program, args, cwd=None, report=True, env=None):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/report.json"
            words = list(args)
            if report:
                words[1:1] = ["--report", f"json={path}"]
            done = subprocess.run([program, *words], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, cwd=cwd,
                                  timeout=900, env=env, errors="replace")
            self.code, self.out, self.err = (done.returncode, done.stdout,
                                             done.stderr)
            self.report = None
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    self.report = json.load(file)

    def scenarios(self):
        return {s["name"]: s for s in self.report["scenarios"]}

    def verdict(self):
        """Of a run of one scenario."""
        return self.report["scenarios"][0]["verdict"]


class Checks:
    """Named checks; the last line counts."""

    def __init__(self):
        self.good, self.bad = 0, 0

    def check(self, name, holds, why=""):
        self.good += bool(holds)
        self.bad += not holds
        print("ok" if holds else "not ok", "-", name, flush=True)
        if not holds and why:
            print("  | " + str(why).replace("\n", "\n  | "), flush=True)

    def end(self):
        print(f"{self.good} passed, {self.bad} failed")
        sys.exit(1 if self.bad or not self.good else 0)


def build(argv):
    """The folder with the programs."""
    folder = argv[1] if len(argv) > 1 else f"{TREE}/build/release"
    if not os.access(f"{folder}/faultwire", os.X_OK):
        sys.exit(f"missing: {folder}/faultwire")
    return os.path.abspath(folder)


def guard(folder):
    """guard as tests/policies/guard.json describes it (scripts/steps)."""
    words = ("http --provider {PROVIDER} --mode {MODE} -p hello --base 1.2 "
             "--attempts 4 --deadline 20 --timeout 25 --first-byte-timeout 2 "
             "--idle-timeout 2 --cooldown 3 --once {WORK} "
             "--after-cut {AFTER_CUT}")
    return [f"{folder}/guard", *words.split()]


def guard_command(folder):
    words = ("--base 1.2 --attempts 4 --deadline 20 --timeout 2 --cooldown 3 "
             "-- {COMMAND} --print hello")
    return [f"{folder}/guard", *words.split()]

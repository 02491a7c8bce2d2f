"""Runs `faultwire test` for one client and one scenario and reads its report;
shared by tests/clients/check and tests/real/run."""
import json
import os
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def program():
    path = os.environ.get("FAULTWIRE", f"{TREE}/build/release/faultwire")
    if not os.access(path, os.X_OK):
        sys.exit(f"missing: {path} (scripts/build, or FAULTWIRE=program)")
    return path


def scenario_path(address):
    shipped = f"{TREE}/harness/scenarios/{address}.json"
    return shipped if os.path.exists(shipped) else f"{TREE}/{address}.json"


def kind_by_clock(wanted, result):
    """Only virtual time tells a client that is stalled from one that hangs."""
    virtual = result.get("time", {}).get("mode") == "virtual"
    return "hang" if wanted == "stalled" and not virtual else wanted


def sweep(client, address, options=()):
    """The verdicts of a sweep's points in order, the number of the first bad
    one (None: none is), and the reasons of those that did not pass."""
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report.json"
        subprocess.run(
            [program(), "test", "--jobs", "4", "--report", f"json={report}",
             *options, scenario_path(address), "--", *client],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=300)
        if not os.path.exists(report):
            return [], None, ["there is no report"]
        with open(report, encoding="utf-8") as file:
            found = json.load(file)["scenarios"]
    bad = [point["sweep"]["point"] for point in found
           if point["sweep"].get("first_bad")]
    return ([point["verdict"] for point in found], bad[0] if bad else None,
            [f"{point['name']}: {point['reason']}" for point in found
             if point["verdict"] != "pass"])


def judge(client, address, options=()):
    """The scenario's object of the JSON report, with "red" (the names of the
    failed checks) and "text" (what was printed) added."""
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report.json"
        done = subprocess.run(
            [program(), "test", "--jobs", "1", "--report", f"json={report}",
             *options, scenario_path(address), "--", *client],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=300)
        if not os.path.exists(report):
            return {"verdict": "error", "kind": None, "red": [], "checks": [],
                    "attempts": [], "text": done.stdout}
        with open(report, encoding="utf-8") as file:
            result = json.load(file)["scenarios"][0]
    result["red"] = sorted({check["check"] for check in result["checks"]
                            if check["verdict"] == "fail"})
    result["text"] = done.stdout
    return result

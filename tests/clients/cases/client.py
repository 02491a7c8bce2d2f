#!/usr/bin/env python3
"""The control for the incidents of cases.json: one right client of four
providers, or of a command behind `--`; for one call, or several with -p again.
--bug NAME gives it the mistake of an incident, see bugs.py. Options are those
of guard; ones it does not know are let pass."""
import json
import os
import random
import signal
import sys
import time
import types

from asked import Asked
from breaker import Breaker
from judge import LIMITS, CommandJudge, Judge
from sse import Streams
from wire import Failure, Wire

# Behind the head of a wait stands a random share, so that clients that were
# told the same do not come back together.
SPREAD_S = 1.0


class Client(Breaker, Judge, CommandJudge, Asked, Streams, Wire):
    hits = attempts = retries_done = timeouts = truncated = 0
    backoff_total = 0.0

    def __init__(self, options):
        self.o = options
        self.began = time.monotonic()

    def left_s(self):
        return self.o.deadline - (time.monotonic() - self.began)

    # --- one piece of work ------------------------------------------------

    def work(self, once):
        """once() is one try. Its result, or the Failure that ended it."""
        for number in range(1, self.o.attempts + 1):
            self.begin()
            try:
                with self.place():
                    result = once()
                self.report(None)
                return result
            except Failure as failure:
                self.note(failure)
                opened = self.opened
                self.report(failure)
                if (not self.retries(failure) or self.opened > opened
                        or number == self.o.attempts):
                    raise
                wait_s = self.wait_s(failure, number)
                if wait_s > self.longest_s(failure):
                    raise
                self.announce(number, wait_s)
                self.sleep(wait_s)
        return None

    def begin(self):
        cls = self.refusal()
        if cls:
            self.rejected += 1
            raise Failure(cls, "the breaker is open")
        self.attempts += 1

    def note(self, failure):
        self.hits += failure.cls in LIMITS
        self.truncated += failure.cls == "stream_interrupted"
        self.say(f"class={failure.cls} {failure}")

    def wait_s(self, failure, number):
        """What was asked for, and a share of chance; else own backoff."""
        if failure.asked_s is not None:
            return failure.asked_s + random.uniform(0.05, SPREAD_S)
        return self.backoff_s(number)

    def backoff_s(self, number):
        """The ranges of two waits behind each other do not meet."""
        return self.o.base * 2 ** (number - 1) * random.uniform(0.8, 1.2)

    def longest_s(self, failure):
        """A longer wait is not slept: better an error now."""
        return min(self.o.cap, self.left_s())

    def announce(self, number, wait_s):
        self.say(f"attempt {number + 1}: retry in {wait_s:.2f} s")

    def sleep(self, wait_s):
        self.backoff_total += wait_s
        self.retries_done += 1
        time.sleep(wait_s)

    # --- calls and commands -----------------------------------------------

    def one_call(self, prompt):
        answer = self.work(lambda: self.call(prompt))
        for name, arguments in answer.tools:
            self.run_tool(name, arguments)
        return answer.text

    def run_tool(self, name, arguments):
        """Only of a whole answer. Nothing but its name is written down."""
        code = (json.loads(arguments or "{}") or {}).get("code")
        self.effect(f"executed_code {code}" if code
                    else f"tool_executed {name}")

    def one_command(self):
        import subprocess
        done = subprocess.Popen(self.o.command, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, text=True)
        try:
            out, err = done.communicate(timeout=self.o.timeout)
        except subprocess.TimeoutExpired:
            done.kill()
            raise Failure("timeout", "the command does not end") from None
        self.classify_text(out, err, done.returncode)
        return out.rstrip("\n")

    def effect(self, line):
        with open(os.environ["FAULTWIRE_SIDE_EFFECTS"], "a",
                  encoding="utf-8") as file:
            file.write(line + "\n")

    # --- the whole run ----------------------------------------------------

    def say(self, text):
        print(f"client: {text}", file=sys.stderr, flush=True)

    def print_metrics(self):
        print(f"rate_limit metrics label=client state={self.state_word()} "
              f"hits={self.hits} rejected={self.rejected} "
              f"opened={self.opened} backoff_total={self.backoff_total:.1f}s "
              f"attempts={self.attempts} retries={self.retries_done} "
              f"timeouts={self.timeouts} truncated={self.truncated}",
              file=sys.stderr, flush=True)

    def on_signal(self, number, frame):
        raise SystemExit(128 + number)

    def run(self, prompts):
        """0; 1 when one failed; 75 when it had better be done later."""
        code = 0
        for number, prompt in enumerate(prompts):
            time.sleep(self.o.pause if number else 0)
            self.began = time.monotonic()
            try:
                print(self.one_command() if prompt is None
                      else self.one_call(prompt), flush=True)
            except Failure as failure:
                code = max(code, 75 if failure.cls in LIMITS else 1)
                self.failed(failure)
        return code

    def failed(self, failure):
        self.say(f"failed: class={failure.cls} {failure}")

    def main(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.on_signal)
        try:
            code = self.run(self.o.prompt)
        finally:
            self.print_metrics()
        return code


class CommandClient(Client):
    def run(self, prompts):
        return super().run([None])

    def one_command(self):
        return self.work(super().one_command)


DEFAULTS = {"bug": "", "provider": "anthropic", "mode": "stream",
            "deadline": 12.0, "cap": 300.0, "base": 1.2, "timeout": 10.0,
            "first-byte-timeout": 2.0, "idle-timeout": 2.0, "cooldown": 3.0,
            "pause": 0.0, "attempts": 4, "timeout-retries": 1,
            "breaker-hits": 3, "places": 3,
            "breaker-counts": "rate_limit,overloaded,usage_limit,"
                              "quota_exhausted"}


def options(words):
    """argparse would take as long to load as all the rest."""
    at = words.index("--") if "--" in words else len(words)
    known, prompts = dict(DEFAULTS), []
    for word, value in zip(words[:at], words[1:at]):
        name = word.removeprefix("--")
        if word in ("-p", "--prompt"):
            prompts.append(value)
        elif word != name and name in known:
            known[name] = type(known[name])(value)
    return types.SimpleNamespace(
        prompt=prompts or ["hello"], command=words[at + 1:],
        **{name.replace("-", "_"): value for name, value in known.items()})


def main(words):
    chosen = options(words)
    kind = CommandClient if chosen.command else Client
    if chosen.bug:
        import bugs
        kind = bugs.spoil(kind, chosen.bug)
    return kind(chosen).main()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

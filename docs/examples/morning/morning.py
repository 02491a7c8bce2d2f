#!/usr/bin/env python3
"""A morning of the first source article: at five o'clock ten symbols are
analysed, each by one start of `claude --print`, three at a time. What the
agent says about limits is on its stdout; the last line counts, at zero too.
CLAUDE names the command; MORNING_NOW=1 does not wait for five o'clock."""
import concurrent.futures
import datetime
import os
import subprocess
import sys
import threading
import time

SYMBOLS = ["AAPL", "AMZN", "GOOG", "META", "MSFT", "NFLX", "NVDA", "ORCL",
           "TSLA", "UBER"]
AT_ONCE = threading.Semaphore(3)
LIMIT_WORDS = ("Request rejected (429)", "API Error: 429", "API Error: 529",
               "limit reached")


def wait_for_five():
    now = datetime.datetime.now()
    five = now.replace(hour=5, minute=0, second=0, microsecond=0)
    if five <= now:
        five += datetime.timedelta(days=1)
    time.sleep((five - now).total_seconds())


def analyse(symbol):
    """"done", "limited" or "failed"."""
    with AT_ONCE:
        agent = subprocess.run(
            [os.environ.get("CLAUDE", "claude"), "--print",
             f"Analyse {symbol}.", "--output-format", "text"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, check=False)
    limited = any(words in agent.stdout for words in LIMIT_WORDS)
    found = ("done" if agent.returncode == 0 and not limited
             else "limited" if limited else "failed")
    print(f"{datetime.datetime.now():%H:%M:%S} {symbol} {found}", flush=True)
    return found


def main():
    if not os.environ.get("MORNING_NOW"):
        wait_for_five()
    with concurrent.futures.ThreadPoolExecutor(len(SYMBOLS)) as pool:
        found = list(pool.map(analyse, SYMBOLS))
    print(f"rate_limit metrics label=morning hits={found.count('limited')} "
          f"done={found.count('done')} failed={found.count('failed')}")
    return 0 if "done" in found else 1


sys.exit(main())

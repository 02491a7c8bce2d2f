"""Mistakes about how long to wait. A class without an incident in its first
line is a part of others."""
import email.utils
import math
import random
import re
import signal
import threading
import time

from wire import Failure


class NoBreaker:
    def __init__(self, options):
        super().__init__(options)
        options.breaker_hits = 0


class NoEnd(NoBreaker):
    def __init__(self, options):
        super().__init__(options)
        options.attempts, options.deadline = 1000000, 1000000


class InStep:
    """Counts from the answer's date, so that load cannot spread them."""
    date = ""

    def refused(self, answer, body):
        self.date = answer.headers["date"]
        super().refused(answer, body)

    def sleep(self, wait_s):
        told = email.utils.parsedate_to_datetime(self.date).timestamp()
        super().sleep(max(told + 1 + wait_s - time.time(), 0))


class IgnoresHeader:
    """B014, B157: the policy is given the number of the attempt, no more."""

    def wait_s(self, failure, number):
        return self.backoff_s(number)


class IgnoresHeaderInStep(InStep, IgnoresHeader):
    """B007: and its ladder has no chance in it: all workers on one beat."""

    def backoff_s(self, number):
        return 0.4 * 2 ** number


class NoJitter(InStep):
    """B132: what was asked for to the millisecond, by all of them."""

    def wait_s(self, failure, number):
        return failure.asked_s or self.backoff_s(number)


class MillisecondsOnly:
    """B015: knows retry-after-ms, and the body of nobody."""

    def retry_after_s(self, value):
        return None

    def body_s(self, error):
        return None


class NoBackoff(NoBreaker):
    """B017, B158, B159: all tries within a second."""

    def __init__(self, options):
        super().__init__(options)
        options.attempts = 30

    def wait_s(self, failure, number):
        return 0.02


class SecondsAsMilliseconds:
    """B018: a wait of seconds, given to a sleep of milliseconds."""

    def sleep(self, wait_s):
        super().sleep(wait_s / 1000)


class WholeSecondsOnly:
    """B024: int() of 2.5 fails, so nothing was asked for."""

    def header_s(self, headers):
        try:
            return float(int(headers["retry-after"]))
        except (TypeError, ValueError):
            return None

    def body_s(self, error):
        return None


class NegativeWait(NoBreaker):
    """B026: min(-5, 600) is -5."""

    def retry_after_s(self, value):
        return min(float(value), 600)

    def wait_s(self, failure, number):
        return failure.asked_s

    def announce(self, number, wait_s):
        self.say(f"waiting {wait_s}s")

    def sleep(self, wait_s):
        super().sleep(max(wait_s, 0))


class HeaderAboveCeiling(NoBreaker):
    """B030: every branch knows the ceiling, but that of the header; and an
    epoch is so many seconds."""

    def moment_s(self, number):
        return number

    def retries(self, failure):
        return True

    def longest_s(self, failure):
        return math.inf if failure.asked_s else super().longest_s(failure)


class SleepsAsTold(NoBreaker):
    """B051, B052: whatever the server says, in a process that says nothing."""

    def longest_s(self, failure):
        return math.inf

    def retries(self, failure):
        return True


class ClampsTheWait(NoBreaker):
    """B054, B055: 9 s or two hours, asked again after 3 s."""

    def wait_s(self, failure, number):
        return min(super().wait_s(failure, number), 3)

    def retries(self, failure):
        return True


class EndlessObedience(NoEnd):
    """B056, B057: each wait is obeyed, and there is always another."""

    def wait_s(self, failure, number):
        return failure.asked_s + 0.02


class WaitsOverTheBudget(NoBreaker):
    """B058: sleeps until the time for retries is over, then once more."""

    def __init__(self, options):
        super().__init__(options)
        options.attempts = 2

    def longest_s(self, failure):
        return math.inf

    def wait_s(self, failure, number):
        return min(super().wait_s(failure, number), 6)


class NoOverallLimit(SleepsAsTold):
    """B060: a limit a try, none for all; and Ctrl-C does not cut a sleep."""

    def on_signal(self, number, frame):
        self.say("interrupted")


class CancelIgnored(NoBreaker):
    """B063: the stop button ends the sleep, and the next try begins."""
    stop = None

    def on_signal(self, number, frame):
        self.stop.set()

    def sleep(self, wait_s):
        self.stop = threading.Event()
        signal.siginterrupt(signal.SIGTERM, True)
        self.stop.wait(wait_s)


class SuperscriptDigit:
    """B034: isdigit() is true of what int() does not read."""

    def retry_after_s(self, value):
        text = (value or "").encode("latin-1").decode("utf-8", "replace")
        return float(int(text)) if text.isdigit() else None


class JunkIsZero:
    """B035: the first repair took 1000abc for 0."""

    def retry_after_s(self, value):
        whole = re.fullmatch(r"\d+", value or "")
        return float(whole[0]) if whole else 0.0

    def wait_s(self, failure, number):
        return failure.asked_s


class JoinedHeader:
    """B033: two lines joined are "2, 2", and no valid header."""

    def header_s(self, headers):
        joined = ", ".join(headers.get_all("retry-after") or [])
        if joined and not joined.isdigit():
            raise Failure("invalid_request", f"invalid header: {joined}")
        return super().header_s(headers)


class BodyUnread(NoBreaker):
    """B037, B050: a wait that stands in the body alone is none."""

    def body_s(self, error):
        return None

    def backoff_s(self, number):
        return 0.3 * 2 ** (number - 1)


class ResetHeadersUnread(BodyUnread):
    """B046: nor is one that stands in the times of the quotas."""

    def reset_headers_s(self, headers):
        return None


class FasterAfterFailure(NoBreaker):
    """B049: reads a field of the body, never the header; 4 s, 2 s, 1 s."""

    def wait_s(self, failure, number):
        return 4 / 2 ** number


class EqualGaps(NoBreaker):
    """B084, B166: the multiplier is configured, and not used."""

    def backoff_s(self, number):
        return 1.0


class OneASecond(NoEnd):
    """B131: an exponent that is off by one, and no maximum."""

    def backoff_s(self, number):
        return 0.9 + 0.1 * random.random()


class WaitsAfterTheLast:
    """B085: the retries are over, and it waits for one that never comes."""

    def failed(self, failure):
        time.sleep(1000000)


class NanCast:
    """B160: what is not finite is cast to a whole number."""

    def body_s(self, error):
        at = error.get("resets_at")
        return None if at is None else int(at) - time.time()

"""Mistakes about connections, time-outs, layers of retries and the breaker."""
import time

from bugs_waits import NoBreaker, NoEnd
from wire import Failure


class PerByteTimeout:
    """B062: a limit on silence, none on the whole."""

    def limit_read(self, until):
        pass


class LibraryTimeout:
    """B121: the library's own limit undercuts the one that was set."""

    def first_byte_s(self):
        return 0.4

    def retries(self, failure):
        return False


class HiddenRetries(NoBreaker):
    """B123, B130: below each try that is counted there are two more."""

    def send(self, body):
        for _ in range(2):
            try:
                answer = super().send(body)
                if answer.status == 200:
                    return answer
                answer.read()
            except OSError:
                self.drop()
            time.sleep(0.05)
        return super().send(body)

    def first_byte_s(self):
        return 0.7


class PaidAndLeft(HiddenRetries):
    """B124: an answer that is slower than the limit is paid, and asked for
    again."""


class SilentLayer(HiddenRetries, NoEnd):
    """B125: the lower layer's tries fill the time, and nobody says so."""

    def retries(self, failure):
        return True

    def say(self, text):
        pass

    def print_metrics(self):
        pass


class ReusesDeadSocket:
    """B143: the pool does not look at a socket before it hands it out."""

    def is_stale(self, sock):
        return False

    def replays(self, error):
        return False

    def retries(self, failure):
        return False


class NoReplay:
    """B144: the replay was switched off for all that writes."""

    def replays(self, error):
        return False

    def retries(self, failure):
        return False


class UnreadBodyHoldsThePool:
    """B145: the refusal's body is never read, so its connection is never
    free, and the pool has no other."""

    def pieces(self, answer):
        if answer.status == 200:
            yield from super().pieces(answer)

    def connect(self):
        if self.raw and not self.raw.isclosed():
            time.sleep(1000000)
        super().connect()

    def drop(self):
        pass


class BodyUsedUp:
    """B146: the body was a stream, and the first try has read it."""
    used_up = False

    def send(self, body):
        body, self.used_up = b"" if self.used_up else body, True
        return super().send(body)


class ResetEndsTheSession:
    """B147, B149, B164: "connection lost" is not among the words that the
    outer layer looks for."""

    def transport(self, error):
        return Failure("other", "read ECONNRESET", retry=False)


class ProbeKeepsThePlace:
    """B133: an end of the probe that is neither gives nothing back."""

    def report(self, failure):
        neither = failure and failure.cls in ("invalid_request", "other")
        if not (self.probing and neither):
            super().report(failure)

    def may_probe(self, state, now):
        return not state["probe"]


class HalfOpenHerd:
    """B136, B142: behind the cooling everybody may try, and there are as many
    places as callers."""

    def __init__(self, options):
        super().__init__(options)
        options.first_byte_timeout = 4

    def may_probe(self, state, now):
        return True

    def opens(self, state, failure):
        super().opens(state, failure)
        state["until"] = time.time() + 0.5
        self.opened -= 1  # the call goes on, and is let through as well

    def place(self):
        return open("/dev/null", "rb")


class OpenUntilRestart:
    """B137: each 429 opens it, and nothing closes it."""

    def hit(self, state, failure):
        state.update(until=time.time() + 1000000, cls=failure.cls)
        self.opened += 1


class LimitIsSuccess(NoEnd):
    """B138: below 500 all is well: nothing opens, nothing rests."""

    def note(self, failure):
        pass

    def wait_s(self, failure, number):
        return 0.5


class TransportErrorIsResponse:
    """B139: an exception without any response is "response received"."""

    def reachable(self, failure):
        return failure is None or failure.cls == "stream_interrupted"

    def wait_s(self, failure, number):
        return 0.05

    def retries(self, failure):
        return True


class AnswerIsIgnored:
    """B141: a timely 404 counts as nothing, and the breaker stays open."""

    def report(self, failure):
        if not self.probing or not failure or failure.cls != (
                "invalid_request"):
            return super().report(failure)
        self.probing = False
        with self.shared() as state:
            state.update(probe=0, until=time.time() + 1000)
        return None

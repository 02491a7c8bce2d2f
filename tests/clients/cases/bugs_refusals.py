"""Mistakes about what a refusal, or the output of a command, means."""
import json

from bugs_waits import NoBreaker
from wire import Failure


class RetriesUsageLimit(NoBreaker):
    """B041, B042, B043: a limit of days is a passing error, its reset is not
    looked for."""

    def body_s(self, error):
        return None

    def reset_headers_s(self, headers):
        return None

    def retries(self, failure):
        return True

    def classify(self, status, error, body):
        return "rate_limit" if status == 429 else "server_error"

    def wait_s(self, failure, number):
        return self.o.base / 2


class OwnLadder:
    """B044: a cooling of its own stands in for the header."""

    def refused(self, answer, body):
        raise Failure("rate_limit", "429")


class QuotaFailureWins:
    """B038: a QuotaFailure of a minute is taken for that of the day."""

    def classify(self, status, error, body):
        if "QuotaFailure" in body:
            return "quota_exhausted"
        return super().classify(status, error, body)


class AuthWordWins:
    """B074: a word of the body wins over the status."""

    def classify(self, status, error, body):
        if "plan" in body or "account" in body:
            return "auth"
        return super().classify(status, error, body)

    def failed(self, failure):
        self.say("authentication failed, please log in again")


class TimeoutWordFirst:
    """B075: "timeout" is looked for before "rate limit"."""

    def classify(self, status, error, body):
        if "timeout" in body.lower():
            return "timeout"
        return super().classify(status, error, body)

    def wait_s(self, failure, number):
        return 0.2 if failure.cls == "timeout" else super().wait_s(failure,
                                                                   number)


class JsonOrCrash:
    """B077: every error body is JSON."""

    def refused(self, answer, body):
        json.loads(body)
        super().refused(answer, body)


class PageShownRaw:
    """B166: a body it does not know is no reason to ask again."""

    def refused(self, answer, body):
        if not body.startswith(b"{"):
            raise Failure("invalid_request", body.decode())
        super().refused(answer, body)


class RetriesQuota(NoBreaker):
    """B079: no money left is a 429, and a 429 is retried."""

    def classify(self, status, error, body):
        return "rate_limit" if status == 429 else super().classify(
            status, error, body)


class TriesEveryAccount:
    """B081: a wrong request might be right elsewhere."""

    def retries(self, failure):
        return True


class RetriesClientErrors:
    """B162: one flag for "is retryable" and "has said something"."""

    def retries(self, failure):
        self.hits += 1
        return True


class Unknown529:
    """B083: a generic error, which is in no list."""

    def classify(self, status, error, body):
        return "invalid_request" if status == 529 else super().classify(
            status, error, body)


class SilentLimits:
    """B073: nobody can tell how often."""

    def say(self, text):
        pass

    def print_metrics(self):
        pass


class StartsAgain(NoBreaker):
    """B064: knows no epoch behind a bar: whatever fails is started again,
    and nothing is kept for the next start."""

    def classify_text(self, out, err, code):
        if code != 0:
            raise Failure("server_error", f"exit {code}")


class ExitZeroIsSuccess:
    """B068: what is printed before exit 0 is the answer of the model."""

    def classify_text(self, out, err, code):
        if code != 0:
            super().classify_text(out, err, code)


class LimitIsWork:
    """B069: each limit is a failed fix; after some of them the item is
    marked."""

    def one_command(self):
        for _ in range(136):
            self.attempts += 1
            self.o.attempts = 1
            text = self.output()
            if "fixed" in text:
                return text
            self.effect("work_item_marked_failed")
        raise Failure("other", "136 failed fixes")

    def classify_text(self, out, err, code):
        pass

    def output(self):
        return super().one_command()


class StderrAfterFailureOnly:
    """B071: a limit is looked for on stderr, behind an exit code."""

    def classify_text(self, out, err, code):
        if code != 0:
            super().classify_text("", err, code)

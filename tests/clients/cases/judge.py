"""What a refusal means: its class, and whether and when to ask again."""
import re

from asked import error_of, first
from wire import Failure

LIMITS = ("rate_limit", "overloaded", "usage_limit", "quota_exhausted")
PASSING = ("rate_limit", "overloaded", "server_error", "stream_interrupted",
           "timeout")
# A wait that is told in hours is that of a plan's window.
WINDOW_S = 3600
QUOTA = ("insufficient_quota", "billing_not_active", "PerDay")
USAGE = ("usage_limit_reached", "usage_not_included")
OVERLOADED = ("overloaded_error", "overloaded", "server_is_overloaded",
              "UNAVAILABLE")


class Judge:
    """Mixed into Client."""

    def refused(self, answer, body):
        """Raises the Failure that a status other than 200 is."""
        error = error_of(body)
        asked_s = first(self.header_s(answer.headers), self.body_s(error))
        cls = self.classify(answer.status, error, body.decode(
            "utf-8", "replace"))
        if answer.headers["anthropic-ratelimit-unified-status"] == "rejected":
            cls = "usage_limit"
        if cls == "rate_limit" and asked_s and asked_s > WINDOW_S:
            cls = "usage_limit"
        retry = answer.headers["x-should-retry"] != "false"
        raise Failure(cls, self.words(answer.status, error),
                      asked_s, None if retry else False)

    def words(self, status, error):
        """Short, and of a page nothing but its status."""
        return f"{status} {error.get('message') or ''}".strip()

    def classify(self, status, error, body):
        kind = " ".join(str(error.get(key) or "")
                        for key in ("type", "code", "status"))
        details = str(error.get("details") or "")
        if "insufficient_quota" in kind or any(q in details for q in QUOTA):
            return "quota_exhausted"
        if any(word in kind for word in USAGE):
            return "usage_limit"
        if status == 529 or any(word in kind.split() for word in OVERLOADED):
            return "overloaded"
        if status == 429 or "rate_limit" in kind or (
                "RESOURCE_EXHAUSTED" in kind):
            return "rate_limit"
        if status in (401, 403) or "authentication" in kind:
            return "auth"
        if status in (408, 504):
            return "timeout"
        return "invalid_request" if 400 <= status < 500 else "server_error"

    def in_stream_error(self, event):
        """An error in a 200 is as much of one as a status."""
        error = event.get("error") or event
        if isinstance(event.get("response"), dict):
            error = event["response"].get("error") or {}
        error = error if isinstance(error, dict) else {"message": str(error)}
        code = error.get("code")
        status = code if isinstance(code, int) else 500
        raise Failure(self.classify(status, error, str(event)),
                      f"error in the stream: {error.get('message') or ''}",
                      self.body_s(error))

    def retries(self, failure):
        if failure.retry is False:
            return False
        if failure.cls == "timeout":
            self.timeouts += 1
            return self.timeouts <= self.o.timeout_retries
        return failure.cls in PASSING


# What a command prints when it was limited, by the class that it means.
TEXTS = (("usage_limit", r"usage limit reached\|(?P<epoch>\d+)"),
         ("usage_limit", r"(?i)(hit|reached) your .{0,12}limit"
                         r"|usage limit"),
         ("overloaded", r"(?i)API Error.{0,12}529|overloaded_error"),
         ("rate_limit", r"(?i)API Error.{0,12}(429|rate limit)"
                        r"|rate_limit_error"),
         ("auth", r"API Error: 401|Invalid API key|/login"))


class CommandJudge:
    """The same for the output of a command, whatever stream and exit code."""

    def classify_text(self, out, err, code):
        for cls, pattern in TEXTS:
            match = re.search(pattern, out + err)
            if match:
                epoch = match.groupdict().get("epoch")
                raise Failure(cls, match[0],
                              first(epoch and self.moment_s(float(epoch)),
                                    self.text_s(out + err)))
        if code != 0:
            raise Failure("other", f"exit {code}")

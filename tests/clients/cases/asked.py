"""How long the server asks to wait: headers, bodies and sentences. Each
function is one place where incidents went wrong; bugs.py replaces them."""
import datetime
import email.utils
import json
import math
import re
import time

# An answer names seconds up to a month; above that it is a moment (an epoch in
# seconds, or in milliseconds) that stands in the wrong place.
EPOCH_FROM_S, EPOCH_MS_FROM = 1e9, 1e12
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


class Asked:
    """Mixed into Client; every answer is seconds from now, or None."""

    def header_s(self, headers):
        values = [headers["retry-after-ms"], headers["retry-after"]]
        return first(ms(values[0]), self.retry_after_s(values[1]),
                     self.reset_headers_s(headers))

    def retry_after_s(self, value):
        """None too for what is no number and no date, and below zero."""
        value = (value or "").strip()
        number = re.match(r"([0-9]+(?:\.[0-9]+)?)(?: *,|$)", value)
        if number:  # or the first of a list, as doubled headers are
            return self.moment_s(float(number[1]))
        try:
            when = email.utils.parsedate_to_datetime(value)
            wait_s = when.timestamp() - time.time()
            return wait_s if wait_s > 0 else None
        except (ValueError, TypeError, IndexError):
            return None

    def moment_s(self, number):
        if number >= EPOCH_MS_FROM:
            number = number / 1000 - time.time()
        elif number >= EPOCH_FROM_S:
            number -= time.time()
        return number

    def reset_headers_s(self, headers):
        """The latest reset of the quotas that are used up."""
        waits = [self.moment_s(float(value))
                 for name, value in headers.items()
                 if re.fullmatch(r"anthropic-ratelimit-unified-reset|"
                                 r"x-codex-primary-reset-at", name.lower())]
        for name, value in headers.items():
            match = re.fullmatch(r"anthropic-ratelimit-(\w+)-remaining",
                                 name.lower())
            reset = match and headers[f"anthropic-ratelimit-{match[1]}-reset"]
            if reset and value == "0":
                waits.append(rfc3339_s(reset))
        return max(waits, default=None)

    def body_s(self, error):
        """Fields first, then the sentence."""
        seconds = error.get("resets_in_seconds")
        if finite(seconds) and seconds > 0:
            return float(seconds)
        if finite(error.get("resets_at")):
            return self.moment_s(float(error["resets_at"]))
        for detail in error.get("details") or []:
            if str(detail.get("@type", "")).endswith("RetryInfo"):
                return duration_s(detail.get("retryDelay", ""))
        return self.text_s(str(error.get("message") or ""))

    def text_s(self, text):
        match = re.search(r"(?i)(?:try again|retry|reset after|resets in)"
                          r"(?: in)? ((?:[\d.]+ ?(?:ms|seconds?|[dhms]) ?)+)",
                          text)
        return duration_s(match[1]) if match else None


def first(*values):
    return next((value for value in values if value is not None), None)


def finite(value):
    return (isinstance(value, (int, float)) and not isinstance(value, bool)
            and math.isfinite(value))


def ms(value):
    return float(value) / 1000 if value and value.isdigit() else None


def duration_s(text):
    """12h34m16s, 6.379s, 20ms, 4 seconds."""
    parts = re.findall(r"([\d.]*\d) ?(ms|s|m|h|d)", text)
    return sum(float(n) * UNITS[unit] for n, unit in parts) if parts else None


def rfc3339_s(text):
    try:
        when = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        return max(when.timestamp() - time.time(), 0)
    except ValueError:
        return None


def error_of(body):
    """The error object of any provider's body, {} when there is none."""
    try:
        data = json.loads(body)
    except ValueError:
        return {}
    data = data[0] if isinstance(data, list) and data else data
    if not isinstance(data, dict):
        return {}
    error = data.get("error", data.get("response"))
    if isinstance(error, dict) and isinstance(error.get("error"), dict):
        error = error["error"]
    return error if isinstance(error, dict) else {}

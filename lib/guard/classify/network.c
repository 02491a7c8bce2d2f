/*
 * Failures below HTTP as Node, libuv, undici and curl print them. A refused
 * connection is a server that is away; a reset is a stream that was cut.
 */
#include "guard/classify/output.h"

static const struct guard_word failures[] = {
    {"connect ECONNREFUSED", GUARD_SERVER_ERROR},
    {"connect ETIMEDOUT", GUARD_TIMEOUT},
    {"connect ECONNRESET", GUARD_SERVER_ERROR},
    {"getaddrinfo ", GUARD_SERVER_ERROR},
    {"read ECONNRESET", GUARD_STREAM_INTERRUPTED},
    {"write EPIPE", GUARD_STREAM_INTERRUPTED},
    {"socket hang up", GUARD_STREAM_INTERRUPTED},
    {"read ETIMEDOUT", GUARD_TIMEOUT},
    {"Headers Timeout Error", GUARD_TIMEOUT},
    {"Body Timeout Error", GUARD_TIMEOUT},
    {"Connection error", GUARD_SERVER_ERROR},
    {"fetch failed", GUARD_SERVER_ERROR},
    {"Premature close", GUARD_STREAM_INTERRUPTED},
    {"ECONNRESET", GUARD_STREAM_INTERRUPTED},
    {"terminated", GUARD_STREAM_INTERRUPTED},
    {"other side closed", GUARD_STREAM_INTERRUPTED},
    {NULL, GUARD_NONE},
};

/* curl's exit codes, which it also prints: man curl, EXIT CODES. */
static enum guard_class class_of_curl(int64_t code)
{
  switch (code) {
  case 6:  /* host not resolved */
  case 7:  /* connection refused */
  case 35: /* TLS handshake */
    return GUARD_SERVER_ERROR;
  case 28: /* time-out */
    return GUARD_TIMEOUT;
  case 18: /* partial file */
  case 52: /* empty reply */
  case 55: /* send failed */
  case 56: /* receive failed: reset */
  case 92: /* HTTP/2 stream error */
    return GUARD_STREAM_INTERRUPTED;
  default:
    return GUARD_NONE;
  }
}

static bool curl(struct guard_scan s, struct guard_verdict *ret)
{
  int64_t code;
  int status;
  enum guard_class cls;

  if (!guard_scan_lit(&s, "curl: (") || !guard_scan_number(&s, 999, &code) ||
      !guard_scan_lit(&s, ") "))
    return false;
  if (guard_scan_lit(&s, "The requested URL returned error: ") &&
      guard_scan_fixed(&s, 3, &status) && status >= 400) {
    *ret = guard_by_status(status);
    ret->rule = "curl: status";
    return true;
  }
  cls = class_of_curl(code);
  *ret = guard_verdict_of(cls, "curl: exit code");
  return cls != GUARD_NONE;
}

/* Also claude's whole answer, in all versions; "Request timed out is what
 * users report" is a sentence of a model. */
static bool is_timed_out(struct guard_scan s)
{
  return guard_scan_lit(&s, "Request timed out") &&
         (guard_scan_done(&s) || guard_scan_peek(&s) == '.' ||
          guard_scan_peek(&s) == '\n');
}

bool guard_line_network(const struct guard_evidence *e, struct guard_scan line,
                        struct guard_verdict *ret)
{
  struct guard_scan rest = line;

  (void)e;
  if (curl(line, ret))
    return true;
  if (!guard_scan_lit(&rest, "TypeError: "))
    guard_scan_lit(&rest, "Error: ");
  if (is_timed_out(rest)) {
    *ret = guard_verdict_of(GUARD_TIMEOUT, "network: timed out");
    return true;
  }
  for (const struct guard_word *f = failures; f->word; f++) {
    struct guard_scan s = rest;

    if (guard_scan_lit(&s, f->word)) {
      *ret = guard_verdict_of(f->cls, "network");
      return true;
    }
  }
  return false;
}

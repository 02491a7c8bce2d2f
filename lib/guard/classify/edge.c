/*
 * The edge in front of an API: Cloudflare's plain "error code: N". 1015 is
 * its own rate limit and comes with 429 or 403; 520 to 526 repeat the
 * status. Pages of nginx and others say no more than their status.
 */
#include "guard/classify/evidence.h"

bool guard_body_edge(const struct guard_evidence *e, struct guard_verdict *ret)
{
  struct guard_scan s = guard_scan_str(e->text);
  int64_t code;

  if (!guard_scan_lit(&s, "error code: ") ||
      !guard_scan_number(&s, 9999, &code))
    return false;
  guard_scan_blanks(&s);
  guard_scan_byte(&s, '\n');
  if (!guard_scan_done(&s))
    return false;
  if (code == 1015)
    *ret = guard_verdict_of(GUARD_RATE_LIMIT, "cloudflare: 1015");
  else if (code >= 500 && code <= 599)
    *ret = guard_by_status((int)code);
  else
    return false;
  return true;
}

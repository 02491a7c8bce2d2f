#include "mockserver/provider/limits.h"

#include <inttypes.h>

int64_t limit_seconds(int64_t us)
{
  return us / 1000000 + (us % 1000000 > 0);
}

int64_t limit_ms(int64_t us)
{
  return us / 1000 + (us % 1000 > 0);
}

void limit_grouped(int64_t n, struct buf *ret)
{
  if (n >= 1000) {
    limit_grouped(n / 1000, ret);
    buf_addf(ret, ",%03d", (int)(n % 1000));
  } else {
    buf_addf(ret, "%d", (int)n);
  }
}

void limit_retry_after(const struct limit_refusal *r, struct limit_answer *ret)
{
  int64_t s = limit_seconds(r->wait_us);
  snprintf(ret->retry_after, sizeof ret->retry_after, "%" PRId64,
           s > 0 ? s : 1);
  buf_addf(&ret->headers, "retry-after: %s\r\n", ret->retry_after);
}

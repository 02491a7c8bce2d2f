#include "mockserver/command/text.h"

#include "base/clock.h"
#include "mockserver/command/zone.h"

#include <string.h>

static void add_message(const struct text_scope *s, struct buf *ret)
{
  buf_adds(ret, s->message);
}

static void add_message_json(const struct text_scope *s, struct buf *ret)
{
  struct buf quoted;
  buf_init(&quoted, TEXT_MAX_BYTES);
  buf_add_json(&quoted, bytes_of(s->message));
  if (quoted.n >= 2)
    buf_add(ret, quoted.p + 1, quoted.n - 2);
  buf_release(&quoted);
}

static void add_gateway(const struct text_scope *s, struct buf *ret)
{
  buf_adds(ret, s->gateway);
}

static void add_zone(const struct text_scope *s, struct buf *ret)
{
  buf_adds(ret, s->zone);
}

static struct tm reset_time(const struct text_scope *s)
{
  int64_t at_ns = s->value.now_ns + s->value.reset_ms * NS_PER_MS;
  return zone_time(s->zone, at_ns / NS_PER_S);
}

static void add_clock(const struct text_scope *s, struct buf *ret)
{
  struct tm tm = reset_time(s);
  zone_clock(&tm, ret);
}

static void add_day_clock(const struct text_scope *s, struct buf *ret)
{
  struct tm tm = reset_time(s);
  zone_day_clock(&tm, ret);
}

static void add_day_at_clock(const struct text_scope *s, struct buf *ret)
{
  struct tm tm = reset_time(s);
  zone_day_at_clock(&tm, ret);
}

static void add_date_clock(const struct text_scope *s, struct buf *ret)
{
  struct tm tm = reset_time(s);
  zone_date_clock(&tm, ret);
}

static void add_left(const struct text_scope *s, struct buf *ret)
{
  zone_left(s->value.reset_ms / 1000, ret);
}

static const struct {
  const char *name;
  void (*add)(const struct text_scope *s, struct buf *ret);
} values[] = {{"{{message}}", add_message},
              {"{{message_json}}", add_message_json},
              {"{{gateway}}", add_gateway},
              {"{{zone}}", add_zone},
              {"{{clock}}", add_clock},
              {"{{day_clock}}", add_day_clock},
              {"{{day_at_clock}}", add_day_at_clock},
              {"{{date_clock}}", add_date_clock},
              {"{{left}}", add_left}};

enum { NVALUES = sizeof values / sizeof values[0] };

/* How many bytes of `text` the value at its front took; 0: none is there. */
static size_t add_value(struct bytes text, const struct text_scope *s,
                        struct buf *ret)
{
  for (int i = 0; i < NVALUES; i++)
    if (bytes_starts(text, bytes_of(values[i].name))) {
      values[i].add(s, ret);
      return strlen(values[i].name);
    }
  return 0;
}

void text_expand(const char *text, const struct text_scope *s, struct buf *ret)
{
  struct bytes rest = bytes_of(text);
  struct buf half;
  buf_init(&half, TEXT_MAX_BYTES);
  while (rest.n) {
    size_t n = *rest.p == '{' ? add_value(rest, s, &half) : 0;
    if (n == 0)
      buf_addc(&half, *rest.p);
    n = n ? n : 1;
    rest = (struct bytes){rest.p + n, rest.n - n};
  }
  value_expand(buf_bytes(&half), &s->value, ret);
  buf_release(&half);
}

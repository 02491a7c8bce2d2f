/*
 * A stream as a step's keys shape it: line ends, pieces, a mark in front, a
 * cut at a byte.
 */
#include "mockserver/exchange_open.h"

#include "base/clock.h"

static void read_split(struct stream_out *o, const cJSON *step)
{
  const cJSON *node = param_node(step, "pieces");
  int64_t gap_ms = 0;
  if (cJSON_IsNumber(node)) {
    o->split = SPLIT_SIZE;
    o->size = (uint64_t)node->valuedouble;
  } else if (cJSON_IsArray(node)) {
    o->split = SPLIT_AT;
    o->at = node->child;
  } else if (node) {
    o->split = SPLIT_UTF8 +
               (enum stream_split)param_word(step, "pieces", split_words, 0);
  }
  if (param_int(step, "piece_gap_ms", &gap_ms))
    o->gap_ns = gap_ms * NS_PER_MS;
  o->active |= o->split != SPLIT_NONE;
}

void exchange_shaped_head(struct exchange *x, const struct exchange_shape *s)
{
  const cJSON *step = exchange_step(x);
  int64_t n = 0;
  bool bom = false;
  x->until_close = s->until_close;
  exchange_stream_head(x);
  struct stream_out *o = &x->out;
  int eol = param_word(step, "eol", eol_words, -1);
  if (eol >= 0)
    o->eol = EOL_LF + (enum stream_eol)eol;
  read_split(o, step);
  if (param_int(step, "at_byte", &n)) {
    o->left = (uint64_t)n;
    o->leave_short = s->leave_short;
    o->active = true;
  }
  if (param_bool(step, "bom", &bom) && bom)
    exchange_send_raw(x, BYTES("\xef\xbb\xbf"));
}

void exchange_send_shaped(struct exchange *x, uint64_t n)
{
  const cJSON *events = param_node(exchange_step(x), "events");
  uint64_t all = exchange_events(x);
  if (events)
    exchange_send_tape(x, events, n);
  else
    exchange_send_events(x, 0, n < all ? n : all);
}

bool exchange_is_ended(const struct exchange *x)
{
  return x->ended;
}

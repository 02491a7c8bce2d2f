#include "mockserver/stream_out.h"

#include <string.h>

const char *const eol_words[] = {"lf", "crlf", "cr", "mixed", NULL};
const char *const split_words[] = {"utf8",  "crlf", "data",
                                   "lines", "byte", NULL};

enum { MAX_OUT = 64 << 20 };

void stream_out_init(struct stream_out *o, struct plan *plan, bool chunked)
{
  *o = (struct stream_out){.plan = plan,
                           .chunked = chunked,
                           .left = UINT64_MAX,
                           .coded_left = UINT64_MAX};
  buf_init(&o->carry, MAX_OUT);
}

void stream_out_release(struct stream_out *o)
{
  encoder_free(o->encoder);
  o->encoder = NULL;
  buf_release(&o->carry);
  free(o->marks);
  o->marks = NULL;
}

/* ---- line ends ---- */

static const char *line_end(const struct stream_out *o, uint64_t line)
{
  static const char *const ends[] = {"\n", "\r\n", "\r"};
  if (o->eol == EOL_MIXED)
    return ends[(o->events + line) % 3];
  return ends[o->eol - EOL_LF];
}

void stream_out_lines(struct stream_out *o, struct bytes event, struct buf *ret)
{
  uint64_t line = 0;
  size_t begun = 0;
  for (size_t i = 0; i < event.n; i++) {
    if (event.p[i] != '\n')
      continue;
    size_t end = i > begun && event.p[i - 1] == '\r' ? i - 1 : i;
    buf_add(ret, event.p + begun, end - begun);
    if (end > begun)
      line++;
    buf_adds(ret, line_end(o, line));
    begun = i + 1;
  }
  buf_add(ret, event.p + begun, event.n - begun);
  o->events++;
}

/* ---- pieces ---- */

static void send_piece(struct stream_out *o, struct bytes b, size_t missing)
{
  if (b.n == 0)
    return;
  if (o->any_piece && o->gap_ns && o->split != SPLIT_NONE)
    plan_delay(o->plan, o->gap_ns);
  o->any_piece = true;
  if (o->split != SPLIT_NONE)
    plan_segment(o->plan);
  if (o->chunked) {
    char line[24];
    int n = snprintf(line, sizeof line, "%zx\r\n", b.n + missing);
    plan_send(o->plan, (struct bytes){line, (size_t)n});
  }
  plan_send(o->plan, b);
  if (o->chunked && missing == 0)
    plan_send(o->plan, BYTES("\r\n"));
  o->sent += b.n;
}

/* Offsets rise, so those behind us are never looked at again. */
static bool is_offset(struct stream_out *o, uint64_t at)
{
  while (o->at && o->at->valuedouble < (double)at)
    o->at = o->at->next;
  return o->at && o->at->valuedouble == (double)at;
}

static bool inside_field(struct bytes b, size_t i)
{
  /* two bytes into the name: "da|ta:", "ev|ent:" */
  static const char *const names[] = {"data:", "event:"};
  for (int k = 0; k < 2 && i >= 2; k++) {
    struct bytes rest = {b.p + i - 2, b.n - i + 2};
    bool starts = i == 2 || b.p[i - 3] == '\n' || b.p[i - 3] == '\r';
    if (starts && bytes_starts(rest, bytes_of(names[k])))
      return true;
  }
  return false;
}

/* True when a border is in front of byte i of `b`, i > 0. */
static bool is_border(struct stream_out *o, struct bytes b, size_t i)
{
  char before = b.p[i - 1], here = b.p[i];
  switch (o->split) {
  case SPLIT_AT:
    return is_offset(o, o->sent + i);
  case SPLIT_UTF8:
    /* 11xxxxxx begins a longer character (RFC 3629, section 3) */
    return ((unsigned char)before & 0xc0) == 0xc0;
  case SPLIT_CRLF:
    return before == '\r' && here == '\n';
  case SPLIT_DATA:
    return inside_field(b, i);
  case SPLIT_LINES:
    return (before == '\n' || before == '\r') && here != '\n' && here != '\r';
  case SPLIT_BYTE:
    return true;
  case SPLIT_NONE:
  case SPLIT_SIZE:
    break;
  }
  return false;
}

static void send_in_pieces(struct stream_out *o, struct bytes b, size_t missing)
{
  struct bytes all = b;
  size_t begun = 0;
  uint64_t base = o->sent;
  for (size_t i = 1; i < all.n; i++) {
    o->sent = base; /* borders are told by the place in the stream */
    if (!is_border(o, all, i))
      continue;
    send_piece(o, (struct bytes){all.p + begun, i - begun}, 0);
    begun = i;
  }
  send_piece(o, (struct bytes){all.p + begun, all.n - begun}, missing);
  o->sent = base + all.n;
}

static void add_mark(struct stream_out *o, const struct stream_mark *m)
{
  if (m->mark == MARK_EVENT)
    plan_mark_event(o->plan, m->kind);
  else
    plan_mark(o->plan, m->mark);
}

void stream_out_mark(struct stream_out *o, enum plan_mark mark,
                     enum event_kind kind)
{
  struct stream_mark m = {mark, kind};
  if (o->carry.n == 0) {
    add_mark(o, &m);
    return;
  }
  if (o->nmarks == o->marks_cap) {
    o->marks_cap = o->marks_cap ? 2 * o->marks_cap : 8;
    o->marks = mem_realloc(o->marks, o->marks_cap * sizeof *o->marks);
  }
  o->marks[o->nmarks++] = m;
}

/* What is carried is less than a piece: with the next one all of it is out,
 * and the marks behind it are due. */
static void pass_marks(struct stream_out *o)
{
  for (size_t i = 0; i < o->nmarks; i++)
    add_mark(o, &o->marks[i]);
  o->nmarks = 0;
}

static void send_sized(struct stream_out *o, struct bytes b, size_t missing)
{
  buf_addb(&o->carry, b);
  while (o->carry.n >= o->size) {
    size_t n = (size_t)o->size;
    send_piece(o, (struct bytes){o->carry.p, n}, 0);
    buf_consume(&o->carry, n);
    pass_marks(o);
  }
  if (missing) {
    send_piece(o, buf_bytes(&o->carry), missing);
    buf_reset(&o->carry);
    pass_marks(o);
  }
}

/* Takes what the limit lets through; what is cut off is told. */
static size_t limit(struct stream_out *o, uint64_t *left, struct bytes *b)
{
  size_t cut = b->n > *left ? b->n - (size_t)*left : 0;
  b->n -= cut;
  o->cut |= cut > 0;
  if (*left != UINT64_MAX)
    *left -= b->n;
  return cut;
}

static void send_coded(struct stream_out *o, struct bytes b, size_t missing)
{
  size_t cut = limit(o, &o->coded_left, &b);
  missing += o->leave_short ? cut : 0;
  if (b.n == 0)
    return;
  if (o->split == SPLIT_SIZE)
    send_sized(o, b, missing);
  else
    send_in_pieces(o, b, missing);
}

void stream_out_body(struct stream_out *o, struct bytes b, size_t missing)
{
  struct buf coded;
  size_t cut = limit(o, &o->left, &b);
  missing += o->leave_short ? cut : 0;
  if (!o->encoder) {
    send_coded(o, b, missing);
    return;
  }
  buf_init(&coded, MAX_OUT);
  encoder_add(o->encoder, b, &coded);
  send_coded(o, buf_bytes(&coded), missing);
  buf_release(&coded);
}

void stream_out_flush(struct stream_out *o)
{
  if (o->carry.n == 0)
    return;
  send_piece(o, buf_bytes(&o->carry), 0);
  buf_reset(&o->carry);
  pass_marks(o);
}

void stream_out_finish(struct stream_out *o)
{
  struct buf coded;
  if (!o->encoder)
    return;
  buf_init(&coded, MAX_OUT);
  encoder_finish(o->encoder, &coded);
  send_coded(o, buf_bytes(&coded), 0);
  buf_release(&coded);
}

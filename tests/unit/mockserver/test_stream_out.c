#include "tests/unit/unit.h"

#include "mockserver/stream_out.h"

#include <string.h>

/* The plan as text: "hex|bytes" pieces, "~" for a pause. */
static void show(const struct plan *p, struct buf *ret)
{
  for (size_t i = 0; i < p->nops; i++) {
    const struct op *op = &p->ops[i];
    if (op->kind == OP_DELAY)
      buf_adds(ret, "~");
    if (op->kind != OP_SEND)
      continue;
    buf_adds(ret, ret->n ? "|" : "");
    buf_add(ret, p->bytes.p + op->at, op->n);
  }
}

struct row {
  const char *id;
  enum stream_split split;
  uint64_t size;
  const char *at; /* JSON list of offsets */
  const char *body, *body2;
  const char *want;
};

static const struct row rows[] = {
    {"an event is a piece", SPLIT_NONE, 0, NULL, "ab", "cd", "abcd"},
    {"one byte at a time", SPLIT_BYTE, 0, NULL, "ab", "c", "a|b|c"},
    {"sizes go over the borders of events", SPLIT_SIZE, 3, NULL, "abcd", "ef",
     "abc|def"},
    {"the rest is sent too", SPLIT_SIZE, 4, NULL, "abcd", "ef", "abcd|ef"},
    {"all in one", SPLIT_SIZE, 1000, NULL, "abcd", "ef", "abcdef"},
    {"offsets count from the first byte", SPLIT_AT, 0, "[1,3,5]", "abcd", "ef",
     "a|bc|d|e|f"},
    {"an event's border is one as well", SPLIT_AT, 0, "[5]", "abcd", "ef",
     "abcd|e|f"},
    {"inside characters", SPLIT_UTF8, 0, NULL, "a\xc3\xa4 \xf0\x9f\xa6\x80", "",
     "a\xc3|\xa4 \xf0|\x9f\xa6\x80"},
    {"between CR and LF", SPLIT_CRLF, 0, NULL, "a\r\n\r\n", "b\n",
     "a\r|\n\r|\n|b\n"},
    {"inside the field's name", SPLIT_DATA, 0, NULL,
     "event: x\ndata: data: y\n\n", "", "ev|ent: x\nda|ta: data: y\n\n"},
    {"behind each line", SPLIT_LINES, 0, NULL, "event: x\ndata: y\n\n",
     "event: z\n", "event: x\n|data: y\n\n|event: z\n"}};

static void pieces_end_where_the_scenario_says(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct row *r = &rows[i];
    struct plan p;
    struct stream_out o;
    struct buf got;
    cJSON *at = r->at ? cJSON_Parse(r->at) : NULL;
    plan_init(&p);
    buf_init(&got, 4096);
    stream_out_init(&o, &p, false);
    o.split = r->split;
    o.size = r->size;
    o.at = at ? at->child : NULL;
    stream_out_body(&o, bytes_of(r->body), 0);
    stream_out_body(&o, bytes_of(r->body2), 0);
    stream_out_flush(&o);
    show(&p, &got);
    if (strcmp(buf_str(&got), r->want) != 0)
      fail_msg("%s: %s", r->id, buf_str(&got));
    stream_out_release(&o);
    plan_release(&p);
    buf_release(&got);
    cJSON_Delete(at);
  }
}

static void each_piece_is_a_chunk_with_pauses_between(void **state)
{
  struct plan p;
  struct stream_out o;
  struct buf got;
  (void)state;
  plan_init(&p);
  buf_init(&got, 4096);
  stream_out_init(&o, &p, true);
  o.split = SPLIT_BYTE;
  o.gap_ns = 5;
  stream_out_body(&o, BYTES("ab"), 0);
  show(&p, &got);
  assert_string_equal(buf_str(&got), "1\r\na\r\n~|1\r\nb\r\n");
  assert_int_equal(p.elapsed_ns, 5);
  stream_out_release(&o);
  plan_release(&p);
  buf_release(&got);
}

static void a_limit_cuts_and_leaves_the_chunk_short_if_asked(void **state)
{
  (void)state;
  for (int leave_short = 0; leave_short < 2; leave_short++) {
    struct plan p;
    struct stream_out o;
    struct buf got;
    plan_init(&p);
    buf_init(&got, 4096);
    stream_out_init(&o, &p, true);
    o.left = 3;
    o.leave_short = leave_short;
    stream_out_body(&o, BYTES("ab"), 0);
    assert_false(o.cut);
    stream_out_body(&o, BYTES("cdef"), 0);
    stream_out_body(&o, BYTES("gh"), 0);
    assert_true(o.cut);
    show(&p, &got);
    assert_string_equal(buf_str(&got), leave_short ? "2\r\nab\r\n4\r\nc"
                                                   : "2\r\nab\r\n1\r\nc\r\n");
    stream_out_release(&o);
    plan_release(&p);
    buf_release(&got);
  }
}

struct eol_row {
  enum stream_eol eol;
  const char *event, *want;
};

static const struct eol_row eol_rows[] = {
    {EOL_LF, "a\r\n\r\n", "a\n\n"},
    {EOL_CRLF, "a\nb\n\n", "a\r\nb\r\n\r\n"},
    {EOL_CR, "a\nb\n\n", "a\rb\r\r"},
    /* never CR of one line and LF of the next: that would be one end */
    {EOL_MIXED, "a\nb\nc\n\n", "a\r\nb\rc\n\n"}};

static void lines_end_as_asked(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(eol_rows); i++) {
    struct plan p;
    struct stream_out o;
    struct buf got;
    plan_init(&p);
    buf_init(&got, 4096);
    stream_out_init(&o, &p, true);
    o.eol = eol_rows[i].eol;
    stream_out_lines(&o, bytes_of(eol_rows[i].event), &got);
    assert_string_equal(buf_str(&got), eol_rows[i].want);
    stream_out_release(&o);
    plan_release(&p);
    buf_release(&got);
  }
}

/* Over many events of two lines, no border between lines is swallowed. */
static void mixed_ends_keep_every_line(void **state)
{
  struct plan p;
  struct stream_out o;
  struct buf got;
  (void)state;
  plan_init(&p);
  buf_init(&got, 4096);
  stream_out_init(&o, &p, true);
  o.eol = EOL_MIXED;
  for (int i = 0; i < 12; i++)
    stream_out_lines(&o, BYTES("event: x\ndata: y\n\n"), &got);
  int ends = 0;
  for (size_t i = 0; i < got.n; i++) {
    bool crlf = got.p[i] == '\r' && i + 1 < got.n && got.p[i + 1] == '\n';
    ends += got.p[i] == '\r' || got.p[i] == '\n';
    i += crlf;
  }
  assert_int_equal(ends, 36);
  assert_non_null(strstr(got.p, "x\rdata"));
  assert_non_null(strstr(got.p, "x\ndata"));
  assert_non_null(strstr(got.p, "x\r\ndata"));
  stream_out_release(&o);
  plan_release(&p);
  buf_release(&got);
}

/* "abcd" of an event, then its mark; sends as they are, marks as letters. */
static void a_mark_waits_for_bytes_that_are_carried(void **state)
{
  (void)state;
  static const struct {
    uint64_t size;
    const char *want;
  } marked[] = {{2, "ab cd C ef P ef T "},
                {3, "abc def C P ef T "},
                {1000, "abcdefef C P T "}};
  for (size_t i = 0; i < COUNT(marked); i++) {
    struct plan p;
    struct stream_out o;
    struct buf got;
    plan_init(&p);
    buf_init(&got, 4096);
    stream_out_init(&o, &p, false);
    o.split = SPLIT_SIZE;
    o.size = marked[i].size;
    stream_out_body(&o, BYTES("abcd"), 0);
    stream_out_mark(&o, MARK_EVENT, EVENT_CONTENT);
    stream_out_body(&o, BYTES("ef"), 0);
    stream_out_mark(&o, MARK_EVENT, EVENT_PING);
    stream_out_body(&o, BYTES("ef"), 0);
    stream_out_mark(&o, MARK_TERMINAL, EVENT_TERMINAL);
    stream_out_flush(&o);
    for (size_t k = 0; k < p.nops; k++) {
      const struct op *op = &p.ops[k];
      if (op->kind == OP_SEND)
        buf_add(&got, p.bytes.p + op->at, op->n);
      else
        buf_addc(&got, op->mark == MARK_TERMINAL    ? 'T'
                       : op->event == EVENT_CONTENT ? 'C'
                                                    : 'P');
      buf_addc(&got, ' ');
    }
    assert_string_equal(buf_str(&got), marked[i].want);
    stream_out_release(&o);
    plan_release(&p);
    buf_release(&got);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_end_where_the_scenario_says),
      cmocka_unit_test(each_piece_is_a_chunk_with_pauses_between),
      cmocka_unit_test(a_limit_cuts_and_leaves_the_chunk_short_if_asked),
      cmocka_unit_test(lines_end_as_asked),
      cmocka_unit_test(mixed_ends_keep_every_line),
      cmocka_unit_test(a_mark_waits_for_bytes_that_are_carried)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

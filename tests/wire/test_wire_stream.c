/*
 * Scripted streams and made bodies as a client meets them: each piece when
 * it is due, codings that decode as they come, however the request came.
 */
#include "tests/unit/unit.h"

#include "tests/wire/call.h"

#include <string.h>
#include <zlib.h>

static struct bytes body_of(const struct buf *got)
{
  ptrdiff_t at = bytes_find(buf_bytes(got), BYTES("\r\n\r\n"));
  assert_true(at >= 0);
  return (struct bytes){got->p + at + 4, got->n - (size_t)at - 4};
}

struct piece_row {
  const char *pieces;
  const char *const parts[8];
};

/* Of a comment with characters of three and of two bytes, chunk by chunk. */
static const struct piece_row piece_rows[] = {
    {"\"utf8\"",
     {"3\r\n: \xe4\r\n", "4\r\n\xbd\xa0 \xc3\r\n", "4\r\n\xa4!\n\n\r\n"}},
    {"[3,5]",
     {"3\r\n: \xe4\r\n", "2\r\n\xbd\xa0\r\n", "6\r\n \xc3\xa4!\n\n\r\n"}},
    {"4", {"4\r\n: \xe4\xbd\r\n", "4\r\n\xa0 \xc3\xa4\r\n", "3\r\n!\n\n\r\n"}}};

/* A reader that reads whenever it can sees the borders of the scenario. */
static void each_piece_is_a_read_of_its_own(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(piece_rows); i++) {
    struct wire_call c;
    char *steps = mem_format("{\"fault\":\"stream\",\"events\":[{\"raw\":\": "
                             "\xe4\xbd\xa0 \xc3\xa4!\\n\\n\"}],\"pieces\":%s,"
                             "\"piece_gap_ms\":1000}",
                             piece_rows[i].pieces);
    call_open(&c, "anthropic", steps, true, "");
    call_send(&c);
    for (size_t k = 0; piece_rows[i].parts[k]; k++) {
      const char *want = piece_rows[i].parts[k];
      buf_reset(&c.got);
      if (k > 0) {
        wire_advance(&c.w, 999);
        wire_take(c.fd, &c.got);
        assert_int_equal(c.got.n, 0);
        wire_advance(&c.w, 1);
      }
      wire_take(c.fd, &c.got);
      struct bytes got = k ? buf_bytes(&c.got) : body_of(&c.got);
      bool last = !piece_rows[i].parts[k + 1];
      got.n -= last ? 5 : 0; /* "0\r\n\r\n" */
      if (!bytes_equal(got, bytes_of(want)))
        fail_msg("%s, piece %zu: '%.*s'", piece_rows[i].pieces, k, (int)got.n,
                 got.p);
    }
    call_close(&c);
    free(steps);
  }
}

/* Takes chunk framing off what has come; what is half there stays. */
static void unchunk(struct bytes s, struct buf *ret)
{
  while (s.n) {
    size_t n = 0;
    ptrdiff_t line = bytes_find(s, BYTES("\r\n"));
    if (line <= 0)
      return;
    for (ptrdiff_t i = 0; i < line; i++)
      n = n * 16 + (size_t)(s.p[i] <= '9' ? s.p[i] - '0' : s.p[i] - 'a' + 10);
    size_t used = (size_t)line + 2 + n + 2;
    if (n == 0 || used > s.n)
      return;
    buf_add(ret, s.p + line + 2, n);
    s = (struct bytes){s.p + used, s.n - used};
  }
}

static bool gunzip(struct bytes coded, struct buf *ret)
{
  static unsigned char out[1 << 20];
  z_stream z = {0};
  inflateInit2(&z, 15 + 16);
  memcpy(&z.next_in, &coded.p, sizeof coded.p);
  z.avail_in = (uInt)coded.n;
  z.next_out = out;
  z.avail_out = sizeof out;
  int rc = inflate(&z, Z_SYNC_FLUSH);
  buf_add(ret, out, sizeof out - z.avail_out);
  inflateEnd(&z);
  return rc == Z_STREAM_END;
}

static void decode(const struct buf *got, bool *ret_ended, struct buf *ret)
{
  struct buf coded;
  buf_init(&coded, 1 << 20);
  buf_init(ret, 1 << 20);
  unchunk(body_of(got), &coded);
  *ret_ended = gunzip(buf_bytes(&coded), ret);
  buf_release(&coded);
}

static void a_coded_event_can_be_read_when_it_comes(void **state)
{
  struct wire_call c;
  struct buf plain;
  bool ended = false;
  (void)state;
  call_open(&c, "openai",
            "{\"fault\":\"stream\",\"encoding\":\"gzip\",\"events\":["
            "{\"delta\":\"one\"},{\"wait\":2},{\"delta\":\"two\"},\"stop\"]}",
            true, "");
  call_send(&c);
  wire_take(c.fd, &c.got);
  decode(&c.got, &ended, &plain);
  assert_non_null(strstr(buf_str(&plain), "\"one\""));
  assert_null(strstr(buf_str(&plain), "\"two\""));
  assert_false(ended);
  buf_release(&plain);
  wire_advance(&c.w, 2000);
  wire_take(c.fd, &c.got);
  decode(&c.got, &ended, &plain);
  assert_non_null(strstr(buf_str(&plain), "data: [DONE]\n\n"));
  assert_true(ended);
  buf_release(&plain);
  call_close(&c);
}

static const char *const steps[] = {
    "{\"fault\":\"stream\",\"pieces\":\"byte\",\"eol\":\"mixed\"}",
    "{\"fault\":\"stream\",\"encoding\":\"br\",\"ending\":\"eof\"}",
    "{\"fault\":\"stream\",\"events\":[\"start\",{\"tool\":{\"arguments\":"
    "\"{\\\"path\\\":\\\"a\\\",\\\"content\\\":\\\"impor\"}}],\"ending\":"
    "\"rst\"}",
    "{\"fault\":\"stream\",\"at_byte\":77,\"ending\":\"fin\"}",
    "{\"fault\":\"stream\",\"ending\":\"last_chunk\"}",
    "{\"fault\":\"bad_body\",\"how\":\"truncated\",\"encoding\":\"deflate\"}",
    "{\"reply\":\"message\",\"blocks\":[{\"thinking\":\"hm\"},{\"tool\":{}}]}"};

static void the_answer_is_the_same_however_the_request_comes(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t i = 0; i < COUNT(steps); i++) {
      struct buf want;
      enum wire_end end = call_whole(*p, steps[i], true, &want);
      for (unsigned seed = 1; seed <= 5; seed++) {
        struct wire_call c;
        call_open(&c, *p, steps[i], true, "");
        call_send_pieces(&c, seed);
        if (call_collect(&c) != end ||
            !bytes_equal(buf_bytes(&c.got), buf_bytes(&want)))
          fail_msg("%s %s, seed %u", *p, steps[i], seed);
        call_close(&c);
      }
      buf_release(&want);
    }
}

struct ending_row {
  const char *ending, *tail;
  enum wire_end end;
};

static const struct ending_row endings[] = {
    {"complete", "\r\n0\r\n\r\n", WIRE_OPEN},
    {"clean", "\r\n0\r\n\r\n", WIRE_OPEN},
    {"dirty", "\n\n\r\n", WIRE_FIN},
    {"eof", "}}\n\n", WIRE_FIN},
    {"fin", "\n\n\r\n", WIRE_FIN},
    {"rst", "\n\n\r\n", WIRE_RST},
    {"hold", "\n\n\r\n", WIRE_OPEN},
    {"last_chunk", "\n\n\r\n0\r\n", WIRE_FIN}};

static void every_ending_is_on_the_wire(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(endings); i++) {
    struct buf got;
    char *step = mem_format("{\"fault\":\"stream\",\"events\":[\"start\","
                            "{\"delta\":\"Hel\"}],\"ending\":\"%s\"}",
                            endings[i].ending);
    enum wire_end end = call_whole("anthropic", step, true, &got);
    size_t n = strlen(endings[i].tail);
    if (end != endings[i].end || got.n < n ||
        memcmp(got.p + got.n - n, endings[i].tail, n) != 0)
      fail_msg("%s: %d '%s'", endings[i].ending, (int)end, buf_str(&got));
    buf_release(&got);
    free(step);
  }
}

/* ---- the times of events ---- */

/* Where each event of the body ends: behind its blank line. */
static size_t event_ends(struct bytes body, size_t *ret, size_t room)
{
  size_t n = 0;
  for (size_t i = 1; i < body.n; i++) {
    bool crlf = i > 2 && body.p[i - 1] == '\r';
    if (body.p[i] == '\n' && body.p[i - 1 - crlf] == '\n' && n < room)
      ret[n++] = i + 1;
  }
  return n;
}

/* The step's stream to its end; the journal stays with the call. */
static const struct attempt *streamed(struct wire_call *c, const char *provider,
                                      const char *step, struct buf *ret_body)
{
  call_open(c, provider, step, true, "");
  call_send(c);
  call_collect(c);
  buf_init(ret_body, 1 << 20);
  unchunk(body_of(&c->got), ret_body);
  wire_stop(&c->w);
  return journal_get(c->w.journal, 0);
}

static void check_times(const char *id, const struct attempt *a, size_t sent)
{
  const struct event_times *t = a->events;
  if (a->events_sent != sent)
    fail_msg("%s: %llu events, %zu came", id,
             (unsigned long long)a->events_sent, sent);
  if (t->n != (sent < EVENT_TIMES_MAX ? sent : EVENT_TIMES_MAX))
    fail_msg("%s: %u times of %zu events", id, t->n, sent);
  for (uint32_t i = 0; i < t->n; i++)
    if (t->ns[i] < (i ? t->ns[i - 1] : 0) ||
        t->ns[i] > a->answer_last_ns - a->answer_first_ns)
      fail_msg("%s: event %u went out at %lld ns", id, i, (long long)t->ns[i]);
}

static const struct {
  const char *id, *step;
} timed[] = {
    {"a plain stream", "{\"reply\":\"message\"}"},
    {"with gaps", "{\"reply\":\"message\",\"gap_ms\":250}"},
    {"made while it is sent", "{\"reply\":\"message\",\"chunks\":300}"},
    {"made, with gaps", "{\"reply\":\"message\",\"chunks\":300,\"gap_ms\":10}"},
    {"in pieces of 7 bytes", "{\"fault\":\"stream\",\"pieces\":7}"},
    {"all in one piece", "{\"fault\":\"stream\",\"pieces\":1000000}"},
    {"that breaks off", "{\"fault\":\"stream_cut\",\"ending\":\"clean\"}"},
    {"with an error", "{\"fault\":\"stream_error\"}"},
    {"with pings", "{\"fault\":\"stall\",\"where\":\"after_event\",\"pings\":0."
                   "5,\"for_s\":5}"},
    {"cut by its shape", "{\"reply\":\"message\",\"cut\":\"end-40\"}"},
    {"cut inside an event", "{\"fault\":\"stream\",\"at_byte\":777}"},
    {"a shape's pieces", "{\"reply\":\"message\",\"gap_ms\":20,\"split\":"
                         "{\"every\":9,\"pause_ms\":5}}"},
};

static void each_event_that_came_has_its_time(void **state)
{
  static size_t ends[1000];
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t i = 0; i < COUNT(timed); i++) {
      struct wire_call c;
      struct buf body;
      const struct attempt *a = streamed(&c, *p, timed[i].step, &body);
      size_t n = event_ends(buf_bytes(&body), ends, COUNT(ends));
      char *id = mem_format("%s, %s", *p, timed[i].id);
      if (n == 0)
        fail_msg("%s: no event", id);
      check_times(id, a, n);
      free(id);
      buf_release(&body);
      call_close(&c);
    }
}

/* The event is out with its last byte, not with the piece that begins it. */
static void an_event_is_out_with_its_last_byte(void **state)
{
  struct wire_call c;
  struct buf body;
  size_t ends[64];
  (void)state;
  const struct attempt *a = streamed(
      &c, "openai",
      "{\"fault\":\"stream\",\"pieces\":100,\"piece_gap_ms\":1000}", &body);
  size_t n = event_ends(buf_bytes(&body), ends, COUNT(ends));
  check_times("pieces of 100", a, n);
  for (size_t i = 0; i < n; i++)
    assert_int_equal(a->events->ns[i] / NS_PER_S, (ends[i] - 1) / 100);
  assert_int_equal(a->events->kind[n - 1], EVENT_TERMINAL);
  buf_release(&body);
  call_close(&c);
}

#define PINGS                                                                  \
  "{\"fault\":\"stream\",\"events\":[\"start\",{\"pingloop\":2,\"for\":6},"    \
  "{\"delta\":\"b\"},\"stop\"]"

static const struct {
  const char *step, *kinds;
  const char *silent; /* '2' in front of the event: two seconds or more */
} silences[] = {
    {"{\"fault\":\"stream\",\"events\":[\"start\",{\"delta\":\"a\"},"
     "{\"wait\":2},{\"delta\":\"b\"},\"ping\",\"stop\"]}",
     "ccccpcct", "---2----"},
    {"{\"fault\":\"stream\",\"events\":[\"start\",{\"comment\":\"x\"},"
     "{\"wait\":2},{\"error\":\"overloaded\"}]}",
     "cpe", "--2"},
    {PINGS "}", "cpppcccct", "-222-----"},
    {PINGS ",\"split\":{\"every\":4000}}", "cpppcccct", "-222-----"}};

static void a_silence_is_a_gap_and_kinds_have_letters(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(silences); i++) {
    struct wire_call c;
    struct buf body;
    const struct attempt *a =
        streamed(&c, "anthropic", silences[i].step, &body);
    size_t n = strlen(silences[i].kinds);
    check_times(silences[i].kinds, a, n);
    assert_memory_equal(a->events->kind, silences[i].kinds, n);
    for (uint32_t k = 1; k < n; k++) {
      int64_t gap = a->events->ns[k] - a->events->ns[k - 1];
      bool is_long = gap >= 2 * NS_PER_S;
      if (is_long != (silences[i].silent[k] == '2'))
        fail_msg("%s: %lld ns in front of event %u", silences[i].kinds,
                 (long long)gap, k);
    }
    buf_release(&body);
    call_close(&c);
  }
}

static void an_answer_that_is_no_stream_has_none(void **state)
{
  struct wire_call c;
  (void)state;
  call_open(&c, "anthropic", "{\"fault\":\"rate_limit\"}", true, "");
  call_send(&c);
  call_collect(&c);
  wire_stop(&c.w);
  assert_null(journal_get(c.w.journal, 0)->events);
  call_close(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_piece_is_a_read_of_its_own),
      cmocka_unit_test(a_coded_event_can_be_read_when_it_comes),
      cmocka_unit_test(the_answer_is_the_same_however_the_request_comes),
      cmocka_unit_test(every_ending_is_on_the_wire),
      cmocka_unit_test(each_event_that_came_has_its_time),
      cmocka_unit_test(an_event_is_out_with_its_last_byte),
      cmocka_unit_test(a_silence_is_a_gap_and_kinds_have_letters),
      cmocka_unit_test(an_answer_that_is_no_stream_has_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

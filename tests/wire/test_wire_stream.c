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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_piece_is_a_read_of_its_own),
      cmocka_unit_test(a_coded_event_can_be_read_when_it_comes),
      cmocka_unit_test(the_answer_is_the_same_however_the_request_comes),
      cmocka_unit_test(every_ending_is_on_the_wire)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

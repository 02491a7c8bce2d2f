/*
 * How an answer's bytes go out: every key against the same answer without
 * it, for every provider, streamed and plain. A step that harms nothing
 * ("close": "as_is") gives the bytes that are to be met.
 */
#include "tests/unit/unit.h"

#include "tests/wire/call.h"

#include <string.h>

static const char *const answers[] = {
    "{\"reply\":\"message\"",
    "{\"reply\":\"message\",\"text\":\"\xe4\xbd\xa0\xe5\xa5\xbd "
    "\xf0\x9f\xa6\x80 x\"",
    "{\"reply\":\"message\",\"chunks\":90",
    "{\"fault\":\"rate_limit\",\"retry_after\":\"2\"",
    "{\"fault\":\"stream_cut\",\"ending\":\"dirty\"",
    "{\"fault\":\"stream_error\"",
    "{\"fault\":\"status\",\"status\":502,\"body\":\"<html>\"",
    "{\"fault\":\"raw\",\"bytes\":\"HTTP/1.1 200 OK\\r\\nx: y\\r\\n\\r\\nzz\"",
    NULL};

static char *with(const char *answer, const char *keys)
{
  return mem_format("%s,%s}", answer, keys);
}

static void base_of(const char *provider, const char *answer, bool stream,
                    struct buf *ret)
{
  char *step = with(answer, "\"close\":\"hold\"");
  call_whole(provider, step, stream, ret);
  free(step);
}

typedef void row_fn(const char *provider, const char *answer, bool stream);

static void for_each(row_fn *fn)
{
  for (const char *const *p = wire_providers; *p; p++)
    for (const char *const *a = answers; *a; a++) {
      fn(*p, *a, true);
      /* for a call without a stream these two step aside, see non_stream */
      if (!strstr(*a, "\"fault\":\"stream"))
        fn(*p, *a, false);
    }
}

static size_t head_end(const struct buf *b)
{
  ptrdiff_t at = bytes_find(buf_bytes(b), BYTES("\r\n\r\n"));
  assert_true(at > 0);
  return (size_t)at + 4;
}

static void expect_bytes(const struct buf *got, const struct buf *want,
                         size_t n, const char *what)
{
  if (got->n != n || memcmp(got->p ? got->p : "", want->p, n) != 0)
    fail_msg("%s: %zu bytes instead of %zu, or other ones:\n%s", what, got->n,
             n, buf_str(got));
}

/* ---- cut and close ---- */

static void cut_one(const char *provider, const char *answer, bool stream)
{
  static const struct {
    const char *place, *close;
    int from, add; /* head, body, end */
    enum wire_end end;
  } rows[] = {{"head", "fin", 0, 0, WIRE_FIN},
              {"head+1", "rst", 0, 1, WIRE_RST},
              {"head+20", "as_is", 0, 20, WIRE_FIN},
              {"body-2", "fin", 1, -2, WIRE_FIN},
              {"body", "rst", 1, 0, WIRE_RST},
              {"body+1", "fin", 1, 1, WIRE_FIN},
              {"end-1", "rst", 2, -1, WIRE_RST},
              {"end-2", "hold", 2, -2, WIRE_OPEN},
              {"end", "fin", 2, 0, WIRE_FIN},
              {"head+999999", "rst", 2, 0, WIRE_RST}};
  struct buf want, got;
  base_of(provider, answer, stream, &want);
  for (size_t i = 0; i < COUNT(rows); i++) {
    char keys[96], id[256];
    snprintf(keys, sizeof keys, "\"cut\":\"%s\",\"close\":\"%s\"",
             rows[i].place, rows[i].close);
    snprintf(id, sizeof id, "%s %s %d %s", provider, answer, stream, keys);
    char *step = with(answer, keys);
    long base = rows[i].from == 0   ? 0
                : rows[i].from == 1 ? (long)head_end(&want)
                                    : (long)want.n;
    enum wire_end end = call_whole(provider, step, stream, &got);
    expect_bytes(&got, &want, (size_t)(base + rows[i].add), id);
    if (end != rows[i].end)
      fail_msg("%s: ended %d", id, (int)end);
    buf_release(&got);
    free(step);
  }
  buf_release(&want);
}

static void a_cut_is_at_its_byte_and_ends_as_told(void **state)
{
  (void)state;
  for_each(cut_one);
}

/* ---- pieces ---- */

/* Takes what comes, one period of the split at a time. */
static void check_pieces(struct wire_call *c, size_t every, size_t from,
                         size_t until, const char *id)
{
  for (int quiet = 0; quiet < 4000 && c->got.n < until; quiet++) {
    size_t before = c->got.n;
    wire_take(c->fd, &c->got);
    size_t n = (c->got.n < until ? c->got.n : until) - before;
    if (before >= from && n > every)
      fail_msg("%s: %zu bytes came at once at %zu", id, n, before);
    wire_advance(&c->w, 1000);
  }
}

static void pieces_of_one(const char *provider, const char *answer, bool stream)
{
  static const struct {
    const char *keys;
    size_t every;
    int part;
  } rows[] = {{"\"every\":7", 7, 0},
              {"\"every\":40,\"in\":\"body\"", 40, 2},
              {"\"every\":1,\"in\":\"head\"", 1, 1}};
  struct buf want;
  if (strstr(answer, "chunks")) /* long, and no different */
    return;
  base_of(provider, answer, stream, &want);
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct wire_call c;
    char keys[96], id[256];
    snprintf(keys, sizeof keys,
             "\"split\":{%s,\"pause_ms\":1000},\"close\":\"hold\"",
             rows[i].keys);
    snprintf(id, sizeof id, "%s %s %d %s", provider, answer, stream, keys);
    char *step = with(answer, keys);
    call_open(&c, provider, step, stream, "");
    call_send(&c);
    size_t head = head_end(&want);
    check_pieces(&c, rows[i].every, rows[i].part == 2 ? head : 0,
                 rows[i].part == 1 ? head : want.n, id);
    call_collect(&c);
    expect_bytes(&c.got, &want, want.n, id);
    call_close(&c);
    free(step);
  }
  buf_release(&want);
}

static void pieces_are_no_larger_than_told(void **state)
{
  (void)state;
  for_each(pieces_of_one);
}

/* Cuts the bytes where the pieces ended. */
static size_t count_pieces(struct wire_call *c, size_t *ends, size_t max)
{
  size_t n = 0;
  for (int quiet = 0; quiet < 8 && n < max; quiet++) {
    size_t before = c->got.n;
    wire_take(c->fd, &c->got);
    if (c->got.n != before) {
      ends[n++] = c->got.n;
      quiet = 0;
    }
    wire_advance(&c->w, 10);
  }
  return n;
}

static bool is_boundary(const char *p, size_t at, const char *inside)
{
  if (strcmp(inside, "utf8") == 0)
    return ((unsigned char)p[at] & 0xc0) == 0x80;
  if (strcmp(inside, "crlf") == 0)
    return p[at - 1] == '\r' && p[at] == '\n';
  return p[at - 1] == '\n';
}

enum { MAX_ENDS = 2000 };

static void inside_one(const char *provider, const char *inside, bool stream)
{
  struct wire_call c;
  size_t ends[MAX_ENDS], wanted = 0, found = 0;
  char *keys =
      mem_format("\"split\":{\"inside\":[\"%s\"],\"pause_ms\":10}", inside);
  char *step = with(answers[1], keys);
  call_open(&c, provider, step, stream, "");
  call_send(&c);
  size_t n = count_pieces(&c, ends, MAX_ENDS);
  for (size_t at = 1; at < c.got.n; at++)
    wanted += is_boundary(c.got.p, at, inside);
  for (size_t i = 0; i < n; i++)
    found += ends[i] < c.got.n && is_boundary(c.got.p, ends[i], inside);
  if (wanted == 0 || found != wanted)
    fail_msg("%s %s %d: %zu boundaries of %zu", provider, inside, stream, found,
             wanted);
  call_close(&c);
  free(step);
  free(keys);
}

static void pieces_end_inside_what_is_told(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (int stream = 0; stream < 2; stream++) {
      inside_one(*p, "utf8", stream);
      inside_one(*p, "crlf", stream);
      inside_one(*p, "lines", stream);
    }
}

/* ---- pauses ---- */

static void pauses_of_one(const char *provider, const char *answer, bool stream)
{
  struct buf want;
  struct wire_call c;
  char *step = with(answer, "\"close\":\"hold\",\"pauses\":[[\"head\",500],"
                            "[\"head+9\",700],[\"body\",900],"
                            "[\"end-1\",1100]]");
  base_of(provider, answer, stream, &want);
  const size_t until[] = {0, 9, head_end(&want), want.n - 1, want.n};
  static const int64_t after[] = {500, 700, 900, 1100};
  call_open(&c, provider, step, stream, "");
  call_send(&c);
  for (size_t i = 0; i < COUNT(after); i++) {
    wire_advance(&c.w, after[i] - 1);
    wire_take(c.fd, &c.got);
    expect_bytes(&c.got, &want, until[i], step);
    wire_advance(&c.w, 1);
    wire_take(c.fd, &c.got);
    /* a fault kind may have pauses of its own behind the last one */
    if (c.got.n < until[i] + 1)
      fail_msg("%s: the pause at byte %zu has not ended", step, until[i]);
  }
  expect_bytes(&c.got, &want, want.n, step);
  call_close(&c);
  buf_release(&want);
  free(step);
}

static void a_pause_lasts_to_the_millisecond(void **state)
{
  (void)state;
  for_each(pauses_of_one);
}

/* ---- the request in pieces ---- */

static void request_in_pieces(const char *provider, const char *answer,
                              bool stream)
{
  static const char *const shapes[] = {
      "\"cut\":\"body+3\",\"close\":\"rst\"",
      "\"pauses\":[[\"body\",50]],\"trailing\":\"\\r\\njunk\"",
      "\"interim\":[{\"status\":103,\"headers\":[[\"link\",\"<x>\"]]}]",
      "\"split\":{\"every\":11},\"close\":\"fin\"",
      "\"early\":true,\"framing\":\"close\""};
  for (size_t i = 0; i < COUNT(shapes); i++) {
    char *step = with(answer, shapes[i]);
    struct buf want;
    enum wire_end end = call_whole(provider, step, stream, &want);
    for (unsigned seed = 1; seed <= 3; seed++) {
      struct wire_call c;
      /* what an early answer is, the body cannot tell */
      if (strstr(step, "early"))
        break;
      call_open(&c, provider, step, stream, "");
      call_send_pieces(&c, seed);
      enum wire_end other = call_collect(&c);
      expect_bytes(&c.got, &want, want.n, step);
      assert_int_equal(other, end);
      call_close(&c);
    }
    buf_release(&want);
    free(step);
  }
}

static void a_request_in_pieces_gets_the_same_bytes(void **state)
{
  (void)state;
  for_each(request_in_pieces);
}

/* ---- the journal ---- */

static void a_harmed_reply_counts_as_a_fault(void **state)
{
  static const struct {
    const char *step;
    int status;
    bool complete;
  } rows[] = {{"{\"reply\":\"message\",\"cut\":\"head+20\"}", 0, false},
              {"{\"reply\":\"message\",\"cut\":\"body\"}", 200, false},
              {"{\"reply\":\"message\",\"cut\":\"end-1\"}", 200, false},
              {"{\"reply\":\"message\",\"trailing\":\"x\"}", 200, true},
              {"{\"reply\":\"message\",\"length_add\":5}", 200, false},
              {"{\"reply\":\"message\",\"split\":{\"every\":9}}", 200, true}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct wire_call c;
    call_open(&c, "openai", rows[i].step, false, "");
    call_send(&c);
    call_collect(&c);
    wire_stop(&c.w);
    const struct attempt *a = journal_get(c.w.journal, 0);
    if (!a->injected || !a->delivered || strcmp(a->fault, "wire") != 0 ||
        a->status != rows[i].status || a->complete != rows[i].complete)
      fail_msg("%s: injected %d, delivered %d, fault %s, status %d, "
               "complete %d",
               rows[i].step, a->injected, a->delivered, a->fault, a->status,
               a->complete);
    call_close(&c);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cut_is_at_its_byte_and_ends_as_told),
      cmocka_unit_test(pieces_are_no_larger_than_told),
      cmocka_unit_test(pieces_end_inside_what_is_told),
      cmocka_unit_test(a_pause_lasts_to_the_millisecond),
      cmocka_unit_test(a_request_in_pieces_gets_the_same_bytes),
      cmocka_unit_test(a_harmed_reply_counts_as_a_fault)};
  return cmocka_run_group_tests_name("wire_shape", tests, NULL, NULL);
}

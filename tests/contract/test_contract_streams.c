/*
 * Every stream of tests/fixtures, cut in two at every byte, with LF, CR LF
 * and CR, with a byte order mark and comments: always the same events and the
 * same end. And one event of a mebibyte against its ceiling.
 */
#include "tests/unit/unit.h"

#include "tests/contract/fixture.h"

#include "guard/sse.h"

#include <string.h>

enum { FEWEST_STREAMS = 30, CEILING = 1 << 20, PIECE = 4096 };

static struct fixtures all;

/* Events and what the provider's rules made of them. */
struct reading {
  struct buf events;
  struct guard_stream *stream;
  bool inside;
};

static void on_event(void *arg, const struct guard_sse_event *e)
{
  struct reading *r = arg;
  buf_addf(&r->events, "<%.*s|%.*s>", (int)e->type_n, e->type, (int)e->data_n,
           e->data);
  if (r->stream)
    guard_stream_event(r->stream, e);
}

static void reading_release(struct reading *r)
{
  buf_release(&r->events);
  guard_stream_free(r->stream);
}

/* The first |split| bytes, then the rest; |provider| NULL: events alone. */
static struct reading read_split(const char *provider, struct bytes text,
                                 size_t split)
{
  struct reading r = {.stream = NULL};
  buf_init(&r.events, SIZE_MAX / 2);
  if (provider) {
    r.stream = guard_stream_new(provider, true);
    assert_non_null(r.stream);
  }
  struct guard_sse *sse = guard_sse_new(CEILING, on_event, &r);
  assert_int_equal(guard_sse_feed(sse, text.p, split), GUARD_SSE_OK);
  assert_int_equal(guard_sse_feed(sse, text.p + split, text.n - split),
                   GUARD_SSE_OK);
  r.inside = guard_sse_inside_event(sse);
  guard_sse_free(sse);
  return r;
}

static bool same(const struct reading *a, const struct reading *b)
{
  if (!bytes_equal(buf_bytes(&a->events), buf_bytes(&b->events)) ||
      a->inside != b->inside)
    return false;
  return !a->stream ||
         (guard_stream_state(a->stream) == guard_stream_state(b->stream) &&
          strcmp(guard_stream_text(a->stream), guard_stream_text(b->stream)) ==
              0);
}

struct form {
  const char *id, *end, *front, *between;
};
static const struct form forms[] = {
    {"lf", "\n", "", ""},
    {"crlf", "\r\n", "", ""},
    {"cr", "\r", "", ""},
    {"bom", "\n", "\xef\xbb\xbf", ""},
    {"comments", "\n", ": ok\n\n", ": keep-alive\n\n"},
    {"all", "\r\n", "\xef\xbb\xbf: ok\r\n", ":\r\n"},
};

/* The stream with other line ends; |between| goes behind each empty line. */
static void write_form(struct bytes text, const struct form *f, struct buf *ret)
{
  bool was_end = false;
  buf_adds(ret, f->front);
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == '\r')
      continue;
    if (text.p[i] != '\n') {
      buf_addc(ret, text.p[i]);
      was_end = false;
      continue;
    }
    buf_adds(ret, f->end);
    if (was_end)
      buf_adds(ret, f->between);
    was_end = !was_end;
  }
}

static void check_form(const struct fixture *f, const struct reading *whole,
                       const struct form *form)
{
  struct buf text;
  buf_init(&text, SIZE_MAX / 2);
  write_form(f->body, form, &text);
  for (size_t split = 0; split <= text.n; split++) {
    /* same events, same stream: the rules are looked at in one form */
    struct reading r =
        read_split(form == forms ? f->provider : NULL, buf_bytes(&text), split);
    if (!same(&r, whole))
      fail_msg("%s, %s, cut at %zu: %s", f->file, form->id, split,
               buf_str(&r.events));
    reading_release(&r);
  }
  buf_release(&text);
}

static bool is_event_stream(const struct fixture *f)
{
  return strcmp(f->kind, "stream") == 0 && f->body.n > 0 && f->body.p[0] != '[';
}

static void no_cut_changes_what_a_stream_says(void **state)
{
  int seen = 0;
  (void)state;
  for (size_t i = 0; i < all.n; i++) {
    const struct fixture *f = &all.list[i];
    if (!is_event_stream(f))
      continue;
    struct reading whole = read_split(f->provider, f->body, f->body.n);
    for (size_t k = 0; k < COUNT(forms); k++)
      check_form(f, &whole, &forms[k]);
    reading_release(&whole);
    seen++;
  }
  print_message("%d streams\n", seen);
  assert_true(seen >= FEWEST_STREAMS);
}

struct big {
  size_t events, bytes;
};

static void on_big(void *arg, const struct guard_sse_event *e)
{
  struct big *b = arg;
  b->events++;
  b->bytes += e->data_n;
}

/* An event of |n| bytes of data, fed by |piece|. */
static enum guard_sse_result feed_big(size_t n, size_t piece, struct big *ret)
{
  struct buf text;
  enum guard_sse_result r = GUARD_SSE_OK;
  *ret = (struct big){0, 0};
  struct guard_sse *sse = guard_sse_new(CEILING, on_big, ret);
  buf_init(&text, SIZE_MAX / 2);
  buf_adds(&text, "data: ");
  for (size_t i = 0; i < n; i++)
    buf_addc(&text, 'x');
  buf_adds(&text, "\n\n");
  for (size_t at = 0; at < text.n; at += piece)
    r = guard_sse_feed(sse, text.p + at,
                       text.n - at < piece ? text.n - at : piece);
  buf_release(&text);
  guard_sse_free(sse);
  return r;
}

static void a_mebibyte_is_read_and_a_byte_more_is_refused(void **state)
{
  struct big big;
  (void)state;
  assert_int_equal(feed_big(CEILING, PIECE, &big), GUARD_SSE_OK);
  assert_int_equal(big.events, 1);
  assert_int_equal(big.bytes, CEILING);
  assert_int_equal(feed_big(CEILING, SIZE_MAX / 2, &big), GUARD_SSE_OK);
  assert_int_equal(big.bytes, CEILING);
  assert_int_equal(feed_big(CEILING + 1, PIECE, &big), GUARD_SSE_TOO_BIG);
  assert_int_equal(big.events, 0);
  assert_int_equal(feed_big(CEILING + 1, SIZE_MAX / 2, &big),
                   GUARD_SSE_TOO_BIG);
  assert_int_equal(big.events, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_cut_changes_what_a_stream_says),
      cmocka_unit_test(a_mebibyte_is_read_and_a_byte_more_is_refused)};
  fixtures_load(&all, SOURCE_DIR "/tests/fixtures");
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  fixtures_release(&all);
  return rc;
}

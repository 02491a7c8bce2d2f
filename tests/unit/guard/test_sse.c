/* The event stream format, and that pieces never change what is read. */
#include "guard/sse.h"
#include "tests/unit/guard/streams.h"
#include "tests/unit/unit.h"

enum { MAX_EVENT_BYTES = 512, LOG_BYTES = 8192, LONGEST_PIECE = 7 };

/* Every event as "<type|data>". */
struct log {
  char text[LOG_BYTES];
  size_t n;
};

static void put(struct log *log, const char *p, size_t n)
{
  assert_true(log->n + n < LOG_BYTES);
  memcpy(log->text + log->n, p, n);
  log->n += n;
}

static void on_event(void *arg, const struct guard_sse_event *e)
{
  struct log *log = arg;

  put(log, "<", 1);
  put(log, e->type, e->type_n);
  put(log, "|", 1);
  put(log, e->data, e->data_n);
  put(log, ">", 1);
}

struct reading {
  struct log log;
  enum guard_sse_result result;
  bool inside;
};

/* `first` bytes, then pieces of `piece` bytes. */
static struct reading read_in(const char *p, size_t n, size_t first,
                              size_t piece)
{
  struct reading r = {.result = GUARD_SSE_OK};
  struct guard_sse *s = guard_sse_new(MAX_EVENT_BYTES, on_event, &r.log);

  assert_non_null(s);
  for (size_t at = 0; at <= n;) {
    size_t want = at == 0 ? first : piece;
    size_t take = want < n - at ? want : n - at;
    /* a copy of its own, so that a sanitizer sees a step beyond it */
    char *tight = malloc(take + 1);

    memcpy(tight, p + at, take);
    r.result = guard_sse_feed(s, tight, take);
    free(tight);
    at += take;
    if (at == n || r.result != GUARD_SSE_OK)
      break;
  }
  r.inside = guard_sse_inside_event(s);
  guard_sse_free(s);
  return r;
}

static struct reading read_whole(const char *p, size_t n)
{
  return read_in(p, n, n, n ? n : 1);
}

static void format_rules_hold(void **state)
{
  static const struct {
    const char *id, *in, *log;
    bool inside;
  } rows[] = {
      {"lf", "data: a\n\n", "<|a>", false},
      {"crlf", "data: a\r\n\r\n", "<|a>", false},
      {"cr", "data: a\r\r", "<|a>", false},
      {"mixed", "data: a\r\n\rdata: b\n\r\n", "<|a><|b>", false},
      {"bom",
       "\xef\xbb\xbf"
       "data: a\n\n",
       "<|a>", false},
      {"bom-later",
       "data: a\n\n\xef\xbb\xbf"
       "data: b\n\n",
       "<|a>", false},
      {"comment", ": hi\ndata: a\n:\n\n", "<|a>", false},
      {"bom-comment", "\xef\xbb\xbf: hi\n\n", "", false},
      {"only-comments", ": keep-alive\n\n: keep-alive\n\n", "", false},
      {"joined", "data: a\ndata: b\n\n", "<|a\nb>", false},
      {"empty-lines-joined", "data\ndata\n\n", "<|\n>", false},
      {"empty-data", "data:\n\n", "<|>", false},
      {"no-data", "event: x\n\n", "", false},
      {"type-forgotten", "event: x\n\ndata: a\n\n", "<|a>", false},
      {"type", "event: x\ndata: a\n\n", "<x|a>", false},
      {"type-twice", "event: x\nevent: y\ndata: a\n\n", "<y|a>", false},
      {"one-space", "data:  a\n\n", "<| a>", false},
      {"no-space", "data:a\n\n", "<|a>", false},
      {"tab-stays", "data:\ta\n\n", "<|\ta>", false},
      {"id-retry", "id: 1\nretry: 5\ndata: a\n\n", "<|a>", false},
      {"unknown-name", "datas: x\nDATA: y\n\n", "", false},
      {"colons", "data: a:b\n\n", "<|a:b>", false},
      {"cut-in-data", "data: a\n\ndata: b", "<|a>", true},
      {"cut-after-line", "data: a\n\ndata: b\n", "<|a>", true},
      {"cut-in-name", "data: a\n\nda", "<|a>", true},
      {"cut-after-type", "data: a\n\nevent: x\n", "<|a>", true},
      {"cut-in-comment", "data: a\n\n: x", "<|a>", false},
      {"empty", "", "", false},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct reading r = read_whole(rows[i].in, strlen(rows[i].in));

    if (r.result != GUARD_SSE_OK || strcmp(r.log.text, rows[i].log) != 0 ||
        r.inside != rows[i].inside)
      fail_msg("%s: result %d, inside %d, events %s", rows[i].id, (int)r.result,
               r.inside, r.log.text);
  }
}

static void a_nul_is_a_byte_like_any_other(void **state)
{
  static const char in[] = "data: a\0b\n\n";
  struct reading r = read_whole(in, sizeof(in) - 1);

  (void)state;
  assert_int_equal(r.log.n, strlen("<|>") + 3);
  assert_memory_equal(r.log.text, "<|a\0b>", 6);
}

static void check_splits(const char *id, const char *p, size_t n)
{
  struct reading whole = read_whole(p, n);

  assert_int_equal(whole.result, GUARD_SSE_OK);
  for (size_t first = 0; first <= n; first++)
    for (size_t piece = 1; piece <= n; piece += piece < LONGEST_PIECE ? 1 : n) {
      struct reading r = read_in(p, n, first ? first : n, piece);

      if (r.log.n != whole.log.n || r.inside != whole.inside ||
          r.result != whole.result ||
          memcmp(r.log.text, whole.log.text, r.log.n) != 0)
        fail_msg("%s: cut at %zu, then by %zu: %s", id, first, piece,
                 r.log.text);
    }
}

/* LF becomes `end` everywhere. */
static size_t with_line_ends(const char *in, const char *end, char *out)
{
  size_t n = 0;

  for (; *in; in++) {
    if (*in == '\r')
      continue;
    if (*in == '\n') {
      memcpy(out + n, end, strlen(end));
      n += strlen(end);
    } else {
      out[n++] = *in;
    }
  }
  return n;
}

static void no_split_point_changes_what_is_read(void **state)
{
  static const struct {
    const char *id, *in;
  } rows[] = {
      {"anthropic", A_START A_PING A_HEL A_LO A_REASON A_STOP},
      {"anthropic-error", A_START A_HEL A_ERROR},
      {"anthropic-cut", A_START "event: content_block_delta\ndata: {\"ty"},
      {"openai", O_HEL O_LO O_STOP O_USAGE O_DONE},
      {"openai-error", O_HEL O_ERROR},
      {"openrouter", ": OPENROUTER PROCESSING\n\n" O_HEL O_DONE},
      {"responses", R_CREATED R_HI R_COMPLETED},
      {"responses-failed", R_CREATED R_FAILED},
      {"gemini", G_PAR G_STOP},
      {"gemini-error", G_PAR G_ERROR},
      {"bom", "\xef\xbb\xbf" A_PING A_STOP},
      {"joined", "data: {\ndata: \"a\":1}\n\n: c\nevent: e\nid: 3\ndata\n\n"},
  };
  static const char *const ends[] = {"\n", "\r\n", "\r"};
  char text[LOG_BYTES];

  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (size_t end = 0; end < COUNT(ends); end++)
      check_splits(rows[i].id, text,
                   with_line_ends(rows[i].in, ends[end], text));
}

/* type + data of `n` bytes, in lines of `line` bytes */
static size_t big_event(char *out, size_t n, size_t line)
{
  size_t at = 0;

  for (size_t done = 0; done < n;) {
    size_t take = n - done < line ? n - done : line;

    memcpy(out + at, "data:", 5);
    memset(out + at + 5, 'x', take);
    out[at + 5 + take] = '\n';
    at += take + 6;
    done += take + 1; /* the LF that joins */
  }
  out[at++] = '\n';
  return at;
}

static void an_event_above_its_ceiling_is_told(void **state)
{
  char text[LOG_BYTES];
  static const struct {
    const char *id;
    size_t n, line;
    enum guard_sse_result result;
  } rows[] = {
      {"full", MAX_EVENT_BYTES, MAX_EVENT_BYTES, GUARD_SSE_OK},
      {"one-more", MAX_EVENT_BYTES + 1, LOG_BYTES, GUARD_SSE_TOO_BIG},
      {"in-lines", MAX_EVENT_BYTES + 200, 100, GUARD_SSE_TOO_BIG},
      {"far", 4 * MAX_EVENT_BYTES, LOG_BYTES, GUARD_SSE_TOO_BIG},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    size_t n = big_event(text, rows[i].n, rows[i].line);
    struct reading whole = read_whole(text, n);
    struct reading pieces = read_in(text, n, 3, 1);

    if (whole.result != rows[i].result || pieces.result != rows[i].result)
      fail_msg("%s: %d, in pieces %d", rows[i].id, (int)whole.result,
               (int)pieces.result);
    assert_int_equal(whole.log.n > 0, rows[i].result == GUARD_SSE_OK);
  }
}

static void after_too_big_nothing_more_is_read(void **state)
{
  struct log log = {.n = 0};
  struct guard_sse *s = guard_sse_new(4, on_event, &log);

  (void)state;
  assert_int_equal(guard_sse_feed(s, "data: 12345\n\n", 13), GUARD_SSE_TOO_BIG);
  assert_int_equal(guard_sse_feed(s, "data: 1\n\n", 9), GUARD_SSE_TOO_BIG);
  assert_int_equal(log.n, 0);
  guard_sse_free(s);
}

static void a_comment_may_be_of_any_length(void **state)
{
  char text[4 * MAX_EVENT_BYTES];
  struct reading r;

  (void)state;
  memset(text, ':', sizeof(text));
  memcpy(text + sizeof(text) - 10, "\ndata: a\n\n", 10);
  r = read_in(text, sizeof(text), 1, 5);
  assert_int_equal(r.result, GUARD_SSE_OK);
  assert_string_equal(r.log.text, "<|a>");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(format_rules_hold),
      cmocka_unit_test(a_nul_is_a_byte_like_any_other),
      cmocka_unit_test(no_split_point_changes_what_is_read),
      cmocka_unit_test(an_event_above_its_ceiling_is_told),
      cmocka_unit_test(after_too_big_nothing_more_is_read),
      cmocka_unit_test(a_comment_may_be_of_any_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

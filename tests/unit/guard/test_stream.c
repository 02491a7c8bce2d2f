/* How each provider's stream ends, strict and lenient. */
#include "guard/error_class.h"
#include "guard/sse.h"
#include "tests/unit/guard/streams.h"
#include "tests/unit/unit.h"

enum { MAX_EVENT_BYTES = 4096 };

static void to_stream(void *arg, const struct guard_sse_event *e)
{
  guard_stream_event(arg, e);
}

static struct guard_stream *read_stream(const char *provider, bool strict,
                                        const char *in)
{
  struct guard_stream *s = guard_stream_new(provider, strict);
  struct guard_sse *sse = guard_sse_new(MAX_EVENT_BYTES, to_stream, s);

  assert_non_null(s);
  assert_int_equal(guard_sse_feed(sse, in, strlen(in)), GUARD_SSE_OK);
  guard_sse_free(sse);
  return s;
}

struct row {
  const char *id, *provider, *in;
  enum guard_stream_state strict, lenient;
  const char *text;
};

#define OPEN GUARD_STREAM_OPEN
#define DONE GUARD_STREAM_DONE
#define ERROR GUARD_STREAM_ERROR
#define GARBLED GUARD_STREAM_GARBLED

static const struct row rows[] = {
    {"a-whole", "anthropic", A_START A_PING A_HEL A_LO A_REASON A_STOP, DONE,
     DONE, "Hell\xc3\xb6"},
    {"a-no-stop", "anthropic", A_START A_HEL A_REASON, OPEN, DONE, "Hel"},
    {"a-cut", "anthropic", A_START A_HEL, OPEN, OPEN, "Hel"},
    {"a-only-pings", "anthropic", A_PING A_PING, OPEN, OPEN, ""},
    {"a-error", "anthropic", A_START A_HEL A_ERROR, ERROR, ERROR, "Hel"},
    {"a-error-after-end", "anthropic", A_STOP A_ERROR, ERROR, ERROR, ""},
    {"a-end-after-error", "anthropic", A_ERROR A_STOP, ERROR, ERROR, ""},
    {"a-unknown-type", "anthropic",
     "event: new_thing\ndata: {\"type\":\"new_thing\"}\n\n" A_STOP, DONE, DONE,
     ""},
    {"a-not-json", "anthropic", "event: ping\ndata: {\"ty\n\n", GARBLED,
     GARBLED, ""},
    {"a-names-differ", "anthropic",
     "event: ping\ndata: {\"type\":\"message_stop\"}\n\n", GARBLED, GARBLED,
     ""},
    {"a-quoted-error", "anthropic",
     "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
     "\"delta\":{\"type\":\"text_delta\",\"text\":\"event: error\"}}\n\n",
     OPEN, OPEN, "event: error"},
    {"o-whole", "openai", O_HEL O_LO O_STOP O_USAGE O_DONE, DONE, DONE,
     "Hello"},
    {"o-no-done", "openai", O_HEL O_LO O_STOP, OPEN, DONE, "Hello"},
    {"o-cut", "openai", O_HEL, OPEN, OPEN, "Hel"},
    {"o-error", "openai", O_HEL O_ERROR O_DONE, ERROR, ERROR, "Hel"},
    {"o-reason-error", "openai",
     "data: {\"choices\":[{\"finish_reason\":\"error\"}]}\n\n", ERROR, ERROR,
     ""},
    {"o-second-choice", "openai",
     "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}}]}\n\n",
     OPEN, OPEN, ""},
    {"o-not-json", "openai", "data: <html>\n\n", GARBLED, GARBLED, ""},
    {"r-whole", "openai-responses", R_CREATED R_HI R_COMPLETED, DONE, DONE,
     "Hi"},
    {"r-incomplete", "openai-responses", R_CREATED R_HI R_INCOMPLETE, DONE,
     DONE, "Hi"},
    {"r-failed", "openai-responses", R_CREATED R_FAILED, ERROR, ERROR, ""},
    {"r-error", "openai-responses", R_CREATED R_ERROR, ERROR, ERROR, ""},
    {"r-cut", "openai-responses", R_CREATED R_HI, OPEN, OPEN, "Hi"},
    {"g-whole", "gemini", G_THOUGHT G_PAR G_STOP, DONE, DONE, "part"},
    {"g-cut", "gemini", G_PAR, OPEN, OPEN, "par"},
    {"g-error", "gemini", G_PAR G_ERROR, ERROR, ERROR, "par"},
    {"g-blocked", "gemini", G_BLOCKED, DONE, DONE, ""},
    {"g-not-json", "gemini", "data: [1,\n\n", GARBLED, GARBLED, ""},
};

static void check(const struct row *row, bool strict)
{
  struct guard_stream *s = read_stream(row->provider, strict, row->in);
  enum guard_stream_state want = strict ? row->strict : row->lenient;
  size_t error_n = 99;
  const char *error = guard_stream_error(s, &error_n);

  if (guard_stream_state(s) != want ||
      strcmp(guard_stream_text(s), row->text) != 0)
    fail_msg("%s, %s: state %d, text '%s'", row->id,
             strict ? "strict" : "lenient", (int)guard_stream_state(s),
             guard_stream_text(s));
  if ((error != NULL) != (want == GUARD_STREAM_ERROR) ||
      (error ? strlen(error) : 0) != error_n)
    fail_msg("%s: an error text of %zu bytes", row->id, error_n);
  guard_stream_free(s);
}

static void each_end_is_what_the_provider_means(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    check(&rows[i], true);
    check(&rows[i], false);
  }
}

static void the_first_error_is_kept(void **state)
{
  struct guard_stream *s = read_stream(
      "openai", true, O_ERROR "data: {\"error\":{\"message\":\"second\"}}\n\n");
  size_t n = 0;

  (void)state;
  assert_non_null(strstr(guard_stream_error(s, &n), "server_error"));
  guard_stream_free(s);
}

static void an_error_event_is_classified_by_its_json(void **state)
{
  static const struct {
    const char *provider, *in;
    enum guard_class cls;
  } errors[] = {
      {"anthropic", A_ERROR, GUARD_OVERLOADED},
      {"openai", O_ERROR, GUARD_SERVER_ERROR},
      {"openai-responses", R_FAILED, GUARD_RATE_LIMIT},
      {"gemini", G_ERROR, GUARD_OVERLOADED},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(errors); i++) {
    struct guard_stream *s =
        read_stream(errors[i].provider, true, errors[i].in);
    struct guard_answer a = {
        .provider = errors[i].provider, .channel = GUARD_SSE, .status = 200};

    a.body = guard_stream_error(s, &a.body_n);
    assert_int_equal(guard_classify(&a).cls, errors[i].cls);
    guard_stream_free(s);
  }
}

static void pings_are_no_content(void **state)
{
  static const struct {
    const char *provider, *in;
    bool content;
  } events[] = {
      {"anthropic", A_PING, false},
      {"anthropic", A_HEL, true},
      {"anthropic", A_HEL A_PING, false},
      {"anthropic", A_ERROR, false},
      {"openai", O_HEL, true},
      {"openai", O_USAGE, false},
      {"openai-responses", R_HI, true},
      {"gemini", G_PAR, true},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(events); i++) {
    struct guard_stream *s =
        read_stream(events[i].provider, true, events[i].in);

    if (guard_stream_was_content(s) != events[i].content)
      fail_msg("row %zu", i);
    guard_stream_free(s);
  }
}

static void unknown_providers_have_no_stream(void **state)
{
  (void)state;
  assert_null(guard_stream_new("nobody", true));
  assert_null(guard_stream_new(NULL, true));
  guard_stream_free(NULL);
  guard_sse_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_end_is_what_the_provider_means),
      cmocka_unit_test(the_first_error_is_kept),
      cmocka_unit_test(an_error_event_is_classified_by_its_json),
      cmocka_unit_test(pings_are_no_content),
      cmocka_unit_test(unknown_providers_have_no_stream),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/file.h"
#include "base/json.h"
#include "mockserver/journal.h"
#include "mockserver/mask.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <unistd.h>

static struct journal *memory(size_t max_attempts)
{
  struct diag diag = {0};
  return journal_open(NULL, clock_real(), max_attempts, &diag);
}

static void text(struct journal *j, struct attempt *a, size_t n, char fill)
{
  a->body = journal_text(j, a, n + 1);
  memset(a->body, fill, n);
  a->body[n] = '\0';
  a->body_kept = n;
}

static void attempts_are_numbered_and_stay_where_they_are(void **state)
{
  (void)state;
  struct journal *j = memory(0);
  struct attempt *first = journal_add(j);
  text(j, first, 3, 'a');
  for (int i = 0; i < 1000; i++)
    text(j, journal_add(j), 1000, 'b');
  assert_int_equal(journal_count(j), 1001);
  assert_ptr_equal(journal_get(j, 0), first);
  assert_string_equal(first->body, "aaa");
  assert_int_equal(journal_get(j, 1000)->seq, 1001);
  assert_int_equal(journal_open_attempts(j), 1001);
  journal_close(j);
}

static void the_oldest_that_are_over_are_dropped(void **state)
{
  (void)state;
  struct journal *j = memory(3);
  struct attempt *open = journal_add(j); /* a stall: never over */
  for (int i = 0; i < 1000; i++) {
    struct attempt *a = journal_add(j);
    text(j, a, 500, 'c');
    journal_done(j, a);
  }
  assert_int_equal(journal_count(j), 3);
  assert_int_equal(journal_dropped(j), 998);
  assert_ptr_equal(journal_get(j, 0), open);
  assert_int_equal(journal_get(j, 1)->seq, 1000);
  assert_int_equal(journal_get(j, 2)->seq, 1001);
  assert_int_equal(strspn(journal_get(j, 2)->body, "c"), 500);
  journal_close(j);
}

static void clearing_starts_the_numbers_anew(void **state)
{
  (void)state;
  struct journal *j = memory(0);
  struct attempt *over = journal_add(j), *open = journal_add(j);
  journal_done(j, over);
  journal_clear(j);
  assert_int_equal(journal_count(j), 0);
  assert_int_equal(journal_add(j)->seq, 1);
  text(j, open, 10, 'x'); /* still valid for its owner */
  journal_done(j, open);
  assert_int_equal(journal_count(j), 1);
  journal_close(j);
}

/* In any order, and in time: ten thousand streams may be open. */
static void cleared_attempts_may_end_in_any_order(void **state)
{
  (void)state;
  enum { OPEN = 50000, STEP = 7 }; /* no common factor: each is met once */
  struct attempt **open = mem_alloc(OPEN * sizeof *open);
  struct journal *j = memory(0);
  for (size_t i = 0; i < OPEN; i++)
    open[i] = journal_add(j);
  journal_clear(j);
  assert_int_equal(journal_open_attempts(j), OPEN);
  int64_t begin = clock_now_ns(clock_real());
  for (size_t i = 0; i < OPEN; i++)
    journal_done(j, open[i * STEP % OPEN]);
  /* walking a list for each takes minutes, this a few milliseconds */
  assert_true(clock_now_ns(clock_real()) - begin < 2 * NS_PER_S);
  assert_int_equal(journal_open_attempts(j), 0);
  assert_int_equal(journal_count(j), 0);
  journal_close(j);
  free(open);
}

static void a_forgotten_draft_leaves_no_hole(void **state)
{
  (void)state;
  struct journal *j = memory(0);
  journal_add(j);
  struct attempt *draft = journal_draft(j);
  text(j, draft, 10, 'x');
  assert_int_equal(draft->seq, 2);
  assert_int_equal(journal_count(j), 1);
  journal_forget(j, draft);
  assert_int_equal(journal_add(j)->seq, 2);
  draft = journal_draft(j);
  journal_clear(j);
  journal_enter(j, draft);
  assert_int_equal(draft->seq, 1);
  journal_close(j);
}

static void freezing_writes_what_is_open_once(void **state)
{
  (void)state;
  struct diag diag = {0};
  char *folder = file_temp_folder("journal", &diag);
  char *path = mem_format("%s/j.jsonl", folder);
  struct journal *j = journal_open(path, clock_real(), 0, &diag);
  assert_non_null(j);
  struct attempt *over = journal_add(j), *open = journal_add(j);
  over->end = END_FIN;
  journal_done(j, over);
  journal_freeze(j);
  journal_done(j, open);
  journal_freeze(j);
  journal_close(j);
  struct buf b;
  buf_init(&b, 1 << 20);
  assert_int_equal(file_read(path, &b, &diag), 0);
  const char *second = strchr(buf_str(&b), '\n') + 1;
  assert_memory_equal(b.p, "{\"seq\":1,", 9);
  assert_memory_equal(second, "{\"seq\":2,", 9);
  assert_non_null(strstr(second, "\"end\":\"open\""));
  assert_string_equal(strchr(second, '\n'), "\n");
  buf_release(&b);
  file_remove_tree(folder);
  free(path);
  free(folder);
}

static void a_file_that_cannot_be_written_is_reported(void **state)
{
  (void)state;
  struct diag diag = {0};
  assert_null(journal_open("/nowhere/at/all", clock_real(), 0, &diag));
  assert_non_null(strstr(diag.text, "/nowhere/at/all"));
  diag_clear(&diag);
  struct journal *j = journal_open("/dev/full", clock_real(), 0, &diag);
  journal_done(j, journal_add(j));
  journal_flush(j);
  assert_int_not_equal(journal_error(j), 0);
  journal_close(j);
}

static void an_attempt_is_one_json_object(void **state)
{
  (void)state;
  char headers[] = "Host: x\nOdd: a\"b: c\nEmpty: \nA:b: c\n",
       target[] = "/v1?q=\"";
  char body[] = "{\"a\":\"\xc3\xa9\xff\"}";
  struct attempt a = {.seq = 7,
                      .end = END_RST,
                      .method = "POST",
                      .target = target,
                      .headers = headers,
                      .body = body,
                      .body_kept = sizeof body - 1,
                      .body_hash = UINT64_MAX,
                      .retry_count = -1,
                      .step = 2,
                      .has_retry_after = true,
                      .retry_after = "2",
                      .client_left_ns = INT64_C(1234567890123)};
  struct buf b;
  struct json_doc doc;
  struct diag diag = {0};
  buf_init(&b, 1 << 20);
  attempt_json(&a, &b);
  assert_int_equal(json_parse(&doc, "attempt", buf_bytes(&b), &diag), 0);
  const cJSON *o = doc.root, *list = cJSON_GetObjectItem(o, "headers");
  assert_int_equal(cJSON_GetArraySize(list), 4);
  const cJSON *odd = cJSON_GetArrayItem(list, 1);
  assert_string_equal(cJSON_GetArrayItem(odd, 1)->valuestring, "a\"b: c");
  const cJSON *empty = cJSON_GetArrayItem(list, 2);
  assert_string_equal(cJSON_GetArrayItem(empty, 1)->valuestring, "");
  const cJSON *colon = cJSON_GetArrayItem(list, 3);
  assert_string_equal(cJSON_GetArrayItem(colon, 0)->valuestring, "A:b");
  assert_string_equal(cJSON_GetObjectItem(o, "target")->valuestring, target);
  assert_string_equal(cJSON_GetObjectItem(o, "end")->valuestring, "rst");
  assert_string_equal(cJSON_GetObjectItem(o, "body_hash")->valuestring,
                      "ffffffffffffffff");
  assert_int_equal(cJSON_GetObjectItem(o, "retry_count")->valueint, -1);
  assert_string_equal(cJSON_GetObjectItem(o, "retry_after")->valuestring, "2");
  json_release(&doc);
  buf_release(&b);
}

static void credentials_keep_a_short_suffix(void **state)
{
  (void)state;
  static const struct {
    const char *id, *value, *masked;
  } rows[] = {{"a key", "sk-ant-0123456789abcd", "***abcd"},
              {"a short one keeps a quarter", "12345678", "***78"},
              {"three bytes keep none", "abc", "***"},
              {"none", "", "***"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    char out[64] = "";
    struct bytes value = bytes_of(rows[i].value);
    char *end = mask_value(out, value);
    *end = '\0';
    assert_string_equal(out, rows[i].masked);
    assert_int_equal(mask_length(value), strlen(out));
  }
  assert_true(mask_is_secret(BYTES("X-API-Key")));
  assert_true(mask_is_secret(BYTES("authorization")));
  assert_true(mask_is_secret(BYTES("x-goog-api-key")));
  assert_true(mask_is_secret(BYTES("Cookie")));
  assert_false(mask_is_secret(BYTES("x-api-keys")));
}

static void only_the_secret_parameters_of_a_target_are_masked(void **state)
{
  (void)state;
  static const struct {
    const char *target, *masked;
  } rows[] = {
      {"/v1/m", "/v1/m"},
      {"/v1/m?", "/v1/m?"},
      {"/m?key=AIza0123456789WXYZ", "/m?key=***WXYZ"},
      {"/m?alt=sse&key=AIza01234567&x=1", "/m?alt=sse&key=***567&x=1"},
      {"/m?monkey=0123456789", "/m?monkey=0123456789"},
      {"/key=0123456789?a=b", "/key=0123456789?a=b"},
      {"/m?KEY=&token=&&", "/m?KEY=***&token=***&&"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char out[128] = "";
    struct bytes target = bytes_of(rows[i].target);
    *mask_target(out, target) = '\0';
    assert_string_equal(out, rows[i].masked);
    assert_true(strlen(out) <= mask_target_room(target));
  }
}

static void
events_are_kept_with_their_times_as_far_as_there_is_room(void **state)
{
  (void)state;
  struct journal *j = memory(0);
  struct attempt *a = journal_add(j);
  a->answer_first_ns = 1000;
  for (int i = 0; i < EVENT_TIMES_MAX + 2; i++) {
    /* those that are not kept went out with the last one that is */
    a->answer_last_ns = 1000 + (i < EVENT_TIMES_MAX ? i : 63) * 10;
    journal_event(j, a, i == 3 ? EVENT_PING : EVENT_CONTENT);
  }
  journal_terminal(a); /* of an event that is not kept */
  assert_int_equal(a->events_sent, EVENT_TIMES_MAX + 2);
  assert_int_equal(a->events->n, EVENT_TIMES_MAX);
  assert_int_equal(a->events->ns[0], 0);
  assert_int_equal(a->events->ns[63], 630);
  assert_int_equal(a->events->kind[3], EVENT_PING);
  assert_int_equal(a->events->kind[63], EVENT_CONTENT);
  assert_true(a->terminal_sent);
  journal_close(j);
}

static void
the_terminal_event_is_the_one_whose_bytes_were_the_last(void **state)
{
  (void)state;
  static const struct {
    const char *id;
    enum event_kind kind;
    int64_t more_ns; /* bytes behind it that are no event */
    char want;
  } rows[] = {{"content", EVENT_CONTENT, 0, EVENT_TERMINAL},
              {"an error stays one", EVENT_ERROR, 0, EVENT_ERROR},
              {"raw bytes were the last", EVENT_CONTENT, 7, EVENT_CONTENT}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct journal *j = memory(0);
    struct attempt *a = journal_add(j);
    a->answer_first_ns = a->answer_last_ns = 1000;
    journal_event(j, a, rows[i].kind);
    a->answer_last_ns += rows[i].more_ns;
    journal_terminal(a);
    if (a->events->kind[0] != rows[i].want)
      fail_msg("%s: %c", rows[i].id, a->events->kind[0]);
    journal_close(j);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attempts_are_numbered_and_stay_where_they_are),
      cmocka_unit_test(the_oldest_that_are_over_are_dropped),
      cmocka_unit_test(clearing_starts_the_numbers_anew),
      cmocka_unit_test(cleared_attempts_may_end_in_any_order),
      cmocka_unit_test(a_forgotten_draft_leaves_no_hole),
      cmocka_unit_test(freezing_writes_what_is_open_once),
      cmocka_unit_test(a_file_that_cannot_be_written_is_reported),
      cmocka_unit_test(an_attempt_is_one_json_object),
      cmocka_unit_test(
          events_are_kept_with_their_times_as_far_as_there_is_room),
      cmocka_unit_test(the_terminal_event_is_the_one_whose_bytes_were_the_last),
      cmocka_unit_test(credentials_keep_a_short_suffix),
      cmocka_unit_test(only_the_secret_parameters_of_a_target_are_masked),
  };
  return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}

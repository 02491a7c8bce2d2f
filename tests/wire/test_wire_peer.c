/* Tests written for other mock servers, against `faultwire serve` as it is:
 * LLMock's verdict, aimock's queued errors, Google's Retry Test. */
#include "tests/unit/unit.h"
#include "tests/wire/served.h"

#include "base/file.h"
#include "base/json.h"

#include <string.h>
#include <time.h>

#define ONE(fault)                                                             \
  "{\"name\":\"s\",\"why\":\"w\",\"provider\":\"anthropic\","                  \
  "\"steps\":[{" fault "},{\"reply\":\"message\",\"times\":\"always\"}]}"
#define PLAIN                                                                  \
  "{\"name\":\"s\",\"why\":\"w\",\"steps\":[],\"after_script\":\"reply\"}"

struct place {
  char *folder, *file;
  struct served s;
};

static void open_place(struct place *p, const char *scenario)
{
  struct diag diag = {0};
  const char *options[2] = {NULL};
  p->folder = file_temp_folder("faultwire-peer", &diag);
  p->file = mem_format("%s/scenario.json", p->folder);
  temp_write(p->file, scenario);
  options[0] = p->file;
  served_start(&p->s, options);
}

static void close_place(struct place *p)
{
  assert_int_equal(served_stop(&p->s), 0);
  file_remove_tree(p->folder);
  free(p->folder);
  free(p->file);
}

static void ask(const struct place *p, const char *method, const char *target,
                const char *body, int status, const char *part)
{
  struct buf got;
  int is = served_ask(&p->s, method, target, "", body, &got);
  if (is != status || !strstr(buf_str(&got), part))
    fail_msg("%s %s: %d with '%s' wanted: %s", method, target, status, part,
             buf_str(&got));
  buf_release(&got);
}

static void a_verdict_is_that_of_the_calls_that_came(void **state)
{
  static const struct {
    const char *id, *step;
    int calls, wait_ms; /* between them */
    const char *part;
  } rows[] = {
      {"no call", "\"fault\":\"rate_limit\"", 0, 0,
       "\"verdict\":\"inconclusive\",\"calls\":0"},
      {"waited", "\"fault\":\"rate_limit\",\"retry_after\":\"0.2\"", 2, 230,
       "{\"passed\":true,\"verdict\":\"pass\",\"calls\":1,\"attempts\":2,"
       "\"faults_injected\":1,\"errors\":0"},
      {"at once", "\"fault\":\"rate_limit\",\"retry_after\":\"60\"", 2, 0,
       "\"severity\":\"error\",\"code\":\"retry_after_ignored\""},
      {"a 400 again", "\"fault\":\"status\",\"error\":\"invalid_request\"", 2,
       0, "\"code\":\"retried_non_retryable\""},
      {"twelve times", "\"fault\":\"overloaded\",\"times\":11", 12, 0,
       "\"code\":\"retry_storm\""},
      {"a step too many",
       "\"fault\":\"overloaded\"},{\"fault\":\"rate_limit\",\"lane\":\"x\"", 2,
       60, "\"reasons\":[\"fault_not_consumed: "}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct place p;
    char *text = mem_format(ONE("%s"), rows[i].step);
    open_place(&p, text);
    for (int k = 0; k < rows[i].calls; k++) {
      struct timespec t = {0, rows[i].wait_ms * 1000000L};
      if (k)
        nanosleep(&t, NULL); /* the client's own wait, which is judged */
      served_call(&p.s, "");
    }
    ask(&p, "GET", "/_llmock/verdict", "", 200, rows[i].part);
    ask(&p, "GET", "/_llmock/verdict?format=text", "", 200,
        "faultwire verdict: ");
    close_place(&p);
    free(text);
  }
}

static void a_queued_error_is_for_the_next_call_alone(void **state)
{
  struct place p;
  (void)state;
  open_place(&p, ONE("\"fault\":\"rate_limit\""));
  ask(&p, "POST", "/__aimock/error",
      "{\"status\":503,\"body\":{\"message\":\"mine\"}}", 200,
      "{\"queued\":true}");
  ask(&p, "POST", "/__aimock/error", "{\"statuss\":503}", 400,
      "did you mean 'status'?");
  ask(&p, "GET", "/_llmock/verdict", "", 200, "fault_not_consumed: a queued");
  struct buf got;
  int status = served_ask(&p.s, "POST", "/v1/messages", "", "{}", &got);
  assert_int_equal(status, 503);
  assert_non_null(strstr(buf_str(&got), "\"message\":\"mine\""));
  assert_non_null(strstr(buf_str(&got), "x-faultwire: status; queued\r\n"));
  buf_release(&got);
  assert_int_equal(served_call(&p.s, ""), 429); /* the script was kept */
  assert_int_equal(served_call(&p.s, ""), 200);
  ask(&p, "GET", "/__admin/requests", "", 200, "\"rule\":\"queued\"");
  ask(&p, "GET", "/__admin/metrics", "", 200,
      "faultwire_faults_injected_total{kind=\"status\",rule=\"queued\"} 1\n");
  close_place(&p);
}

/* The header line with the id of a new test; the caller frees. */
static char *make_test(const struct place *p, const char *body, char id[33])
{
  struct buf got;
  assert_int_equal(served_ask(&p->s, "POST", "/retry_test", "", body, &got),
                   200);
  const char *at = strstr(buf_str(&got), "{\"id\":\"");
  assert_non_null(at);
  snprintf(id, 33, "%.32s", at + 7);
  buf_release(&got);
  return mem_format("x-retry-test-id: %s\r\n", id);
}

static void a_retry_test_is_met_in_its_order_and_then_completed(void **state)
{
  struct place p;
  char id[33];
  (void)state;
  open_place(&p, PLAIN);
  char *header = make_test(&p,
                           "{\"instructions\":{\"messages.create\":[\"return-"
                           "503\",\"return-reset-connection\",\"return-429\"]},"
                           "\"transport\":\"HTTP\"}",
                           id);
  char *target = mem_format("/retry_test/%s", id);
  static const int statuses[] = {503, 0, 429};
  for (size_t i = 0; i < COUNT(statuses); i++) {
    ask(&p, "GET", target, "", 200, "\"completed\":false");
    assert_int_equal(served_call(&p.s, ""), 200); /* without the header */
    assert_int_equal(served_call(&p.s, header), statuses[i]);
  }
  ask(&p, "GET", target, "", 200,
      "\"instructions\":{\"messages.create\":[]},\"completed\":true");
  assert_int_equal(served_call(&p.s, header), 200);
  ask(&p, "GET", "/retry_tests", "", 200, "{\"retry_test\":[{\"id\":");
  ask(&p, "DELETE", target, "", 200, "Deleted ");
  ask(&p, "GET", target, "", 404, "does not exist");
  assert_int_equal(served_call(&p.s, header), 404);
  free(target);
  free(header);
  close_place(&p);
}

static void a_broken_stream_breaks_where_it_says(void **state)
{
  struct place p;
  struct buf got;
  char id[33];
  (void)state;
  open_place(&p, PLAIN);
  char *header = make_test(
      &p,
      "{\"instructions\":{\"generate\":[\"return-broken-stream-after-3K\"]}}",
      id);
  served_ask(&p.s, "POST", "/v1/messages", header, "{}", &got);
  ptrdiff_t body = bytes_find(buf_bytes(&got), BYTES("\r\n\r\n"));
  assert_true(body > 0);
  assert_int_equal(got.n - (size_t)body - 4, 3 * 1024);
  buf_release(&got);
  char *target = mem_format("/retry_test/%s", id);
  ask(&p, "GET", target, "", 200, "\"completed\":true");
  free(target);
  free(header);
  close_place(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_verdict_is_that_of_the_calls_that_came),
      cmocka_unit_test(a_queued_error_is_for_the_next_call_alone),
      cmocka_unit_test(a_retry_test_is_met_in_its_order_and_then_completed),
      cmocka_unit_test(a_broken_stream_breaks_where_it_says)};
  return cmocka_run_group_tests_name("wire_peer", tests, NULL, NULL);
}

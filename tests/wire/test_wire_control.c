/* The server from outside: admin paths, another scenario while calls are
 * under way, files that change, forced faults, presets. */
#include "tests/unit/unit.h"
#include "tests/wire/served.h"

#include "base/file.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ONE(fault)                                                             \
  "{\"name\":\"s\",\"why\":\"w\",\"provider\":\"anthropic\","                  \
  "\"steps\":[{\"fault\":\"" fault "\",\"times\":\"always\"}]}"
#define SLOW_STREAM                                                            \
  "{\"name\":\"slow\",\"why\":\"w\",\"provider\":\"anthropic\",\"steps\":["    \
  "{\"reply\":\"message\",\"text\":\"a b c d e f g h\",\"gap_ms\":30,"         \
  "\"times\":\"always\"}]}"

struct place {
  char *folder, *file;
  struct served s;
};

/* A server over `scenario`, in a file; up to six more options. */
static void open_place(struct place *p, const char *scenario,
                       const char *const *more)
{
  struct diag diag = {0};
  const char *options[8] = {NULL};
  size_t n = 0;
  p->folder = file_temp_folder("faultwire-control", &diag);
  p->file = mem_format("%s/scenario.json", p->folder);
  temp_write(p->file, scenario);
  for (; more && *more; more++)
    options[n++] = *more;
  options[n] = p->file;
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
                const char *headers, const char *body, int status,
                const char *part)
{
  struct buf got;
  int is = served_ask(&p->s, method, target, headers, body, &got);
  if (is != status || !strstr(buf_str(&got), part))
    fail_msg("%s %s: %d with '%s' wanted: %s", method, target, status, part,
             buf_str(&got));
  buf_release(&got);
}

static void an_armed_scenario_answers_from_the_next_call_on(void **state)
{
  (void)state;
  struct place p;
  open_place(&p, ONE("rate_limit"), NULL);
  assert_int_equal(served_call(&p.s, ""), 429);
  ask(&p, "POST", "/__admin/scenarios", "", ONE("overloaded"), 200,
      "{\"armed\":\"s\",\"steps\":1}");
  assert_int_equal(served_call(&p.s, ""), 529);
  ask(&p, "GET", "/__admin/scenarios", "", "", 200, "\"number\":2");
  ask(&p, "GET", "/__admin/requests", "", "", 200, "\"script\":2");
  close_place(&p);
}

static void a_bad_scenario_is_told_and_the_old_one_goes_on(void **state)
{
  (void)state;
  static const struct {
    const char *id, *body, *part;
  } rows[] = {
      {"an unknown kind, in line 2",
       "{\"name\":\"b\",\"why\":\"w\",\"steps\":[\n{\"fault\":\"overloadd\"}]}",
       "did you mean 'overloaded'?\",\"line\":2,\"column\":10,"
       "\"path\":\"$.steps[0].fault\""},
      {"an unknown key", "{\"name\":\"b\",\"why\":\"w\",\"step\":[]}",
       "did you mean 'steps'?"},
      {"the last step of three is wrong",
       "{\"name\":\"b\",\"why\":\"w\",\"steps\":[{\"reply\":\"message\"},"
       "{\"reply\":\"message\"},{\"reply\":\"massage\"}]}",
       "$.steps[2].reply"},
      {"half of a file", "{\"name\":\"b\",\"why\":", "\"line\":1"},
      {"nothing", "", "error"}};
  struct place p;
  open_place(&p, ONE("rate_limit"), NULL);
  for (size_t i = 0; i < COUNT(rows); i++) {
    ask(&p, "POST", "/__admin/scenarios", "", rows[i].body, 400, rows[i].part);
    assert_int_equal(served_call(&p.s, ""), 429);
  }
  ask(&p, "GET", "/__admin/metrics", "", "", 200,
      "faultwire_scenario_loads_total{result=\"error\"} 5\n");
  close_place(&p);
}

/* Head and first event, at least. */
static void take_some(int fd, struct buf *ret)
{
  char block[512];
  while (!strstr(buf_str(ret), "content_block_delta")) {
    ssize_t n = recv(fd, block, sizeof block, 0);
    assert_true(n > 0);
    buf_add(ret, block, (size_t)n);
  }
}

static void a_call_under_way_keeps_the_script_it_began_with(void **state)
{
  (void)state;
  static const char request[] =
      "POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
      "content-length: 56\r\n\r\n"
      "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[],\"stream\":true}";
  struct place p;
  struct buf got;
  char block[512];
  buf_init(&got, 65536);
  open_place(&p, SLOW_STREAM, NULL);
  int fd = served_connect(&p.s);
  assert_true(send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0);
  take_some(fd, &got);
  for (int i = 0; i < 5; i++) { /* the first two acts may be gone by then */
    ask(&p, "POST", "/__admin/scenarios", "", ONE("overloaded"), 200, "armed");
    assert_int_equal(served_call(&p.s, ""), 529);
  }
  for (ssize_t n; (n = recv(fd, block, sizeof block, 0)) > 0;)
    buf_add(&got, block, (size_t)n);
  assert_non_null(strstr(buf_str(&got), " h\""));
  assert_non_null(strstr(buf_str(&got), "message_stop"));
  close(fd);
  close_place(&p);
  buf_release(&got);
}

/* Its answer is written when the barrier opens: after the arming. */
static void a_call_that_is_held_is_answered_by_its_own_script(void **state)
{
  (void)state;
  static const char held[] =
      "{\"name\":\"h\",\"why\":\"w\",\"provider\":\"anthropic\",\"steps\":["
      "{\"fault\":\"rate_limit\",\"retry_after\":\"77\",\"barrier\":"
      "{\"requests\":2,\"for_s\":0.4}}]}";
  static const char request[] =
      "POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
      "content-length: 2\r\n\r\n{}";
  struct place p;
  struct buf got;
  char block[512];
  buf_init(&got, 65536);
  open_place(&p, held, NULL);
  int fd = served_connect(&p.s);
  assert_true(send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0);
  ask(&p, "GET", "/__admin/scenarios", "", "", 200, "\"uses\":1");
  ask(&p, "POST", "/__admin/scenarios", "", ONE("overloaded"), 200, "armed");
  assert_int_equal(served_call(&p.s, ""), 529);
  for (ssize_t n; (n = recv(fd, block, sizeof block, 0)) > 0;)
    buf_add(&got, block, (size_t)n);
  assert_non_null(strstr(buf_str(&got), "HTTP/1.1 429"));
  assert_non_null(strstr(buf_str(&got), "retry-after: 77\r\n"));
  close(fd);
  close_place(&p);
  buf_release(&got);
}

static void a_hangup_reads_the_file_again(void **state)
{
  (void)state;
  struct place p;
  open_place(&p, ONE("rate_limit"), NULL);
  assert_int_equal(served_call(&p.s, ""), 429);
  temp_write(p.file, "{\"name\":\"s\",\"why\":\"w\",\"steps\":[{}]}");
  kill(p.s.pid, SIGHUP);
  served_wait_for(&p.s, "the old scenario goes on");
  assert_int_equal(served_call(&p.s, ""), 429);
  temp_write(p.file, ONE("overloaded"));
  kill(p.s.pid, SIGHUP);
  served_wait_for(&p.s, "again: s (1 steps)");
  assert_int_equal(served_call(&p.s, ""), 529);
  close_place(&p);
}

static void a_watched_file_is_read_when_it_is_written_or_replaced(void **state)
{
  (void)state;
  static const char *const more[] = {"--watch", NULL};
  struct place p;
  open_place(&p, ONE("rate_limit"), more);
  FILE *f = fopen(p.file, "w"); /* in place */
  assert_non_null(f);
  fputs(ONE("overloaded"), f);
  fclose(f);
  served_wait_for(&p.s, "again: s (1 steps)");
  assert_int_equal(served_call(&p.s, ""), 529);
  char *other = mem_format("%s/scenario.json~", p.folder);
  temp_write(other, "{ no scenario");
  assert_int_equal(rename(other, p.file), 0); /* as editors do */
  served_wait_for(&p.s, "the old scenario goes on");
  assert_int_equal(served_call(&p.s, ""), 529);
  temp_write(other, ONE("rate_limit"));
  assert_int_equal(rename(other, p.file), 0);
  served_wait_for(&p.s, "again: s (1 steps)");
  assert_int_equal(served_call(&p.s, ""), 429);
  free(other);
  close_place(&p);
}

static void a_token_guards_all_but_health(void **state)
{
  (void)state;
  static const char *const more[] = {"--admin-token", "sesame", NULL};
  static const struct {
    const char *id, *method, *target, *headers;
    int status;
  } rows[] = {
      {"none", "GET", "/__admin/requests", "", 401},
      {"the right one", "GET", "/__admin/requests",
       "authorization: Bearer sesame\r\n", 200},
      {"scheme in another case", "GET", "/__admin/requests",
       "authorization: bearer sesame\r\n", 200},
      {"a longer one", "GET", "/__admin/requests",
       "authorization: Bearer sesamee\r\n", 401},
      {"a prefix", "GET", "/__admin/requests",
       "authorization: Bearer sesam\r\n", 401},
      {"empty", "GET", "/__admin/requests", "authorization: Bearer \r\n", 401},
      {"another scheme", "GET", "/__admin/requests",
       "authorization: Basic sesame\r\n", 401},
      {"an alias", "GET", "/_llmock/requests", "", 401},
      {"a path nobody has", "GET", "/__admin/x", "", 401},
      {"arming", "POST", "/__admin/scenarios", "", 401},
      {"metrics", "GET", "/__admin/metrics", "", 401},
      {"health", "GET", "/__admin/health", "", 200},
      {"its alias", "GET", "/health", "", 200},
      {"ready", "GET", "/ready", "", 200}};
  struct place p;
  open_place(&p, ONE("rate_limit"), more);
  for (size_t i = 0; i < COUNT(rows); i++)
    ask(&p, rows[i].method, rows[i].target, rows[i].headers, "", rows[i].status,
        rows[i].status == 401 ? "www-authenticate" : "200 OK");
  assert_int_equal(served_call(&p.s, ""), 429);
  close_place(&p);
}

static void aliases_do_what_their_servers_do(void **state)
{
  (void)state;
  static const struct {
    const char *method, *target, *part;
  } rows[] = {{"GET", "/health", "\"ok\""},
              {"GET", "/ready", "\"ok\""},
              {"GET", "/__aimock/health", "\"ok\""},
              {"GET", "/_llmock/requests", "\"attempts\":[{"},
              {"GET", "/__aimock/journal", "\"attempts\":[{"},
              {"GET", "/__admin/requests?limit=1", "\"attempts\":[{\"seq\":2"},
              {"POST", "/__aimock/reset/journal", "{\"reset\":true}"},
              {"GET", "/__admin/requests", "\"attempts\":[]"},
              {"POST", "/_llmock/reset", "{\"reset\":true}"},
              {"POST", "/__aimock/reset", "{\"reset\":true}"},
              {"DELETE", "/__admin/requests", "{}"}};
  struct place p;
  open_place(&p, ONE("rate_limit"), NULL);
  assert_int_equal(served_call(&p.s, ""), 429);
  assert_int_equal(served_call(&p.s, ""), 429);
  for (size_t i = 0; i < COUNT(rows); i++)
    ask(&p, rows[i].method, rows[i].target, "", "", 200, rows[i].part);
  ask(&p, "POST", "/_llmock/scenario", "", ONE("overloaded"), 200, "armed");
  assert_int_equal(served_call(&p.s, ""), 529);
  close_place(&p);
}

static void metrics_start_at_zero_and_count(void **state)
{
  (void)state;
#define R                                                                      \
  "faultwire_requests_total{provider=\"anthropic\",path=\"/v1/messages\","
#define F                                                                      \
  "faultwire_faults_injected_total{kind=\"rate_limit\",rule=\"step 0\"} "
  static const char *const at_first[] = {
      (R "status=\"200\"} 0\n"),
      (F "0\n"),
      "path=\"/v1beta/models/{model}:generateContent\",status=\"200\"} 0\n",
      ("faultwire_request_duration_seconds_bucket{provider=\"anthropic\","
       "le=\"+Inf\"} 0\n"),
      "faultwire_refused_total 0\n",
      "faultwire_rate_limited_total 0\n",
      "faultwire_faults_armed 1\n",
      "\nfaultwire_open_connections ",
      "faultwire_lateness_seconds_count 0\n",
      "content-type: text/plain; version=0.0.4"};
  static const char *const later[] = {
      (R "status=\"429\"} 2\n"), (F "2\n"), "faultwire_refused_total 1\n",
      "faultwire_request_duration_seconds_count{provider=\"anthropic\"} 2\n",
      "provider=\"none\",path=\"other\",status=\"400\"} 1\n"};
  struct place p;
  struct buf got;
  open_place(&p, ONE("rate_limit"), NULL);
  for (size_t i = 0; i < COUNT(at_first); i++)
    ask(&p, "GET", "/__admin/metrics", "", "", 200, at_first[i]);
  assert_int_equal(served_call(&p.s, ""), 429);
  assert_int_equal(served_call(&p.s, ""), 429);
  assert_int_equal(served_ask(&p.s, "GET", "no-slash", "", "", &got), 400);
  buf_release(&got);
  for (size_t i = 0; i < COUNT(later); i++)
    ask(&p, "GET", "/__admin/metrics", "", "", 200, later[i]);
  ask(&p, "POST", "/__admin/reset", "", "", 200, "{}");
  ask(&p, "GET", "/__admin/metrics", "", "", 200, F "0\n");
  close_place(&p);
}

static void a_request_may_force_its_fault_when_that_is_allowed(void **state)
{
  (void)state;
  static const char *const more[] = {"--allow-force", NULL};
  static const struct {
    const char *headers;
    int allowed;
  } rows[] = {{"x-faultwire-force: 529\r\n", 529},
              {"x-faultwire-force: 418\r\n", 418},
              {"x-faultwire-force: overloaded\r\n", 529},
              {"x-faultwire-force: reset\r\n", 0},
              {"x-llmock-force-status: 503\r\n", 503},
              {"X-Return-Error: 500\r\n", 500},
              {"X-Mock-Status: 401\r\n", 401},
              {"x-faultwire-force: overloadd\r\n", 400},
              {"x-faultwire-force: \"\\\r\n", 400}};
  struct place p;
  open_place(&p, ONE("rate_limit"), more);
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_int_equal(served_call(&p.s, rows[i].headers), rows[i].allowed);
  ask(&p, "POST", "/v1/messages?chaos_status=529", "", "{}", 529,
      "x-faultwire: status; forced");
  ask(&p, "GET", "/__admin/scenarios", "", "", 200, "\"uses\":0");
  close_place(&p);
  open_place(&p, ONE("rate_limit"), NULL);
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_int_equal(served_call(&p.s, rows[i].headers), 429);
  ask(&p, "POST", "/__admin/settings", "", "{\"allow_force\":true}", 200,
      "\"allow_force\":true");
  assert_int_equal(served_call(&p.s, rows[0].headers), 529);
  close_place(&p);
}

enum { CALLS = 400 };

static void run_preset(const char *name, const char *seed, int *ret)
{
  const char *options[] = {"--preset", name, "--seed", seed, "-q", NULL};
  struct served s;
  served_start(&s, options);
  for (int i = 0; i < CALLS; i++)
    ret[i] = served_call(&s, "");
  assert_int_equal(served_stop(&s), 0);
}

/* `least`, `most`: of CALLS, with four standard deviations of room; slow and
 * hanging ones are left out, since a call here waits for its answer. */
static void presets_keep_their_shares_and_repeat_themselves(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    int least, most; /* calls that do not get a 200 */
  } rows[] = {{"silent", 0, 0},
              {"gentle", 1, 20},
              {"realistic", 8, 45}, /* stream faults need a stream */
              {"outage", CALLS, CALLS}};
  static int first[CALLS], again[CALLS], other[CALLS];
  for (size_t i = 0; i < COUNT(rows); i++) {
    int bad = 0;
    run_preset(rows[i].name, "5", first);
    run_preset(rows[i].name, "5", again);
    run_preset(rows[i].name, "6", other);
    for (int k = 0; k < CALLS; k++)
      bad += first[k] != 200;
    if (bad < rows[i].least || bad > rows[i].most)
      fail_msg("%s: %d of %d", rows[i].name, bad, CALLS);
    assert_memory_equal(first, again, sizeof first);
    if (bad)
      assert_int_not_equal(memcmp(first, other, sizeof first), 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_armed_scenario_answers_from_the_next_call_on),
      cmocka_unit_test(a_bad_scenario_is_told_and_the_old_one_goes_on),
      cmocka_unit_test(a_call_under_way_keeps_the_script_it_began_with),
      cmocka_unit_test(a_call_that_is_held_is_answered_by_its_own_script),
      cmocka_unit_test(a_hangup_reads_the_file_again),
      cmocka_unit_test(a_watched_file_is_read_when_it_is_written_or_replaced),
      cmocka_unit_test(a_token_guards_all_but_health),
      cmocka_unit_test(aliases_do_what_their_servers_do),
      cmocka_unit_test(metrics_start_at_zero_and_count),
      cmocka_unit_test(a_request_may_force_its_fault_when_that_is_allowed),
      cmocka_unit_test(presets_keep_their_shares_and_repeat_themselves)};
  return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}

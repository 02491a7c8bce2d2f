/*
 * No secret reaches a file: keys, tokens, cookies and ids are planted in
 * every place of a session and of each kind of log, and looked for in what
 * was written.
 */
#include "tests/unit/unit.h"

#include "tests/unit/import/log.h"
#include "tests/wire/front.h"

#include "base/file.h"
#include "base/number.h"
#include "mockserver/upstream/record.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every secret holds this word; nothing else does. */
#define PLANT "PLANT3D"

static void assert_no_plant(const char *what, struct bytes text)
{
  ptrdiff_t at = bytes_find(text, BYTES(PLANT));
  if (at >= 0)
    fail_msg("%s: a secret: %.*s", what,
             (int)(text.n - (size_t)at < 60 ? text.n - (size_t)at : 60),
             text.p + at);
}

/* ---- logs ---- */

#define SECRET_HEADERS                                                         \
  "[\"Set-Cookie\",\"sid=" PLANT "1; Path=/\"],"                               \
  "[\"authorization\",\"Bearer " PLANT "2\"],"                                 \
  "[\"X-Api-Key\",\"sk-ant-" PLANT "3\"],"                                     \
  "[\"anthropic-organization-id\",\"" PLANT "-4444\"],"                        \
  "[\"openai-organization\",\"org-" PLANT "5\"],"                              \
  "[\"openai-project\",\"proj_" PLANT "6\"],"                                  \
  "[\"www-authenticate\",\"Bearer realm=" PLANT "7\"],"                        \
  "[\"x-session-token\",\"" PLANT "8\"],"                                      \
  "[\"location\",\"https://x/?a=1&key=" PLANT "9abc&b=2\"]"

#define SECRET_BODY                                                            \
  "Incorrect API key provided: sk-proj-" PLANT "a. You can find your key "     \
  "at x?api_key=" PLANT "b&c=1 (org: " PLANT "-c-dddd, model: m) "             \
  "{\\\"api_key\\\": \\\"" PLANT "e\\\", \\\"access_token\\\":\\\"" PLANT      \
  "f\\\", 'password': '" PLANT "g', Authorization: Bearer " PLANT "hijk, "     \
  "cookie: sid=" PLANT "l, AIzaSy" PLANT "mnopqr, eyJhbGciOi" PLANT            \
  "rstuvw.x.y, user_id=" PLANT "s, organization_id: " PLANT "t}"

static const struct {
  const char *format, *text;
} logs[] = {
    {"har",
     "{\"log\":{\"entries\":[{\"request\":{\"method\":\"POST\",\"url\":"
     "\"https://u:" PLANT "@h/v1/messages?key=" PLANT "\",\"headers\":[{"
     "\"name\":\"x-api-key\",\"value\":\"" PLANT "\"}],\"cookies\":[{\"name\":"
     "\"a\",\"value\":\"" PLANT "\"}],\"postData\":{\"text\":\"{\\\"messages"
     "\\\":[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"" PLANT
     "\\\"}]}\"}},\"response\":{\"status\":401,\"headers\":[" SECRET_HEADERS
     "],\"content\":{\"text\":\"" SECRET_BODY "\"}}}]}}"},
    {"jsonl",
     "{\"path\":\"/v1/messages?key=" PLANT "\",\"request\":{\"a\":\"" PLANT
     "\"},\"status\":401,\"headers\":[" SECRET_HEADERS
     "],\"body\":\"" SECRET_BODY
     "\"}\n{\"path\":\"/v1/messages\",\"status\":200,\"events\":[\"data: {"
     "\\\"error\\\":\\\"key sk-ant-" PLANT "u\\\"}\\n\\n\",\"" SECRET_BODY
     "\\n\\n\"]}"},
    {"har",
     "{\"log\":{\"entries\":[{\"request\":{\"url\":\"https://u:" PLANT
     "@h/x?key=" PLANT "\"},\"response\":{\"status\":200}},{\"request\":{"
     "\"url\":\"https://h/v1/messages\"},\"response\":{\"status\":529}}]}}"},
    {"curl",
     "> POST /v1/messages?key=" PLANT " HTTP/1.1\n> x-api-key: " PLANT "\n> \n"
     "< HTTP/1.1 401 No\n< set-cookie: a=" PLANT "\n< x-auth-token: " PLANT
     "\n< content-type: text/plain\n< \nIncorrect API key: sk-ant-" PLANT
     "abc, Bearer " PLANT "abcdef\n* Connection #0 to host x left intact\n"}};

static void no_log_lets_a_secret_through(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(logs); i++)
    for (int shape = 0; shape < 2; shape++) {
      struct outcome o;
      const struct import_options options = {.name = "n", .shape = shape};
      log_import(logs[i].format, logs[i].text, &options, &o);
      if (o.rc < 0)
        fail_msg("%s: %s", logs[i].format, o.diag.text);
      assert_no_plant(logs[i].format, buf_bytes(&o.scenario));
      if (strcasestr(buf_str(&o.scenario), "set-cookie"))
        fail_msg("%s: a cookie is set", logs[i].format);
      assert_no_plant("notes", buf_bytes(&o.notes));
      assert_no_plant("skipped", buf_bytes(&o.skipped));
      outcome_release(&o);
    }
}

static void lengths_and_other_words_stay(void **state)
{
  struct outcome o;
  (void)state;
  log_import("jsonl",
             "{\"path\":\"/v1/messages\",\"status\":401,\"headers\":{"
             "\"x-ratelimit-remaining-tokens\":\"17\",\"request-id\":\"r1\"},"
             "\"body\":\"bad key sk-ant-0123456789, max_tokens: 5, "
             "\\\"token\\\": \\\"Hello\\\", a bearer token\"}",
             NULL, &o);
  assert_int_equal(o.rc, 0);
  assert_non_null(strstr(buf_str(&o.scenario),
                         "bad key sk-xxx-xxxxxxxxxx, max_tokens: 5, "
                         "\\\"token\\\": \\\"Hello\\\", a bearer token"));
  assert_non_null(strstr(buf_str(&o.scenario), "\"17\""));
  outcome_release(&o);
}

/* ---- a recorded session ---- */

struct session {
  char *folder, *output, *journal, *fifo;
  struct wire upstream;
  pid_t child;
  int port;
};

/* The port comes through a pipe: whoever reads it waits until it is there. */
static int read_port(const char *fifo)
{
  char text[16] = "";
  uint64_t port = 0;
  int fd = open(fifo, O_RDONLY | O_CLOEXEC);
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  assert_true(n > 1);
  number_u64((struct bytes){text, (size_t)n - 1}, 65535, &port);
  return (int)port;
}

static int record(const struct session *s, unsigned port, bool keep)
{
  char *url = mem_format("http://127.0.0.1:%u", port);
  char command[] = "record", quiet[] = "--quiet", prompts[] = "--keep-prompts";
  char up[] = "--upstream", o[] = "-o", j[] = "-j", p[] = "--port",
       zero[] = "0", pf[] = "--port-file";
  char *argv[] = {command,
                  up,
                  url,
                  o,
                  s->output,
                  j,
                  s->journal,
                  p,
                  zero,
                  pf,
                  s->fifo,
                  quiet,
                  keep ? prompts : NULL,
                  NULL};
  int argc = 0;
  while (argv[argc])
    argc++;
  return record_main(argc, argv);
}

static void session_open(struct session *s, const char *scenario, bool keep)
{
  struct diag diag = {0};
  unsigned port = 0;
  int tell[2];
  memset(s, 0, sizeof *s);
  s->folder = file_temp_folder("record", &diag);
  s->output = mem_format("%s/session.json", s->folder);
  s->journal = mem_format("%s/session.jsonl", s->folder);
  s->fifo = mem_format("%s/port", s->folder);
  assert_int_equal(mkfifo(s->fifo, 0600), 0);
  /* forked before there is a thread: a lock of the allocator that a thread
   * holds would be held in the child for ever */
  assert_int_equal(pipe2(tell, O_CLOEXEC), 0);
  s->child = fork();
  assert_true(s->child >= 0);
  if (s->child == 0)
    _exit(read(tell[0], &port, sizeof port) == (ssize_t)sizeof port
              ? record(s, port, keep)
              : 1);
  wire_open(&s->upstream, scenario);
  port = engine_port(s->upstream.engine);
  assert_int_equal(write(tell[1], &port, sizeof port), sizeof port);
  close(tell[0]);
  close(tell[1]);
  s->port = read_port(s->fifo);
}

static void session_ask(const struct session *s, const char *text)
{
  struct buf got;
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons((uint16_t)s->port),
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
  wire_send(fd, text);
  buf_init(&got, 1 << 20);
  front_take(fd, 1 << 20, &got); /* until FIN: the request asks for it */
  assert_true(got.n > 0);
  buf_release(&got);
  close(fd);
}

static void session_read(const char *path, struct buf *ret)
{
  struct diag diag = {0};
  buf_init(ret, 16 << 20);
  assert_int_equal(file_read(path, ret, &diag), 0);
}

static void session_stop(struct session *s)
{
  int status = 0;
  kill(s->child, SIGTERM);
  assert_int_equal(waitpid(s->child, &status, 0), s->child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static void session_close(struct session *s)
{
  wire_close(&s->upstream);
  file_remove_tree(s->folder);
  free(s->folder);
  free(s->output);
  free(s->journal);
  free(s->fifo);
}

static char *secret_request(const char *prompt)
{
  char *body = mem_format(
      "{\"model\":\"m\",\"api_key\":\"" PLANT "k1\",\"metadata\":{\"user_id\":"
      "\"" PLANT "k2\"},\"messages\":[{\"role\":\"user\",\"content\":\"%s my "
      "key is sk-ant-" PLANT "k3 and Bearer " PLANT "k4567\"}]}",
      prompt);
  char *text = mem_format(
      "POST /v1/messages?key=" PLANT "q1234567890&access_token=" PLANT
      "q2&client_secret=" PLANT
      "q3 HTTP/1.1\r\nHost: x\r\nconnection: close\r\n"
      "authorization: Bearer " PLANT "h1\r\nx-api-key: sk-ant-" PLANT "h2\r\n"
      "x-goog-api-key: AIza" PLANT "h3\r\ncookie: sid=" PLANT "h4\r\n"
      "api-key: " PLANT "h5\r\nopenai-organization: org-" PLANT "h6\r\n"
      "x-auth-token: " PLANT "h7\r\nproxy-authorization: Basic " PLANT
      "h8\r\nreferer: https://x/?token=" PLANT "h9abcdefghijk\r\n"
      "content-length: %zu\r\n\r\n%s",
      strlen(body), body);
  free(body);
  return text;
}

static const char secret_scenario[] =
    "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":\"status\","
    "\"status\":401,\"headers\":[" SECRET_HEADERS "],\"body\":\"" SECRET_BODY
    "\"},{\"reply\":\"message\",\"headers\":[" SECRET_HEADERS "]}],"
    "\"after_script\":\"reply\"}";

static void check_recorded(bool keep)
{
  struct session s;
  struct buf scenario, journal;
  char *text = secret_request("PROMPT of mine");
  session_open(&s, secret_scenario, keep);
  session_ask(&s, text);
  session_ask(&s, text);
  session_stop(&s);
  session_read(s.output, &scenario);
  session_read(s.journal, &journal);
  assert_no_plant("the scenario", buf_bytes(&scenario));
  assert_no_plant("the journal", buf_bytes(&journal));
  assert_non_null(strstr(buf_str(&scenario), "Incorrect API key provided"));
  assert_null(strstr(buf_str(&scenario), "PROMPT"));
  assert_int_equal(strstr(buf_str(&journal), "PROMPT") != NULL, keep);
  assert_int_equal(strstr(buf_str(&journal), "sha256:") != NULL, !keep);
  struct scenario loaded;
  struct diag diag = {0};
  assert_int_equal(scenario_load(&loaded, s.output, &diag), 0);
  assert_int_equal(loaded.nsteps, 2);
  scenario_release(&loaded);
  buf_release(&scenario);
  buf_release(&journal);
  session_close(&s);
  free(text);
}

static void a_recorded_session_has_no_secret_and_no_prompt(void **state)
{
  (void)state;
  check_recorded(false);
}

static void kept_prompts_have_no_secret(void **state)
{
  (void)state;
  check_recorded(true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_log_lets_a_secret_through),
      cmocka_unit_test(lengths_and_other_words_stay),
      cmocka_unit_test(a_recorded_session_has_no_secret_and_no_prompt),
      cmocka_unit_test(kept_prompts_have_no_secret)};
  return cmocka_run_group_tests_name("wire_secrets", tests, NULL, NULL);
}

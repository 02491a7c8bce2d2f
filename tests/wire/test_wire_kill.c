/* kill -9 under load, at many moments: the journal file has whole lines up to
 * the last line end, numbered without a gap, and none of the calls that were
 * answered before the last turn of the loop is missing. */
#include "tests/unit/unit.h"
#include "tests/wire/served.h"

#include "base/file.h"
#include "base/json.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLIENTS = 8, KILLS = 60, MAX_ANSWERS = 400, BODY_MAX = 100000 };
#define MAX_JOURNAL ((size_t)256 << 20)

static uint64_t next(uint64_t *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

/* Bodies of very different size: lines are cut anywhere. */
static void send_call(int fd, uint64_t *seed)
{
  static char text[BODY_MAX + 256];
  static const char front[] = "{\"model\":\"m\",\"x\":\"";
  size_t n = next(seed) % 4 ? next(seed) % 500 : next(seed) % BODY_MAX;
  int at = snprintf(text, sizeof text,
                    "POST /v1/messages HTTP/1.1\r\nhost: x\r\n"
                    "content-length: %zu\r\n\r\n%s",
                    sizeof front - 1 + n + 2, front);
  memset(text + at, 'x', n);
  memcpy(text + at + n, "\"}", 2);
  ssize_t done = send(fd, text, (size_t)at + n + 2, MSG_NOSIGNAL);
  (void)done; /* the server may be gone */
}

/* So many answers, each client with one call under way all the time. */
static void load(const struct served *s, size_t answers, uint64_t *seed)
{
  struct pollfd p[CLIENTS];
  char block[65536];
  for (int i = 0; i < CLIENTS; i++) {
    p[i] = (struct pollfd){.fd = served_connect(s), .events = POLLIN};
    send_call(p[i].fd, seed);
  }
  for (size_t n = 0; n < answers;) {
    assert_true(poll(p, CLIENTS, 20000) > 0);
    for (int i = 0; i < CLIENTS; i++) {
      if (!(p[i].revents & POLLIN))
        continue;
      ssize_t k = recv(p[i].fd, block, sizeof block, 0);
      assert_true(k > 0);
      if (block[k - 1] != '}')
        continue; /* the head alone: the body ends in a brace */
      n++;
      send_call(p[i].fd, seed);
    }
  }
  kill(s->pid, SIGKILL);
  waitpid(s->pid, NULL, 0);
  close(s->err);
  for (int i = 0; i < CLIENTS; i++)
    close(p[i].fd);
}

/* Number of whole lines; each must be an attempt with the next number. */
static size_t check_lines(struct bytes rest)
{
  size_t n = 0;
  for (const char *lf; rest.n && (lf = memchr(rest.p, '\n', rest.n));) {
    struct json_doc doc;
    struct diag diag = {0};
    struct bytes line = {rest.p, (size_t)(lf - rest.p)};
    if (json_parse(&doc, "line", line, &diag) < 0)
      fail_msg("line %zu: %s", n + 1, diag.text);
    assert_int_equal(cJSON_GetObjectItem(doc.root, "seq")->valueint, n + 1);
    assert_non_null(cJSON_GetObjectItem(doc.root, "client_left_ns"));
    json_release(&doc);
    n++;
    rest.p = lf + 1;
    rest.n -= line.n + 1;
  }
  return n;
}

static void what_is_left_of_a_killed_server_can_be_read(void **state)
{
  (void)state;
  struct diag diag = {0};
  char *folder = file_temp_folder("faultwire-kill", &diag);
  char *path = mem_format("%s/journal", folder);
  const char *options[] = {"-q", "--journal", path, NULL};
  uint64_t seed = 20251201;
  for (int i = 0; i < KILLS; i++) {
    struct served s;
    struct buf text;
    size_t answers = 1 + next(&seed) % MAX_ANSWERS;
    served_start(&s, options);
    load(&s, answers, &seed);
    buf_init(&text, MAX_JOURNAL);
    assert_int_equal(file_read(path, &text, &diag), 0);
    size_t lines = check_lines(buf_bytes(&text));
    /* an answer goes out before its line, both in one turn */
    if (lines + CLIENTS < answers)
      fail_msg("%zu answers, %zu lines", answers, lines);
    buf_release(&text);
  }
  file_remove_tree(folder);
  free(folder);
  free(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_left_of_a_killed_server_can_be_read)};
  return cmocka_run_group_tests_name("kill", tests, NULL, NULL);
}

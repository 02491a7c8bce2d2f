/*
 * loopback.h - a server of canned answers on 127.0.0.1 and the program guard
 * against it, for the tests of what guard writes down.
 *
 * Each connection gets the next answer, the last one again and again, and is
 * closed. What was asked is kept in a file.
 */
#ifndef TESTS_UNIT_GUARD_LOOPBACK_H
#define TESTS_UNIT_GUARD_LOOPBACK_H

#include "base/file.h"
#include "base/number.h"
#include "tests/unit/guard/command_run.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/* Answers in the way of the Messages API. */
#define EVENTS                                                                 \
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"                     \
  "connection: close\r\n\r\n"
#define EVENT(type, rest)                                                      \
  "event: " type "\ndata: {\"type\":\"" type "\"" rest "}\n\n"
#define TEXT(text)                                                             \
  EVENT("content_block_delta",                                                 \
        ",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" text     \
        "\"}")
#define BLOCK(type)                                                            \
  EVENT("content_block_start",                                                 \
        ",\"index\":0,\"content_block\":{\"type\":\"" type "\"}")
#define STOP EVENT("message_stop", "")
#define WHOLE(text) EVENTS BLOCK("text") TEXT(text) STOP
#define LIMITED                                                                \
  "HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\n"                       \
  "content-type: application/json\r\nconnection: close\r\n\r\n"                \
  "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\","              \
  "\"message\":\"slow down\"}}"
#define BROKEN                                                                 \
  "HTTP/1.1 500 Internal Server Error\r\n"                                     \
  "content-type: application/json\r\nconnection: close\r\n\r\n"                \
  "{\"type\":\"error\",\"error\":{\"type\":\"api_error\","                     \
  "\"message\":\"oops\"}}"
#define REFUSED                                                                \
  "HTTP/1.1 400 Bad Request\r\n"                                               \
  "content-type: application/json\r\nconnection: close\r\n\r\n"                \
  "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","         \
  "\"message\":\"no\"}}"
/* Reads the request and is then silent until the client leaves. */
#define SILENCE ""

enum { MAX_ANSWERS = 8 };

/* One test's folder, server and outputs. */
struct rig {
  pid_t pid;
  int port;
  char *folder, *url, *log;
  struct buf out, err, asked;
};

/* The head, and as many bytes as it says. */
static void server_read(int fd, struct buf *ret)
{
  char piece[4096];
  ssize_t n;

  while ((n = read(fd, piece, sizeof piece)) > 0) {
    buf_add(ret, piece, (size_t)n);
    const char *end = strstr(buf_str(ret), "\r\n\r\n");
    const char *length = strcasestr(buf_str(ret), "content-length: ");
    uint64_t body_n = 0;
    struct bytes digits = {length ? length + 16 : "", length ? 19 : 0};

    if (!end)
      continue;
    if (length)
      number_take_u64(&digits, 1 << 20, &body_n);
    if (ret->n >= (size_t)(end + 4 - buf_str(ret)) + body_n)
      return;
  }
}

static void server_answer(int fd, const char *answer, int log)
{
  struct buf request;
  char byte;

  buf_init(&request, 1 << 20);
  server_read(fd, &request);
  buf_adds(&request, "\n----\n");
  if (write(log, buf_str(&request), request.n) != (ssize_t)request.n)
    _exit(1);
  buf_release(&request);
  if (send(fd, answer, strlen(answer), MSG_NOSIGNAL) == 0)
    while (read(fd, &byte, 1) > 0)
      ;
  shutdown(fd, SHUT_WR);
  while (read(fd, &byte, 1) > 0)
    ;
  close(fd);
}

static void server_run(int listener, const char *const *answers, int log)
{
  /* a test that fails does not get to rig_end() */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0;; i += i + 1 < MAX_ANSWERS && answers[i + 1])
    server_answer(accept(listener, NULL, NULL), answers[i], log);
}

static void rig_start(struct rig *r, const char *const *answers)
{
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t n = sizeof a;
  struct diag diag = {0};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  *r = (struct rig){.folder = file_temp_folder("guard-records", &diag)};
  assert_non_null(r->folder);
  assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
  assert_int_equal(listen(fd, 16), 0);
  assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
  r->port = ntohs(a.sin_port);
  r->url = mem_format("http://127.0.0.1:%d", r->port);
  r->log = mem_format("%s/asked", r->folder);
  setenv("XDG_STATE_HOME", r->folder, 1);
  int log = open(r->log, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  r->pid = fork();
  assert_true(r->pid >= 0);
  if (r->pid == 0)
    server_run(fd, answers, log);
  close(fd);
  close(log);
}

/* Times a request came that holds |text|. */
static inline int rig_asked(struct rig *r, const char *text)
{
  struct diag diag = {0};
  int n = 0;

  buf_release(&r->asked);
  buf_init(&r->asked, RUN_BYTES);
  assert_int_equal(file_read(r->log, &r->asked, &diag), 0);
  for (const char *p = buf_str(&r->asked); (p = strstr(p, text)); p++)
    n++;
  return n;
}

/* guard with |args|; for the http form its first ones are put in front. */
static inline int rig_guard(struct rig *r, const char *const *args)
{
  buf_release(&r->out);
  buf_release(&r->err);
  return run_guard(args, bytes_of(""), &r->out, &r->err);
}

/* `guard http` with a fast policy; |more| ends with NULL. */
static inline int rig_http(struct rig *r, const char *const *more)
{
  const char *args[MAX_ARGS + 1] = {"http", "--base-url",    r->url, "--base",
                                    "0.01", "--max-backoff", "0.02"};
  int n = 7;

  while (*more && n < MAX_ARGS)
    args[n++] = *more++;
  assert_null(*more);
  return rig_guard(r, args);
}

static inline char *rig_path(const struct rig *r, const char *name)
{
  return mem_format("%s/%s", r->folder, name);
}

/* The file's text, which the caller frees. */
static inline char *rig_read(const struct rig *r, const char *name)
{
  struct buf text;
  struct diag diag = {0};
  char *path = rig_path(r, name);

  buf_init(&text, RUN_BYTES);
  buf_adds(&text, "");
  if (file_read(path, &text, &diag) < 0)
    fail_msg("%s", diag.text);
  free(path);
  return buf_detach(&text);
}

static inline void rig_end(struct rig *r)
{
  int status;

  kill(r->pid, SIGKILL);
  assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
  unsetenv("XDG_STATE_HOME");
  file_remove_tree(r->folder);
  buf_release(&r->out);
  buf_release(&r->err);
  buf_release(&r->asked);
  free(r->folder);
  free(r->url);
  free(r->log);
}

/* What a run must have given; names the test's row. */
static inline void rig_expect(const struct rig *r, const char *id, int code,
                              int want_code, const char *want_out)
{
  if (code != want_code || strcmp(buf_str(&r->out), want_out) != 0)
    fail_msg("%s: exit %d, out '%s', err '%s'", id, code, buf_str(&r->out),
             buf_str(&r->err));
}

#endif

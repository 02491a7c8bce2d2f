#include "tests/wire/served.h"

#include "tests/unit/unit.h"

#include "base/file.h"
#include "mockserver/serve.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_OPTIONS = 32 };

/* Does not return. */
static void serve_in_child(const char *const *options, int ready, int err)
{
  char *argv[MAX_OPTIONS + 8];
  char number[16];
  int n = 0;
  snprintf(number, sizeof number, "%d", ready);
  const char *fixed[] = {"serve", "--port", "0", "--ready-fd", number};
  for (size_t i = 0; i < COUNT(fixed); i++)
    argv[n++] = mem_strdup(fixed[i]);
  for (; *options && n < MAX_OPTIONS; options++)
    argv[n++] = mem_strdup(*options);
  argv[n] = NULL;
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nobody */
  dup2(err, STDERR_FILENO);
  if (!freopen("/dev/null", "w", stdout))
    _exit(9);
  int code = serve_main(n, argv);
  for (int i = 0; i < n; i++)
    free(argv[i]);
  _exit(code);
}

void served_start(struct served *s, const char *const *options)
{
  int ready[2], err[2];
  char text[16] = "";
  assert_int_equal(pipe(ready) | pipe(err), 0);
  fflush(stdout);
  s->pid = fork();
  if (s->pid == 0) {
    close(ready[0]);
    close(err[0]);
    serve_in_child(options, ready[1], err[1]);
  }
  close(ready[1]);
  close(err[1]);
  s->err = err[0];
  s->port = 0;
  ssize_t n = read(ready[0], text, sizeof text - 1);
  close(ready[0]);
  for (const char *p = text; *p >= '0' && *p <= '9'; p++)
    s->port = 10 * s->port + (*p - '0');
  if (n <= 0 || !s->port) {
    char why[500] = "";
    n = read(s->err, why, sizeof why - 1);
    fail_msg("the server does not start: %s", why);
  }
}

int served_stop(struct served *s)
{
  int status = -1;
  kill(s->pid, SIGTERM);
  waitpid(s->pid, &status, 0);
  close(s->err);
  return status;
}

int served_connect(const struct served *s)
{
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons((uint16_t)s->port),
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
  return fd;
}

int served_ask(const struct served *s, const char *method, const char *target,
               const char *headers, const char *body, struct buf *ret)
{
  char block[4096];
  int status = 0, fd = served_connect(s);
  char *text = mem_format("%s %s HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
                          "content-length: %zu\r\n%s\r\n%s",
                          method, target, strlen(body), headers, body);
  size_t n = strlen(text);
  assert_int_equal(send(fd, text, n, MSG_NOSIGNAL), n);
  free(text);
  buf_init(ret, (size_t)16 << 20);
  for (ssize_t k; (k = recv(fd, block, sizeof block, 0)) > 0;)
    buf_add(ret, block, (size_t)k);
  close(fd);
  for (size_t i = 9; i < 12 && ret->n > 12; i++)
    status = 10 * status + (ret->p[i] - '0');
  return status;
}

int served_call(const struct served *s, const char *headers)
{
  struct buf got;
  int status =
      served_ask(s, "POST", "/v1/messages", headers,
                 "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[]}", &got);
  buf_release(&got);
  return status;
}

void served_wait_for(struct served *s, const char *text)
{
  struct buf seen;
  char block[512];
  buf_init(&seen, 65536);
  while (!strstr(buf_str(&seen), text)) {
    ssize_t n = read(s->err, block, sizeof block);
    if (n <= 0)
      fail_msg("'%s' never came: %s", text, buf_str(&seen));
    buf_add(&seen, block, (size_t)n);
  }
  buf_release(&seen);
}

void temp_write(const char *path, const char *text)
{
  struct diag diag = {0};
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
}

/*
 * wire.h - one call over a plain socket, for the clients in C. No library of
 * the tree is in it: they are somebody else's programs.
 */
#ifndef CLIENTS_WIRE_H
#define CLIENTS_WIRE_H

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct answer {
  int status;           /* 0: none came */
  char retry_after[64]; /* "" when there was none */
  int has_retry_after;
  long announced, got;    /* bytes of the body; announced -1: unknown */
  char all[65536], *body; /* head and body */
};

/* ANTHROPIC_BASE_URL is http://127.0.0.1:PORT[/LANE] */
static int dial(const char **ret_path)
{
  const char *url = getenv("ANTHROPIC_BASE_URL");
  const char *port = url ? strchr(url + 7, ':') : NULL;
  struct timeval limit = {2, 0};
  struct sockaddr_in to = {.sin_family = AF_INET};
  if (!port)
    return -1;
  to.sin_port = htons((unsigned short)strtol(port + 1, NULL, 10));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  *ret_path = strchr(port, '/') ? strchr(port, '/') : "";
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
    return fd;
  close(fd);
  return -1;
}

static const char *header(const char *head, const char *name)
{
  size_t n = strlen(name);
  for (const char *p = strstr(head, "\r\n"); p; p = strstr(p + 2, "\r\n"))
    if (strncasecmp(p + 2, name, n) == 0 && p[2 + n] == ':')
      return p + 2 + n + 1 + strspn(p + 2 + n + 1, " ");
  return NULL;
}

static void parse(struct answer *a, long n)
{
  char *end = strstr(a->all, "\r\n\r\n");
  if (!end || sscanf(a->all, "HTTP/1.1 %d", &a->status) != 1)
    return;
  a->body = end + 4;
  a->got = n - (long)(a->body - a->all);
  end[2] = '\0';
  const char *length = header(a->all, "content-length");
  const char *wait = header(a->all, "retry-after");
  a->announced = length ? strtol(length, NULL, 10) : -1;
  a->has_retry_after = wait != NULL;
  if (wait)
    snprintf(a->retry_after, sizeof a->retry_after, "%.*s",
             (int)strcspn(wait, "\r"), wait);
}

/* One call, not streamed; the connection is closed behind it. */
static void call(struct answer *a)
{
  static const char body[] =
      "{\"model\":\"m\",\"max_tokens\":64,"
      "\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
  const char *path = "";
  long n = 0, got = 0;
  memset(a, 0, sizeof *a);
  a->announced = -1;
  int fd = dial(&path);
  if (fd < 0)
    return;
  dprintf(fd,
          "POST %s/v1/messages HTTP/1.1\r\nHost: localhost\r\n"
          "x-api-key: none\r\ncontent-type: application/json\r\n"
          "connection: close\r\ncontent-length: %zu\r\n\r\n%s",
          path, sizeof body - 1, body);
  while (n < (long)sizeof a->all - 1 &&
         (got = read(fd, a->all + n, sizeof a->all - 1 - (size_t)n)) > 0)
    n += got;
  close(fd);
  parse(a, n);
}

/* The first text of an answer, as it stands between its quotes. */
static void print_text(const struct answer *a)
{
  static const char key[] = "\"text\":\"";
  const char *text = a->body ? strstr(a->body, key) : NULL;
  if (!text)
    text = "";
  else
    text += sizeof key - 1;
  printf("%.*s\n", (int)strcspn(text, "\""), text);
}

static void wait_s(double s)
{
  struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
  nanosleep(&t, NULL);
}

static int is_whole(const struct answer *a)
{
  return a->status == 200 && (a->announced < 0 || a->got == a->announced);
}

#endif

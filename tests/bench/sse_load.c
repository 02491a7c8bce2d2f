/*
 * sse_load PORT STREAMS EVENTS PERIOD_MS - opens that many streams within
 * one period and measures how late their events arrive.
 *
 * An event's due time is not known to a client. It is taken from the
 * stream's own best event: with arrival times t(k), the schedule starts at
 * the smallest t(k) - k * period, and every event is late against that.
 */
#include "base/clock.h"
#include "base/number.h"
#include "tests/bench/stats.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

struct stream {
  int fd;
  bool asked;
  uint32_t n;
  int64_t *at; /* arrival of each event */
};

struct load {
  uint16_t port;
  size_t nstreams, nevents, open, done, failed;
  int64_t period_ns;
  struct stream *streams;
  int epoll_fd;
};

static const char request[] =
    "POST /v1/messages HTTP/1.1\r\nHost: x\r\n"
    "content-type: application/json\r\ncontent-length: 89\r\n\r\n"
    "{\"model\":\"m\",\"max_tokens\":9,\"stream\":true,\"messages\":"
    "[{\"role\":\"user\",\"content\":\"hello\"}]}";

static void stream_end(struct load *l, struct stream *s, bool failed)
{
  close(s->fd);
  s->fd = -1;
  l->done++;
  l->failed += failed;
}

static void stream_open(struct load *l, struct stream *s)
{
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons(l->port),
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  s->at = mem_alloc(l->nevents * sizeof *s->at);
  s->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT | EPOLLET,
                           .data.ptr = s};
  if (s->fd < 0 ||
      (connect(s->fd, (struct sockaddr *)&a, sizeof a) != 0 &&
       errno != EINPROGRESS) ||
      epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, s->fd, &ev) != 0)
    stream_end(l, s, true);
}

/* Events end with a blank line, and each is one chunk. */
static void count_events(struct load *l, struct stream *s, struct bytes got,
                         int64_t now_ns)
{
  for (ptrdiff_t at; (at = bytes_find(got, BYTES("\n\n\r\n"))) >= 0;) {
    if (s->n < l->nevents)
      s->at[s->n++] = now_ns;
    got.p += at + 4;
    got.n -= (size_t)at + 4;
  }
}

static void stream_read(struct load *l, struct stream *s, int64_t now_ns)
{
  char block[16384];
  for (;;) {
    ssize_t n = recv(s->fd, block, sizeof block, 0);
    if (n < 0 && errno == EAGAIN)
      return;
    if (n <= 0) {
      stream_end(l, s, true);
      return;
    }
    struct bytes got = {block, (size_t)n};
    count_events(l, s, got, now_ns);
    if (n >= 5 && memcmp(block + n - 5, "0\r\n\r\n", 5) == 0) {
      stream_end(l, s, false);
      return;
    }
  }
}

static void on_event(struct load *l, struct stream *s, uint32_t events)
{
  if (s->fd < 0)
    return;
  if (!s->asked && (events & EPOLLOUT)) {
    s->asked = true;
    if (send(s->fd, request, sizeof request - 1, MSG_NOSIGNAL) < 0) {
      stream_end(l, s, true);
      return;
    }
  }
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
    stream_read(l, s, clock_now_ns(clock_real()));
}

static void open_due(struct load *l, int64_t since_ns)
{
  int64_t share = since_ns * (int64_t)l->nstreams / l->period_ns + 1;
  size_t wanted = share < (int64_t)l->nstreams ? (size_t)share : l->nstreams;
  while (l->open < wanted)
    stream_open(l, &l->streams[l->open++]);
}

static void run(struct load *l)
{
  struct epoll_event ev[512];
  struct clock *c = clock_real();
  int64_t begin = clock_now_ns(c);
  int64_t limit =
      begin + ((int64_t)l->nevents + 10) * l->period_ns + 20 * NS_PER_S;
  while (l->done < l->nstreams && clock_now_ns(c) < limit) {
    open_due(l, clock_now_ns(c) - begin);
    int n = epoll_wait(l->epoll_fd, ev, 512, l->open < l->nstreams ? 1 : 200);
    for (int i = 0; i < n; i++)
      on_event(l, ev[i].data.ptr, ev[i].events);
  }
}

static void judge(const struct load *l, const struct stream *s,
                  struct stats *late)
{
  int64_t begin = INT64_MAX;
  for (uint32_t k = 0; k < s->n; k++) {
    int64_t start = s->at[k] - (int64_t)k * l->period_ns;
    begin = start < begin ? start : begin;
  }
  for (uint32_t k = 0; k < s->n; k++)
    stats_add(late, s->at[k] - (int64_t)k * l->period_ns - begin);
}

static int read_arguments(struct load *l, int argc, char **argv)
{
  uint64_t v[4];
  static const uint64_t max[4] = {65535, 100000, 100000, 3600000};
  if (argc != 5)
    return -1;
  for (int i = 0; i < 4; i++)
    if (number_u64(bytes_of(argv[i + 1]), max[i], &v[i]) != NUMBER_OK)
      return -1;
  l->port = (uint16_t)v[0];
  l->nstreams = v[1];
  l->nevents = v[2];
  l->period_ns = (int64_t)v[3] * NS_PER_MS;
  return l->period_ns ? 0 : -1;
}

int main(int argc, char **argv)
{
  struct load l = {0};
  if (read_arguments(&l, argc, argv) != 0) {
    fputs("usage: sse_load PORT STREAMS EVENTS PERIOD_MS\n", stderr);
    return 2;
  }
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  l.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  l.streams = mem_zalloc(l.nstreams * sizeof *l.streams);
  run(&l);
  struct stats late = {0};
  for (size_t i = 0; i < l.open; i++) {
    judge(&l, &l.streams[i], &late);
    free(l.streams[i].at);
  }
  printf("streams %zu done %zu failed %zu\n", l.open, l.done, l.failed);
  stats_print(&late, "late", 1000, "us");
  stats_release(&late);
  free(l.streams);
  return l.failed || l.done < l.nstreams;
}

/* Limits of a request and of connections, and that a greedy client takes no
 * other's turn. */
#include "tests/unit/mockserver/rig.h"
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/sockios.h>

#define OK "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

static void keep(struct plan *p)
{
  plan_send(p, BYTES(OK));
  plan_keep(p);
}

static const struct rig_route routes[] = {{"/", keep}, {NULL, NULL}};

struct stand {
  struct rig rig;
  int fd;
  struct buf got;
};

static void open_stand(struct stand *s, const struct engine_limits *limits,
                       size_t max_body)
{
  rig_start_limited(&s->rig, routes, max_body, limits);
  s->fd = rig_connect(&s->rig);
  buf_init(&s->got, (size_t)1 << 20);
}

static void close_stand(struct stand *s)
{
  if (s->rig.engine)
    rig_stop(&s->rig);
  close(s->fd);
  rig_release(&s->rig);
  buf_release(&s->got);
}

static void fill(struct buf *b, char c, size_t n)
{
  for (size_t i = 0; i < n; i++)
    buf_addc(b, c);
}

/* A GET with a target of `target` bytes, `headers` headers more than the
 * host, and a value that makes the head `head` bytes; 0: no such value. */
static void write_get(struct buf *b, size_t target, size_t headers, size_t head)
{
  buf_adds(b, "GET /");
  fill(b, 'p', target - 1);
  buf_adds(b, " HTTP/1.1\r\nhost: x\r\n");
  for (size_t i = 0; i < headers; i++)
    buf_addf(b, "h%zu: v\r\n", i);
  if (head) {
    buf_adds(b, "big: ");
    fill(b, 'v', head - b->n - 4);
    buf_adds(b, "\r\n");
  }
  buf_adds(b, "\r\n");
}

static void a_head_is_taken_up_to_each_limit_and_no_further(void **state)
{
  (void)state;
  static const struct engine_limits own = {
      .head_bytes = 40000, .target_bytes = 300, .headers = 500};
  static const struct {
    const char *id;
    const struct engine_limits *limits;
    size_t target, headers, head;
    int status;
  } rows[] = {
      {"a target at its limit", NULL, ENGINE_MAX_TARGET, 0, 0, 200},
      {"one byte more", NULL, ENGINE_MAX_TARGET + 1, 0, 0, 414},
      {"a huge target", NULL, 15000, 0, 0, 414},
      {"a head at its limit", NULL, 1, 0, ENGINE_MAX_HEAD, 200},
      {"a head of one byte more", NULL, 1, 0, ENGINE_MAX_HEAD + 1, 431},
      {"a huge head", NULL, 1, 0, 200000, 431},
      {"as many headers as the limit", NULL, 1, ENGINE_MAX_HEADERS - 1, 0, 200},
      {"one more", NULL, 1, ENGINE_MAX_HEADERS, 0, 431},
      {"own limit of the target", &own, 301, 0, 0, 414},
      {"own limit of the head", &own, 1, 0, 40000, 200},
      {"own limit of the head, over", &own, 1, 0, 40001, 431},
      {"own limit of headers", &own, 1, 499, 0, 200},
      {"own limit of headers, over", &own, 1, 500, 0, 431}};
  static const struct engine_limits none;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct stand s;
    struct buf sent;
    char want[16];
    buf_init(&sent, (size_t)1 << 20);
    open_stand(&s, rows[i].limits ? rows[i].limits : &none, 0);
    write_get(&sent, rows[i].target, rows[i].headers, rows[i].head);
    client_send_bytes(s.fd, sent.p, sent.n);
    shutdown(s.fd, SHUT_WR);
    client_rest(s.fd, &s.got);
    snprintf(want, sizeof want, "HTTP/1.1 %d", rows[i].status);
    if (!bytes_starts(buf_bytes(&s.got), bytes_of(want)))
      fail_msg("%s: %.60s", rows[i].id, buf_str(&s.got));
    close_stand(&s);
    buf_release(&sent);
  }
}

/* A head without an end is refused as soon as it is too long, without one
 * byte more. */
static void an_endless_head_is_not_read_to_its_end(void **state)
{
  (void)state;
  static const struct engine_limits none;
  struct stand s;
  struct buf sent;
  buf_init(&sent, (size_t)1 << 20);
  open_stand(&s, &none, 0);
  write_get(&sent, 1, 0, ENGINE_MAX_HEAD + 8);
  client_send_bytes(s.fd, sent.p, ENGINE_MAX_HEAD + 1);
  client_rest(s.fd, &s.got);
  assert_memory_equal(s.got.p, "HTTP/1.1 431", 12);
  close_stand(&s);
  buf_release(&sent);
}

static void a_slow_head_has_thirty_seconds_in_all(void **state)
{
  (void)state;
  static const struct engine_limits none;
  struct stand s;
  open_stand(&s, &none, 0);
  client_send(s.fd, "GET / HTTP/1.1\r\n");
  rig_advance(&s.rig, 29999);
  client_send(s.fd, "host: x\r\n");
  rig_sync(&s.rig);
  assert_int_equal(client_now(s.fd, &s.got), CLIENT_OPEN);
  rig_advance(&s.rig, 1);
  client_rest(s.fd, &s.got);
  assert_memory_equal(s.got.p, "HTTP/1.1 408", 12);
  close_stand(&s);
}

static int open_files(void)
{
  int n = 0;
  DIR *d = opendir("/proc/self/fd");
  while (readdir(d))
    n++;
  closedir(d);
  return n;
}

/* Some open file is one without a name in a folder for such files. */
static bool has_nameless_file(void)
{
  bool found = false;
  DIR *d = opendir("/proc/self/fd");
  for (const struct dirent *e; (e = readdir(d));) {
    char target[512];
    ssize_t n = readlinkat(dirfd(d), e->d_name, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    found |= strstr(target, "(deleted)") != NULL;
  }
  closedir(d);
  return found;
}

static void a_large_body_goes_to_a_file_and_is_the_same(void **state)
{
  (void)state;
  static const struct {
    size_t bytes, in_memory;
    bool chunked, file;
  } rows[] = {{5000, 5000, false, false},
              {5002, 5000, false, true},
              {300000, 5000, false, true},
              {300000, 5000, true, true},
              {3000000, 0, false, true}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct stand s;
    struct buf body;
    char head[128];
    struct engine_limits limits = {.body_in_memory_bytes =
                                       (int64_t)rows[i].in_memory};
    open_stand(&s, &limits, 0);
    rig_sync(&s.rig);
    int before = open_files();
    buf_init(&body, (size_t)4 << 20);
    for (size_t k = 0; k < rows[i].bytes; k++)
      buf_addc(&body, (char)('a' + (k * 7 + k / 26) % 26));
    snprintf(head, sizeof head,
             rows[i].chunked ? "POST / HTTP/1.1\r\nhost: x\r\n"
                               "transfer-encoding: chunked\r\n\r\n"
                               "%zx\r\n"
                             : "POST / HTTP/1.1\r\nhost: x\r\n"
                               "content-length: %zu\r\n\r\n",
             rows[i].bytes);
    client_send(s.fd, head);
    client_send_bytes(s.fd, body.p, body.n - 1);
    for (int k = 0; k < 50; k++)
      rig_sync(&s.rig);
    assert_int_equal(has_nameless_file(), rows[i].file);
    client_send_bytes(s.fd, body.p + body.n - 1, 1);
    if (rows[i].chunked)
      client_send(s.fd, "\r\n0\r\n\r\n");
    client_take(s.fd, strlen(OK), &s.got);
    assert_string_equal(buf_str(&s.got), OK);
    rig_sync(&s.rig);
    assert_int_equal(open_files(), before);
    assert_true(bytes_equal(buf_bytes(&s.rig.seen_body), buf_bytes(&body)));
    rig_stop(&s.rig);
    const struct attempt *a = journal_get(s.rig.journal, 0);
    assert_true(a->body_hash == bytes_hash(buf_bytes(&body)));
    assert_int_equal(a->body_bytes, body.n);
    close_stand(&s);
    buf_release(&body);
  }
}

/* As much as the kernel takes; the rest stays unsent. */
static void send_all_that_fits(int fd, size_t n)
{
  char block[65536];
  memset(block, 'g', sizeof block);
  while (n) {
    size_t k = n < sizeof block ? n : sizeof block;
    ssize_t done = send(fd, block, k, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done <= 0)
      return;
    n -= (size_t)done;
  }
}

/* Ten clients with megabytes in their sockets before one asks for a line: it
 * has its answer when theirs are not read by far. */
static void a_greedy_client_takes_a_bounded_part_of_a_turn(void **state)
{
  (void)state;
  enum { GREEDY = 10, BODY = 30000000 };
  static const struct engine_limits none;
  struct stand s;
  int greedy[GREEDY], unread = 0, waiting = 0;
  open_stand(&s, &none, 0);
  rig_hold(&s.rig);
  for (int i = 0; i < GREEDY; i++) {
    greedy[i] = rig_connect(&s.rig);
    client_send(greedy[i], "POST / HTTP/1.1\r\nhost: x\r\n"
                           "content-length: 30000000\r\n\r\n");
    send_all_that_fits(greedy[i], BODY);
  }
  client_get(s.fd, "/");
  rig_go_on(&s.rig);
  client_take(s.fd, strlen(OK), &s.got);
  for (int i = 0; i < GREEDY; i++)
    if (ioctl(greedy[i], SIOCOUTQ, &waiting) == 0 && waiting > 0)
      unread++;
  assert_string_equal(buf_str(&s.got), OK);
  assert_int_equal(unread, GREEDY);
  for (int i = 0; i < GREEDY; i++)
    close(greedy[i]);
  close_stand(&s);
}

static void more_connections_wait_until_one_ends(void **state)
{
  (void)state;
  struct engine_limits limits = {.connections = 2};
  struct stand s;
  struct buf got;
  open_stand(&s, &limits, 0);
  buf_init(&got, 1000);
  int second = rig_connect(&s.rig), third = rig_connect(&s.rig);
  rig_sync(&s.rig);
  client_get(third, "/");
  rig_sync(&s.rig);
  assert_int_equal(client_now(third, &got), CLIENT_OPEN);
  assert_int_equal(got.n, 0);
  close(second);
  client_take(third, strlen(OK), &got);
  assert_string_equal(buf_str(&got), OK);
  close(third);
  close_stand(&s);
  buf_release(&got);
}

static void an_idle_connection_ends_after_its_time(void **state)
{
  (void)state;
  struct engine_limits limits = {.idle_timeout_ns = 5 * NS_PER_S};
  struct stand s;
  open_stand(&s, &limits, 0);
  rig_advance(&s.rig, 4999);
  client_get(s.fd, "/");
  client_take(s.fd, strlen(OK), &s.got);
  rig_advance(&s.rig, 4999);
  assert_int_equal(client_now(s.fd, &s.got), CLIENT_OPEN);
  rig_advance(&s.rig, 1);
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  close(s.fd);
  s.fd = rig_connect(&s.rig); /* one that never asks */
  rig_advance(&s.rig, 5000);
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  close_stand(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_head_is_taken_up_to_each_limit_and_no_further),
      cmocka_unit_test(an_endless_head_is_not_read_to_its_end),
      cmocka_unit_test(a_slow_head_has_thirty_seconds_in_all),
      cmocka_unit_test(a_large_body_goes_to_a_file_and_is_the_same),
      cmocka_unit_test(a_greedy_client_takes_a_bounded_part_of_a_turn),
      cmocka_unit_test(more_connections_wait_until_one_ends),
      cmocka_unit_test(an_idle_connection_ends_after_its_time)};
  return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}

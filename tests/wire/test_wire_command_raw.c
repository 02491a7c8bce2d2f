/*
 * The host of the stand-ins on its raw socket: frames in any pieces, wrong
 * frames, ends at any byte. Whatever comes, a good start is served after it.
 */
#include "tests/wire/stage.h"

#include "base/file.h"
#include "mockserver/command/wire.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define STEPS                                                                  \
  "{\"command\":\"agent\",\"stdout\":\"good\",\"times\":\"always\"}]"
enum { SEEDS = 8 };

static int reach(const struct stage *s)
{
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  struct timeval patience = {.tv_sec = 20};
  snprintf(a.sun_path, sizeof a.sun_path, "%s/%s", s->folder, SHIM_SOCKET);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  assert_int_equal(connect(fd, (struct sockaddr *)(void *)&a, sizeof a), 0);
  return fd;
}

static void frame(struct buf *b, enum shim_frame kind, struct bytes p)
{
  buf_addc(b, (char)kind);
  for (int i = 0; i < 4; i++)
    buf_addc(b, (char)(p.n >> (8 * i) & 0xff));
  buf_addb(b, p);
}

static void hello(struct buf *b)
{
  buf_init(b, 1 << 20);
  frame(b, SHIM_NAME, BYTES("agent"));
  frame(b, SHIM_ARG, BYTES("agent"));
  frame(b, SHIM_ARG, BYTES("--flag"));
  frame(b, SHIM_ENV, BYTES("PATH"));
  frame(b, SHIM_HELLO, BYTES(""));
}

/* Pieces of 1 to 7 bytes, by the seed; false: the host has hung up. */
static bool send_pieces(int fd, struct bytes p, uint64_t seed)
{
  while (p.n) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
    size_t n = 1 + (size_t)(seed >> 33) % 7;
    n = n < p.n ? n : p.n;
    if (send(fd, p.p, n, MSG_NOSIGNAL) != (ssize_t)n)
      return false;
    p = (struct bytes){p.p + n, p.n - n};
  }
  return true;
}

static void send_in_pieces(int fd, struct bytes p, uint64_t seed)
{
  assert_true(send_pieces(fd, p, seed));
}

/* All up to the end that the host makes, or `n` bytes. */
static size_t receive(int fd, char *ret, size_t n)
{
  size_t got = 0;
  while (got < n) {
    ssize_t more = recv(fd, ret + got, n - got, 0);
    if (more <= 0)
      break;
    got += (size_t)more;
  }
  return got;
}

static void assert_still_serves(const struct stage *s)
{
  play_line(s, "agent", "good", "", 0);
}

static void frames_may_come_in_any_pieces(void **state)
{
  static const char want[] = "1\4\0\0\0good"
                             "X\1\0\0\0\0";
  struct stage s;
  struct buf b, done;
  (void)state;
  stage_open(&s, STEPS);
  hello(&b);
  buf_init(&done, 64);
  frame(&done, SHIM_DONE, BYTES(""));
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    char got[sizeof want - 1];
    int fd = reach(&s);
    send_in_pieces(fd, buf_bytes(&b), seed);
    assert_int_equal(receive(fd, got, 9), 9);
    send_in_pieces(fd, buf_bytes(&done), seed);
    assert_int_equal(receive(fd, got + 9, 6), 6);
    assert_memory_equal(got, want, sizeof got);
    send_in_pieces(fd, buf_bytes(&done), seed);
    close(fd);
  }
  assert_still_serves(&s);
  for (size_t i = 0; i < SEEDS; i++) {
    assert_int_equal(stage_attempt(&s, i)->end, END_EXIT);
    assert_string_equal(stage_attempt(&s, i)->target, "agent --flag");
  }
  assert_int_equal(journal_count(s.journal), SEEDS + 1);
  buf_release(&b);
  buf_release(&done);
  stage_close(&s);
}

/* A start is over for its caller before the server has read its last frame. */
static void what_was_told_before_the_server_went_counts(void **state)
{
  struct stage s;
  struct buf b, done;
  char got[15];
  (void)state;
  stage_open(&s, STEPS);
  hello(&b);
  buf_init(&done, 64);
  frame(&done, SHIM_DONE, BYTES(""));
  int fd = reach(&s), open_fd = reach(&s);
  send_in_pieces(open_fd, buf_bytes(&b), 1);
  assert_int_equal(receive(open_fd, got, 9), 9);
  send_in_pieces(fd, buf_bytes(&b), 1);
  assert_int_equal(receive(fd, got, 9), 9);
  send_in_pieces(fd, buf_bytes(&done), 1);
  assert_int_equal(receive(fd, got + 9, 6), 6);
  stage_halt(&s);
  send_in_pieces(fd, buf_bytes(&done), 1);
  close(fd);
  assert_int_equal(stage_attempt(&s, 0)->end, END_CLIENT);
  assert_int_equal(stage_attempt(&s, 1)->end, END_EXIT);
  close(open_fd);
  buf_release(&b);
  buf_release(&done);
  stage_close(&s);
}

static void an_end_at_any_byte_leaves_nothing_behind(void **state)
{
  struct stage s;
  struct buf b;
  (void)state;
  stage_open(&s, STEPS);
  hello(&b);
  for (size_t n = 0; n < b.n; n++) {
    int fd = reach(&s);
    send_in_pieces(fd, (struct bytes){b.p, n}, n);
    close(fd);
  }
  assert_still_serves(&s);
  /* none of them had told who it was */
  assert_non_null(stage_attempt(&s, 0));
  assert_int_equal(journal_count(s.journal), 1);
  assert_int_equal(journal_open_attempts(s.journal), 0);
  buf_release(&b);
  stage_close(&s);
}

static void wrong_frames_end_the_connection(void **state)
{
  static const struct {
    const char *id, *bytes;
    size_t n;
  } rows[] = {
      {"HTTP", "GET / HTTP/1.1\r\n\r\n", sizeof "GET / HTTP/1.1\r\n\r\n" - 1},
      {"too long", "a\0\0\0\x7f", sizeof "a\0\0\0\x7f" - 1},
      {"just too long", "a\1\0\2\0", sizeof "a\1\0\2\0" - 1},
      {"unknown kind", "?\0\0\0\0", sizeof "?\0\0\0\0" - 1},
      {"done before anything", "k\0\0\0\0", sizeof "k\0\0\0\0" - 1},
      {"stdin before hello", "d\1\0\0\0x", sizeof "d\1\0\0\0x" - 1},
      {"hello twice", "h\0\0\0\0h\0\0\0\0", sizeof "h\0\0\0\0h\0\0\0\0" - 1},
      {"stdin nobody asked for", "h\0\0\0\0z\0\0\0\0",
       sizeof "h\0\0\0\0z\0\0\0\0" - 1}};
  struct stage s;
  (void)state;
  stage_open(&s, STEPS);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char got[4096];
    int fd = reach(&s);
    /* it may hang up at the first wrong byte */
    send_pieces(fd, (struct bytes){rows[i].bytes, rows[i].n}, i);
    /* ends: the host's patience is longer than the test's */
    size_t n = receive(fd, got, sizeof got);
    if (n == sizeof got)
      fail_msg("%s", rows[i].id);
    close(fd);
  }
  assert_still_serves(&s);
  stage_close(&s);
}

static void hello_without_end_has_a_ceiling(void **state)
{
  enum { MANY = 100 };
  struct stage s;
  struct buf b;
  char *big = mem_zalloc(SHIM_MAX_PAYLOAD), got[8];
  (void)state;
  stage_open(&s, STEPS);
  memset(big, 'x', SHIM_MAX_PAYLOAD);
  buf_init(&b, 1 << 20);
  frame(&b, SHIM_ARG, (struct bytes){big, SHIM_MAX_PAYLOAD});
  int fd = reach(&s), sent = 0;
  while (sent < MANY && send(fd, b.p, b.n, MSG_NOSIGNAL) == (ssize_t)b.n)
    sent++;
  assert_in_range(sent, 32, MANY - 1);
  assert_int_equal(receive(fd, got, sizeof got), 0);
  close(fd);
  assert_still_serves(&s);
  buf_release(&b);
  free(big);
  stage_close(&s);
}

static void two_servers_cannot_share_a_folder(void **state)
{
  struct stage s, other;
  struct diag diag = {0};
  (void)state;
  stage_open(&s, STEPS);
  stage_open(&other, STEPS);
  stage_stop(&other);
  struct host_options o = {.engine = s.engine, .clock = clock_real()};
  struct host *second = host_new(&o);
  assert_int_equal(host_listen(second, s.folder, "", &diag), -1);
  assert_non_null(strstr(diag.text, "another server does"));
  host_free(second);
  assert_still_serves(&s);
  stage_close(&other);
  stage_close(&s);
}

/* Of a server that was killed: nobody listens at it any more. */
static void a_socket_left_behind_is_taken_over(void **state)
{
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  struct diag diag = {0};
  (void)state;
  char *folder = file_temp_folder("left", &diag);
  snprintf(a.sun_path, sizeof a.sun_path, "%s/%s", folder, SHIM_SOCKET);
  int dead = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(bind(dead, (struct sockaddr *)(void *)&a, sizeof a), 0);
  close(dead);
  struct journal *journal = journal_open(NULL, clock_real(), 0, &diag);
  struct engine_options eo = {
      .clock = clock_real(), .journal = journal, .handler = server_handle};
  struct engine *engine = engine_new(&eo, &diag);
  struct host_options o = {.engine = engine, .clock = clock_real()};
  struct host *host = host_new(&o);
  if (host_listen(host, folder, "", &diag) < 0)
    fail_msg("%s", diag.text);
  host_free(host);
  engine_free(engine);
  journal_close(journal);
  file_remove_tree(folder);
  free(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_may_come_in_any_pieces),
      cmocka_unit_test(what_was_told_before_the_server_went_counts),
      cmocka_unit_test(an_end_at_any_byte_leaves_nothing_behind),
      cmocka_unit_test(wrong_frames_end_the_connection),
      cmocka_unit_test(hello_without_end_has_a_ceiling),
      cmocka_unit_test(two_servers_cannot_share_a_folder),
      cmocka_unit_test(a_socket_left_behind_is_taken_over)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

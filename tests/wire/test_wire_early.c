/*
 * Answers before the request's body is read, with the request arriving in
 * pieces of every size: byte for byte the answer to a request in one piece,
 * not a byte before the head is whole, and whole once it is. With a drain
 * the connection is good for the next request.
 */
#include "tests/unit/unit.h"

#include "tests/contract/answer.h"
#include "tests/wire/call.h"

#include <string.h>
#include <sys/socket.h>

/* Pieces of at most so many bytes; the first ones are smaller than a line
 * end and a name, the last larger than a read. */
static const size_t sizes[] = {1, 2, 3, 7, 40, 5000, 70000};
static const unsigned seeds[] = {1, 2};
static const size_t bodies[] = {1, 20, 3000, 200000};

static const struct {
  const char *id, *step;
  enum wire_end end;
} rows[] = {
    {"kept", "{\"fault\":\"status\",\"status\":413,\"early\":true}", WIRE_OPEN},
    {"a documented error",
     "{\"fault\":\"rate_limit\",\"retry_after\":\"2\",\"early\":true}",
     WIRE_OPEN},
    {"a reply", "{\"reply\":\"message\",\"early\":true}", WIRE_OPEN},
    {"interim heads",
     "{\"reply\":\"message\",\"early\":true,\"interim\":[{\"status\":103}]}",
     WIRE_OPEN},
    {"FIN behind a drain",
     "{\"fault\":\"overloaded\",\"early\":true,\"close\":\"fin\"}", WIRE_FIN},
    {"the end is the connection's",
     "{\"reply\":\"message\",\"early\":true,\"framing\":\"close\"}", WIRE_FIN},
    {"no drain, a reset",
     "{\"fault\":\"status\",\"error\":\"auth\",\"early\":true,"
     "\"close\":\"rst\"}",
     WIRE_RST},
    {"no drain, a close()",
     "{\"fault\":\"status\",\"error\":\"auth\",\"early\":true,"
     "\"close\":\"abrupt\"}",
     WIRE_RST}};

/* A request whose body is `n` letters; the caller frees. */
static char *request_of(const char *provider, size_t n, size_t *ret_head)
{
  char *target = call_target(provider, "", false);
  char *text = mem_format("POST %s HTTP/1.1\r\nhost: x\r\n"
                          "content-length: %zu\r\n\r\n%*s",
                          target, n, (int)n, "");
  *ret_head = strlen(text) - n;
  memset(text + *ret_head, 'x', n);
  free(target);
  return text;
}

/* On a busy machine the kernel may hold a small packet back for a while, so
 * what must come is waited for, in real time: this long at the most. */
#define LONG_NS (20 * NS_PER_S)

/* Until `n` bytes are there, or, for SIZE_MAX, the connection's end is. */
static enum wire_end await(struct wire_call *c, size_t n)
{
  int64_t until = clock_now_ns(clock_real()) + LONG_NS;
  enum wire_end end = wire_take(c->fd, &c->got);
  while (end == WIRE_OPEN && c->got.n < n &&
         clock_now_ns(clock_real()) < until) {
    wire_sync(&c->w);
    end = wire_take(c->fd, &c->got);
  }
  return end;
}

/* The answer to the request in one piece. */
static void want_of(const char *provider, const char *step, size_t body,
                    struct buf *ret)
{
  struct wire_call c;
  size_t head;
  call_open(&c, provider, step, false, "");
  free(c.request);
  c.request = request_of(provider, body, &head);
  call_send(&c);
  await(&c, 1);
  call_collect(&c);
  *ret = c.got;
  buf_init(&c.got, 1);
  call_close(&c);
}

struct sending {
  const char *id;
  const struct buf *want;
  const char *text;
  size_t n, head, max;
  unsigned seed;
};

static void check_came(const struct wire_call *c, const struct sending *s,
                       size_t sent)
{
  size_t n = sent < s->head ? 0 : s->want->n;
  if (c->got.n != n || (n && memcmp(c->got.p, s->want->p, n) != 0))
    fail_msg("%s, pieces of %zu, seed %u, %zu bytes of %zu sent: %zu came "
             "instead of %zu, or other ones: %s",
             s->id, s->max, s->seed, sent, s->n, c->got.n, n, buf_str(&c->got));
}

/* Until all is sent, or the server has ended the connection. */
static enum wire_end send_all(struct wire_call *c, const struct sending *s)
{
  unsigned seed = s->seed;
  enum wire_end end = WIRE_OPEN;
  for (size_t at = 0; at < s->n && end != WIRE_RST;) {
    seed = seed * 1103515245u + 12345u; /* ISO C's example of rand() */
    size_t k = 1 + (seed >> 8) % s->max;
    k = k < s->n - at ? k : s->n - at;
    if (send(c->fd, s->text + at, k, MSG_NOSIGNAL) != (ssize_t)k)
      return WIRE_RST;
    at += k;
    /* a turn of the loop for each piece, until well behind the head */
    if (at > s->head + 64 && s->max <= 300 && at < s->n)
      continue;
    wire_sync(&c->w);
    end = await(c, at < s->head ? 0 : s->want->n);
    check_came(c, s, at);
  }
  return end;
}

/* The script has no more than its one step: this is a plain reply. */
static void must_be_good_for_the_next(struct wire_call *c, const char *provider,
                                      const char *id)
{
  size_t head;
  char *next = request_of(provider, 2, &head);
  buf_reset(&c->got);
  wire_send(c->fd, next);
  enum wire_end end = await(c, 20);
  if (end != WIRE_OPEN ||
      !bytes_starts(buf_bytes(&c->got), BYTES("HTTP/1.1 200 OK\r\n")))
    fail_msg("%s: the next request got: %s", id, buf_str(&c->got));
  free(next);
}

static void check_journal(struct wire_call *c, const char *id, uint64_t n)
{
  wire_stop(&c->w);
  const struct attempt *a = journal_get(c->w.journal, 0);
  if (journal_count(c->w.journal) != n || !a->status || a->pipelined_bytes ||
      a->delivered != a->injected)
    fail_msg("%s: %zu attempts, status %d, %llu bytes lost, injected %d, "
             "delivered %d",
             id, journal_count(c->w.journal), a->status,
             (unsigned long long)a->pipelined_bytes, a->injected, a->delivered);
}

static void send_one(const char *provider, size_t row, struct sending *s)
{
  struct wire_call c;
  char id[160];
  snprintf(id, sizeof id, "%s: %s, body of %zu", provider, rows[row].id,
           s->n - s->head);
  s->id = id;
  call_open(&c, provider, rows[row].step, false, "");
  enum wire_end end = send_all(&c, s);
  if (end == WIRE_OPEN && rows[row].end == WIRE_FIN)
    end = await(&c, SIZE_MAX);
  check_came(&c, s, s->n);
  if (end != rows[row].end && rows[row].end != WIRE_RST)
    fail_msg("%s, pieces of %zu, seed %u: ended %d", id, s->max, s->seed,
             (int)end);
  if (end == WIRE_OPEN)
    must_be_good_for_the_next(&c, provider, id);
  check_journal(&c, id, end == WIRE_OPEN ? 2 : 1);
  call_close(&c);
}

static void send_row(const char *provider, size_t row, size_t body)
{
  struct buf want;
  struct sending s = {.want = &want};
  char *text = request_of(provider, body, &s.head);
  want_of(provider, rows[row].step, body, &want);
  s.text = text;
  s.n = strlen(text);
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (size_t k = 0; k < COUNT(seeds); k++) {
      s.max = sizes[i];
      s.seed = seeds[k];
      send_one(provider, row, &s);
    }
  buf_release(&want);
  free(text);
}

static void an_early_answer_is_the_same_for_a_request_in_pieces(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t row = 0; row < COUNT(rows); row++)
      send_row(*p, row, bodies[1]);
}

static void an_early_answer_drains_a_body_of_any_length(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bodies); i++)
    for (size_t row = 0; row < COUNT(rows); row++)
      if (rows[row].end != WIRE_RST)
        send_row("anthropic", row, bodies[i]);
}

/* What the parser has read beyond the body is lost with its memory: as with
 * any other answer the journal says so and the connection ends. */
static void a_next_request_right_behind_is_told_as_lost(void **state)
{
  (void)state;
  for (size_t row = 0; row < COUNT(rows) && rows[row].end == WIRE_OPEN; row++) {
    struct wire_call c;
    size_t head;
    char *one = request_of("anthropic", 20, &head);
    char *two = mem_format("%s%s", one, one);
    call_open(&c, "anthropic", rows[row].step, false, "");
    wire_send(c.fd, two);
    enum wire_end end = await(&c, SIZE_MAX);
    wire_stop(&c.w);
    const struct attempt *a = journal_get(c.w.journal, 0);
    if (end != WIRE_FIN || journal_count(c.w.journal) != 1 ||
        a->pipelined_bytes != strlen(one))
      fail_msg("%s: ended %d, %zu attempts, %llu bytes lost: %s", rows[row].id,
               (int)end, journal_count(c.w.journal),
               (unsigned long long)a->pipelined_bytes, buf_str(&c.got));
    call_close(&c);
    free(one);
    free(two);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_early_answer_is_the_same_for_a_request_in_pieces),
      cmocka_unit_test(an_early_answer_drains_a_body_of_any_length),
      cmocka_unit_test(a_next_request_right_behind_is_told_as_lost)};
  return cmocka_run_group_tests_name("wire_early", tests, NULL, NULL);
}

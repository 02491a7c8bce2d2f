/* A thousand hostile connections around a scripted run: what the run gets
 * and what the journal says of it is byte for byte that of an undisturbed
 * one, and no descriptor stays behind. */
#include "tests/unit/unit.h"
#include "tests/wire/wire.h"

#include "base/json.h"

#include <dirent.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CALLS = 50, PER_CALL = 20, HOSTILE = CALLS * PER_CALL };

#define SCRIPT                                                                 \
  "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\",\"seed\":11,"      \
  "\"steps\":[{\"fault\":\"rate_limit\",\"times\":5,\"retry_after\":\"2\"},"   \
  "{\"fault\":\"overloaded\",\"chance\":0.3},"                                 \
  "{\"fault\":\"stream_cut\",\"after_event\":2,\"times\":5},"                  \
  "{\"reply\":\"message\",\"times\":\"always\"}]}"

/* Complete: what is cut off it makes half a request. The lane is that of the
 * run, so that one taken for whole would eat its steps. */
#define HEAD                                                                   \
  "POST /good/v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\n"             \
  "content-type: application/json\r\ncontent-length: 61\r\n\r\n"
#define BODY                                                                   \
  "{\"model\":\"claude\",\"max_tokens\":9,\"messages\":[],\"stream\":true}"

/* xorshift64: the same seed, the same thousand. */
static uint64_t next(uint64_t *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
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

/* ---- one of the thousand ---- */

struct hostile {
  int fd;
  struct buf left; /* still to be sent, one byte a round */
};

static void write_half(struct buf *b, uint64_t *seed)
{
  buf_adds(b, HEAD BODY);
  b->n = 1 + next(seed) % (b->n - 1);
}

static void write_garbage(struct buf *b, uint64_t *seed)
{
  size_t n = 1 + next(seed) % 3000;
  for (size_t i = 0; i < n; i++)
    buf_addc(b, (char)next(seed));
}

static void write_lines(struct buf *b, uint64_t *seed)
{
  static const char *const bad[] = {
      "GET /good/v1/messages\r\n\r\n",
      "\r\n\r\n\r\n\r\n",
      "\n\n\n\n",
      "POST /good/v1/messages HTTP/1.1\r\nhost: x\r\n"
      "transfer-encoding: chunked\r\n\r\nzz\r\n",
      "POST /good/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n"
      "content-length: 61\r\n\r\n" BODY,
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00",
      "POST /good/v1/messages HTTP/1.1\nhost: x\ncontent-length: 61\n\n" BODY};
  buf_adds(b, bad[next(seed) % COUNT(bad)]);
}

static void write_endless(struct buf *b, uint64_t *seed)
{
  buf_adds(b, "POST /good/v1/messages HTTP/1.1\r\nhost: x\r\n");
  size_t n = next(seed) % 40000;
  for (size_t i = 0; i < n; i++)
    buf_addc(b, "a: b\r\n"[i % 6]);
}

static void open_hostile(const struct wire *w, struct hostile *h,
                         uint64_t *seed)
{
  static void (*const kinds[])(struct buf *, uint64_t *) = {
      write_half, write_garbage, write_lines, write_endless};
  uint64_t kind = next(seed) % 6;
  h->fd = wire_connect(w);
  buf_init(&h->left, 65536);
  if (kind == 5) /* comes and says nothing */
    return;
  kinds[kind % 4](&h->left, seed);
  if (next(seed) % 3 == 0)
    return; /* slowly, byte by byte */
  ssize_t n = send(h->fd, h->left.p, h->left.n, MSG_NOSIGNAL | MSG_DONTWAIT);
  (void)n;
  buf_reset(&h->left);
}

static void one_byte_more(struct hostile *h)
{
  if (h->fd < 0 || !h->left.n)
    return;
  ssize_t n = send(h->fd, h->left.p, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  (void)n;
  buf_consume(&h->left, 1);
}

static void end_hostile(struct hostile *h, uint64_t how)
{
  struct linger reset = {.l_onoff = 1, .l_linger = 0};
  if (h->fd < 0)
    return;
  if (how % 3 == 0)
    setsockopt(h->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  if (how % 3 == 1)
    shutdown(h->fd, SHUT_WR);
  close(h->fd);
  h->fd = -1;
  buf_release(&h->left);
}

/* ---- the run ---- */

struct result {
  struct buf wire, journal;
  size_t refused;
  int files_before, files_after;
};

static void one_call(struct wire *w, struct buf *ret)
{
  int fd = wire_connect(w);
  wire_send(fd, HEAD BODY);
  for (int i = 0; i < 8; i++)
    wire_sync(w);
  enum wire_end end = wire_take(fd, ret);
  buf_addf(ret, "\n[%d]\n", (int)end);
  close(fd);
}

/* What tells the order of arrival among strangers is left out. */
static void add_attempt(struct buf *b, const struct attempt *a)
{
  struct json_doc doc;
  struct diag diag = {0};
  struct buf line;
  buf_init(&line, (size_t)1 << 20);
  attempt_json(a, &line);
  assert_int_equal(json_parse(&doc, "attempt", buf_bytes(&line), &diag), 0);
  cJSON_DeleteItemFromObject(doc.root, "seq");
  cJSON_DeleteItemFromObject(doc.root, "conn");
  char *text = cJSON_PrintUnformatted(doc.root);
  buf_adds(b, text);
  buf_addc(b, '\n');
  cJSON_free(text);
  json_release(&doc);
  buf_release(&line);
}

static void read_journal(const struct wire *w, struct result *ret)
{
  for (size_t i = 0; i < journal_count(w->journal); i++) {
    const struct attempt *a = journal_get(w->journal, i);
    if (a->cls == ATTEMPT_REFUSED)
      ret->refused++;
    else
      add_attempt(&ret->journal, a);
  }
}

static void run(struct result *ret, uint64_t seed)
{
  static struct hostile all[HOSTILE];
  struct wire w;
  size_t n = 0;
  bool hostile = seed != 0;
  buf_init(&ret->wire, (size_t)8 << 20);
  buf_init(&ret->journal, (size_t)8 << 20);
  ret->refused = 0;
  wire_open(&w, SCRIPT);
  one_call(&w, &ret->wire); /* what is opened once is open */
  wire_sync(&w);
  ret->files_before = open_files();
  for (int call = 0; call < CALLS; call++) {
    for (int i = 0; hostile && i < PER_CALL; i++)
      open_hostile(&w, &all[n++], &seed);
    for (size_t i = 0; i < n; i++)
      one_byte_more(&all[i]);
    one_call(&w, &ret->wire);
    if (hostile && call % 3 == 2)
      for (size_t i = 0; i < n; i += 1 + next(&seed) % 7)
        end_hostile(&all[i], next(&seed));
  }
  for (size_t i = 0; i < n; i++)
    end_hostile(&all[i], next(&seed));
  for (int i = 0; i < 20; i++)
    wire_sync(&w);
  wire_advance(&w, 3000); /* drains are over */
  ret->files_after = open_files();
  wire_stop(&w);
  read_journal(&w, ret);
  wire_close(&w);
}

static void release(struct result *r)
{
  buf_release(&r->wire);
  buf_release(&r->journal);
}

static void a_thousand_hostile_connections_change_nothing(void **state)
{
  (void)state;
  struct result calm, rough;
  run(&calm, 0);
  assert_int_equal(calm.refused, 0);
  assert_int_equal(calm.files_after, calm.files_before);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    run(&rough, seed * UINT64_C(0x9e3779b97f4a7c15));
    assert_string_equal(buf_str(&rough.wire), buf_str(&calm.wire));
    assert_string_equal(buf_str(&rough.journal), buf_str(&calm.journal));
    assert_int_equal(rough.files_after, rough.files_before);
    /* else they were not hostile at all */
    assert_true(rough.refused > HOSTILE / 3);
    release(&rough);
  }
  release(&calm);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thousand_hostile_connections_change_nothing)};
  return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}

/* What is not quite HTTP: refused, or told when the server is lenient; whole
 * and in pieces, on a raw socket. */
#include "tests/unit/mockserver/rig.h"
#include "tests/unit/unit.h"

#include "mockserver/request_check.h"

#include <sys/socket.h>
#include <unistd.h>

#define OK "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
#define B(text)                                                                \
  {                                                                            \
    text, sizeof(text) - 1                                                     \
  }
#define L "POST /v1/messages HTTP/1.1\r\n"
#define H "host: x\r\n"
#define CHUNKED L H "transfer-encoding: chunked\r\n\r\n"

static void keep(struct plan *p)
{
  plan_send(p, BYTES(OK));
  plan_keep(p);
}

static const struct rig_route routes[] = {{"/", keep}, {NULL, NULL}};

/* `flaw` FLAWS: none in the head. `lenient`: the status when it is only
 * told; what the library itself refuses stays 400, 0: no
 * answer. The many 200 are why this is looked at before the library is. */
static const struct row {
  const char *id;
  struct bytes sent;
  int status;
  enum flaw flaw;
  int lenient;
} rows[] = {
    {"a good one", {L H "content-length: 2\r\n\r\nab", 0}, 200, FLAWS, 200},
    {"HTTP/1.0 without a host", {"GET / HTTP/1.0\r\n\r\n", 0}, 200, FLAWS, 200},
    {"empty lines in front",
     {"\r\n\r\nGET / HTTP/1.1\r\n" H "\r\n", 0},
     200,
     FLAWS,
     200},
    {"OPTIONS *", {"OPTIONS * HTTP/1.1\r\n" H "\r\n", 0}, 0, FLAWS, 0},
    {"two lengths that differ",
     {L H "content-length: 2\r\ncontent-length: 3\r\n\r\nab", 0},
     400,
     FLAW_LENGTH_DIFFERS,
     200},
    {"two lengths that are equal",
     {L H "content-length: 2\r\ncontent-length: 2\r\n\r\nab", 0},
     400,
     FLAW_LENGTH_TWICE,
     200},
    {"a list of lengths",
     {L H "content-length: 2, 2\r\n\r\nab", 0},
     400,
     FLAW_LENGTH_BAD,
     400},
    {"a signed length",
     {L H "content-length: +2\r\n\r\nab", 0},
     400,
     FLAW_LENGTH_BAD,
     400},
    {"length and chunked",
     {L H "content-length: 7\r\ntransfer-encoding: chunked\r\n\r\n"
          "2\r\nab\r\n0\r\n\r\n",
      0},
     400,
     FLAW_LENGTH_AND_CODING,
     200},
    {"another coding",
     {L H "transfer-encoding: gzip\r\n\r\n", 0},
     400,
     FLAW_CODING,
     0},
    {"chunked in HTTP/1.0",
     {"POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 0},
     400,
     FLAW_CODING_1_0,
     200},
    {"LF alone behind the request line",
     {"GET / HTTP/1.1\n" H "\r\n", 0},
     400,
     FLAW_BARE_LF,
     200},
    {"LF alone behind a header",
     {"GET / HTTP/1.1\r\nhost: x\n\r\n", 0},
     400,
     FLAW_BARE_LF,
     200},
    {"LF alone as the empty line",
     {"GET / HTTP/1.1\r\n" H "\n", 0},
     400,
     FLAW_BARE_LF,
     200},
    {"CR inside a line",
     {"GET / HTTP/1.1\r\n" H "a: b\rc: d\r\n\r\n", 0},
     400,
     FLAW_BARE_CR,
     200},
    {"NUL in a value", B("GET / HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n"), 400,
     FLAW_NUL, 200},
    {"NUL in the target", B("GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n"), 400,
     FLAW_TARGET_BYTES, 200},
    {"a space before the colon",
     {"GET / HTTP/1.1\r\n" H "a : b\r\n\r\n", 0},
     400,
     FLAW_SPACE_BEFORE_COLON,
     200},
    {"a folded header",
     {"GET / HTTP/1.1\r\n" H "a: b\r\n c\r\n\r\n", 0},
     400,
     FLAW_OBS_FOLD,
     200},
    {"no colon",
     {"GET / HTTP/1.1\r\n" H "a b\r\n\r\n", 0},
     400,
     FLAW_NO_COLON,
     400},
    {"a name with a bracket",
     {"GET / HTTP/1.1\r\n" H "a(b: c\r\n\r\n", 0},
     400,
     FLAW_NAME_BYTES,
     200},
    {"a name in UTF-8",
     {"GET / HTTP/1.1\r\n" H "\xc3\xa9: c\r\n\r\n", 0},
     400,
     FLAW_NAME_BYTES,
     200},
    {"an empty name",
     {"GET / HTTP/1.1\r\n" H ": c\r\n\r\n", 0},
     400,
     FLAW_NAME_BYTES,
     200},
    {"a control byte in a value",
     {"GET / HTTP/1.1\r\n" H "a: b\x01\r\n\r\n", 0},
     400,
     FLAW_VALUE_BYTES,
     200},
    {"no host", {"GET / HTTP/1.1\r\n\r\n", 0}, 400, FLAW_NO_HOST, 400},
    {"two hosts",
     {"GET / HTTP/1.1\r\n" H H "\r\n", 0},
     400,
     FLAW_HOST_TWICE,
     200},
    {"absolute form",
     {"GET http://x/ HTTP/1.1\r\n" H "\r\n", 0},
     400,
     FLAW_ABSOLUTE_FORM,
     0},
    {"authority form",
     {"CONNECT x:443 HTTP/1.1\r\n" H "\r\n", 0},
     400,
     FLAW_AUTHORITY_FORM,
     0},
    {"a target in UTF-8",
     {"GET /\xc3\xa9 HTTP/1.1\r\n" H "\r\n", 0},
     400,
     FLAW_TARGET_BYTES,
     200},
    {"no version", {"GET /\r\n" H "\r\n", 0}, 400, FLAW_REQUEST_LINE, 400},
    {"HTTP/3.0", {"GET / HTTP/3.0\r\n" H "\r\n", 0}, 505, FLAW_VERSION, 505},
    {"the preface of HTTP/2",
     {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 0},
     505,
     FLAW_VERSION,
     505},
    {"no HTTP at all",
     {"\x01\x02 hello\r\n\r\n", 0},
     400,
     FLAW_REQUEST_LINE,
     400},
    {"a chunk size that is no number",
     {CHUNKED "g\r\nab\r\n0\r\n\r\n", 0},
     400,
     FLAWS,
     400},
    {"a chunk size with a sign",
     {CHUNKED "+2\r\nab\r\n0\r\n\r\n", 0},
     400,
     FLAWS,
     400},
    {"a chunk size in C",
     {CHUNKED "0x2\r\nab\r\n0\r\n\r\n", 0},
     400,
     FLAWS,
     400},
    {"a chunk size over 64 bits",
     {CHUNKED "10000000000000002\r\nab\r\n0\r\n\r\n", 0},
     413,
     FLAWS,
     413},
    {"a chunk that is too long",
     {CHUNKED "1\r\nab\r\n0\r\n\r\n", 0},
     400,
     FLAWS,
     400},
    {"chunks as they should be",
     {CHUNKED "2\r\nab\r\n0\r\n\r\n", 0},
     200,
     FLAWS,
     200}};

/* Sizes of pieces by seed; seed 0: all at once. xorshift64. */
static size_t piece(uint64_t *seed)
{
  if (!*seed)
    return SIZE_MAX;
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return 1 + *seed % 9;
}

static void send_in_pieces(struct rig *r, int fd, struct bytes b, uint64_t seed)
{
  while (b.n) {
    size_t n = piece(&seed);
    n = n < b.n ? n : b.n;
    client_send_bytes(fd, b.p, n);
    rig_sync(r);
    b.p += n;
    b.n -= n;
  }
}

static int status_in(struct bytes b)
{
  int n = 0;
  for (size_t i = 9; b.n > 12 && i < 12; i++)
    n = 10 * n + (b.p[i] - '0');
  return n;
}

static void check_row(const struct row *row, bool lenient, uint64_t seed)
{
  struct rig r;
  struct buf got;
  struct bytes sent = row->sent;
  struct engine_limits limits = {.lenient = lenient};
  sent.n = sent.n ? sent.n : strlen(sent.p);
  buf_init(&got, 65536);
  rig_start_limited(&r, routes, 0, &limits);
  int fd = rig_connect(&r);
  send_in_pieces(&r, fd, sent, seed);
  rig_sync(&r);
  shutdown(fd, SHUT_WR);
  client_rest(fd, &got);
  rig_stop(&r);
  int status = lenient ? row->lenient : row->status;
  if (journal_count(r.journal) != 1)
    fail_msg("%s: %zu attempts", row->id, journal_count(r.journal));
  const struct attempt *a = journal_get(r.journal, 0);
  if (status_in(buf_bytes(&got)) != status)
    fail_msg("%s, lenient %d, seed %d: %d wanted, is %.100s [%s]", row->id,
             lenient, (int)seed, status, buf_str(&got), a->what);
  if (row->flaw != FLAWS && !(a->flaws & UINT32_C(1) << row->flaw))
    fail_msg("%s, lenient %d: the flaw is not told", row->id, lenient);
  if (row->flaw == FLAWS && a->flaws)
    fail_msg("%s: flaws %x", row->id, a->flaws);
  if (status == 200)
    assert_int_equal(a->cls, ATTEMPT_CALL);
  close(fd);
  rig_release(&r);
  buf_release(&got);
}

static void every_flaw_is_refused_however_it_is_cut(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (uint64_t seed = 0; seed < 4; seed++)
      check_row(&rows[i], false, seed);
}

static void a_lenient_server_only_tells(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (uint64_t seed = 0; seed < 2; seed++)
      check_row(&rows[i], true, seed);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_flaw_is_refused_however_it_is_cut),
      cmocka_unit_test(a_lenient_server_only_tells)};
  return cmocka_run_group_tests_name("strict", tests, NULL, NULL);
}

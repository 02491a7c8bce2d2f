#include "mockserver/request_check.h"

#include "base/number.h"

#include <string.h>

static const struct {
  int status;
  const char *text;
} flaws[FLAWS] = {
#define FLAW(name, status, text) [FLAW_##name] = {status, text},
#include "mockserver/flaws.def"
#undef FLAW
};

int flaw_status(enum flaw f)
{
  return flaws[f].status;
}

const char *flaw_text(enum flaw f)
{
  return flaws[f].text;
}

/* Empty lines in front of a request are skipped (RFC 9112 2.2). */
static size_t skip_empty(struct bytes b)
{
  size_t at = 0;
  while (at < b.n && (b.p[at] == '\r' || b.p[at] == '\n'))
    at++;
  return at;
}

size_t head_length(struct bytes b)
{
  size_t at = skip_empty(b);
  for (const char *lf; at < b.n && (lf = memchr(b.p + at, '\n', b.n - at));) {
    at = (size_t)(lf - b.p) + 1;
    if (at < b.n && b.p[at] == '\n')
      return at + 1;
    if (at + 1 < b.n && b.p[at] == '\r' && b.p[at + 1] == '\n')
      return at + 2;
  }
  return 0;
}

/* ---- what is known of the head so far ---- */

struct look {
  struct head_report *r;
  bool http_1_0;
  size_t hosts, lengths, codings;
  uint64_t length;
};

static void add(struct look *l, enum flaw f)
{
  if (l->r->first == FLAWS)
    l->r->first = f;
  l->r->flaws |= UINT32_C(1) << f;
}

/* tchar of RFC 9110 5.6.2. */
static bool is_token_byte(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is_token(struct bytes b)
{
  for (size_t i = 0; i < b.n; i++)
    if (!is_token_byte(b.p[i]))
      return false;
  return b.n > 0;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

static struct bytes trim(struct bytes b)
{
  while (b.n && is_blank(b.p[0])) {
    b.p++;
    b.n--;
  }
  while (b.n && is_blank(b.p[b.n - 1]))
    b.n--;
  return b;
}

/* ---- the request line ---- */

static void check_target(struct look *l, struct bytes t, struct bytes method)
{
  for (size_t i = 0; i < t.n; i++)
    if ((unsigned char)t.p[i] <= ' ' || (unsigned char)t.p[i] >= 0x7f) {
      add(l, FLAW_TARGET_BYTES);
      return;
    }
  if (t.n && t.p[0] == '/')
    return;
  if (bytes_equal(t, BYTES("*")) && bytes_equal(method, BYTES("OPTIONS")))
    return;
  add(l, bytes_find(t, BYTES("://")) > 0 ? FLAW_ABSOLUTE_FORM
                                         : FLAW_AUTHORITY_FORM);
}

static void check_version(struct look *l, struct bytes v)
{
  bool right = v.n == 8 && bytes_starts(v, BYTES("HTTP/")) && v.p[6] == '.' &&
               v.p[5] >= '0' && v.p[5] <= '9' && v.p[7] >= '0' && v.p[7] <= '9';
  l->http_1_0 = bytes_equal(v, BYTES("HTTP/1.0"));
  if (!right)
    add(l, FLAW_REQUEST_LINE);
  else if (!l->http_1_0 && !bytes_equal(v, BYTES("HTTP/1.1")))
    add(l, FLAW_VERSION);
}

static void check_request_line(struct look *l, struct bytes line)
{
  const char *end = line.p + line.n;
  const char *first = memchr(line.p, ' ', line.n);
  const char *last = memrchr(line.p, ' ', line.n);
  if (!first || first == last) {
    add(l, FLAW_REQUEST_LINE);
    return;
  }
  struct bytes method = {line.p, (size_t)(first - line.p)};
  struct bytes target = {first + 1, (size_t)(last - first - 1)};
  struct bytes version = {last + 1, (size_t)(end - last - 1)};
  l->r->method = method;
  l->r->target = target;
  if (!is_token(method) || !target.n)
    add(l, FLAW_REQUEST_LINE);
  check_version(l, version);
  check_target(l, target, method);
}

/* ---- headers ---- */

static void check_length(struct look *l, struct bytes value)
{
  uint64_t n = 0;
  if (number_u64(value, UINT64_MAX, &n) != NUMBER_OK || value.p[0] == '+')
    add(l, FLAW_LENGTH_BAD);
  if (l->lengths++)
    add(l, n == l->length ? FLAW_LENGTH_TWICE : FLAW_LENGTH_DIFFERS);
  else
    l->length = n;
}

static void check_known(struct look *l, struct bytes name, struct bytes value)
{
  if (bytes_equal_nocase(name, BYTES("host"))) {
    if (l->hosts++)
      add(l, FLAW_HOST_TWICE);
  } else if (bytes_equal_nocase(name, BYTES("content-length"))) {
    check_length(l, value);
  } else if (bytes_equal_nocase(name, BYTES("transfer-encoding"))) {
    if (l->codings++ || !bytes_equal_nocase(value, BYTES("chunked")))
      add(l, FLAW_CODING);
  }
}

static bool has_control(struct bytes b)
{
  for (size_t i = 0; i < b.n; i++) {
    unsigned char c = (unsigned char)b.p[i];
    /* NUL and CR are flaws of their own */
    if ((c < ' ' && c != '\t' && c != '\r' && c) || c == 0x7f)
      return true;
  }
  return false;
}

static void check_header(struct look *l, struct bytes line)
{
  if (is_blank(line.p[0])) {
    add(l, FLAW_OBS_FOLD);
    return;
  }
  l->r->nheaders++;
  const char *colon = memchr(line.p, ':', line.n);
  if (!colon) {
    add(l, FLAW_NO_COLON);
    return;
  }
  struct bytes name = {line.p, (size_t)(colon - line.p)};
  struct bytes value = {colon + 1, line.n - name.n - 1};
  bool blank = name.n && is_blank(name.p[name.n - 1]);
  if (blank)
    add(l, FLAW_SPACE_BEFORE_COLON);
  name = blank ? trim(name) : name;
  if (!is_token(name))
    add(l, FLAW_NAME_BYTES);
  if (has_control(value))
    add(l, FLAW_VALUE_BYTES);
  check_known(l, name, trim(value));
}

/* ---- line by line ---- */

/* Without its end, whose flaws are told. */
static struct bytes take_line(struct look *l, struct bytes *rest)
{
  const char *lf = memchr(rest->p, '\n', rest->n);
  struct bytes line = {rest->p, lf ? (size_t)(lf - rest->p) : rest->n};
  size_t whole = line.n + (lf != NULL);
  rest->p += whole;
  rest->n -= whole;
  if (line.n && line.p[line.n - 1] == '\r')
    line.n--;
  else
    add(l, FLAW_BARE_LF);
  if (memchr(line.p, '\r', line.n))
    add(l, FLAW_BARE_CR);
  if (memchr(line.p, '\0', line.n))
    add(l, FLAW_NUL);
  return line;
}

void head_check(struct bytes head, struct head_report *ret)
{
  struct look l = {.r = ret};
  size_t empty = skip_empty(head);
  struct bytes rest = {head.p + empty, head.n - empty};
  *ret = (struct head_report){.first = FLAWS};
  check_request_line(&l, take_line(&l, &rest));
  while (rest.n) {
    struct bytes line = take_line(&l, &rest);
    if (line.n)
      check_header(&l, line);
  }
  if (!l.hosts && !l.http_1_0)
    add(&l, FLAW_NO_HOST);
  if (l.lengths && l.codings)
    add(&l, FLAW_LENGTH_AND_CODING);
  if (l.codings && l.http_1_0)
    add(&l, FLAW_CODING_1_0);
}

/*
 * What `curl -v` (and -i) prints, standard error and the answer in one file:
 * `> ` the request's head, `< ` the answer's, `* ` and `{ [n bytes data]`
 * what curl says, everything else the body. With --trace-time each of curl's
 * lines begins with the time of day.
 */
#include "mockserver/import/format.h"

#include "base/number.h"

#include <string.h>

struct reader {
  struct draft *d;
  struct taken t;
  enum { BEFORE, REQUEST, WAITING, HEAD, BODY } at;
  bool plain;  /* -i: heads without a mark */
  size_t want; /* bytes of the body the head announces; SIZE_MAX: not told */
  int number, line;
  int64_t asked_ms; /* time of day, -1: not told */
  bool any_answer;
};

static bool fits(struct bytes text)
{
  return bytes_find(text, BYTES("< HTTP/")) >= 0 ||
         bytes_find(text, BYTES("> POST ")) >= 0 ||
         bytes_find(text, BYTES("curl: (")) >= 0 ||
         bytes_starts(text, BYTES("HTTP/"));
}

/* ---- curl's own lines ---- */

/* A body may have lines with a star: only what curl says counts there. */
static bool is_curl_talk(struct bytes line)
{
  static const char *const words[] = {"* Connection #",
                                      "* Closing connection",
                                      "* transfer closed",
                                      "* Recv failure",
                                      "* Send failure",
                                      "* Operation timed out",
                                      "* Empty reply",
                                      "* upload completely",
                                      "* We are completely",
                                      "* Mark bundle",
                                      "* Re-using",
                                      "* Found bundle",
                                      "* Trying",
                                      "*   Trying",
                                      "* Connected to",
                                      "* TLSv",
                                      "* Issue another",
                                      "* HTTP/2 stream",
                                      "* end of resp",
                                      "* OpenSSL SSL_read",
                                      "* GnuTLS recv",
                                      "* Connection died",
                                      "* Leftovers",
                                      "* Host ",
                                      "* Request completely",
                                      "* Failure when",
                                      "* HTTP 1.",
                                      "* Excess found",
                                      "* using HTTP",
                                      "* Curl_",
                                      "* Couldn't",
                                      "* Could not",
                                      "* connect to",
                                      "* Failed to",
                                      "* nghttp2",
                                      "curl: (",
                                      NULL};
  for (const char *const *w = words; *w; w++)
    if (bytes_starts(line, bytes_of(*w)))
      return true;
  return false;
}

/* "{ [123 bytes data]" */
static bool is_data_note(struct bytes line)
{
  return (bytes_starts(line, BYTES("{ [")) ||
          bytes_starts(line, BYTES("} ["))) &&
         bytes_find(line, BYTES("bytes data]")) > 0;
}

/* What curl says of an ending. */
static void note_end(struct reader *r, struct bytes line)
{
  char *text = bytes_dup(line);
  enum taken_end end = taken_end_of(text);
  /* "Closing connection 0" is said of every one */
  bool usual = bytes_starts(line, BYTES("* Closing")) ||
               bytes_starts(line, BYTES("* Connection #"));
  if (!usual && end != TAKEN_WHOLE)
    r->t.end = end;
  free(text);
}

/* "12:34:56.123456 " in front, with the milliseconds of the day. */
static bool take_time(struct bytes *line, int64_t *ret_ms)
{
  static const char form[] = "dd:dd:dd.dddddd ";
  int64_t part[4] = {0};
  if (line->n < sizeof form - 1)
    return false;
  for (size_t i = 0, k = 0; form[i]; i++) {
    char c = line->p[i];
    if (form[i] == 'd' ? c < '0' || c > '9' : c != form[i])
      return false;
    if (form[i] == 'd')
      part[k] = part[k] * 10 + (c - '0');
    else
      k++;
  }
  *ret_ms = ((part[0] * 60 + part[1]) * 60 + part[2]) * 1000 + part[3] / 1000;
  line->p += sizeof form - 1;
  line->n -= sizeof form - 1;
  return true;
}

/* ---- one exchange ---- */

static void finish(struct reader *r)
{
  if (r->t.status || r->t.end != TAKEN_WHOLE) {
    r->t.number = ++r->number;
    r->any_answer = true;
    draft_take(r->d, &r->t);
  }
  taken_release(&r->t);
  taken_init(&r->t);
  r->at = BEFORE;
  r->want = SIZE_MAX;
}

/* "POST /v1/messages HTTP/1.1" */
static bool is_request_line(struct bytes line, struct bytes *ret_method,
                            struct bytes *ret_target)
{
  const char *first = line.n ? memchr(line.p, ' ', line.n) : NULL;
  const char *last = line.n ? memrchr(line.p, ' ', line.n) : NULL;
  if (!first || last == first || last + 5 >= line.p + line.n ||
      memcmp(last + 1, "HTTP/", 5) != 0 || first[1] != '/')
    return false;
  *ret_method = (struct bytes){line.p, (size_t)(first - line.p)};
  *ret_target = (struct bytes){first + 1, (size_t)(last - first - 1)};
  return true;
}

static void request_line(struct reader *r, struct bytes line, int64_t ms)
{
  struct bytes method, target;
  if (is_request_line(line, &method, &target)) {
    if (!r->t.method.n && !r->t.status)
      r->t.end = TAKEN_WHOLE; /* of one address of several */
    finish(r);
    buf_addb(&r->t.method, method);
    taken_url(&r->t, target);
    r->at = REQUEST;
  } else if (line.n > 6 &&
             bytes_equal_nocase((struct bytes){line.p, 6}, BYTES("host: "))) {
    buf_reset(&r->t.host);
    buf_add(&r->t.host, line.p + 6, line.n - 6);
  } else if (line.n == 0) {
    r->at = WAITING;
  }
  r->asked_ms = ms;
}

static void head_is_over(struct reader *r)
{
  uint64_t n = 0;
  const struct taken_header *h = taken_find(&r->t, "content-length");
  r->at = BODY;
  r->want = SIZE_MAX;
  if (h && number_u64(buf_bytes(&h->value), TAKEN_MAX_BODY, &n) == NUMBER_OK)
    r->want = (size_t)n;
  if (r->t.status < 200) { /* interim: the answer itself follows */
    struct taken next;
    taken_init(&next);
    buf_addb(&next.method, buf_bytes(&r->t.method));
    buf_addb(&next.target, buf_bytes(&r->t.target));
    buf_addb(&next.host, buf_bytes(&r->t.host));
    taken_release(&r->t);
    r->t = next;
    r->at = WAITING;
  }
}

static int bad(struct reader *r, struct diag *diag, const char *what,
               struct bytes line)
{
  diag_set(diag, "%s: '%.*s'", what, (int)(line.n < 60 ? line.n : 60), line.p);
  diag->line = r->line;
  return -1;
}

static int head_line(struct reader *r, struct bytes line, int64_t ms,
                     struct diag *diag)
{
  if (bytes_starts(line, BYTES("HTTP/"))) {
    if (r->at == BODY || r->at == HEAD || r->t.status)
      finish(r);
    if (!taken_status_line(&r->t, line))
      return bad(r, diag, "is no status line", line);
    r->at = HEAD;
    r->t.end = TAKEN_WHOLE; /* another address had refused, for instance */
    if (ms >= 0 && r->asked_ms >= 0 && ms >= r->asked_ms)
      r->t.wait_ms = ms - r->asked_ms;
    return 0;
  }
  if (r->at != HEAD)
    return r->at == BODY ? 0
                         : bad(r, diag, "is in front of a status line", line);
  if (line.n == 0) {
    head_is_over(r);
    return 0;
  }
  return taken_header_line(&r->t, line) ? 0
                                        : bad(r, diag, "is no header", line);
}

/* ---- the body ---- */

/* Where curl's next line begins behind a body without a line end. */
static size_t until_talk(struct bytes line)
{
  for (size_t i = 0; i + 2 < line.n; i++)
    if (line.p[i] == '*' && line.p[i + 1] == ' ' &&
        is_curl_talk((struct bytes){line.p + i, line.n - i}))
      return i;
  return line.n;
}

/* How many bytes of `rest` (all lines from here on) the body takes. */
static size_t take_body(struct reader *r, struct bytes rest, size_t line)
{
  size_t n = until_talk((struct bytes){rest.p, line});
  size_t left = r->want > r->t.body.n ? r->want - r->t.body.n : 0;
  if (n > left)
    n = left;
  buf_add(&r->t.body, rest.p, n);
  return n ? n : line;
}

/* ---- lines ---- */

static struct bytes without_cr(struct bytes line)
{
  if (line.n && line.p[line.n - 1] == '\r')
    line.n--;
  return line;
}

/* A line of curl's or of a head; false: it belongs to a body. */
static bool marked_line(struct reader *r, struct bytes line, struct diag *diag,
                        int *rc)
{
  int64_t ms = -1;
  take_time(&line, &ms);
  if (bytes_starts(line, BYTES("> ")) || bytes_equal(line, BYTES(">"))) {
    struct bytes rest = {line.p + 1, line.n - 1};
    if (rest.n) {
      rest.p++;
      rest.n--;
    }
    request_line(r, rest, ms);
    return true;
  }
  if (bytes_starts(line, BYTES("< ")) || bytes_equal(line, BYTES("<"))) {
    size_t n = line.n > 1 ? 2 : 1;
    if (r->at == BODY && !bytes_starts(line, BYTES("< HTTP/")))
      return false; /* HTML, for instance */
    *rc = head_line(r, (struct bytes){line.p + n, line.n - n}, ms, diag);
    return true;
  }
  if (is_data_note(line))
    return true;
  if (is_curl_talk(line) || (r->at != BODY && line.n && line.p[0] == '*')) {
    note_end(r, line);
    return true;
  }
  return false;
}

/* Without marks, as -i prints. */
static bool plain_line(struct reader *r, struct bytes line, struct diag *diag,
                       int *rc)
{
  bool status = bytes_starts(line, BYTES("HTTP/"));
  if (status && (r->at == BEFORE || r->plain))
    r->plain = true;
  if (!r->plain || (r->at != HEAD && !status))
    return false;
  if (status && r->at == BODY && r->want != SIZE_MAX && r->t.body.n < r->want)
    return false;
  *rc = head_line(r, line, -1, diag);
  return true;
}

static int read_curl(struct draft *d, const char *file, struct bytes text,
                     struct diag *diag)
{
  struct reader r = {.d = d, .want = SIZE_MAX, .asked_ms = -1};
  int rc = 0;
  taken_init(&r.t);
  for (size_t at = 0; at < text.n && rc == 0;) {
    struct bytes rest = {text.p + at, text.n - at};
    const char *end = memchr(rest.p, '\n', rest.n);
    size_t whole = end ? (size_t)(end - rest.p) + 1 : rest.n;
    struct bytes line =
        without_cr((struct bytes){rest.p, end ? whole - 1 : whole});
    r.line += at == 0 || text.p[at - 1] == '\n';
    if (marked_line(&r, line, diag, &rc) || plain_line(&r, line, diag, &rc) ||
        r.at != BODY)
      at += whole;
    else
      at += take_body(&r, rest, whole);
  }
  if (rc == 0)
    finish(&r);
  taken_release(&r.t);
  if (rc == 0 && !r.any_answer) {
    rc = diag_set(diag, "holds no answer: no line begins with '< HTTP/'%s",
                  bytes_find(text, BYTES("== Info:")) >= 0
                      ? "; --trace-ascii loses line ends, take -v"
                      : "");
  }
  if (rc < 0)
    diag_in_file(diag, file);
  return rc;
}

const struct format format_curl = {
    .name = "curl",
    .summary = "what `curl -v` or `curl -i` prints, the answer among it",
    .fits = fits,
    .read = read_curl};

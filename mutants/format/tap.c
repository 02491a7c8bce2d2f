/*
 * The Test Anything Protocol, versions 12 to 14 (testanything.org): the
 * outermost test points. A "not ok" with the directive "todo" is expected,
 * and green; subtests are indented and count through the point that closes
 * them.
 */
#include "mutants/format/format.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct tap {
  struct verdicts *ret;
  struct diag *diag;
  int64_t planned; /* of "1..N"; -1: not seen */
  int64_t points;
  struct test *last; /* the point that lines of detail belong to */
};

static struct bytes from(struct bytes s, size_t n)
{
  return (struct bytes){s.p + n, s.n - n};
}

static struct bytes trimmed(struct bytes s)
{
  while (s.n && (*s.p == ' ' || *s.p == '\t'))
    s = from(s, 1);
  while (s.n && strchr(" \t\r", s.p[s.n - 1]))
    s.n--;
  return s;
}

static bool starts_nocase(struct bytes s, const char *word)
{
  size_t n = strlen(word);
  return s.n >= n && strncasecmp(s.p, word, n) == 0;
}

/* Where " #" begins that is not "\#"; the end when there is none. */
static size_t directive_at(struct bytes s)
{
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] == '#' && (i == 0 || s.p[i - 1] == ' '))
      return i;
  return s.n;
}

static char *name_of(struct bytes s, int64_t number)
{
  struct buf name;
  s = trimmed(s);
  if (s.n == 0)
    return mem_format("test %lld", (long long)number);
  buf_init(&name, s.n + 1);
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] != '\\' || i + 1 == s.n || !strchr("\\#", s.p[i + 1]))
      buf_addc(&name, s.p[i] ? s.p[i] : '?');
    else
      buf_addc(&name, s.p[++i]);
  return buf_detach(&name);
}

/* `s` is what stands behind "ok" or "not ok". */
static int add_point(struct tap *t, bool ok, struct bytes s)
{
  uint64_t number = 0;
  s = trimmed(s);
  if (number_take_u64(&s, 1000000000, &number) == NUMBER_OK)
    s = trimmed(s);
  if (s.n && *s.p == '-')
    s = trimmed(from(s, 1));
  size_t at = directive_at(s);
  struct bytes directive = trimmed(from(s, at < s.n ? at + 1 : at));
  char *name = name_of((struct bytes){s.p, at}, ++t->points);
  struct test *test = suite_format_add(t->ret, name, t->diag);
  free(name);
  if (!test)
    return -1;
  t->last = test;
  test->skipped = starts_nocase(directive, "skip");
  if (!ok && !test->skipped && !starts_nocase(directive, "todo")) {
    test->verdict = VERDICT_RED;
    test->kind = KIND_ASSERT;
  }
  return 0;
}

static int read_plan(struct tap *t, struct bytes s)
{
  uint64_t n;
  s = trimmed(s);
  if (number_take_u64(&s, 1000000000, &n) != NUMBER_OK)
    return diag_set(t->diag, "not a TAP plan: 1..%.*s", (int)s.n, s.p);
  if (t->planned >= 0)
    return diag_set(t->diag, "the TAP plan stands twice");
  t->planned = (int64_t)n;
  return 0;
}

/* The reason, in the block of YAML under a point. */
static void read_detail(struct tap *t, struct bytes line)
{
  static const char *const KEYS[] = {"message:", "error:"};
  line = trimmed(line);
  for (size_t i = 0; t->last && i < sizeof KEYS / sizeof KEYS[0]; i++)
    if (starts_nocase(line, KEYS[i]) && *t->last->why == '\0') {
      free(t->last->why);
      t->last->why = bytes_dup(trimmed(from(line, strlen(KEYS[i]))));
    }
}

static bool is_word(struct bytes line, const char *word)
{
  size_t n = strlen(word);
  return bytes_starts(line, bytes_of(word)) &&
         (line.n == n || strchr(" \t\r", line.p[n]));
}

static int read_line(struct tap *t, struct bytes line)
{
  if (line.n && (*line.p == ' ' || *line.p == '\t')) {
    read_detail(t, line);
    return 0;
  }
  if (is_word(line, "ok"))
    return add_point(t, true, from(line, 2));
  if (is_word(line, "not ok"))
    return add_point(t, false, from(line, 6));
  if (bytes_starts(line, BYTES("1..")))
    return read_plan(t, from(line, 3));
  if (starts_nocase(line, "bail out!"))
    return diag_set(t->diag, "the suite gave up: %.*s",
                    (int)(line.n < 200 ? line.n : 200), line.p);
  return 0;
}

static int read_lines(struct tap *t, struct bytes text)
{
  int rc = 0;
  while (rc == 0 && text.n) {
    const char *end = memchr(text.p, '\n', text.n);
    size_t n = end ? (size_t)(end - text.p) : text.n;
    rc = read_line(t, (struct bytes){text.p, n});
    text = from(text, n + (end != NULL));
  }
  return rc;
}

int suite_read_tap(struct bytes output, int exit_code, struct verdicts *ret,
                   struct diag *diag)
{
  struct tap t = {.ret = ret, .diag = diag, .planned = -1};
  if (read_lines(&t, output) < 0)
    return -1;
  if (t.planned < 0)
    return diag_set(diag, "the suite printed no TAP plan (1..N)");
  if (t.planned != t.points)
    return diag_set(diag, "the TAP plan speaks of %lld tests, %lld were run",
                    (long long)t.planned, (long long)t.points);
  return suite_format_check(ret, exit_code, diag);
}

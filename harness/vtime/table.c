#include "harness/vtime/table.h"

#include "base/number.h"

#include <limits.h>
#include <string.h>

static void skip(struct bytes *s, size_t n)
{
  s->p += n;
  s->n -= n;
}

static void skip_blanks(struct bytes *s)
{
  while (s->n && (s->p[0] == ' ' || s->p[0] == '\t' || s->p[0] == '\n'))
    skip(s, 1);
}

static bool take_char(struct bytes *s, char c)
{
  if (!s->n || s->p[0] != c)
    return false;
  skip(s, 1);
  return true;
}

static int hex_digit(char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

/* As the kernel writes it: lower case, with or without 0x, at most 16. */
static bool take_hex(struct bytes *s, uint64_t *ret)
{
  size_t n = 0;
  if (bytes_starts(*s, BYTES("0x")))
    skip(s, 2);
  *ret = 0;
  while (n < 16 && n < s->n && hex_digit(s->p[n]) >= 0)
    *ret = *ret << 4 | (uint64_t)hex_digit(s->p[n++]);
  skip(s, n);
  return n > 0;
}

static bool take_decimal(struct bytes *s, uint64_t *ret)
{
  return number_take_u64(s, INT64_MAX, ret) == NUMBER_OK;
}

/* The line in front; *s moves behind its end. */
static struct bytes take_line(struct bytes *s)
{
  const char *end = s->n ? memchr(s->p, '\n', s->n) : NULL;
  struct bytes line = {s->p, end ? (size_t)(end - s->p) : s->n};
  skip(s, line.n + (end ? 1 : 0));
  return line;
}

bool table_stat(struct bytes text, struct table_stat *ret)
{
  const char *open = text.n ? memchr(text.p, '(', text.n) : NULL;
  const char *close = text.n ? memrchr(text.p, ')', text.n) : NULL;
  if (!open || !close || close < open || text.p + text.n - close < 3)
    return false;
  size_t n = (size_t)(close - open - 1);
  if (n >= sizeof ret->comm)
    n = sizeof ret->comm - 1;
  memcpy(ret->comm, open + 1, n);
  ret->comm[n] = '\0';
  ret->state = close[2];
  return true;
}

bool table_switches(struct bytes text, int64_t *ret)
{
  uint64_t n = 0;
  for (int i = 0; i < 3; i++) {
    skip_blanks(&text);
    if (!take_decimal(&text, &n))
      return false;
  }
  *ret = (int64_t)n;
  return true;
}

bool table_child(struct bytes *rest, int *ret)
{
  uint64_t n;
  skip_blanks(rest);
  if (number_take_u64(rest, INT_MAX, &n) != NUMBER_OK)
    return false;
  *ret = (int)n;
  return true;
}

bool table_call(struct bytes text, struct table_call *ret)
{
  uint64_t nr;
  if (number_take_u64(&text, INT_MAX, &nr) != NUMBER_OK)
    return false; /* "running", or -1 */
  ret->nr = (int)nr;
  for (int i = 0; i < 6; i++) {
    skip_blanks(&text);
    if (!take_hex(&text, &ret->arg[i]))
      return false;
  }
  return true;
}

/* Moves `text` behind the field's name. */
static bool find_field(struct bytes *text, const char *name)
{
  while (text->n) {
    struct bytes line = take_line(text);
    if (!bytes_starts(line, bytes_of(name)))
      continue;
    skip(&line, strlen(name));
    skip_blanks(&line);
    *text = line;
    return true;
  }
  return false;
}

bool table_hex(struct bytes text, const char *name, uint64_t *ret)
{
  return find_field(&text, name) && take_hex(&text, ret);
}

bool table_decimal(struct bytes text, const char *name, uint64_t *ret)
{
  return find_field(&text, name) && take_decimal(&text, ret);
}

bool table_last(struct bytes text, const char *name, uint64_t *ret)
{
  bool any = false;
  if (!find_field(&text, name))
    return false;
  while (take_decimal(&text, ret)) {
    any = true;
    skip_blanks(&text);
  }
  return any;
}

static bool read_map(struct bytes line, struct table_map *m)
{
  uint64_t major, minor;
  *m = (struct table_map){.vdso = bytes_find(line, BYTES("[vdso]")) >= 0};
  if (!take_hex(&line, &m->start) || !take_char(&line, '-') ||
      !take_hex(&line, &m->end) || !take_char(&line, ' ') || line.n < 5)
    return false;
  m->shared = line.p[3] == 's'; /* "rw-s" */
  skip(&line, 5);
  if (!take_hex(&line, &m->offset) || !take_char(&line, ' ') ||
      !take_hex(&line, &major) || !take_char(&line, ':') ||
      !take_hex(&line, &minor) || !take_char(&line, ' '))
    return false;
  m->device = major << 32 | minor;
  return take_decimal(&line, &m->inode);
}

bool table_map(struct bytes *rest, struct table_map *ret)
{
  return rest->n && read_map(take_line(rest), ret);
}

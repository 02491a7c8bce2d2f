/*
 * Adding a message to a request without touching its other bytes: parsing and
 * printing again would round large numbers and lose a NUL in a text.
 */
#include "guard/resume_rules.h"

#include <stdio.h>
#include <string.h>

/* JSON's own blanks, and what cJSON takes for one. */
static void skip_blanks(struct guard_scan *s)
{
  while (guard_scan_peek(s) >= 0 && guard_scan_peek(s) <= ' ')
    s->p++;
}

/* Moves behind the string that begins here. */
static bool skip_string(struct guard_scan *s)
{
  if (!guard_scan_byte(s, '"'))
    return false;
  while (!guard_scan_done(s)) {
    char c = *s->p++;

    if (c == '"')
      return true;
    if (c == '\\' && !guard_scan_done(s))
      s->p++;
  }
  return false;
}

/* Moves behind the value that begins here; *ret_last is its last byte. */
static bool skip_value(struct guard_scan *s, const char **ret_last)
{
  int depth = 0;

  do {
    int c = guard_scan_peek(s);

    if (c < 0)
      return false;
    if (c == '"') {
      if (!skip_string(s))
        return false;
    } else {
      depth += c == '[' || c == '{';
      depth -= c == ']' || c == '}';
      s->p++;
    }
  } while (depth > 0 ||
           (guard_scan_peek(s) >= 0 && !strchr(",}]", guard_scan_peek(s))));
  *ret_last = s->p - 1;
  return depth == 0;
}

/* Goes over one member; a "messages" array is counted and noted. */
static bool take_member(struct guard_scan *s, const char **place, int *count)
{
  struct guard_scan key, value;
  const char *last;

  skip_blanks(s);
  key.p = s->p;
  if (!skip_string(s))
    return false;
  key.end = s->p;
  skip_blanks(s);
  if (!guard_scan_byte(s, ':'))
    return false;
  skip_blanks(s);
  value = *s;
  if (!skip_value(s, &last))
    return false;
  if (!guard_scan_lit(&key, "\"messages\"") || !guard_scan_done(&key))
    return true;
  while (last > value.p && (unsigned char)*last <= ' ')
    last--;
  if (guard_scan_peek(&value) != '[' || *last != ']')
    return false;
  *place = last;
  ++*count;
  return true;
}

bool guard_splice_place(struct guard_scan request, size_t *ret_offset)
{
  struct guard_scan s = request;
  const char *place = NULL;
  int count = 0;

  guard_scan_lit(&s, "\xef\xbb\xbf"); /* a BOM, which cJSON skips */
  skip_blanks(&s);
  if (!guard_scan_byte(&s, '{'))
    return false;
  do {
    if (!take_member(&s, &place, &count))
      return false;
  } while (guard_scan_byte(&s, ','));
  if (!guard_scan_byte(&s, '}') || count != 1)
    return false;
  *ret_offset = (size_t)(place - request.p);
  return true;
}

/* Bytes of the character that begins with |c|, 0: none does (RFC 3629). */
static size_t utf8_bytes(unsigned char c)
{
  if (c < 0x80)
    return 1;
  if (c < 0xc2 || c > 0xf4)
    return 0;
  return c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

/* The second byte has bounds of its own: no overlong form, no surrogate,
 * nothing above U+10FFFF. */
static bool is_follower(unsigned char first, unsigned char c, size_t at)
{
  unsigned char least = 0x80, most = 0xbf;

  if (at == 1 && first == 0xe0)
    least = 0xa0;
  if (at == 1 && first == 0xed)
    most = 0x9f;
  if (at == 1 && first == 0xf0)
    least = 0x90;
  if (at == 1 && first == 0xf4)
    most = 0x8f;
  return c >= least && c <= most;
}

bool guard_splice_utf8(struct guard_scan text, size_t *ret_n)
{
  const unsigned char *p = (const unsigned char *)text.p;
  size_t n = guard_scan_left(&text), at = 0;

  while (at < n) {
    size_t bytes = utf8_bytes(p[at]);

    if (bytes == 0)
      return false;
    for (size_t i = 1; i < bytes && at + i < n; i++)
      if (!is_follower(p[at], p[at + i], i))
        return false;
    if (at + bytes > n)
      break;
    at += bytes;
  }
  *ret_n = at;
  return true;
}

void guard_out_add(struct guard_out *o, const char *p, size_t n)
{
  if (o->full || n > o->size - o->n) {
    o->full = true;
    return;
  }
  if (n > 0)
    memcpy(o->p + o->n, p, n);
  o->n += n;
}

void guard_out_escaped(struct guard_out *o, const char *p, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)p[i];
    char escape[8];

    if (c == '"' || c == '\\')
      snprintf(escape, sizeof(escape), "\\%c", c);
    else if (c == '\n')
      snprintf(escape, sizeof(escape), "\\n");
    else if (c < 0x20)
      snprintf(escape, sizeof(escape), "\\u%04x", c);
    else
      snprintf(escape, sizeof(escape), "%c", c);
    guard_out_add(o, escape, strlen(escape));
  }
}

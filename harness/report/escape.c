#include "harness/report/escape.h"

#include "harness/report/escape_part.h"

static uint32_t decode(const unsigned char *p, size_t n)
{
  if (n == 1)
    return p[0];
  /* RFC 3629, section 3: the first byte of n holds 7 - n bits */
  uint32_t code = p[0] & (0x7fu >> n);
  for (size_t i = 1; i < n; i++)
    code = code << 6 | (p[i] & 0x3fu);
  return code;
}

/* The piece at the front of *rest, which is moved behind it. */
static struct escape_piece take(struct bytes *rest)
{
  const unsigned char *p = (const unsigned char *)rest->p;
  size_t n = bytes_utf8_length(*rest);
  struct escape_piece piece = {.p = rest->p, .n = n ? n : 1, .valid = n > 0};
  piece.code = n ? decode(p, n) : p[0];
  rest->p += piece.n;
  rest->n -= piece.n;
  return piece;
}

void escape_add_hex(struct buf *b, const struct escape_piece *c)
{
  for (size_t i = 0; i < c->n; i++)
    buf_addf(b, "\\x%02x", (unsigned char)c->p[i]);
}

void escape_each(struct buf *b, struct bytes all, size_t max,
                 escape_add_fn *add)
{
  struct bytes rest = all;
  while (rest.n > 0) {
    if (all.n - rest.n >= max) {
      buf_addf(b, " ... (%zu bytes more)", rest.n);
      return;
    }
    struct escape_piece c = take(&rest);
    add(b, &c);
  }
}

bool escape_is_control(uint32_t code)
{
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

static void add_line(struct buf *b, const struct escape_piece *c)
{
  if (!c->valid)
    escape_add_hex(b, c);
  else if (c->code == '\n')
    buf_adds(b, "\\n");
  else if (c->code == '\r')
    buf_adds(b, "\\r");
  else if (c->code == '\t')
    buf_adds(b, "\\t");
  else if (escape_is_control(c->code))
    escape_add_hex(b, c);
  else
    buf_add(b, c->p, c->n);
}

void escape_line(struct buf *b, const char *s)
{
  escape_each(b, bytes_of(s), ESCAPE_MAX_BYTES, add_line);
}

static void add_tap(struct buf *b, const struct escape_piece *c)
{
  if (c->code == '#' || c->code == '\\')
    buf_addc(b, '\\');
  add_line(b, c);
}

void escape_tap(struct buf *b, const char *s)
{
  escape_each(b, bytes_of(s), ESCAPE_MAX_BYTES, add_tap);
}

/* YAML's printable characters (production 1) without its line breaks. */
static bool yaml_plain(uint32_t code)
{
  return !escape_is_control(code) && code != 0x2028 && code != 0x2029 &&
         code != 0xfeff && code != 0xfffe && code != 0xffff;
}

static void add_yaml(struct buf *b, const struct escape_piece *c)
{
  if (!c->valid)
    buf_addf(b, "\\\\x%02x", c->code);
  else if (c->code == '"' || c->code == '\\')
    buf_addf(b, "\\%c", (char)c->code);
  else if (yaml_plain(c->code))
    buf_add(b, c->p, c->n);
  else
    buf_addf(b, "\\u%04x", c->code);
}

void escape_yaml(struct buf *b, const char *s)
{
  buf_addc(b, '"');
  escape_each(b, bytes_of(s), ESCAPE_MAX_BYTES, add_yaml);
  buf_addc(b, '"');
}

/* Production 2 of XML 1.0. The C1 controls are allowed but discouraged
 * there: they would drive a terminal that shows the file. */
static bool xml_char(uint32_t code)
{
  if (code == '\t' || code == '\n' || code == '\r')
    return true;
  return !escape_is_control(code) && code != 0xfffe && code != 0xffff;
}

static const char *xml_entity(uint32_t code)
{
  switch (code) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\t':
    return "&#9;";
  case '\n':
    return "&#10;";
  case '\r':
    return "&#13;";
  default:
    return NULL;
  }
}

static void add_xml(struct buf *b, const struct escape_piece *c)
{
  const char *entity = c->valid ? xml_entity(c->code) : NULL;
  if (entity)
    buf_adds(b, entity);
  else if (c->valid && xml_char(c->code))
    buf_add(b, c->p, c->n);
  else
    escape_add_hex(b, c);
}

void escape_xml(struct buf *b, const char *s)
{
  escape_each(b, bytes_of(s), ESCAPE_MAX_BYTES, add_xml);
}

static void add_xml_text(struct buf *b, const struct escape_piece *c)
{
  if (c->code == '\n')
    buf_addc(b, '\n');
  else
    add_xml(b, c);
}

void escape_xml_text(struct buf *b, struct bytes s)
{
  escape_each(b, s, SIZE_MAX, add_xml_text);
}

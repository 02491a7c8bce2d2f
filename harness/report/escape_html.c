#include "harness/report/escape_html.h"

#include "harness/report/escape.h"
#include "harness/report/escape_part.h"

/* Unicode 15, "Bidi_Control", and the separators that end a line. */
static bool is_unseen(uint32_t code)
{
  return code == 0x61c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

static const char *reference(uint32_t code)
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
  case '\'':
    return "&#39;";
  default:
    return NULL;
  }
}

/* No code point of HTML: "noncharacter" in its parsing chapter. */
static bool is_noncharacter(uint32_t code)
{
  return (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

static void add_block(struct buf *b, const struct escape_piece *c)
{
  const char *ref = c->valid ? reference(c->code) : NULL;
  if (ref)
    buf_adds(b, ref);
  else if (c->valid && (c->code == '\n' || c->code == '\t'))
    buf_addc(b, (char)c->code);
  else if (c->valid && is_unseen(c->code))
    buf_addf(b, "\\u%04x", c->code);
  else if (!c->valid || escape_is_control(c->code) || is_noncharacter(c->code))
    escape_add_hex(b, c);
  else
    buf_add(b, c->p, c->n);
}

static void add_line(struct buf *b, const struct escape_piece *c)
{
  if (c->code == '\n')
    buf_adds(b, "\\n");
  else if (c->code == '\t')
    buf_adds(b, "\\t");
  else if (c->code == '\r')
    buf_adds(b, "\\r");
  else
    add_block(b, c);
}

void escape_html(struct buf *b, const char *s)
{
  escape_each(b, bytes_of(s), ESCAPE_MAX_BYTES, add_line);
}

void escape_html_text(struct buf *b, struct bytes s)
{
  escape_each(b, s, SIZE_MAX, add_block);
}

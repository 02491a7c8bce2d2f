#include "mutants/format/xml.h"

#include "base/number.h"

#include <string.h>

static struct bytes from(struct bytes s, size_t n)
{
  return (struct bytes){s.p + n, s.n - n};
}

static bool is_space(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct bytes skip_space(struct bytes s)
{
  while (s.n && is_space(*s.p))
    s = from(s, 1);
  return s;
}

/* The byte order mark that .NET writes in front. */
void xml_init(struct xml *x, struct bytes text)
{
  *x = (struct xml){.rest = text};
  if (bytes_starts(text, BYTES("\xef\xbb\xbf")))
    x->rest = from(text, 3);
}

static int skip_past(struct xml *x, struct bytes end, struct diag *diag)
{
  ptrdiff_t at = bytes_find(x->rest, end);
  if (at < 0)
    return diag_set(diag, "the report ends before \"%.*s\"", (int)end.n, end.p);
  x->rest = from(x->rest, (size_t)at + end.n);
  return 0;
}

/* What begins with "<!" or "<?": 1 passed over, 0 none of these. */
static int skip_other(struct xml *x, struct diag *diag)
{
  static const struct {
    const char *begin, *end;
  } OTHERS[] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++)
    if (bytes_starts(x->rest, bytes_of(OTHERS[i].begin))) {
      x->rest = from(x->rest, strlen(OTHERS[i].begin));
      return skip_past(x, bytes_of(OTHERS[i].end), diag) < 0 ? -1 : 1;
    }
  return 0;
}

/* The end of a tag, '>' outside of quotes; -1 when there is none. */
static ptrdiff_t tag_end(struct bytes s)
{
  char quote = 0;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      return (ptrdiff_t)i;
  }
  return -1;
}

static size_t name_length(struct bytes s)
{
  size_t n = 0;
  while (n < s.n && !is_space(s.p[n]) && !strchr("/=>\"'<", s.p[n]))
    n++;
  return n;
}

/* `s` is what stands between '<' and '>'. */
static int split_tag(struct bytes s, struct xml_tag *ret, struct diag *diag)
{
  *ret = (struct xml_tag){0};
  ret->end = s.n && *s.p == '/';
  if (ret->end)
    s = from(s, 1);
  ret->closed = !ret->end && s.n && s.p[s.n - 1] == '/';
  if (ret->closed)
    s.n--;
  size_t n = name_length(s);
  ret->name = (struct bytes){s.p, n};
  ret->attributes = from(s, n);
  return n ? 0 : diag_set(diag, "the report is no XML: a tag without a name");
}

static int nest(struct xml *x, const struct xml_tag *tag, struct diag *diag)
{
  if (tag->end) {
    if (x->depth == 0 || !bytes_equal(x->open[x->depth - 1], tag->name))
      return diag_set(diag, "the report is no XML: </%.*s> closes nothing",
                      (int)(tag->name.n < 60 ? tag->name.n : 60), tag->name.p);
    x->depth--;
    return 0;
  }
  if (x->depth == 0 && x->seen)
    return diag_set(diag, "the report is no XML: two outermost tags");
  x->seen = true;
  if (tag->closed)
    return 0;
  if (x->depth == XML_MAX_DEPTH)
    return diag_set(diag, "the report nests its tags too deep");
  x->open[x->depth++] = tag->name;
  return 0;
}

static int at_end(const struct xml *x, struct diag *diag)
{
  if (!x->seen)
    return diag_set(diag, "the suite printed no XML");
  return x->depth ? diag_set(diag, "the report ends before </%.*s>",
                             (int)(x->open[x->depth - 1].n < 60
                                       ? x->open[x->depth - 1].n
                                       : 60),
                             x->open[x->depth - 1].p)
                  : 0;
}

int xml_next(struct xml *x, struct xml_tag *ret, struct diag *diag)
{
  for (;;) {
    const char *at = x->rest.n ? memchr(x->rest.p, '<', x->rest.n) : NULL;
    if (!at)
      return at_end(x, diag);
    x->rest = from(x->rest, (size_t)(at - x->rest.p));
    int rc = skip_other(x, diag);
    if (rc < 0)
      return -1;
    if (rc == 0)
      break;
  }
  struct bytes tag = from(x->rest, 1);
  ptrdiff_t end = tag_end(tag);
  if (end < 0)
    return diag_set(diag, "the report ends in the middle of a tag");
  x->rest = from(tag, (size_t)end + 1);
  tag.n = (size_t)end;
  if (split_tag(tag, ret, diag) < 0)
    return -1;
  return nest(x, ret, diag) < 0 ? -1 : 1;
}

bool xml_is(const struct xml_tag *tag, const char *name)
{
  return bytes_equal(tag->name, bytes_of(name));
}

/* A code point as UTF-8; what XML forbids becomes U+FFFD. */
static void add_code(struct buf *ret, uint64_t c)
{
  if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
    c = 0xfffd;
  if (c < 0x80) {
    buf_addc(ret, (char)c);
  } else if (c < 0x800) {
    buf_addc(ret, (char)(0xc0 | c >> 6));
    buf_addc(ret, (char)(0x80 | (c & 0x3f)));
  } else if (c < 0x10000) {
    buf_addc(ret, (char)(0xe0 | c >> 12));
    buf_addc(ret, (char)(0x80 | (c >> 6 & 0x3f)));
    buf_addc(ret, (char)(0x80 | (c & 0x3f)));
  } else {
    buf_addc(ret, (char)(0xf0 | c >> 18));
    buf_addc(ret, (char)(0x80 | (c >> 12 & 0x3f)));
    buf_addc(ret, (char)(0x80 | (c >> 6 & 0x3f)));
    buf_addc(ret, (char)(0x80 | (c & 0x3f)));
  }
}

static bool hex_number(struct bytes s, uint64_t *ret)
{
  uint64_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = s.p[i] ? strchr(DIGITS, s.p[i]) : NULL;
    if (!at || n > 0x10ffff)
      return false;
    n = n * 16 + (uint64_t)((at - DIGITS) % 16);
  }
  *ret = n;
  return s.n > 0;
}

/* `s` is what stands between '&' and ';'. */
static bool add_entity(struct buf *ret, struct bytes s)
{
  static const struct {
    const char *name;
    char c;
  } NAMED[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  uint64_t code;
  for (size_t i = 0; i < sizeof NAMED / sizeof NAMED[0]; i++)
    if (bytes_equal(s, bytes_of(NAMED[i].name))) {
      buf_addc(ret, NAMED[i].c);
      return true;
    }
  bool is_hex = bytes_starts(s, BYTES("#x"));
  if (is_hex ? !hex_number(from(s, 2), &code)
             : s.n < 2 || *s.p != '#' ||
                   number_u64(from(s, 1), 0x10ffff, &code) != NUMBER_OK)
    return false;
  add_code(ret, code);
  return true;
}

static char *without_entities(struct bytes s)
{
  struct buf text;
  buf_init(&text, s.n * 4 + 4);
  while (s.n) {
    const char *end = *s.p == '&' ? memchr(s.p, ';', s.n) : NULL;
    size_t n = end ? (size_t)(end - s.p) : 0;
    if (end && add_entity(&text, (struct bytes){s.p + 1, n - 1})) {
      s = from(s, n + 1);
      continue;
    }
    buf_addc(&text, *s.p ? *s.p : '?');
    s = from(s, 1);
  }
  buf_adds(&text, "");
  return buf_detach(&text);
}

/* One NAME="VALUE" off the front; false when there is no more. */
static bool take_attribute(struct bytes *s, struct bytes *ret_name,
                           struct bytes *ret_value)
{
  struct bytes rest = skip_space(*s);
  size_t n = name_length(rest);
  *ret_name = (struct bytes){rest.p, n};
  rest = skip_space(from(rest, n));
  if (n == 0 || rest.n == 0 || *rest.p != '=')
    return false;
  rest = skip_space(from(rest, 1));
  if (rest.n == 0 || (*rest.p != '"' && *rest.p != '\''))
    return false;
  const char *end = memchr(rest.p + 1, *rest.p, rest.n - 1);
  if (!end)
    return false;
  n = (size_t)(end - rest.p) - 1;
  *ret_value = (struct bytes){rest.p + 1, n};
  *s = from(rest, n + 2);
  return true;
}

char *xml_attribute(const struct xml_tag *tag, const char *name)
{
  struct bytes rest = tag->attributes, found, value;
  while (take_attribute(&rest, &found, &value))
    if (bytes_equal(found, bytes_of(name)))
      return without_entities(value);
  return NULL;
}

#include "mutants/render_change.h"

#include "mutants/udiff.h"

#include <stdlib.h>
#include <string.h>

static struct bytes next_line(struct bytes *rest)
{
  const char *end = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;
  size_t n = end ? (size_t)(end - rest->p) : rest->n;
  struct bytes line = {rest->p, n};
  n += end != NULL;
  *rest = (struct bytes){rest->p + n, rest->n - n};
  return line;
}

/* The removed and added lines of the first run. */
static void read_first_run(struct bytes diff, struct change *ret)
{
  bool in_hunk = false;
  while (diff.n > 0) {
    struct bytes line = next_line(&diff);
    char mark = line.n ? line.p[0] : ' ';
    bool changed = in_hunk && (mark == '-' || mark == '+');
    struct buf *to = mark == '-' ? &ret->before : &ret->after;
    if (!changed && ret->before.n + ret->after.n > 0)
      return;
    if (changed) {
      buf_add(to, line.p + 1, line.n - 1);
      buf_addc(to, '\n');
    } else if (bytes_starts(line, BYTES("@@"))) {
      in_hunk = true;
    }
  }
}

void change_of(const struct record *r, struct change *ret)
{
  struct udiff d;
  struct diag ignored = {0};
  struct bytes diff = bytes_of(r->diff ? r->diff : "");
  *ret = (struct change){.first = 1, .last = 0};
  buf_init(&ret->before, JSON_MAX_BYTES);
  buf_init(&ret->after, JSON_MAX_BYTES);
  if (udiff_parse(&d, r->id, diff, &ignored) < 0)
    return;
  if (d.n > 0 && d.file[0].nruns > 0) {
    ret->file = mem_strdup(d.file[0].path);
    ret->first = d.file[0].run[0].old_first;
    ret->last = d.file[0].run[0].old_last;
    read_first_run(diff, ret);
  }
  udiff_release(&d);
}

void change_release(struct change *c)
{
  free(c->file);
  buf_release(&c->before);
  buf_release(&c->after);
  *c = (struct change){0};
}

/* Lines of a file that diffs have shown. */
struct shown {
  struct bytes *line; /* [number - 1]; p NULL: not seen */
  int n, cap;
};

/* Beyond this no source has lines; a forged diff must not cost gigabytes. */
enum { MOST_LINES = 1000000 };

static void show(struct shown *s, int64_t number, struct bytes line)
{
  if (number < 1 || number > MOST_LINES)
    return;
  while (s->cap < number) {
    int cap = s->cap ? 2 * s->cap : 1024;
    s->line = mem_realloc(s->line, (size_t)cap * sizeof *s->line);
    memset(s->line + s->cap, 0, (size_t)(cap - s->cap) * sizeof *s->line);
    s->cap = cap;
  }
  s->line[number - 1] = line;
  if (s->n < number)
    s->n = (int)number;
}

/* "@@ -12,7 +12,7 @@": 12; 0 when it is none. */
static int64_t old_line(struct bytes at)
{
  int64_t number = 0;
  if (!bytes_starts(at, BYTES("@@ -")))
    return 0;
  for (size_t i = 4; i < at.n && at.p[i] >= '0' && at.p[i] <= '9'; i++)
    number = number > MOST_LINES ? number : number * 10 + (at.p[i] - '0');
  return number;
}

/* "--- a/FILE" */
static bool names(struct bytes line, const char *file)
{
  struct bytes name = bytes_of(file);
  if (!bytes_starts(line, BYTES("--- ")))
    return false;
  line = (struct bytes){line.p + 4, line.n - 4};
  if (bytes_starts(line, BYTES("a/")))
    line = (struct bytes){line.p + 2, line.n - 2};
  const char *tab = line.n ? memchr(line.p, '\t', line.n) : NULL;
  return bytes_equal(
      (struct bytes){line.p, tab ? (size_t)(tab - line.p) : line.n}, name);
}

static void show_diff(struct shown *s, struct bytes diff, const char *file)
{
  int64_t number = 0;
  bool ours = false;
  while (diff.n > 0) {
    struct bytes line = next_line(&diff);
    int64_t at = old_line(line);
    if (bytes_starts(line, BYTES("--- "))) {
      ours = names(line, file);
      number = 0;
    } else if (at > 0) {
      number = at;
    } else if (ours && number > 0 && line.n && strchr(" -", line.p[0])) {
      show(s, number++, (struct bytes){line.p + 1, line.n - 1});
    }
  }
}

void change_source(const struct records *all, const char *file, struct buf *ret)
{
  struct shown s = {0};
  for (int i = 0; i < all->nsources; i++)
    if (strcmp(all->source[i].path, file) == 0) {
      buf_adds(ret, all->source[i].text);
      return;
    }
  for (int i = 0; i < all->n; i++)
    if (all->item[i].diff)
      show_diff(&s, bytes_of(all->item[i].diff), file);
  for (int i = 0; i < s.n; i++) {
    if (s.line[i].p)
      buf_addb(ret, s.line[i]);
    buf_addc(ret, '\n');
  }
  free(s.line);
}

static const char *entity(char c)
{
  switch (c) {
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '&':
    return "&amp;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return NULL;
  }
}

/* Control letters but tab and line end, DEL. */
static bool forbidden(char c)
{
  return ((unsigned char)c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
}

void change_escape(struct bytes text, struct buf *ret)
{
  while (text.n > 0) {
    size_t n = bytes_utf8_length(text);
    const char *word = entity(text.p[0]);
    if (word)
      buf_adds(ret, word);
    else if (n == 0 || forbidden(text.p[0]))
      buf_adds(ret, "\xef\xbf\xbd"); /* U+FFFD */
    else
      buf_add(ret, text.p, n);
    n = n ? n : 1;
    text = (struct bytes){text.p + n, text.n - n};
  }
}

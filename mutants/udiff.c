#include "mutants/udiff.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* More files or runs than any real diff; stops a diff made of nothing else
 * from costing a thousand times its own size. */
enum { MAX_PARTS = 1000000 };

struct reader {
  struct udiff *ret;
  struct bytes rest; /* the lines not read yet */
  const char *name;
  int line; /* number of the line read last */
  struct diag *diag;
};

/* The numbers of one @@ line, and where it goes on. */
struct hunk {
  int64_t old_line, old_left, new_line, new_left;
  bool open; /* the last line belongs to a run */
};

static int add_error(struct reader *r, const char *text)
{
  diag_set(r->diag, "%s", text);
  diag_in_file(r->diag, r->name);
  r->diag->line = r->line;
  return -1;
}

/* Without its end; false at the end of the text. */
static bool next_line(struct reader *r, struct bytes *ret)
{
  if (r->rest.n == 0)
    return false;
  const char *end = memchr(r->rest.p, '\n', r->rest.n);
  size_t n = end ? (size_t)(end - r->rest.p) : r->rest.n;
  *ret = (struct bytes){r->rest.p, n};
  n += end != NULL;
  r->rest = (struct bytes){r->rest.p + n, r->rest.n - n};
  r->line++;
  if (ret->n && ret->p[ret->n - 1] == '\r')
    ret->n--;
  return true;
}

static bool take(struct bytes *s, struct bytes word)
{
  if (!bytes_starts(*s, word))
    return false;
  *s = (struct bytes){s->p + word.n, s->n - word.n};
  return true;
}

/* One escape of a name in quotes, as git writes it (quote.c). */
static char unescape(struct bytes *s)
{
  static const char FROM[] = "abtnvfr", TO[] = "\a\b\t\n\v\f\r";
  char c = *s->p;
  *s = (struct bytes){s->p + 1, s->n - 1};
  const char *at = strchr(FROM, c);
  if (c && at)
    return TO[at - FROM];
  if (c < '0' || c > '7')
    return c;
  unsigned octal = (unsigned)(c - '0');
  for (int i = 0; i < 2 && s->n && *s->p >= '0' && *s->p <= '7'; i++) {
    octal = octal * 8 + (unsigned)(*s->p - '0');
    *s = (struct bytes){s->p + 1, s->n - 1};
  }
  return (char)(octal & 255);
}

/* The name behind "--- " or "+++ ": a tab ends it, or a quote. */
static char *read_name(struct bytes s)
{
  struct buf name;
  buf_init(&name, 4096);
  bool quoted = s.n && *s.p == '"';
  if (quoted)
    take(&s, BYTES("\""));
  while (s.n && *s.p != (quoted ? '"' : '\t')) {
    char c = *s.p;
    s = (struct bytes){s.p + 1, s.n - 1};
    if (quoted && c == '\\' && s.n)
      c = unescape(&s);
    buf_addc(&name, c ? c : '?');
  }
  buf_adds(&name, "");
  return buf_detach(&name);
}

static bool is_null(const char *name)
{
  return strcmp(name, "/dev/null") == 0;
}

static struct udiff_file *add_file(struct udiff *d)
{
  if ((d->n & (d->n - 1)) == 0)
    d->file =
        mem_realloc(d->file, (size_t)(d->n ? 2 * d->n : 1) * sizeof *d->file);
  d->file[d->n] = (struct udiff_file){0};
  return &d->file[d->n++];
}

static struct udiff_run *add_run(struct udiff_file *f)
{
  if ((f->nruns & (f->nruns - 1)) == 0)
    f->run = mem_realloc(f->run, (size_t)(f->nruns ? 2 * f->nruns : 1) *
                                     sizeof *f->run);
  return &f->run[f->nruns++];
}

static int add_names(struct reader *r, const char *old, const char *new)
{
  bool a = strncmp(old, "a/", 2) == 0, b = strncmp(new, "b/", 2) == 0;
  bool prefixed = (a || is_null(old)) && (b || is_null(new)) && (a || b);
  if (r->ret->n >= MAX_PARTS)
    return add_error(r, "too many files");
  if (is_null(old) && is_null(new))
    return add_error(r, "a file without a name");
  if (r->ret->n && r->ret->prefixed != prefixed)
    return add_error(r, "some names begin with a/ and b/, and some do not");
  r->ret->prefixed = prefixed;
  struct udiff_file *f = add_file(r->ret);
  const char *name = is_null(new) ? old : new;
  f->path = mem_strdup(name + (prefixed ? 2 : 0));
  f->created = is_null(old);
  f->removed = is_null(new);
  return *f->path ? 0 : add_error(r, "a file without a name");
}

/* "--- OLD", "+++ NEW"; `old` is the rest of the first. */
static int read_file_names(struct reader *r, struct bytes old)
{
  struct bytes next;
  if (!next_line(r, &next) || !take(&next, BYTES("+++ ")))
    return add_error(r, "a line \"+++ \" must follow the line \"--- \"");
  char *old_name = read_name(old), *new_name = read_name(next);
  int rc = add_names(r, old_name, new_name);
  free(old_name);
  free(new_name);
  return rc;
}

/* "12,3" or "12", which is "12,1". */
static bool read_range(struct bytes *s, int64_t *ret_line, int64_t *ret_left)
{
  uint64_t line, count = 1;
  if (number_take_u64(s, (uint64_t)UDIFF_MAX_LINE, &line) != NUMBER_OK)
    return false;
  if (take(s, BYTES(",")) &&
      number_take_u64(s, (uint64_t)UDIFF_MAX_LINE, &count) != NUMBER_OK)
    return false;
  /* An empty range names the line before it. */
  *ret_line = (int64_t)line + (count == 0);
  *ret_left = (int64_t)count;
  return true;
}

static int start_run(struct reader *r, struct hunk *h)
{
  struct udiff_file *f = &r->ret->file[r->ret->n - 1];
  if (f->nruns >= MAX_PARTS)
    return add_error(r, "too many changes");
  *add_run(f) = (struct udiff_run){h->old_line, h->old_line - 1, h->new_line,
                                   h->new_line - 1};
  h->open = true;
  return 0;
}

static int changed_line(struct reader *r, struct hunk *h, bool added)
{
  if (!h->open && start_run(r, h) < 0)
    return -1;
  struct udiff_file *f = &r->ret->file[r->ret->n - 1];
  struct udiff_run *run = &f->run[f->nruns - 1];
  if (added) {
    run->new_last = h->new_line++;
    h->new_left--;
  } else {
    run->old_last = h->old_line++;
    h->old_left--;
  }
  return 0;
}

static int hunk_line(struct reader *r, struct hunk *h, struct bytes line)
{
  /* Some mailers cut the blank of an empty line. */
  char c = line.n ? *line.p : ' ';
  if (c == '\\')
    return 0;
  if (c == '+' && h->new_left > 0)
    return changed_line(r, h, true);
  if (c == '-' && h->old_left > 0)
    return changed_line(r, h, false);
  if (c != ' ' || h->old_left == 0 || h->new_left == 0)
    return add_error(r, "the hunk holds other lines than its @@ line says");
  h->open = false;
  h->old_line++;
  h->new_line++;
  h->old_left--;
  h->new_left--;
  return 0;
}

/* `s` is the rest of "@@ -". */
static int read_hunk(struct reader *r, struct bytes s)
{
  struct hunk h = {0};
  struct bytes line;
  if (r->ret->n == 0)
    return add_error(r, "a hunk before any file");
  if (!read_range(&s, &h.old_line, &h.old_left) || !take(&s, BYTES(" +")) ||
      !read_range(&s, &h.new_line, &h.new_left) || !take(&s, BYTES(" @@")))
    return add_error(r, "not a line like \"@@ -1,2 +3,4 @@\"");
  while (h.old_left > 0 || h.new_left > 0) {
    if (!next_line(r, &line))
      return add_error(r, "the diff ends in the middle of a hunk");
    if (hunk_line(r, &h, line) < 0)
      return -1;
  }
  return 0;
}

static bool says_more(struct bytes line)
{
  static const char *const WORDS[] = {
      "rename from ", "rename to ",       "copy from ",   "copy to ",
      "old mode ",    "GIT binary patch", "Binary files "};
  for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
    if (bytes_starts(line, bytes_of(WORDS[i])))
      return true;
  return false;
}

static int read_all(struct reader *r)
{
  struct bytes line;
  int rc = 0;
  while (rc == 0 && next_line(r, &line)) {
    r->ret->renames |= says_more(line);
    if (take(&line, BYTES("--- ")) && bytes_starts(r->rest, BYTES("+++ ")))
      rc = read_file_names(r, line);
    else if (take(&line, BYTES("@@ -")))
      rc = read_hunk(r, line);
  }
  return rc;
}

int udiff_parse(struct udiff *ret, const char *name, struct bytes text,
                struct diag *diag)
{
  struct reader r = {ret, text, name, 0, diag};
  *ret = (struct udiff){0};
  int rc = read_all(&r);
  if (rc < 0)
    udiff_release(ret);
  return rc;
}

void udiff_release(struct udiff *d)
{
  for (int i = 0; i < d->n; i++) {
    free(d->file[i].path);
    free(d->file[i].run);
  }
  free(d->file);
  *d = (struct udiff){0};
}

bool udiff_meets(const struct udiff_file *f, bool old, int64_t first,
                 int64_t last)
{
  for (int i = 0; i < f->nruns; i++) {
    const struct udiff_run *run = &f->run[i];
    int64_t from = old ? run->old_first : run->new_first;
    int64_t to = old ? run->old_last : run->new_last;
    if (to < from) { /* a gap: the lines beside it */
      from--;
      to++;
    }
    if (from <= last && first <= to)
      return true;
  }
  return false;
}

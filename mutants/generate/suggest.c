#include "mutants/generate/suggest.h"

#include "mutants/generate/operator.h"

#include <stdlib.h>
#include <string.h>

/* More than a file of code has; a file of nothing else is none. */
enum { MAX_SUGGESTIONS = 20000, MAX_CONTEXT_LINES = 12 };

static const char *const LOGS[] = {"log*",   "print*",   "println",
                                   "logger", "console",  "warn",
                                   "debug",  "eprintln", NULL};

/* A statement that only logs is not worth a mutant. */
static bool only_logs(const struct source *s, size_t at)
{
  struct statement st;
  int low = 0, high = s->n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (s->token[middle].end <= at)
      low = middle + 1;
    else
      high = middle;
  }
  struct range r = shape_around(s, low);
  if (r.start >= r.end || !statement_at(s, r.start, &st))
    return false;
  struct range path = {st.tokens.start, st.tokens.start};
  while (path.end < st.tokens.end && !source_is(s, path.end, "("))
    path.end++;
  return statement_is_call(s, &st) && source_names(s, path, LOGS);
}

/* In order of place, so that the text is walked through once. */
static void number_lines(struct suggestions *s)
{
  size_t at = 0;
  int line = 1;
  for (int i = 0; i < s->n; i++) {
    for (; at < s->item[i].start; at++)
      line += s->source->text.p[at] == '\n';
    s->item[i].line = line;
  }
}

void suggest(struct suggestions *s, size_t start, size_t end,
             const char *format, ...)
{
  struct bytes text = s->source->text;
  struct buf with;
  va_list ap;
  buf_init(&with, SOURCE_MAX_BYTES * 4);
  va_start(ap, format);
  buf_vaddf(&with, format, ap);
  va_end(ap);
  bool same = bytes_equal((struct bytes){text.p + start, end - start},
                          buf_bytes(&with));
  if (same || s->n == MAX_SUGGESTIONS ||
      (!s->operator_->in_logs && only_logs(s->source, start))) {
    buf_release(&with);
    return;
  }
  if (s->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 64;
    s->item = mem_realloc(s->item, (size_t)s->cap * sizeof *s->item);
  }
  s->item[s->n++] = (struct suggestion){.operator_ = s->operator_,
                                        .start = start,
                                        .end = end,
                                        .with = mem_strdup(buf_str(&with))};
  buf_release(&with);
}

void suggest_range(struct suggestions *s, struct range r, const char *with)
{
  suggest(s, s->source->token[r.start].start, s->source->token[r.end - 1].end,
          "%s", with);
}

void suggest_token(struct suggestions *s, int token, const char *with)
{
  suggest_range(s, (struct range){token, token + 1}, with);
}

void suggest_removal(struct suggestions *s, const struct statement *st)
{
  suggest(s, st->start, st->end, "%s", s->source->lang->nothing);
}

void suggest_never(struct suggestions *s, struct range condition)
{
  const struct language *l = s->source->lang;
  struct bytes text = source_slice(s->source, condition);
  suggest(s, s->source->token[condition.start].start,
          s->source->token[condition.end - 1].end, "%s %s (%.*s)", l->no,
          l->id == LANGUAGE_PYTHON ? "and" : "&&", (int)text.n, text.p);
}

static int by_place(const void *a, const void *b)
{
  const struct suggestion *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  if (x->operator_ != y->operator_)
    return x->operator_ < y->operator_ ? -1 : 1;
  return strcmp(x->with, y->with);
}

static bool once(struct bytes text, size_t start, size_t end)
{
  struct bytes find = {text.p + start, end - start};
  if (bytes_find(text, find) != (ptrdiff_t)start)
    return false;
  return bytes_find((struct bytes){text.p + start + 1, text.n - start - 1},
                    find) < 0;
}

static size_t line_start(struct bytes t, size_t at)
{
  while (at > 0 && t.p[at - 1] != '\n')
    at--;
  return at;
}

static size_t line_end(struct bytes t, size_t at)
{
  while (at < t.n && t.p[at] != '\n')
    at++;
  return at;
}

/* The whole lines, without the blanks around them, and as many more before
 * and behind as it takes; false when that is too many. */
static bool widen(struct bytes t, size_t *start, size_t *end)
{
  size_t from = line_start(t, *start), to = line_end(t, *end);
  for (int more = 0; more < 2 * MAX_CONTEXT_LINES; more++) {
    size_t inner = from, last = to;
    while (inner < *start && (t.p[inner] == ' ' || t.p[inner] == '\t'))
      inner++;
    while (last > *end && strchr(" \t\r", t.p[last - 1]))
      last--;
    if (last > inner && once(t, inner, last)) {
      *start = inner;
      *end = last;
      return true;
    }
    if (more % 2 == 0 && from > 0)
      from = line_start(t, from - 1);
    else if (to < t.n)
      to = line_end(t, to + 1);
  }
  return false;
}

static bool write_edit(struct bytes t, struct suggestion *g)
{
  size_t start = g->start, end = g->end;
  if (!widen(t, &start, &end))
    return false;
  g->find = bytes_dup((struct bytes){t.p + start, end - start});
  g->replace = mem_format("%.*s%s%.*s", (int)(g->start - start), t.p + start,
                          g->with, (int)(end - g->end), t.p + g->end);
  return true;
}

static void release_one(struct suggestion *g)
{
  free(g->with);
  free(g->find);
  free(g->replace);
}

static bool same_change(const struct suggestion *a, const struct suggestion *b)
{
  return a->start == b->start && a->end == b->end &&
         strcmp(a->with, b->with) == 0;
}

void suggestions_finish(struct suggestions *s, int per_line)
{
  int kept = 0, in_line = 0;
  if (s->n > 0)
    qsort(s->item, (size_t)s->n, sizeof *s->item, by_place);
  number_lines(s);
  for (int i = 0; i < s->n; i++) {
    struct suggestion *g = &s->item[i];
    const struct suggestion *last = kept ? &s->item[kept - 1] : NULL;
    bool again = last && same_change(last, g);
    if (last && last->line != g->line)
      in_line = 0;
    if (again || in_line >= per_line || !write_edit(s->source->text, g)) {
      release_one(g);
      continue;
    }
    in_line++;
    s->item[kept++] = *g;
  }
  s->n = kept;
}

void suggestions_release(struct suggestions *s)
{
  for (int i = 0; i < s->n; i++)
    release_one(&s->item[i]);
  free(s->item);
  *s = (struct suggestions){0};
}

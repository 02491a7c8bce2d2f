#include "mutants/generate/entries.h"

#include "base/file.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An id becomes a file name, at most 255 bytes on Linux (limits.h, NAME_MAX),
 * with room for the operator, the line and an ending. */
enum { LONGEST_PATH_IN_ID = 120 };

static int check_text(const char *path, struct bytes text, struct diag *diag)
{
  int line = 1;
  for (size_t at = 0; at < text.n;) {
    struct bytes rest = {text.p + at, text.n - at};
    size_t n = bytes_utf8_length(rest);
    if (n == 0 || text.p[at] == '\0') {
      diag_set(diag,
               "byte %zu (0x%02x) is no UTF-8 text; a plan is JSON and could "
               "not hold what to find",
               at, (unsigned)(unsigned char)text.p[at]);
      diag_in_file(diag, path);
      diag->line = line;
      return -1;
    }
    line += text.p[at] == '\n';
    at += n;
  }
  return 0;
}

int entries_add(struct entries *e, const char *real, const char *path,
                const struct language *l, struct diag *diag)
{
  struct entry_file f = {.path = NULL};
  buf_init(&f.text, SOURCE_MAX_BYTES);
  if (file_read(real, &f.text, diag) < 0 ||
      check_text(path, buf_bytes(&f.text), diag) < 0) {
    buf_release(&f.text);
    return -1;
  }
  f.path = mem_strdup(path);
  e->file = mem_realloc(e->file, (size_t)(e->n + 1) * sizeof *e->file);
  source_init(&f.source, l, buf_bytes(&f.text));
  operators_run(&f.source, e->wanted, e->per_line, &f.found);
  f.found.source = NULL; /* the source moves with the array */
  e->file[e->n++] = f;
  return 0;
}

void entries_release(struct entries *e)
{
  for (int i = 0; i < e->n; i++) {
    suggestions_release(&e->file[i].found);
    source_release(&e->file[i].source);
    buf_release(&e->file[i].text);
    free(e->file[i].path);
  }
  free(e->file);
  *e = (struct entries){0};
}

/* One line of the plan to be. */
struct chosen {
  const struct entry_file *file;
  const struct suggestion *found;
  char *id;
  int place, twin; /* order; how many of the same id stand before it */
};

static int total(const struct entries *e)
{
  int n = 0;
  for (int i = 0; i < e->n; i++)
    n += e->file[i].found.n;
  return n;
}

int entries_count(const struct entries *e, const struct entries_frame *f)
{
  int n = total(e);
  return f->most > 0 && f->most < n ? (int)f->most : n;
}

/* "sleep-dropped-src-retry.py-12" */
static char *make_id(const struct entry_file *f, const struct suggestion *s)
{
  size_t n = strlen(f->path);
  const char *from =
      f->path + (n > LONGEST_PATH_IN_ID ? n - LONGEST_PATH_IN_ID : 0);
  char *id = mem_format("%s-%s-%d", s->operator_->id, from, s->line);
  for (char *p = id; *p; p++)
    if (*p == '/')
      *p = '-';
    else if (!isalnum((unsigned char)*p) && !strchr("-_.", *p))
      *p = '_';
  return id;
}

static int by_id(const void *a, const void *b)
{
  const struct chosen *const *x = a, *const *y = b;
  int order = strcmp((*x)->id, (*y)->id);
  return order ? order
               : ((*x)->place > (*y)->place) - ((*x)->place < (*y)->place);
}

static void number_twins(struct chosen *list, int n)
{
  struct chosen **sorted = mem_alloc((size_t)n * sizeof *sorted + 1);
  for (int i = 0; i < n; i++)
    sorted[i] = &list[i];
  if (n > 0)
    qsort(sorted, (size_t)n, sizeof *sorted, by_id);
  for (int i = 1; i < n; i++)
    if (strcmp(sorted[i]->id, sorted[i - 1]->id) == 0)
      sorted[i]->twin = sorted[i - 1]->twin + 1;
  free(sorted);
}

/* All suggestions, or `most` of them with the same steps between. */
static struct chosen *choose(const struct entries *e,
                             const struct entries_frame *f, int n)
{
  struct chosen *list = mem_zalloc((size_t)n * sizeof *list + 1);
  int64_t all = total(e), seen = 0;
  int kept = 0;
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < e->file[i].found.n; k++, seen++) {
      const struct suggestion *s = &e->file[i].found.item[k];
      if (kept == n || seen != kept * all / n)
        continue;
      list[kept] =
          (struct chosen){&e->file[i], s, make_id(&e->file[i], s), kept, 0};
      kept++;
    }
  assert(kept == n && entries_count(e, f) == n);
  number_twins(list, n);
  return list;
}

static void add_member(struct buf *ret, const char *key, const char *text)
{
  buf_addf(ret, "\"%s\": ", key);
  buf_add_json(ret, bytes_of(text));
}

static void print_mutant(const struct chosen *c, struct buf *ret)
{
  char *twin = c->twin ? mem_format(".%d", c->twin + 1) : mem_strdup("");
  char *id = mem_format("%s%s", c->id, twin);
  char *why =
      mem_format("suggestion, judge it before it gates: %s (%s:%d)",
                 c->found->operator_->why, c->file->path, c->found->line);
  buf_adds(ret, "    { ");
  add_member(ret, "id", id);
  buf_adds(ret, ",\n      ");
  add_member(ret, "why", why);
  buf_adds(ret, ",\n      ");
  add_member(ret, "operator", c->found->operator_->id);
  buf_adds(ret, ",\n      \"edits\": [ { ");
  add_member(ret, "file", c->file->path);
  buf_adds(ret, ",\n        ");
  add_member(ret, "find", c->found->find);
  buf_adds(ret, ",\n        ");
  add_member(ret, "with", c->found->replace);
  buf_adds(ret, " } ],\n      \"red\": [\"*\"] }");
  free(why);
  free(id);
  free(twin);
}

static const char *const TAKEN_OVER[] = {
    "skip", "build", "artifact", "suite", "canary", "controls", NULL};
/* Nobody must take it for a gate that passed. */
static const char NO_SUITE[] =
    "  \"suite\": { \"command\": [\"sh\", \"-c\", \"echo 'these mutants are "
    "suggestions; put your suite here' >&2; exit 70\"] },\n";

static void print_frame(const struct entries_frame *f, struct buf *ret)
{
  buf_adds(ret, "{ \"version\": 1,\n  ");
  add_member(ret, "tree", f->tree);
  buf_adds(ret, ",\n");
  if (!f->from)
    buf_adds(ret, NO_SUITE);
  for (const char *const *key = TAKEN_OVER; f->from && *key; key++) {
    const cJSON *node = json_member(f->from->root, *key);
    char *text = node ? cJSON_PrintUnformatted(node) : NULL;
    if (text)
      buf_addf(ret, "  \"%s\": %s,\n", *key, text);
    cJSON_free(text);
  }
}

void entries_print(const struct entries *e, const struct entries_frame *f,
                   struct buf *ret)
{
  int n = entries_count(e, f);
  struct chosen *list = choose(e, f, n);
  print_frame(f, ret);
  buf_adds(ret, "  \"mutants\": [");
  for (int i = 0; i < n; i++) {
    buf_adds(ret, i ? ",\n" : "\n");
    print_mutant(&list[i], ret);
    free(list[i].id);
  }
  buf_adds(ret, n ? " ] }\n" : "] }\n");
  free(list);
}

#include "mutants/declare.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One place of the text: `n` bytes at `at` become `with`. */
struct change_of_text {
  size_t at, n;
  char *with;
};

struct changes {
  struct change_of_text *item;
  int n;
};

static void changes_add(struct changes *c, size_t at, size_t n, char *with)
{
  c->item = mem_realloc(c->item, (size_t)(c->n + 1) * sizeof *c->item);
  c->item[c->n++] = (struct change_of_text){at, n, with};
}

static void changes_release(struct changes *c)
{
  for (int i = 0; i < c->n; i++)
    free(c->item[i].with);
  free(c->item);
}

static bool kills_another(const struct records *all, const struct record *r,
                          const char *name)
{
  for (int i = 0; i < all->n; i++)
    if (&all->item[i] != r && all->item[i].outcome == OUTCOME_CAUGHT &&
        record_killed_by(&all->item[i], name))
      return true;
  return false;
}

bool declare_tests(const struct records *all, const struct record *r,
                   struct texts *ret_red, struct texts *ret_green)
{
  if (!r->done || r->outcome != OUTCOME_CAUGHT)
    return false;
  for (int i = 0; i < r->tests.n; i++) {
    const struct test *t = &r->tests.item[i];
    if (t->noisy || texts_has(&all->canary, t->name))
      continue;
    if (record_killed_by(r, t->name))
      texts_add(ret_red, t->name);
    else if (t->verdict == VERDICT_GREEN && !t->skipped &&
             kills_another(all, r, t->name))
      texts_add(ret_green, t->name);
  }
  return ret_red->n > 0;
}

/* A name may hold what a glob reads as more than itself. */
static char *as_json(const struct texts *names)
{
  struct buf b;
  size_t width = 0;
  buf_init(&b, SIZE_MAX / 2);
  for (int i = 0; i < names->n; i++)
    width += strlen(names->item[i]) + 4;
  /* One a line when they do not fit into one. */
  const char *between = width > 60 ? ",\n        " : ", ";
  buf_adds(&b, width > 60 ? "[\n        " : "[");
  for (int i = 0; i < names->n; i++) {
    char *glob = glob_of_name(names->item[i]);
    buf_adds(&b, i ? between : "");
    buf_add_json(&b, bytes_of(glob));
    free(glob);
  }
  buf_adds(&b, "]");
  return buf_detach(&b);
}

/* Behind the last member of the object that ends at `end`. */
static size_t behind_last(const struct json_doc *doc, size_t end)
{
  size_t at = end - 1; /* the brace */
  while (at && (unsigned char)doc->text[at - 1] <= ' ')
    at--;
  return at;
}

static int declare_key(const struct jval *mutant, const char *key,
                       const struct texts *names, struct changes *ret,
                       struct buf *more, struct diag *diag)
{
  struct jval old;
  size_t at, n;
  bool there = jval_member(mutant, key, &old);
  if (!there && names->n == 0)
    return 0;
  char *list = as_json(names);
  if (!there) {
    buf_addf(more, ",\n      \"%s\": %s", key, list);
    free(list);
    return 0;
  }
  if (!json_span(&old, &at, &n)) {
    free(list);
    return jval_error(&old, diag, "cannot be found again");
  }
  changes_add(ret, at, n, list);
  return 0;
}

static int declare_mutant(const struct jval *mutant, const struct texts *red,
                          const struct texts *green, struct changes *ret,
                          struct diag *diag)
{
  struct buf more;
  size_t at, n;
  buf_init(&more, JSON_MAX_BYTES);
  int rc = declare_key(mutant, "red", red, ret, &more, diag);
  if (rc == 0)
    rc = declare_key(mutant, "green", green, ret, &more, diag);
  if (rc == 0 && more.n) {
    if (json_span(mutant, &at, &n))
      changes_add(ret, behind_last(mutant->doc, at + n), 0,
                  mem_strdup(buf_str(&more)));
    else
      rc = jval_error(mutant, diag, "cannot be found again");
  }
  buf_release(&more);
  return rc;
}

static int by_place(const void *a, const void *b)
{
  const struct change_of_text *x = a, *y = b;
  return (x->at > y->at) - (x->at < y->at);
}

static void apply(struct changes *c, struct bytes text, struct buf *ret)
{
  size_t done = 0;
  if (c->n)
    qsort(c->item, (size_t)c->n, sizeof *c->item, by_place);
  for (int i = 0; i < c->n; i++) {
    buf_addb(ret, (struct bytes){text.p + done, c->item[i].at - done});
    buf_adds(ret, c->item[i].with);
    done = c->item[i].at + c->item[i].n;
  }
  buf_addb(ret, (struct bytes){text.p + done, text.n - done});
}

static const struct record *record_of(const struct records *r, const char *id)
{
  for (int i = 0; i < r->n; i++)
    if (strcmp(r->item[i].id, id) == 0)
      return &r->item[i];
  return NULL;
}

int declare_text(const struct plan *p, struct bytes text,
                 const struct records *r, struct buf *ret, struct diag *diag)
{
  struct jval root = json_root(&p->doc), list;
  struct changes changes = {0};
  int rc = 0;
  if (text.n != p->doc.n || !jval_member(&root, "mutants", &list))
    return diag_set(diag, "the plan changed during the run");
  for (int i = 0; rc == 0 && i < p->nmutants; i++) {
    struct jval mutant = jval_item(&list, i);
    const struct record *record = record_of(r, p->mutants[i].id);
    struct texts red = {0}, green = {0};
    if (record && declare_tests(r, record, &red, &green))
      rc = declare_mutant(&mutant, &red, &green, &changes, diag);
    texts_release(&red);
    texts_release(&green);
  }
  if (rc == 0)
    apply(&changes, text, ret);
  changes_release(&changes);
  return rc;
}

static void print_list(const char *what, const struct texts *names)
{
  printf("  %s:", what);
  for (int i = 0; i < names->n; i++)
    printf("%s %s", i ? "," : "", names->item[i]);
  printf("%s\n", names->n ? "" : " none");
}

static int print_all(const struct records *r)
{
  int declared = 0;
  for (int i = 0; i < r->n; i++) {
    const struct record *record = &r->item[i];
    struct texts red = {0}, green = {0};
    if (declare_tests(r, record, &red, &green)) {
      printf("declared %s\n", record->id);
      print_list("red", &red);
      print_list("green", &green);
      declared++;
    } else {
      printf("left as it is: %s (%s%s%s)\n", record->id,
             outcome_word(record->outcome), *record->why ? ": " : "",
             record->why);
    }
    texts_release(&red);
    texts_release(&green);
  }
  return declared;
}

/* The result must be a plan again before it goes anywhere. */
static int check_result(const char *path, const struct buf *text,
                        struct diag *diag)
{
  struct plan again;
  int rc = text->full
               ? diag_set(diag, "the plan would be too large")
               : gate_plan_parse(&again, path, buf_bytes(text), true, diag);
  if (rc == 0)
    gate_plan_release(&again);
  return rc;
}

int declare_write(const struct gate *g, const struct records *r,
                  struct diag *diag)
{
  const char *plan = g->options->plan;
  struct buf text, changed;
  char *path =
      g->options->in_place ? mem_strdup(plan) : mem_format("%s.recorded", plan);
  buf_init(&text, JSON_MAX_BYTES);
  buf_init(&changed, JSON_MAX_BYTES);
  int rc = file_read(plan, &text, diag);
  if (rc == 0)
    rc = declare_text(&g->plan, buf_bytes(&text), r, &changed, diag);
  if (rc == 0)
    rc = check_result(path, &changed, diag);
  if (rc == 0)
    rc = file_write(path, buf_bytes(&changed), diag);
  if (rc == 0)
    printf("%d of %d mutants declared in %s: read it before you accept it\n",
           print_all(r), r->n, path);
  buf_release(&changed);
  buf_release(&text);
  free(path);
  return rc;
}

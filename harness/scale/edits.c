#include "harness/scale/edits.h"

#include <assert.h>
#include <string.h>

/* A document and what is added to it. */
#define MAX_TEXT (2 * JSON_MAX_BYTES)

void edits_add(struct edits *e, size_t at, size_t n, char *text)
{
  e->list = mem_realloc(e->list, (e->n + 1) * sizeof *e->list);
  e->list[e->n++] = (struct edit){at, n, text};
}

void edits_insert(struct edits *e, const struct jval *v, size_t at,
                  const char *key, char *value)
{
  assert(v->doc->text[at] == '{');
  edits_add(e, at + 1, 0,
            mem_format("\"%s\": %s%s", key, value, v->node->child ? ", " : ""));
  free(value);
}

static int by_place(const void *a, const void *b)
{
  const struct edit *x = a, *y = b;
  return (x->at > y->at) - (x->at < y->at);
}

char *edits_apply(struct edits *e, const struct json_doc *doc)
{
  struct buf out;
  size_t done = 0;
  buf_init(&out, MAX_TEXT);
  if (e->n)
    qsort(e->list, e->n, sizeof *e->list, by_place);
  for (size_t i = 0; i < e->n; i++) {
    const struct edit *x = &e->list[i];
    assert(x->at >= done && x->at + x->n <= doc->n);
    buf_add(&out, doc->text + done, x->at - done);
    buf_adds(&out, x->text);
    done = x->at + x->n;
  }
  buf_add(&out, doc->text + done, doc->n - done);
  return buf_detach(&out);
}

void edits_release(struct edits *e)
{
  for (size_t i = 0; i < e->n; i++)
    free(e->list[i].text);
  free(e->list);
  memset(e, 0, sizeof *e);
}

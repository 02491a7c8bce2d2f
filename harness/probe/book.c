#include "harness/probe/book.h"

#include "base/json.h"

#include <string.h>

#define MAX_SCENARIO ((size_t)4 << 20)

static struct trial *find(const struct book *b, const char *name)
{
  for (size_t i = 0; i < b->n; i++)
    if (strcmp(b->trials[i]->name, name) == 0)
      return b->trials[i];
  return NULL;
}

void book_release(struct book *b)
{
  for (size_t i = 0; i < b->n; i++) {
    sight_release(&b->trials[i]->sight);
    free(b->trials[i]->name);
    free(b->trials[i]->steps);
    free(b->trials[i]);
  }
  free(b->trials);
  b->trials = NULL;
  b->n = b->pending = 0;
}

static void note(struct book *b, const char *name, const struct trial_ask *ask)
{
  struct trial *t = mem_zalloc(sizeof *t);
  b->trials = mem_realloc(b->trials, (b->n + 1) * sizeof(struct trial *));
  b->trials[b->n++] = t;
  b->pending++;
  t->name = mem_strdup(name);
  t->steps = ask->steps;
  t->ask = *ask;
  if (t->ask.limit_s <= 0 || t->ask.limit_s > b->limit_s)
    t->ask.limit_s = b->limit_s;
  if (t->ask.starts < 1)
    t->ask.starts = 1;
}

const struct sight *book_want(struct book *b, const char *name,
                              const struct trial_ask *ask)
{
  struct trial *t = find(b, name);
  if (!t) {
    note(b, name, ask);
    return NULL;
  }
  free(ask->steps);
  return t->done ? &t->sight : NULL;
}

const struct sight *book_find(const struct book *b, const char *name)
{
  const struct trial *t = find(b, name);
  return t && t->done ? &t->sight : NULL;
}

char *book_scenario(const struct book *b, const struct trial *t)
{
  struct buf out;
  buf_init(&out, MAX_SCENARIO);
  buf_adds(&out, "{\"name\":");
  buf_add_json(&out, bytes_of(t->name));
  buf_addf(&out,
           ",\"why\":\"measured by faultwire probe\",\"steps\":%s,"
           "\"client\":{\"limit_s\":%.3f,\"stream\":%s,\"starts\":%d,"
           "\"pause_s\":%.3f",
           t->steps, t->ask.limit_s, b->face.stream ? "true" : "false",
           t->ask.starts, t->ask.pause_s);
  for (int i = 0; i < t->ask.lanes; i++)
    buf_addf(&out, "%s\"copy-%d\"%s", i ? "," : ",\"lanes\":[", i + 1,
             i + 1 == t->ask.lanes ? "]" : "");
  if (b->face.command)
    buf_adds(&out, ",\"channel\":\"command\"");
  if (t->ask.shared_state)
    buf_adds(&out, ",\"env\":{\"XDG_STATE_HOME\":\"{SHARED}\"}");
  buf_adds(&out, "}}");
  return buf_detach(&out);
}

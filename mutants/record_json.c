#include "mutants/record.h"

#include "mutants/tally.h"

static void add_member(struct buf *ret, const char *key, const char *text)
{
  buf_addf(ret, "\"%s\": ", key);
  buf_add_json(ret, bytes_of(text));
}

static void add_test(struct buf *ret, const struct test *t)
{
  buf_add_json(ret, bytes_of(t->name));
  buf_addf(ret, ": {\"verdict\": \"%s\", ", verdict_word(t->verdict));
  if (t->kind)
    buf_addf(ret, "\"kind\": \"%s\", ", kind_word(t->kind));
  if (*t->why) {
    add_member(ret, "why", t->why);
    buf_adds(ret, ", ");
  }
  if (t->noisy)
    buf_adds(ret, "\"flickers\": true, ");
  buf_addf(ret, "\"ms\": %lld}", (long long)t->ms);
}

static void add_tests(struct buf *ret, const struct verdicts *v)
{
  buf_adds(ret, "{");
  for (int i = 0; i < v->n; i++) {
    buf_adds(ret, i ? ",\n    " : "\n    ");
    add_test(ret, &v->item[i]);
  }
  buf_adds(ret, "}");
}

static void add_kinds(struct buf *ret, int kinds)
{
  const char *comma = "";
  buf_adds(ret, "\"kinds\": [");
  for (int k = KIND_NONE + 1; k < KIND_COUNT; k++)
    if ((unsigned)kinds & KIND_BIT(k)) {
      buf_addf(ret, "%s\"%s\"", comma, kind_word((enum kind)k));
      comma = ", ";
    }
  buf_adds(ret, "], ");
}

static void add_texts(struct buf *ret, const struct texts *t)
{
  buf_adds(ret, "[");
  for (int i = 0; i < t->n; i++) {
    buf_adds(ret, i ? ", " : "");
    buf_add_json(ret, bytes_of(t->item[i]));
  }
  buf_adds(ret, "]");
}

void record_to_json(const struct record *r, struct buf *ret)
{
  buf_adds(ret, "{");
  add_member(ret, "id", r->id);
  buf_addf(ret, ", \"outcome\": \"%s\", ", outcome_word(r->outcome));
  add_member(ret, "why", r->why);
  buf_adds(ret, ", ");
  add_member(ret, "operator", r->operator_);
  buf_adds(ret, ", ");
  add_member(ret, "motive", r->motive);
  buf_adds(ret, ", ");
  add_member(ret, "place", r->place);
  buf_addf(ret, ", \"build_ms\": %lld, \"suite_ms\": %lld, ",
           (long long)r->build_ms, (long long)r->suite_ms);
  add_kinds(ret, r->kinds);
  buf_adds(ret, "\"red\": ");
  add_texts(ret, &r->red);
  buf_adds(ret, ", \"green\": ");
  add_texts(ret, &r->green);
  buf_adds(ret, ", ");
  buf_addf(ret, "\"kills\": %d, \"tests\": ", record_kills(r));
  add_tests(ret, &r->tests);
  buf_adds(ret, "}");
}

struct groups {
  struct buf *ret;
  int n;
};

static void add_group(void *ctx, const struct texts *ids)
{
  struct groups *g = ctx;
  buf_adds(g->ret, g->n++ ? ", " : "");
  add_texts(g->ret, ids);
}

static void add_analysis(struct buf *ret, const struct records *r)
{
  struct texts idle = {0}, smallest = {0};
  struct groups groups = {ret, 0};
  tally_idle_tests(r, &idle);
  tally_minimal_set(r, &smallest);
  buf_adds(ret, " \"kills_nothing\": ");
  add_texts(ret, &idle);
  buf_adds(ret, ",\n \"minimal_set\": ");
  add_texts(ret, &smallest);
  buf_adds(ret, ",\n \"same_signature\": [");
  tally_same_signature(r, add_group, &groups);
  buf_adds(ret, "],\n");
  texts_release(&idle);
  texts_release(&smallest);
}

static void add_unique(struct buf *ret, const struct records *r)
{
  bool *killed = tally_kills(r);
  int n = 0;
  buf_adds(ret, " \"unique_kills\": {");
  for (int m = 0; m < r->n; m++) {
    int last = -1, kills = 0;
    for (int t = 0; t < r->tests.n; t++)
      if (killed[m * r->tests.n + t]) {
        last = t;
        kills++;
      }
    if (kills != 1)
      continue;
    buf_adds(ret, n++ ? ", " : "");
    add_member(ret, r->item[m].id, r->tests.item[last].name);
  }
  buf_adds(ret, "},\n");
  free(killed);
}

void records_to_json(const struct records *r, struct buf *ret)
{
  buf_addf(ret, "{\"faultwire\": \"%s\",\n \"counts\": {", FAULTWIRE_VERSION);
  for (int o = 0; o < OUTCOME_COUNT; o++)
    buf_addf(ret, "%s\"%s\": %d", o ? ", " : "", outcome_word((enum outcome)o),
             tally_count(r, (enum outcome)o));
  buf_addf(ret, "},\n \"ms\": %lld,\n ", (long long)r->ms);
  add_member(ret, "problem", r->problem);
  buf_adds(ret, ",\n ");
  add_member(ret, "plan", r->plan ? r->plan : "");
  buf_addf(ret, ", \"plan_mutants\": %lld", (long long)r->plan_mutants);
  buf_adds(ret, ",\n");
  add_analysis(ret, r);
  add_unique(ret, r);
  buf_adds(ret, " \"canary\": ");
  add_texts(ret, &r->canary);
  buf_adds(ret, ",\n \"tests\": ");
  add_tests(ret, &r->tests);
  buf_adds(ret, ",\n \"results\": [");
  for (int i = 0; i < r->n; i++) {
    buf_adds(ret, i ? ",\n  " : "\n  ");
    record_to_json(&r->item[i], ret);
  }
  buf_adds(ret, "]}\n");
}

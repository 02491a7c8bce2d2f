#include "mockserver/retry_test.h"

#include "base/json.h"
#include "base/words.h"
#include "mockserver/endpoint.h"
#include "mockserver/force.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* Tests clean up behind them; these are ceilings for those that do not. */
enum { MAX_TESTS = 1000, MAX_FAILURES = 10000, ID_DIGITS = 32 };

/* One operation and its failures; `at`: the next one. */
struct operation {
  struct operation *next;
  char *name;
  char **failures;
  size_t n, at;
};

struct retry_test {
  struct retry_test *next;
  char id[ID_DIGITS + 1];
  struct operation *operations;
  size_t total, delivered, lost;
};

/* A failure on its way. The attempt is never looked into, only told apart. */
struct taken_failure {
  struct taken_failure *next;
  const struct attempt *attempt;
  char id[ID_DIGITS + 1];
};

struct retry_tests {
  struct retry_test *list;
  size_t n;
  uint64_t made;
  struct taken_failure *taken;
};

static void test_free(struct retry_test *t)
{
  while (t->operations) {
    struct operation *o = t->operations;
    t->operations = o->next;
    for (size_t i = 0; i < o->n; i++)
      free(o->failures[i]);
    free(o->failures);
    free(o->name);
    free(o);
  }
  free(t);
}

struct retry_tests *retry_tests_new(void)
{
  return mem_zalloc(sizeof(struct retry_tests));
}

void retry_tests_free(struct retry_tests *r)
{
  if (!r)
    return;
  while (r->list)
    retry_tests_remove(r, r->list);
  while (r->taken) {
    struct taken_failure *f = r->taken;
    r->taken = f->next;
    free(f);
  }
  free(r);
}

/* ---- operations ---- */

/* Generation calls by the names the vendors' own libraries have for them. */
static const struct {
  const char *name, *provider; /* NULL: any */
} calls[] = {{"generate", NULL},
             {"messages.create", "anthropic"},
             {"chat.completions.create", "openai"},
             {"responses.create", "openai-responses"},
             {"models.generateContent", "gemini"}};
enum { CALLS = sizeof calls / sizeof *calls, MAX_NAMES = 256 };

static bool is_call(const struct call *c, const char *name)
{
  if (c->endpoint != ENDPOINT_GENERATE) {
    const char *endpoint = endpoint_name(c);
    return endpoint && strcmp(endpoint, name) == 0;
  }
  for (size_t i = 0; i < CALLS; i++)
    if (strcmp(calls[i].name, name) == 0)
      return !calls[i].provider ||
             (c->provider && strcmp(calls[i].provider, c->provider->name) == 0);
  return false;
}

static int check_name(const struct jval *v, struct diag *diag)
{
  const char *known[MAX_NAMES + 1];
  char hint[1024];
  size_t n = 0;
  for (; n < CALLS; n++)
    known[n] = calls[n].name;
  for (const char *const *e = endpoint_names(); *e && n < MAX_NAMES; e++)
    known[n++] = *e;
  known[n] = NULL;
  if (words_has(known, v->key))
    return 0;
  words_hint(v->key, known, hint, sizeof hint);
  return jval_key_error(v, diag, "no operation is called '%s'%s", v->key, hint);
}

/* ---- reading ---- */

/* Whether all providers can be made to fail so is asked of the first one:
 * names of errors differ, forms do not. */
static int check_failure(struct force *f, const struct jval *v,
                         struct diag *diag)
{
  const char *text = NULL;
  struct act *ignored;
  struct diag why = {0};
  if (jval_string(v, &text, diag) < 0)
    return -1;
  if (force_wish(f, providers[0], bytes_of(text), &ignored, &why) < 0)
    return jval_error(v, diag, "%s", why.text);
  return 0;
}

static int read_failures(struct operation *o, struct force *f,
                         const struct jval *v, struct diag *diag)
{
  int i = 0, n = jval_count(v);
  if (jval_array(v, diag) < 0)
    return -1;
  if (n == 0 || n > MAX_FAILURES)
    return jval_error(v, diag, "needs 1 to %d failures", MAX_FAILURES);
  o->failures = mem_zalloc((size_t)n * sizeof *o->failures);
  for (const cJSON *c = v->node->child; c; c = c->next, i++) {
    struct jval item = {v->doc, c, v, NULL, i};
    if (check_failure(f, &item, diag) < 0)
      return -1;
    o->failures[o->n++] = mem_strdup(c->valuestring);
  }
  return 0;
}

static int read_operations(struct retry_test *t, struct force *f,
                           const struct jval *v, struct diag *diag)
{
  int i = 0;
  struct operation **end = &t->operations;
  if (jval_object(v, diag) < 0)
    return -1;
  if (!v->node->child)
    return jval_error(v, diag, "is not defined: it names no operation");
  for (const cJSON *c = v->node->child; c; c = c->next, i++) {
    struct jval item = {v->doc, c, v, c->string, i};
    struct operation *o = *end = mem_zalloc(sizeof *o);
    end = &o->next;
    o->name = mem_strdup(c->string);
    if (check_name(&item, diag) < 0 || read_failures(o, f, &item, diag) < 0)
      return -1;
    t->total += o->n;
  }
  return 0;
}

static int check_transport(const struct jval *body, struct diag *diag)
{
  struct jval v;
  const char *word = NULL;
  if (!jval_member(body, "transport", &v))
    return 0;
  if (jval_string(&v, &word, diag) < 0)
    return -1;
  if (strcasecmp(word, "HTTP") == 0)
    return 0;
  return jval_error(&v, diag, "must be \"HTTP\": no other is served here");
}

static int read_test(struct retry_test *t, struct force *f,
                     const struct jval *body, struct diag *diag)
{
  static const char *const known[] = {"instructions", "transport", NULL};
  struct jval v;
  if (jval_object(body, diag) < 0 || jval_known_keys(body, known, diag) < 0 ||
      check_transport(body, diag) < 0)
    return -1;
  if (!jval_member(body, "instructions", &v))
    return jval_error(body, diag, "instructions is not defined");
  return read_operations(t, f, &v, diag);
}

/* 32 digits as there; the same ones in every run, unlike there. */
static void name_test(struct retry_test *t, uint64_t number)
{
  char text[32];
  snprintf(text, sizeof text, "retry-test %" PRIu64, number);
  uint64_t high = bytes_hash(bytes_of(text));
  uint64_t low = bytes_hash((struct bytes){text + 1, strlen(text) - 1});
  snprintf(t->id, sizeof t->id, "%016" PRIx64 "%016" PRIx64, high, low);
}

const struct retry_test *retry_tests_add(struct retry_tests *r, struct force *f,
                                         const struct jval *body,
                                         struct diag *diag)
{
  struct retry_test *t = mem_zalloc(sizeof *t), **end = &r->list;
  int rc = r->n < MAX_TESTS
               ? read_test(t, f, body, diag)
               : diag_set(diag, "%zu retry tests are there already", r->n);
  if (rc < 0) {
    test_free(t);
    return NULL;
  }
  name_test(t, ++r->made);
  while (*end)
    end = &(*end)->next;
  *end = t;
  r->n++;
  return t;
}

/* ---- using ---- */

struct retry_test *retry_tests_find(const struct retry_tests *r,
                                    struct bytes id)
{
  for (struct retry_test *t = r->list; t; t = t->next)
    if (bytes_equal(bytes_of(t->id), id))
      return t;
  return NULL;
}

void retry_tests_remove(struct retry_tests *r, struct retry_test *t)
{
  for (struct retry_test **at = &r->list; *at; at = &(*at)->next)
    if (*at == t) {
      *at = t->next;
      r->n--;
      test_free(t);
      return;
    }
}

const char *retry_test_take(struct retry_tests *r, struct retry_test *t,
                            const struct call *c, const struct attempt *a)
{
  struct operation *o = t->operations;
  while (o && (o->at == o->n || !is_call(c, o->name)))
    o = o->next;
  if (!o)
    return NULL;
  struct taken_failure *f = mem_zalloc(sizeof *f);
  *f = (struct taken_failure){.next = r->taken, .attempt = a};
  memcpy(f->id, t->id, sizeof f->id);
  r->taken = f;
  return o->failures[o->at++];
}

void retry_tests_ended(struct retry_tests *r, const struct attempt *a)
{
  struct taken_failure **at = &r->taken;
  while (*at && (*at)->attempt != a)
    at = &(*at)->next;
  struct taken_failure *f = *at;
  if (!f)
    return;
  struct retry_test *t = retry_tests_find(r, bytes_of(f->id));
  if (t && a->delivered)
    t->delivered++;
  else if (t)
    t->lost++;
  *at = f->next;
  free(f);
}

static bool is_completed(const struct retry_test *t)
{
  return t->delivered == t->total;
}

size_t retry_tests_open(const struct retry_tests *r)
{
  size_t n = 0;
  for (const struct retry_test *t = r->list; t; t = t->next)
    n += !is_completed(t);
  return n;
}

/* ---- showing ---- */

void retry_test_json(const struct retry_test *t, struct buf *ret)
{
  buf_addf(ret, "{\"id\":\"%s\",\"instructions\":{", t->id);
  for (const struct operation *o = t->operations; o; o = o->next) {
    buf_add_json(ret, bytes_of(o->name));
    buf_adds(ret, ":[");
    for (size_t i = o->at; i < o->n; i++) {
      buf_adds(ret, i > o->at ? "," : "");
      buf_add_json(ret, bytes_of(o->failures[i]));
    }
    buf_adds(ret, o->next ? "]," : "]");
  }
  buf_addf(ret, "},\"completed\":%s,\"transport\":\"HTTP\"",
           is_completed(t) ? "true" : "false");
  if (t->lost)
    buf_addf(ret, ",\"undelivered\":%zu", t->lost);
  buf_addc(ret, '}');
}

void retry_tests_json(const struct retry_tests *r, struct buf *ret)
{
  buf_adds(ret, "{\"retry_test\":[");
  for (const struct retry_test *t = r->list; t; t = t->next) {
    retry_test_json(t, ret);
    buf_adds(ret, t->next ? "," : "");
  }
  buf_adds(ret, "]}");
}

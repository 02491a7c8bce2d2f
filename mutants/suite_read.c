#include "mutants/suite_read.h"

#include "base/json.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

/* A day; a longer test is a broken number. */
#define MAX_SECONDS 86400.0

static int read_text(const struct jval *v, const char *key, const char **ret,
                     struct diag *diag)
{
  struct jval member;
  *ret = "";
  if (!jval_member(v, key, &member) || cJSON_IsNull(member.node))
    return 0;
  return jval_string(&member, ret, diag);
}

static int read_ms(const struct jval *v, int64_t *ret, struct diag *diag)
{
  struct jval member;
  double seconds = 0;
  if (jval_member(v, "seconds", &member) &&
      jval_number(&member, 0, MAX_SECONDS, &seconds, diag) < 0)
    return -1;
  *ret = (int64_t)llround(seconds * 1000);
  return 0;
}

static int read_kind(const struct jval *v, enum kind *ret, struct diag *diag)
{
  const char *word;
  if (read_text(v, "kind", &word, diag) < 0)
    return -1;
  *ret = strcmp(word, "none") == 0 ? KIND_NONE : kind_from_word(word);
  return *ret == KIND_COUNT ? jval_error(v, diag, "unknown kind '%s'", word)
                            : 0;
}

/* No request, a fault that was never sent, or a check that found nothing to
 * judge (an inconclusive assertion) is a fact about this test; any other
 * failure to judge is one about the suite. */
static enum verdict not_judged(const char *word, enum kind k)
{
  bool of_the_test = k == KIND_NO_CONTACT || k == KIND_NOT_DELIVERED ||
                     (k == KIND_ASSERT && strcmp(word, "inconclusive") == 0);
  return of_the_test ? VERDICT_UNDECIDED : VERDICT_ERROR;
}

static int verdict_of(const char *word, struct test *t)
{
  if (strcmp(word, "pass") == 0 || strcmp(word, "warn") == 0 ||
      strcmp(word, "skip") == 0 || strcmp(word, "green") == 0)
    t->verdict = VERDICT_GREEN;
  else if (strcmp(word, "fail") == 0 || strcmp(word, "red") == 0)
    t->verdict = VERDICT_RED;
  else if (strcmp(word, "inconclusive") == 0 || strcmp(word, "error") == 0)
    t->verdict = not_judged(word, t->kind);
  else
    return -1;
  t->skipped = strcmp(word, "skip") == 0;
  return 0;
}

/* `reason` is what happened, `why` what the scenario is for. */
static int read_reason(const struct jval *v, const char **ret,
                       struct diag *diag)
{
  if (read_text(v, "reason", ret, diag) < 0)
    return -1;
  return **ret ? 0 : read_text(v, "why", ret, diag);
}

static int read_test(const struct jval *v, const char *name,
                     struct verdicts *ret, struct diag *diag)
{
  const char *why, *word;
  struct test t = {0};
  if (jval_object(v, diag) < 0 || read_reason(v, &why, diag) < 0 ||
      read_text(v, "verdict", &word, diag) < 0 ||
      read_kind(v, &t.kind, diag) < 0 || read_ms(v, &t.ms, diag) < 0)
    return -1;
  if (verdicts_find(ret, name))
    return jval_error(v, diag, "two tests are called '%s'", name);
  if (verdict_of(word, &t) < 0)
    return jval_error(v, diag, "unknown verdict '%s'", word);
  /* A red without a kind is the plain case: an assertion failed. */
  if (t.verdict == VERDICT_RED && t.kind == KIND_NONE)
    t.kind = KIND_ASSERT;
  if (t.verdict == VERDICT_GREEN)
    t.kind = KIND_NONE;
  struct test *added = verdicts_add(ret, name, why);
  added->verdict = t.verdict;
  added->kind = t.kind;
  added->skipped = t.skipped;
  added->ms = t.ms;
  return 0;
}

static int contradiction(int exit_code, const struct verdicts *v,
                         struct diag *diag)
{
  return diag_set(diag,
                  "exit %d contradicts the verdicts: %d green, %d red, "
                  "%d undecided, %d error",
                  exit_code, verdicts_count(v, VERDICT_GREEN),
                  verdicts_count(v, VERDICT_RED),
                  verdicts_count(v, VERDICT_UNDECIDED),
                  verdicts_count(v, VERDICT_ERROR));
}

/* `unjudged` is the exit code for "could not judge some of it". */
static int check_exit(int exit_code, int unjudged, const struct verdicts *v,
                      struct diag *diag)
{
  bool red = verdicts_count(v, VERDICT_RED) > 0;
  bool open = verdicts_count(v, VERDICT_UNDECIDED) > 0 ||
              verdicts_count(v, VERDICT_ERROR) > 0;
  if (v->n == 0)
    return diag_set(diag, "the suite has no tests");
  if (exit_code == (red ? 1 : 0) && !(open && !red && unjudged == 3))
    return 0;
  if (open && exit_code == unjudged)
    return 0;
  return contradiction(exit_code, v, diag);
}

static int read_scenarios(const struct jval *root, struct verdicts *ret,
                          struct diag *diag)
{
  struct jval list;
  if (!jval_member(root, "scenarios", &list))
    return jval_error(root, diag, "the report has no 'scenarios'");
  if (jval_array(&list, diag) < 0)
    return -1;
  int n = jval_count(&list);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    const char *name;
    if (read_text(&item, "name", &name, diag) < 0)
      return -1;
    if (*name == '\0')
      return jval_error(&item, diag, "a scenario without a name");
    if (read_test(&item, name, ret, diag) < 0)
      return -1;
  }
  return 0;
}

/* A report with another exit code inside was left by another run. */
static int check_own_exit(const struct jval *root, int exit_code,
                          struct diag *diag)
{
  struct jval v;
  int64_t told;
  if (!jval_member(root, "exit", &v))
    return 0;
  if (jval_int(&v, 0, 255, &told, diag) < 0)
    return -1;
  return told == exit_code
             ? 0
             : jval_error(&v, diag, "the report says exit %lld, it was %d",
                          (long long)told, exit_code);
}

int suite_read_faultwire(struct bytes report, int exit_code,
                         struct verdicts *ret, struct diag *diag)
{
  struct json_doc doc;
  if (json_parse(&doc, "report", report, diag) < 0)
    return -1;
  struct jval root = json_root(&doc);
  int rc = read_scenarios(&root, ret, diag);
  if (rc == 0)
    rc = check_own_exit(&root, exit_code, diag);
  if (rc == 0)
    rc = check_exit(exit_code, 3, ret, diag);
  json_release(&doc);
  return rc;
}

/* The object that is the last output: the longest tail, beginning with a
 * line that starts with '{', that is one JSON document. */
static int parse_last_object(struct bytes output, struct json_doc *ret,
                             struct diag *diag)
{
  /* A log line may start with '{' too, but not this often. */
  enum { MAX_TRIES = 1000 };
  int tries = 0;
  for (size_t i = 0; i < output.n && tries < MAX_TRIES; i++) {
    struct diag ignored = {0};
    struct bytes tail = {output.p + i, output.n - i};
    if (output.p[i] != '{' || (i && output.p[i - 1] != '\n'))
      continue;
    tries++;
    if (json_parse(ret, "output", tail, &ignored) == 0)
      return 0;
  }
  return diag_set(diag, "the suite printed no verdicts");
}

static int read_tests(const struct jval *root, struct verdicts *ret,
                      struct diag *diag)
{
  struct jval tests;
  if (!jval_member(root, "tests", &tests))
    return jval_error(root, diag, "the output has no 'tests'");
  if (jval_object(&tests, diag) < 0)
    return -1;
  int n = jval_count(&tests);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&tests, i);
    if (*item.key == '\0')
      return jval_error(&item, diag, "a test without a name");
    if (read_test(&item, item.key, ret, diag) < 0)
      return -1;
  }
  return 0;
}

int suite_read_command(struct bytes output, int exit_code, struct verdicts *ret,
                       struct diag *diag)
{
  struct json_doc doc;
  if (parse_last_object(output, &doc, diag) < 0)
    return -1;
  struct jval root = json_root(&doc);
  int rc = read_tests(&root, ret, diag);
  if (rc == 0)
    rc = check_exit(exit_code, 70, ret, diag);
  json_release(&doc);
  return rc;
}

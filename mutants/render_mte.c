/*
 * mutation-testing-elements, report schema 2 (stryker-mutator,
 * packages/report-schema). A mutant has one file and one place there; one
 * that changes no file stands in a file made of such mutants' words.
 */
#include "mutants/render.h"

#include "mutants/render_change.h"

#include <stdlib.h>
#include <string.h>

/* The words of the schema. What came to no verdict is RuntimeError, which
 * its score leaves out: Stryker counts Timeout as detected, and a suite over
 * its limit has detected nothing. */
static const char *const STATUS[OUTCOME_COUNT] = {
    [OUTCOME_CAUGHT] = "Killed",
    [OUTCOME_EQUIVALENT] = "Ignored",
    [OUTCOME_MISSED] = "Survived",
    [OUTCOME_WEAK] = "Survived",
    [OUTCOME_STALE_EQUIVALENT] = "RuntimeError",
    [OUTCOME_OVERKILL] = "RuntimeError",
    [OUTCOME_TIMEOUT] = "RuntimeError",
    [OUTCOME_FLAKY] = "RuntimeError",
    [OUTCOME_HARNESS_ERROR] = "RuntimeError",
    [OUTCOME_NOT_APPLIED] = "CompileError",
    [OUTCOME_UNVIABLE] = "CompileError",
    [OUTCOME_IDENTICAL] = "Ignored"};

/* The words of PrismJS for the colours of a source. */
static const char *language_of(const char *file)
{
  static const char *const words[][2] = {{"c", "c"},
                                         {"h", "c"},
                                         {"py", "python"},
                                         {"js", "javascript"},
                                         {"mjs", "javascript"},
                                         {"ts", "typescript"},
                                         {"go", "go"},
                                         {"java", "java"},
                                         {"rs", "rust"},
                                         {"sh", "bash"},
                                         {"json", "json"}};
  const char *dot = strrchr(file, '.');
  for (size_t i = 0; dot && i < sizeof words / sizeof words[0]; i++)
    if (strcmp(dot + 1, words[i][0]) == 0)
      return words[i][1];
  return "text";
}

static void add_member(struct buf *ret, const char *key, struct bytes text)
{
  buf_addf(ret, "\"%s\": ", key);
  buf_add_json(ret, text);
}

static bool reached(const struct test *t)
{
  return t->verdict != VERDICT_UNDECIDED && !t->skipped &&
         t->kind != KIND_NO_CONTACT && t->kind != KIND_NOT_DELIVERED;
}

/* Names of the tests that killed it, or that saw it at all. */
static int add_tests(const struct record *r, bool killers, struct buf *ret)
{
  int n = 0;
  buf_addf(ret, "\"%s\": [", killers ? "killedBy" : "coveredBy");
  for (int i = 0; i < r->tests.n; i++) {
    const struct test *t = &r->tests.item[i];
    if (killers ? !record_killed_by(r, t->name) : !reached(t))
      continue;
    buf_adds(ret, n++ ? ", " : "");
    buf_add_json(ret, bytes_of(t->name));
  }
  buf_adds(ret, "], ");
  return n;
}

/* Letters of the last line of `text`, which ends with \n. */
static int64_t last_column(struct bytes text)
{
  int64_t n = 0;
  if (text.n > 0)
    text.n--;
  for (size_t i = text.n; i > 0 && text.p[i - 1] != '\n'; i--)
    n += ((unsigned char)text.p[i - 1] & 0xc0) != 0x80;
  return n;
}

/* End is behind the last letter; of added lines, the place in front. */
static void add_location(const struct change *c, int64_t line, struct buf *ret)
{
  int64_t first = c->file ? c->first : line;
  bool removed = c->file && c->last >= c->first;
  first = first < 1 ? 1 : first;
  buf_addf(ret,
           "\"location\": {\"start\": {\"line\": %lld, \"column\": 1}, "
           "\"end\": {\"line\": %lld, \"column\": %lld}}, ",
           (long long)first, (long long)(removed ? c->last : first),
           (long long)(removed ? last_column(buf_bytes(&c->before)) + 1 : 1));
}

static void add_mutant(const struct record *r, const struct change *c,
                       int64_t line, struct buf *ret)
{
  struct bytes after = buf_bytes(&c->after);
  const char *status = STATUS[r->outcome];
  if (after.n > 0)
    after.n--; /* the line end stays */
  if (r->outcome == OUTCOME_MISSED && r->tests.n == 0)
    status = "NoCoverage";
  buf_adds(ret, "{");
  add_member(ret, "id", bytes_of(r->id));
  buf_adds(ret, ", ");
  add_member(ret, "mutatorName",
             bytes_of(*r->operator_ ? r->operator_ : r->id));
  buf_adds(ret, ", ");
  add_member(ret, "description", bytes_of(r->motive));
  buf_adds(ret, ", ");
  add_member(ret, "replacement", after);
  buf_adds(ret, ", ");
  add_location(c, line, ret);
  add_tests(r, true, ret);
  add_tests(r, false, ret);
  buf_addf(ret,
           "\"testsCompleted\": %d, \"duration\": %lld, \"status\": \"%s\", ",
           r->tests.n, (long long)r->suite_ms, status);
  char *reason = mem_format("%s: %s", outcome_word(r->outcome), r->why);
  add_member(ret, "statusReason", bytes_of(reason));
  buf_adds(ret, "}");
  free(reason);
}

/* For mutants without a file. */
static const char NO_FILE[] = "(without a file)";

static const char *file_of(const struct change *c)
{
  return c->file ? c->file : NO_FILE;
}

static void add_words(const struct records *r, const struct change *c,
                      struct buf *ret)
{
  for (int i = 0; i < r->n; i++)
    if (!c[i].file) {
      const char *text = r->item[i].diff ? r->item[i].diff : "";
      buf_addf(ret, "%s: %.*s\n", r->item[i].id, (int)strcspn(text, "\n"),
               text);
    }
}

static void add_file(const struct records *r, const struct change *c, int first,
                     struct buf *ret)
{
  const char *file = file_of(&c[first]);
  int64_t line = 0;
  int n = 0;
  struct buf source;
  buf_init(&source, SIZE_MAX / 2);
  if (c[first].file)
    change_source(r, file, &source);
  else
    add_words(r, c, &source);
  buf_add_json(ret, bytes_of(file));
  buf_addf(ret, ": {\"language\": \"%s\", ", language_of(file));
  add_member(ret, "source", buf_bytes(&source));
  buf_adds(ret, ", \"mutants\": [");
  for (int i = 0; i < r->n; i++)
    if (strcmp(file_of(&c[i]), file) == 0) {
      buf_adds(ret, n++ ? ",\n   " : "\n   ");
      add_mutant(&r->item[i], &c[i], ++line, ret);
    }
  buf_adds(ret, "]}");
  buf_release(&source);
}

static void add_files(const struct records *r, const struct change *c,
                      struct buf *ret)
{
  int n = 0;
  buf_adds(ret, " \"files\": {");
  for (int i = 0; i < r->n; i++) {
    bool again = false;
    for (int k = 0; k < i && !again; k++)
      again = strcmp(file_of(&c[k]), file_of(&c[i])) == 0;
    if (again)
      continue;
    buf_adds(ret, n++ ? ",\n  " : "\n  ");
    add_file(r, c, i, ret);
  }
  buf_adds(ret, "},\n");
}

static void add_suite(const struct records *r, struct buf *ret)
{
  buf_adds(ret, " \"testFiles\": {\"suite\": {\"tests\": [");
  for (int i = 0; i < r->tests.n; i++) {
    buf_adds(ret, i ? ",\n  {" : "\n  {");
    add_member(ret, "id", bytes_of(r->tests.item[i].name));
    buf_adds(ret, ", ");
    add_member(ret, "name", bytes_of(r->tests.item[i].name));
    buf_adds(ret, "}");
  }
  buf_adds(ret, "]}}}\n");
}

void render_mte(const struct records *r, struct buf *ret)
{
  struct change *c = mem_zalloc((size_t)(r->n + 1) * sizeof *c);
  for (int i = 0; i < r->n; i++)
    change_of(&r->item[i], &c[i]);
  buf_addf(ret,
           "{\"schemaVersion\": \"2.0\",\n \"thresholds\": {\"high\": 100, "
           "\"low\": 100},\n \"framework\": {\"name\": \"faultwire mutate\", "
           "\"version\": \"%s\"},\n",
           FAULTWIRE_VERSION);
  add_files(r, c, ret);
  add_suite(r, ret);
  for (int i = 0; i < r->n; i++)
    change_release(&c[i]);
  free(c);
}

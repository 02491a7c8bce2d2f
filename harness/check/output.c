#include "harness/check/all.h"
#include "harness/check/common.h"
#include "harness/pattern.h"

#include <string.h>

enum { STDOUT, STDERR, BOTH };
static const char *const streams[] = {"stdout", "stderr", "both", NULL};

/* What the starts wrote, one after the other; `cut`: not all was kept. */
struct written {
  struct buf text;
  bool cut;
  size_t starts;
  const char *file; /* NULL: the outputs */
};

/* Room for the captured outputs of a run; what is beyond counts as cut. */
#define MAX_JOINED ((size_t)64 << 20)

static void collect(const struct lane_view *v, const struct expect *x,
                    struct written *w)
{
  int which = param_word(x->node, "stream", streams, BOTH);
  int64_t only = 0;
  param_int(x->node, "start", &only);
  memset(w, 0, sizeof *w);
  buf_init(&w->text, MAX_JOINED);
  for (size_t i = 0; i < v->ns; i++) {
    const struct client_start *s = v->s[i];
    if (only && (size_t)only != i + 1)
      continue;
    w->starts++;
    if (which != STDERR) {
      buf_addb(&w->text, s->out);
      w->cut |= s->out_cut;
    }
    if (which != STDOUT) {
      buf_addb(&w->text, s->err);
      w->cut |= s->err_cut;
    }
  }
  w->cut |= w->text.full;
}

/* The end of the output, printable, for the reader of a failure. */
static void excerpt(const struct written *w, char *ret, size_t size)
{
  struct bytes b = buf_bytes(&w->text);
  size_t room = 160, skip = b.n > room ? b.n - room : 0;
  struct buf out;
  buf_init(&out, 4096);
  buf_add_json(&out, (struct bytes){b.p ? b.p + skip : "", b.n - skip});
  if (b.n == 0)
    snprintf(ret, size, "nothing was written");
  else
    snprintf(ret, size, "%zu bytes, %s%s", b.n, skip ? "at the end: " : "",
             buf_str(&out));
  buf_release(&out);
}

/* A text that was not found in a kept part may be in the rest. */
static void judge_key(const struct written *w, const char *what,
                      const char *wanted, bool good, bool proved,
                      struct finding *ret)
{
  struct finding f = {0};
  char saw[480];
  excerpt(w, saw, sizeof saw);
  if (w->file)
    snprintf(f.text, sizeof f.text, "the file %.80s %s", w->file, what);
  else
    snprintf(f.text, sizeof f.text, "the output %s", what);
  snprintf(f.expected, sizeof f.expected, "%s", wanted);
  if (w->cut && !proved)
    finding_actual(&f, VERDICT_INCONCLUSIVE,
                   "more was written than is kept (%zu bytes)", w->text.n);
  else
    finding_actual(&f, good ? VERDICT_PASS : VERDICT_FAIL, "%s", saw);
  finding_merge(ret, &f);
}

static void judge_contains(const struct written *w, const struct expect *x,
                           struct finding *ret)
{
  const char *text = NULL;
  struct bytes all = buf_bytes(&w->text);
  if (param_string(x->node, "contains", &text)) {
    bool found = bytes_find(all, bytes_of(text)) >= 0;
    judge_key(w, "contains", text, found, found, ret);
  }
  if (param_string(x->node, "not_contains", &text)) {
    bool found = bytes_find(all, bytes_of(text)) >= 0;
    judge_key(w, "does not contain", text, !found, found, ret);
  }
  if (param_string(x->node, "equals", &text)) {
    bool same = bytes_equal(all, bytes_of(text));
    judge_key(w, "is", text, same, all.n > strlen(text), ret);
  }
}

static void judge_matches(const struct written *w, const struct expect *x,
                          struct finding *ret)
{
  const char *text = NULL;
  char why[160];
  for (int no = 0; no < 2; no++) {
    if (!param_string(x->node, no ? "not_matches" : "matches", &text))
      continue;
    struct pattern *p = pattern_new(text, why, sizeof why);
    bool found = p && pattern_last(p, buf_bytes(&w->text));
    judge_key(w, no ? "does not match" : "matches", text, found != no, found,
              ret);
    pattern_free(p);
  }
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  struct written w;
  snprintf(ret->text, sizeof ret->text, "the output");
  if (no_contact(v->e, ret))
    return;
  ret->text[0] = '\0';
  collect(v, x, &w);
  if (w.starts) {
    judge_contains(&w, x, ret);
    judge_matches(&w, x, ret);
  } else {
    snprintf(ret->text, sizeof ret->text, "the output");
    finding_actual(ret, VERDICT_INCONCLUSIVE, "there was no such start");
  }
  buf_release(&w.text);
}

/* One file for all lanes and starts. A file that nobody wrote is empty. */
static void judge_file(const struct evidence *e, const struct expect *x,
                       const char *name, struct finding *ret)
{
  const struct client_file *file = evidence_file(e, name);
  struct written w = {.starts = 1, .file = name};
  snprintf(ret->text, sizeof ret->text, "the file %.80s", name);
  if (no_contact(e, ret))
    return;
  ret->text[0] = '\0';
  buf_init(&w.text, MAX_JOINED);
  if (file) {
    buf_addb(&w.text, file->text);
    w.cut = file->cut;
  }
  judge_contains(&w, x, ret);
  judge_matches(&w, x, ret);
  buf_release(&w.text);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  const char *name = NULL;
  if (param_string(x->node, "file", &name))
    judge_file(e, x, name, ret);
  else
    judge_lanes(e, x, judge_lane, ret);
}

/* A path below {SHARED}, and nothing that only an output has. */
static int check_file(const struct jval *expect, struct diag *diag)
{
  static const char *const others[] = {"lane", "start", "stream", NULL};
  struct jval v;
  if (!jval_member(expect, "file", &v))
    return 0;
  const char *name = v.node->valuestring;
  if (name[0] == '\0' || name[0] == '/' || strstr(name, ".."))
    return jval_error(&v, diag, "must be a path below {SHARED}");
  for (size_t i = 0; others[i]; i++)
    if (param_has(expect->node, others[i]))
      return jval_error(expect, diag,
                        "a file is that of all lanes and starts: no '%s'",
                        others[i]);
  return 0;
}

static int check(const struct jval *expect, struct diag *diag)
{
  static const char *const keys[] = {"contains", "not_contains", "equals",
                                     "matches",  "not_matches",  NULL};
  struct jval v;
  bool any = false;
  for (size_t i = 0; keys[i]; i++)
    any |= param_has(expect->node, keys[i]);
  if (!any)
    return jval_error(expect, diag,
                      "needs 'contains', 'not_contains', 'matches', "
                      "'not_matches' or 'equals'");
  if (check_file(expect, diag) < 0)
    return -1;
  if (jval_member(expect, "matches", &v) && pattern_check(&v, diag) < 0)
    return -1;
  if (jval_member(expect, "not_matches", &v))
    return pattern_check(&v, diag);
  return 0;
}

static const struct param params[] = {
    {.name = "stream",
     .type = PARAM_WORD,
     .words = streams,
     .summary = "which output, default both, one behind the other"},
    {.name = "contains", .type = PARAM_STRING, .summary = "holds this text"},
    {.name = "not_contains",
     .type = PARAM_STRING,
     .summary = "does not hold this text"},
    {.name = "matches",
     .type = PARAM_STRING,
     .summary = "a regular expression that matches somewhere"},
    {.name = "not_matches",
     .type = PARAM_STRING,
     .summary = "a regular expression that matches nowhere"},
    {.name = "equals", .type = PARAM_STRING, .summary = "is exactly this text"},
    {.name = "start",
     .type = PARAM_INT,
     .min = 1,
     .max = 100,
     .summary = "only this start of the client, default all of them joined"},
    {.name = "file",
     .type = PARAM_STRING,
     .summary = "instead of an output this file below {SHARED}, as it is at "
                "the end; one that nobody wrote is empty"},
    {.name = NULL}};

const struct check check_output = {
    .name = "output",
    .summary = "what the client wrote on stdout and stderr, or into a file",
    .params = params,
    .per_lane = true,
    .check = check,
    .judge = judge};

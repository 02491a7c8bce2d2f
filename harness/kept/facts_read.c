#include "harness/kept/facts.h"

#include "base/json_exact.h"

#include <limits.h>
#include <string.h>

/* A file of 16 MB, quotes around its numbers included. */
#define MAX_EXACT (2 * JSON_MAX_BYTES)
#define MAX_S 1e9
/* JSON has no bits in a double beyond this; seeds of scenarios stay below. */
#define MAX_SEED UINT64_MAX

static const char *const keys[] = {"format",
                                   "address",
                                   "file",
                                   "policy_file",
                                   "provider",
                                   "asked_provider",
                                   "folder",
                                   "project",
                                   "command",
                                   "environment",
                                   "seed",
                                   "no_faults",
                                   "strict",
                                   "limit_s",
                                   "seconds",
                                   "again",
                                   "error",
                                   "start_ns",
                                   "end_ns",
                                   "wall_offset_ns",
                                   "step_uses",
                                   "starts",
                                   "at_ns",
                                   "time",
                                   "real_limit_s",
                                   "attempt_limit",
                                   "largest_jump_s",
                                   "jumps_hash",
                                   NULL};

static int member(const struct jval *v, const char *key, struct jval *ret,
                  struct diag *diag)
{
  if (jval_member(v, key, ret))
    return 0;
  return jval_error(v, diag, "the key '%s' is missing", key);
}

static int text(const struct jval *v, const char *key, const char **ret,
                struct diag *diag)
{
  struct jval m;
  return member(v, key, &m, diag) < 0 ? -1 : jval_string(&m, ret, diag);
}

static int text_or_null(const struct jval *v, const char *key, const char **ret,
                        struct diag *diag)
{
  struct jval m;
  if (member(v, key, &m, diag) < 0)
    return -1;
  return cJSON_IsNull(m.node) ? 0 : jval_string(&m, ret, diag);
}

static int yes_or_no(const struct jval *v, const char *key, bool *ret,
                     struct diag *diag)
{
  struct jval m;
  return member(v, key, &m, diag) < 0 ? -1 : jval_bool(&m, ret, diag);
}

static int whole(const struct jval *v, const char *key, int64_t min,
                 int64_t *ret, struct diag *diag)
{
  struct jval m;
  if (member(v, key, &m, diag) < 0)
    return -1;
  return jval_i64(&m, min, INT64_MAX, ret, diag);
}

static int small(const struct jval *v, const char *key, int *ret,
                 struct diag *diag)
{
  struct jval m;
  int64_t n = 0;
  if (member(v, key, &m, diag) < 0 || jval_i64(&m, 0, INT_MAX, &n, diag) < 0)
    return -1;
  *ret = (int)n;
  return 0;
}

static int count(const struct jval *v, const char *key, uint64_t max,
                 uint64_t *ret, struct diag *diag)
{
  struct jval m;
  return member(v, key, &m, diag) < 0 ? -1 : jval_u64(&m, max, ret, diag);
}

static int seconds(const struct jval *v, const char *key, double *ret,
                   struct diag *diag)
{
  struct jval m;
  if (member(v, key, &m, diag) < 0)
    return -1;
  return jval_number(&m, 0, MAX_S, ret, diag);
}

/* --- lists ------------------------------------------------------------- */

/* The array of that key; `ret_n` items. */
static int list(const struct jval *v, const char *key, struct jval *ret,
                size_t *ret_n, struct diag *diag)
{
  if (member(v, key, ret, diag) < 0 || jval_array(ret, diag) < 0)
    return -1;
  *ret_n = (size_t)jval_count(ret);
  return 0;
}

static int texts(const struct jval *v, const char *key, const char ***ret,
                 struct diag *diag)
{
  struct jval l;
  size_t n = 0, i = 0;
  if (list(v, key, &l, &n, diag) < 0)
    return -1;
  *ret = mem_zalloc((n + 1) * sizeof **ret);
  for (const cJSON *node = l.node->child; node; node = node->next, i++) {
    struct jval item = {l.doc, node, &l, NULL, (int)i};
    if (jval_string(&item, &(*ret)[i], diag) < 0)
      return -1;
  }
  return 0;
}

static int step_uses(struct facts_file *f, const struct jval *v,
                     struct diag *diag)
{
  struct jval l;
  size_t n = 0, i = 0;
  if (list(v, "step_uses", &l, &n, diag) < 0)
    return -1;
  f->step_uses = mem_zalloc((n + 1) * sizeof *f->step_uses);
  for (const cJSON *node = l.node->child; node; node = node->next, i++) {
    struct jval item = {l.doc, node, &l, NULL, (int)i};
    if (jval_u64(&item, UINT64_MAX, &f->step_uses[i], diag) < 0)
      return -1;
  }
  f->facts.step_uses = f->step_uses;
  f->facts.nsteps = n;
  return 0;
}

static int short_text(const struct jval *v, const char *key, char *ret,
                      size_t size, struct diag *diag)
{
  struct jval m;
  const char *s = NULL;
  if (member(v, key, &m, diag) < 0 || jval_string(&m, &s, diag) < 0)
    return -1;
  if (strlen(s) >= size)
    return jval_error(&m, diag, "has %zu bytes, %zu at the most", strlen(s),
                      size - 1);
  memcpy(ret, s, strlen(s) + 1);
  return 0;
}

/* Only where it was not its own limit. */
static int end(struct client_start *s, const struct jval *v, struct diag *diag)
{
  struct jval m, in;
  const char *word = NULL;
  if (!jval_member(v, "ended_by", &m))
    return 0;
  if (jval_string(&m, &word, diag) < 0 ||
      (jval_member(v, "ended_in", &in) &&
       short_text(v, "ended_in", s->ended_in, sizeof s->ended_in, diag) < 0))
    return -1;
  for (int i = 0; start_end_words[i]; i++)
    if (strcmp(start_end_words[i], word) == 0) {
      s->ended_by = (enum start_end)i;
      return 0;
    }
  return jval_error(&m, diag, "unknown end '%s'", word);
}

/* Only of a client that waited for ever. */
static int stall(struct client_start *s, const struct jval *v,
                 struct diag *diag)
{
  struct jval m;
  if (!jval_member(v, "stalled_ns", &m))
    return 0;
  return whole(v, "stalled_ns", 1, &s->stalled_ns, diag) < 0 ||
                 short_text(v, "stalled_in", s->stalled_in,
                            sizeof s->stalled_in, diag) < 0
             ? -1
             : 0;
}

static int start(struct client_start *s, const struct jval *v,
                 struct diag *diag)
{
  static const char *const known[] = {
      "lane",      "number",   "pid",          "start_ns",
      "exit_ns",   "launched", "launch_error", "timed_out",
      "exit_code", "signal",   "signalled_ns", "out_bytes",
      "err_bytes", "out_cut",  "err_cut",      "left_children",
      "ended_by",  "ended_in", "stalled_ns",   "stalled_in",
      NULL};
  int64_t pid = 0;
  if (jval_object(v, diag) < 0 || jval_known_keys(v, known, diag) < 0 ||
      short_text(v, "lane", s->lane, sizeof s->lane, diag) < 0 ||
      small(v, "number", &s->number, diag) < 0 ||
      whole(v, "pid", 0, &pid, diag) < 0 ||
      whole(v, "start_ns", 0, &s->start_ns, diag) < 0 ||
      whole(v, "exit_ns", 0, &s->exit_ns, diag) < 0 ||
      yes_or_no(v, "launched", &s->launched, diag) < 0 ||
      short_text(v, "launch_error", s->launch_error, sizeof s->launch_error,
                 diag) < 0 ||
      yes_or_no(v, "timed_out", &s->timed_out, diag) < 0 ||
      small(v, "exit_code", &s->exit_code, diag) < 0 ||
      small(v, "signal", &s->signal, diag) < 0 ||
      whole(v, "signalled_ns", 0, &s->signalled_ns, diag) < 0 ||
      count(v, "out_bytes", UINT64_MAX, &s->out_bytes, diag) < 0 ||
      count(v, "err_bytes", UINT64_MAX, &s->err_bytes, diag) < 0 ||
      yes_or_no(v, "out_cut", &s->out_cut, diag) < 0 ||
      yes_or_no(v, "err_cut", &s->err_cut, diag) < 0 ||
      yes_or_no(v, "left_children", &s->left_children, diag) < 0 ||
      end(s, v, diag) < 0 || stall(s, v, diag) < 0)
    return -1;
  s->pid = (long)pid;
  return 0;
}

static int starts(struct facts_file *f, const struct jval *v, struct diag *diag)
{
  struct jval l;
  size_t n = 0, i = 0;
  if (list(v, "starts", &l, &n, diag) < 0)
    return -1;
  f->starts = mem_zalloc((n + 1) * sizeof *f->starts);
  for (const cJSON *node = l.node->child; node; node = node->next, i++) {
    struct jval item = {l.doc, node, &l, NULL, (int)i};
    if (start(&f->starts[i], &item, diag) < 0)
      return -1;
  }
  f->facts.starts = f->starts;
  f->facts.nstarts = n;
  return 0;
}

/* --- the whole ---------------------------------------------------------- */

static int format(const struct jval *v, struct diag *diag)
{
  struct jval m;
  int64_t n = 0;
  if (member(v, "format", &m, diag) < 0 ||
      jval_i64(&m, 0, INT64_MAX, &n, diag) < 0)
    return -1;
  return n == FACTS_FORMAT
             ? 0
             : jval_error(&m, diag, "this faultwire reads format %d",
                          FACTS_FORMAT);
}

static int numbers(struct facts *f, const struct jval *v, struct diag *diag)
{
  return count(v, "seed", MAX_SEED, &f->seed, diag) < 0 ||
                 yes_or_no(v, "no_faults", &f->no_faults, diag) < 0 ||
                 yes_or_no(v, "strict", &f->strict, diag) < 0 ||
                 seconds(v, "limit_s", &f->limit_s, diag) < 0 ||
                 seconds(v, "seconds", &f->seconds, diag) < 0 ||
                 whole(v, "start_ns", 0, &f->start_ns, diag) < 0 ||
                 whole(v, "end_ns", 0, &f->end_ns, diag) < 0 ||
                 whole(v, "wall_offset_ns", INT64_MIN, &f->wall_offset_ns,
                       diag) < 0
             ? -1
             : 0;
}

static int words(struct facts *f, const struct jval *v, struct diag *diag)
{
  return text(v, "address", &f->address, diag) < 0 ||
                 text(v, "file", &f->file, diag) < 0 ||
                 text_or_null(v, "policy_file", &f->policy_file, diag) < 0 ||
                 text(v, "provider", &f->provider, diag) < 0 ||
                 text_or_null(v, "asked_provider", &f->asked_provider, diag) <
                     0 ||
                 text(v, "folder", &f->folder, diag) < 0 ||
                 text_or_null(v, "project", &f->project, diag) < 0 ||
                 text(v, "again", &f->again, diag) < 0 ||
                 text_or_null(v, "error", &f->error, diag) < 0
             ? -1
             : 0;
}

/* Of virtual time; evidence of an earlier faultwire has none. */
static int limits(struct run_limits *l, const struct jval *v, struct diag *diag)
{
  struct jval m;
  if (jval_member(v, "real_limit_s", &m) &&
      jval_number(&m, 0, RUN_LIMITS_REAL_MAX_S, &l->real_s, diag) < 0)
    return -1;
  if (jval_member(v, "attempt_limit", &m) &&
      jval_i64(&m, 0, RUN_LIMITS_MAX_ATTEMPTS, &l->attempts, diag) < 0)
    return -1;
  if (jval_member(v, "largest_jump_s", &m) &&
      jval_number(&m, 0, RUN_LIMITS_JUMP_MAX_S, &l->largest_jump_s, diag) < 0)
    return -1;
  return 0;
}

/* Both only where there are any. */
static int times(struct facts_file *f, const struct jval *v, struct diag *diag)
{
  struct jval m;
  struct facts *facts = &f->facts;
  facts->at.said = jval_member(v, "at_ns", &m);
  if (facts->at.said && jval_i64(&m, 0, INT64_MAX, &facts->at.ns, diag) < 0)
    return -1;
  if (limits(&facts->limits, v, diag) < 0 ||
      (jval_member(v, "jumps_hash", &m) &&
       jval_u64(&m, UINT64_MAX, &facts->jumps_hash, diag) < 0))
    return -1;
  if (!jval_member(v, "time", &m))
    return 0;
  f->time = mem_zalloc(sizeof *f->time);
  facts->time = &f->time->report;
  return facts_time_read(f->time, &m, diag);
}

static int read_all(struct facts_file *f, const struct jval *v,
                    struct diag *diag)
{
  if (jval_object(v, diag) < 0 || format(v, diag) < 0 ||
      jval_known_keys(v, keys, diag) < 0 || words(&f->facts, v, diag) < 0 ||
      numbers(&f->facts, v, diag) < 0 ||
      texts(v, "command", &f->command, diag) < 0 ||
      texts(v, "environment", &f->environment, diag) < 0 ||
      step_uses(f, v, diag) < 0 || starts(f, v, diag) < 0 ||
      times(f, v, diag) < 0)
    return -1;
  f->facts.command = f->command;
  f->facts.environment = f->environment;
  return 0;
}

int facts_read(struct facts_file *ret, const char *name, struct bytes raw,
               struct diag *diag)
{
  struct facts_file f = {0};
  struct buf exact;
  buf_init(&exact, MAX_EXACT);
  json_exact(raw, &exact);
  int rc = exact.full ? diag_set(diag, "the file is too large")
                      : json_parse(&f.doc, name, buf_bytes(&exact), diag);
  buf_release(&exact);
  if (rc < 0)
    return -1;
  struct jval root = json_root(&f.doc);
  if (read_all(&f, &root, diag) < 0) {
    diag->column = 0; /* of the exact text, which nobody has */
    diag_in_file(diag, name);
    facts_release(&f);
    return -1;
  }
  *ret = f;
  return 0;
}

void facts_release(struct facts_file *f)
{
  free(f->starts);
  free(f->step_uses);
  free(f->time);
  free(f->command);
  free(f->environment);
  json_release(&f->doc);
  memset(f, 0, sizeof *f);
}

#include "harness/worker.h"

#include "harness/check/common.h"
#include "harness/find_time.h"
#include "harness/judge.h"
#include "harness/keep.h"
#include "harness/scale/apply.h"

#include "base/file.h"

#include <errno.h>
#include <unistd.h>

/* Beyond twice the limit (once from exec, once from the first request) and
 * the pause: time to end a client, settle, judge and write. */
#define SPARE_PER_START_S 15.0
#define SPARE_S 60.0

/* A shell's word: quoted when it holds more than harmless characters. */
static void add_word(struct buf *b, const char *word)
{
  static const char harmless[] = "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-./=:,+@%";
  if (b->n)
    buf_addc(b, ' ');
  if (*word && word[strspn(word, harmless)] == '\0') {
    buf_adds(b, word);
    return;
  }
  buf_addc(b, '\'');
  for (; *word; word++) {
    if (*word == '\'')
      buf_adds(b, "'\\''");
    else
      buf_addc(b, *word);
  }
  buf_addc(b, '\'');
}

static void add_option(struct buf *b, const char *name, const char *value)
{
  add_word(b, name);
  if (value)
    add_word(b, value);
}

/* 0: it was not given. */
static void add_number(struct buf *b, const char *name, double value)
{
  char number[40];
  if (!(value > 0))
    return;
  snprintf(number, sizeof number, "%.10g", value);
  add_option(b, name, number);
}

/* As the command line said it. */
static void add_time(struct buf *b, const struct worker_context *c)
{
  if (c->time)
    add_option(b, "--time", c->time);
  if (c->at)
    add_option(b, "--at", c->at);
  add_number(b, "--scale", c->scale);
  add_number(b, "--real-limit", c->limits.real_s);
  add_number(b, "--attempt-limit", (double)c->limits.attempts);
  add_number(b, "--largest-jump", c->limits.largest_jump_s);
}

/* What else is on the line counts from the project's folder. */
static void add_move(struct buf *b, const char *project)
{
  char *folder = mem_strdup(project), *slash = strrchr(folder, '/');
  slash[slash == folder] = '\0';
  buf_adds(b, "cd");
  add_word(b, folder);
  buf_adds(b, " && ");
  free(folder);
}

/* What the folder has is not said again: the scenario as it ran, seed,
 * limits, policy. */
static char *again_by_replay(const struct worker_context *c)
{
  struct buf b;
  buf_init(&b, 65536);
  buf_adds(&b, "faultwire replay");
  if (c->replay_project)
    add_option(&b, "--project", c->replay_project);
  add_word(&b, c->replay);
  if (c->replay_client)
    add_word(&b, "--");
  for (const char *const *w = c->replay_client; w && *w; w++)
    add_word(&b, *w);
  return buf_detach(&b);
}

char *worker_again(const struct worker_context *c, size_t i)
{
  struct buf b;
  char number[40];
  if (c->replay)
    return again_by_replay(c);
  buf_init(&b, 65536);
  if (c->moved)
    add_move(&b, c->project);
  buf_adds(&b, "faultwire test");
  if (c->project)
    add_option(&b, "--project", strrchr(c->project, '/') + 1);
  if (c->policy_path)
    add_option(&b, "--policy", c->policy_path);
  if (c->provider)
    add_option(&b, "--provider", c->provider);
  if (c->seed_given) {
    snprintf(number, sizeof number, "%llu", (unsigned long long)c->seed);
    add_option(&b, "--seed", number);
  }
  if (c->no_faults)
    add_option(&b, "--no-faults", NULL);
  add_number(&b, "--limit", c->limit_s);
  if (c->strict)
    add_option(&b, "--strict", NULL);
  if (c->suite->items[i].point.of)
    add_option(&b, "--only", c->suite->items[i].address);
  add_time(&b, c);
  add_word(&b, c->suite->items[i].path);
  add_word(&b, "--");
  for (size_t k = 0; k < c->ncommand; k++)
    add_word(&b, c->command[k]);
  return buf_detach(&b);
}

static struct run_limits limits_of(const struct worker_context *c, size_t i)
{
  return run_limits_choose(&c->limits, &c->suite->items[i].spec.limits,
                           &c->project_limits);
}

static uint64_t seed_of(const struct worker_context *c, size_t i)
{
  uint64_t own = c->suite->items[i].scenario.seed;
  return c->seed_given || own == 0 ? c->seed : own;
}

int64_t worker_limit_ns(void *arg, size_t i)
{
  const struct worker_context *c = arg;
  const struct spec *spec = &c->suite->items[i].spec;
  double limit = c->limit_s > 0 ? c->limit_s : spec->limit_s;
  double s =
      spec->starts * (2 * limit + spec->pause_s + SPARE_PER_START_S) + SPARE_S;
  /* virtual time may pass at the real rate, and stand as well */
  if (timing_choose(&c->timing, spec->time) == TIMING_VIRTUAL)
    s += limits_of(c, i).real_s;
  return (int64_t)(s * (double)NS_PER_S);
}

static int write_all(int fd, const char *p, size_t n)
{
  while (n) {
    ssize_t done = write(fd, p, n);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return -1;
    p += done;
    n -= (size_t)done;
  }
  return 0;
}

/* Everything a worker needs while it runs; released at its end. */
struct work {
  const struct worker_context *c;
  const struct suite_item *item;
  char *folder, *journal, *kept, *again;
  uint64_t seed;
  int64_t begin_ns;
  enum timing_word time;
  struct run_limits limits;
  int64_t at_ns;       /* where the wall clock is asked to begin, < 0: now */
  struct vtime *vtime; /* NULL: real time */
};

static void work_init(struct work *w, const struct worker_context *c, size_t i)
{
  w->c = c;
  w->vtime = NULL;
  w->item = &c->suite->items[i];
  w->time = timing_choose(&c->timing, w->item->spec.time);
  w->at_ns = timing_at_ns(&c->timing, &w->item->spec.at);
  w->limits = limits_of(c, i);
  w->folder = mem_format("%s/%zu", c->root, i + 1);
  w->again = worker_again(c, i);
  w->seed = seed_of(c, i);
  w->begin_ns = clock_now_ns(c->clock);
  w->kept = c->evidence ? keep_folder(c->evidence, w->item->address) : NULL;
  w->journal = w->kept ? mem_format("%s/journal.jsonl", w->kept) : NULL;
}

static void work_release(struct work *w)
{
  vtime_free(w->vtime);
  free(w->folder);
  free(w->journal);
  free(w->kept);
  free(w->again);
}

static struct judge_names names_of(const struct work *w)
{
  return (struct judge_names){
      .address = w->item->address,
      .file = w->item->path,
      .again = w->again,
      .seed = w->seed,
      .seconds = ns_to_s(clock_now_ns(w->c->clock) - w->begin_ns)};
}

/* The clock of the run. A worker is one process with one run, as virtual
 * time needs it. */
static int open_clock(struct work *w, struct diag *diag)
{
  const struct worker_context *c = w->c;
  if (w->time != TIMING_VIRTUAL)
    return 0;
  w->vtime = open_time(&c->timing, w->at_ns, &w->limits,
                       w->item->spec.housekeeping, diag);
  return w->vtime ? 0 : -1;
}

static int run(struct work *w, int stop_fd, struct run **ret, struct diag *diag)
{
  const struct worker_context *c = w->c;
  if (open_clock(w, diag) < 0)
    return -1;
  struct run_options o = {.scenario = &w->item->scenario,
                          .spec = &w->item->spec,
                          .policy = c->policy,
                          .command = c->command,
                          .ncommand = c->ncommand,
                          .address = w->item->address,
                          .provider = suite_provider(w->item, c->provider),
                          .seed = w->seed,
                          .no_faults = c->no_faults,
                          .limit_s = c->limit_s,
                          .limits = w->limits,
                          .folder = w->folder,
                          .journal_path = w->journal,
                          .env = c->env,
                          .clock = w->vtime ? vtime_clock(w->vtime) : c->clock,
                          .vtime = w->vtime,
                          .at_unused = !w->vtime && w->at_ns >= 0,
                          .stop_fd = stop_fd};
  if (file_mkdirs(w->folder, diag) < 0)
    return -1;
  if (w->kept && keep_begin(w->kept, diag) < 0)
    return -1;
  return run_scenario(&o, ret, diag);
}

static const char *skip_reason(const struct worker_context *c)
{
  static char text[1200];
  if (c->timing.command == TIME_REAL || c->timing.command == TIME_SCALED) {
    snprintf(text, sizeof text,
             "the scenario is for virtual time, and --time %s was asked for",
             time_words[c->timing.command]);
    return text;
  }
  snprintf(text, sizeof text,
           "the scenario is for virtual time, which is not to be had here: %s",
           c->timing.why ? c->timing.why : "it was not tried");
  return text;
}

/* It would be virtual, were that to be had: every report says why it is not.
 */
static void add_no_virtual(const struct work *w, cJSON *result)
{
  struct timing t = w->c->timing;
  t.possible = true;
  if (w->time != TIMING_SCALED || !t.why ||
      timing_choose(&t, w->item->spec.time) != TIMING_VIRTUAL)
    return;
  cJSON *time = cJSON_GetObjectItemCaseSensitive(result, "time");
  if (!time)
    time = cJSON_AddObjectToObject(result, "time");
  cJSON_DeleteItemFromObjectCaseSensitive(time, "mode");
  cJSON_AddStringToObject(time, "mode", "scaled");
  cJSON_AddStringToObject(time, "no_virtual", t.why);
}

static cJSON *judge(const struct work *w, const struct run *r, int rc,
                    const struct diag *diag)
{
  struct judge_names names = names_of(w);
  char text[1200];
  cJSON *result = NULL;
  if (w->time == TIMING_SKIP) {
    result = judge_skipped(&names, w->item->scenario.why, skip_reason(w->c));
  } else if (rc == 0) {
    result = judge_json(run_evidence(r), &names);
    scaled_add(&w->item->scaled, result);
  } else {
    diag_format(diag, text, sizeof text);
    result = judge_harness_error(&names, w->item->scenario.why, text);
  }
  add_no_virtual(w, result);
  sweep_point_json(&w->item->point, result);
  return result;
}

/* What the folder says of the run besides its evidence. `cwd` is freed by the
 * caller. */
static struct facts facts_of(const struct work *w, const char *cwd,
                             const char *error)
{
  const struct worker_context *c = w->c;
  return (struct facts){.address = w->item->address,
                        .file = w->item->path,
                        .again = w->again,
                        .policy_file = c->policy_path,
                        .provider = suite_provider(w->item, c->provider),
                        .asked_provider = c->provider,
                        .folder = cwd ? cwd : "",
                        .project = c->project,
                        .error = error,
                        .seed = w->seed,
                        .no_faults = c->no_faults,
                        .strict = c->strict,
                        .limit_s = c->limit_s,
                        .at = {w->at_ns >= 0, w->at_ns >= 0 ? w->at_ns : 0},
                        .limits = w->limits,
                        .seconds = names_of(w).seconds,
                        .command = c->command};
}

/* Evidence that was asked for and cannot be written is a failed set-up: a
 * verdict nobody can look into is worth nothing. */
static cJSON *keep(const struct work *w, const struct run *r, cJSON *result,
                   const char *error)
{
  struct diag diag = {0};
  if (!w->kept)
    return result;
  if (w->time == TIMING_SKIP) {
    keep_begin(w->kept, &diag); /* no facts of an earlier run */
    return result;
  }
  cJSON_AddStringToObject(result, "evidence", w->kept);
  char *cwd = getcwd(NULL, 0);
  struct facts facts = facts_of(w, cwd, error);
  struct keep_input in = {.folder = w->kept,
                          .scenario_path = w->item->path,
                          .policy_path = w->c->policy_path,
                          .scenario = &w->item->scenario,
                          .spec = &w->item->spec,
                          .env = w->c->env,
                          .facts = &facts,
                          .evidence = r ? run_evidence(r) : NULL,
                          .result = result};
  int rc = keep_write(&in, &diag);
  free(cwd);
  if (rc == 0)
    return result;
  cJSON_Delete(result);
  return judge(w, NULL, -1, &diag);
}

static int hand_over(int fd, cJSON *result)
{
  char *text = cJSON_PrintUnformatted(result);
  int rc = text ? write_all(fd, text, strlen(text)) : -1;
  cJSON_free(text);
  return rc;
}

/* What an earlier run kept would be taken for this one's. */
static int skip(struct work *w, int fd)
{
  struct diag diag = {0};
  struct judge_names names = names_of(w);
  cJSON *result =
      scale_skipped(&w->item->scaled, &names, w->item->scenario.why);
  add_no_virtual(w, result);
  sweep_point_json(&w->item->point, result);
  if (w->kept && file_is_folder(w->kept))
    keep_begin(w->kept, &diag);
  int code = hand_over(fd, result) < 0 ? 1 : 0;
  cJSON_Delete(result);
  work_release(w);
  return code;
}

int worker_run(void *arg, size_t i, int fd, int stop_fd)
{
  struct work w;
  struct run *r = NULL;
  struct diag diag = {0};
  work_init(&w, arg, i);
  if (w.item->scaled.skip)
    return skip(&w, fd);
  int rc = w.time == TIMING_SKIP ? 0 : run(&w, stop_fd, &r, &diag);
  int code = 0;
  if (r && run_interrupted(r)) {
    code = 130;
  } else {
    char why[1200] = "";
    if (rc < 0)
      diag_format(&diag, why, sizeof why);
    cJSON *result = judge(&w, r, rc, &diag);
    result = keep(&w, r, result, rc < 0 ? why : NULL);
    code = hand_over(fd, result) < 0 ? 1 : 0;
    cJSON_Delete(result);
  }
  run_free(r);
  if (!w.c->keep_home)
    file_remove_tree(w.folder);
  work_release(&w);
  return code;
}

cJSON *worker_lost(const struct worker_context *c, size_t i, const char *why)
{
  struct work w;
  work_init(&w, c, i);
  struct judge_names names = names_of(&w);
  cJSON *result = judge_harness_error(&names, w.item->scenario.why, why);
  sweep_point_json(&w.item->point, result);
  work_release(&w);
  return result;
}

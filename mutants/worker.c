#include "mutants/worker.h"

#include "base/file.h"
#include "mutants/change/change.h"

#include <stdlib.h>
#include <string.h>

/* A build or a suite that says more is cut: a log is for reading. */
#define MAX_LOG_BYTES ((size_t)4 << 20)

int worker_init(struct worker *w, const struct gate *g, int number,
                struct diag *diag)
{
  *w = (struct worker){.gate = g,
                       .folder = mem_format("%s/j%d", g->work, number),
                       .report = mem_format("%s/j%d.json", g->work, number)};
  buf_init(&w->log, MAX_LOG_BYTES);
  if (tree_copy(g->tree, w->folder, &g->skip, diag) == 0)
    return 0;
  worker_release(w);
  return -1;
}

void worker_release(struct worker *w)
{
  free(w->folder);
  free(w->report);
  buf_release(&w->log);
  texts_release(&w->touched);
  *w = (struct worker){0};
}

struct built {
  bool ok;
  int64_t ms;
};

static int build(struct worker *w, const char *flags, struct built *ret,
                 struct buf *why, struct diag *diag)
{
  const char *argv[] = {"sh", "-c", w->gate->plan.build, NULL};
  struct plan_env env = {"MUTANT_FLAGS", flags ? flags : ""};
  double limit_s = w->gate->options->build_timeout_s;
  struct program c = {argv, w->folder, &env, 1, (int64_t)(limit_s * 1000)};
  struct program_end end;
  *ret = (struct built){true, 0};
  if (!w->gate->plan.build)
    return 0;
  if (program_run(&c, &end, diag) < 0)
    return -1;
  struct bytes words = program_last_words(&end);
  buf_addf(&w->log, "$ %s\n--- exit %d after %.1f s\n", w->gate->plan.build,
           end.code, (double)end.ms / 1000);
  buf_addb(&w->log, buf_bytes(&end.out));
  buf_addb(&w->log, buf_bytes(&end.err));
  *ret = (struct built){!end.timed_out && end.code == 0, end.ms};
  if (end.timed_out)
    buf_addf(why, "the build took over %g s", limit_s);
  else if (end.code)
    buf_addf(why, "the build failed with exit %d: %.*s", end.code, (int)words.n,
             words.n ? words.p : "");
  program_end_release(&end);
  return 0;
}

static bool hash_artifact(const struct worker *w, uint64_t *ret,
                          struct buf *why)
{
  const char *artifact = w->gate->plan.artifact;
  if (!artifact)
    return true;
  char *path = mem_format("%s/%s", w->folder, artifact);
  bool there = tree_file_hash(path, ret) == 0;
  if (!there)
    buf_addf(why, "the build left no artifact '%s'", artifact);
  free(path);
  return there;
}

int worker_build_baseline(struct worker *w, bool *ret_ok, struct buf *why,
                          struct diag *diag)
{
  struct built b;
  if (build(w, NULL, &b, why, diag) < 0)
    return -1;
  *ret_ok = b.ok && hash_artifact(w, &w->artifact, why);
  return 0;
}

/* Flags reach objects that no file's time speaks of, so such a mutant is
 * built in a new copy, and so is the one after it, and the one after a
 * replaced artifact. */
static int renew(struct worker *w, struct diag *diag)
{
  file_remove_tree(w->folder);
  w->fresh_next = false;
  w->touched.n = 0;
  return tree_copy(w->gate->tree, w->folder, &w->gate->skip, diag);
}

int worker_restore(struct worker *w, struct diag *diag)
{
  int rc = 0;
  if (w->fresh_next)
    return renew(w, diag);
  for (int i = 0; rc == 0 && i < w->touched.n; i++) {
    char *from = mem_format("%s/%s", w->gate->tree, w->touched.item[i]);
    char *to = mem_format("%s/%s", w->folder, w->touched.item[i]);
    rc = tree_copy_file(from, to, false, diag);
    free(from);
    free(to);
  }
  w->touched.n = 0;
  return rc;
}

static void end_record(struct record *r, enum outcome o, struct buf *why)
{
  r->outcome = o;
  r->done = true;
  free(r->why);
  r->why = mem_strdup(buf_str(why));
}

/* The artifact's bytes say nothing about a variable or another client. */
static bool is_identical(const struct worker *w, const struct plan_mutant *m,
                         uint64_t hash)
{
  bool by_build = !change_is_unseen(m) || m->flags || m->artifact;
  return w->gate->plan.artifact && by_build && !m->nenv && !m->client.n &&
         hash == w->artifact;
}

static void end_identical(const struct plan_mutant *m, struct record *ret,
                          struct buf *why)
{
  buf_adds(why, m->equivalent
                    ? m->equivalent
                    : "the artifact has the same bytes as the baseline's");
  end_record(ret, m->equivalent ? OUTCOME_EQUIVALENT : OUTCOME_IDENTICAL, why);
}

static int put_behind(struct worker *w, const struct plan_mutant *m,
                      struct buf *why, struct diag *diag)
{
  int rc = 0;
  for (int i = 0; rc == 0 && why->n == 0 && i < CHANGE_COUNT; i++)
    if (CHANGES[i]->after_build && CHANGES[i]->is_in(m))
      rc = CHANGES[i]->after_build(w, m, why, diag);
  return rc;
}

static int build_mutant(struct worker *w, const struct plan_mutant *m,
                        struct record *ret, struct buf *why, struct diag *diag)
{
  struct built b;
  uint64_t hash = 0;
  if (build(w, m->flags, &b, why, diag) < 0)
    return -1;
  ret->build_ms = b.ms;
  if (b.ok && put_behind(w, m, why, diag) < 0)
    return -1;
  if (b.ok && why->n)
    end_record(ret, OUTCOME_NOT_APPLIED, why);
  else if (!b.ok || !hash_artifact(w, &hash, why))
    end_record(ret, OUTCOME_UNVIABLE, why);
  else if (is_identical(w, m, hash))
    end_identical(m, ret, why);
  return 0;
}

static int apply_and_build(struct worker *w, const struct plan_mutant *m,
                           struct record *ret, struct buf *why,
                           struct diag *diag)
{
  bool in;
  struct buf diff;
  if (worker_apply(w, m, &in, why, diag) < 0)
    return -1;
  if (!in) {
    end_record(ret, OUTCOME_NOT_APPLIED, why);
    return 0;
  }
  buf_init(&diff, JSON_MAX_BYTES);
  int rc = worker_diff(w, m, &diff, diag);
  free(ret->diff);
  ret->diff = mem_strdup(buf_str(&diff));
  buf_release(&diff);
  return rc < 0 ? -1 : build_mutant(w, m, ret, why, diag);
}

int worker_make(struct worker *w, const struct plan_mutant *m,
                struct record *ret, struct diag *diag)
{
  struct buf why;
  buf_reset(&w->log);
  w->fresh_next |= m->flags != NULL;
  if (worker_restore(w, diag) < 0)
    return -1;
  w->fresh_next = m->flags || m->artifact;
  buf_init(&why, 4096);
  int rc = apply_and_build(w, m, ret, &why, diag);
  buf_release(&why);
  return rc;
}

int worker_compare(struct worker *w, struct buf *why, struct diag *diag)
{
  struct tree_list now;
  struct texts losses = {0};
  if (tree_list(w->folder, &w->gate->skip, &now, diag) < 0)
    return -1;
  tree_losses(&w->gate->list, &now, &losses);
  for (int i = 0; i < losses.n; i++)
    buf_addf(why, "%s%s",
             i ? ", " : "the copy was not put back: ", losses.item[i]);
  texts_release(&losses);
  tree_list_release(&now);
  return 0;
}

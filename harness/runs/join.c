#include "harness/runs/join.h"

#include <string.h>

const char *const join_words[] = {"error", "first", "last", "worst", NULL};

int verdict_rank(enum verdict v)
{
  static const int ranks[NVERDICTS] = {[VERDICT_PASS] = 0,
                                       [VERDICT_WARN] = 1,
                                       [VERDICT_SKIP] = 2,
                                       [VERDICT_INCONCLUSIVE] = 3,
                                       [VERDICT_FAIL] = 4};
  return ranks[v];
}

/* --- results -------------------------------------------------------------- */

/* A result and where it came from. */
struct piece {
  struct result *result; /* of the run it was loaded with */
  const struct loaded_run *run;
  size_t order;
};

static int by_name(const void *a, const void *b)
{
  const struct piece *x = a, *y = b;
  int c = strcmp(x->result->name, y->result->name);
  if (c != 0)
    return c;
  return x->order < y->order ? -1 : x->order > y->order;
}

static struct piece *pieces_of(struct loaded_run *runs, size_t n, size_t *ret_n)
{
  size_t total = 0, k = 0;
  for (size_t i = 0; i < n; i++)
    total += runs[i].run.n;
  struct piece *list = mem_zalloc((total + 1) * sizeof *list);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < runs[i].run.n; j++, k++)
      list[k] = (struct piece){&runs[i].run.results[j], &runs[i], k};
  qsort(list, total, sizeof *list, by_name);
  *ret_n = total;
  return list;
}

static bool same(const struct piece *a, const struct piece *b)
{
  return cJSON_Compare(a->result->json, b->result->json, true);
}

/* Which of two results with one name counts; NULL: that is an error. */
static struct piece *choose(struct piece *kept, struct piece *next,
                            enum join_twice twice)
{
  switch (twice) {
  case JOIN_FIRST:
    return kept;
  case JOIN_LAST:
    return next;
  case JOIN_WORST:
    return verdict_rank(next->result->verdict) >
                   verdict_rank(kept->result->verdict)
               ? next
               : kept;
  case JOIN_ERROR:
    break;
  }
  return same(kept, next) ? kept : NULL;
}

static void move_result(struct loaded_run *ret, struct piece *p)
{
  ret->run.results[ret->run.n++] = *p->result;
  memset(p->result, 0, sizeof *p->result);
}

/* Sorted by name, so equal ones are neighbours. */
static int join_results(struct loaded_run *ret, struct piece *list, size_t n,
                        enum join_twice twice, struct diag *diag)
{
  ret->run.results = mem_zalloc((n + 1) * sizeof *ret->run.results);
  for (size_t i = 0; i < n;) {
    struct piece *kept = &list[i];
    size_t k = i + 1;
    for (; k < n && strcmp(list[i].result->name, list[k].result->name) == 0;
         k++) {
      struct piece *chosen = choose(kept, &list[k], twice);
      if (!chosen)
        return diag_set(diag,
                        "'%s' is in %s and in %s with different results; "
                        "--twice first, last or worst says which counts",
                        kept->result->name, kept->run->name, list[k].run->name);
      kept = chosen;
    }
    move_result(ret, kept);
    i = k;
  }
  return 0;
}

/* --- what the runs do not share ------------------------------------------- */

struct notes {
  char **item;
  size_t n;
};

/* Takes the text over. */
static void note(struct notes *notes, char *text)
{
  notes->item = mem_realloc(notes->item, (notes->n + 2) * sizeof *notes->item);
  notes->item[notes->n++] = text;
  notes->item[notes->n] = NULL;
}

static bool same_client(const struct run_report *a, const struct run_report *b)
{
  size_t i = 0;
  if (!a->client || !b->client)
    return a->client == b->client;
  while (a->client[i] && b->client[i] &&
         strcmp(a->client[i], b->client[i]) == 0)
    i++;
  return a->client[i] == b->client[i];
}

static void note_differences(struct notes *notes, const struct loaded_run *a,
                             const struct loaded_run *b)
{
  if (strcmp(a->version, b->version) != 0)
    note(notes, mem_format("%s is of faultwire %s, %s of %s", a->name,
                           a->version, b->name, b->version));
  if (a->run.seed != b->run.seed)
    note(notes, mem_format("%s has the seed %llu, %s %llu", a->name,
                           (unsigned long long)a->run.seed, b->name,
                           (unsigned long long)b->run.seed));
  if (!same_client(&a->run, &b->run))
    note(notes, mem_format("%s and %s are of different clients' commands",
                           a->name, b->name));
}

/* An exit code that its verdicts do not explain: --strict, an interruption,
 * or a set-up that failed. */
static bool was_strict(const struct run_report *r)
{
  return r->exit_code == 1 && run_exit_code(r) != 1 &&
         run_count(r, VERDICT_WARN) > 0;
}

static bool was_broken_off(const struct run_report *r)
{
  return r->exit_code != 0 && r->exit_code != run_exit_code(r) &&
         !was_strict(r);
}

static void note_ends(struct notes *notes, const struct loaded_run *r)
{
  for (size_t i = 0; r->notes && r->notes[i]; i++)
    note(notes, mem_strdup(r->notes[i]));
  if (was_broken_off(&r->run))
    note(notes, mem_format("%s ended with exit code %d: it may lack scenarios",
                           r->name, r->run.exit_code));
}

/* --- all of it ------------------------------------------------------------ */

/* Before the results are moved: the joined run's exit code is at least as bad
 * as what a shard said beyond its verdicts. */
static void survey(const struct loaded_run *runs, size_t n, struct notes *notes,
                   bool *ret_strict, bool *ret_broken)
{
  for (size_t i = 0; i < n; i++) {
    note_ends(notes, &runs[i]);
    if (i > 0)
      note_differences(notes, &runs[0], &runs[i]);
    *ret_strict = *ret_strict || was_strict(&runs[i].run);
    *ret_broken = *ret_broken || was_broken_off(&runs[i].run);
  }
}

static char **copy_words(char *const *words)
{
  size_t n = 0;
  while (words && words[n])
    n++;
  char **copy = mem_zalloc((n + 1) * sizeof *copy);
  for (size_t i = 0; i < n; i++)
    copy[i] = mem_strdup(words[i]);
  return copy;
}

static void take_head(struct loaded_run *ret, const struct loaded_run *runs,
                      size_t n)
{
  ret->name = mem_strdup("joined");
  ret->version = mem_strdup(runs[0].version);
  ret->client = copy_words(runs[0].client);
  ret->run.seed = runs[0].run.seed;
  for (size_t i = 0; i < n; i++)
    ret->run.seconds += runs[i].run.seconds;
}

static void decide_exit(struct run_report *run, bool strict, bool broken)
{
  run->exit_code = run_exit_code(run);
  if (strict && run_count(run, VERDICT_WARN) > 0)
    run->exit_code = 1;
  if (run->exit_code == 0 && broken)
    run->exit_code = 3;
}

int join_runs(struct loaded_run *ret, struct loaded_run *runs, size_t n,
              const struct join_options *o, struct diag *diag)
{
  struct notes notes = {0};
  bool strict = o->strict, broken = false;
  size_t npieces = 0;
  memset(ret, 0, sizeof *ret);
  struct piece *list = pieces_of(runs, n, &npieces);
  survey(runs, n, &notes, &strict, &broken);
  take_head(ret, runs, n);
  ret->notes = notes.item;
  ret->run.version = ret->version;
  ret->run.client = (const char *const *)ret->client;
  ret->run.notes = (const char *const *)ret->notes;
  int rc = join_results(ret, list, npieces, o->twice, diag);
  free(list);
  if (rc < 0)
    run_unload(ret);
  else
    decide_exit(&ret->run, strict, broken);
  return rc;
}

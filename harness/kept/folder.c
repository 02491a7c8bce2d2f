#include "harness/kept/folder.h"

#include "harness/capture.h"
#include "harness/keep.h"

#include "base/file.h"
#include "base/json_exact.h"
#include "base/param.h"

#include <string.h>

/* Ceiling of a journal: 256 MB of bodies, escaped, and what stands around
 * them (journal.c keeps no more text than that). */
#define MAX_JOURNAL ((size_t)1 << 30)
/* run.c keeps 1 MB of side effects. */
#define MAX_SIDE_EFFECTS ((size_t)1 << 20)

static char *path_in(const char *folder, const char *name)
{
  return mem_format("%s/%s", folder, name);
}

static bool is_there(const char *folder, const char *name)
{
  char *path = path_in(folder, name);
  bool there = file_exists(path);
  free(path);
  return there;
}

bool kept_is_folder(const char *path)
{
  return is_there(path, KEPT_FACTS);
}

static int read_into(struct buf *ret, const char *folder, const char *name,
                     size_t max, struct diag *diag)
{
  char *path = path_in(folder, name);
  buf_init(ret, max);
  int rc = file_read(path, ret, diag);
  free(path);
  return rc;
}

int kept_facts(struct facts_file *ret, const char *folder, struct diag *diag)
{
  struct buf text;
  char *path = path_in(folder, KEPT_FACTS);
  int rc = read_into(&text, folder, KEPT_FACTS, JSON_MAX_BYTES, diag);
  if (rc == 0)
    rc = facts_read(ret, path, buf_bytes(&text), diag);
  buf_release(&text);
  free(path);
  return rc;
}

/* --- the scenario ---------------------------------------------------------
 */

/* The text with the files that steps name pointed at the folder's own, which
 * have the steps' numbers. Lines keep their numbers. */
static void point_files(const struct json_doc *doc, struct buf *ret)
{
  struct jval root = json_root(doc), steps, file;
  size_t from = 0, at = 0, n = 0;
  int count = jval_member(&root, "steps", &steps) ? jval_count(&steps) : 0;
  for (int i = 0; i < count; i++) {
    struct jval step = jval_item(&steps, i);
    if (!jval_member(&step, "file", &file) || !json_span(&file, &at, &n))
      continue;
    buf_add(ret, doc->text + from, at - from);
    buf_addf(ret, "\"" KEPT_FILES "/%d\"", i);
    from = at + n;
  }
  buf_add(ret, doc->text + from, doc->n - from);
}

/* The same with another `expect`; its places are then nobody's. */
static int parse_with(struct scenario *ret, const char *path, struct bytes text,
                      const cJSON *expect, struct diag *diag)
{
  struct json_doc doc;
  if (!expect)
    return scenario_parse(ret, path, text, diag);
  if (json_parse(&doc, path, text, diag) < 0)
    return -1;
  cJSON_DeleteItemFromObjectCaseSensitive(doc.root, "expect");
  cJSON_AddItemToObject(doc.root, "expect", cJSON_Duplicate(expect, 1));
  char *printed = cJSON_Print(doc.root);
  int rc = printed ? scenario_parse(ret, path, bytes_of(printed), diag)
                   : diag_set(diag, "cannot print the scenario");
  cJSON_free(printed);
  json_release(&doc);
  return rc;
}

int kept_scenario(struct scenario *ret, const char *folder, const cJSON *expect,
                  struct diag *diag)
{
  struct json_doc doc;
  char *path = path_in(folder, is_there(folder, KEPT_POINT) ? KEPT_POINT
                                                            : KEPT_SCENARIO);
  int rc = json_load(&doc, path, diag);
  if (rc == 0) {
    struct buf text;
    buf_init(&text, 2 * JSON_MAX_BYTES);
    point_files(&doc, &text);
    rc = parse_with(ret, path, buf_bytes(&text), expect, diag);
    buf_release(&text);
    json_release(&doc);
  }
  free(path);
  return rc;
}

/* `expect` of another scenario, which must be right by itself. */
static int load_with(struct scenario *ret, const char *folder,
                     const char *expect, struct diag *diag)
{
  struct scenario other;
  struct spec spec;
  if (!expect)
    return kept_scenario(ret, folder, NULL, diag);
  if (scenario_load(&other, expect, diag) < 0)
    return -1;
  int rc = spec_load(&spec, &other, diag);
  if (rc == 0) {
    const cJSON *list = param_node(other.doc.root, "expect");
    rc = list ? kept_scenario(ret, folder, list, diag)
              : diag_set(diag, "'%s' expects nothing", expect);
    spec_release(&spec);
  } else {
    diag_in_file(diag, expect);
  }
  scenario_release(&other);
  return rc;
}

static int load_scenario(struct kept *k, const struct kept_changes *changes,
                         struct diag *diag)
{
  if (load_with(&k->scenario, k->folder, changes->expect, diag) < 0)
    return -1;
  k->has_spec = spec_load(&k->spec, &k->scenario, diag) == 0;
  if (!k->has_spec)
    diag_in_file(diag, k->scenario.doc.name);
  return k->has_spec ? 0 : -1;
}

static int load_policy(struct kept *k, const struct kept_changes *changes,
                       struct diag *diag)
{
  policy_none(&k->policy);
  if (changes->policy)
    k->policy_path = mem_strdup(changes->policy);
  else if (k->facts.facts.policy_file)
    k->policy_path = path_in(k->folder, KEPT_POLICY);
  return k->policy_path ? policy_load(&k->policy, k->policy_path, diag) : 0;
}

/* --- what the client did ----------------------------------------------------
 */

static int load_journal(struct kept *k, struct diag *diag)
{
  struct buf text;
  char *path = path_in(k->folder, KEPT_JOURNAL);
  int rc = read_into(&text, k->folder, KEPT_JOURNAL, MAX_JOURNAL, diag);
  if (rc == 0)
    rc = journal_read(&k->journal, path, buf_bytes(&text), diag);
  buf_release(&text);
  free(path);
  return rc;
}

static int load_output(struct kept *k, const struct client_start *s,
                       const char *stream, struct buf *ret, struct diag *diag)
{
  char name[128];
  keep_output_name(s, k->facts.facts.nstarts, stream, name, sizeof name);
  if (strchr(name, '/'))
    return diag_set(diag, KEPT_FACTS ": the lane '%s' is no lane's name",
                    s->lane);
  return read_into(ret, k->folder, name, CAPTURE_MAX_BYTES, diag);
}

static int load_outputs(struct kept *k, struct diag *diag)
{
  size_t n = k->facts.facts.nstarts;
  k->noutputs = 2 * n;
  k->outputs = mem_zalloc((k->noutputs + 1) * sizeof *k->outputs);
  for (size_t i = 0; i < n; i++) {
    struct client_start *s = &k->facts.starts[i];
    struct buf *out = &k->outputs[2 * i];
    if (load_output(k, s, "stdout", out, diag) < 0 ||
        load_output(k, s, "stderr", out + 1, diag) < 0)
      return -1;
    s->out = buf_bytes(out);
    s->err = buf_bytes(out + 1);
  }
  return read_into(&k->side_effects, k->folder, KEPT_SIDE_EFFECTS,
                   MAX_SIDE_EFFECTS, diag);
}

/* Verdicts are made of the lines, so that all of them have to be there, as
 * they were written. */
static int check_jumps(const struct kept *k, const char *path,
                       struct bytes text, struct diag *diag)
{
  const struct facts *f = &k->facts.facts;
  if (k->jumps.total != f->time->jumps)
    diag_set(diag, "has %llu jumps, and the run had %llu (" KEPT_FACTS ")",
             (unsigned long long)k->jumps.total,
             (unsigned long long)f->time->jumps);
  else if (f->jumps_hash && bytes_hash(text) != f->jumps_hash)
    diag_set(diag, "is not what the run wrote: a line was changed (jumps_hash "
                   "in " KEPT_FACTS ")");
  else
    return 0;
  diag_in_file(diag, path);
  return -1;
}

static int load_jumps(struct kept *k, struct diag *diag)
{
  struct facts_time *time = k->facts.time;
  struct buf text;
  if (!time)
    return 0;
  char *path = path_in(k->folder, KEPT_JUMPS);
  int rc = read_into(&text, k->folder, KEPT_JUMPS, KEPT_JUMPS_BYTES, diag);
  if (rc == 0)
    rc = jump_log_read(&k->jumps, time->report.start_ns, path, buf_bytes(&text),
                       diag);
  if (rc == 0)
    rc = check_jumps(k, path, buf_bytes(&text), diag);
  time->report.log = &k->jumps;
  buf_release(&text);
  free(path);
  return rc;
}

static int check_steps(const struct kept *k, struct diag *diag)
{
  if (k->facts.facts.nsteps == k->scenario.nsteps)
    return 0;
  diag_set(diag, "counts the uses of %zu steps, the scenario has %zu",
           k->facts.facts.nsteps, k->scenario.nsteps);
  diag_in_file(diag, k->facts.doc.name);
  return -1;
}

static void load_shared(struct kept *k)
{
  char *shared = path_in(k->folder, KEPT_SHARED);
  run_files_init(&k->files, &k->spec, shared);
  free(shared);
}

static void fill_evidence(struct kept *k)
{
  const struct facts *f = &k->facts.facts;
  struct evidence *e = &k->evidence;
  size_t n = k->journal.n;
  k->all = mem_zalloc((n + 1) * sizeof *k->all);
  k->calls = mem_zalloc((n + 1) * sizeof *k->calls);
  for (size_t i = 0; i < n; i++)
    k->all[i] = &k->journal.attempts[i];
  *e = (struct evidence){.scenario = &k->scenario,
                         .spec = &k->spec,
                         .policy = &k->policy,
                         .starts = f->starts,
                         .nstarts = f->nstarts,
                         .step_uses = f->step_uses,
                         .start_ns = f->start_ns,
                         .end_ns = f->end_ns,
                         .no_faults = f->no_faults,
                         .all = k->all,
                         .nall = n,
                         .wall_offset_ns = f->wall_offset_ns,
                         .side_effects = buf_bytes(&k->side_effects),
                         .files = k->files.file,
                         .nfiles = k->files.n,
                         .vtime = f->time,
                         .at_unused = f->at.said && !f->time};
  evidence_sort(e, k->calls);
}

static int load_evidence(struct kept *k, struct diag *diag)
{
  if (k->facts.facts.error)
    return 0;
  if (load_journal(k, diag) < 0 || load_outputs(k, diag) < 0 ||
      check_steps(k, diag) < 0 || load_jumps(k, diag) < 0)
    return -1;
  load_shared(k);
  fill_evidence(k);
  return 0;
}

static int load_report(struct kept *k, struct diag *diag)
{
  char *path = path_in(k->folder, KEPT_REPORT);
  struct buf raw, exact;
  /* as large as the journal: its attempts are in it */
  int rc = read_into(&raw, k->folder, KEPT_REPORT, MAX_JOURNAL, diag);
  buf_init(&exact, 2 * MAX_JOURNAL);
  json_exact(buf_bytes(&raw), &exact);
  if (rc == 0)
    rc = json_parse(&k->report, path, buf_bytes(&exact), diag);
  buf_release(&raw);
  buf_release(&exact);
  free(path);
  return rc;
}

int kept_load(struct kept *ret, const char *folder,
              const struct kept_changes *changes, struct diag *diag)
{
  memset(ret, 0, sizeof *ret);
  ret->folder = mem_strdup(folder);
  if (kept_facts(&ret->facts, folder, diag) == 0 &&
      load_scenario(ret, changes, diag) == 0 &&
      load_policy(ret, changes, diag) == 0 && load_evidence(ret, diag) == 0 &&
      load_report(ret, diag) == 0)
    return 0;
  kept_release(ret);
  return -1;
}

void kept_release(struct kept *k)
{
  for (size_t i = 0; i < k->noutputs; i++)
    buf_release(&k->outputs[i]);
  free(k->outputs);
  buf_release(&k->side_effects);
  run_files_release(&k->files);
  jump_log_release(&k->jumps);
  free(k->all);
  free(k->calls);
  journal_copy_release(&k->journal);
  policy_release(&k->policy);
  free(k->policy_path);
  if (k->has_spec)
    spec_release(&k->spec);
  scenario_release(&k->scenario);
  facts_release(&k->facts);
  if (k->report.root)
    json_release(&k->report);
  free(k->folder);
  memset(k, 0, sizeof *k);
}

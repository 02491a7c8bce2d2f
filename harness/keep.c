#include "harness/keep.h"

#include "harness/launch.h"

#include "base/file.h"
#include "base/param.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Ceiling of run.json: 10,000 starts with a sentence each. */
#define MAX_FACTS JSON_MAX_BYTES

char *keep_folder(const char *dir, const char *address)
{
  return mem_format("%s/%s", dir, address);
}

static int put(const struct keep_input *in, const char *name,
               struct bytes content, struct diag *diag)
{
  char *path = mem_format("%s/%s", in->folder, name);
  int rc = file_write(path, content, diag);
  free(path);
  return rc;
}

/* What an earlier run left there would be taken for this one's. */
static int remove_file(const char *folder, const char *name, struct diag *diag)
{
  char *path = mem_format("%s/%s", folder, name);
  int rc =
      unlink(path) == 0 || errno == ENOENT
          ? 0
          : diag_set(diag, "cannot remove '%s': %s", path, strerror(errno));
  free(path);
  return rc;
}

static int leave_out(const struct keep_input *in, const char *name,
                     struct diag *diag)
{
  return remove_file(in->folder, name, diag);
}

int keep_begin(const char *folder, struct diag *diag)
{
  if (file_mkdirs(folder, diag) < 0)
    return -1;
  return remove_file(folder, KEPT_FACTS, diag);
}

static int copy(const struct keep_input *in, const char *from, const char *name,
                struct diag *diag)
{
  struct buf text;
  if (!from)
    return leave_out(in, name, diag);
  buf_init(&text, JSON_MAX_BYTES);
  int rc = file_read(from, &text, diag);
  if (rc == 0)
    rc = put(in, name, buf_bytes(&text), diag);
  buf_release(&text);
  return rc;
}

/* --- the scenario ---------------------------------------------------------
 */

/* What ran is what the file says. */
static bool is_whole(const struct keep_input *in)
{
  struct json_doc doc;
  struct diag none = {0};
  const struct json_doc *ran = &in->scenario->doc;
  if (json_load(&doc, in->scenario_path, &none) < 0)
    return false;
  bool same = bytes_equal((struct bytes){doc.text, doc.n},
                          (struct bytes){ran->text, ran->n});
  json_release(&doc);
  return same;
}

static int put_point(const struct keep_input *in, struct diag *diag)
{
  const struct json_doc *ran = &in->scenario->doc;
  if (is_whole(in))
    return leave_out(in, KEPT_POINT, diag);
  return put(in, KEPT_POINT, (struct bytes){ran->text, ran->n}, diag);
}

static int put_files(const struct keep_input *in, struct diag *diag)
{
  for (size_t i = 0; i < in->scenario->nsteps; i++) {
    const struct step *s = &in->scenario->steps[i];
    const char *file = NULL;
    if (!param_string(s->node, "file", &file))
      continue;
    char *folder = mem_format("%s/" KEPT_FILES, in->folder);
    char *name = mem_format(KEPT_FILES "/%zu", i);
    int rc = file_mkdirs(folder, diag);
    if (rc == 0)
      rc = put(in, name, buf_bytes(&s->file), diag);
    free(folder);
    free(name);
    if (rc < 0)
      return -1;
  }
  return 0;
}

/* --- what the client did ----------------------------------------------------
 */

void keep_output_name(const struct client_start *s, size_t nstarts,
                      const char *stream, char *ret, size_t size)
{
  if (nstarts > 1)
    snprintf(ret, size, "%s%s%d.%s", s->lane, s->lane[0] ? "." : "",
             s->number + 1, stream);
  else
    snprintf(ret, size, "%s", stream);
}

static int put_output(const struct keep_input *in, const struct client_start *s,
                      const char *stream, struct bytes content,
                      struct diag *diag)
{
  char name[128];
  keep_output_name(s, in->evidence->nstarts, stream, name, sizeof name);
  return put(in, name, content, diag);
}

static int put_outputs(const struct keep_input *in, struct diag *diag)
{
  const struct evidence *e = in->evidence;
  for (size_t i = 0; e && i < e->nstarts; i++)
    if (put_output(in, &e->starts[i], "stdout", e->starts[i].out, diag) < 0 ||
        put_output(in, &e->starts[i], "stderr", e->starts[i].err, diag) < 0)
      return -1;
  return e ? put(in, KEPT_SIDE_EFFECTS, e->side_effects, diag)
           : leave_out(in, KEPT_SIDE_EFFECTS, diag);
}

/* One byte more than is ever read says that the rest is missing. */
static int put_shared_file(const struct keep_input *in,
                           const struct client_file *file, struct diag *diag)
{
  char *name = mem_format(KEPT_SHARED "/%s", file->name);
  char *folder = mem_format("%s/%s", in->folder, name);
  struct buf text;
  *strrchr(folder, '/') = '\0';
  buf_init(&text, file->text.n + 1);
  buf_addb(&text, file->text);
  if (file->cut)
    buf_addc(&text, '\n');
  int rc = file_mkdirs(folder, diag);
  if (rc == 0)
    rc = put(in, name, buf_bytes(&text), diag);
  buf_release(&text);
  free(folder);
  free(name);
  return rc;
}

static int put_shared(const struct keep_input *in, struct diag *diag)
{
  const struct evidence *e = in->evidence;
  char *folder = mem_format("%s/" KEPT_SHARED, in->folder);
  int rc = 0;
  file_remove_tree(folder);
  for (size_t i = 0; rc == 0 && e && i < e->nfiles; i++)
    if (e->files[i].there)
      rc = put_shared_file(in, &e->files[i], diag);
  free(folder);
  return rc;
}

/* --- what is known of the run --------------------------------------------- */

static int put_json(const struct keep_input *in, const char *name,
                    const cJSON *json, struct diag *diag)
{
  char *text = cJSON_Print(json);
  int rc = text ? put(in, name, bytes_of(text), diag)
                : diag_set(diag, "cannot print %s", name);
  cJSON_free(text);
  return rc;
}

static int put_jumps(const struct keep_input *in, uint64_t *ret_hash,
                     struct diag *diag)
{
  struct buf text;
  const struct vtime_report *r = in->evidence ? in->evidence->vtime : NULL;
  if (!r)
    return leave_out(in, KEPT_JUMPS, diag);
  buf_init(&text, KEPT_JUMPS_BYTES);
  jump_log_write(r->log, r->start_ns, &text);
  int rc = text.full ? diag_set(diag, KEPT_JUMPS " would be too large")
                     : put(in, KEPT_JUMPS, buf_bytes(&text), diag);
  *ret_hash = bytes_hash(buf_bytes(&text));
  buf_release(&text);
  return rc;
}

static int put_versions(const struct keep_input *in, struct diag *diag)
{
  struct utsname u;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "faultwire", FAULTWIRE_VERSION);
  if (uname(&u) == 0) {
    cJSON_AddStringToObject(o, "system", u.sysname);
    cJSON_AddStringToObject(o, "release", u.release);
    cJSON_AddStringToObject(o, "machine", u.machine);
  }
  cJSON *client = cJSON_AddArrayToObject(o, "client");
  for (const char *const *word = in->facts->command; *word; word++)
    cJSON_AddItemToArray(client, cJSON_CreateString(*word));
  int rc = put_json(in, "versions.json", o, diag);
  cJSON_Delete(o);
  return rc;
}

/* The names alone: an environment made of empty words, its values cut. */
static char **environment(const struct keep_input *in)
{
  struct launch_words w = {.ca = in->scenario->tls.on ? "" : NULL,
                           .lane = "",
                           .home = "",
                           .shared = "",
                           .tmp = "",
                           .provider = "",
                           .mode = "",
                           .scenario = "",
                           .after_cut = "",
                           .env = in->env};
  char **env = launch_env(in->spec, &w);
  for (char **entry = env; *entry; entry++)
    (*entry)[strcspn(*entry, "=")] = '\0';
  return env;
}

static void add_evidence(struct facts *f, const struct evidence *e)
{
  if (!e)
    return;
  f->start_ns = e->start_ns;
  f->end_ns = e->end_ns;
  f->wall_offset_ns = e->wall_offset_ns;
  f->step_uses = e->step_uses;
  f->nsteps = e->scenario->nsteps;
  f->starts = e->starts;
  f->nstarts = e->nstarts;
  f->time = e->vtime;
}

static int put_facts(const struct keep_input *in, uint64_t jumps_hash,
                     struct diag *diag)
{
  struct facts f = *in->facts;
  struct buf text;
  char **env = environment(in);
  const char **names = NULL;
  size_t n = 0;
  for (; env[n]; n++) {
    names = mem_realloc(names, (n + 2) * sizeof *names);
    names[n] = env[n];
    names[n + 1] = NULL;
  }
  f.environment = names;
  add_evidence(&f, in->evidence);
  f.jumps_hash = jumps_hash;
  buf_init(&text, MAX_FACTS);
  facts_write(&f, &text);
  int rc = text.full ? diag_set(diag, KEPT_FACTS " would be too large")
                     : put(in, KEPT_FACTS, buf_bytes(&text), diag);
  buf_release(&text);
  free(names);
  launch_free_list(env);
  return rc;
}

int keep_write(const struct keep_input *in, struct diag *diag)
{
  uint64_t hash = 0;
  if (copy(in, in->scenario_path, KEPT_SCENARIO, diag) < 0 ||
      put_point(in, diag) < 0 || put_files(in, diag) < 0 ||
      copy(in, in->policy_path, KEPT_POLICY, diag) < 0 ||
      put_outputs(in, diag) < 0 || put_shared(in, diag) < 0 ||
      put_jumps(in, &hash, diag) < 0 || put_facts(in, hash, diag) < 0 ||
      put_json(in, KEPT_REPORT, in->result, diag) < 0)
    return -1;
  return put_versions(in, diag);
}

#include "harness/keep.h"

#include "base/file.h"

#include <string.h>
#include <sys/utsname.h>

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

static int copy(const struct keep_input *in, const char *from, const char *name,
                struct diag *diag)
{
  struct buf text;
  if (!from)
    return 0;
  buf_init(&text, JSON_MAX_BYTES);
  int rc = file_read(from, &text, diag);
  if (rc == 0)
    rc = put(in, name, buf_bytes(&text), diag);
  buf_release(&text);
  return rc;
}

/* "stdout" of the only start; "one.2.stdout" of the second in lane one. */
static int put_output(const struct keep_input *in, const struct client_start *s,
                      const char *stream, struct bytes content,
                      struct diag *diag)
{
  char name[128] = "";
  if (in->evidence->nstarts > 1)
    snprintf(name, sizeof name, "%s%s%d.", s->lane, s->lane[0] ? "." : "",
             s->number + 1);
  size_t n = strlen(name);
  snprintf(name + n, sizeof name - n, "%s", stream);
  return put(in, name, content, diag);
}

static int put_outputs(const struct keep_input *in, struct diag *diag)
{
  for (size_t i = 0; in->evidence && i < in->evidence->nstarts; i++) {
    const struct client_start *s = &in->evidence->starts[i];
    if (put_output(in, s, "stdout", s->out, diag) < 0 ||
        put_output(in, s, "stderr", s->err, diag) < 0)
      return -1;
  }
  return 0;
}

/* "shared.guard.prom"; the folders of a path are part of the name. */
static int put_files(const struct keep_input *in, struct diag *diag)
{
  for (size_t i = 0; in->evidence && i < in->evidence->nfiles; i++) {
    const struct client_file *file = &in->evidence->files[i];
    if (!file->there)
      continue;
    char *name = mem_format("shared.%s", file->name);
    for (char *slash = name; (slash = strchr(slash, '/')) != NULL;)
      *slash = '.';
    int rc = put(in, name, file->text, diag);
    free(name);
    if (rc < 0)
      return -1;
  }
  return 0;
}

static int put_json(const struct keep_input *in, const char *name,
                    const cJSON *json, struct diag *diag)
{
  char *text = cJSON_Print(json);
  int rc = text ? put(in, name, bytes_of(text), diag)
                : diag_set(diag, "cannot print %s", name);
  cJSON_free(text);
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
  for (const char *const *word = in->command; *word; word++)
    cJSON_AddItemToArray(client, cJSON_CreateString(*word));
  int rc = put_json(in, "versions.json", o, diag);
  cJSON_Delete(o);
  return rc;
}

int keep_write(const struct keep_input *in, struct diag *diag)
{
  if (copy(in, in->scenario_path, "scenario.json", diag) < 0 ||
      copy(in, in->policy_path, "policy.json", diag) < 0 ||
      put_outputs(in, diag) < 0 || put_files(in, diag) < 0 ||
      put_json(in, "report.json", in->result, diag) < 0)
    return -1;
  return put_versions(in, diag);
}

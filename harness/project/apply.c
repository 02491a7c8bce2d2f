#include "harness/project/project.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A text that lives as long as the project. */
static char *own(struct project *p, char *text)
{
  p->owned = mem_realloc(p->owned, (p->nowned + 1) * sizeof *p->owned);
  p->owned[p->nowned++] = text;
  return text;
}

/* --- what the command line says ------------------------------------------ */

static const char *absolute(struct project *p, const char *cwd,
                            const char *path)
{
  if (!path || *path == '/')
    return path;
  return own(p, mem_format("%s/%s", cwd, path));
}

/* KIND=FILE */
static const char *absolute_file(struct project *p, const char *cwd,
                                 const char *item)
{
  const char *equals = strchr(item, '=');
  if (!equals || equals[1] == '/' || !equals[1])
    return item;
  return own(
      p, mem_format("%.*s=%s/%s", (int)(equals - item), item, cwd, equals + 1));
}

static void make_absolute(struct project *p, struct test_options *o,
                          const char *cwd)
{
  o->policy = absolute(p, cwd, o->policy);
  o->evidence = absolute(p, cwd, o->evidence);
  for (int i = 0; i < o->npaths; i++)
    if (*o->paths[i] != '/')
      o->paths[i] = own(p, mem_format("%s/%s", cwd, o->paths[i]));
  for (int i = 0; i < o->out.files.n; i++)
    o->out.files.item[i] = absolute_file(p, cwd, o->out.files.item[i]);
}

/* What the project says counts from its folder, so that is where we go. */
static int go_to_folder(struct project *p, struct test_options *o,
                        struct diag *diag)
{
  char *cwd = getcwd(NULL, 0), *folder = mem_strdup(p->path);
  char *slash = strrchr(folder, '/');
  *(slash == folder ? slash + 1 : slash) = '\0';
  int rc = 0;
  if (!cwd || strcmp(cwd, folder) != 0) {
    p->moved = true;
    make_absolute(p, o, cwd ? cwd : ".");
    if (chdir(folder) < 0)
      rc = diag_set(diag, "cannot go to '%s': %s", folder, strerror(errno));
  }
  free(cwd);
  free(folder);
  return rc;
}

/* --- what the file says ----------------------------------------------------
 */

static void take_list(struct option_list *ret, const cJSON *root,
                      const char *key)
{
  const cJSON *item = NULL;
  if (ret->n)
    return;
  cJSON_ArrayForEach(item, param_node(root, key))
  {
    ret->item[ret->n++] = item->valuestring;
  }
}

static void take_text(const char **ret, const cJSON *root, const char *key)
{
  if (!*ret)
    param_string(root, key, ret);
}

/* Reports on the command line take the place of the file's. */
static void take_outputs(struct project *p, struct test_options *o)
{
  const cJSON *item = NULL;
  struct option_list *files = &o->out.files;
  if (files->n)
    return;
  cJSON_ArrayForEach(item, param_node(p->doc.root, "outputs"))
  {
    files->item[files->n++] =
        own(p, mem_format("%s=%s", item->string, item->valuestring));
  }
}

static void take_numbers(const cJSON *root, struct test_options *o)
{
  bool strict = false;
  if (o->jobs == 0)
    param_int(root, "jobs", &o->jobs);
  if (o->seed < 0)
    param_int(root, "seed", &o->seed);
  if (!(o->limit_s > 0))
    param_number(root, "limit_s", &o->limit_s);
  if (param_bool(root, "strict", &strict))
    o->strict |= strict;
}

/* A scenario counts before the project, so that it is kept apart. */
static void take_time(const struct project *p, struct test_options *o)
{
  struct jval root = json_root(&p->doc), v;
  struct diag none = {0};
  o->timing.project =
      (enum time_word)param_word(p->doc.root, "time", time_words, TIME_UNSAID);
  o->project_limits = run_limits_read(p->doc.root);
  if (jval_member(&root, "at", &v))
    wall_at_read(&v, &o->timing.project_at, &none); /* was checked */
}

static char *text_in(struct project *p, const char *text, struct diag *diag)
{
  size_t n = strlen(PROJECT_SHIPPED);
  if (strncmp(text, PROJECT_SHIPPED, n) != 0)
    return own(p, mem_strdup(text));
  char *shipped = project_shipped();
  if (!shipped) {
    diag_set(diag,
             "the scenarios that came with faultwire are not found, "
             "which '%s' asks for",
             text);
    return NULL;
  }
  char *path = own(p, mem_format("%s%s", shipped, text + n));
  free(shipped);
  return path;
}

/* Paths and command in one new list, where the command line left one open. */
static int take_words(struct project *p, struct test_options *o,
                      struct diag *diag)
{
  const cJSON *suite = param_node(p->doc.root, "suite"), *item = NULL;
  const cJSON *client = param_node(p->doc.root, "client");
  size_t room = (size_t)o->npaths + (size_t)o->ncommand + 3 +
                (size_t)cJSON_GetArraySize(suite) +
                (size_t)cJSON_GetArraySize(client);
  char **words = mem_zalloc(room * sizeof *words), **w = words;
  for (int i = 0; i < o->npaths; i++)
    *w++ = o->paths[i];
  if (o->npaths == 0 && !suite)
    *w++ = text_in(p, PROJECT_SHIPPED, diag);
  if (o->npaths == 0)
    cJSON_ArrayForEach(item, suite) *w++ = text_in(p, item->valuestring, diag);
  int npaths = (int)(w - words);
  for (int i = 0; i < o->ncommand; i++)
    *w++ = o->command[i];
  if (o->ncommand == 0)
    cJSON_ArrayForEach(item, client) *w++ =
        own(p, mem_strdup(item->valuestring));
  o->ncommand = (int)(w - words) - npaths;
  o->npaths = npaths;
  o->paths = words;
  o->command = words + npaths;
  free(o->words);
  o->words = words;
  return diag->set ? -1 : 0;
}

int project_apply(struct project *p, struct test_options *o, struct diag *diag)
{
  const cJSON *root = p->doc.root;
  if (go_to_folder(p, o, diag) < 0)
    return -1;
  take_text(&o->policy, root, "policy");
  take_text(&o->provider, root, "provider");
  take_text(&o->channel, root, "channel");
  take_text(&o->evidence, root, "evidence");
  take_text(&o->out.format, root, "format");
  take_list(&o->only, root, "only");
  take_list(&o->tags, root, "tags");
  take_list(&o->not_tags, root, "not_tags");
  take_outputs(p, o);
  take_numbers(root, o);
  take_time(p, o);
  return take_words(p, o, diag);
}

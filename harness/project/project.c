#include "harness/project/project.h"

#include "base/words.h"
#include "harness/report/report.h"
#include "mockserver/provider/provider.h"

#include <errno.h>
#include <string.h>

static const char *const channels[] = {"http", "https", "command", "any", NULL};

const struct param project_params[] = {
    {.name = "client",
     .type = PARAM_STRINGS,
     .required = true,
     .summary = "the client's command, word by word"},
    {.name = "provider",
     .type = PARAM_STRING,
     .summary = "whose API it calls; scenarios of others are left out"},
    {.name = "environment",
     .type = PARAM_OBJECT,
     .summary = "variables of the client: names, and texts in which {BASE} and "
                "its like are replaced"},
    {.name = "policy", .type = PARAM_STRING, .summary = "the policy file"},
    {.name = "suite",
     .type = PARAM_STRINGS,
     .summary = "scenarios and folders; {SCENARIOS} are the shipped ones"},
    {.name = "channel",
     .type = PARAM_WORD,
     .words = channels,
     .summary = "what the client calls, for scenarios in folders"},
    {.name = "only",
     .type = PARAM_STRINGS,
     .summary = "only scenarios with such an address"},
    {.name = "tags",
     .type = PARAM_STRINGS,
     .summary = "only scenarios with one of these tags"},
    {.name = "not_tags",
     .type = PARAM_STRINGS,
     .summary = "no scenarios with one of these tags"},
    {.name = "jobs",
     .type = PARAM_INT,
     .min = 1,
     .max = 256,
     .summary = "scenarios at one time; default one per core"},
    {.name = "seed",
     .type = PARAM_INT,
     .min = 0,
     .max = 9007199254740992.0,
     .summary = "start of everything random"},
    {.name = "limit_s",
     .type = PARAM_NUMBER,
     .min = 0.1,
     .max = 86400,
     .summary = "seconds a client may run, instead of the scenario's"},
    {.name = "time",
     .type = PARAM_WORD,
     .words = time_words,
     .summary = "real, virtual, scaled, or auto: virtual where it works, else "
                "scaled"},
    {.name = "at",
     .type = PARAM_LITERAL,
     .summary = "virtual time: where the wall clock begins, RFC 3339 with its "
                "zone or seconds since 1970"},
    {.name = "real_limit_s",
     .type = PARAM_NUMBER,
     .min = RUN_LIMITS_REAL_MIN_S,
     .max = RUN_LIMITS_REAL_MAX_S,
     .summary = "virtual and scaled time: real seconds a run may take"},
    {.name = "attempt_limit",
     .type = PARAM_INT,
     .min = 1,
     .max = RUN_LIMITS_MAX_ATTEMPTS,
     .summary = "virtual time: calls a run may have"},
    {.name = "largest_jump_s",
     .type = PARAM_NUMBER,
     .min = 1,
     .max = RUN_LIMITS_JUMP_MAX_S,
     .summary = "virtual time: a client that wants to wait longer in one go "
                "is ended"},
    {.name = "strict",
     .type = PARAM_BOOL,
     .summary = "a warning counts as a failure"},
    {.name = "format", .type = PARAM_STRING, .summary = "the report on stdout"},
    {.name = "outputs",
     .type = PARAM_OBJECT,
     .summary = "reports in files: the kind, and the file's path"},
    {.name = "evidence",
     .type = PARAM_STRING,
     .summary = "folder for journal, outputs and report of each scenario"},
    {.name = NULL}};

/* --- checking ------------------------------------------------------------- */

static int unknown(const struct jval *v, const char *what, const char *word,
                   const char *const *known, bool key, struct diag *diag)
{
  char hint[512] = "";
  words_hint(word, known, hint, sizeof hint);
  return key ? jval_key_error(v, diag, "unknown %s '%s'%s", what, word, hint)
             : jval_error(v, diag, "unknown %s '%s'%s", what, word, hint);
}

static int check_provider(const struct jval *root, struct diag *diag)
{
  const char *known[32] = {0};
  struct jval v;
  if (!jval_member(root, "provider", &v) || provider_find(v.node->valuestring))
    return 0;
  for (int i = 0; providers[i] && i < 31; i++)
    known[i] = providers[i]->name;
  return unknown(&v, "provider", v.node->valuestring, known, false, diag);
}

static int check_kind(const struct jval *v, const char *kind, bool key,
                      struct diag *diag)
{
  const char *known[32] = {0};
  if (report_find(kind))
    return 0;
  for (int i = 0; reports[i] && i < 31; i++)
    known[i] = reports[i]->name;
  return unknown(v, "report", kind, known, key, diag);
}

static int check_outputs(const struct jval *root, struct diag *diag)
{
  struct jval v;
  const char *text = NULL;
  if (jval_member(root, "format", &v) &&
      check_kind(&v, v.node->valuestring, false, diag) < 0)
    return -1;
  if (!jval_member(root, "outputs", &v))
    return 0;
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval item = jval_item(&v, i);
    if (check_kind(&item, item.key, true, diag) < 0 ||
        jval_string(&item, &text, diag) < 0)
      return -1;
    if (!*text)
      return jval_error(&item, diag, "is no path");
  }
  return 0;
}

/* Names as a shell takes them (POSIX 2.9.1, XBD 3.235). */
static int check_variable(const struct jval *v, struct diag *diag)
{
  static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                              "abcdefghijklmnopqrstuvwxyz";
  const char *text = NULL;
  size_t n = strspn(v->key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                            "abcdefghijklmnopqrstuvwxyz0123456789");
  if (n == 0 || v->key[n] || !strchr(first, v->key[0]))
    return jval_key_error(v, diag, "'%s' is no name of a variable", v->key);
  return jval_string(v, &text, diag);
}

static int check_environment(const struct jval *root, struct diag *diag)
{
  struct jval v;
  if (!jval_member(root, "environment", &v))
    return 0;
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval item = jval_item(&v, i);
    if (check_variable(&item, diag) < 0)
      return -1;
  }
  return 0;
}

/* Lists that options take have room for so many (cmdline.h). */
static int check_lists(const struct jval *root, struct diag *diag)
{
  static const char *const lists[] = {"only", "tags", "not_tags"};
  enum { ROOM = sizeof(((struct option_list *)NULL)->item) / sizeof(char *) };
  struct jval v;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (jval_member(root, lists[i], &v) && jval_count(&v) > ROOM)
      return jval_error(&v, diag, "holds more than %d texts", (int)ROOM);
  jval_member(root, "client", &v);
  if (jval_count(&v) == 0 || !*jval_item(&v, 0).node->valuestring)
    return jval_error(&v, diag, "which client? its program is missing");
  return 0;
}

static int check_at(const struct jval *root, struct diag *diag)
{
  struct jval v;
  struct wall_at at;
  return jval_member(root, "at", &v) ? wall_at_read(&v, &at, diag) : 0;
}

static int check(const struct json_doc *doc, struct diag *diag)
{
  static const char *const others[] = {"$schema", NULL};
  const struct param *table = project_params;
  struct jval root = json_root(doc);
  return param_check(&root, &table, 1, others, diag) < 0 ||
                 check_lists(&root, diag) < 0 ||
                 check_provider(&root, diag) < 0 ||
                 check_outputs(&root, diag) < 0 || check_at(&root, diag) < 0 ||
                 check_environment(&root, diag) < 0
             ? -1
             : 0;
}

int project_load(struct project *ret, const char *path, struct diag *diag)
{
  struct project p = {0};
  if (json_load(&p.doc, path, diag) < 0)
    return -1;
  p.path = realpath(path, NULL);
  int rc = p.path
               ? check(&p.doc, diag)
               : diag_set(diag, "cannot find '%s': %s", path, strerror(errno));
  if (rc < 0) {
    project_release(&p);
    return -1;
  }
  p.env = param_node(p.doc.root, "environment");
  *ret = p;
  return 0;
}

void project_release(struct project *p)
{
  for (size_t i = 0; i < p->nowned; i++)
    free(p->owned[i]);
  free(p->owned);
  free(p->path);
  if (p->doc.root)
    json_release(&p->doc);
  memset(p, 0, sizeof *p);
}

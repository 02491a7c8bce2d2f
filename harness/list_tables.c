#include "harness/list_tables.h"

#include "harness/check/check.h"
#include "harness/policy.h"
#include "harness/report/report.h"
#include "harness/suite.h"
#include "mockserver/command/cli.h"
#include "mockserver/endpoint.h"
#include "mockserver/fault.h"
#include "mockserver/provider/provider.h"

#include <string.h>

/* One cell: names of keys or paths. */
#define MAX_CELL_BYTES ((size_t)16 << 10)

static void add_with_keys(struct rows *ret, const char *name,
                          const struct param *params, const char *summary)
{
  struct buf keys;
  buf_init(&keys, MAX_CELL_BYTES);
  for (const struct param *p = params; p && p->name; p++)
    buf_addf(&keys, "%s%s", keys.n ? ", " : "", p->name);
  rows_add(ret, name, buf_str(&keys), summary);
  buf_release(&keys);
}

static int fill_faults(struct rows *ret, const char *argument,
                       struct diag *diag)
{
  (void)argument, (void)diag;
  for (size_t i = 0; faults[i]; i++)
    add_with_keys(ret, faults[i]->name, faults[i]->params, faults[i]->summary);
  return 0;
}

static int fill_checks(struct rows *ret, const char *argument,
                       struct diag *diag)
{
  (void)argument, (void)diag;
  for (size_t i = 0; checks[i]; i++)
    add_with_keys(ret, checks[i]->name, checks[i]->params, checks[i]->summary);
  return 0;
}

static int fill_providers(struct rows *ret, const char *argument,
                          struct diag *diag)
{
  (void)argument, (void)diag;
  for (size_t i = 0; providers[i]; i++) {
    struct buf paths;
    buf_init(&paths, MAX_CELL_BYTES);
    for (const struct provider_path *p = providers[i]->paths; p->path; p++)
      if (p->endpoint == ENDPOINT_GENERATE)
        buf_addf(&paths, "%s%s", paths.n ? ", " : "", p->path);
    rows_add(ret, providers[i]->name, buf_str(&paths), providers[i]->summary);
    buf_release(&paths);
  }
  return 0;
}

static int fill_endpoints(struct rows *ret, const char *argument,
                          struct diag *diag)
{
  (void)argument, (void)diag;
  for (const struct endpoint_family *const *f = endpoint_families; *f; f++) {
    struct buf paths;
    buf_init(&paths, MAX_CELL_BYTES);
    for (const struct endpoint_route *r = (*f)->routes; r->name; r++)
      buf_addf(&paths, "%s%s: %s %s", paths.n ? ", " : "", r->name, r->method,
               r->path);
    rows_add(ret, (*f)->name, buf_str(&paths), (*f)->summary);
    buf_release(&paths);
  }
  return 0;
}

/* Each text once, whatever the versions. */
static int fill_commands(struct rows *ret, const char *argument,
                         struct diag *diag)
{
  (void)argument, (void)diag;
  for (size_t i = 0; command_clis[i]; i++) {
    const char *last = "";
    struct buf says;
    buf_init(&says, MAX_CELL_BYTES);
    for (const struct command_text *t = command_clis[i]->texts; t->says; t++) {
      if (strcmp(t->says, last) != 0)
        buf_addf(&says, "%s%s", says.n ? ", " : "", t->says);
      last = t->says;
    }
    rows_add(ret, command_clis[i]->name, buf_str(&says),
             command_clis[i]->summary);
    buf_release(&says);
  }
  return 0;
}

static int fill_tls(struct rows *ret, const char *argument, struct diag *diag)
{
  (void)argument, (void)diag;
  for (const struct tls_kind *k = tls_kinds; k->name; k++)
    rows_add(ret, k->name,
             k->act <= TLS_FIN ? k->act == TLS_STALL ? "where, for_s" : "where"
             : k->act == TLS_ALERT ? "alert"
                                   : "-",
             k->summary);
  return 0;
}

static int fill_reports(struct rows *ret, const char *argument,
                        struct diag *diag)
{
  (void)argument, (void)diag;
  for (size_t i = 0; reports[i]; i++)
    rows_add(ret, reports[i]->name, NULL, reports[i]->summary);
  return 0;
}

static void add_params(struct rows *ret, const char *prefix,
                       const struct param *params)
{
  for (const struct param *p = params; p->name; p++) {
    char *name = mem_format("%s%s", prefix, p->name);
    struct buf type;
    buf_init(&type, MAX_CELL_BYTES);
    param_describe(p, &type);
    rows_add(ret, name, buf_str(&type), p->summary);
    buf_release(&type);
    free(name);
  }
}

static int fill_policy(struct rows *ret, const char *argument,
                       struct diag *diag)
{
  (void)argument, (void)diag;
  add_params(ret, "", policy_params);
  add_params(ret, "breaker.", policy_breaker_params);
  return 0;
}

/* Every file must be right: a scenario that cannot run is not listed as if
 * it could. */
static int fill_scenarios(struct rows *ret, const char *argument,
                          struct diag *diag)
{
  char *folder = mem_strdup(argument ? argument : "harness/scenarios");
  struct suite_filter all = {0};
  struct suite suite;
  int rc = suite_load(&suite, &folder, 1, &all, diag);
  free(folder);
  if (rc < 0)
    return -1;
  for (size_t i = 0; i < suite.n; i++)
    rows_add(ret, suite.items[i].address, suite.items[i].scenario.name,
             suite.items[i].scenario.why);
  suite_release(&suite);
  return 0;
}

const struct list_source list_sources[] = {
    {"faults",
     "the kinds of fault the server can send",
     {"fault", "keys", "what the server does"},
     fill_faults},
    {"checks",
     "what a scenario can expect of a client",
     {"check", "keys", "what it judges"},
     fill_checks},
    {"providers",
     "the APIs the server speaks",
     {"provider", "paths", "what it is"},
     fill_providers},
    {"endpoints",
     "what the server answers besides generation calls",
     {"family", "endpoints", "what it is"},
     fill_endpoints},
    {"commands",
     "the programs whose texts a stand-in can say",
     {"command", "says", "what it is"},
     fill_commands},
    {"tls",
     "what can go wrong in a TLS handshake",
     {"TLS fault", "keys", "what the server does"},
     fill_tls},
    {"reports",
     "the forms of `test --report FORM=FILE`",
     {"report", NULL, "what it is for"},
     fill_reports},
    {"scenarios",
     "the scenarios of a folder",
     {"scenario", "title", "why"},
     fill_scenarios},
    {"policy",
     "the parameters of a policy file",
     {"parameter", "value", "what it says"},
     fill_policy},
    {.name = NULL}};

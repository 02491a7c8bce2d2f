#include "mutants/selftest.h"

#include "base/file.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The subject: four settings. The suite has one test a setting or two;
 * "alive" is the canary. */
static const char APP[] = "alive = yes\ndetect = on\nsleep = on\nspare = on\n";

/* Sets one variable a test from app.conf; `client` is what the client says,
 * when there is one. */
static const char LOOK[] =
    "s=$(cat app.conf)\n"
    "has() { case \"$s\" in *\"$1\"*) return 0 ;; esac; return 1; }\n"
    "alive=red backs_off=red waits=red timeouts=red kind=assert mark=\n"
    "has 'alive = yes' && alive=green timeouts=green\n"
    "has 'detect = on' && backs_off=green\n"
    "has 'detect = on' && has 'sleep = on' && waits=green\n";

static const char COMMAND_END[] =
    "code=0 sep=\n"
    "one() {\n"
    "  printf '%s\"%s\": {\"verdict\": \"%s\", \"kind\": \"%s\"}' \\\n"
    "    \"$sep\" \"$1\" \"$2\" \"$kind\"\n"
    "  sep=', '\n"
    "  if [ \"$2\" = red ]; then code=1; fi\n"
    "}\n"
    "printf '{\"tests\": {'\n"
    "if [ \"$mark\" != empty ]; then\n"
    "  one alive \"$alive\"\n  one backs_off \"$backs_off\"\n"
    "  one waits \"$waits\"\n  one timeouts \"$timeouts\"\n"
    "fi\n"
    "printf '}}\\n'\n"
    "exit ${forced:-$code}\n";

/* Knows what the gate may say to `faultwire test`. */
static const char FAULTWIRE_BEGIN[] =
    "#!/bin/sh\n"
    "[ \"$1\" = test ] || exit 2\n"
    "only=, faults=yes\n"
    "while [ $# -gt 0 ] && [ \"$1\" != -- ]; do\n"
    "  case $1 in\n"
    "    --report) report=${2#json=}; shift ;;\n"
    "    --only) only=$only$2,; shift ;;\n"
    "    --no-faults) faults=no ;;\n"
    "  esac\n"
    "  shift\n"
    "done\n"
    "shift\n"
    "client=$(\"$@\")\n";

static const char FAULTWIRE_END[] =
    "code=0 sep=\n"
    "one() {\n"
    "  case $only in ,|*,$1,*) ;; *) return 0 ;; esac\n"
    "  case $2 in\n"
    "    green) word=pass why=none ;;\n"
    "    red) word=fail why=$kind code=1 ;;\n"
    "    *) word=inconclusive why=$2; [ $code = 1 ] || code=3 ;;\n"
    "  esac\n"
    "  printf '%s{\"name\": \"%s\", \"verdict\": \"%s\", \"kind\": \"%s\"}' "
    "\\\n"
    "    \"$sep\" \"$1\" $word $why\n"
    "  sep=', '\n"
    "}\n"
    "{\n"
    "  printf '{\"faultwire\": \"0\", \"scenarios\": ['\n"
    "  one alive \"$alive\"\n  one backs_off \"$backs_off\"\n"
    "  one waits \"$waits\"\n  one timeouts \"$timeouts\"\n"
    "  printf '], \"exit\": %s}\\n' ${told:-$code}\n"
    "} >\"$report\"\n"
    "exit ${forced:-$code}\n";

/* What a healthy client says; a mutant may change or replace it. */
static const char CLIENT[] = "echo \"waited ${BASE_WAIT:-1}\"\n";

static int write_text(const char *folder, const char *name,
                      const struct buf *text, struct diag *diag)
{
  char *path = mem_format("%s/%s", folder, name);
  int rc = file_write(path, buf_bytes(text), diag);
  if (rc == 0)
    chmod(path, 0755);
  free(path);
  return rc;
}

static int write_parts(const char *folder, const char *name,
                       const char *const parts[3], struct diag *diag)
{
  struct buf b;
  buf_init(&b, JSON_MAX_BYTES);
  for (int i = 0; i < 3; i++)
    buf_adds(&b, parts[i]);
  int rc = write_text(folder, name, &b, diag);
  buf_release(&b);
  return rc;
}

static int write_suites(const struct selftest_case *c, const char *tree,
                        struct diag *diag)
{
  const char *command[] = {LOOK, c->extra, COMMAND_END};
  char *begin = mem_format("%s%s", FAULTWIRE_BEGIN, LOOK);
  const char *faultwire[] = {begin, c->extra, FAULTWIRE_END};
  int rc = write_parts(tree, "suite.sh", command, diag);
  if (rc == 0)
    rc = write_parts(tree, "faultwire.sh", faultwire, diag);
  free(begin);
  return rc;
}

/* A link to a file, and one that leads out of every copy into the user's own
 * tree. */
static int write_tree(const struct selftest_case *c, const char *tree,
                      struct diag *diag)
{
  const char *app[] = {APP, "", ""}, *client[] = {CLIENT, "", ""};
  char *link = mem_format("%s/link.conf", tree);
  char *away = mem_format("%s/away", tree);
  int rc = file_mkdirs(tree, diag);
  if (rc == 0)
    rc = write_parts(tree, "app.conf", app, diag);
  if (rc == 0)
    rc = write_parts(tree, "client.sh", client, diag);
  if (rc == 0)
    rc = write_suites(c, tree, diag);
  if (rc == 0 && (symlink("app.conf", link) < 0 || symlink(tree, away) < 0))
    rc = diag_set(diag, "cannot make links in '%s'", tree);
  free(link);
  free(away);
  return rc;
}

/* Patches of all kinds, beside the plan. */
static const struct {
  const char *name, *text;
} PATCHES[] = {{"ok.patch", "--- a/app.conf\n+++ b/app.conf\n@@ -1,4 +1,4 @@\n"
                            " alive = yes\n-detect = on\n+detect = off\n"
                            " sleep = on\n spare = on\n"},
               /* `patch` takes this one with a fuzz of 1 */
               {"bad.patch", "--- a/app.conf\n+++ b/app.conf\n@@ -1,4 +1,4 @@\n"
                             " other = yes\n-detect = on\n+detect = off\n"
                             " sleep = on\n spare = on\n"},
               {"link.patch", "--- a/link.conf\n+++ b/link.conf\n@@ -2 +2 @@\n"
                              "-detect = on\n+detect = off\n"},
               {"away.patch",
                "--- a/../app.conf\n+++ b/../app.conf\n@@ -2 +2 @@\n"
                "-detect = on\n+detect = off\n"},
               {"none.patch", "detect = off\n"},
               {"cut.patch", "--- a/app.conf\n+++ b/app.conf\n@@ -1,4 +1,4 @@\n"
                             " alive = yes\n-detect = on\n"}};

static int write_patches(const char *folder, struct diag *diag)
{
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < sizeof PATCHES / sizeof PATCHES[0]; i++) {
    char *path = mem_format("%s/%s", folder, PATCHES[i].name);
    rc = file_write(path, bytes_of(PATCHES[i].text), diag);
    free(path);
  }
  return rc;
}

int selftest_write(const struct selftest_case *c, const char *folder,
                   struct diag *diag)
{
  struct buf plan;
  char *tree = mem_format("%s/tree", folder);
  buf_init(&plan, JSON_MAX_BYTES);
  buf_addf(&plan,
           "{\"version\": 1, \"tree\": \"tree\", %s\n"
           "%s\n\"suite\": %s,\n\"mutants\": [%s]}\n",
           strstr(c->plan, "\"canary\"") ? "" : "\"canary\": [\"alive\"],",
           c->plan,
           c->suite ? c->suite : "{\"command\": [\"sh\", \"suite.sh\"]}",
           c->mutants);
  int rc = write_tree(c, tree, diag);
  if (rc == 0)
    rc = write_patches(folder, diag);
  if (rc == 0)
    rc = write_text(folder, "plan.json", &plan, diag);
  buf_release(&plan);
  free(tree);
  return rc;
}

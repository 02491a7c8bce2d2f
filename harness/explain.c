#include "harness/explain.h"

#include "base/cmdline.h"

#include <stdio.h>
#include <string.h>

#define MAX_OUT_BYTES ((size_t)4 << 20)
enum { EXIT_USAGE = 2 };

static int explain_file(const char *path, const char *policy_path,
                        struct buf *out, struct diag *diag)
{
  struct policy policy;
  policy_none(&policy);
  if (policy_path && policy_load(&policy, policy_path, diag) < 0)
    return -1;
  int rc = explain_scenario(path, &policy, out, diag);
  policy_release(&policy);
  return rc;
}

static int explain(char *const *words, int n, const char *policy_path,
                   struct buf *out, struct diag *diag)
{
  if (n == 0)
    return diag_set(diag, "which scenario? see --help");
  if (n == 1)
    return explain_file(words[0], policy_path, out, diag);
  if (n == 2)
    return explain_thing(words[0], words[1], out, diag);
  return diag_set(diag, "'%s' is too much", words[2]);
}

static int finish(int rc, const struct buf *out, const struct diag *diag)
{
  char text[2048];
  if (rc == 0) {
    fwrite(buf_str(out), 1, out->n, stdout);
    return 0;
  }
  diag_format(diag, text, sizeof text);
  fprintf(stderr, "faultwire explain: %s\n", text);
  return EXIT_USAGE;
}

int explain_main(int argc, char **argv)
{
  const char *policy = NULL;
  const struct option options[] = {
      {.name = "policy",
       .letter = 'p',
       .type = OPTION_STRING,
       .value = &policy,
       .argument = "FILE",
       .summary = "what the client promises: works out policy.NAME"},
      {.name = NULL}};
  const struct cmdline c = {
      .usage = "faultwire explain SCENARIO.json | fault NAME | check NAME | "
               "policy NAME | provider NAME | command NAME",
      .summary = "Says in words what a scenario's server does and what a "
                 "right client does,\nor prints the keys of one thing.",
      .options = options};
  char **words = mem_zalloc(sizeof *words * (size_t)(argc + 1));
  struct diag diag = {0};
  struct buf out;
  int n = 0, dash = 0;
  buf_init(&out, MAX_OUT_BYTES);
  enum cmdline_result r = cmdline_parse(&c, argv, words, &n, &dash, &diag);
  int rc = r == CMDLINE_ERROR ? -1 : 0;
  if (r == CMDLINE_OK)
    rc = explain(words, n, policy, &out, &diag);
  rc = finish(rc, &out, &diag);
  buf_release(&out);
  free(words);
  return rc;
}

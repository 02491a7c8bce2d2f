#include "mutants/command_options.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

struct gate_options command_defaults(void)
{
  return (struct gate_options){.jobs = 2,
                               .repeat = 1,
                               .baseline_runs = 2,
                               .out = "mutants.out",
                               .timeout_multiplier = 5,
                               .minimum_timeout_s = 20,
                               .build_timeout_s = 120};
}

static int parse_shard(struct gate_options *o, struct diag *diag)
{
  if (!o->shard)
    return 0;
  struct bytes rest = bytes_of(o->shard);
  uint64_t k, n;
  if (number_take_u64(&rest, 100000, &k) != NUMBER_OK || rest.n == 0 ||
      *rest.p != '/')
    return diag_set(diag, "--shard needs K/N, not '%s'", o->shard);
  rest.p++;
  rest.n--;
  if (number_u64(rest, 100000, &n) != NUMBER_OK || k == 0 || k > n)
    return diag_set(diag, "--shard K/N needs K from 1 to N, not '%s'",
                    o->shard);
  o->shard_k = (int64_t)k - 1;
  o->shard_n = (int64_t)n;
  return 0;
}

/* Which tests kill nothing can be said of a whole run only. */
static int check_options(const struct gate_options *o, struct diag *diag)
{
  if (o->strict_tests && (o->only.n || o->shard || o->quick || o->in_diff))
    return diag_set(diag,
                    "--strict-tests needs the whole plan and every test: not "
                    "with --only, --in-diff, --shard or --quick; `faultwire "
                    "mutate merge --strict-tests` judges the shards together");
  return 0;
}

enum cmdline_result command_parse(const struct cmdline *c, int argc,
                                  char **argv, struct gate_options *o,
                                  struct diag *diag)
{
  char **words = calloc((size_t)argc + 1, sizeof *words);
  int n, dash;
  enum cmdline_result r = cmdline_parse(c, argv, words, &n, &dash, diag);
  if (r == CMDLINE_OK && n != 1) {
    diag_set(diag, n ? "one plan only, please" : "which plan? usage: %s",
             c->usage);
    r = CMDLINE_ERROR;
  }
  if (r == CMDLINE_OK) {
    o->plan = words[0];
    if (parse_shard(o, diag) < 0 || check_options(o, diag) < 0)
      r = CMDLINE_ERROR;
  }
  free(words);
  return r;
}

int command_with_gate(const struct gate_options *o, gate_act_fn *act,
                      struct diag *diag)
{
  struct gate g;
  enum gate_exit code = GATE_INTERNAL;
  if (gate_init(&g, o, diag) < 0)
    return GATE_USAGE;
  act(&g, &code, diag);
  gate_release(&g);
  return (int)code;
}

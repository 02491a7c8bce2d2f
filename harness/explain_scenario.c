#include "harness/explain.h"

#include "harness/explain_part.h"
#include "harness/report/escape.h"
#include "harness/sweep.h"

static void add_head(const struct scenario *s, struct buf *out)
{
  escape_line(out, s->name);
  buf_adds(out, "\n  ");
  escape_line(out, s->why);
  buf_adds(out, "\n\n");
}

static void add_sweep(const struct sweep *s, struct buf *out)
{
  if (s->n == 0)
    return;
  buf_addf(out, "\nthe sweep\n  %zu runs, one for each value of ", s->n);
  escape_line(out, s->path);
  buf_adds(out, ": ");
  for (size_t i = 0; i < s->n; i++) {
    if (s->n > 8 && i == 3) { /* the first three and the last */
      buf_adds(out, ", ...");
      i = s->n - 1;
    }
    buf_adds(out, i ? ", " : "");
    escape_line(out, s->values[i]);
  }
  buf_adds(out, s->until_missed ? "\n  it ends where the fault finds nothing "
                                  "left to harm\n"
                                : "\n");
}

int explain_scenario(const char *path, const struct policy *policy,
                     struct buf *out, struct diag *diag)
{
  struct scenario scenario;
  struct spec spec;
  if (scenario_load(&scenario, path, diag) < 0)
    return -1;
  struct sweep sweep = {0};
  int rc = spec_load(&spec, &scenario, diag);
  if (rc == 0 && (rc = sweep_read(&sweep, &scenario.doc, diag)) < 0)
    spec_release(&spec);
  if (rc < 0) {
    diag_in_file(diag, path);
    scenario_release(&scenario);
    return -1;
  }
  add_head(&scenario, out);
  explain_server(&scenario, out);
  explain_limits(&scenario, out);
  explain_tls(&scenario, out);
  explain_client(&scenario, &spec, policy, out);
  add_sweep(&sweep, out);
  sweep_release(&sweep);
  spec_release(&spec);
  scenario_release(&scenario);
  return 0;
}

#include "harness/explain.h"

#include "harness/explain_part.h"
#include "harness/report/escape.h"

static void add_head(const struct scenario *s, struct buf *out)
{
  escape_line(out, s->name);
  buf_adds(out, "\n  ");
  escape_line(out, s->why);
  buf_adds(out, "\n\n");
}

int explain_scenario(const char *path, const struct policy *policy,
                     struct buf *out, struct diag *diag)
{
  struct scenario scenario;
  struct spec spec;
  if (scenario_load(&scenario, path, diag) < 0)
    return -1;
  if (spec_load(&spec, &scenario, diag) < 0) {
    diag_in_file(diag, path);
    scenario_release(&scenario);
    return -1;
  }
  add_head(&scenario, out);
  explain_server(&scenario, out);
  explain_limits(&scenario, out);
  explain_tls(&scenario, out);
  explain_client(&scenario, &spec, policy, out);
  spec_release(&spec);
  scenario_release(&scenario);
  return 0;
}

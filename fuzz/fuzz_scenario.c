/*
 * fuzz_scenario.c - a scenario file: both halves, the server's and the
 * harness's.
 */
#include "base/param.h"
#include "fuzz/fuzz.h"
#include "harness/spec.h"
#include "mockserver/fault.h"
#include "mockserver/scenario.h"

static void check_error(const struct diag *diag)
{
  PROPERTY(diag->set && diag->text[0], "an error has a sentence");
  PROPERTY(strcmp(diag->file, "fuzz.json") == 0, "an error names the file");
  PROPERTY(diag->line > 0, "an error has a line");
}

static void check_scenario(const struct scenario *s)
{
  PROPERTY(s->name && s->name[0], "an accepted scenario has a name");
  PROPERTY(s->why && s->why[0], "an accepted scenario says why");
  PROPERTY(s->nsteps > 0 || s->after == AFTER_REPLY,
           "only after_script reply may stand alone");
  for (size_t i = 0; i < s->nsteps; i++) {
    PROPERTY(s->steps[i].fault, "every step does something");
    PROPERTY(s->steps[i].times >= 1, "every step answers at least once");
    PROPERTY(s->steps[i].index == (int)i, "steps are in the file's order");
  }
}

static void check_spec(const struct scenario *s)
{
  struct diag diag = {0};
  struct spec spec;

  if (spec_load(&spec, s, &diag) < 0) {
    check_error(&diag);
    return;
  }
  PROPERTY(spec.limit_s > 0, "a run has a limit");
  PROPERTY(spec.starts >= 1, "a client is started at least once");
  PROPERTY(spec.nlanes >= 1, "there is always a lane");
  for (size_t i = 0; i < spec.nexpects; i++)
    PROPERTY(spec.expects[i].check, "every expectation has its check");
  spec_release(&spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct diag diag = {0};
  struct scenario s;
  char *copy = fuzz_copy(data, size);
  int rc = scenario_parse(&s, "fuzz.json", (struct bytes){copy, size}, &diag);

  free(copy);
  if (rc < 0) {
    check_error(&diag);
    return 0;
  }
  PROPERTY(!diag.set, "no error is left behind by a success");
  check_scenario(&s);
  check_spec(&s);
  scenario_release(&s);
  return 0;
}

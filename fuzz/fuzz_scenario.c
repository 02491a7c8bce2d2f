/*
 * fuzz_scenario.c - a scenario file: both halves, the server's and the
 * harness's; and the same scenario with its times divided.
 */
#include "base/param.h"
#include "fuzz/fuzz.h"
#include "harness/scale/scale.h"
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

static size_t lines_of(struct bytes text)
{
  size_t n = 0;
  for (size_t i = 0; i < text.n; i++)
    n += text.p[i] == '\n';
  return n;
}

static void check_scaled(const struct scenario *s, const struct spec *spec,
                         double k)
{
  struct diag diag = {0};
  struct scaled scaled;
  struct json_doc doc;
  struct scale_options o = {.k = k, .real_limit_s = 60};

  scale_scenario(&scaled, s, spec, &o);
  PROPERTY(scaled.k >= 1, "no time becomes longer");
  PROPERTY(k <= 0 || scaled.k <= k * 1.000001,
           "nor shorter than was asked for");
  PROPERTY(!scaled.skip || !scaled.text, "what is skipped has no text");
  if (scaled.text) {
    struct bytes text = bytes_of(scaled.text);
    int rc = json_parse(&doc, "fuzz.json", text, &diag);
    PROPERTY(rc == 0, "a divided scenario is JSON");
    PROPERTY(lines_of(text) == lines_of((struct bytes){s->doc.text, s->doc.n}),
             "lines keep their numbers");
    json_release(&doc);
  }
  scaled_release(&scaled);
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
  check_scaled(s, &spec, 0);
  check_scaled(s, &spec, 3);
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

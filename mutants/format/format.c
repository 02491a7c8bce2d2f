#include "mutants/format/format.h"

#include <string.h>

const struct suite_format SUITE_FORMATS[] = {
#define FORMAT(name, function, summary) {name, summary, function},
#include "mutants/format/formats.def"
#undef FORMAT
    {0}};

const char *const SUITE_FORMAT_NAMES[] = {
#define FORMAT(name, function, summary) name,
#include "mutants/format/formats.def"
#undef FORMAT
    NULL};

const struct suite_format *suite_format_find(const char *name)
{
  for (const struct suite_format *f = SUITE_FORMATS; f->name; f++)
    if (strcmp(f->name, name) == 0)
      return f;
  return NULL;
}

struct test *suite_format_add(struct verdicts *v, const char *name,
                              struct diag *diag)
{
  if (*name == '\0') {
    diag_set(diag, "a test without a name");
    return NULL;
  }
  if (verdicts_find(v, name)) {
    diag_set(diag, "two tests are called '%s'", name);
    return NULL;
  }
  return verdicts_add(v, name, "");
}

int suite_format_check(const struct verdicts *v, int exit_code,
                       struct diag *diag)
{
  int red = verdicts_count(v, VERDICT_RED);
  if (exit_code > 125)
    return diag_set(diag, "the suite was ended, or could not be run");
  if (v->n == 0)
    return diag_set(diag, "the suite has no tests");
  if ((red > 0) != (exit_code != 0))
    return diag_set(diag, "exit %d contradicts the verdicts: %d of %d are red",
                    exit_code, red, v->n);
  return 0;
}

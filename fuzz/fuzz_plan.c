/*
 * fuzz_plan.c - a mutation plan file.
 */
#include "fuzz/fuzz.h"
#include "mutants/plan.h"

static void check_mutant(const struct plan *p, const struct plan_mutant *m)
{
  PROPERTY(m->id && m->id[0], "an accepted mutant has an id");
  PROPERTY(m->why && m->operator_, "texts are never NULL");
  PROPERTY(m->red.n > 0 || m->equivalent,
           "a mutant names a red test or says why it cannot have one");
  for (int i = 0; i < m->nedits; i++) {
    PROPERTY(m->edits[i].count >= 1, "an edit changes something");
    PROPERTY(m->edits[i].file[0] != '/', "an edit stays inside the tree");
  }
  for (const struct plan_mutant *other = p->mutants; other < m; other++)
    PROPERTY(strcmp(other->id, m->id) != 0, "an id stands once");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct diag diag = {0};
  struct plan plan;
  char *copy = fuzz_copy(data, size);
  int rc = gate_plan_parse(&plan, "fuzz.json", (struct bytes){copy, size},
                           false, &diag);

  free(copy);
  if (rc < 0) {
    PROPERTY(diag.set && diag.text[0], "an error has a sentence");
    PROPERTY(strcmp(diag.file, "fuzz.json") == 0, "an error names the file");
    PROPERTY(diag.line > 0, "an error has a line");
    return 0;
  }
  PROPERTY(!diag.set, "no error is left behind by a success");
  for (int i = 0; i < plan.nmutants; i++)
    check_mutant(&plan, &plan.mutants[i]);
  gate_plan_release(&plan);
  return 0;
}

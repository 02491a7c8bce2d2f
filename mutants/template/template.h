/*
 * template.h - what to break in any client: the catalogue of the controls
 * that an LLM client needs, one mutant a control, as entries of a plan whose
 * file and search text are still to be filled in.
 *
 * Each names the shipped scenarios that own the control, and the mutant of
 * mutants/guard/plan.json that breaks the same in guard. docs/
 * mutant-catalogue.md is what template_markdown prints; a test holds it to
 * that.
 */
#ifndef MUTANTS_TEMPLATE_TEMPLATE_H
#define MUTANTS_TEMPLATE_TEMPLATE_H

#include "base/buf.h"

enum template_area {
#define AREA(name, heading) AREA_##name,
#include "mutants/template/areas.def"
#undef AREA
  AREA_COUNT
};

/* How the text is changed: a branch never or always taken, a statement or a
 * wait left out, a min() undone, another answer, another value. */
enum technique {
  TECHNIQUE_BRANCH,
  TECHNIQUE_ALWAYS,
  TECHNIQUE_DROP,
  TECHNIQUE_SLEEP,
  TECHNIQUE_MIN,
  TECHNIQUE_RETURN,
  TECHNIQUE_VALUE
};

struct template
{
  const char *id;
  enum template_area area;
  enum technique technique;
  const char *what, *where;
  const char *red, *green; /* names, a blank between; "" when none is shipped */
  const char *guard;       /* ids in the plan of guard, or "" */
};

/* Ends with one without an id. */
extern const struct template TEMPLATES[];
/* "c", "python" ...; NULL-terminated. */
extern const char *const TEMPLATE_LANGUAGES[];

/* The entries whose id matches the glob, as JSON with comments. False when
 * the language is unknown. */
bool template_plan(const char *language, const char *glob, struct buf *ret);
/* The whole catalogue. */
void template_markdown(struct buf *ret);

#endif

#include "mockserver/command/start.h"

#include <fnmatch.h>
#include <string.h>

/* What a client may pass: Linux takes 2 MiB of arguments and variables by
 * default, six at most. */
#define MAX_ARGUMENTS ((size_t)8 << 20)

void start_arguments(const struct start *s, struct buf *ret)
{
  for (size_t i = 1; i < s->argc; i++)
    buf_addf(ret, "%s%s", i > 1 ? " " : "", s->argv[i]);
}

static bool arguments_fit(const char *pattern, const struct start *s)
{
  struct buf text;
  if (!pattern)
    return true;
  buf_init(&text, MAX_ARGUMENTS);
  start_arguments(s, &text);
  bool fit = fnmatch(pattern, buf_str(&text), 0) == 0;
  buf_release(&text);
  return fit;
}

static bool has_variable(const char *name, const struct start *s)
{
  for (size_t i = 0; i < s->nenv; i++)
    if (strcmp(s->env[i], name) == 0)
      return true;
  return false;
}

bool start_fits(const struct step *step, const struct start *s)
{
  const struct match *m = &step->match;
  return step->command && strcmp(step->command, s->name) == 0 &&
         arguments_fit(m->argv, s) && (!m->env || has_variable(m->env, s)) &&
         (!m->in || bytes_find(s->in, bytes_of(m->in)) >= 0);
}

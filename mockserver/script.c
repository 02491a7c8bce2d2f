#include "mockserver/script.h"

#include <fnmatch.h>
#include <string.h>

/* How far one lane has come. */
struct lane_uses {
  char name[64];
  int64_t *used; /* per step */
};

/* A client that invents lanes without end shares the last one. */
enum { MAX_LANES = 4096 };

struct script {
  const struct scenario *scenario;
  size_t nsteps;
  struct lane_uses *lanes;
  size_t nlanes;
  uint64_t *uses; /* per step, over all lanes */
};

struct script *script_new(const struct scenario *scenario)
{
  struct script *s = mem_zalloc(sizeof *s);
  s->scenario = scenario;
  s->nsteps = scenario ? scenario->nsteps : 0;
  s->uses = mem_zalloc((s->nsteps + 1) * sizeof *s->uses);
  return s;
}

void script_rewind(struct script *s)
{
  for (size_t i = 0; i < s->nlanes; i++)
    free(s->lanes[i].used);
  free(s->lanes);
  s->lanes = NULL;
  s->nlanes = 0;
  memset(s->uses, 0, (s->nsteps + 1) * sizeof *s->uses);
}

void script_free(struct script *s)
{
  if (!s)
    return;
  script_rewind(s);
  free(s->uses);
  free(s);
}

static const struct lane_uses *find_lane(const struct script *s,
                                         const char *lane)
{
  for (size_t i = 0; i < s->nlanes; i++)
    if (strcmp(s->lanes[i].name, lane) == 0)
      return &s->lanes[i];
  return s->nlanes == MAX_LANES ? &s->lanes[MAX_LANES - 1] : NULL;
}

static bool pattern_fits(const char *pattern, const char *text)
{
  return !pattern || fnmatch(pattern, text, 0) == 0;
}

static bool path_fits(const char *pattern, struct bytes path)
{
  if (!pattern)
    return true;
  char *text = bytes_dup(path);
  bool fits = pattern_fits(pattern, text);
  free(text);
  return fits;
}

static bool header_fits(const struct match *m, const struct request *r)
{
  struct bytes value;
  if (!m->header_name)
    return true;
  return request_header(r, m->header_name, &value) &&
         path_fits(m->header_value, value);
}

bool step_fits(const struct step *step, const struct call *c,
               const struct request *r)
{
  const struct match *m = &step->match;
  if (step->lane && strcmp(step->lane, c->lane) != 0)
    return false;
  if (m->stream >= 0 && (m->stream == 1) != c->stream)
    return false;
  return pattern_fits(m->model, c->model) && path_fits(m->path, c->path) &&
         header_fits(m, r) &&
         (!m->body || bytes_find(r->body, bytes_of(m->body)) >= 0);
}

static struct choice beyond(const struct script *s, const struct call *c,
                            const struct request *r)
{
  if (!s->scenario || s->scenario->after == AFTER_REPLY)
    return (struct choice){RULE_PLAIN_REPLY, NULL};
  if (s->scenario->after == AFTER_ERROR)
    return (struct choice){RULE_SCRIPT_ENDED, NULL};
  for (size_t i = s->nsteps; i-- > 0;)
    if (step_fits(&s->scenario->steps[i], c, r))
      return (struct choice){RULE_REPEAT_LAST, &s->scenario->steps[i]};
  return (struct choice){RULE_PLAIN_REPLY, NULL};
}

struct choice script_choose(const struct script *s, const struct call *c,
                            const struct request *r)
{
  const struct lane_uses *lane = find_lane(s, c->lane);
  for (size_t i = 0; i < s->nsteps; i++) {
    const struct step *step = &s->scenario->steps[i];
    if ((!lane || lane->used[i] < step->times) && step_fits(step, c, r))
      return (struct choice){RULE_STEP, step};
  }
  return beyond(s, c, r);
}

static struct lane_uses *add_lane(struct script *s, const char *name)
{
  /* grown by doubling at each power of two */
  if ((s->nlanes & (s->nlanes - 1)) == 0)
    s->lanes = mem_realloc(s->lanes,
                           (s->nlanes ? 2 * s->nlanes : 1) * sizeof *s->lanes);
  struct lane_uses *lane = &s->lanes[s->nlanes++];
  snprintf(lane->name, sizeof lane->name, "%s", name);
  lane->used = mem_zalloc((s->nsteps + 1) * sizeof *lane->used);
  return lane;
}

void script_take(struct script *s, const struct choice *choice,
                 const char *name)
{
  if (!choice->step)
    return;
  size_t i = (size_t)choice->step->index;
  const struct lane_uses *lane = find_lane(s, name);
  if (!lane)
    lane = add_lane(s, name);
  s->uses[i]++;
  if (choice->rule == RULE_STEP)
    lane->used[i]++;
}

uint64_t script_uses(const struct script *s, size_t i)
{
  return i < s->nsteps ? s->uses[i] : 0;
}

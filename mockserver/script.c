#include "mockserver/script.h"

#include "mockserver/command/start.h"
#include "mockserver/endpoint.h"
#include "mockserver/ids.h"
#include "mockserver/step_talk.h"
#include "mockserver/step_when.h"

#include <fnmatch.h>
#include <string.h>

/* How far one lane has come. */
struct lane_uses {
  char name[64];
  int64_t *used;    /* per step */
  int64_t calls;    /* that have arrived */
  int64_t first_ns; /* arrival of the first */
};

/* A client that invents lanes without end shares the last one. */
enum { MAX_LANES = 4096 };

struct script {
  const struct scenario *scenario;
  size_t nsteps;
  uint64_t seed;
  struct lane_uses *lanes;
  size_t nlanes;
  uint64_t *uses;  /* per step, over all lanes */
  int64_t *shared; /* the same, of shared steps, with places used up */
};

struct script *script_new(const struct scenario *scenario)
{
  struct script *s = mem_zalloc(sizeof *s);
  s->scenario = scenario;
  s->nsteps = scenario ? scenario->nsteps : 0;
  s->uses = mem_zalloc((s->nsteps + 1) * sizeof *s->uses);
  s->shared = mem_zalloc((s->nsteps + 1) * sizeof *s->shared);
  return s;
}

void script_seed(struct script *s, uint64_t seed)
{
  s->seed = seed;
}

void script_rewind(struct script *s)
{
  for (size_t i = 0; i < s->nlanes; i++)
    free(s->lanes[i].used);
  free(s->lanes);
  s->lanes = NULL;
  s->nlanes = 0;
  memset(s->uses, 0, (s->nsteps + 1) * sizeof *s->uses);
  memset(s->shared, 0, (s->nsteps + 1) * sizeof *s->shared);
}

void script_free(struct script *s)
{
  if (!s)
    return;
  script_rewind(s);
  free(s->uses);
  free(s->shared);
  free(s);
}

static struct lane_uses *find_lane(const struct script *s, const char *lane)
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

static bool endpoint_fits(const struct match *m, const struct call *c)
{
  const char *name = endpoint_name(c);
  return m->endpoint ? name && pattern_fits(m->endpoint, name)
                     : c->endpoint == ENDPOINT_GENERATE;
}

bool script_names(const struct script *s, const struct call *c)
{
  for (size_t i = 0; i < s->nsteps; i++)
    if (s->scenario->steps[i].match.endpoint &&
        endpoint_fits(&s->scenario->steps[i].match, c))
      return true;
  return false;
}

bool step_fits(const struct step *step, const struct call *c,
               const struct request *r)
{
  const struct match *m = &step->match;
  if (!endpoint_fits(m, c))
    return false;
  if (step->lane && strcmp(step->lane, c->lane) != 0)
    return false;
  if (step->command || c->start)
    return c->start && start_fits(step, c->start);
  if (m->stream >= 0 && (m->stream == 1) != c->stream)
    return false;
  if (m->reused >= 0 && (m->reused == 1) != (r->on_conn > 1))
    return false;
  return pattern_fits(m->model, c->model) && path_fits(m->path, c->path) &&
         header_fits(m, r) && step_talk_fits(m->messages, c->talk) &&
         (!m->body || bytes_find(r->body, bytes_of(m->body)) >= 0);
}

static bool step_takes(const struct step *step, const struct lane_uses *lane,
                       const struct call *c, const struct request *r)
{
  int64_t n = lane ? lane->calls + 1 : 1;
  int64_t since_ns =
      lane && lane->calls ? r->first_byte_ns - lane->first_ns : 0;
  /* whole later than another that began after it: that one is the first */
  since_ns = since_ns > 0 ? since_ns : 0;
  return when_fits(&step->when, n, since_ns) && step_fits(step, c, r);
}

/* One number a call, 0 to below 1: the same seed, lane and number in the lane
 * give the same, whatever other lanes do. */
static double draw(const struct script *s, const struct lane_uses *lane,
                   const struct call *c)
{
  struct ids ids;
  uint64_t n = lane ? (uint64_t)lane->calls + 1 : 1;
  ids_init(&ids, s->seed ^ bytes_hash(bytes_of(c->lane)));
  ids_init(&ids, ids.state + n * UINT64_C(0xd1342543de82ef95));
  return ids_fraction(&ids);
}

/* The chances of the steps that would take the call lie side by side, so
 * that each has its share of all calls; the rest goes on. */
static bool is_drawn(const struct step *step, double drawn, double *at)
{
  if (step->chance <= 0)
    return true;
  *at += step->chance;
  return drawn < *at;
}

static struct choice beyond(const struct script *s, const struct call *c,
                            const struct request *r)
{
  const struct lane_uses *lane = find_lane(s, c->lane);
  if (!s->scenario || s->scenario->after == AFTER_REPLY)
    return (struct choice){RULE_PLAIN_REPLY, NULL};
  if (s->scenario->after == AFTER_PASS)
    return (struct choice){RULE_PASS, NULL};
  if (s->scenario->after == AFTER_ERROR)
    return (struct choice){RULE_SCRIPT_ENDED, NULL};
  for (size_t i = s->nsteps; i-- > 0;)
    if (s->scenario->steps[i].chance <= 0 &&
        step_takes(&s->scenario->steps[i], lane, c, r))
      return (struct choice){RULE_REPEAT_LAST, &s->scenario->steps[i]};
  return (struct choice){RULE_PLAIN_REPLY, NULL};
}

struct choice script_choose(const struct script *s, const struct call *c,
                            const struct request *r)
{
  const struct lane_uses *lane = find_lane(s, c->lane);
  double at = 0, drawn = -1;
  for (size_t i = 0; i < s->nsteps; i++) {
    const struct step *step = &s->scenario->steps[i];
    int64_t used = step->shared ? s->shared[i] : lane ? lane->used[i] : 0;
    if (used >= step->times || !step_takes(step, lane, c, r))
      continue;
    if (step->chance > 0 && drawn < 0)
      drawn = draw(s, lane, c);
    if (is_drawn(step, drawn, &at))
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
  *lane = (struct lane_uses){.calls = 0};
  snprintf(lane->name, sizeof lane->name, "%s", name);
  lane->used = mem_zalloc((s->nsteps + 1) * sizeof *lane->used);
  return lane;
}

static struct lane_uses *the_lane(struct script *s, const char *name)
{
  struct lane_uses *lane = find_lane(s, name);
  return lane ? lane : add_lane(s, name);
}

void script_count(struct script *s, const struct call *c,
                  const struct request *r)
{
  struct lane_uses *lane = the_lane(s, c->lane);
  if (lane->calls++ == 0)
    lane->first_ns = r->first_byte_ns;
}

void script_use_up(struct script *s, const struct step *step, const char *name,
                   int64_t n)
{
  if (step->times == INT64_MAX)
    return;
  if (step->shared)
    s->shared[step->index] += n;
  else
    the_lane(s, name)->used[step->index] += n;
}

void script_take(struct script *s, const struct choice *choice,
                 const char *name)
{
  if (!choice->step)
    return;
  s->uses[choice->step->index]++;
  if (choice->rule == RULE_STEP)
    script_use_up(s, choice->step, name, 1);
}

int64_t script_left_ns(const struct script *s, const struct step *step,
                       const char *name, int64_t now_ns)
{
  const struct lane_uses *lane = find_lane(s, name);
  if (step->when.until_ns == INT64_MAX)
    return INT64_MAX;
  int64_t first_ns = lane && lane->calls ? lane->first_ns : now_ns;
  int64_t left = first_ns + step->when.until_ns - now_ns;
  return left > 0 ? left : 0;
}

uint64_t script_uses(const struct script *s, size_t i)
{
  return i < s->nsteps ? s->uses[i] : 0;
}

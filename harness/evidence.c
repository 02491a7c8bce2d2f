#include "harness/evidence.h"

const char *const start_end_words[] = {[START_LIMIT] = "limit",
                                       [START_REAL_LIMIT] = "real limit",
                                       [START_ATTEMPTS] = "attempts",
                                       [START_TOO_FAR] = "largest jump",
                                       NULL};

#include "base/clock.h"
#include "base/number.h"
#include "base/param.h"

#include <string.h>

/* A date further away than this is nonsense: a thousand years. */
#define MAX_WAIT_S 3.2e10

void evidence_sort(struct evidence *e, const struct attempt **calls)
{
  e->nattempts = e->nside = e->nhandshakes = e->nrefused = 0;
  for (size_t i = 0; i < e->nall; i++) {
    const struct attempt *a = e->all[i];
    if (a->cls == ATTEMPT_CALL)
      calls[e->nattempts++] = a;
    else if (a->cls == ATTEMPT_SIDE)
      e->nside++;
    else if (a->cls == ATTEMPT_HANDSHAKE)
      e->nhandshakes += a->injected;
    else
      e->nrefused++;
  }
  e->attempts = calls;
}

static bool lane_has_starts(const struct evidence *e, const char *lane)
{
  for (size_t i = 0; i < e->nstarts; i++)
    if (strcmp(e->starts[i].lane, lane) == 0)
      return true;
  return false;
}

void lane_view_init(struct lane_view *v, const struct evidence *e,
                    const char *lane)
{
  bool own = lane_has_starts(e, lane);
  memset(v, 0, sizeof *v);
  v->e = e;
  v->lane = lane;
  v->a = mem_zalloc((e->nattempts + 1) * sizeof *v->a);
  v->s = mem_zalloc((e->nstarts + 1) * sizeof *v->s);
  for (size_t i = 0; i < e->nattempts; i++)
    if (strcmp(e->attempts[i]->lane, lane) == 0)
      v->a[v->na++] = e->attempts[i];
  for (size_t i = 0; i < e->nstarts; i++)
    if (!own || strcmp(e->starts[i].lane, lane) == 0)
      v->s[v->ns++] = &e->starts[i];
}

void lane_view_release(struct lane_view *v)
{
  free(v->a);
  free(v->s);
  memset(v, 0, sizeof *v);
}

static size_t add_lane(const char *lane, const char **list, size_t n,
                       size_t max)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i], lane) == 0)
      return n;
  if (n < max)
    list[n++] = lane;
  return n;
}

size_t evidence_lanes(const struct evidence *e, const struct expect *x,
                      const char **ret, size_t max)
{
  size_t n = 0;
  if (x->lane)
    return add_lane(x->lane, ret, 0, max);
  /* The nameless lane is there for clients that name none. */
  for (size_t i = 0; i < e->spec->nlanes; i++)
    if (e->spec->lanes[i][0] || e->nattempts == 0)
      n = add_lane(e->spec->lanes[i], ret, n, max);
  for (size_t i = 0; i < e->nattempts; i++)
    n = add_lane(e->attempts[i]->lane, ret, n, max);
  return n;
}

int64_t attempt_end_ns(const struct attempt *a)
{
  if (a->end == END_CLIENT && !a->complete && a->client_left_ns)
    return a->client_left_ns;
  if (a->answer_last_ns)
    return a->answer_last_ns;
  return a->end_request_ns ? a->end_request_ns : a->first_byte_ns;
}

const struct attempt *evidence_distrust(const struct evidence *e)
{
  for (size_t i = 0; i < e->nall; i++)
    if (e->all[i]->cls == ATTEMPT_HANDSHAKE && !e->all[i]->injected &&
        e->all[i]->end == END_CLIENT)
      return e->all[i];
  return NULL;
}

const struct client_file *evidence_file(const struct evidence *e,
                                        const char *name)
{
  for (size_t i = 0; i < e->nfiles; i++)
    if (strcmp(e->files[i].name, name) == 0)
      return &e->files[i];
  return NULL;
}

bool attempt_whole(const struct attempt *a)
{
  return a->stream_sent ? a->terminal_sent : a->complete;
}

bool attempt_faulty(const struct attempt *a)
{
  return a->injected && a->delivered;
}

int lane_start_of(const struct lane_view *v, const struct attempt *a)
{
  int64_t t = a->first_byte_ns;
  for (size_t i = 0; i < v->ns; i++)
    if (v->s[i]->start_ns <= t && t <= v->s[i]->exit_ns)
      return (int)i;
  return -1;
}

static bool overlap(const struct attempt *a, const struct attempt *b)
{
  return a->first_byte_ns < attempt_end_ns(b) &&
         b->first_byte_ns < attempt_end_ns(a);
}

static bool any_overlap(const struct lane_view *v, size_t i)
{
  for (size_t k = 0; k < v->na; k++)
    if (k != i && overlap(v->a[k], v->a[i]))
      return true;
  return false;
}

enum likeness { SAME_KEY, SAME_BODY, ANY };

static bool alike(const struct attempt *a, const struct attempt *b,
                  enum likeness how)
{
  if (how == SAME_KEY)
    return a->idempotency_key[0] &&
           strcmp(a->idempotency_key, b->idempotency_key) == 0;
  return how == ANY || a->body_hash == b->body_hash;
}

static const struct attempt *next_like(const struct lane_view *v, size_t i,
                                       enum likeness how)
{
  int64_t end = attempt_end_ns(v->a[i]);
  for (size_t k = i + 1; k < v->na; k++)
    if (v->a[k]->first_byte_ns >= end && alike(v->a[i], v->a[k], how))
      return v->a[k];
  return NULL;
}

bool lane_gap(const struct lane_view *v, size_t i, struct gap *ret)
{
  bool crowded = any_overlap(v, i);
  const struct attempt *next = NULL;
  for (int how = crowded ? SAME_KEY : ANY; !next && how <= ANY; how++)
    next = next_like(v, i, (enum likeness)how);
  if (!next)
    return false;
  *ret = (struct gap){.before = v->a[i],
                      .after = next,
                      .number = (int)i + 1,
                      .ns = next->first_byte_ns - attempt_end_ns(v->a[i]),
                      .by_call = crowded};
  return true;
}

/* IMF-fixdate (RFC 9110 5.6.7); the two old forms are sent by no provider. */
static bool read_date(const char *text, int64_t *ret_epoch_s)
{
  struct tm tm = {0};
  const char *end = strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &tm);
  if (!end || *end)
    return false;
  *ret_epoch_s = (int64_t)timegm(&tm);
  return true;
}

static bool step_ms(const struct evidence *e, const struct attempt *a,
                    double *ret)
{
  double ms = 0;
  if (a->step < 0 || !e->scenario || (size_t)a->step >= e->scenario->nsteps)
    return false;
  const cJSON *node =
      param_node(e->scenario->steps[a->step].node, "retry_after_ms");
  if (cJSON_IsNumber(node))
    ms = node->valuedouble;
  else if (!cJSON_IsString(node) ||
           number_decimal(bytes_of(node->valuestring), 0, MAX_WAIT_S, &ms) !=
               NUMBER_OK)
    return false;
  *ret = ms < 0 ? 0 : ms / 1000;
  return true;
}

bool attempt_retry_after_s(const struct evidence *e, const struct attempt *a,
                           double *ret)
{
  int64_t epoch_s = 0;
  double s = 0;
  if (a->has_retry_after &&
      number_decimal(bytes_of(a->retry_after), -MAX_WAIT_S, MAX_WAIT_S, &s) ==
          NUMBER_OK) {
    *ret = s < 0 ? 0 : s;
    return true;
  }
  if (a->has_retry_after && read_date(a->retry_after, &epoch_s)) {
    int64_t wall = attempt_end_ns(a) + e->wall_offset_ns;
    s = (double)epoch_s - (double)wall / (double)NS_PER_S;
    *ret = s < 0 ? 0 : s;
    return true;
  }
  return attempt_faulty(a) && step_ms(e, a, ret);
}

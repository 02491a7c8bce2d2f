#include "mockserver/admin_priv.h"

#include "base/file.h"
#include "base/number.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* /proc/self/statm is one line of seven numbers. */
#define STATM_MAX_BYTES 256

int admin_error(struct buf *ret, int status, const char *text)
{
  buf_reset(ret);
  buf_adds(ret, "{\"error\":");
  buf_add_json(ret, bytes_of(text));
  buf_addc(ret, '}');
  return status;
}

int admin_get_health(const struct admin *a, const struct exchange *x,
                     struct buf *ret)
{
  (void)a;
  (void)x;
  buf_adds(ret, "{\"status\":\"ok\"}");
  return 200;
}

/* WireMock's `limit`: so many of the newest. SIZE_MAX: all. */
static size_t limit_of(struct bytes query)
{
  uint64_t n = 0;
  struct bytes word = BYTES("limit=");
  ptrdiff_t at = bytes_find(query, word);
  if (at < 0 || (at > 0 && query.p[at - 1] != '&'))
    return SIZE_MAX;
  struct bytes rest = {query.p + at + word.n, query.n - (size_t)at - word.n};
  return number_take_u64(&rest, UINT32_MAX, &n) == NUMBER_OK ? (size_t)n
                                                             : SIZE_MAX;
}

int admin_get_requests(const struct admin *a, const struct exchange *x,
                       struct buf *ret)
{
  size_t n = journal_count(a->journal), limit = limit_of(x->call->query);
  size_t first = n > limit ? n - limit : 0;
  buf_adds(ret, "{\"attempts\":[");
  for (size_t i = first; i < n; i++) {
    if (i > first)
      buf_addc(ret, ',');
    attempt_json(journal_get(a->journal, i), ret);
  }
  buf_addf(ret, "],\"dropped\":%" PRIu64 "}", journal_dropped(a->journal));
  return 200;
}

int admin_get_scenarios(const struct admin *a, const struct exchange *x,
                        struct buf *ret)
{
  (void)x;
  const struct scenario *s = a->act->scenario;
  if (!s) {
    buf_adds(ret, "{\"scenarios\":[]}");
    return 200;
  }
  buf_adds(ret, "{\"scenarios\":[{\"name\":");
  buf_add_json(ret, bytes_of(s->name));
  buf_adds(ret, ",\"why\":");
  buf_add_json(ret, bytes_of(s->why));
  buf_addf(ret, ",\"number\":%" PRIu64 ",\"steps\":[", a->act->number);
  for (size_t i = 0; i < s->nsteps; i++)
    buf_addf(ret, "%s{\"step\":%zu,\"fault\":\"%s\",\"uses\":%" PRIu64 "}",
             i ? "," : "", i, s->steps[i].fault->name,
             script_uses(a->act->script, i));
  buf_adds(ret, "]}]}");
  return 200;
}

/* Resident memory by proc(5): the second number, in pages. 0: not known. */
static uint64_t resident_bytes(void)
{
  struct buf text;
  struct diag diag = {0};
  uint64_t size = 0, resident = 0;
  buf_init(&text, STATM_MAX_BYTES);
  if (file_read("/proc/self/statm", &text, &diag) == 0) {
    struct bytes s = buf_bytes(&text);
    if (number_take_u64(&s, UINT64_MAX, &size) == NUMBER_OK && s.n) {
      s.p++;
      s.n--;
      if (number_take_u64(&s, UINT32_MAX, &resident) != NUMBER_OK)
        resident = 0;
    }
  }
  buf_release(&text);
  return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

int admin_get_stats(const struct admin *a, const struct exchange *x,
                    struct buf *ret)
{
  (void)x;
  if (!a->engine)
    return admin_error(ret, 404, "no engine serves this, so it has no stats");
  struct engine_lateness l = engine_lateness(a->engine);
  buf_addf(ret,
           "{\"requests\":%" PRIu64 ",\"open_attempts\":%zu"
           ",\"open_connections\":%zu,\"resident_bytes\":%" PRIu64,
           engine_requests(a->engine), engine_open_attempts(a->engine),
           engine_open_connections(a->engine), resident_bytes());
  buf_addf(ret,
           ",\"lateness\":{\"count\":%" PRIu64 ",\"p50_ns\":%" PRId64
           ",\"p99_ns\":%" PRId64 ",\"max_ns\":%" PRId64 "}}",
           l.count, l.p50_ns, l.p99_ns, l.max_ns);
  return 200;
}

int admin_get_limits(const struct admin *a, const struct exchange *x,
                     struct buf *ret)
{
  (void)x;
  buf_adds(ret, "{\"buckets\":");
  limit_gate_json(a->act->limits, ret);
  buf_addc(ret, '}');
  return 200;
}

int admin_get_metrics(const struct admin *a, const struct exchange *x,
                      struct buf *ret)
{
  (void)x;
  const struct scenario *s = a->act->scenario;
  struct metrics_now now = {.engine = a->engine,
                            .journal_dropped = journal_dropped(a->journal),
                            .armed = a->act->number};
  for (size_t i = 0; s && i < s->nsteps; i++)
    now.faulty_steps += s->steps[i].faulty;
  metrics_write(a->metrics, &now, ret);
  return 200;
}

int admin_get_settings(const struct admin *a, const struct exchange *x,
                       struct buf *ret)
{
  (void)x;
  const struct server_settings *s = a->settings;
  buf_addf(ret,
           "{\"no_faults\":%s,\"delay_ms\":%" PRId64
           ",\"allow_force\":%s,\"seed\":%" PRIu64 "}",
           s->no_faults ? "true" : "false", s->delay_ms,
           s->allow_force ? "true" : "false", s->seed);
  return 200;
}

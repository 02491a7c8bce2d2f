#include "mockserver/admin.h"

#include <string.h>

static void add_requests(const struct admin *a, struct buf *ret)
{
  buf_adds(ret, "{\"attempts\":[");
  for (size_t i = 0; i < journal_count(a->journal); i++) {
    if (i)
      buf_addc(ret, ',');
    attempt_json(journal_get(a->journal, i), ret);
  }
  buf_addf(ret, "],\"dropped\":%llu}",
           (unsigned long long)journal_dropped(a->journal));
}

static void add_scenario(const struct admin *a, struct buf *ret)
{
  const struct scenario *s = a->scenario;
  if (!s) {
    buf_adds(ret, "{\"name\":null,\"steps\":[]}");
    return;
  }
  buf_adds(ret, "{\"name\":");
  buf_add_json(ret, bytes_of(s->name));
  buf_adds(ret, ",\"why\":");
  buf_add_json(ret, bytes_of(s->why));
  buf_adds(ret, ",\"steps\":[");
  for (size_t i = 0; i < s->nsteps; i++)
    buf_addf(ret, "%s{\"step\":%zu,\"fault\":\"%s\",\"uses\":%llu}",
             i ? "," : "", i, s->steps[i].fault->name,
             (unsigned long long)script_uses(a->script, i));
  buf_adds(ret, "]}");
}

static bool is(const struct exchange *x, const char *method, const char *name)
{
  struct bytes path = x->call->path;
  path.p += strlen("/__admin/");
  path.n -= strlen("/__admin/");
  return bytes_equal(x->request->method, bytes_of(method)) &&
         bytes_equal(path, bytes_of(name));
}

void admin_answer(struct exchange *x, const struct admin *a)
{
  int status = 200;
  struct buf body;
  buf_init(&body, PLAN_MAX_BYTES);
  if (is(x, "GET", "health")) {
    buf_adds(&body, "{\"status\":\"ok\"}");
  } else if (is(x, "GET", "requests")) {
    add_requests(a, &body);
  } else if (is(x, "GET", "scenario")) {
    add_scenario(a, &body);
  } else if (is(x, "POST", "reset")) {
    journal_clear(a->journal);
    buf_adds(&body, "{}");
  } else if (is(x, "POST", "rewind")) {
    script_rewind(a->script);
    buf_adds(&body, "{}");
  } else {
    status = 404;
    buf_adds(&body, "{\"error\":\"no such admin path; known: GET health, "
                    "requests, scenario; POST reset, rewind\"}");
  }
  exchange_send_json(x, status, buf_bytes(&body));
  buf_release(&body);
}

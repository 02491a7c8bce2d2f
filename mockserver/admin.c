#include "mockserver/admin.h"

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/words.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "/__admin/"
/* /proc/self/statm is one line of seven numbers. */
#define STATM_MAX_BYTES 256

/* Writes the answer's JSON and returns its status. */
typedef int admin_fn(const struct admin *a, const struct request *r,
                     struct buf *ret);

static int add_error(struct buf *ret, int status, const char *text)
{
  buf_reset(ret);
  buf_adds(ret, "{\"error\":");
  buf_add_json(ret, bytes_of(text));
  buf_addc(ret, '}');
  return status;
}

/* ---- what it shows ---- */

static int get_health(const struct admin *a, const struct request *r,
                      struct buf *ret)
{
  (void)a;
  (void)r;
  buf_adds(ret, "{\"status\":\"ok\"}");
  return 200;
}

static int get_requests(const struct admin *a, const struct request *r,
                        struct buf *ret)
{
  (void)r;
  buf_adds(ret, "{\"attempts\":[");
  for (size_t i = 0; i < journal_count(a->journal); i++) {
    if (i)
      buf_addc(ret, ',');
    attempt_json(journal_get(a->journal, i), ret);
  }
  buf_addf(ret, "],\"dropped\":%" PRIu64 "}", journal_dropped(a->journal));
  return 200;
}

static int get_scenarios(const struct admin *a, const struct request *r,
                         struct buf *ret)
{
  (void)r;
  const struct scenario *s = a->scenario;
  if (!s) {
    buf_adds(ret, "{\"scenarios\":[]}");
    return 200;
  }
  buf_adds(ret, "{\"scenarios\":[{\"name\":");
  buf_add_json(ret, bytes_of(s->name));
  buf_adds(ret, ",\"why\":");
  buf_add_json(ret, bytes_of(s->why));
  buf_adds(ret, ",\"steps\":[");
  for (size_t i = 0; i < s->nsteps; i++)
    buf_addf(ret, "%s{\"step\":%zu,\"fault\":\"%s\",\"uses\":%" PRIu64 "}",
             i ? "," : "", i, s->steps[i].fault->name,
             script_uses(a->script, i));
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

static int get_stats(const struct admin *a, const struct request *r,
                     struct buf *ret)
{
  (void)r;
  if (!a->engine)
    return add_error(ret, 404, "no engine serves this, so it has no stats");
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

/* ---- what it changes ---- */

static int get_settings(const struct admin *a, const struct request *r,
                        struct buf *ret)
{
  (void)r;
  buf_addf(ret, "{\"no_faults\":%s}", *a->no_faults ? "true" : "false");
  return 200;
}

/* All of the object is read before anything is set. */
static int read_settings(const struct json_doc *doc, bool *ret_no_faults,
                         struct diag *diag)
{
  static const char *const words[] = {"no_faults", NULL};
  struct jval root = json_root(doc), v;
  if (jval_object(&root, diag) < 0 || jval_known_keys(&root, words, diag) < 0)
    return -1;
  if (jval_member(&root, "no_faults", &v))
    return jval_bool(&v, ret_no_faults, diag);
  return 0;
}

static int post_settings(const struct admin *a, const struct request *r,
                         struct buf *ret)
{
  char text[2048];
  struct json_doc doc;
  struct diag diag = {0};
  bool no_faults = *a->no_faults;
  int failed = json_parse(&doc, "settings", r->body, &diag);
  if (!failed) {
    failed = read_settings(&doc, &no_faults, &diag);
    json_release(&doc);
  }
  if (failed) {
    diag_format(&diag, text, sizeof text);
    return add_error(ret, 400, text);
  }
  *a->no_faults = no_faults;
  return get_settings(a, r, ret);
}

static int post_reset(const struct admin *a, const struct request *r,
                      struct buf *ret)
{
  (void)r;
  journal_clear(a->journal);
  if (a->engine)
    engine_clear_counts(a->engine);
  buf_adds(ret, "{}");
  return 200;
}

static int post_rewind(const struct admin *a, const struct request *r,
                       struct buf *ret)
{
  (void)r;
  script_rewind(a->script);
  buf_adds(ret, "{}");
  return 200;
}

/* ---- which is which ---- */

static const struct route {
  const char *method, *name;
  admin_fn *answer;
} routes[] = {
    {"GET", "health", get_health},       {"GET", "requests", get_requests},
    {"GET", "scenarios", get_scenarios}, {"GET", "settings", get_settings},
    {"POST", "settings", post_settings}, {"GET", "stats", get_stats},
    {"POST", "reset", post_reset},       {"POST", "rewind", post_rewind}};
enum { ROUTES = sizeof routes / sizeof *routes };

static struct bytes name_of(const struct exchange *x)
{
  struct bytes path = x->call->path;
  size_t prefix = strlen(PREFIX);
  return (struct bytes){path.p + prefix, path.n - prefix};
}

/* NULL when there is none; `ret_other`: there is one for another method. */
static const struct route *find_route(const struct exchange *x,
                                      const char **ret_other)
{
  for (size_t i = 0; i < ROUTES; i++) {
    if (!bytes_equal(name_of(x), bytes_of(routes[i].name)))
      continue;
    if (bytes_equal(x->request->method, bytes_of(routes[i].method)))
      return &routes[i];
    *ret_other = routes[i].method;
  }
  return NULL;
}

static int no_such_path(const struct exchange *x, struct buf *ret)
{
  char hint[256], text[512];
  const char *words[ROUTES + 1] = {NULL};
  for (size_t i = 0; i < ROUTES; i++)
    words[i] = routes[i].name;
  char *name = bytes_dup(name_of(x));
  words_hint(name, words, hint, sizeof hint);
  snprintf(text, sizeof text, "no admin path '%.100s'%s", name, hint);
  free(name);
  return add_error(ret, 404, text);
}

void admin_answer(struct exchange *x, const struct admin *a)
{
  int status;
  char text[128];
  const char *other = NULL;
  struct buf body;
  buf_init(&body, PLAN_MAX_BYTES);
  const struct route *route = find_route(x, &other);
  if (route) {
    status = route->answer(a, x->request, &body);
  } else if (other) {
    snprintf(text, sizeof text, "this admin path takes %s", other);
    status = add_error(&body, 405, text);
  } else {
    status = no_such_path(x, &body);
  }
  exchange_send_json(x, status, buf_bytes(&body));
  buf_release(&body);
}

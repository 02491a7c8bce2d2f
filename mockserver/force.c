#include "mockserver/force.h"

#include "base/number.h"
#include "base/words.h"
#include "mockserver/act.h"
#include "mockserver/fault.h"

#include <string.h>

/* Names other servers gave the same wish: LLMock, the LiteLLM mock server's
 * users, mock-server packages of npm; chaos_status is aimock's query. */
static const char *const headers[] = {"x-faultwire-force",
                                      "x-llmock-force-status", "x-return-error",
                                      "x-mock-status", NULL};
#define QUERY "chaos_status="
/* Longer is no name of anything. */
enum { MAX_WISH = 64 };
/* Different wishes that are kept ready: more than names and statuses of
 * three providers a test would ask for. */
enum { MAX_KEPT = 512 };

struct kept {
  struct kept *next;
  const struct provider *provider;
  char wish[MAX_WISH];
  struct act *act;
};

struct force {
  struct clock *clock;
  struct kept *list;
  size_t n;
};

struct force *force_new(struct clock *clock)
{
  struct force *f = mem_zalloc(sizeof *f);
  f->clock = clock;
  return f;
}

void force_free(struct force *f)
{
  while (f && f->list) {
    struct kept *k = f->list;
    f->list = k->next;
    act_free(k->act);
    free(k);
  }
  free(f);
}

/* ---- what is wished for ---- */

static bool in_query(struct bytes query, struct bytes *ret)
{
  ptrdiff_t at = bytes_find(query, BYTES(QUERY));
  if (at < 0 || (at > 0 && query.p[at - 1] != '&'))
    return false;
  size_t from = (size_t)at + strlen(QUERY);
  *ret = (struct bytes){query.p + from, query.n - from};
  const char *end = memchr(ret->p, '&', ret->n);
  if (end)
    ret->n = (size_t)(end - ret->p);
  return true;
}

static bool find_wish(const struct exchange *x, struct bytes *ret)
{
  for (const char *const *name = headers; *name; name++)
    if (request_header(x->request, *name, ret))
      return true;
  return in_query(x->call->query, ret);
}

static bool is_plain(struct bytes wish)
{
  if (wish.n == 0 || wish.n >= MAX_WISH)
    return false;
  for (size_t i = 0; i < wish.n; i++) {
    char c = wish.p[i];
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
        !(c >= '0' && c <= '9') && c != '_' && c != '-')
      return false;
  }
  return true;
}

/* ---- from a wish to a step ---- */

static const struct provider_error *by_status(const struct provider *p,
                                              uint64_t status)
{
  for (const struct provider_error *e = p->errors; e->name; e++)
    if ((uint64_t)e->status == status)
      return e;
  return NULL;
}

/* The step's own keys; false: nothing is called so. */
static bool write_step(const struct provider *p, const char *wish,
                       struct buf *ret)
{
  uint64_t status = 0;
  const struct provider_error *e = NULL;
  if (number_u64(bytes_of(wish), 999, &status) == NUMBER_OK) {
    e = by_status(p, status);
    if (!e)
      buf_addf(ret, "\"fault\":\"status\",\"status\":%d", (int)status);
  } else if (fault_find(wish)) {
    buf_addf(ret, "\"fault\":\"%s\"", wish);
    return true;
  } else {
    e = provider_error_find(p, wish);
  }
  if (e)
    buf_addf(ret, "\"fault\":\"status\",\"error\":\"%s\"", e->name);
  return ret->n > 0;
}

static int no_such(const struct provider *p, const char *wish,
                   struct diag *diag)
{
  const char *known[256];
  char hint[512];
  size_t n = 0;
  for (const struct fault *const *f = faults; *f && n < 255; f++)
    known[n++] = (*f)->name;
  for (const struct provider_error *e = p->errors; e->name && n < 255; e++)
    known[n++] = e->name;
  known[n] = NULL;
  words_hint(wish, known, hint, sizeof hint);
  return diag_set(diag, "no fault, error or status '%s'%s", wish, hint);
}

static int read_wish(struct scenario *ret, const struct provider *p,
                     const char *wish, struct diag *diag)
{
  struct buf step, text;
  buf_init(&step, 256);
  buf_init(&text, 1024);
  int rc = -1;
  if (write_step(p, wish, &step)) {
    buf_addf(&text,
             "{\"name\":\"forced\",\"why\":\"the request asks for it\","
             "\"provider\":\"%s\",\"steps\":[{%s,\"times\":\"always\"}]}",
             p->name, buf_str(&step));
    rc = scenario_parse(ret, "", buf_bytes(&text), diag);
  } else {
    no_such(p, wish, diag);
  }
  buf_release(&step);
  buf_release(&text);
  return rc;
}

static struct kept *find_kept(const struct force *f, const struct provider *p,
                              const char *wish)
{
  for (struct kept *k = f->list; k; k = k->next)
    if (k->provider == p && strcmp(k->wish, wish) == 0)
      return k;
  return NULL;
}

static struct kept *keep(struct force *f, const struct provider *p,
                         const char *wish, struct scenario *scenario)
{
  struct kept *k = mem_zalloc(sizeof *k);
  k->next = f->list;
  k->provider = p;
  snprintf(k->wish, sizeof k->wish, "%s", wish);
  k->act = act_new_owning(scenario, f->clock, 0);
  f->list = k;
  f->n++;
  return k;
}

enum force_result force_find(struct force *f, const struct exchange *x,
                             struct act **ret_act, struct diag *diag)
{
  struct bytes wish;
  char name[MAX_WISH];
  struct scenario scenario;
  if (!find_wish(x, &wish))
    return FORCE_NONE;
  if (!is_plain(wish)) {
    diag_set(diag, "a forced fault is a status or a name");
    return FORCE_WRONG;
  }
  snprintf(name, sizeof name, "%.*s", (int)wish.n, wish.p);
  struct kept *k = find_kept(f, x->provider, name);
  if (!k && f->n >= MAX_KEPT) {
    diag_set(diag, "too many different faults were forced");
    return FORCE_WRONG;
  }
  if (!k) {
    if (read_wish(&scenario, x->provider, name, diag) < 0)
      return FORCE_WRONG;
    k = keep(f, x->provider, name, &scenario);
  }
  *ret_act = k->act;
  return FORCE_FOUND;
}

/* The text goes into JSON as it stands. */
static void without_escapes(char *text)
{
  for (; *text; text++)
    if (*text == '"' || *text == '\\' || *text < ' ')
      *text = '\'';
}

void server_refuse_force(struct exchange *x, const struct diag *diag)
{
  char text[512];
  snprintf(text, sizeof text, "faultwire: %.480s", diag->text);
  without_escapes(text);
  struct provider_error e =
      *provider_error_find(x->provider, "invalid_request");
  e.message = text;
  e.details = NULL;
  e.param = NULL;
  e.code = NULL;
  e.whole = NULL;
  exchange_send_error(x, &e, NULL);
}

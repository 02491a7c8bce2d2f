#include "mockserver/force.h"

#include "base/number.h"
#include "base/words.h"
#include "mockserver/act.h"
#include "mockserver/fault.h"
#include "mockserver/instruction.h"

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
/* The longest text of a reply, and the rest of a step. */
#define MAX_STEP ((size_t)2 << 20)

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

static void write_error(const struct provider_error *e, struct buf *ret)
{
  buf_addf(ret, "\"fault\":\"status\",\"error\":\"%s\"", e->name);
}

static void write_status(const struct provider *p, uint64_t status,
                         struct buf *ret)
{
  const struct provider_error *e = by_status(p, status);
  if (e)
    write_error(e, ret);
  else
    buf_addf(ret, "\"fault\":\"status\",\"status\":%d", (int)status);
}

/* The step's own keys; false: nothing is called so, or *ret_why. */
static bool write_step(const struct provider *p, const char *wish,
                       struct buf *ret, const char **ret_why)
{
  uint64_t number = 0;
  int status = 0;
  const struct provider_error *e = provider_error_find(p, wish);
  if (number_u64(bytes_of(wish), 999, &number) == NUMBER_OK)
    write_status(p, number, ret);
  else if (fault_find(wish))
    buf_addf(ret, "\"fault\":\"%s\"", wish);
  else if (e)
    write_error(e, ret);
  else if (instruction_read(wish, ret, &status, ret_why) == INSTRUCTION_STEP &&
           status)
    write_status(p, (uint64_t)status, ret);
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
  for (size_t i = 0; instruction_examples[i] && n < 255; i++)
    known[n++] = instruction_examples[i];
  known[n] = NULL;
  words_hint(wish, known, hint, sizeof hint);
  return diag_set(diag, "no fault, error or status '%s'%s", wish, hint);
}

static int read_wish(struct scenario *ret, const struct provider *p,
                     const char *wish, struct diag *diag)
{
  struct buf step, text;
  const char *why = NULL;
  buf_init(&step, MAX_STEP);
  buf_init(&text, MAX_STEP + 1024);
  int rc = -1;
  if (write_step(p, wish, &step, &why)) {
    buf_addf(&text,
             "{\"name\":\"forced\",\"why\":\"the request asks for it\","
             "\"provider\":\"%s\",\"steps\":[{%s,\"times\":\"always\"}]}",
             p->name, buf_str(&step));
    rc = scenario_parse(ret, "", buf_bytes(&text), diag);
  } else if (why) {
    diag_set(diag, "'%s' %s", wish, why);
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
  if (!find_wish(x, &wish))
    return FORCE_NONE;
  return force_wish(f, x->provider, wish, ret_act, diag) < 0 ? FORCE_WRONG
                                                             : FORCE_FOUND;
}

int force_wish(struct force *f, const struct provider *p, struct bytes wish,
               struct act **ret_act, struct diag *diag)
{
  char name[MAX_WISH];
  struct scenario scenario;
  if (!is_plain(wish))
    return diag_set(diag, "a forced fault is a status or a name");
  snprintf(name, sizeof name, "%.*s", (int)wish.n, wish.p);
  struct kept *k = find_kept(f, p, name);
  if (!k && f->n >= MAX_KEPT)
    return diag_set(diag, "too many different faults were forced");
  if (!k) {
    if (read_wish(&scenario, p, name, diag) < 0)
      return -1;
    k = keep(f, p, name, &scenario);
  }
  *ret_act = k->act;
  return 0;
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

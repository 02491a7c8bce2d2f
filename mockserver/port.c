#include "mockserver/port.h"

#include "base/clock.h"

/* A day, the longest a client is watched. */
#define MAX_S 86400

static const char *const state_words[] = {"refuse", "backlog", "stall", NULL};

const struct param port_params[] = {
    {.name = "state",
     .type = PARAM_WORD,
     .words = state_words,
     .required = true,
     .summary = "refuse: nobody listens; backlog: the queue of connections "
                "is full; stall: connections are taken and never read"},
    {.name = "after_calls",
     .type = PARAM_INT,
     .min = 1,
     .max = 1e9,
     .summary = "begins when this call has arrived, counted over all lanes"},
    {.name = "from_s",
     .type = PARAM_NUMBER,
     .min = 0,
     .max = MAX_S,
     .summary = "begins so many seconds after the first call"},
    {.name = "for_s",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = MAX_S,
     .summary = "how long, then all is well again; absent: to the end"},
    {.name = NULL}};

static int64_t seconds_ns(const cJSON *object, const char *key,
                          int64_t otherwise)
{
  double s = 0;
  return param_number(object, key, &s) ? (int64_t)(s * (double)NS_PER_S)
                                       : otherwise;
}

static int read_one(const struct jval *v, struct port_change *ret,
                    struct diag *diag)
{
  static const struct param *const tables[] = {port_params};
  if (param_check(v, tables, 1, NULL, diag) < 0)
    return -1;
  if (param_has(v->node, "after_calls") == param_has(v->node, "from_s"))
    return jval_error(v, diag, "needs one of 'after_calls' and 'from_s'");
  *ret = (struct port_change){
      .state = (enum port_state)(PORT_REFUSE +
                                 param_word(v->node, "state", state_words, 0)),
      .from_ns = seconds_ns(v->node, "from_s", 0),
      .for_ns = seconds_ns(v->node, "for_s", INT64_MAX)};
  param_int(v->node, "after_calls", &ret->after_calls);
  return 0;
}

int port_read(const struct jval *root, struct port_change **ret, size_t *ret_n,
              struct diag *diag)
{
  struct jval v;
  *ret = NULL;
  *ret_n = 0;
  if (!jval_member(root, "port", &v))
    return 0;
  if (jval_array(&v, diag) < 0)
    return -1;
  size_t n = (size_t)jval_count(&v);
  struct port_change *list = mem_zalloc((n + 1) * sizeof *list);
  for (size_t i = 0; i < n; i++) {
    struct jval item = jval_item(&v, (int)i);
    if (read_one(&item, &list[i], diag) < 0) {
      free(list);
      return -1;
    }
  }
  *ret = list;
  *ret_n = n;
  return 0;
}

void port_on_call(const struct port_change *list, size_t n, uint64_t call,
                  struct plan *plan)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t at = list[i].after_calls ? (uint64_t)list[i].after_calls : 1;
    if (call == at)
      plan_port(plan, list[i].state, list[i].from_ns, list[i].for_ns);
  }
}

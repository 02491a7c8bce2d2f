#include "mockserver/endpoint_config.h"

#include "base/words.h"

#include <string.h>

#define NS_PER_S 1e9

static const char *const result_words[] = {[BATCH_SUCCEEDED] = "succeeded",
                                           [BATCH_ERRORED] = "errored",
                                           [BATCH_CANCELED] = "canceled",
                                           [BATCH_EXPIRED] = "expired",
                                           [BATCH_EXPIRED + 1] = NULL};

const struct param endpoint_params[] = {
    {.name = "batch_polls",
     .type = PARAM_INT,
     .min = 0,
     .max = 1000000,
     .summary = "looks at a batch that find it still running, default 1"},
    {.name = "batch_s",
     .type = PARAM_NUMBER,
     .min = 0,
     .max = 86400,
     .summary = "seconds a batch runs at least, default 0"},
    {.name = "batch_results",
     .type = PARAM_STRINGS,
     .summary = "how its requests end, one after the other and again from "
                "the first: succeeded (default), errored, canceled, "
                "expired"},
    {.name = NULL}};

static int read_result(enum batch_result *ret, const struct jval *v,
                       struct diag *diag)
{
  char hint[256];
  const char *word = v->node->valuestring;
  for (int i = 0; result_words[i]; i++)
    if (strcmp(word, result_words[i]) == 0) {
      *ret = (enum batch_result)i;
      return 0;
    }
  words_hint(word, result_words, hint, sizeof hint);
  return jval_error(v, diag, "unknown result '%s'%s", word, hint);
}

static int read_results(struct endpoint_config *ret, const struct jval *v,
                        struct diag *diag)
{
  struct jval list;
  if (!jval_member(v, "batch_results", &list))
    return 0;
  int n = jval_count(&list);
  if (n < 1 || n > BATCH_MAX_RESULTS)
    return jval_error(&list, diag, "must hold 1 to %d words",
                      BATCH_MAX_RESULTS);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    if (read_result(&ret->results[i], &item, diag) < 0)
      return -1;
  }
  ret->nresults = (size_t)n;
  return 0;
}

int endpoint_config_read(struct endpoint_config *ret, const struct jval *root,
                         struct diag *diag)
{
  static const struct param *const tables[] = {endpoint_params};
  struct jval v;
  double s = 0;
  *ret = (struct endpoint_config){.batch_polls = 1, .nresults = 1};
  if (!jval_member(root, "endpoints", &v))
    return 0;
  if (jval_object(&v, diag) < 0 || param_check(&v, tables, 1, NULL, diag) < 0)
    return -1;
  param_int(v.node, "batch_polls", &ret->batch_polls);
  if (param_number(v.node, "batch_s", &s))
    ret->batch_ns = (int64_t)(s * NS_PER_S);
  return read_results(ret, &v, diag);
}

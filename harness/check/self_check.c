#include "harness/check/all.h"
#include "harness/check/common.h"

#include "base/number.h"

#include <string.h>

/*
 * The tool looks at itself: what went out is what the script says. A fault
 * that the client did not wait for is no lie of the tool's.
 */

static const cJSON *step_node(const struct evidence *e, const struct attempt *a)
{
  bool known =
      e->scenario && a->step >= 0 && (size_t)a->step < e->scenario->nsteps;
  return known ? e->scenario->steps[a->step].node : NULL;
}

static bool left_before(const struct attempt *a)
{
  return a->end == END_CLIENT && !a->complete;
}

/* A template is worked out at send time, so its text says nothing. */
static bool is_literal(const char *text)
{
  return !strstr(text, "{{");
}

/* As it stands in the file: a number is written as the server writes it. */
static bool same_retry_after(const cJSON *node, const struct attempt *a)
{
  double sent = 0;
  if (cJSON_IsString(node))
    return !is_literal(node->valuestring) ||
           strcmp(node->valuestring, a->retry_after) == 0;
  return number_decimal(bytes_of(a->retry_after), -1e12, 1e12, &sent) ==
             NUMBER_OK &&
         !(sent < node->valuedouble) && !(sent > node->valuedouble);
}

/* What is wrong with one attempt; false when nothing is. */
static bool is_wrong(const struct evidence *e, const struct attempt *a,
                     char *ret, size_t size)
{
  const cJSON *node = step_node(e, a), *ra = param_node(node, "retry_after");
  int64_t status = 0;
  unsigned long long seq = a->seq;
  if (a->injected && !a->delivered && !left_before(a))
    snprintf(ret, size, "#%llu: the fault %s was not sent", seq, a->fault);
  else if (a->status && a->injected && param_int(node, "status", &status) &&
           status != a->status)
    snprintf(ret, size, "#%llu: status %d was sent, the script says %d", seq,
             a->status, (int)status);
  else if (a->injected && a->has_retry_after &&
           (cJSON_IsString(ra) || cJSON_IsNumber(ra)) &&
           !same_retry_after(ra, a))
    snprintf(ret, size, "#%llu: retry-after \"%s\" was sent, not the script's",
             seq, a->retry_after);
  else
    return false;
  return true;
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  size_t n = 0;
  char wrong[256];
  snprintf(ret->text, sizeof ret->text,
           "what went over the wire is what the script says");
  if (no_contact(e, ret))
    return;
  for (size_t i = 0; i < e->nattempts; i++) {
    const struct attempt *a = e->attempts[i];
    if ((x->lane && strcmp(a->lane, x->lane) != 0) || !step_node(e, a))
      continue;
    n++;
    if (is_wrong(e, a, wrong, sizeof wrong)) {
      finding_actual(ret, VERDICT_FAIL, "%s", wrong);
      return;
    }
  }
  if (n == 0)
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no step answered a call");
  else
    finding_actual(ret, VERDICT_PASS, "%zu answers as scripted", n);
}

static const struct param params[] = {{.name = NULL}};

const struct check check_self_check = {
    .name = "self_check",
    .summary = "faultwire itself: every fault, status and retry-after went "
               "out as the script says",
    .params = params,
    .judge = judge};

#include "mockserver/server_priv.h"

#include <string.h>

/* The testbench's, constant through all requests of a test. */
#define HEADER "x-retry-test-id"

bool server_has_queued(const struct server *s, const struct request *r)
{
  struct bytes ignored;
  return s->o.admin && (s->errors.n || request_header(r, HEADER, &ignored));
}

static void name_rule(struct exchange *x, const char *rule)
{
  x->attempt->cls = ATTEMPT_CALL;
  snprintf(x->attempt->rule, sizeof x->attempt->rule, "%s", rule);
}

/* An id that nobody has is told, so that no test passes by a misspelling. */
static void refuse_id(struct exchange *x)
{
  struct provider_error e = *provider_error_find(x->provider, "not_found");
  e.message = "faultwire: the Retry Test of " HEADER " does not exist";
  e.details = e.whole = NULL;
  exchange_send_error(x, &e, NULL);
}

static bool answer_retry_test(struct server *s, struct exchange *x)
{
  struct bytes id;
  struct diag diag = {0};
  if (!request_header(x->request, HEADER, &id))
    return false;
  struct retry_test *t = retry_tests_find(s->retry_tests, id);
  if (!t) {
    refuse_id(x);
    return true;
  }
  const char *failure = retry_test_take(s->retry_tests, t, x->call, x->attempt);
  if (!failure)
    return false;
  name_rule(x, "retry_test");
  if (force_wish(s->force, x->provider, bytes_of(failure), &x->act, &diag) < 0)
    server_refuse_force(x, &diag);
  else
    server_answer_alone(s, x);
  return true;
}

/* aimock's are for calls of a model: no list, no file. */
static bool answer_error(struct server *s, struct exchange *x)
{
  if (x->call->endpoint != ENDPOINT_GENERATE &&
      x->call->endpoint != ENDPOINT_EMBED)
    return false;
  if (!s->errors.n)
    return false;
  name_rule(x, "queued");
  x->attempt->injected = true;
  snprintf(x->attempt->fault, sizeof x->attempt->fault, "status");
  return error_queue_answer(&s->errors, x);
}

bool server_answer_queued(struct server *s, struct exchange *x)
{
  if (!s->o.admin || s->settings.no_faults)
    return false;
  return answer_retry_test(s, x) || answer_error(s, x);
}

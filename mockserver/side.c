#include "mockserver/side.h"

#include "mockserver/endpoint.h"

/* The shape of the provider's own error, with a message of ours. */
static struct provider_error error_like(const struct exchange *x,
                                        const char *name, const char *message)
{
  struct provider_error e = *provider_error_find(x->provider, name);
  e.message = message;
  e.details = NULL;
  e.param = NULL;
  e.code = NULL;
  return e;
}

static void answer_like(struct exchange *x, const char *name,
                        const char *message)
{
  struct provider_error e = error_like(x, name, message);
  exchange_send_error(x, &e, NULL);
}

/* ---- the plain answer, for whoever sends it ---- */

static int render_error(struct exchange *x, const char *name,
                        const char *message)
{
  struct provider_error e = error_like(x, name, message);
  struct value_scope s = exchange_scope(x);
  x->provider->error_body(&e, &s, &x->body);
  snprintf(x->attempt->what, sizeof x->attempt->what, "%d %s", e.status,
           e.name);
  return e.status;
}

static int render_route(struct exchange *x, const char **ret_type)
{
  struct endpoint_answer a = {.status = 200};
  struct endpoint_ask q = {.provider = x->provider,
                           .call = x->call,
                           .request = x->request,
                           .ids = x->ids,
                           .store = x->store,
                           .wall_ns = x->wall_ns};
  buf_init(&a.body, PLAN_MAX_BYTES);
  x->call->route->answer(&q, &a);
  if (a.error) {
    a.status = render_error(x, a.error, a.message);
  } else {
    buf_addb(&x->body, buf_bytes(&a.body));
    snprintf(x->attempt->what, sizeof x->attempt->what, "%d %s", a.status,
             x->call->route->name);
  }
  *ret_type = !a.error && a.type ? a.type : x->provider->json_type;
  buf_release(&a.body);
  return a.status;
}

int side_render(struct exchange *x, const char **ret_type)
{
  buf_reset(&x->body);
  *ret_type = NULL;
  if (x->call->route)
    return render_route(x, ret_type);
  switch (x->call->endpoint) {
  case ENDPOINT_HEAD:
    exchange_what(x, "200");
    return 200;
  case ENDPOINT_OPTIONS:
    exchange_what(x, "204");
    return 204;
  case ENDPOINT_UPGRADE:
    /* clients fall back to POST on it */
    *ret_type = "text/plain; charset=utf-8";
    buf_adds(&x->body, "faultwire speaks HTTP only\n");
    exchange_what(x, "426");
    return 426;
  default:
    *ret_type = x->provider->json_type;
    return render_error(x, "not_found",
                        "faultwire: no provider has such a path and method");
  }
}

void side_answer(struct exchange *x)
{
  exchange_send_side(x);
}

void side_other_provider(struct exchange *x)
{
  answer_like(x, "not_found",
              "faultwire: this scenario is about another provider");
}

void side_script_ended(struct exchange *x)
{
  answer_like(x, "invalid_request", "faultwire: the script has ended");
}

void side_no_upstream(struct exchange *x)
{
  answer_like(x, "invalid_request",
              "faultwire: this call is to be passed on, and there is no "
              "--upstream");
}

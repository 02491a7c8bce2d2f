#include "mockserver/side.h"

/* The shape of the provider's own error, with a message of ours. */
static void answer_like(struct exchange *x, const char *name,
                        const char *message)
{
  struct provider_error e = *provider_error_find(x->provider, name);
  e.message = message;
  e.details = NULL;
  e.param = NULL;
  e.code = NULL;
  exchange_send_error(x, &e, NULL);
}

static void count_tokens(struct exchange *x)
{
  struct buf text;
  buf_init(&text, 256);
  for (const char *p = x->provider->count; *p; p++) {
    if (*p != '#')
      buf_addc(&text, *p);
    else /* four bytes a token, the usual rule of thumb */
      buf_addf(&text, "%zu", x->request->body.n / 4 + 1);
  }
  exchange_send_side(x, 200, x->provider->json_type, buf_bytes(&text));
  buf_release(&text);
}

void side_answer(struct exchange *x)
{
  switch (x->call->endpoint) {
  case ENDPOINT_COUNT:
    count_tokens(x);
    break;
  case ENDPOINT_MODELS:
    exchange_send_side(x, 200, x->provider->json_type,
                       bytes_of(x->provider->models));
    break;
  case ENDPOINT_HEAD:
    exchange_send_side(x, 200, NULL, (struct bytes){"", 0});
    break;
  case ENDPOINT_OPTIONS:
    exchange_send_side(x, 204, NULL, (struct bytes){"", 0});
    break;
  case ENDPOINT_UPGRADE:
    /* clients fall back to POST on it */
    exchange_send_side(x, 426, "text/plain; charset=utf-8",
                       BYTES("faultwire speaks HTTP only\n"));
    break;
  default:
    answer_like(x, "not_found",
                "faultwire: no provider has such a path and method");
    break;
  }
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

#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

enum { MAX_HEAD = 64 << 10, TEMPORARY_REDIRECT = 307 };

static const struct param params[] = {
    {.name = "to",
     .type = PARAM_STRING,
     .required = true,
     .summary = "the location, with {{...}} values"},
    {.name = "status",
     .type = PARAM_INT,
     .min = 301,
     .max = 308,
     .summary = "default 307: the same method and body again"},
    {.name = NULL}};

static int check(const struct jval *step, struct diag *diag)
{
  struct jval to;
  return jval_member(step, "to", &to) ? step_check_text(&to, diag) : 0;
}

static void run(struct exchange *x)
{
  int64_t status = TEMPORARY_REDIRECT;
  const char *to = "";
  struct buf head;
  buf_init(&head, MAX_HEAD);
  param_int(exchange_step(x), "status", &status);
  param_string(exchange_step(x), "to", &to);
  buf_addf(&head, "HTTP/1.1 %d %s\r\nlocation: ", (int)status,
           exchange_reason((int)status));
  exchange_expand(x, bytes_of(to), &head);
  buf_adds(&head, "\r\ncontent-length: 0\r\n\r\n");
  exchange_what(x, "redirect");
  exchange_raw(x, buf_bytes(&head));
  buf_release(&head);
}

const struct fault fault_redirect = {
    .name = "redirect",
    .summary = "A gateway sends the call elsewhere, its key with it.",
    .params = params,
    .check = check,
    .run = run};

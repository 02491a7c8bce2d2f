#include "harness/check/all.h"
#include "harness/check/common.h"

#include <string.h>

/* Takes the first line of |text|, which moves on. */
static bool next_line(struct bytes *text, struct bytes *ret)
{
  if (text->n == 0)
    return false;
  const char *end = memchr(text->p, '\n', text->n);
  size_t n = end ? (size_t)(end - text->p) : text->n;
  size_t taken = end ? n + 1 : n;
  *ret = (struct bytes){text->p, n};
  *text = (struct bytes){text->p + taken, text->n - taken};
  return true;
}

/* "name" or "name value" */
static bool is_effect(struct bytes line, const char *name, const char *value)
{
  size_t n = strlen(name);
  if (!bytes_starts(line, bytes_of(name)))
    return false;
  if (line.n == n)
    return !value;
  struct bytes rest = {line.p + n + 1, line.n - n - 1};
  return line.p[n] == ' ' && (!value || bytes_equal(rest, bytes_of(value)));
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  struct expr_vars vars = vars_plain(e);
  struct bytes text = e->side_effects, line;
  struct bounds b;
  char why[160];
  const char *name = "", *value = NULL;
  size_t n = 0;
  param_string(x->node, "name", &name);
  param_string(x->node, "value", &value);
  snprintf(ret->text, sizeof ret->text, "side effects called %.80s%s%.80s",
           name, value ? " " : "", value ? value : "");
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_count(&b, ret->expected, sizeof ret->expected);
  if (no_contact(e, ret))
    return;
  while (next_line(&text, &line))
    n += is_effect(line, name, value);
  finding_actual(ret, bounds_hold(&b, (double)n) ? VERDICT_PASS : VERDICT_FAIL,
                 "%zu", n);
}

static const struct param params[] = {
    {.name = "name",
     .type = PARAM_STRING,
     .required = true,
     .summary = "first word of the line the client wrote"},
    {.name = "value",
     .type = PARAM_STRING,
     .summary = "the rest of the line, default any"},
    {.name = "exactly", .type = PARAM_EXPR, .summary = "so many lines"},
    {.name = "at_least", .type = PARAM_EXPR, .summary = "so many or more"},
    {.name = "at_most", .type = PARAM_EXPR, .summary = "so many or fewer"},
    {.name = NULL}};

const struct check check_side_effect = {
    .name = "side_effect",
    .summary = "what the client did in the world: lines it appended to "
               "$FAULTWIRE_SIDE_EFFECTS",
    .params = params,
    .check = bounds_check,
    .judge = judge};

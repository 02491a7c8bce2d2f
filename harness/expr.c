#include "harness/expr.h"

#include "base/number.h"

#include <assert.h>
#include <string.h>

/* Brackets within brackets; a deeper text is a mistake, not an expectation. */
enum { MAX_DEPTH = 16 };
/* A number written in an expectation: 30 years in seconds is plenty. */
#define MAX_NUMBER 1e9

struct parser {
  const char *start, *at;
  struct expr *out;
  int depth;
  char *why;
  size_t size;
};

static int sum(struct parser *p);

static int bad(struct parser *p, const char *why)
{
  snprintf(p->why, p->size, "%s", why);
  return -1;
}

static void skip_spaces(struct parser *p)
{
  while (*p->at == ' ' || *p->at == '\t')
    p->at++;
}

static bool take(struct parser *p, char c)
{
  skip_spaces(p);
  if (*p->at != c)
    return false;
  p->at++;
  return true;
}

static int emit(struct parser *p, enum expr_op_kind kind)
{
  if (p->out->n == EXPR_MAX_OPS)
    return bad(p, "the expression is too long");
  p->out->ops[p->out->n].kind = kind;
  p->out->n++;
  return 0;
}

static int number(struct parser *p)
{
  size_t n = strspn(p->at, "0123456789.");
  double v = 0;
  if (number_decimal((struct bytes){p->at, n}, 0, MAX_NUMBER, &v) != NUMBER_OK)
    return bad(p, "not a number, or too large a one");
  p->at += n;
  if (emit(p, EXPR_NUMBER) < 0)
    return -1;
  p->out->ops[p->out->n - 1].number = v;
  return 0;
}

/* min(a, b, ...) or max(...): the opening bracket is taken. */
static int arguments(struct parser *p, enum expr_op_kind kind)
{
  if (sum(p) < 0)
    return -1;
  while (take(p, ',')) {
    if (sum(p) < 0 || emit(p, kind) < 0)
      return -1;
  }
  return take(p, ')') ? 0 : bad(p, "expected ',' or ')'");
}

static bool known_name(const char *name)
{
  if (strcmp(name, "retry_after") == 0 || strcmp(name, "attempt") == 0 ||
      strcmp(name, "calls") == 0)
    return true;
  return strncmp(name, "policy.", 7) == 0 && policy_knows(name + 7);
}

static int word(struct parser *p)
{
  const char *start = p->at;
  char name[EXPR_MAX_NAME];
  size_t n = strspn(p->at, "abcdefghijklmnopqrstuvwxyz_0123456789.");
  if (n >= sizeof name)
    return bad(p, "the name is too long");
  memcpy(name, p->at, n);
  name[n] = '\0';
  p->at += n;
  bool is_min = strcmp(name, "min") == 0, is_max = strcmp(name, "max") == 0;
  if ((is_min || is_max) && take(p, '('))
    return arguments(p, is_min ? EXPR_MIN : EXPR_MAX);
  if (!known_name(name)) {
    p->at = start;
    return bad(p, "unknown name; known: retry_after, attempt, calls, "
                  "policy.NAME, min(), max()");
  }
  if (emit(p, EXPR_NAME) < 0)
    return -1;
  memcpy(p->out->ops[p->out->n - 1].name, name, n + 1);
  return 0;
}

static int factor(struct parser *p)
{
  int rc = 0;
  if (++p->depth > MAX_DEPTH)
    return bad(p, "too many brackets within brackets");
  if (take(p, '-'))
    rc = factor(p) < 0 ? -1 : emit(p, EXPR_NEGATE);
  else if (take(p, '('))
    rc = sum(p) < 0 ? -1 : take(p, ')') ? 0 : bad(p, "expected ')'");
  else if (*p->at >= '0' && *p->at <= '9')
    rc = number(p);
  else if (*p->at >= 'a' && *p->at <= 'z')
    rc = word(p);
  else
    rc = bad(p, "expected a number, a name or '('");
  p->depth--;
  return rc;
}

static int product(struct parser *p)
{
  if (factor(p) < 0)
    return -1;
  for (;;) {
    enum expr_op_kind kind = EXPR_MUL;
    if (take(p, '/'))
      kind = EXPR_DIV;
    else if (!take(p, '*'))
      return 0;
    if (factor(p) < 0 || emit(p, kind) < 0)
      return -1;
  }
}

static int sum(struct parser *p)
{
  if (product(p) < 0)
    return -1;
  for (;;) {
    enum expr_op_kind kind = EXPR_ADD;
    if (take(p, '-'))
      kind = EXPR_SUB;
    else if (!take(p, '+'))
      return 0;
    if (product(p) < 0 || emit(p, kind) < 0)
      return -1;
  }
}

int expr_parse(struct expr *ret, const char *text, char *ret_why, size_t size,
               size_t *ret_at)
{
  struct parser p = {
      .start = text, .at = text, .out = ret, .why = ret_why, .size = size};
  ret->n = 0;
  int rc = sum(&p);
  skip_spaces(&p);
  if (rc == 0 && *p.at)
    rc = bad(&p, "expected an operator or the end");
  if (rc < 0)
    *ret_at = (size_t)(p.at - text) + 1;
  return rc;
}

/* One note a name: "a, b" without repeats. */
static void note(struct buf *notes, const char *text)
{
  if (!notes || bytes_find(buf_bytes(notes), bytes_of(text)) >= 0)
    return;
  buf_addf(notes, "%s%s", notes->n ? ", " : "", text);
}

/* "slack" and names in _s are seconds. */
static bool in_seconds(const char *name)
{
  size_t n = strlen(name);
  return strcmp(name, "slack") == 0 ||
         (n > 2 && strcmp(name + n - 2, "_s") == 0);
}

static enum expr_result retry_after(const struct expr_vars *vars,
                                    struct buf *notes, double *ret,
                                    char *ret_why, size_t size)
{
  char text[160], where[24] = "";
  if (!vars->has_retry_after) {
    snprintf(ret_why, size, "no retry_after: the answer carried none");
    return EXPR_NO_VALUE;
  }
  if (vars->step >= 0)
    snprintf(where, sizeof where, "steps[%d].", vars->step);
  if (vars->retry_after_text && *vars->retry_after_text)
    snprintf(text, sizeof text, "%sretry_after = \"%s\"", where,
             vars->retry_after_text);
  else
    snprintf(text, sizeof text, "%sretry_after = %g s", where,
             vars->retry_after_s);
  note(notes, text);
  *ret = vars->retry_after_s;
  return EXPR_OK;
}

static enum expr_result value_of(const char *name, const struct expr_vars *vars,
                                 struct buf *notes, double *ret, char *ret_why,
                                 size_t size)
{
  char text[96];
  if (strcmp(name, "attempt") == 0) {
    *ret = vars->attempt;
    return EXPR_OK;
  }
  if (strcmp(name, "calls") == 0) {
    *ret = vars->calls;
    return EXPR_OK;
  }
  if (strcmp(name, "retry_after") == 0)
    return retry_after(vars, notes, ret, ret_why, size);
  assert(strncmp(name, "policy.", 7) == 0);
  if (vars->virtual_time && strcmp(name, "policy.slack") == 0) {
    *ret = vars->slack_s;
    snprintf(text, sizeof text, "policy.slack = %.3g s in virtual time", *ret);
    note(notes, text);
    return EXPR_OK;
  }
  if (!policy_number(vars->policy, name + 7, ret)) {
    snprintf(ret_why, size, "the policy has no number '%s'", name + 7);
    return EXPR_NO_POLICY;
  }
  snprintf(text, sizeof text, "%s = %g%s", name, *ret,
           in_seconds(name + 7) ? " s" : "");
  note(notes, text);
  return EXPR_OK;
}

static double combine(enum expr_op_kind kind, double a, double b)
{
  switch (kind) {
  case EXPR_ADD:
    return a + b;
  case EXPR_SUB:
    return a - b;
  case EXPR_MUL:
    return a * b;
  case EXPR_DIV:
    return a / b;
  case EXPR_MIN:
    return a < b ? a : b;
  default:
    assert(kind == EXPR_MAX);
    return a > b ? a : b;
  }
}

enum expr_result expr_eval(const struct expr *e, const struct expr_vars *vars,
                           struct buf *notes, double *ret, char *ret_why,
                           size_t size)
{
  double stack[EXPR_MAX_OPS] = {0};
  size_t n = 0;
  for (size_t i = 0; i < e->n; i++) {
    enum expr_op_kind kind = e->ops[i].kind;
    if (kind == EXPR_NUMBER) {
      stack[n++] = e->ops[i].number;
    } else if (kind == EXPR_NAME) {
      enum expr_result r =
          value_of(e->ops[i].name, vars, notes, &stack[n++], ret_why, size);
      if (r != EXPR_OK)
        return r;
    } else if (kind == EXPR_NEGATE) {
      assert(n >= 1);
      stack[n - 1] = -stack[n - 1];
    } else {
      assert(n >= 2);
      n--;
      if (kind == EXPR_DIV && !(stack[n] < 0 || stack[n] > 0)) {
        snprintf(ret_why, size, "a division by 0");
        return EXPR_NO_VALUE;
      }
      stack[n - 1] = combine(kind, stack[n - 1], stack[n]);
    }
  }
  assert(n == 1);
  *ret = stack[0];
  return EXPR_OK;
}

int expr_check(const struct jval *v, struct diag *diag)
{
  struct expr e;
  char why[160];
  size_t at = 0;
  const char *text = NULL;
  if (cJSON_IsNumber(v->node))
    return 0;
  if (jval_string(v, &text, diag) < 0)
    return -1;
  if (expr_parse(&e, text, why, sizeof why, &at) < 0)
    return jval_error(v, diag, "%s (character %zu of \"%s\")", why, at, text);
  return 0;
}

enum expr_result expr_eval_node(const cJSON *node, const struct expr_vars *vars,
                                struct buf *notes, double *ret, char *ret_why,
                                size_t size)
{
  struct expr e;
  size_t at = 0;
  if (cJSON_IsNumber(node)) {
    *ret = node->valuedouble;
    return EXPR_OK;
  }
  int rc = expr_parse(&e, node->valuestring, ret_why, size, &at);
  assert(rc == 0);
  (void)rc;
  return expr_eval(&e, vars, notes, ret, ret_why, size);
}

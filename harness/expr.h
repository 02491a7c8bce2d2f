/*
 * expr.h - the small language of expectations: `retry_after + policy.slack`.
 *
 * Numbers (seconds where a time is meant), the names retry_after, attempt,
 * calls and policy.NAME, + - * / ( ) min() max(). A text is compiled once to a
 * list in reverse Polish order and evaluated against the values of one moment;
 * both halves are pure. The rule (docs/scenario.md): a policy value that is not
 * there makes a check `skip`, a retry_after that is not there proves nothing.
 */
#ifndef HARNESS_EXPR_H
#define HARNESS_EXPR_H

#include "harness/policy.h"

enum expr_op_kind {
  EXPR_NUMBER,
  EXPR_NAME,
  EXPR_ADD,
  EXPR_SUB,
  EXPR_MUL,
  EXPR_DIV,
  EXPR_NEGATE,
  EXPR_MIN, /* of the two values on top */
  EXPR_MAX
};

enum { EXPR_MAX_OPS = 64, EXPR_MAX_NAME = 40 };

struct expr {
  struct {
    enum expr_op_kind kind;
    double number;
    char name[EXPR_MAX_NAME];
  } ops[EXPR_MAX_OPS];
  size_t n;
};

/* What the names stand for at one moment. */
struct expr_vars {
  const struct policy *policy;
  /* In virtual time, what policy.slack is worth there (check/slow.h). */
  bool virtual_time;
  double slack_s;
  bool has_retry_after;
  double retry_after_s;
  const char *retry_after_text; /* the literal sent, NULL: not known */
  int step;                     /* that sent it, -1: none */
  double attempt;               /* number within the lane, from 1 */
  double calls; /* that arrived, in the lanes the expectation is about */
};

enum expr_result {
  EXPR_OK,
  EXPR_NO_POLICY, /* the policy has no such value */
  EXPR_NO_VALUE   /* no retry-after was sent, or a division by 0 */
};

/* 0, or -1 with a sentence and the place in `text` (characters from 1). */
int expr_parse(struct expr *ret, const char *text, char *ret_why, size_t size,
               size_t *ret_at);
/* The value and, added to `notes` (may be NULL), where each name's value
 * comes from: `policy.slack = 4 s`. On no value, `ret_why` says which. */
enum expr_result expr_eval(const struct expr *e, const struct expr_vars *vars,
                           struct buf *notes, double *ret, char *ret_why,
                           size_t size);

/* A key of type PARAM_EXPR: a number, or a text that parses. */
int expr_check(const struct jval *v, struct diag *diag);
/* The same key of a checked file, evaluated. */
enum expr_result expr_eval_node(const cJSON *node, const struct expr_vars *vars,
                                struct buf *notes, double *ret, char *ret_why,
                                size_t size);

#endif

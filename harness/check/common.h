/*
 * common.h - what several checks share: bounds, their texts, lanes.
 *
 * Lower bounds are hard and upper bounds carry the slack their expression
 * names; both are printed with the measured value (design, section 3).
 */
#ifndef HARNESS_CHECK_COMMON_H
#define HARNESS_CHECK_COMMON_H

#include "harness/check/check.h"
#include "harness/expr.h"

/* Sets the verdict and, for a failure, the ordinary kind. */
void finding_set(struct finding *f, enum verdict v);
/* The same with a printf text as `actual`. */
void finding_actual(struct finding *f, enum verdict v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Keeps the graver of the two in `into`: fail, inconclusive, skip, pass. */
void finding_merge(struct finding *into, const struct finding *f);

/* Judges each lane of the expectation on its own and keeps the gravest
 * finding. A lane (or a run) without any call is inconclusive, no-contact. */
typedef void lane_judge_fn(const struct lane_view *v, const struct expect *x,
                           struct finding *ret);
void judge_lanes(const struct evidence *e, const struct expect *x,
                 lane_judge_fn *fn, struct finding *ret);
/* No call arrived at all: sets `ret` and returns true. */
bool no_contact(const struct evidence *e, struct finding *ret);

struct bounds {
  bool has_low, has_high;
  double low, high;
  char notes[160]; /* where the values come from, may be empty */
};

/* The keys `at_least`, `at_most`, `exactly` that are there. False when one
 * has no value: `ret_why` says what is missing. */
enum expr_result bounds_read(const struct expect *x,
                             const struct expr_vars *vars, struct bounds *ret,
                             char *ret_why, size_t size);
/* One of the keys has to be there. A checker for check->check. */
int bounds_check(const struct jval *expect, struct diag *diag);
bool bounds_hold(const struct bounds *b, double value);
/* A time as people read it: "412 ms", and from ten seconds on "3600.005 s". */
struct span_text {
  char s[40];
};
struct span_text span_text(double ms);
/* "2000..6000 ms   (policy.slack = 4 s)": values in seconds. */
void bounds_format_ms(const struct bounds *b, char *ret, size_t size);
/* "2..3", "3", "at most 3": counts. */
void bounds_format_count(const struct bounds *b, char *ret, size_t size);
/* Sets skip or inconclusive with the reason for a value that is missing. */
void finding_no_value(struct finding *f, enum expr_result r, const char *why);

/* Of a start that was ended at its limit: stalled, or a hang. */
enum kind start_hang_kind(const struct client_start *s);

double ns_to_ms(int64_t ns);
double ns_to_s(int64_t ns);

/* Names of variables for expectations that are about no single answer. */
struct expr_vars vars_plain(const struct evidence *e);

/* "(start 2) " or "" when the client was started once only. */
const char *start_label(const struct lane_view *v, size_t i, char *ret,
                        size_t size);

/* How one start ended, in words: "exit 0", "killed by signal 11". */
void start_format(const struct client_start *s, char *ret, size_t size);

#endif

/*
 * step_body.h - what any answer's body may be made into: another type, a
 * content coding, told truly or not, and cut.
 *
 * Rule: docs/scenario.md, "Bodies". Content codings: RFC 9110, section 8.4;
 * what a client accepts: section 12.5.3.
 */
#ifndef MOCKSERVER_STEP_BODY_H
#define MOCKSERVER_STEP_BODY_H

#include "base/param.h"
#include "mockserver/encode.h"
#include "mockserver/request.h"

extern const struct param body_params[];

struct coding {
  enum encoding kind;
  bool told; /* the header says so */
  bool done; /* the body is */
};

/* Neither told nor done when the step wants none, or the request does not
 * accept it and the step asks for that. `step` may be NULL. */
struct coding step_coding(const cJSON *step, const struct request *r);
/* True when accept-encoding names the coding, or all, with a weight above
 * zero. */
bool step_accepts(struct bytes accept, const char *name);
/* What the table cannot say. */
int step_body_check(const struct jval *step, struct diag *diag);

#endif

/*
 * step_head.h - what a step says about the head of its answer beyond its
 * own headers: the date, and the provider's quota headers.
 *
 * Names and forms of quota headers: docs/providers.md, "Quota headers". A
 * provider without such headers (Gemini) sends none.
 */
#ifndef MOCKSERVER_STEP_HEAD_H
#define MOCKSERVER_STEP_HEAD_H

#include "base/param.h"
#include "mockserver/provider/provider.h"

extern const struct param head_params[];
/* The keys of one member of quota_headers. */
extern const struct param quota_params[];

/* What param_check() cannot say about the keys of a step. */
int step_head_check(const struct jval *step, struct diag *diag);
/* How far the server's clock is off, in milliseconds. */
int64_t step_head_skew_ms(const cJSON *step);
/* False when the answer is to have no Date. */
bool step_head_date(const cJSON *step);
/* `lines` ("name: value\r\n" each, with {{...}}), without those the step's
 * quota_headers name as well, then these. */
void step_head_family(const cJSON *step, const struct provider *p,
                      const char *lines, const struct value_scope *s,
                      struct buf *ret);

#endif

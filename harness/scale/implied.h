/*
 * implied.h - times a scenario has without writing them: defaults, and what
 * a limiter's numbers come to. Pure.
 */
#ifndef HARNESS_SCALE_IMPLIED_H
#define HARNESS_SCALE_IMPLIED_H

#include <cjson/cJSON.h>

/* Seconds that an object of that place (keys.def) has by default, because it
 * leaves out the key; 0: none. A usage_limit is three hours, a bucket's period
 * a minute. */
double scale_implied(const char *place, const cJSON *object);
/* The key that says it. */
const char *scale_implied_key(const char *place);
/* Of a bucket of requests that refills all the time: seconds until the next
 * one gets in, which is what a refusal tells; 0: no such. */
double scale_implied_refill(const char *place, const cJSON *object);
/* Seconds of "second", "minute", "hour", "day"; 0: another word. */
double scale_implied_period(const char *word);

#endif

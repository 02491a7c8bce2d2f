/*
 * retry_test.h - the "Retry Test" resource of Google's storage-testbench: a
 * list of failures per operation, met by the requests that name its id in
 * the header x-retry-test-id.
 *
 * Rule: that server's README, "Retry Test API". Its operations are those of
 * Cloud Storage; here they are the generation calls and endpoint.h's names.
 * `completed` is stricter than there: every failure went out, not only
 * every one was taken.
 */
#ifndef MOCKSERVER_RETRY_TEST_H
#define MOCKSERVER_RETRY_TEST_H

#include "mockserver/call.h"
#include "mockserver/journal.h"

struct jval;
struct force;
struct retry_test;
struct retry_tests;

struct retry_tests *retry_tests_new(void);
void retry_tests_free(struct retry_tests *r);
/* {"instructions":{"OPERATION":["FAILURE",...]},"transport":"HTTP"}; NULL: a
 * placed error. The failures are those `f` knows. */
const struct retry_test *retry_tests_add(struct retry_tests *r, struct force *f,
                                         const struct jval *body,
                                         struct diag *diag);
/* NULL: none has that id. */
struct retry_test *retry_tests_find(const struct retry_tests *r,
                                    struct bytes id);
void retry_tests_remove(struct retry_tests *r, struct retry_test *t);
/* The next failure for that call, which `a` will be the attempt of; NULL: it
 * has none. Lives as long as the test. */
const char *retry_test_take(struct retry_tests *r, struct retry_test *t,
                            const struct call *c, const struct attempt *a);
/* An attempt is over: a failure it was to meet went out, or did not. */
void retry_tests_ended(struct retry_tests *r, const struct attempt *a);
/* How many of them are not completed. */
size_t retry_tests_open(const struct retry_tests *r);

/* {"id":..,"instructions":{..what is left..},"completed":..,"transport":..},
 * and "undelivered" when a failure was taken and never went out. */
void retry_test_json(const struct retry_test *t, struct buf *ret);
/* {"retry_test":[...]} */
void retry_tests_json(const struct retry_tests *r, struct buf *ret);

#endif

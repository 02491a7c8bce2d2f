/*
 * admin_priv.h - what the files of the admin paths share; nobody else
 * includes it. admin.c tells which is which, admin_show.c shows,
 * admin_change.c changes, admin_peer.c has what other servers have.
 */
#ifndef MOCKSERVER_ADMIN_PRIV_H
#define MOCKSERVER_ADMIN_PRIV_H

#include "mockserver/admin.h"
#include "mockserver/admin_paths.h"

/* Writes the answer's body and returns its status. */
typedef int admin_fn(const struct admin *a, const struct exchange *x,
                     struct buf *ret);

/* {"error":text} instead of what is there; returns `status`. */
int admin_error(struct buf *ret, int status, const char *text);
/* The same with the parts of the place that are known; returns 400. */
int admin_bad_json(struct buf *ret, const struct diag *diag);

admin_fn admin_get_health, admin_get_requests, admin_get_scenarios,
    admin_get_settings, admin_get_stats, admin_get_limits, admin_get_metrics;
admin_fn admin_post_settings, admin_post_scenarios, admin_clear_requests,
    admin_post_reset, admin_post_rewind;
admin_fn admin_get_verdict, admin_post_error, admin_post_retry_test,
    admin_get_retry_test, admin_get_retry_tests, admin_delete_retry_test;

#endif

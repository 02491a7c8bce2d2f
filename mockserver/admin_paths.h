/*
 * admin_paths.h - the paths that are the server's own, by WireMock's names
 * and those of other mock servers.
 */
#ifndef MOCKSERVER_ADMIN_PATHS_H
#define MOCKSERVER_ADMIN_PATHS_H

#include "base/buf.h"

/* True for /__admin/..., /health, /ready, /_llmock/..., /__aimock/...,
 * /retry_test[/...], /retry_tests */
bool admin_is_path(struct bytes path);
/* The name behind /__admin/ that the path means: itself, or what the alias
 * stands for; else the path as it stands. */
struct bytes admin_name(struct bytes path);

#endif

/*
 * admin.h - /__admin/...: what a person or a script asks of the server
 * itself. Never faulted, never journaled.
 *
 *   GET  /__admin/health    {"status":"ok"}
 *   GET  /__admin/requests  {"attempts":[...],"dropped":n}
 *   GET  /__admin/scenario  the script and how often each step was used
 *   POST /__admin/reset     empties the journal; the script stays where it is
 *   POST /__admin/rewind    back to the start of the script in every lane
 */
#ifndef MOCKSERVER_ADMIN_H
#define MOCKSERVER_ADMIN_H

#include "mockserver/exchange_open.h"
#include "mockserver/script.h"

struct admin {
  struct journal *journal;
  const struct scenario *scenario; /* may be NULL */
  struct script *script;
};

void admin_answer(struct exchange *x, const struct admin *a);

#endif

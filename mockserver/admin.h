/*
 * admin.h - /__admin/...: what a person or a script asks of the server
 * itself. Never faulted, never journaled; answered in JSON. The rule is
 * section 4 of the design.
 *
 *   GET  /__admin/health     {"status":"ok"}
 *   GET  /__admin/requests   {"attempts":[...],"dropped":n}
 *   GET  /__admin/scenarios  {"scenarios":[{name, why, steps and their uses}]}
 *   GET  /__admin/settings   {"no_faults":false}
 *   POST /__admin/settings   changes what the object names, shows all; a key
 *                            nobody knows is a 400 and changes nothing
 *   GET  /__admin/stats      requests, connections, memory, lateness
 *   POST /__admin/reset      empties the journal and the counts of stats; the
 *                            script stays where it is
 *   POST /__admin/rewind     back to the start of the script in every lane
 */
#ifndef MOCKSERVER_ADMIN_H
#define MOCKSERVER_ADMIN_H

#include "mockserver/engine.h"
#include "mockserver/exchange_open.h"
#include "mockserver/script.h"

struct admin {
  struct journal *journal;
  const struct scenario *scenario; /* may be NULL */
  struct script *script;
  bool *no_faults;
  struct engine *engine; /* NULL: no stats */
};

void admin_answer(struct exchange *x, const struct admin *a);

#endif

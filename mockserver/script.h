/*
 * script.h - which step answers which call.
 *
 * Rule: docs/scenario.md, "Order". Every lane walks the script on its own.
 * A call gets the first step that has uses left in its lane and does not
 * exclude the call by lane, match, number or time. Choosing changes nothing;
 * counting and taking do. The uses of a shared step count over all lanes.
 */
#ifndef MOCKSERVER_SCRIPT_H
#define MOCKSERVER_SCRIPT_H

#include "mockserver/call.h"
#include "mockserver/scenario.h"

enum choice_rule {
  RULE_STEP,         /* a step of the script */
  RULE_REPEAT_LAST,  /* beyond it: its last fitting step again */
  RULE_PLAIN_REPLY,  /* beyond it, or no script: a plain reply */
  RULE_SCRIPT_ENDED, /* beyond it: an error that says so */
  RULE_PASS          /* beyond it: on to the upstream */
};

struct choice {
  enum choice_rule rule;
  const struct step *step; /* NULL for the last two */
};

struct script;
/* `scenario` (NULL: none) must outlive it. */
struct script *script_new(const struct scenario *scenario);
void script_free(struct script *s);
struct choice script_choose(const struct script *s, const struct call *c,
                            const struct request *r);
/* The chosen step answers a call of this lane. */
void script_take(struct script *s, const struct choice *choice,
                 const char *lane);
/* A call has arrived; after the choice. The lane's first one starts the time
 * of its windows. */
void script_count(struct script *s, const struct call *c,
                  const struct request *r);
/* `n` uses of the step that no call will take. */
void script_use_up(struct script *s, const struct step *step, const char *lane,
                   int64_t n);
/* What is left of the step's window in that lane; INT64_MAX: no end. */
int64_t script_left_ns(const struct script *s, const struct step *step,
                       const char *lane, int64_t now_ns);
/* How often step i was taken, over all lanes. */
uint64_t script_uses(const struct script *s, size_t i);
void script_rewind(struct script *s);
/* Steps with a `chance` are drawn from it; 0 unless it is set. */
void script_seed(struct script *s, uint64_t seed);

/* True when some step is for this endpoint, which is no generation call: it
 * is no side traffic then. */
bool script_names(const struct script *s, const struct call *c);

/* True when neither the step's lane nor its match excludes the call. */
bool step_fits(const struct step *step, const struct call *c,
               const struct request *r);

#endif

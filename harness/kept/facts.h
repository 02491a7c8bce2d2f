/*
 * facts.h - `run.json` of an evidence folder: what is known of a run besides
 * its journal and the bytes of its outputs.
 *
 * Written and read here alone, so that both halves keep in step; the keys are
 * in docs/evidence.md. Of the environment only names are kept: values may be
 * secrets.
 */
#ifndef HARNESS_KEPT_FACTS_H
#define HARNESS_KEPT_FACTS_H

#include "harness/evidence.h"
#include "harness/kept/facts_time.h"

/* Of `format`: a folder of another one is refused, not guessed at. */
enum { FACTS_FORMAT = 1 };

struct facts {
  const char *address, *file, *again;
  const char *policy_file;    /* NULL: none was given */
  const char *provider;       /* {PROVIDER} */
  const char *asked_provider; /* --provider; NULL: it was not given */
  const char *folder;         /* the working folder */
  const char *project;        /* its project file; NULL: none */
  const char *error;          /* the set-up failed so; NULL: it ran */
  uint64_t seed;
  bool no_faults, strict;
  double limit_s; /* --limit; 0: it was not given */
  double seconds;
  struct wall_at at;               /* asked for by anybody */
  const struct vtime_report *time; /* NULL: real time. The log is not in it */
  uint64_t jumps_hash;             /* of virtual time: bytes_hash() of the
                                      kept log's text; 0: not kept */
  struct run_limits limits;        /* of virtual time, as they held; 0: of an
                                      earlier faultwire, which kept none */
  const char *const *command, *const *environment; /* end with NULL */
  int64_t start_ns, end_ns, wall_offset_ns;
  const uint64_t *step_uses; /* nsteps of them */
  size_t nsteps;
  const struct client_start *starts; /* without out and err */
  size_t nstarts;
};

void facts_write(const struct facts *f, struct buf *ret);

/* The same, read; everything in `facts` belongs to it. */
struct facts_file {
  struct facts facts;
  struct json_doc doc;
  struct client_start *starts;
  struct facts_time *time; /* NULL: real time */
  uint64_t *step_uses;
  const char **command, **environment;
};
/* `name` is for messages. The caller releases. */
int facts_read(struct facts_file *ret, const char *name, struct bytes text,
               struct diag *diag);
void facts_release(struct facts_file *f);

#endif

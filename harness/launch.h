/*
 * launch.h - starts a client in a clean environment and ends it for certain.
 *
 * The launch contract (facts about real clients): own process group, private
 * HOME and TMPDIR, an environment that holds nothing of the caller's but
 * PATH, stdin from /dev/null, no inherited descriptors, stdout and stderr
 * through pipes. The calling process is a subreaper, so whatever a client
 * leaves behind becomes its child and can be ended.
 */
#ifndef HARNESS_LAUNCH_H
#define HARNESS_LAUNCH_H

#include "base/buf.h"
#include "base/diag.h"
#include "harness/spec.h"
#include "harness/vtime/vtime.h"

/* In {SHARED}: a line for each thing the client did in the world. */
#define SIDE_EFFECTS_FILE "side-effects"

struct client {
  struct vtime *vtime; /* set before the start; NULL: real time */
  long pid;            /* 0: none */
  int pidfd;           /* readable when it has ended */
  int out_fd, err_fd;  /* read ends, non-blocking */
};

/* Where `program` is by the rules of PATH; the caller frees. NULL and a
 * sentence when there is no such program or it may not be run. */
char *launch_find(const char *program, struct diag *diag);

/* From now on orphans of our clients become our children. */
void launch_become_subreaper(void);
/*
 * Forks and executes, in virtual time if ret->vtime says so; returns after
 * exec has succeeded. -1 with a sentence when it could not be started;
 * nothing is left behind then.
 */
int launch_client(struct client *ret, char *const *argv, char *const *envp,
                  struct diag *diag);
/* Sends `sig` to it and its whole process group; only before it is reaped. */
void client_signal(const struct client *c, int sig);
/* Reaps it once pidfd is readable; true when done. `ret_signal` is 0 for an
 * exit. Closes pidfd, not the outputs. */
bool client_reap(struct client *c, int *ret_exit_code, int *ret_signal);

/*
 * Ends (SIGKILL) and reaps every child of this process that is not in
 * `keep`, again and again until none is left: children of the ended come to
 * us. True when one of them was still alive.
 */
bool launch_end_children(const long *keep, size_t nkeep);
/* The same for the orphans whose environment has the given HOME: other
 * clients of the run go on. */
bool launch_end_orphans_of(const char *home, const long *keep, size_t nkeep);

/* Words in braces and what they stand for. */
struct launch_words {
  char base[192];      /* {BASE} */
  const char *ca;      /* {CA}: the certificate to trust; NULL: no HTTPS */
  uint16_t port;       /* {PORT} */
  char run[32];        /* {RUN}: unique */
  const char *lane;    /* {LANE} */
  size_t lane_number;  /* {LANE_NUMBER}: its place in client.lanes, from 0 */
  const char *home;    /* {HOME} */
  const char *shared;  /* {SHARED}: one folder for all
                          lanes and starts of a run */
  const char *tmp;     /* TMPDIR */
  const char *shim;    /* {SHIM}: folder of the stand-ins, first on PATH */
  const char *command; /* {COMMAND}: the first one the scenario names */
  const char *without; /* NULL, or a name: folders that have such a program
                          are left out of PATH */
  const char *provider, *mode, *scenario; /* {PROVIDER} {MODE} {SCENARIO} */
  char work[160];                         /* {WORK}: the piece of work */
  const char *after_cut;                  /* {AFTER_CUT} */
  uint64_t seed;                          /* {SEED} */
  const cJSON *env; /* the project's variables, NULL: none */
};

/* `text` with the known words replaced; unknown ones stay as they are. The
 * caller frees. */
char *launch_replace(const char *text, const struct launch_words *w);
/* NULL-terminated lists for exec; free with launch_free_list. */
char **launch_argv(const char *const *command, size_t ncommand,
                   const struct spec *spec, const struct launch_words *w);
char **launch_env(const struct spec *spec, const struct launch_words *w);
void launch_free_list(char **list);
/* Makes HOME and TMPDIR and writes the scenario's files into HOME. */
int launch_files(const struct spec *spec, const struct launch_words *w,
                 struct diag *diag);

#endif

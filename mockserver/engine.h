/*
 * engine.h - sockets, HTTP parsing and the execution of wire plans.
 *
 * One thread, one epoll, one timer heap, one clock. libmicrohttpd parses the
 * requests; the engine owns every socket and writes every byte of an answer.
 * The harness runs its own descriptors and timers in the same loop, so a run
 * needs no locks.
 */
#ifndef MOCKSERVER_ENGINE_H
#define MOCKSERVER_ENGINE_H

#include "base/clock.h"
#include "base/diag.h"
#include "mockserver/journal.h"
#include "mockserver/plan.h"
#include "mockserver/request.h"

struct engine;
struct tls_ca;
struct tls_fault;

/*
 * Decides about one request: fills `plan`, and `a` with everything the
 * engine cannot know (lane, step, what ...). `a` is NULL-free and already
 * holds the request's part. To leave no trace in the journal (admin paths)
 * set *ret_unlogged.
 */
typedef void engine_handler_fn(void *arg, const struct request *r,
                               struct plan *plan, struct attempt *a,
                               bool *ret_unlogged);

/*
 * Asked when the head of a request with a body of known length is in: shall
 * it be answered now? Then the handler gets an empty body and plan->early
 * set, OP_READ_BODY reads what the client still sends, and the engine sends
 * no "100 Continue" of its own.
 */
typedef bool engine_early_fn(void *arg, const struct request *r);

/* Defaults of the limits; in --help as they stand here. */
#define ENGINE_MAX_HEAD 16384
#define ENGINE_MAX_TARGET 8192
#define ENGINE_MAX_HEADERS 100
#define ENGINE_MAX_BODY 33554432
#define ENGINE_BODY_IN_MEMORY 1048576
#define ENGINE_REQUEST_TIMEOUT_S 30

/* What a request may cost; 0 is the default of each. */
struct engine_limits {
  size_t head_bytes, target_bytes; /* beyond: 431, 414 */
  size_t headers;                  /* beyond: 431 */
  int64_t body_in_memory_bytes;    /* larger bodies go to an unlinked file */
  size_t connections;              /* more are not accepted for the time */
  int64_t idle_timeout_ns;         /* FIN without a request; 0: never */
  bool lenient; /* requests that are not quite HTTP are only journaled */
};

/*
 * Asked when a TLS connection begins: what is to go wrong in its handshake?
 * NULL: nothing. The answer is copied.
 */
typedef const struct tls_fault *engine_tls_fn(void *arg);

struct engine_options {
  const char *address; /* NULL: 127.0.0.1; others are refused unless
                          any_address is set */
  bool any_address;
  uint16_t port; /* 0: the kernel chooses */
  struct engine_limits limits;
  size_t max_body_bytes; /* 0: 32 MiB; larger requests get 413 */
  struct clock *clock;
  struct journal *journal;
  engine_handler_fn *handler;
  engine_early_fn *early; /* NULL: never */
  /* NULL: nobody is told. The attempt is over, its line not yet due. */
  void (*ended)(void *arg, const struct attempt *a);
  void *handler_arg; /* of all of these */
  /* HTTPS as well as HTTP, told apart by the first byte; NULL: HTTP only.
   * The caller's; must outlive the engine. */
  struct tls_ca *tls;
  engine_tls_fn *tls_fault;   /* NULL: no faults in handshakes */
  int64_t request_timeout_ns; /* for the head, and between two pieces of a
                                 body; 0: 30 s */
};

/*
 * For the whole process: raises the limit of open files to the hard limit,
 * ignores SIGPIPE, sets the timer slack to 1 ns and stops malloc from giving
 * memory back at once. Whoever starts other programs resets the signals and
 * calls engine_undo_in_child().
 */
struct engine *engine_new(const struct engine_options *o, struct diag *diag);
/* Closes everything; open attempts are journaled as they are. The journal
 * must still be open. */
void engine_free(struct engine *e);
uint16_t engine_port(const struct engine *e);
/* In a child between fork and exec: the limit of open files and the timer
 * slack as they were before the first engine. System calls only; nothing to
 * undo is fine. */
void engine_undo_in_child(void);

/* Runs until engine_stop(), which any thread and any signal handler may
 * call. */
int engine_run(struct engine *e, struct diag *diag);
void engine_stop(struct engine *e);
/* Stops accepting; what is open goes on. */
void engine_stop_accepting(struct engine *e);
/* Attempts whose plan has not ended. */
size_t engine_open_attempts(const struct engine *e);
/* Sockets of clients that are open, idle ones included. */
size_t engine_open_connections(const struct engine *e);

/*
 * How late plans went on after a wait: delays, periods of streams and drips.
 * Counted by the engine's own clock when a timer fires, against the moment
 * it was set for. Time-outs of requests and timers of engine_at() are not in
 * it. A percentile is at most 1/16 above the true value.
 */
struct engine_lateness {
  uint64_t count;
  int64_t p50_ns, p99_ns, max_ns;
};
struct engine_lateness engine_lateness(const struct engine *e);
/* Attempts that began: journaled requests, refused ones included. */
uint64_t engine_requests(const struct engine *e);
/* Lateness and requests start again at nothing. */
void engine_clear_counts(struct engine *e);

/* Foreign descriptors in the same loop; `fn` gets the epoll events. */
typedef void engine_fd_fn(void *arg, int fd, uint32_t events);
int engine_watch(struct engine *e, int fd, uint32_t events, engine_fd_fn *fn,
                 void *arg);
void engine_unwatch(struct engine *e, int fd);

/* A timer in the same heap; returns a number for engine_cancel, never 0. */
typedef void engine_timer_fn(void *arg);
uint64_t engine_at(struct engine *e, int64_t due_ns, engine_timer_fn *fn,
                   void *arg);
void engine_cancel(struct engine *e, uint64_t timer);

/* Timers that are set: those of engine_at() and those of connections. */
size_t engine_timers(const struct engine *e);

/* Called after each attempt was added (end is END_OPEN) and when it ended;
 * NULL for none. Lets the harness start its limit at the first request. */
typedef void engine_attempt_fn(void *arg, const struct attempt *a);
void engine_on_attempt(struct engine *e, engine_attempt_fn *fn, void *arg);

#endif

/*
 * jump_log.h - every jump of the clock and the thread it was for: what tells
 * "slept 27 s" from "was slow", which is kept as well. Also sums for the
 * report.
 */
#ifndef VTIME_JUMP_LOG_H
#define VTIME_JUMP_LOG_H

#include "base/buf.h"
#include "base/diag.h"

/* Kept of each run; of later ones only the sums are known. */
enum { JUMP_LOG_MAX = 200000 };

struct jump {
  int64_t at_ns;     /* virtual monotonic time after it */
  int64_t length_ns; /* how far it went */
  int64_t asked_ns;  /* what the thread had asked for in all */
  int pid, tid;      /* 0: a thread of ours */
  char comm[17];
  const char *call; /* static: "nanosleep"; "server" for ours */
};

/* Virtual time that passed without a jump. */
enum slow_kind {
  SLOW_COMPUTING, /* with the CPU time of a long busy stretch */
  SLOW_REAL_RATE  /* with real time: something could not be followed */
};
/* As in the file; NULL-terminated. */
extern const char *const slow_words[];

/* What passed so between two jumps. */
struct slow {
  int64_t from_ns, to_ns; /* first and last of it */
  int64_t length_ns;      /* sum; clock reads may lie between */
  enum slow_kind kind;
  uint64_t jumps; /* before it */
};

struct jump_log {
  struct jump *jump;
  size_t n, cap;
  struct slow *slow;
  size_t nslow, slow_cap;
  uint64_t total;
  int64_t sum_ns;     /* of all lengths */
  int64_t longest_ns; /* asked for by a thread of the client and gone over */
};

void jump_log_init(struct jump_log *l);
void jump_log_release(struct jump_log *l);
void jump_log_add(struct jump_log *l, const struct jump *j);
/* Time went on by `length_ns` and is `now_ns` now. */
void jump_log_add_slow(struct jump_log *l, enum slow_kind kind, int64_t now_ns,
                       int64_t length_ns);
/* A line of JSON for each, in their order, times in seconds since
 * `start_ns`. */
void jump_log_write(const struct jump_log *l, int64_t start_ns,
                    struct buf *ret);
/* The same, read again; calls are not kept. An empty log is to be given and
 * is the caller's on success alone; `name` is for messages. */
int jump_log_read(struct jump_log *ret, int64_t start_ns, const char *name,
                  struct bytes text, struct diag *diag);

/* Virtual time from `from_ns` to `to_ns` that passed by jumps: all slept,
 * whoever was to wake first; the longest wait of the client's that one of
 * them ended; and what went on with the client's CPU time or with real time.
 * The rest are reads of the clock. */
struct jump_sum {
  int64_t slept_ns, longest_ns, computing_ns, real_rate_ns;
  bool whole; /* all of that time is in the log, which has an end */
};
struct jump_sum jump_log_between(const struct jump_log *l, int64_t from_ns,
                                 int64_t to_ns);

/* The name of the thread that most jumps were for, how many, and what it
 * asked for on average; "" when there was none of a client's. */
size_t jump_log_busiest(const struct jump_log *l, char ret_comm[17],
                        int64_t *ret_asked_ns);

#endif

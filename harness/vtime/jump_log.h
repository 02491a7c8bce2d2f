/*
 * jump_log.h - every jump of the clock and the thread it was for: what tells
 * "slept 27 s" from "was slow". Also sums for the report.
 */
#ifndef VTIME_JUMP_LOG_H
#define VTIME_JUMP_LOG_H

#include "base/buf.h"

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

struct jump_log {
  struct jump *jump;
  size_t n, cap;
  uint64_t total;
  int64_t sum_ns;     /* of all lengths */
  int64_t longest_ns; /* asked for by a thread of the client and gone over */
};

void jump_log_init(struct jump_log *l);
void jump_log_release(struct jump_log *l);
void jump_log_add(struct jump_log *l, const struct jump *j);
/* A line of JSON for each, times in seconds since `start_ns`. */
void jump_log_write(const struct jump_log *l, int64_t start_ns,
                    struct buf *ret);
/* Virtual time from `from_ns` to `to_ns` that passed by jumps: all slept,
 * whoever was to wake first; and the longest wait of the client's that one of
 * them ended. What is left of the time somebody was slow. */
struct jump_sum {
  int64_t slept_ns, longest_ns;
};
struct jump_sum jump_log_between(const struct jump_log *l, int64_t from_ns,
                                 int64_t to_ns);

#endif

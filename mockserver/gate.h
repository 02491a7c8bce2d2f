/*
 * gate.h - answers that wait for each other.
 *
 * A gate is shut until somebody opens it or its time is up; every connection
 * that waits at it then goes on in the same turn of the loop, in the order
 * of arrival. Whoever holds a gate keeps a reference to it.
 */
#ifndef MOCKSERVER_GATE_H
#define MOCKSERVER_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gate;

/* One who waits; part of its owner. */
struct gate_wait {
  struct gate *gate; /* NULL: waits nowhere */
  struct gate_wait *next, **at;
  void (*opened)(struct gate_wait *w);
};

struct gate {
  size_t refs;
  bool open;
  int64_t due_ns;        /* when it opens by itself */
  int64_t opened_ns;     /* when it did open */
  uint64_t round;        /* its number among those of its step, from 1 */
  uint64_t came, wanted; /* calls so far, calls that open it */
  struct gate_wait *first, **last;
};

/* Shut, with one reference. */
struct gate *gate_new(int64_t due_ns, uint64_t round, uint64_t wanted);
void gate_hold(struct gate *g);
/* Gives a reference back; the last one frees it. NULL is fine. */
void gate_drop(struct gate *g);
/* Opens it and tells all that wait; nothing for an open one. */
void gate_open(struct gate *g, int64_t now_ns);
/* `w` is told when the gate opens; it must be shut. */
void gate_wait_at(struct gate *g, struct gate_wait *w);
/* Fine for one that does not wait. */
void gate_wait_end(struct gate_wait *w);

#endif

/*
 * plan.h - the wire plan: what the server does on one connection, op by op.
 *
 * A fault or a reply only writes a plan; the engine executes it and owns the
 * socket. Every byte of an answer is in a plan: nothing is left to a
 * library's response path.
 *
 * A plan keeps its own copy of all bytes. `elapsed_ns` adds up its delays
 * while it is built, so that a value computed for the moment of sending
 * (Date, an epoch) is right behind a delay too.
 */
#ifndef MOCKSERVER_PLAN_H
#define MOCKSERVER_PLAN_H

#include "base/buf.h"
#include "mockserver/event_times.h"

enum op_kind {
  OP_SEND,       /* bytes */
  OP_GENERATE,   /* bytes made when they are due, n times, with a period */
  OP_FILL,       /* n bytes 'x' */
  OP_DRIP,       /* bytes, `step` at a time, every ns */
  OP_DELAY,      /* ns */
  OP_STALL,      /* nothing more; ends when the client leaves */
  OP_READ_BODY,  /* read the rest of the request body */
  OP_WAIT_INPUT, /* until the client sends a byte or leaves */
  OP_PORT,       /* the listening port changes, ns from now, for `for_ns` */
  OP_HANDSHAKE,  /* the TLS handshake takes its course; ends the plan */
  OP_GATE,       /* until the gate is open, then the rest is written */
  OP_MARK,       /* a fact for the journal, see enum plan_mark */
  OP_FIN,        /* shut down for writing, drain up to 2 s, close */
  OP_CLOSE,      /* close at once: the kernel may send RST */
  OP_RST,        /* reset: linger 0 */
  OP_KEEP        /* the connection waits for the next request; ns > 0: so
                    long at most, then FIN, or RST when `rst` */
};

/* What new connections meet. */
enum port_state {
  PORT_OPEN,
  PORT_REFUSE,  /* nobody listens */
  PORT_BACKLOG, /* the queue is full: handshakes are not answered */
  PORT_STALL    /* accepted and never read */
};

/* Facts told to the journal when the plan passes them. */
enum plan_mark {
  MARK_HEAD,     /* the answer's head is out */
  MARK_EVENT,    /* one stream event is out */
  MARK_TERMINAL, /* the provider's terminal event is out */
  MARK_FAULT,    /* the scripted fault has been delivered */
  MARK_COMPLETE  /* the answer is whole */
};

struct attempt;
struct gate;
struct plan;

/* Writes the rest of the plan once the gate is open. `arg` is freed by the
 * plan with `free_arg`. */
typedef void plan_more_fn(void *arg, struct plan *p, struct attempt *a);

/* Appends the bytes of piece `i` (from 0) to `out`; false: no more. `arg` is
 * freed by the plan with `free_arg`. */
typedef bool plan_generate_fn(void *arg, uint64_t i, struct buf *out);

struct op {
  enum op_kind kind;
  enum plan_mark mark;
  size_t at, n; /* bytes within plan->bytes; FILL: n */
  size_t step;  /* DRIP */
  int64_t ns;   /* DELAY, DRIP, period of GENERATE, KEEP */
  bool rst;     /* KEEP */
  char event;   /* GENERATE, MARK of an event: its enum event_kind */
  enum port_state port;
  int64_t for_ns; /* PORT; INT64_MAX: to the end */
  plan_generate_fn *generate;
  struct gate *gate; /* GATE: with a reference */
  plan_more_fn *more;
  void *arg;
  void (*free_arg)(void *);
};

struct plan {
  struct buf bytes;
  struct op *ops;
  size_t nops, cap;
  int64_t elapsed_ns; /* sum of the delays so far */
  bool early;     /* set by the engine: the handler was asked before the request
                     body was read (engine_options.early) */
  bool no_notify; /* TLS: the connection ends behind this answer, without
                     close_notify */
  bool apart;     /* the next send starts a segment of its own */
};

/* Ceiling of one plan's bytes. */
#define PLAN_MAX_BYTES ((size_t)64 << 20)

void plan_init(struct plan *p);
void plan_release(struct plan *p);
/* Empties it for the next answer and keeps the memory. */
void plan_reset(struct plan *p);

/* Neighbouring sends are joined into one op (and so one segment); a mark,
 * a delay or plan_segment() between them keeps them apart. */
void plan_send(struct plan *p, struct bytes b);
void plan_segment(struct plan *p);
/* For a plan whose ops so far are all done: their bytes are given up. */
void plan_forget(struct plan *p);
void plan_fill(struct plan *p, uint64_t n);
void plan_drip(struct plan *p, struct bytes b, size_t step, int64_t ns);
void plan_delay(struct plan *p, int64_t ns);
/* Each piece counts as one MARK_EVENT of that kind; period 0: one after the
 * other. The first piece is due at once, piece i at i * period. */
void plan_generate(struct plan *p, plan_generate_fn *fn, void *arg,
                   void (*free_arg)(void *), int64_t period_ns,
                   enum event_kind kind);
/* Any mark but that of an event, which has a kind. */
void plan_mark(struct plan *p, enum plan_mark m);
void plan_mark_event(struct plan *p, enum event_kind kind);
void plan_stall(struct plan *p);
void plan_handshake(struct plan *p);
void plan_read_body(struct plan *p);
void plan_wait_input(struct plan *p);
/* The port changes `after_ns` from then on, for `for_ns`. */
void plan_port(struct plan *p, enum port_state state, int64_t after_ns,
               int64_t for_ns);
/* Takes over the caller's reference. */
void plan_gate(struct plan *p, struct gate *gate, plan_more_fn *more, void *arg,
               void (*free_arg)(void *));
void plan_fin(struct plan *p);
void plan_close(struct plan *p);
void plan_rst(struct plan *p);
void plan_keep(struct plan *p);
/* No request within `idle_ns`: the connection ends with FIN or RST. */
void plan_keep_for(struct plan *p, int64_t idle_ns, bool rst);

/* For those who rebuild a plan from its own ops: appends one, whose bytes
 * are in the plan already and whose argument goes over to the new place ... */
void plan_move(struct plan *p, const struct op *op);
/* ... or frees what an op that is left out holds. */
void plan_discard(const struct op *op);

#endif

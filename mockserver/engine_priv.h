/*
 * engine_priv.h - what the files of the engine share; nobody else includes
 * it.
 *
 * One loop turn: wait, fire timers, look at events, let the parser run once,
 * run the plans that became ready in the order of arrival, write the
 * journal, recycle the connections that ended. Ended connections are
 * recycled only there, so an event of the same turn cannot hit a new owner.
 * Timers that come due meanwhile fire between two events or plans: a burst
 * of requests does not make the streams late.
 */
#ifndef MOCKSERVER_ENGINE_PRIV_H
#define MOCKSERVER_ENGINE_PRIV_H

#include "mockserver/engine.h"
#include "mockserver/engine_known.h"
#include "mockserver/engine_late.h"
#include "mockserver/timer.h"

/* What is looked at before a request is handed over: nearly all heads. */
#define PEEK_BYTES ((size_t)8192)

struct MHD_Daemon;
struct conn;

/* What epoll hands back; the first member of everything registered. */
struct source {
  void (*event)(struct engine *e, struct source *s, uint32_t events);
};

enum conn_state {
  CONN_IDLE,    /* waits for a request */
  CONN_PARSING, /* libmicrohttpd reads from its copy of the descriptor */
  CONN_PLAN,    /* an answer is going on */
  CONN_LINGER,  /* shut down for writing, drains */
  CONN_DEAD     /* closed in this turn */
};

/* A request while it arrives. */
struct intake {
  struct intake *next_free;
  struct buf target, body;
  struct header *headers; /* point into the parser's memory */
  size_t nheaders, cap;
  uint64_t head_bytes, content_length;
  struct buf raw; /* a head that is to be known from now on */
  bool begun;     /* the head is in */
  bool chunked, has_body, wants_close;
};

struct conn {
  struct source source;
  struct timer timer;
  struct conn *prev, *next; /* all that are open; `next`: dead or free ones */
  struct conn *next_ready;
  int fd;
  enum conn_state state;
  bool input;    /* epoll told of bytes nobody has looked at */
  bool peer_fin; /* the client has sent FIN: epoll tells that only once */
  bool ready;    /* in the list of plans to run */
  bool timed_out;
  bool close_after; /* KEEP ends the connection */
  bool started;     /* the op at `pc` has begun */
  uint64_t id;
  uint64_t read_bytes, sent_bytes; /* since it was accepted */
  int64_t first_byte_ns;
  size_t pending;          /* bytes that waited when the request began */
  unsigned char first[16]; /* of them, for requests nobody could parse */
  struct intake *intake;
  struct plan *plan;
  size_t pc;
  uint64_t off;            /* bytes or pieces done of the op at `pc` */
  int64_t base_ns;         /* GENERATE: when piece 0 was due */
  struct buf rest;         /* GENERATE: what the socket did not take yet */
  uint64_t unread;         /* bytes of the request body nobody has read */
  struct attempt *attempt; /* NULL: not journaled, or over */
  int status;              /* journaled when the head is out */
};

struct watch {
  struct source source;
  struct watch *next;
  int fd; /* -1: given up, freed at the end of the turn */
  engine_fd_fn *fn;
  void *arg;
};

struct user_timer {
  struct timer timer;
  struct user_timer *next;
  uint64_t number;
  engine_timer_fn *fn;
  void *arg;
};

struct engine {
  struct engine_options o;
  int epoll_fd, listen_fd, wake_fd, parser_epoll_fd;
  uint16_t port;
  struct source listen_source, wake_source, parser_source;
  bool listening; /* the listener is in epoll */
  struct timers timers;
  struct MHD_Daemon *parser;
  bool parser_due;      /* the parser has to run in this turn */
  bool parser_watched;  /* its epoll is in ours */
  size_t nparsing;      /* connections it reads from */
  struct conn *handing; /* being given to the parser right now */
  struct conn *conns, *dead, *free_conns;
  struct conn *ready, **ready_end;
  size_t nconns, max_conns, open_attempts;
  uint64_t requests;
  uint64_t next_conn_id;
  int64_t now_ns; /* of this turn */
  struct plan *free_plans[32];
  size_t nfree_plans;
  struct intake *free_intakes;
  struct buf scratch;
  struct watch *watches;
  struct user_timer *user_timers;
  uint64_t next_timer;
  engine_attempt_fn *on_attempt;
  void *on_attempt_arg;
  volatile bool stop;
  bool closing;
  struct known known;
  struct late late;
};

/* ---- engine_listen.c ---- */
int listen_open(struct engine *e, struct diag *diag);
/* In or out of epoll; out while no descriptor is left. */
void listen_pause(struct engine *e);
void listen_resume(struct engine *e);
void listen_close(struct engine *e);

/* ---- engine_conn.c ---- */
struct conn *conn_accept(struct engine *e, int fd);
/* Closes it; an open attempt must have been ended. */
void conn_close(struct engine *e, struct conn *c);
void conn_recycle_dead(struct engine *e);
void conn_free_all(struct engine *e);
/* Its plan is looked at after the parser has run. */
void conn_make_ready(struct engine *e, struct conn *c);
/* Waits for the next request, or takes the one that is there already. */
void conn_idle(struct engine *e, struct conn *c);
/* FIN, then drain. */
void conn_linger(struct engine *e, struct conn *c);
void conn_attempt_end(struct engine *e, struct conn *c, enum attempt_end end);
/* The client is gone: ends attempt and connection. */
void conn_client_left(struct engine *e, struct conn *c);
struct plan *plan_take(struct engine *e);
void plan_give_back(struct engine *e, struct plan *p);

/* ---- engine_exec.c ---- */
/* Goes on with the plan, or drains, as far as it goes without waiting. */
void conn_run(struct engine *e, struct conn *c);

/* ---- engine_parse.c ---- */
int parser_start(struct engine *e, struct diag *diag);
void parser_stop(struct engine *e);
bool parser_is_busy(struct engine *e);
void parser_run(struct engine *e);
/* The connection is no longer PARSING. */
void parser_leave(struct engine *e, struct conn *c);
/* Gives a copy of the descriptor to the parser; `c` becomes PARSING. */
void parser_hand_over(struct engine *e, struct conn *c);
struct intake *intake_take(struct engine *e);
void intake_give_back(struct engine *e, struct conn *c);
void intakes_free(struct engine *e);

/* ---- engine_skip.c ---- */
/* `waiting`: what is in the socket, as far as it was looked at. True when
 * that is one whole request with a known head: the handler has been asked.
 * Else the parser's turn. */
bool skip_parser(struct engine *e, struct conn *c, struct bytes waiting);
/* The parser has taken the head of `r`. */
void skip_learn(struct engine *e, const struct conn *c,
                const struct request *r);

/* ---- engine_decide.c ---- */
/* The request is in (or its head is, when `early`): asks the handler. */
void conn_decide(struct engine *e, struct conn *c, struct request *r,
                 bool early);
/* The body is over the limit: 413. */
void conn_refuse_body(struct engine *e, struct conn *c, struct request *r);
/* Not a request the parser takes. `answered`: bytes it wrote itself. */
void conn_refuse(struct engine *e, struct conn *c, const char *what,
                 uint64_t answered);

/* ---- engine_tcp.c ---- */
/* Bytes the process has read from / written to the socket so far. */
uint64_t tcp_read_bytes(int fd);
uint64_t tcp_sent_bytes(int fd);

/* ---- engine_watch.c ---- */
void watches_recycle(struct engine *e);
void watches_free(struct engine *e);

#endif

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
#include "mockserver/engine_body.h"
#include "mockserver/engine_known.h"
#include "mockserver/engine_late.h"
#include "mockserver/gate.h"
#include "mockserver/timer.h"

/* What is looked at before a request is handed over: nearly all heads. */
#define PEEK_BYTES ((size_t)8192)

/* Room for a burst of clients; the kernel cuts it to net.core.somaxconn. */
#define LISTEN_BACKLOG 4096
/* One connection fits into a queue of length 0, the others make sure. */
enum { FILLERS = 3 };

struct MHD_Daemon;
struct conn;
struct feed;
struct tls;
struct tls_fault;

/* What epoll hands back; the first member of everything registered. */
struct source {
  void (*event)(struct engine *e, struct source *s, uint32_t events);
};

enum conn_state {
  CONN_IDLE,      /* waits for a request */
  CONN_HEAD,      /* waits for the rest of a head, which is left unread */
  CONN_HANDSHAKE, /* TLS, before the first request */
  CONN_PARSING,   /* libmicrohttpd reads from its copy of the descriptor */
  CONN_PLAN,      /* an answer is going on */
  CONN_LINGER,    /* shut down for writing, drains */
  CONN_DEAD       /* closed in this turn */
};

/* A request while it arrives. */
struct intake {
  struct intake *next_free;
  struct buf target;
  struct body body;
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
  uint64_t off;                /* bytes or pieces done of the op at `pc` */
  int64_t base_ns;             /* GENERATE: when piece 0 was due */
  struct buf rest;             /* GENERATE: what the socket did not take yet */
  uint64_t unread;             /* bytes of the request body nobody has read */
  uint32_t flaws;              /* of the request that is being read */
  uint64_t requests;           /* decided on this connection */
  struct gate_wait wait;       /* GATE */
  int64_t idle_ns;             /* KEEP: how long at most, 0: without end */
  bool idle_rst;               /* ... and then RST */
  bool stalled;                /* accepted while the port stalls: never read */
  struct tls *tls;             /* NULL: not encrypted */
  struct feed *feed;           /* decrypted bytes on their way to the parser */
  uint64_t taken;              /* decrypted bytes of requests that are read */
  struct tls_fault *tls_fault; /* still to come; owned; NULL: none */
  struct engine *engine;       /* for those who know the connection alone */
  struct attempt *attempt;     /* NULL: not journaled, or over */
  int status;                  /* journaled when the head is out */
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
  bool owned; /* `arg` is freed with a timer that does not fire */
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
  enum port_state port_state;
  uint64_t port_changes;
  int fillers[FILLERS]; /* what fills the queue of connections, or -1 */
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
  char *head_room; /* for heads longer than the first look; or NULL */
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
/* close() will reset: linger 0. The parser's copy must be closed by then. */
void conn_reset_on_close(struct conn *c);
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

/* ---- engine_head.c ---- */
/* `waiting`: what is in the socket, as far as it was looked at. Refuses the
 * request, hands it to the parser or waits for the rest of its head. */
void head_look(struct engine *e, struct conn *c, struct bytes waiting);
/* More may have come for a connection that is HEAD. */
void head_input(struct engine *e, struct conn *c);
/* The client is gone, or its time is up. */
void head_left(struct engine *e, struct conn *c);
void head_timed_out(struct engine *e, struct conn *c);

/* ---- engine_decide.c ---- */
/* A request that is refused before the parser has seen it. */
struct refusal {
  int status;
  const char *text;
  struct bytes method, target;
  uint32_t flaws;
};
void conn_refuse_head(struct engine *e, struct conn *c,
                      const struct refusal *x);
/* The body cannot be kept: 500. */
void conn_refuse_no_room(struct engine *e, struct conn *c, struct request *r);
/* The request is in (or its head is, when `early`): asks the handler. */
void conn_decide(struct engine *e, struct conn *c, struct request *r,
                 bool early);
/* The attempt's status counts from the plan's mark of the head on. Asked
 * again when the plan has grown. */
void conn_hold_status(struct conn *c);
/* The body is over the limit: 413. */
void conn_refuse_body(struct engine *e, struct conn *c, struct request *r);
/* The attempt of a handshake that is not an ordinary one, open from now on;
 * `note` has rule, fault, what and the name that was asked for. */
struct handshake_note {
  const char *server_name, *rule, *fault, *what;
  bool injected;
};
struct attempt *conn_note_handshake(struct engine *e, struct conn *c,
                                    const struct handshake_note *note);
/* c->plan is carried out from now on. */
void conn_begin_plan(struct engine *e, struct conn *c);
/* Not a request the parser takes. `answered`: bytes it wrote itself. */
void conn_refuse(struct engine *e, struct conn *c, const char *what,
                 uint64_t answered);

/* ---- engine_tls.c ---- */
/* A first byte is there, and it is one of TLS. */
bool secure_wanted(const char *p, size_t n);
/* The connection becomes HANDSHAKE. */
void secure_begin(struct engine *e, struct conn *c);
/* As far as it goes without waiting; it may go on after an answer's plan. */
void secure_run(struct engine *e, struct conn *c);
void secure_resume(struct engine *e, struct conn *c);
void secure_timed_out(struct engine *e, struct conn *c);
/* The handshake's attempt is over: a request follows, or the end. */
void secure_settle(struct engine *e, struct conn *c, enum attempt_end end);
void secure_release(struct engine *e, struct conn *c);

/* ---- engine_feed.c ---- */
/* A descriptor for the parser, -1: none is left. */
int feed_open(struct engine *e, struct conn *c);
/* More may have come from the client. */
void feed_more(struct engine *e, struct conn *c);
/* The parser reads the end of input. */
void feed_end(struct conn *c);
/* What the parser wrote by itself goes to the client: so many bytes. */
uint64_t feed_pass_on(struct conn *c);
uint64_t feed_read_bytes(const struct conn *c);
ssize_t feed_skip(struct conn *c, size_t n);
void feed_close(struct engine *e, struct conn *c);

/* ---- engine_tcp.c ---- */
/* Bytes the process has read from / written to the socket so far. */
uint64_t tcp_read_bytes(int fd);
uint64_t tcp_sent_bytes(int fd);
/* Written to the socket and still waiting to go out. */
uint64_t tcp_unsent_bytes(int fd);

/* ---- engine_port.c ---- */
/* What new connections meet `after_ns` from now, for `for_ns`. A change ends
 * the one before it. */
void port_change_at(struct engine *e, enum port_state state, int64_t after_ns,
                    int64_t for_ns);
void port_close(struct engine *e);

/* ---- engine_watch.c ---- */
/* engine_at() whose `arg` is freed with the engine when it has not fired. */
void engine_at_owned(struct engine *e, int64_t due_ns, engine_timer_fn *fn,
                     void *arg);
void watches_recycle(struct engine *e);
void watches_free(struct engine *e);

#endif

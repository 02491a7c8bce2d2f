/*
 * session.h - one start of a stand-in, from its first frame to its end. Only
 * the files of the host include this.
 */
#ifndef MOCKSERVER_COMMAND_SESSION_H
#define MOCKSERVER_COMMAND_SESSION_H

#include "mockserver/command/host.h"
#include "mockserver/command/step.h"
#include "mockserver/command/wire.h"
#include "mockserver/gate.h"
#include "mockserver/script.h"

/* Words of argv or names of variables. */
struct word_list {
  char **word;
  size_t n, cap;
};

enum session_state {
  SESSION_HELLO, /* it still tells who it is */
  SESSION_STDIN, /* its stdin is read */
  SESSION_RUN    /* its pieces are done, one after the other */
};

struct session {
  struct host *host;
  struct session *next, **at; /* all that are open */
  int fd;
  enum session_state state;
  struct buf in; /* frames that are not whole yet */
  size_t told;   /* bytes of all words */
  char lane[64];
  char *name;
  struct word_list argv, env;
  struct buf input; /* stdin */
  int64_t begin_ns, hello_ns;
  struct start start;
  uint64_t timer; /* 0: none */

  struct attempt *attempt; /* NULL: not chosen yet */
  bool held_back;          /* a control run: the fault is not sent */
  struct choice choice;    /* made when all was told */
  struct act *act;         /* whose script it is, held until the end */
  struct gate *gate;       /* of the barrier that holds it, NULL: none */
  struct gate_wait wait;
  struct pieces pieces;
  size_t piece;     /* the one that is due */
  uint64_t round;   /* of its repeats */
  struct buf out;   /* its bytes with their values */
  size_t out_at;    /* sent of them */
  size_t in_flight; /* bytes of the write that is not done */
};

struct host {
  struct host_options o;
  struct ids ids;
  struct listener *listeners;
  struct session *sessions;
  size_t nsessions;
  engine_attempt_fn *on_attempt;
  void *on_attempt_arg;
};

/* session.c: takes over the socket. */
void session_begin(struct host *h, int fd, const char *lane);
/* The connection is over, for whatever reason. */
void session_end(struct session *s);
/* The server goes: what the stand-in has told up to now still counts. */
void session_stop(struct session *s);
/* One frame to the stand-in; false: the connection is lost, the session still
 * there. */
bool session_send(struct session *s, enum shim_frame kind, const void *p,
                  size_t n);
int64_t session_now(const struct session *s);
void session_drop_timer(struct session *s);
void session_set_timer(struct session *s, int64_t ns, engine_timer_fn *fn);

/* session_run.c: all is told; chooses a step and begins with it. */
void session_choose(struct session *s);
/* The stand-in has done the last thing. */
void session_done(struct session *s);

/* session_attempt.c: what the journal holds of a start; `choice` NULL: it took
 * no step. */
void session_journal(struct session *s, const struct choice *choice,
                     const struct command_said *said);

#endif

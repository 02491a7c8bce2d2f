/*
 * journal.h - what happened on the wire, attempt by attempt.
 *
 * The journal is the only truth about attempts. It is kept in memory and,
 * when a file is given, written as JSON Lines: one object per attempt when
 * the attempt is over. All times are monotonic nanoseconds of the server's
 * clock; 0 means "did not happen". Credentials are masked before they get
 * here.
 */
#ifndef MOCKSERVER_JOURNAL_H
#define MOCKSERVER_JOURNAL_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/diag.h"
#include "mockserver/event_times.h"

/* `what` of a call that was dropped: as many files were open as may be. */
#define NO_DESCRIPTOR "no descriptor left"

enum attempt_class {
  ATTEMPT_CALL,     /* a call the script is about */
  ATTEMPT_SIDE,     /* side traffic: probes, token counts, other models */
  ATTEMPT_REFUSED,  /* not HTTP the parser takes: the library answered */
  ATTEMPT_HANDSHAKE /* of TLS, with a fault or failed; a request of its
                       connection is an attempt of its own */
};

enum attempt_end {
  END_OPEN,   /* still going on */
  END_KEPT,   /* answered, connection kept */
  END_FIN,    /* the server closed with FIN */
  END_RST,    /* the server reset */
  END_CLOSED, /* the server closed raw */
  END_CLIENT, /* the client left first */
  END_EXIT    /* a stand-in command ended as scripted */
};

struct attempt {
  uint64_t seq; /* from 1, in order of arrival */
  uint64_t conn_id;
  enum attempt_class cls;
  enum attempt_end end;

  /* the request */
  int64_t first_byte_ns, end_request_ns;
  char tls[8]; /* "TLS1.3", "" when it is not encrypted */
  char method[16];
  const char *route;  /* pattern of its path, static; NULL: none known */
  uint64_t script;    /* which arming answers it, from 1; 0: none does */
  char *target;       /* credentials in the query masked */
  char *headers;      /* "name: value\n" each, in order, masked */
  uint64_t body_hash; /* bytes_hash of the body */
  uint64_t body_bytes;
  char *body; /* at most JOURNAL_BODY_BYTES of it */
  size_t body_kept;
  uint32_t flaws; /* what is not quite HTTP in it: bit i of flaws.def */
  uint64_t pipelined_bytes; /* bytes of a next request that came before the
                               answer; they are lost, and the connection
                               ends with this answer */
  char lane[64], provider[32], model[96];
  bool stream;     /* the request asks for a stream */
  int retry_count; /* of the SDK's retry header, -1 when there is none */
  char idempotency_key[96];

  /* a start of a stand-in command: method is START, target the line, body its
   * stdin; the words and names one behind the other, each with its NUL */
  bool is_start;
  char *argv, *env;
  size_t argv_bytes, env_bytes;
  int exit_code, exit_signal; /* hold when end is END_EXIT */

  /* what was done about it */
  int step;             /* number of the step, -1: none */
  char rule[64];        /* "step 0", "after_script", "non_stream", "side" ... */
  char fault[32];       /* fault kind, "none" for a plain reply */
  int status;           /* status sent, 0 when no head was sent */
  char what[96];        /* "429 rate_limit_error", "200 message" */
  char retry_after[96]; /* the literal sent, "" when there was none */
  bool has_retry_after;
  bool injected;    /* a fault was meant to be sent */
  bool delivered;   /* ... and was: MARK_FAULT passed */
  bool complete;    /* MARK_COMPLETE passed */
  bool stream_sent; /* the answer is an event stream */
  bool terminal_sent;
  uint64_t events_sent;
  struct event_times *events; /* of the first of them; NULL: no event is out,
                                 or they came from upstream */

  /* a call held at a barrier; round 0: it was not */
  uint64_t barrier_round;                /* of its step, from 1 */
  uint64_t barrier_came, barrier_wanted; /* calls of the round */
  int64_t barrier_open_ns;               /* when all of them went on */

  char limits[128]; /* levels of the limiter behind this request, or what
                       refused it; "" when it met none */

  /* the answer on the wire */
  uint64_t bytes_sent;
  int64_t answer_first_ns, answer_last_ns;
  int64_t client_left_ns;
};

#define JOURNAL_BODY_BYTES ((size_t)256 << 10)

struct journal;

/* `path`: JSON Lines file, NULL for memory only; `max_attempts`: beyond it
 * the oldest are dropped (and counted) in a serving process, 0 = keep all. */
struct journal *journal_open(const char *path, struct clock *clock,
                             size_t max_attempts, struct diag *diag);
void journal_close(struct journal *j);
/* A fresh attempt with seq set; owned by the journal, address stable. */
struct attempt *journal_add(struct journal *j);
/* The same in two steps: a draft is not counted and not listed until it is
 * entered; a forgotten one leaves no trace and no hole in the numbers. */
struct attempt *journal_draft(struct journal *j);
void journal_enter(struct journal *j, struct attempt *draft);
void journal_forget(struct journal *j, struct attempt *draft);
/* Room for `n` bytes that live as long as the attempt does. */
char *journal_text(struct journal *j, struct attempt *a, size_t n);
/* An event of the attempt's stream is out: counted, and its time kept; that
 * of its last byte, answer_last_ns. */
void journal_event(struct journal *j, struct attempt *a, enum event_kind kind);
/* The event that went out last ends the stream. */
void journal_terminal(struct attempt *a);
/* False once the journal holds so much text that bodies are left out. */
bool journal_keeps_bodies(const struct journal *j);
/* The attempt is over: its line is due at the next flush. Asked again for
 * the same attempt it does nothing. */
void journal_done(struct journal *j, struct attempt *a);
/* Writes the lines that are due; the engine calls it once a loop turn. */
void journal_flush(struct journal *j);
/* errno of the first write to the file that failed, 0: none. After it the
 * file gets no more lines. */
int journal_error(const struct journal *j);
/* How many attempts were added and are not done. */
size_t journal_open_attempts(const struct journal *j);
/* Ends all open attempts as they are; called when the server freezes. */
void journal_freeze(struct journal *j);
size_t journal_count(const struct journal *j);
/* i from 0, oldest first. */
const struct attempt *journal_get(const struct journal *j, size_t i);
uint64_t journal_dropped(const struct journal *j);
/* Empties it; the numbering starts anew at 1. Attempts that are not done
 * leave the list as well, but stay valid until they are. */
void journal_clear(struct journal *j);
/* One attempt as one JSON object without a line end. */
void attempt_json(const struct attempt *a, struct buf *ret);
const char *attempt_end_name(enum attempt_end e);
const char *attempt_class_name(enum attempt_class c);

#endif

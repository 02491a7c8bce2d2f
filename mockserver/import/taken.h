/*
 * taken.h - one request and its answer, as a log or a recorder took them
 * down.
 *
 * What the log does not tell stays empty: 0, -1 or a false flag says so. A
 * reader fills it; draft.h makes a step of it.
 */
#ifndef MOCKSERVER_IMPORT_TAKEN_H
#define MOCKSERVER_IMPORT_TAKEN_H

#include "base/buf.h"

/* Ceiling of one body, in bytes: a scenario holds no more (raw.c). */
#define TAKEN_MAX_BODY ((size_t)12 << 20)

/* How the connection ended with this answer. */
enum taken_end {
  TAKEN_WHOLE,  /* the answer is whole; also when the log does not tell */
  TAKEN_CLOSED, /* it broke off with FIN */
  TAKEN_RESET,  /* ... with RST */
  TAKEN_SILENT, /* nothing more came, the client gave up */
  TAKEN_REFUSED /* there was no connection */
};

struct taken_header {
  char *name; /* owned */
  struct buf value;
};

/* Bytes of the body up to `end` had come `at_ms` after the head. */
struct taken_piece {
  size_t end;
  int64_t at_ms;
};

struct taken {
  int number;         /* of the entry in its log, from 1 */
  int64_t at_ms;      /* when the request was sent, since 1970; -1: unknown */
  int64_t wait_ms;    /* from the request to the head; -1 */
  int64_t receive_ms; /* from the head to the last byte; -1 */
  struct buf method, target, host;
  struct buf request; /* its body */
  bool has_request;
  char lane[64];

  bool http_1; /* seen as HTTP/1.x: reason and framing are the log's own */
  int status;  /* 0: no answer came */
  struct buf reason;
  bool has_reason;
  struct taken_header *headers;
  size_t nheaders;
  struct buf body;
  bool decoded;     /* the log took the content coding off */
  bool whole_lines; /* the log may have lost the body's last line end */
  struct taken_piece *pieces;
  size_t npieces;
  enum taken_end end;
};

void taken_init(struct taken *t);
void taken_release(struct taken *t);
void taken_header(struct taken *t, struct bytes name, struct bytes value);
/* "name: value" without its line end; false when it is no header. */
bool taken_header_line(struct taken *t, struct bytes line);
/* "HTTP/1.1 429 Too Many Requests"; false when it is no status line. */
bool taken_status_line(struct taken *t, struct bytes line);
/* Body bytes that came `at_ms` after the head. */
void taken_piece(struct taken *t, struct bytes b, int64_t at_ms);
/* The first header of that name, or NULL. */
const struct taken_header *taken_find(const struct taken *t, const char *name);
/* "https://host/path?query" into host and target; a path alone is fine. */
void taken_url(struct taken *t, struct bytes url);
/* TAKEN_WHOLE when the text of an error names none of the other endings. */
enum taken_end taken_end_of(const char *error);

#endif

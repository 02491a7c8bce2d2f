/*
 * request_check.h - is a request's head one that all servers read alike?
 *
 * libmicrohttpd takes more than RFC 9112 allows; what it takes too freely is
 * in flaws.def. Pure: looks at bytes and decides nothing about sockets.
 */
#ifndef MOCKSERVER_REQUEST_CHECK_H
#define MOCKSERVER_REQUEST_CHECK_H

#include "base/buf.h"

enum flaw {
#define FLAW(name, status, text) FLAW_##name,
#include "mockserver/flaws.def"
#undef FLAW
  FLAWS
};

/* Length of the head `bytes` begins with, its blank line included, whatever
 * its lines end in; 0: it is not whole. */
size_t head_length(struct bytes bytes);

struct head_report {
  uint32_t flaws;              /* bit i: enum flaw */
  enum flaw first;             /* the one that was met first; FLAWS: none */
  struct bytes method, target; /* as far as there are any */
  size_t nheaders;
};
void head_check(struct bytes head, struct head_report *ret);

int flaw_status(enum flaw f);
const char *flaw_text(enum flaw f);

#endif

/*
 * fixture.h - tests/fixtures/index.json and the files it names.
 *
 * A fixture is what a provider documents or was seen to send: status line,
 * headers and body as bytes. It belongs to neither side; the server must
 * write it and the client side must read it.
 */
#ifndef TESTS_CONTRACT_FIXTURE_H
#define TESTS_CONTRACT_FIXTURE_H

#include "base/json.h"
#include "mockserver/request.h"

struct fixture {
  const char *file, *provider, *kind, *cls, *model;
  const cJSON *step; /* what makes the server send it; NULL: nothing does */
  int status;
  bool stream;
  double wait_ms;            /* -1: not told */
  struct buf bytes;          /* the whole file */
  struct header headers[40]; /* point into bytes */
  size_t nheaders;
  struct bytes body;
};

struct fixtures {
  struct json_doc doc;
  struct fixture *list;
  size_t n;
};

/* Fails loudly when a file is missing or wrong. The caller releases. */
void fixtures_load(struct fixtures *f, const char *folder);
void fixtures_release(struct fixtures *f);
bool headers_find(const struct header *h, size_t n, const char *name,
                  struct bytes *ret);
/* Splits "name: value\r\n" lines up to the blank one; returns the body. */
struct bytes headers_split(struct bytes wire, struct header *ret, size_t max,
                           size_t *ret_n);

#endif

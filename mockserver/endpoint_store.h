/*
 * endpoint_store.h - what clients leave with the server: files and batches.
 *
 * Kept in memory until rewind, with a ceiling on their number and bytes. A
 * batch gets on by looks and by time (endpoint_config.h): it is over at the
 * first look that comes late enough.
 */
#ifndef MOCKSERVER_ENDPOINT_STORE_H
#define MOCKSERVER_ENDPOINT_STORE_H

#include "base/buf.h"
#include "mockserver/endpoint_config.h"

struct stored_file {
  char id[64];
  char *name, *purpose; /* owned */
  struct buf bytes;
  int64_t created_s;
};

struct batch_request {
  char *custom_id, *model; /* owned */
  struct buf body;         /* the request itself, JSON */
};

enum batch_state { BATCH_RUNNING, BATCH_CANCELING, BATCH_ENDED };

struct stored_batch {
  char id[64];
  char provider[32]; /* whose form it has */
  struct batch_request *requests;
  size_t n;
  int64_t created_ns, ended_ns, cancel_ns; /* wall clock; 0: not yet */
  int64_t looks;
  enum batch_state state;
  /* OpenAI's */
  char input_file[64], output_file[64], error_file[64];
  char *endpoint, *metadata; /* owned; metadata as JSON; may be NULL */
  const char *wrong;         /* why the input cannot be read; NULL: it can */
  size_t wrong_line;
};

/* Ceilings: of all files and requests in bytes, and of each kind. */
#define STORE_MAX_BYTES ((size_t)64 << 20)
enum { STORE_MAX_FILES = 1000, STORE_MAX_BATCHES = 1000 };

struct endpoint_store;

struct endpoint_store *endpoint_store_new(const struct endpoint_config *c);
void endpoint_store_free(struct endpoint_store *s);
/* Forgets all of it. */
void endpoint_store_clear(struct endpoint_store *s);

/* NULL: there is no room. `bytes` is copied. */
struct stored_file *store_add_file(struct endpoint_store *s, const char *id,
                                   struct bytes name, struct bytes purpose,
                                   struct bytes bytes);
struct stored_file *store_find_file(struct endpoint_store *s, struct bytes id);
/* The i-th, newest first; NULL: no more. */
struct stored_file *store_file(struct endpoint_store *s, size_t i);
void store_remove_file(struct endpoint_store *s, struct stored_file *f);

/* NULL: there is no room. */
struct stored_batch *store_add_batch(struct endpoint_store *s, const char *id,
                                     const char *provider, int64_t now_ns);
/* False: there is no room for it. */
bool store_add_request(struct endpoint_store *s, struct stored_batch *b,
                       struct bytes custom_id, struct bytes model,
                       struct bytes body);
struct stored_batch *store_find_batch(struct endpoint_store *s,
                                      const char *provider, struct bytes id);
/* The i-th of that provider, newest first; NULL: no more. */
struct stored_batch *store_batch(struct endpoint_store *s, const char *provider,
                                 size_t i);
void store_remove_batch(struct endpoint_store *s, struct stored_batch *b);

/* One look at a batch: it may be over now. True when this look ended it. */
bool store_look(const struct endpoint_store *s, struct stored_batch *b,
                int64_t now_ns);
void store_cancel(struct stored_batch *b, int64_t now_ns);
/* How request i ends. */
enum batch_result store_result(const struct endpoint_store *s,
                               const struct stored_batch *b, size_t i);
/* How many requests end so. */
size_t store_count(const struct endpoint_store *s, const struct stored_batch *b,
                   enum batch_result r);

#endif

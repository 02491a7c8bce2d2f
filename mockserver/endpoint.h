/*
 * endpoint.h - what real clients ask besides generation calls: lists of
 * models, token counts, batches, files, embeddings, probes.
 *
 * One family a file in endpoint/, one line in endpoints.def. A route is told
 * by method and path; what stands before the path is the lane, as with
 * generation calls (call.h). The answer is rendered first and sent by the
 * exchange, so that a step with `match.endpoint` can harm it like any other.
 */
#ifndef MOCKSERVER_ENDPOINT_H
#define MOCKSERVER_ENDPOINT_H

#include "mockserver/call.h"
#include "mockserver/endpoint_store.h"
#include "mockserver/ids.h"

struct endpoint_ask {
  const struct provider *provider;
  const struct call *call;
  const struct request *request;
  struct ids *ids;
  struct endpoint_store *store;
  int64_t wall_ns;
};

struct endpoint_answer {
  int status;        /* 200 unless said otherwise */
  const char *type;  /* NULL: the provider's JSON */
  struct buf body;   /* as it stands: no {{...}} */
  const char *error; /* instead: the provider's error of that name ... */
  char message[200]; /* ... with this text, which needs no JSON escape */
};

typedef void endpoint_fn(const struct endpoint_ask *q,
                         struct endpoint_answer *ret);

struct endpoint_route {
  const char *name; /* "files.create": what `match.endpoint` fits; NULL ends
                       a table */
  const char *method, *path; /* '*' as in provider_path */
  const char *provider;
  bool shared;        /* several providers have it: the headers decide */
  bool star_is_model; /* '*' names the model */
  enum endpoint kind;
  endpoint_fn *answer;
};

struct endpoint_family {
  const char *name;
  const char *summary; /* one sentence for `list endpoints` */
  const struct endpoint_route *routes;
};

/* In the order of endpoints.def, NULL-terminated. */
extern const struct endpoint_family *const endpoint_families[];

/* The route of that method and path; *ret_other: the path is one of another
 * method. `ret_star` is what '*' stood for. */
const struct endpoint_route *
endpoint_find(struct bytes method, struct bytes path, struct bytes *ret_star,
              const struct endpoint_route **ret_other);
/* "files.create", or "head", "options", "upgrade", "unknown"; NULL for
 * generation calls and admin paths. */
const char *endpoint_name(const struct call *c);
/* True when the pattern fits the name of some endpoint. */
bool endpoint_pattern_known(const char *pattern);
/* NULL-terminated names of all endpoints, for hints; static. */
const char *const *endpoint_names(void);

/* The provider's plain answer to a request of a batch. */
void endpoint_plain(const struct endpoint_ask *q, const struct provider *p,
                    const struct batch_request *r, struct buf *ret);
/* An error instead of an answer. */
void endpoint_fail(struct endpoint_answer *ret, const char *error,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The value of a word of the query, as it stands; false: absent. */
bool endpoint_query(const struct endpoint_ask *q, const char *name,
                    struct bytes *ret);
/* The same as a whole number; `otherwise` when absent or none. */
int64_t endpoint_query_int(const struct endpoint_ask *q, const char *name,
                           int64_t max, int64_t otherwise);

#endif

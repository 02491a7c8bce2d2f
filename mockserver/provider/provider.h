/*
 * provider.h - one vendor's side of the wire: paths, errors, answers.
 *
 * Every byte here is what the vendor documents or what was seen on the wire;
 * docs/providers.md lists each error with its source, and
 * tests/fixtures/index.json holds the bytes. These tables are the server's
 * own: nothing is shared with the client side (lib/guard), so that a
 * misspelling on either side shows.
 */
#ifndef MOCKSERVER_PROVIDER_PROVIDER_H
#define MOCKSERVER_PROVIDER_PROVIDER_H

#include "mockserver/ids.h"
#include "mockserver/reply.h"
#include "mockserver/value.h"

enum endpoint {
  ENDPOINT_GENERATE, /* a call the script is about */
  ENDPOINT_COUNT,    /* token counting */
  ENDPOINT_MODELS,   /* GET: the list of models */
  ENDPOINT_UPGRADE,  /* GET with a WebSocket upgrade */
  ENDPOINT_HEAD,     /* HEAD of anything */
  ENDPOINT_OPTIONS,
  ENDPOINT_ADMIN,  /* /__admin/... */
  ENDPOINT_UNKNOWN /* no path or method of any provider */
};

/* A native path. What stands before it in the request is the lane. */
struct provider_path {
  const char *path; /* NULL ends a table; '*' stands for one segment, up to
                       the next '/' or ':' */
  enum endpoint endpoint;
  bool stream; /* the path itself asks for a stream */
};

/*
 * One error by name. Texts are sent as they stand inside JSON strings, and
 * go through value_expand() first.
 */
struct provider_error {
  const char *name; /* NULL ends a table */
  const char *also; /* other names, one blank between them; or NULL */
  int status;
  const char *reason; /* NULL: the usual phrase of the status */
  const char *type;   /* Anthropic, OpenAI: error.type; Gemini: status */
  const char *code;   /* OpenAI; NULL: null */
  const char *param;  /* OpenAI; NULL: null */
  const char *message;
  const char *details; /* JSON of error.details; NULL: none */
  const char *whole;   /* the error object as it stands, instead of all of
                          the above; or NULL */
  const char *headers; /* "name: value\r\n" lines behind the content type */
  bool no_request_id;  /* the body has none */
};

struct provider {
  const char *name;
  const char *summary; /* one sentence for `list providers` */
  const struct provider_path *paths;
  const struct provider_error *errors;
  const char *json_type, *stream_type; /* content-type values */
  const char *headers;                 /* "name: value\r\n" lines of a 200 */
  const char *models;                  /* body of GET models, with {{...}} */
  const char *count; /* body of a token count, "#" for the number */

  void (*request_id)(struct ids *ids, struct buf *ret);
  /* Fills the reply's ids. */
  void (*reply_ids)(struct ids *ids, struct reply *r);
  void (*error_body)(const struct provider_error *e,
                     const struct value_scope *s, struct buf *ret);
  void (*plain)(const struct reply *r, struct buf *ret);

  /* Events of the whole stream with the terminal one, and how many of them
   * come before the end of the text begins (finish, stop, done). */
  uint64_t (*events)(const struct reply *r);
  uint64_t (*text_events)(const struct reply *r);
  /* Appends event i without chunk framing. */
  void (*event)(const struct reply *r, uint64_t i, struct buf *ret);
  /* An error told in place of event i. */
  void (*error_event)(const struct provider_error *e, const struct reply *r,
                      uint64_t i, const struct value_scope *s, struct buf *ret);
  const char *ping; /* bytes that keep a stream alive without content */
};

/* All providers in the order of providers.def, NULL-terminated. */
extern const struct provider *const providers[];
const struct provider *provider_find(const char *name);
/* By name or one of its other names; NULL: the provider has no such error. */
const struct provider_error *provider_error_find(const struct provider *p,
                                                 const char *name);

#endif

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

#include "mockserver/cue.h"
#include "mockserver/ids.h"
#include "mockserver/talk.h"
#include "mockserver/value.h"

enum endpoint {
  ENDPOINT_GENERATE, /* a call the script is about */
  ENDPOINT_COUNT,    /* token counting */
  ENDPOINT_MODELS,   /* the list of models, one model */
  ENDPOINT_BATCHES,
  ENDPOINT_FILES,
  ENDPOINT_EMBED,
  ENDPOINT_PROBE,   /* what an agent asks besides the API */
  ENDPOINT_UPGRADE, /* GET with a WebSocket upgrade */
  ENDPOINT_HEAD,    /* HEAD of anything */
  ENDPOINT_OPTIONS,
  ENDPOINT_ADMIN,  /* /__admin/... */
  ENDPOINT_UNKNOWN /* no path or method of any provider */
};

struct provider_limits; /* provider/limits.h */

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

  void (*request_id)(struct ids *ids, struct buf *ret);
  /* Fills the reply's ids. */
  void (*reply_ids)(struct ids *ids, struct reply *r);
  void (*error_body)(const struct provider_error *e,
                     const struct value_scope *s, struct buf *ret);
  void (*plain)(const struct reply *r, struct buf *ret);

  /* How many events of that kind a stream has (cue.h). */
  uint64_t (*cues)(const struct reply *r, enum cue_kind kind, size_t block);
  /* Appends one event without chunk framing; `seq`: how many the stream had
   * before it. */
  void (*event)(const struct reply *r, const struct cue *c, uint64_t seq,
                struct buf *ret);
  /* What the event is called, for a scripted stream. */
  const char *(*cue_name)(const struct reply *r, const struct cue *c);
  /* Any data in the provider's framing; `name` where events have names. */
  void (*frame)(const struct reply *r, const char *name, struct bytes data,
                uint64_t seq, struct buf *ret);
  /* An error told in place of event `i`. */
  void (*error_event)(const struct provider_error *e, const struct reply *r,
                      uint64_t i, const struct value_scope *s, struct buf *ret);
  const char *ping; /* bytes that keep a stream alive without content */
  const char *line_end;
  const struct provider_limits *limits;
  /* The conversation a request holds. */
  void (*talk)(const cJSON *request, struct talk *ret);
};

/* All providers in the order of providers.def, NULL-terminated. */
extern const struct provider *const providers[];
const struct provider *provider_find(const char *name);
/* By name or one of its other names; NULL: the provider has no such error. */
const struct provider_error *provider_error_find(const struct provider *p,
                                                 const char *name);

#endif

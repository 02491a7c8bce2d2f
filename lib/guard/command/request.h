/*
 * request.h - what a prompt looks like on the wire, by provider.
 */
#ifndef GUARD_COMMAND_REQUEST_H
#define GUARD_COMMAND_REQUEST_H

#include "base/buf.h"
#include "base/diag.h"

enum provider_shape {
  SHAPE_MESSAGES,  /* Anthropic Messages */
  SHAPE_CHAT,      /* OpenAI Chat Completions */
  SHAPE_RESPONSES, /* OpenAI Responses */
  SHAPE_GEMINI
};

struct provider {
  const char *name;       /* --provider, and for guard_stream_new() */
  const char *classifier; /* for guard_classify() */
  enum provider_shape shape;
  const char *url_env, *default_url;
  const char *key_env;
  const char *key_header; /* up to the key */
  const char *model;
};
/* NULL with |diag| for an unknown name, which is answered by the nearest. */
const struct provider *provider_by_name(const char *name, struct diag *diag);

struct request_options {
  const struct provider *provider;
  const char *base_url; /* NULL: environment, then the provider's host */
  const char *model;    /* NULL: the provider's default here */
  int64_t max_tokens;   /* 0: not sent where the provider allows that */
  bool stream;
};

struct request {
  char *url;
  char *body;
  size_t body_n;
  char *headers[6]; /* "name: value"; NULL ends */
};

/* The model that is asked: the given one, or the provider's default here. */
const char *request_model(const struct request_options *o);

/* |call_id| is the same for all tries of one call. The caller releases. */
int request_make(struct request *ret, const struct request_options *o,
                 const char *prompt, const char *call_id, struct diag *diag);
/* The same call with another body, which |ret| owns from now on, and an
 * idempotency key of its own. */
void request_with_body(struct request *ret, const struct request *r, char *body,
                       size_t body_n, const char *call_id);
void request_release(struct request *r);

#endif

/*
 * evidence.h - an answer taken apart once, for all readers; inside lib/guard
 * only.
 *
 * Rule: readers look at structured fields before status and at status before
 * text; text only as an error's own message or at the beginning of a line.
 */
#ifndef GUARD_EVIDENCE_H
#define GUARD_EVIDENCE_H

#include "guard/classify/tree.h"
#include "guard/error_class.h"
#include "guard/hint.h"

struct guard_evidence {
  const struct guard_answer *answer;
  int status;             /* HTTP status, 0 without one */
  struct guard_tree tree; /* owned */
  const cJSON *root;  /* an object or array in it; NULL: the body is neither */
  const cJSON *error; /* the error object in it, or NULL */
  /* members of the error, "" when not there */
  const char *type;
  const char *code;   /* when a string */
  const char *word;   /* error.status: google.rpc.Code's name */
  const char *detail; /* error.details.error_code */
  const char *message;
  int code_number; /* error.code when a number, else 0 */
  char *text;      /* owned; the normalised body when it is not JSON */
  int depth;       /* answers inside answers, for nested bodies */
};

enum { GUARD_MAX_DEPTH = 3 };

/* False without memory. */
bool guard_evidence_init(struct guard_evidence *e, const struct guard_answer *a,
                         int depth);
void guard_evidence_release(struct guard_evidence *e);

/* True when the reader knows what it sees; *ret is then set. */
typedef bool guard_body_reader(const struct guard_evidence *e,
                               struct guard_verdict *ret);

/* A verdict with the class's usual answer to "retry?" and no hint. */
struct guard_verdict guard_verdict_of(enum guard_class cls, const char *rule);
/* Adds a wait the error itself tells; other hints are then not looked for
 * in its text. */
void guard_verdict_wait(struct guard_verdict *v,
                        const struct guard_hint_value *hint);

struct guard_word {
  const char *word;
  enum guard_class cls;
};
/* Looks `word` up in a table that ends with a NULL word. */
bool guard_lookup(const struct guard_word *table, const char *word,
                  enum guard_class *ret);
bool guard_begins(const char *text, const char *prefix);
bool guard_contains(const char *text, const char *needle);
bool guard_equal(const char *a, const char *b);

/* What an HTTP status means when nothing else is known. */
struct guard_verdict guard_by_status(int status);
/* error.type and error.code of OpenAI's shape; also used for texts. */
bool guard_openai_word(const char *word, int status, enum guard_class *ret);
/* An exception's name as Bedrock writes it. */
bool guard_bedrock_name(struct guard_scan name, struct guard_verdict *ret);
/* A provider's message by its first words. */
bool guard_by_message(const char *message, struct guard_verdict *ret);

/* Asks all body readers; false when none knows. */
bool guard_read_body(const struct guard_evidence *e, struct guard_verdict *ret);
/* Status, a JSON (or Python) value or a message inside a text, judged as the
 * body of an answer. Hints included. */
struct guard_verdict guard_judge_part(const struct guard_evidence *outer,
                                      int status, struct guard_scan body);
/* As above for the text behind a status: a JSON value in it is the body. */
struct guard_verdict guard_judge_text(const struct guard_evidence *outer,
                                      int status, struct guard_scan text);
/* Adds the waits of headers and message to a verdict. */
void guard_add_hints(const struct guard_evidence *e, struct guard_verdict *v);
/* A hint in any text. */
void guard_add_text_hint(struct guard_scan text, int64_t now_ms,
                         struct guard_verdict *v);

/* True when `provider` is one of the names in the space-separated list. */
bool guard_name_in(const char *list, const char *provider);

#define BODY(name, providers) guard_body_reader guard_body_##name;
#include "guard/classify.def"
#undef BODY

#endif

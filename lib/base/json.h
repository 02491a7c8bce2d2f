/*
 * json.h - JSON documents with comments, read through typed access that can
 * say where: file, line, column and JSON path of every error.
 *
 * cJSON parses; comments are blanked out first, in place, so positions stay
 * true. A position is looked up only when an error needs one
 * (json_locate.c). Refused beyond what cJSON refuses: NUL bytes, a key twice
 * in one object, bytes behind the document. Bytes that are no UTF-8 stay as
 * they are.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"
#include "base/diag.h"

#include <cjson/cJSON.h>

struct json_doc {
  char *name; /* file name for messages */
  char *text; /* comments blanked, NUL-terminated */
  size_t n;
  cJSON *root;
};

/* Ceiling for a scenario, policy, plan or report file, in bytes. */
#define JSON_MAX_BYTES ((size_t)16 << 20)

/* Reads and parses; on success the caller releases `ret`. */
int json_load(struct json_doc *ret, const char *path, struct diag *diag);
/* The same for bytes in memory, which are copied; `name` is for messages. */
int json_parse(struct json_doc *ret, const char *name, struct bytes text,
               struct diag *diag);
void json_release(struct json_doc *doc);

/*
 * A place in a document: the node and the way to it. Values live on the
 * stack; `parent` must outlive the child.
 */
struct jval {
  const struct json_doc *doc;
  const cJSON *node;
  const struct jval *parent; /* NULL at the root */
  const char *key;           /* member name, NULL for an item */
  int index;                 /* item number */
};

/* The value of that key; NULL: absent, or no object. */
const cJSON *json_member(const cJSON *object, const char *key);

struct jval json_root(const struct json_doc *doc);
/* True and `ret` filled when the object has the key (null counts as there).
 * False as well when `v` is no object. */
bool jval_member(const struct jval *v, const char *key, struct jval *ret);
/* Number of items of an array or members of an object; 0 for others. */
int jval_count(const struct jval *v);
/* Item i of an array, or member i of an object in file order. */
struct jval jval_item(const struct jval *v, int i);

/* An error placed at the value / at the key of member `v`. Returns -1. */
int jval_error(const struct jval *v, struct diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int jval_key_error(const struct jval *v, struct diag *diag, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
/* "$.steps[0].times" */
void jval_path(const struct jval *v, struct buf *ret);

/* Every key of object `v` must be in the NULL-terminated list `words`. */
int jval_known_keys(const struct jval *v, const char *const *words,
                    struct diag *diag);

/* Typed reads; a value of another type or out of range is a placed error. */
int jval_object(const struct jval *v, struct diag *diag);
int jval_array(const struct jval *v, struct diag *diag);
/* Points into the document. A \u0000 inside is refused. */
int jval_string(const struct jval *v, const char **ret, struct diag *diag);
int jval_bool(const struct jval *v, bool *ret, struct diag *diag);
int jval_number(const struct jval *v, double min, double max, double *ret,
                struct diag *diag);
/* A whole number. */
int jval_int(const struct jval *v, int64_t min, int64_t max, int64_t *ret,
             struct diag *diag);

/* The document's place of a value or of its key, from 1; used by the errors
 * above. Returns false when the path is not there. */
bool json_locate(const struct jval *v, bool of_key, int *ret_line,
                 int *ret_column);
/* The bytes of a value in doc->text: from where, how many. False when the
 * path is not there. */
bool json_span(const struct jval *v, size_t *ret_at, size_t *ret_n);

#endif

/*
 * param.h - the keys an object may hold, as a table.
 *
 * A fault kind, a check and a step each list their keys once; the loader
 * validates against the table, `faultwire list` and `explain` print it, and
 * reading a value later cannot fail.
 */
#ifndef BASE_PARAM_H
#define BASE_PARAM_H

#include "base/json.h"

enum param_type {
  PARAM_INT,    /* whole number within min..max */
  PARAM_NUMBER, /* number within min..max */
  PARAM_BOOL,
  PARAM_STRING,
  PARAM_WORD,    /* one of `words` */
  PARAM_STRINGS, /* array of strings */
  PARAM_INTS,    /* array of whole numbers within min..max */
  PARAM_PAIRS,   /* array of [string, string] */
  PARAM_EXPR,    /* number, or a string: an expression (harness/expr.h) */
  PARAM_LITERAL, /* string, number or null: a value sent as it stands */
  PARAM_RANGE,   /* 3, "2-5" or "4+": whole numbers within min..max */
  PARAM_VALUE,   /* any value; its owner validates it */
  PARAM_OBJECT   /* any object; its owner validates it */
};

struct param {
  const char *name; /* NULL ends a table */
  enum param_type type;
  double min, max;          /* for numbers */
  const char *const *words; /* for PARAM_WORD */
  bool required;
  const char *summary; /* one sentence, starts in lower case */
};

/*
 * Every key of object `v` must be in one of the `ntables` tables or in the
 * NULL-terminated list `others` (may be NULL), with the right type and range;
 * every required key must be there.
 */
int param_check(const struct jval *v, const struct param *const *tables,
                int ntables, const char *const *others, struct diag *diag);

/* Reads of a checked object. False when the key is absent (or null);
 * `ret` is then untouched. Strings point into the document. */
bool param_int(const cJSON *object, const char *key, int64_t *ret);
bool param_number(const cJSON *object, const char *key, double *ret);
bool param_bool(const cJSON *object, const char *key, bool *ret);
bool param_string(const cJSON *object, const char *key, const char **ret);
/* First and last number of a PARAM_RANGE; "4+" ends at INT64_MAX. */
bool param_range(const cJSON *object, const char *key, int64_t *ret_first,
                 int64_t *ret_last);
/* True when the key is there, null included. */
bool param_has(const cJSON *object, const char *key);
const cJSON *param_node(const cJSON *object, const char *key);
/* The place of word `key`'s value in its table's `words`; `otherwise` when
 * absent. */
int param_word(const cJSON *object, const char *key, const char *const *words,
               int otherwise);

/* "text", "number", "one of a, b": what `list` and `explain` print. */
void param_describe(const struct param *p, struct buf *ret);

#endif

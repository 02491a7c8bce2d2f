/*
 * format.h - one form of log or fault script that can be imported: one file
 * in format/, one line in formats.def.
 */
#ifndef MOCKSERVER_IMPORT_FORMAT_H
#define MOCKSERVER_IMPORT_FORMAT_H

#include "base/json.h"
#include "mockserver/import/draft.h"

struct format {
  const char *name;    /* of --from */
  const char *summary; /* one sentence */
  /* The text looks like this one; asked in the order of formats.def. */
  bool (*fits)(struct bytes text);
  /* All of it into the draft; an error has file, line and what is wrong. */
  int (*read)(struct draft *d, const char *file, struct bytes text,
              struct diag *diag);
};

/* All of them in the order of formats.def, NULL-terminated. */
extern const struct format *const formats[];
/* By name, NULL: unknown. */
const struct format *format_find(const char *name);
/* Names alone, NULL-terminated, for hints. */
const char *const *format_names(void);
/* The first that fits, NULL: none does. */
const struct format *format_guess(struct bytes text);

/* What readers of JSON share (read_json.c): members that may be missing or
 * null; one of another type is a placed error. `ret` stays as it was when
 * there is none. */
bool read_member(const struct jval *v, const char *key, struct jval *ret);
int read_text(const struct jval *v, const char *key, const char **ret,
              struct diag *diag);
int read_number(const struct jval *v, const char *key, double min, double max,
                double *ret, struct diag *diag);
int read_bool(const struct jval *v, const char *key, bool *ret,
              struct diag *diag);
/* A moment: RFC 3339, or seconds or milliseconds since 1970; in ms. */
int read_moment(const struct jval *v, const char *key, int64_t *ret_ms,
                struct diag *diag);
/* Headers: [{"name":..,"value":..}], [[name, value]] or {name: value}. */
int read_headers(const struct jval *v, const char *key, struct taken *t,
                 struct diag *diag);
/* A key that is near a known word is a misspelling and an error; others are
 * counted in `ret_unknown` (may be NULL), which gets the first's name. */
int read_known(const struct jval *v, const char *const *words,
               const char **ret_unknown, struct diag *diag);

#endif

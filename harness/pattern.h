/*
 * pattern.h - regular expressions (PCRE2) over captured output.
 *
 * One place for the library's calls, so that a bad pattern is a placed error
 * when a file is loaded and never a surprise when a run is judged.
 */
#ifndef HARNESS_PATTERN_H
#define HARNESS_PATTERN_H

#include "base/json.h"

struct pattern;

/* NULL with a sentence in `ret_why` when the pattern is no good. `text` may
 * use ^ and $ for lines. The caller frees. */
struct pattern *pattern_new(const char *text, char *ret_why, size_t size);
void pattern_free(struct pattern *p);
/* The value must be text and a good pattern. */
int pattern_check(const struct jval *v, struct diag *diag);
/* The last match in `hay` becomes the current one; false: no match. Output
 * need not be valid UTF-8. */
bool pattern_last(struct pattern *p, struct bytes hay);
/* The named group of the current match; false when the pattern has no such
 * group or it took no part. Points into the searched bytes. */
bool pattern_group(const struct pattern *p, const char *name,
                   struct bytes *ret);
/* The pattern has a group of that name. */
bool pattern_has_group(const struct pattern *p, const char *name);

#endif

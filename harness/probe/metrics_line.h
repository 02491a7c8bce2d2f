/*
 * metrics_line.h - a pattern for the line of counters a client writes. Pure.
 */
#ifndef HARNESS_PROBE_METRICS_LINE_H
#define HARNESS_PROBE_METRICS_LINE_H

#include <stddef.h>

/* The last line of `text` with two or more `name=number` pairs, as a PCRE2
 * pattern in which every number is a group of that name; NULL: there is
 * none. `ret_line` gets the line. The caller frees both. */
char *metrics_pattern(const char *text, char **ret_line);

#endif

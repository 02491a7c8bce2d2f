/*
 * filter.h - the seccomp filter of backend S, made from calls.def.
 *
 * The rule: what the filter does not name runs untouched. A call of another
 * instruction set (32-bit, x32) is passed to us as well: its process cannot
 * be followed and becomes opaque.
 */
#ifndef VTIME_SECCOMP_FILTER_H
#define VTIME_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stddef.h>

/* Room for the program; it has one of fixed length. */
enum { FILTER_MAX = 256 };

/* Writes the program; returns how many instructions. */
size_t filter_make(struct sock_filter ret[FILTER_MAX]);
/* The call's name, or NULL: not in calls.def. */
const char *filter_call_name(int nr);

#endif

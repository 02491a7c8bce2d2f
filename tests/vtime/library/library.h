/*
 * library.h - what the parts of vtime_library share: a unit of time, a second
 * thread, the cases.
 */
#ifndef TESTS_VTIME_LIBRARY_H
#define TESTS_VTIME_LIBRARY_H

#include "base/clock.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

extern int64_t unit_ns;
extern const char *program; /* the path of this one */

int64_t now(void);
struct timespec spec(int64_t ns);
/* So many units from now on, on that clock. */
struct timespec at(clockid_t id, int units);
struct timespec units(int n);
void nap(int n);

/* Each says what was wrong; NULL: nothing. The first that is said counts. */
const char *wrong(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
const char *either(const char *a, const char *b);
/* So many units have gone since `begin_ns`, give or take a quarter. */
const char *after(int64_t begin_ns, int n);
/* `rc` with errno 0 or, below 0, `error`; and so many units after. */
const char *gave(long rc, long want, int error, int64_t begin_ns, int n);

/* A thread that calls f after a unit; one at a time. */
void later(void (*f)(void *arg), void *arg);
void later_join(void);

#define CASE(name, options, function, why) const char *function(void);
#include "tests/vtime/library/library.def"
#undef CASE

#endif

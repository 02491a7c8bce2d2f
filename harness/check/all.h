/*
 * all.h - the objects checks.def names, declared.
 */
#ifndef HARNESS_CHECK_ALL_H
#define HARNESS_CHECK_ALL_H

#include "harness/check/check.h"

#define CHECK(name) extern const struct check check_##name;
#include "harness/checks.def"
#undef CHECK

#endif

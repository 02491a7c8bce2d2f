/*
 * text.h - one spelling for texts that differ by version and language.
 */
#ifndef GUARD_TEXT_H
#define GUARD_TEXT_H

#include "guard/scan.h"

#include <cjson/cJSON.h>

/*
 * A NUL-terminated copy, not longer than the source; the caller frees it,
 * NULL without memory. U+2219, U+00B7 and U+2022 become '*'; U+2019 and
 * U+2018 an apostrophe; U+2026 "..."; dashes '-'; U+00A0, U+202F, NUL and CR
 * a space. Other bytes stay.
 */
char *guard_text_normal(const char *p, size_t n);

/* The value at the beginning of `s`: JSON, else a Python literal with single
 * quotes, None, True, False. NULL when it is neither; the caller deletes. */
cJSON *guard_text_value(struct guard_scan s);

#endif

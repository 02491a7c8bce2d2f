/*
 * text.h - one spelling for texts that differ by version and language.
 */
#ifndef GUARD_TEXT_H
#define GUARD_TEXT_H

#include "guard/scan.h"

/*
 * A NUL-terminated copy, not longer than the source; the caller frees it,
 * NULL without memory. U+2219, U+00B7 and U+2022 become '*'; U+2019 and
 * U+2018 an apostrophe; U+2026 "..."; dashes '-'; CR LF an LF; U+00A0, U+202F,
 * NUL and a lone CR a space. Other bytes stay.
 */
char *guard_text_normal(const char *p, size_t n);

/* Python's repr of a dict or list at the beginning of `s` as JSON: single
 * quotes, None, True, False. NULL when it is none; the caller frees. */
char *guard_text_json(struct guard_scan s);

#endif

/*
 * hint_clock.h - wall-clock times as CLIs print them; inside lib/guard only.
 *
 * "3pm", "4:56am (UTC)", "Apr 23 at 4pm (America/Recife)", "Dec 3, 1:39am",
 * "Dec 3rd, 2025 5:22 AM", "2025-12-02 at 00:00 UTC" (facts of claude-code
 * 1.0 to 2.1 and codex 0.171). Without a zone the clock is taken as UTC: the
 * zone of the CLI's host is not in the text.
 */
#ifndef GUARD_HINT_CLOCK_H
#define GUARD_HINT_CLOCK_H

#include "guard/hint.h"

/* Reads at the beginning of `s`; INVALID when there is no time there. */
guard_hint_reader guard_hint_clock;
/* "5 days 22 hours 11 minutes", "9m38.016s", "20 seconds", "644ms". */
guard_hint_reader guard_hint_words;

#endif

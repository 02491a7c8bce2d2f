/*
 * output.h - a program's output as evidence; inside lib/guard only.
 */
#ifndef GUARD_OUTPUT_H
#define GUARD_OUTPUT_H

#include "guard/classify/evidence.h"

/* A line from its first letter or digit to the end of the output: marks and
 * blanks in front are gone. A NUL stands at line.end. */
typedef bool guard_line_reader(const struct guard_evidence *e,
                               struct guard_scan line,
                               struct guard_verdict *ret);

/* What the JSON documents have told so far. */
struct guard_events {
  bool decided;
  bool is_final; /* a result, not a report on the way */
  struct guard_verdict verdict;
  int64_t resets_at_s; /* of a rejected window */
};

/* True when the document is one of the program's. */
typedef bool guard_event_reader(const struct guard_evidence *e,
                                const cJSON *json, struct guard_events *ev);

/* Asks all line readers for each line, the last one first. */
bool guard_read_lines(const struct guard_evidence *e, struct guard_scan text,
                      struct guard_verdict *ret);
struct guard_verdict guard_read_output(const struct guard_evidence *e);

#define LINE(name, clients) guard_line_reader guard_line_##name;
#include "guard/classify.def"
#undef LINE
#define EVENT(name) guard_event_reader guard_event_##name;
#include "guard/classify.def"
#undef EVENT

#endif

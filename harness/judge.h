/*
 * judge.h - from evidence to a verdict: all checks, then one word.
 *
 * The rule (design: nothing passes vacuously): fail if a check fails; else
 * inconclusive if the client could not be started, no call arrived, a fault
 * of the script was never sent, a step for streams met none, or a check
 * proved nothing; else warn; else skip if every check was skipped; else pass.
 */
#ifndef HARNESS_JUDGE_H
#define HARNESS_JUDGE_H

#include "harness/check/check.h"

/* One expectation and what was found. */
struct judged {
  const char *check, *lane; /* lane: "" for all */
  struct finding finding;
};

struct outcome {
  enum verdict verdict;
  enum kind kind;
  char reason[1200];
};

/* One expectation, with `needs` and `level` applied; `ret` is zeroed before. */
void judge_expect(const struct evidence *e, const struct expect *x,
                  struct judged *ret);
/* Every expectation judged, in order, with `needs` and `level` applied; a
 * crash nobody asked about is added at the end. The caller frees. */
struct judged *judge_checks(const struct evidence *e, size_t *ret_n);
/* The scenario's word. Pure. */
void judge_decide(const struct evidence *e, const struct judged *list, size_t n,
                  struct outcome *ret);

struct judge_names {
  const char *address, *file, *again;
  uint64_t seed;
  double seconds;
};
/* The scenario's object of the JSON report; the caller deletes it. */
cJSON *judge_json(const struct evidence *e, const struct judge_names *names);
/* What time did in the run, NULL in real time; the caller deletes it
 * (judge_time.c). */
cJSON *judge_time_json(const struct evidence *e);
/* The object for a scenario that is not for this run, and was not run. */
cJSON *judge_skipped(const struct judge_names *names, const char *why,
                     const char *sentence);
/* The object for a scenario that could not be run at all. */
cJSON *judge_harness_error(const struct judge_names *names, const char *why,
                           const char *sentence);

/* What happened, line by line: a JSON array of texts (transcript.c). */
cJSON *transcript_json(const struct evidence *e);

#endif

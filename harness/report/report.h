/*
 * report.h - what came out of a run, and the ways to print it: one file in
 * report/, one line in reports.def.
 */
#ifndef HARNESS_REPORT_H
#define HARNESS_REPORT_H

#include "base/buf.h"
#include "base/diag.h"
#include "harness/verdict.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* One judged scenario. A worker process hands it over as JSON
 * (result_to_json / result_from_json). */
struct result {
  char *name, *file, *why; /* address, path, sentence of the scenario */
  enum verdict verdict;
  enum kind kind;
  char *reason; /* first failure or why inconclusive; may be "" */
  double seconds;
  cJSON *json; /* the scenario's whole object of the JSON report: checks,
                  attempts, starts, transcript, again, evidence folder */
};

/* A whole run. */
struct run_report {
  struct result *results;
  size_t n;
  const char *const *client; /* argv of the client, NULL-terminated */
  uint64_t seed;
  double seconds;
  int exit_code;
  bool colour; /* the text report may use colours, see report_wants_colour */
  /* Of a run that was read from JSON; NULL for one of this program. */
  const char *version;
  const char *const *notes; /* sentences about the run, NULL-terminated */
};

void result_release(struct result *r);
/* Fills every field from the scenario's object, which it takes over, on an
 * error too. Wanted: a text `name`, known words `verdict` and `kind`. */
int result_from_json(struct result *ret, cJSON *object, struct diag *diag);
/* 0, 1 or 3 from the verdicts; 3 as well when there is no result. */
int run_exit_code(const struct run_report *run);
size_t run_count(const struct run_report *run, enum verdict v);
/* Of the faultwire that ran it. */
const char *run_version(const struct run_report *run);

struct report {
  const char *name; /* "tap" in `--report tap=FILE` */
  const char *summary;
  void (*print)(const struct run_report *run, struct buf *out);
};
extern const struct report *const reports[];
const struct report *report_find(const char *name);
/* True when `fd` is a terminal and the variable NO_COLOR is not set. */
bool report_wants_colour(int fd);

#endif

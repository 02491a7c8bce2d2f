/*
 * sweep.h - a scenario repeated with one value moved (key `sweep`).
 *
 * The rule (docs/scenario.md): every point is a scenario of its own, made
 * from the file's text before anything runs, so it is loaded, checked, run
 * and judged like any other. Its address is that of the file with
 * "@KEY=VALUE" behind it. `until: not_delivered` ends the sweep at the first
 * point whose fault found nothing left to harm.
 */
#ifndef HARNESS_SWEEP_H
#define HARNESS_SWEEP_H

#include "base/param.h"

/* More points than this is a fuzzer's work. */
enum { SWEEP_MAX_POINTS = 256 };

extern const struct param sweep_params[];

struct sweep {
  char *path;    /* "steps[0].after_events" */
  char **values; /* n JSON texts as they stand in the points */
  size_t n;
  bool until_missed;
  size_t at, length;         /* of the moved value in the file's text */
  size_t own_at, own_length; /* of the sweep itself */
};

/* Reads and checks the key of a document; `ret->n` is 0 when it is not
 * there. The caller releases. */
int sweep_read(struct sweep *ret, const struct json_doc *doc,
               struct diag *diag);
void sweep_release(struct sweep *s);
/* The text of point i, from 0, without the sweep; the caller frees. Lines
 * keep their numbers. */
char *sweep_text(const struct sweep *s, const struct json_doc *doc, size_t i);
/* "after_events=3", fit for a file name and a pattern; the caller frees. */
char *sweep_label(const struct sweep *s, size_t i);

/* What a point is of; copied into its result. */
struct sweep_point {
  char *of, *path, *value; /* address of the file; NULL: no point */
  size_t number, points;   /* from 1 */
  bool until_missed;
};

void sweep_point_init(struct sweep_point *ret, const struct sweep *s,
                      const char *of, size_t i);
void sweep_point_release(struct sweep_point *p);
/* Adds the object `sweep` to a result; nothing for no point. */
void sweep_point_json(const struct sweep_point *p, cJSON *result);

struct run_report;
/* After the run: ends sweeps where nothing was left to harm, marks the first
 * bad point of each and says so in its `notes`. */
void sweep_settle(struct run_report *run);

#endif

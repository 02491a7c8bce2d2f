/*
 * draft.h - a scenario in the making: what the readers of logs and fault
 * scripts fill, step by step.
 *
 * A reader hands over either exchanges (draft_take) or finished steps
 * (draft_add). What could not be carried over is a note, never silent. The
 * text that comes out has been loaded once: what is imported loads.
 */
#ifndef MOCKSERVER_IMPORT_DRAFT_H
#define MOCKSERVER_IMPORT_DRAFT_H

#include "base/diag.h"
#include "mockserver/import/taken.h"

#include <cjson/cJSON.h>

struct provider;

struct import_options {
  const char *name, *why;          /* NULL: made from the file's name */
  const struct provider *provider; /* whose calls they are when the log has
                                      no paths; NULL: unknown */
  const char *host;   /* pattern: only entries of these hosts; NULL: all */
  bool literal_times; /* absolute times stay as they are */
  bool no_timing;     /* neither delays nor gaps */
  bool shape;         /* steps match on the shape of the request */
};

/* A step and what it was an answer to. */
struct drafted {
  cJSON *step;                     /* owned */
  const struct provider *provider; /* NULL: unknown */
  const char *pattern;             /* of the path, static; NULL: unknown */
  bool endpoint;                   /* no generation call: names its endpoint */
  char lane[64];
};

struct draft {
  struct import_options o;
  struct drafted *items;
  size_t nitems;
  struct buf notes;     /* one line each */
  size_t nnotes, noted; /* all of them, those that are in `notes` */
  struct buf skipped;   /* "host\n" of each entry that is no call of an API */
  size_t nskipped;
};

void draft_init(struct draft *d, const struct import_options *o);
void draft_release(struct draft *d);
/* Something was left out or changed; a sentence without its full stop. */
void draft_note(struct draft *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Takes the step over. */
struct drafted *draft_add(struct draft *d, cJSON *step);
/* One more step from an exchange, or a note or a skip that says why not. */
void draft_take(struct draft *d, const struct taken *t);
void draft_skip(struct draft *d, struct bytes host);
/* "12 entries skipped: cdn.example.com (8), ...", "" for none. */
void draft_skipped(const struct draft *d, struct buf *ret);
/* The scenario's text. An error: no step was found, or the text does not
 * load. `file` names the scenario when the options do not. */
int draft_write(struct draft *d, const char *file, struct buf *ret,
                struct diag *diag);

#endif

/*
 * log.h - a log or a script through import, for the tests of this folder.
 */
#ifndef TESTS_IMPORT_LOG_H
#define TESTS_IMPORT_LOG_H

#include "mockserver/import/format.h"
#include "mockserver/import/import.h"

#include <string.h>

/* What became of a text. */
struct outcome {
  int rc;
  struct diag diag;
  struct buf scenario, notes, skipped;
  size_t steps;
};

static inline void log_import(const char *format, const char *text,
                              const struct import_options *o,
                              struct outcome *ret)
{
  struct draft d;
  const struct import_options usual = {.name = "log"};
  memset(ret, 0, sizeof *ret);
  buf_init(&ret->scenario, JSON_MAX_BYTES);
  buf_init(&ret->notes, 1 << 20);
  buf_init(&ret->skipped, 1 << 20);
  draft_init(&d, o ? o : &usual);
  ret->rc = import_text(&d, format ? format_find(format) : NULL, "log.txt",
                        bytes_of(text), &ret->diag);
  if (ret->rc == 0)
    ret->rc = draft_write(&d, "log.txt", &ret->scenario, &ret->diag);
  ret->steps = d.nitems;
  buf_addb(&ret->notes, buf_bytes(&d.notes));
  draft_skipped(&d, &ret->skipped);
  draft_release(&d);
}

static inline void outcome_release(struct outcome *o)
{
  buf_release(&o->scenario);
  buf_release(&o->notes);
  buf_release(&o->skipped);
}

#endif

#include "harness/report_out.h"

#include "base/file.h"
#include "base/words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Ceiling of one printed report. */
#define MAX_REPORT_BYTES ((size_t)1 << 30)

enum { MAX_KINDS = 32 };

static int unknown_report(const char *name, struct diag *diag)
{
  const char *known[MAX_KINDS + 1];
  char hint[512];
  size_t n = 0;
  for (size_t i = 0; reports[i] && n < MAX_KINDS; i++)
    known[n++] = reports[i]->name;
  known[n] = NULL;
  words_hint(name, known, hint, sizeof hint);
  return diag_set(diag, "unknown report '%s'%s", name, hint);
}

/* The kind of KIND=FILE; the caller frees. NULL: it is no such thing. */
static char *kind_of(const char *item, const char **ret_file)
{
  const char *equals = strchr(item, '=');
  if (!equals || equals[1] == '\0')
    return NULL;
  *ret_file = equals + 1;
  return bytes_dup((struct bytes){item, (size_t)(equals - item)});
}

static int check_file(const char *item, struct diag *diag)
{
  const char *file = NULL;
  char *kind = kind_of(item, &file);
  if (!kind)
    return diag_set(diag, "--report wants KIND=FILE, not '%s'", item);
  int rc = report_find(kind) ? 0 : unknown_report(kind, diag);
  free(kind);
  return rc;
}

int report_out_check(const struct report_out *o, struct diag *diag)
{
  if (o->format && !report_find(o->format))
    return unknown_report(o->format, diag);
  for (int i = 0; i < o->files.n; i++)
    if (check_file(o->files.item[i], diag) < 0)
      return -1;
  return 0;
}

static int print_to(const struct report *kind, const struct run_report *run,
                    const char *file, struct diag *diag)
{
  struct buf out;
  int rc = 0;
  buf_init(&out, MAX_REPORT_BYTES);
  kind->print(run, &out);
  if (file)
    rc = file_write(file, buf_bytes(&out), diag);
  else if (fwrite(buf_str(&out), 1, out.n, stdout) != out.n ||
           fflush(stdout) != 0)
    rc = diag_set(diag, "cannot write to stdout: %s", strerror(errno));
  buf_release(&out);
  return rc;
}

int report_out_print(const struct report_out *o, struct run_report *run,
                     struct diag *diag)
{
  run->colour = report_wants_colour(STDOUT_FILENO);
  int rc =
      print_to(report_find(o->format ? o->format : "text"), run, NULL, diag);
  run->colour = false;
  for (int i = 0; i < o->files.n; i++) {
    const char *file = NULL;
    char *kind = kind_of(o->files.item[i], &file);
    rc |= print_to(report_find(kind), run, file, diag);
    free(kind);
  }
  return rc;
}

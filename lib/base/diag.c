#include "base/diag.h"

#include "base/buf.h"

#include <stdio.h>
#include <string.h>

void diag_clear(struct diag *d)
{
  memset(d, 0, sizeof *d);
}

int diag_vset(struct diag *d, const char *format, va_list ap)
{
  if (d->set)
    return -1;
  d->set = true;
  vsnprintf(d->text, sizeof d->text, format, ap);
  return -1;
}

int diag_set(struct diag *d, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  diag_vset(d, format, ap);
  va_end(ap);
  return -1;
}

void diag_in_file(struct diag *d, const char *file)
{
  if (d->set && d->file[0] == '\0')
    snprintf(d->file, sizeof d->file, "%s", file);
}

void diag_format(const struct diag *d, char *ret, unsigned long size)
{
  struct buf b;
  buf_init(&b, 4096);
  if (d->file[0])
    buf_adds(&b, d->file);
  if (d->line)
    buf_addf(&b, ":%d", d->line);
  if (d->line && d->column)
    buf_addf(&b, ":%d", d->column);
  if (b.n)
    buf_adds(&b, ": ");
  if (d->path[0])
    buf_addf(&b, "%s: ", d->path);
  buf_adds(&b, d->text);
  snprintf(ret, size, "%s", buf_str(&b));
  buf_release(&b);
}

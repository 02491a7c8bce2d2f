#include "mutants/edit.h"

static struct bytes after(struct bytes b, size_t n)
{
  return (struct bytes){b.p + n, b.n - n};
}

int64_t edit_count(struct bytes text, struct bytes find)
{
  int64_t n = 0;
  ptrdiff_t at;
  while (find.n && text.n >= find.n && (at = bytes_find(text, find)) >= 0) {
    text = after(text, (size_t)at + find.n);
    n++;
  }
  return n;
}

int edit_apply(const struct plan_edit *e, struct bytes text, struct buf *ret,
               struct diag *diag)
{
  struct bytes find = bytes_of(e->find), with = bytes_of(e->with);
  int64_t n = edit_count(text, find);
  if (n != e->count)
    return diag_set(diag, "%s: found %lld times, must be there %lld times",
                    e->file, (long long)n, (long long)e->count);
  for (; n > 0; n--) {
    size_t at = (size_t)bytes_find(text, find);
    buf_addb(ret, (struct bytes){text.p, at});
    buf_addb(ret, with);
    text = after(text, at + find.n);
  }
  buf_addb(ret, text);
  return 0;
}

#include "seam.h"

#include <stdio.h>
#include <string.h>

/* Of one call's text; as much as a stream keeps (guard/sse.h). */
enum { SHOWN_MAX_BYTES = 64 << 20 };

/* True when the last |n| bytes of |kept| and |rest| agree as far as both go. */
static bool agrees(struct bytes kept, struct bytes rest, size_t n)
{
  return memcmp(kept.p + kept.n - n, rest.p, n < rest.n ? n : rest.n) == 0;
}

static bool is_long_enough(size_t n, size_t kept_n)
{
  return n >= SEAM_LEAST || (n == kept_n && n >= SEAM_LEAST_OF_ALL);
}

bool seam_skip(struct seam *s, struct bytes rest, bool ended, size_t *ret)
{
  struct bytes kept = s->kept;
  size_t n = kept.n;
  if (s->decided || !s->may_repeat || rest.n == 0) {
    *ret = s->skip;
    return s->decided || !s->may_repeat || ended;
  }
  /* the longest repetition first; one that is not at its end yet is open */
  while (n > 0 && !(is_long_enough(n, kept.n) && agrees(kept, rest, n) &&
                    (n <= rest.n || !ended)))
    n = n == kept.n && n > SEAM_MOST ? SEAM_MOST : n - 1;
  if (n > rest.n)
    return false;
  s->decided = true;
  s->skip = *ret = n;
  return true;
}

void live_init(struct live *l)
{
  buf_init(&l->shown, SHOWN_MAX_BYTES);
}

void live_release(struct live *l)
{
  buf_release(&l->shown);
}

/* Byte |i| of a text in two pieces. */
static char at(struct bytes a, struct bytes b, size_t i)
{
  return i < a.n ? a.p[i] : b.p[i - a.n];
}

/* Both pieces from byte |from| on. */
static void print_from(struct live *l, struct bytes a, struct bytes b,
                       size_t from)
{
  size_t in_a = from < a.n ? from : a.n, in_b = from - in_a;
  size_t begin = l->shown.n = from;
  if (in_a < a.n)
    buf_add(&l->shown, a.p + in_a, a.n - in_a);
  if (in_b < b.n)
    buf_add(&l->shown, b.p + in_b, b.n - in_b);
  fwrite(l->shown.p + begin, 1, l->shown.n - begin, stdout);
  fflush(stdout);
}

void live_show(struct live *l, struct seam *s, struct bytes rest, bool ended)
{
  size_t skip = 0;
  if (rest.n == 0 || !seam_skip(s, rest, ended, &skip))
    return;
  struct bytes a = s->kept, b = {rest.p + skip, rest.n - skip};
  size_t n = a.n + b.n, i = a.n < l->shown.n ? a.n : l->shown.n;
  /* blanks behind the text that was kept are on the screen already; most
   * continuations begin with them */
  while (i < n && i < l->shown.n && at(a, b, i) == l->shown.p[i])
    i++;
  if (i < n)
    print_from(l, a, b, i);
}

void live_restart(struct live *l)
{
  if (l->shown.n == 0)
    return;
  putchar('\n');
  buf_reset(&l->shown);
}

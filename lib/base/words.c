#include "base/words.h"

#include "base/buf.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 64 };

static size_t min3(size_t a, size_t b, size_t c)
{
  size_t m = a < b ? a : b;
  return m < c ? m : c;
}

/* Optimal string alignment; three rows are enough for a transposition. */
static size_t distance(const char *a, const char *b)
{
  size_t n = strlen(a), m = strlen(b);
  size_t row[3][MAX_WORD + 1];
  if (n > MAX_WORD || m > MAX_WORD)
    return MAX_WORD;
  for (size_t j = 0; j <= m; j++)
    row[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *now = row[i % 3], *last = row[(i + 2) % 3];
    const size_t *before = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t cost = a[i - 1] != b[j - 1];
      now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < now[j])
        now[j] = before[j - 2] + 1;
    }
  }
  return row[n % 3][m];
}

const char *words_nearest(const char *word, const char *const *list)
{
  const char *best = NULL;
  size_t best_distance = 0;
  for (; *list; list++) {
    size_t longer = strlen(*list) > strlen(word) ? strlen(*list) : strlen(word);
    size_t limit = longer / 3 > 2 ? longer / 3 : 2;
    size_t d = distance(word, *list);
    if (d <= limit && d < longer && (!best || d < best_distance)) {
      best = *list;
      best_distance = d;
    }
  }
  return best;
}

int words_has(const char *const *list, const char *word)
{
  for (; *list; list++)
    if (strcmp(*list, word) == 0)
      return 1;
  return 0;
}

void words_hint(const char *word, const char *const *list, char *ret,
                size_t size)
{
  const char *near = words_nearest(word, list);
  if (near) {
    snprintf(ret, size, "; did you mean '%s'?", near);
    return;
  }
  struct buf b;
  buf_init(&b, 4096);
  for (const char *const *w = list; *w; w++)
    buf_addf(&b, "%s%s", b.n ? ", " : "; known: ", *w);
  snprintf(ret, size, "%s", buf_str(&b));
  buf_release(&b);
}

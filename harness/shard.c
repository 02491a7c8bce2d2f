#include "harness/shard.h"

#include "base/number.h"

#include <string.h>

/* More shards than any suite has scenarios are a mistyped number. */
enum { MAX_SHARDS = 100000 };

int shard_parse(struct shard *ret, const char *text, struct diag *diag)
{
  uint64_t k = 0, n = 0;
  *ret = (struct shard){0};
  if (!text)
    return 0;
  struct bytes rest = bytes_of(text);
  if (number_take_u64(&rest, MAX_SHARDS, &k) != NUMBER_OK || rest.n == 0 ||
      rest.p[0] != '/' ||
      number_u64((struct bytes){rest.p + 1, rest.n - 1}, MAX_SHARDS, &n) !=
          NUMBER_OK)
    return diag_set(diag, "--shard needs K/N, such as 1/4, not '%s'", text);
  if (k < 1 || k > n)
    return diag_set(diag, "--shard K/N needs K from 1 to N, not '%s'", text);
  *ret = (struct shard){k, n};
  return 0;
}

static int by_path(const void *a, const void *b)
{
  const char *const *x = a, *const *y = b;
  return strcmp(*x, *y);
}

/* The different paths in order; the caller frees the list alone. */
static const char **paths_of(const struct suite *s, size_t *ret_n)
{
  const char **list = mem_zalloc((s->n + 1) * sizeof *list);
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    list[i] = s->items[i].path;
  qsort(list, s->n, sizeof *list, by_path);
  for (size_t i = 0; i < s->n; i++)
    if (i == 0 || strcmp(list[i], list[n - 1]) != 0)
      list[n++] = list[i];
  *ret_n = n;
  return list;
}

static bool is_ours(const char *path, const char **paths, size_t n,
                    const struct shard *shard)
{
  const char **at = bsearch(&path, paths, n, sizeof *paths, by_path);
  return at && (uint64_t)(at - paths) % shard->n == shard->k - 1;
}

void shard_keep(struct suite *s, const struct shard *shard)
{
  size_t npaths = 0, kept = 0;
  if (shard->n == 0)
    return;
  const char **paths = paths_of(s, &npaths);
  struct suite rest = {.items = mem_zalloc((s->n + 1) * sizeof *rest.items)};
  for (size_t i = 0; i < s->n; i++)
    if (is_ours(s->items[i].path, paths, npaths, shard))
      s->items[kept++] = s->items[i];
    else
      rest.items[rest.n++] = s->items[i];
  s->n = kept;
  free(paths);
  suite_release(&rest); /* its paths are in the list: after that */
}

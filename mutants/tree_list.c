#include "mutants/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int tree_file_hash(const char *path, uint64_t *ret)
{
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC), rc = -1;
  if (fd < 0)
    return -1;
  if (fstat(fd, &st) == 0 && st.st_size == 0) {
    *ret = bytes_hash((struct bytes){"", 0});
    rc = 0;
  } else if (st.st_size > 0) {
    size_t n = (size_t)st.st_size;
    void *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p != MAP_FAILED) {
      *ret = bytes_hash((struct bytes){p, n});
      munmap(p, n);
      rc = 0;
    }
  }
  close(fd);
  return rc;
}

static int link_hash(const char *path, uint64_t *ret)
{
  char target[4096];
  ssize_t n = readlink(path, target, sizeof target);
  if (n < 0)
    return -1;
  *ret = bytes_hash((struct bytes){target, (size_t)n});
  return 0;
}

struct listing {
  const char *root;
  struct tree_list *list;
};

static int list_entry(void *ctx, const char *path, const struct stat *st,
                      struct diag *diag)
{
  struct listing *l = ctx;
  if (!S_ISREG(st->st_mode) && !S_ISLNK(st->st_mode))
    return 0;
  char *absolute = mem_format("%s/%s", l->root, path);
  struct tree_file f = {.runnable = (st->st_mode & S_IXUSR) != 0};
  int rc = S_ISLNK(st->st_mode) ? link_hash(absolute, &f.hash)
                                : tree_file_hash(absolute, &f.hash);
  if (rc < 0) {
    diag_set(diag, "cannot read '%s': %s", absolute, strerror(errno));
  } else {
    struct tree_list *t = l->list;
    f.path = mem_strdup(path);
    t->item = mem_realloc(t->item, (size_t)(t->n + 1) * sizeof *t->item);
    t->item[t->n++] = f;
  }
  free(absolute);
  return rc;
}

static int by_path(const void *a, const void *b)
{
  const struct tree_file *x = a, *y = b;
  return strcmp(x->path, y->path);
}

int tree_list(const char *root, const struct tree_skip *skip,
              struct tree_list *ret, struct diag *diag)
{
  struct listing l = {root, ret};
  *ret = (struct tree_list){0};
  if (walk_tree(root, skip, list_entry, &l, diag) < 0) {
    tree_list_release(ret);
    return -1;
  }
  if (ret->n)
    qsort(ret->item, (size_t)ret->n, sizeof *ret->item, by_path);
  return 0;
}

void tree_list_release(struct tree_list *l)
{
  for (int i = 0; i < l->n; i++)
    free(l->item[i].path);
  free(l->item);
  *l = (struct tree_list){0};
}

const struct tree_file *tree_find(const struct tree_list *l, const char *path)
{
  for (int lo = 0, hi = l->n; lo < hi;) {
    int mid = lo + (hi - lo) / 2;
    int order = strcmp(path, l->item[mid].path);
    if (order == 0)
      return &l->item[mid];
    if (order < 0)
      hi = mid;
    else
      lo = mid + 1;
  }
  return NULL;
}

void tree_losses(const struct tree_list *before, const struct tree_list *after,
                 struct texts *ret)
{
  for (int i = 0; i < before->n; i++) {
    const struct tree_file *f = &before->item[i];
    const struct tree_file *g = tree_find(after, f->path);
    if (!g || g->hash != f->hash || g->runnable != f->runnable)
      texts_add(ret, f->path);
  }
}

void tree_changes(const struct tree_list *before, const struct tree_list *after,
                  struct texts *ret)
{
  tree_losses(before, after, ret);
  for (int i = 0; i < after->n; i++)
    if (!tree_find(before, after->item[i].path))
      texts_add(ret, after->item[i].path);
}

uint64_t tree_fingerprint(const char *path)
{
  struct tree_skip none = {{0}, {0}};
  struct tree_list list;
  struct diag diag = {0};
  uint64_t hash = 0;
  struct stat st;
  if (stat(path, &st) < 0)
    return 0;
  if (!S_ISDIR(st.st_mode))
    return tree_file_hash(path, &hash) < 0 ? 0 : hash;
  if (tree_list(path, &none, &list, &diag) < 0)
    return 0;
  struct buf all;
  buf_init(&all, SIZE_MAX / 2);
  for (int i = 0; i < list.n; i++)
    buf_addf(&all, "%s %016llx %d\n", list.item[i].path,
             (unsigned long long)list.item[i].hash, list.item[i].runnable);
  hash = bytes_hash(buf_bytes(&all));
  buf_release(&all);
  tree_list_release(&list);
  return hash;
}

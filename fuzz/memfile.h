/*
 * memfile.h - the bytes of a fuzz input as a file with a path, for readers
 * that take a path.
 */
#ifndef FUZZ_MEMFILE_H
#define FUZZ_MEMFILE_H

#include "fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

struct memfile {
  int fd;
  char path[48];
};

static inline void memfile_init(struct memfile *f, const void *p, size_t n)
{
  f->fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (f->fd < 0 || write(f->fd, p, n) != (ssize_t)n)
    abort();
  snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
}

static inline void memfile_release(struct memfile *f)
{
  close(f->fd);
}

#endif

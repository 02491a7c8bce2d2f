/*
 * faulty_disk.h - a disk under SQLite that kills the process, or is full, at
 * the n-th change it is asked for; included once by test_ledger.c.
 *
 * It stands between SQLite and its own file layer (sqlite3_vfs). Changes are
 * writes, truncations, syncs, openings and deletions. A fault may hit before
 * the change or with half of a write done.
 */
#ifndef TESTS_FAULTY_DISK_H
#define TESTS_FAULTY_DISK_H

#include <sqlite3.h>

#include <signal.h>
#include <stdbool.h>
#include <string.h>

static struct {
  int changes; /* so far */
  int kill_at; /* 0: never */
  int full_at; /* from this change on the disk is full; 0: never */
  bool half;   /* a write is half done when the fault comes */
} disk;

struct disk_file {
  sqlite3_file base;
  sqlite3_file *real; /* right behind this struct */
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs disk_vfs;

static sqlite3_file *real_of(sqlite3_file *f)
{
  return ((struct disk_file *)(void *)f)->real;
}

static bool is_full(void)
{
  disk.changes++;
  return disk.full_at && disk.changes >= disk.full_at;
}

static void die_here(void)
{
  if (disk.kill_at && disk.changes == disk.kill_at)
    raise(SIGKILL);
}

static int disk_close(sqlite3_file *f)
{
  return real_of(f)->pMethods->xClose(real_of(f));
}

static int disk_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at)
{
  return real_of(f)->pMethods->xRead(real_of(f), p, n, at);
}

static int disk_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
  const sqlite3_io_methods *m = real_of(f)->pMethods;
  bool full = is_full();
  bool fault = full || (disk.kill_at && disk.changes == disk.kill_at);

  if (fault && disk.half && n > 1)
    m->xWrite(real_of(f), p, n / 2, at);
  die_here();
  return full ? SQLITE_FULL : m->xWrite(real_of(f), p, n, at);
}

static int disk_truncate(sqlite3_file *f, sqlite3_int64 n)
{
  is_full();
  die_here();
  return real_of(f)->pMethods->xTruncate(real_of(f), n);
}

/* Counted and left out: a kill loses nothing that was written, and the tests
 * are not about power cuts. */
static int disk_sync(sqlite3_file *f, int flags)
{
  (void)f;
  (void)flags;
  is_full();
  die_here();
  return SQLITE_OK;
}

static int disk_size(sqlite3_file *f, sqlite3_int64 *n)
{
  return real_of(f)->pMethods->xFileSize(real_of(f), n);
}

static int disk_lock(sqlite3_file *f, int level)
{
  return real_of(f)->pMethods->xLock(real_of(f), level);
}

static int disk_unlock(sqlite3_file *f, int level)
{
  return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int disk_check(sqlite3_file *f, int *ret)
{
  return real_of(f)->pMethods->xCheckReservedLock(real_of(f), ret);
}

static int disk_control(sqlite3_file *f, int op, void *arg)
{
  return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}

static int disk_sector(sqlite3_file *f)
{
  return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int disk_kind(sqlite3_file *f)
{
  return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static const sqlite3_io_methods disk_methods = {
    .iVersion = 1, /* neither shared memory nor mapped files */
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_check,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector,
    .xDeviceCharacteristics = disk_kind,
};

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f,
                     int flags, int *ret_flags)
{
  struct disk_file *file = (struct disk_file *)(void *)f;
  int rc;

  (void)vfs;
  is_full();
  die_here();
  file->real = (sqlite3_file *)(void *)(file + 1);
  rc = real_vfs->xOpen(real_vfs, name, file->real, flags, ret_flags);
  file->base.pMethods = file->real->pMethods ? &disk_methods : NULL;
  return rc;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
  (void)vfs;
  (void)sync;
  is_full();
  die_here();
  return real_vfs->xDelete(real_vfs, name, 0);
}

static void disk_insert(void)
{
  real_vfs = sqlite3_vfs_find(NULL);
  disk_vfs = *real_vfs;
  disk_vfs.zName = "faulty-disk";
  disk_vfs.szOsFile = (int)sizeof(struct disk_file) + real_vfs->szOsFile;
  disk_vfs.pNext = NULL;
  disk_vfs.xOpen = disk_open;
  disk_vfs.xDelete = disk_delete;
  sqlite3_vfs_register(&disk_vfs, 1);
}

static void disk_heal(void)
{
  memset(&disk, 0, sizeof disk);
}

#endif

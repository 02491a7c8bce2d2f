/*
 * ledger_rig.h - a ledger in a folder of its own, on a disk that can fail,
 * for the tests of guard/ledger.h; included once by each of them.
 */
#ifndef TESTS_LEDGER_RIG_H
#define TESTS_LEDGER_RIG_H

#include "guard/ledger.h"
#include "tests/unit/guard/faulty_disk.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define T0 INT64_C(1796000000000) /* some moment in 2026 */
enum { LEASE = 1800000 };

static char folder[] = "/tmp/test_ledger_XXXXXX";
static char path[100], journal[110];

static int fresh(void **state)
{
  (void)state;
  disk_heal();
  unlink(path);
  unlink(journal);
  return 0;
}

static struct guard_ledger *open_ledger(void)
{
  struct guard_ledger *l;
  if (!guard_ledger_open(path, GUARD_LEDGER_FILE_MAX, &l))
    fail_msg("%s", guard_ledger_error(l));
  return l;
}

static struct guard_job job_of(const char *key)
{
  return (struct guard_job){key, strlen(key), LEASE};
}

static enum guard_ledger_step begin(struct guard_ledger *l, const char *key,
                                    int64_t now_ms, struct guard_entry *ret)
{
  struct guard_job job = job_of(key);
  return guard_ledger_begin(l, &job, now_ms, ret);
}

static enum guard_ledger_step finish(struct guard_ledger *l,
                                     const struct guard_claim *claim,
                                     const char *text)
{
  struct guard_result r = {text, strlen(text)};
  return guard_ledger_finish(l, claim, &r);
}

static int make_folder(void **state)
{
  (void)state;
  if (!mkdtemp(folder))
    return -1;
  snprintf(path, sizeof path, "%s/ledger", folder);
  snprintf(journal, sizeof journal, "%s-journal", path);
  disk_insert();
  return 0;
}

static int remove_folder(void **state)
{
  fresh(state);
  return rmdir(folder);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

#endif

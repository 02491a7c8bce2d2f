#include "once.h"

#include "base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *key_of(const char *pattern, int number)
{
  static const char word[] = "{N}";
  struct buf key;
  /* the number of a prompt is never longer than the word */
  buf_init(&key, GUARD_LEDGER_KEY_MAX);
  for (const char *p; (p = strstr(pattern, word)) != NULL;
       pattern = p + sizeof word - 1) {
    buf_add(&key, pattern, (size_t)(p - pattern));
    buf_addf(&key, "%d", number + 1);
  }
  buf_adds(&key, pattern);
  return buf_detach(&key);
}

void once_init(struct once *o, const struct settings_records *s, int number)
{
  *o = (struct once){0};
  if (!s->once)
    return;
  o->path = s->ledger_path;
  o->lease_ms = s->lease_ms;
  o->key = key_of(s->once, number);
}

void once_release(struct once *o)
{
  free(o->key);
  *o = (struct once){0};
}

/* The folder of a default path; that it could not be made shows when the file
 * is opened. */
static struct guard_ledger *open_ledger(const struct once *o)
{
  const char *slash = strrchr(o->path, '/');
  struct diag diag = {0};
  struct guard_ledger *l = NULL;
  if (slash && slash != o->path) {
    char *folder =
        bytes_dup((struct bytes){o->path, (size_t)(slash - o->path)});
    file_mkdirs(folder, &diag);
    free(folder);
  }
  guard_ledger_open(o->path, GUARD_LEDGER_FILE_MAX, &l);
  return l; /* one that is not open says so at its next step */
}

static const char *error_of(const struct guard_ledger *l)
{
  return l ? guard_ledger_error(l) : "no memory for the ledger";
}

static enum guard_ledger_step claim(struct guard_ledger *l, struct once *o,
                                    int64_t now_ms, struct guard_entry *ret)
{
  const struct guard_job job = {o->key, strlen(o->key), o->lease_ms};
  return l && !guard_ledger_error(l)[0]
             ? guard_ledger_begin(l, &job, now_ms, ret)
             : GUARD_LEDGER_FAILED;
}

/* What is no order to work, as the end of the call. */
static void refuse(struct once *o, const struct guard_ledger *l,
                   enum guard_ledger_step step, int64_t busy_ms,
                   struct gate_end *ret)
{
  *ret = (struct gate_end){.step = GUARD_GIVE_UP, .why = "not begun"};
  if (step != GUARD_LEDGER_BUSY) {
    diag_set(&ret->diag, "not begun, %s: %s", o->path, error_of(l));
    return;
  }
  o->busy = true;
  ret->step = GUARD_DEGRADE;
  ret->retry_in_ms = busy_ms;
  diag_set(&ret->diag,
           "'%s' is being done by another start, for at most %.1f s more",
           o->key, (double)busy_ms / 1000);
}

bool once_begin(struct once *o, int64_t now_ms, struct buf *ret_text,
                struct gate_end *ret_end)
{
  struct guard_entry entry = {0};
  if (!o->path)
    return true;
  struct guard_ledger *l = open_ledger(o);
  enum guard_ledger_step step = claim(l, o, now_ms, &entry);
  if (step == GUARD_LEDGER_RUN) {
    o->claim = entry.claim;
    if (entry.claim.attempt > 1)
      fprintf(stderr,
              "guard: '%s': attempt %" PRId64 ", an earlier start did not "
              "finish it and may have been processed\n",
              o->key, entry.claim.attempt);
  } else if (step == GUARD_LEDGER_DONE) {
    o->stored = true;
    buf_add(ret_text, entry.result.bytes, entry.result.n);
    *ret_end = (struct gate_end){.step = GUARD_DONE, .why = "done before"};
  } else {
    refuse(o, l, step, entry.busy_ms, ret_end);
  }
  guard_ledger_close(l);
  return step == GUARD_LEDGER_RUN;
}

/* The claim was taken over while the work was done: the ledger's word on the
 * key counts now, whatever it is. */
static enum guard_ledger_step after_loss(struct guard_ledger *l, struct once *o,
                                         int64_t now_ms, struct buf *text,
                                         struct gate_end *end)
{
  struct guard_entry entry = {0};
  enum guard_ledger_step step = claim(l, o, now_ms, &entry);
  fprintf(stderr, "guard: '%s': another start took it over\n", o->key);
  if (step == GUARD_LEDGER_DONE) {
    buf_reset(text);
    buf_add(text, entry.result.bytes, entry.result.n);
  } else if (step == GUARD_LEDGER_RUN) {
    const struct guard_result result = {buf_str(text), text->n};
    o->claim = entry.claim;
    step = guard_ledger_finish(l, &o->claim, &result);
  } else if (step == GUARD_LEDGER_BUSY) {
    refuse(o, l, step, entry.busy_ms, end);
  }
  return step;
}

static void keep_result(struct guard_ledger *l, struct once *o, int64_t now_ms,
                        struct buf *text, struct gate_end *end)
{
  const struct guard_result result = {buf_str(text), text->n};
  enum guard_ledger_step step = GUARD_LEDGER_FAILED;
  if (l && !guard_ledger_error(l)[0])
    step = guard_ledger_finish(l, &o->claim, &result);
  if (step == GUARD_LEDGER_LOST)
    step = after_loss(l, o, now_ms, text, end);
  if (step == GUARD_LEDGER_DONE || step == GUARD_LEDGER_BUSY)
    return;
  end->not_recorded = true;
  fprintf(stderr, "guard: '%s' is done and not written down, %s: %s\n", o->key,
          o->path, error_of(l));
}

void once_end(struct once *o, int64_t now_ms, struct buf *text,
              struct gate_end *end)
{
  if (!o->path || (end->step != GUARD_DONE && o->maybe))
    return;
  struct guard_ledger *l = open_ledger(o);
  if (end->step == GUARD_DONE)
    keep_result(l, o, now_ms, text, end);
  else if (!l || guard_ledger_error(l)[0] ||
           guard_ledger_drop(l, &o->claim) == GUARD_LEDGER_FAILED)
    fprintf(stderr, "guard: '%s' stays claimed, %s: %s\n", o->key, o->path,
            error_of(l));
  guard_ledger_close(l);
}

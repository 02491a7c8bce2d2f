/*
 * fuzz_udiff.c - a unified diff: of --in-diff, or the patch of a mutant.
 */
#include "fuzz/fuzz.h"
#include "mutants/udiff.h"

static void check_run(const struct udiff_file *f, const struct udiff_run *run)
{
  int64_t new_first = run->new_first, new_last = run->new_last;

  PROPERTY(run->old_first >= 0 && run->new_first >= 0, "lines are 0 or more");
  PROPERTY(run->old_last >= run->old_first - 1, "an old side has no hole");
  PROPERTY(run->new_last >= run->new_first - 1, "a new side has no hole");
  PROPERTY(run->old_last >= run->old_first || run->new_last >= run->new_first,
           "a run changes something");
  if (new_last < new_first) {
    new_first--;
    new_last++;
  }
  PROPERTY(udiff_meets(f, false, new_first, new_first) &&
               udiff_meets(f, false, new_last, new_last),
           "a run meets its own lines");
}

static void check_file(const struct udiff *d, const struct udiff_file *f)
{
  PROPERTY(f->path && f->path[0], "a file has a name");
  PROPERTY(!(f->created && f->removed), "a file is made or goes, not both");
  (void)d;
  for (int i = 0; i < f->nruns; i++)
    check_run(f, &f->run[i]);
}

/* Words before and behind are passed over. */
static void check_around(struct bytes text, const struct udiff *d)
{
  struct udiff again;
  struct diag diag = {0};
  struct buf more;

  buf_init(&more, SIZE_MAX / 2);
  buf_adds(&more, "Subject: a mail\n\n");
  buf_addb(&more, text);
  PROPERTY(udiff_parse(&again, "more", buf_bytes(&more), &diag) == 0,
           "words in front change nothing");
  PROPERTY(again.n == d->n, "words in front are no file");
  udiff_release(&again);
  buf_release(&more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct udiff d;
  struct diag diag = {0};
  char *copy = fuzz_copy(data, size);
  struct bytes text = {copy, size};

  if (udiff_parse(&d, "fuzz.diff", text, &diag) < 0) {
    PROPERTY(diag.set && diag.text[0], "an error has a sentence");
    PROPERTY(strcmp(diag.file, "fuzz.diff") == 0 && diag.line > 0,
             "an error has a place");
    PROPERTY(d.n == 0 && !d.file, "an error leaves nothing behind");
  } else {
    PROPERTY(!diag.set, "no error is left behind by a success");
    for (int i = 0; i < d.n; i++)
      check_file(&d, &d.file[i]);
    check_around(text, &d);
    udiff_release(&d);
  }
  free(copy);
  return 0;
}

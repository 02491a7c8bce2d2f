/*
 * fuzz_outcomes.c - OUT/outcomes.json, from which every report of a finished
 * run is made again.
 */
#include "fuzz/memfile.h"
#include "mutants/merge.h"

static void check_record(const struct record *r)
{
  PROPERTY(r->id && r->why && r->operator_ && r->motive && r->place,
           "texts are never NULL");
  PROPERTY(r->outcome < OUTCOME_COUNT, "the outcome is one of the list");
  PROPERTY(r->build_ms >= 0 && r->suite_ms >= 0, "times are 0 or more");
  PROPERTY(record_kills(r) >= 0 && record_kills(r) <= r->tests.n,
           "no more kills than tests");
}

/* |r| written to |text| and read again. */
static void write_and_read(const struct records *r, struct buf *text,
                           struct records *ret)
{
  struct memfile file;
  struct diag diag = {0};

  records_to_json(r, text);
  memfile_init(&file, buf_str(text), text->n);
  PROPERTY(records_load(ret, file.path, &diag) == 0,
           "what is written can be read");
  memfile_release(&file);
}

/* Read and written once more it is the same text. The first writing may
 * change one: what is no UTF-8 is written as \ufffd, and read as that. */
static void check_again(const struct records *r)
{
  struct buf first, second, third;
  struct records again, once_more;

  buf_init(&first, SIZE_MAX / 2);
  buf_init(&second, SIZE_MAX / 2);
  buf_init(&third, SIZE_MAX / 2);
  write_and_read(r, &first, &again);
  write_and_read(&again, &second, &once_more);
  records_to_json(&once_more, &third);
  PROPERTY(bytes_equal(buf_bytes(&second), buf_bytes(&third)),
           "reading and writing changes nothing");
  records_release(&once_more);
  records_release(&again);
  buf_release(&third);
  buf_release(&second);
  buf_release(&first);
}

/* The same results twice are a shard twice, unless they hold nothing. */
static void check_merge(const struct records *r)
{
  struct buf text;
  struct records first, second, all = {0};
  struct diag diag = {0};
  int n;

  buf_init(&text, SIZE_MAX / 2);
  write_and_read(r, &text, &first);
  buf_release(&text);
  buf_init(&text, SIZE_MAX / 2);
  write_and_read(r, &text, &second);
  n = first.n;
  PROPERTY(merge_add(&all, &first, "first", &diag) == 0,
           "the first results are taken");
  PROPERTY((merge_add(&all, &second, "again", &diag) < 0) == (n > 0),
           "no mutant stands twice");
  PROPERTY(all.n == n, "a refusal takes nothing");
  merge_finish(&all);
  PROPERTY(all.plan_mutants == 0 || all.plan_mutants == all.n || all.problem[0],
           "what is missing is a problem");
  records_release(&all);
  records_release(&second);
  records_release(&first);
  buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct diag diag = {0};
  struct records records;
  struct memfile file;

  memfile_init(&file, data, size);
  if (records_load(&records, file.path, &diag) < 0) {
    PROPERTY(diag.set && diag.text[0], "an error has a sentence");
    PROPERTY(strcmp(diag.file, file.path) == 0, "an error names the file");
    PROPERTY(records.n == 0, "an error leaves nothing behind");
  } else {
    PROPERTY(!diag.set, "no error is left behind by a success");
    for (int i = 0; i < records.n; i++)
      check_record(&records.item[i]);
    check_again(&records);
    check_merge(&records);
    records_release(&records);
  }
  memfile_release(&file);
  return 0;
}

/*
 * fuzz_journal_read.c - JSON Lines of a journal, back as attempts.
 */
#include "fuzz/fuzz.h"
#include "mockserver/journal_read.h"

enum { MAX_BYTES = 64 << 20 };

static void print_all(const struct journal_copy *c, struct buf *ret)
{
  buf_init(ret, MAX_BYTES);
  for (size_t i = 0; i < c->n; i++) {
    attempt_json(&c->attempts[i], ret);
    buf_addc(ret, '\n');
  }
}

static void check_attempt(const struct attempt *a)
{
  PROPERTY(a->seq > 0, "attempts are numbered from 1");
  PROPERTY(a->cls <= ATTEMPT_HANDSHAKE, "the class is one of four");
  PROPERTY(a->end <= END_EXIT, "the end is one of seven");
  PROPERTY(a->first_byte_ns >= 0 && a->answer_last_ns >= 0,
           "no time is below 0");
  PROPERTY(a->body_kept <= a->body_bytes,
           "no more of a body is kept than it has");
  PROPERTY(strlen(a->lane) < sizeof a->lane && a->target && a->headers &&
               a->body,
           "every text has an end");
  PROPERTY(!a->route, "no route is made up");
}

/* What was read is written, and read again: nothing changes any more. */
static void check_round(const struct journal_copy *c)
{
  struct journal_copy again;
  struct diag diag = {0};
  struct buf first, second;
  print_all(c, &first);
  PROPERTY(!first.full, "what is written stays below the ceiling");
  PROPERTY(journal_read(&again, "again", buf_bytes(&first), &diag) == 0,
           "what is written can be read");
  print_all(&again, &second);
  PROPERTY(bytes_equal(buf_bytes(&first), buf_bytes(&second)),
           "writing and reading changes nothing");
  journal_copy_release(&again);
  buf_release(&first);
  buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct journal_copy c;
  struct diag diag = {0};
  char *copy = fuzz_copy(data, size);
  if (journal_read(&c, "journal", (struct bytes){copy, size}, &diag) == 0) {
    PROPERTY(!diag.set, "no error is left behind by a success");
    for (size_t i = 0; i < c.n; i++) {
      check_attempt(&c.attempts[i]);
      PROPERTY(i == 0 || c.attempts[i - 1].seq < c.attempts[i].seq,
               "attempts come in order of arrival, each once");
    }
    check_round(&c);
    journal_copy_release(&c);
  } else {
    PROPERTY(diag.set && diag.text[0], "a refusal has a sentence");
    PROPERTY(strcmp(diag.file, "journal") == 0, "a refusal names the file");
  }
  free(copy);
  return 0;
}

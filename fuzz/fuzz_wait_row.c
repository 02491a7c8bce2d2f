/*
 * fuzz_wait_row.c - the table of `guard retry-after --tsv`: the line that
 * names the columns, then a row a line.
 */
#include "fuzz/lines.h"
#include "guard/command/wait_row.h"

#define UNTOUCHED INT64_C(-4242)

static void check_columns(const struct wait_columns *c)
{
  for (int i = 0; i < WAIT_COLUMNS; i++) {
    PROPERTY(c->place[i] >= 0, "each column has its place");
    for (int k = 0; k < i; k++)
      PROPERTY(c->place[i] != c->place[k], "no place serves two columns");
  }
}

static void check_cells(const struct wait_row *row, const char *line, size_t n)
{
  for (int i = 0; i < WAIT_COLUMNS; i++) {
    PROPERTY(row->cell[i] >= line && row->cell[i] <= line + n,
             "a cell lies in its line");
    PROPERTY(!strchr(row->cell[i], '\t'), "a cell ends at its tab");
  }
}

/* The bytes written as escapes are read back as the same bytes. */
static void check_escapes(const char *raw, size_t n)
{
  static const char digits[] = "0123456789abcdef";
  char header[] = "retry-after", id[] = "", now[] = "";
  char *escaped = malloc(4 * n + 1);
  struct wait_row row = {{id, header, escaped, now}};
  struct diag diag = {0};
  int64_t plain_ms = UNTOUCHED, wait_ms = UNTOUCHED;
  enum guard_hint hint = GUARD_HINT_ABSENT, plain;

  for (size_t i = 0; i < n; i++) {
    escaped[4 * i] = '\\';
    escaped[4 * i + 1] = 'x';
    escaped[4 * i + 2] = digits[(unsigned char)raw[i] >> 4];
    escaped[4 * i + 3] = digits[raw[i] & 15];
  }
  escaped[4 * n] = '\0';
  plain = guard_retry_after_field(header, raw, n, FUZZ_NOW_EPOCH_S * 1000,
                                  &plain_ms);
  PROPERTY(wait_row_answer(&row, FUZZ_NOW_EPOCH_S * 1000, &hint, &wait_ms,
                           &diag) == 0,
           "any byte can be written as an escape");
  PROPERTY(hint == plain && wait_ms == plain_ms,
           "an escape stands for its byte");
  free(escaped);
}

static void check_row(struct wait_row *row)
{
  struct diag diag = {0};
  int64_t wait_ms = UNTOUCHED;
  enum guard_hint hint = GUARD_HINT_ABSENT;
  bool absent = strcmp(row->cell[WAIT_RAW], "\\N") == 0;

  check_escapes(row->cell[WAIT_RAW], strlen(row->cell[WAIT_RAW]));
  if (wait_row_answer(row, FUZZ_NOW_EPOCH_S * 1000, &hint, &wait_ms, &diag) <
      0) {
    PROPERTY(diag.set && diag.text[0], "a refusal has a sentence");
    return;
  }
  PROPERTY(!diag.set, "no error is left behind by a success");
  PROPERTY(hint <= GUARD_HINT_STOP, "the hint is one of the four");
  PROPERTY(hint == GUARD_HINT_WAIT ? wait_ms >= 0 : wait_ms == UNTOUCHED,
           "a wait is told when there is one");
  PROPERTY(!absent || hint == GUARD_HINT_ABSENT, "no field, no wait");
}

static void read_rows(struct fuzz_lines *lines, const struct wait_columns *c)
{
  while (fuzz_lines_next(lines)) {
    struct buf *text = &lines->in.text;
    struct diag diag = {0};
    struct wait_row row;

    if (memchr(text->p, '\0', text->n))
      return; /* the program refuses it (waits.c) */
    if (wait_row_read(text->p, c, &row, &diag) < 0) {
      PROPERTY(diag.set && diag.text[0], "an error has a sentence");
      continue;
    }
    check_cells(&row, text->p, text->n);
    check_row(&row);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct fuzz_lines lines;
  struct wait_columns columns = {{-7, -7, -7, -7}};
  struct diag diag = {0};

  fuzz_lines_init(&lines, data, size);
  if (fuzz_lines_next(&lines)) {
    if (wait_columns_read(lines.in.text.p, &columns, &diag) < 0) {
      PROPERTY(diag.set && diag.text[0], "an error has a sentence");
      PROPERTY(columns.place[0] == -7, "an error sets nothing");
    } else {
      check_columns(&columns);
      read_rows(&lines, &columns);
    }
  }
  fuzz_lines_release(&lines);
  return 0;
}

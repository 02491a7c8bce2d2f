#include "waits.h"

#include "input.h"
#include "wait_row.h"

#include "base/clock.h"
#include "base/cmdline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 9999-12-31T23:59:59Z: the last instant clock_rfc3339() can write. */
#define MAX_EPOCH_S INT64_C(253402300799)

struct ask {
  const char *header;
  int64_t now_s;
  bool tsv;
};

static const char summary[] =
    "Says how long a server asks to wait: by one value, or with --tsv by a\n"
    "table on standard input with the columns id, header, raw and now_epoch.\n"
    "A table is answered by a line each: the id, a tab, and the milliseconds,\n"
    "'none' (no usable wait) or 'stop' (a retry is forbidden).";
static const char footer[] =
    "a value that begins with '-' goes behind '--'\n"
    "in raw, \\\\ \\t \\r \\n \\xHH stand for one byte, \\N for no field; the "
    "header\n'combo' has several: name=value;name=value\n"
    "exit codes: 0 answered; 1 output cannot be written; 2 usage, or a line\n"
    "that is no such row: the lines before it are answered";

static int put_row(char *line, const struct wait_columns *columns,
                   int64_t now_ms, struct diag *diag)
{
  struct wait_row row;
  enum guard_hint hint;
  int64_t wait_ms = 0;
  if (wait_row_read(line, columns, &row, diag) < 0 ||
      wait_row_answer(&row, now_ms, &hint, &wait_ms, diag) < 0)
    return -1;
  if (hint == GUARD_HINT_WAIT)
    printf("%s\t%" PRId64 "\n", row.cell[WAIT_ID], wait_ms);
  else
    printf("%s\t%s\n", row.cell[WAIT_ID],
           hint == GUARD_HINT_STOP ? "stop" : "none");
  return 0;
}

/* A NUL byte would end a cell in silence: it is written \x00. */
static enum input_result next_line(struct input *in, struct diag *diag)
{
  enum input_result r = input_line(in, diag);
  if (r == INPUT_OK && memchr(in->text.p, '\0', in->text.n)) {
    diag_set(diag, "a NUL byte; in raw it is written \\x00");
    return INPUT_ERROR;
  }
  return r;
}

static int put_table(int64_t now_ms)
{
  struct wait_columns columns;
  struct diag diag = {0};
  struct input in;
  input_init(&in, stdin);
  enum input_result r = next_line(&in, &diag);
  if (r == INPUT_END)
    diag_set(&diag, "no line that names the columns");
  bool good =
      r == INPUT_OK && wait_columns_read(in.text.p, &columns, &diag) == 0;
  while (good && (r = next_line(&in, &diag)) == INPUT_OK)
    good = put_row(in.text.p, &columns, now_ms, &diag) == 0;
  int code = diag.set ? input_refuse(&in, &diag) : input_flush();
  input_release(&in);
  return code;
}

static void put_wait(int64_t wait_ms, int64_t now_ms)
{
  char date[21];
  if (wait_ms == INT64_MAX) {
    printf("wait: longer than can be counted in milliseconds\n");
    return;
  }
  printf("wait %" PRId64 ".%03d s", wait_ms / 1000, (int)(wait_ms % 1000));
  if (wait_ms / 1000 <= MAX_EPOCH_S - now_ms / 1000 - 1) {
    clock_rfc3339((now_ms + wait_ms + 999) / 1000, date);
    printf(", until %s", date);
  }
  printf("\n");
}

static int put_value(const struct ask *ask, const char *value, int64_t now_ms)
{
  int64_t wait_ms = 0;
  switch (guard_retry_after_field(ask->header, value, strlen(value), now_ms,
                                  &wait_ms)) {
  case GUARD_HINT_WAIT:
    put_wait(wait_ms, now_ms);
    break;
  case GUARD_HINT_STOP:
    printf("stop: the server forbids a retry\n");
    break;
  case GUARD_HINT_ABSENT:
  case GUARD_HINT_INVALID:
    printf("no usable wait: own backoff\n");
    break;
  }
  return input_flush();
}

static int check(const struct ask *ask, int nwords, char **words,
                 struct diag *diag)
{
  if (ask->tsv && nwords > 0)
    return diag_set(diag, "--tsv reads standard input, not '%s'", words[0]);
  if (ask->tsv && ask->header)
    return diag_set(diag, "--tsv has a column for the header");
  if (!ask->tsv && nwords != 1)
    return diag_set(diag, "one value is needed, or --tsv, not %d values",
                    nwords);
  return 0;
}

static int run(struct ask *ask, char **words)
{
  int64_t now_ms = ask->now_s < 0 ? clock_wall_ns(clock_real()) / NS_PER_MS
                                  : ask->now_s * 1000;
  if (ask->tsv)
    return put_table(now_ms);
  if (!ask->header)
    ask->header = "retry-after";
  return put_value(ask, words[0], now_ms);
}

int waits_main(int argc, char **argv)
{
  struct ask ask = {.now_s = -1};
  const struct option options[] = {
      {"header", 0, OPTION_STRING, &ask.header, 0, 0, "NAME",
       "whose value it is; 'text': a message (retry-after)"},
      {"now", 0, OPTION_INT, &ask.now_s, 0, (double)MAX_EPOCH_S, "EPOCH",
       "the time in seconds since 1970 (the clock)"},
      {"tsv", 0, OPTION_FLAG, &ask.tsv, 0, 0, NULL,
       "a table on standard input"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"guard retry-after [OPTIONS] VALUE | --tsv",
                            summary, options, footer};
  struct diag diag = {0};
  int nwords, dash, code = 2;
  char **words = mem_zalloc(((size_t)argc + 1) * sizeof *words);
  enum cmdline_result r = cmdline_parse(&c, argv, words, &nwords, &dash, &diag);
  if (r == CMDLINE_DONE)
    code = 0;
  else if (r == CMDLINE_OK && check(&ask, nwords, words, &diag) == 0)
    code = run(&ask, words);
  if (diag.set)
    fprintf(stderr, "guard: %s\n", diag.text);
  free(words);
  return code;
}

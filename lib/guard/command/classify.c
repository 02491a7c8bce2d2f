#include "classify.h"

#include "input.h"
#include "row.h"
#include "settings.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No number was given: below every exit code. */
enum { NOT_GIVEN = -1000 };

struct ask {
  const char *provider, *channel;
  int64_t status, exit_code, now_s;
  struct option_list headers;
  bool jsonl;
  /* made of |headers| */
  struct guard_header fields[64];
};

static const char summary[] =
    "Says what an answer of an API or the output of a command means: one text\n"
    "on standard input, or with --jsonl an object a line with the fields id,\n"
    "provider, channel, status, headers, body, exit_code, now_epoch. Prints a\n"
    "JSON line each: id, class, retryable, wait_ms, reset_epoch, reason.";
static const char footer[] =
    "classes: none, rate_limit, overloaded, usage_limit, quota_exhausted,\n"
    "timeout, auth, invalid_request, server_error, stream_interrupted\n"
    "exit codes: 0 answered, whatever the class; 1 output cannot be written;\n"
    "2 usage, or a line that is no such object: the lines before it are "
    "answered";

static void put(const char *id, const struct guard_answer *a)
{
  struct guard_verdict v = guard_classify(a);
  struct buf line;
  buf_init(&line, 2 * JSON_MAX_BYTES);
  row_answer(id, &v, &line);
  fwrite(buf_str(&line), 1, line.n, stdout);
  buf_release(&line);
}

static int put_line(struct bytes text, int64_t now_ms, struct diag *diag)
{
  struct json_doc doc;
  struct row row;
  if (json_parse(&doc, "standard input", text, diag) < 0)
    return -1;
  int rc = row_read(&doc, now_ms, &row, diag);
  if (rc == 0)
    put(row.id, &row.answer);
  row_release(&row);
  json_release(&doc);
  return rc;
}

static int put_lines(struct input *in, int64_t now_ms)
{
  struct diag diag = {0};
  enum input_result r;
  /* who writes a line and waits gets its answer at once */
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  while ((r = input_line(in, &diag)) == INPUT_OK)
    if (put_line(buf_bytes(&in->text), now_ms, &diag) < 0)
      break;
  return r == INPUT_END ? input_flush() : input_refuse(in, &diag);
}

/* "Name: value"; the name is copied, the value stays where it is. */
static int take_header(const char *text, struct guard_header *ret,
                       struct diag *diag)
{
  size_t n = strcspn(text, ": \t");
  if (n == 0 || text[n] != ':')
    return diag_set(diag, "--header is 'Name: value', is '%s'", text);
  ret->name = bytes_dup((struct bytes){text, n});
  ret->value = text + n + 1 + strspn(text + n + 1, " \t");
  return 0;
}

static int take_headers(struct ask *ask, struct diag *diag)
{
  for (int i = 0; i < ask->headers.n; i++)
    if (take_header(ask->headers.item[i], &ask->fields[i], diag) < 0)
      return -1;
  return 0;
}

static bool is_alone(const struct ask *ask)
{
  return !ask->provider && !ask->channel && ask->headers.n == 0 &&
         ask->status == NOT_GIVEN && ask->exit_code == NOT_GIVEN;
}

/* What does not go together, said before anything is read. */
static int check(const struct ask *ask, int *ret_channel, struct diag *diag)
{
  *ret_channel = GUARD_HTTP;
  if (ask->jsonl)
    return is_alone(ask) ? 0
                         : diag_set(diag, "--jsonl goes with --now only: the "
                                          "lines carry the rest");
  if (ask->channel && settings_word("channel", ask->channel, row_channels,
                                    ret_channel, diag) < 0)
    return -1;
  bool output = *ret_channel == GUARD_STDOUT || *ret_channel == GUARD_STDERR;
  if (*ret_channel == GUARD_HTTP && ask->status == NOT_GIVEN)
    return diag_set(diag, "an answer over http needs its --status; a command's "
                          "output needs --channel stdout or stderr");
  if (output && (ask->status != NOT_GIVEN || ask->headers.n > 0))
    return diag_set(diag, "--channel %s has no --status and no --header",
                    ask->channel);
  if (!output && ask->exit_code != NOT_GIVEN)
    return diag_set(diag, "--exit-code needs --channel stdout or stderr");
  return 0;
}

static int put_text(const struct ask *ask, int channel, int64_t now_ms,
                    struct input *in)
{
  struct diag diag = {0};
  if (input_whole(in, &diag) < 0)
    return input_refuse(in, &diag);
  const struct guard_answer a = {
      .provider = ask->provider,
      .channel = (enum guard_channel)channel,
      .status = ask->status == NOT_GIVEN ? 0 : (int)ask->status,
      .has_exit_code = ask->exit_code != NOT_GIVEN,
      .exit_code = ask->exit_code == NOT_GIVEN ? 0 : (int)ask->exit_code,
      .headers = ask->fields,
      .nheaders = (size_t)ask->headers.n,
      .body = buf_str(&in->text),
      .body_n = in->text.n,
      .now_epoch_ms = now_ms};
  put(NULL, &a);
  return input_flush();
}

static int run(const struct ask *ask, int channel)
{
  struct input in;
  int64_t now_ms = ask->now_s < 0 ? clock_wall_ns(clock_real()) / NS_PER_MS
                                  : ask->now_s * 1000;
  input_init(&in, stdin);
  int code =
      ask->jsonl ? put_lines(&in, now_ms) : put_text(ask, channel, now_ms, &in);
  input_release(&in);
  return code;
}

static void release(struct ask *ask)
{
  for (int i = 0; i < ask->headers.n; i++) {
    char *name;
    memcpy(&name, &ask->fields[i].name, sizeof name);
    free(name);
  }
}

static int no_words(int nwords, char **words, struct diag *diag)
{
  return nwords == 0 ? 0
                     : diag_set(diag,
                                "unknown word '%s'; the text comes on "
                                "standard input",
                                words[0]);
}

int classify_main(int argc, char **argv)
{
  struct ask ask = {.status = NOT_GIVEN, .exit_code = NOT_GIVEN, .now_s = -1};
  const struct option options[] = {
      {"provider", 0, OPTION_STRING, &ask.provider, 0, 0, "WORD",
       "anthropic, openai, claude-cli, ... (every reader)"},
      {"channel", 0, OPTION_STRING, &ask.channel, 0, 0, "WORD",
       "http, sse, stdout or stderr (http)"},
      {"status", 0, OPTION_INT, &ask.status, 0, ROW_MAX_STATUS, "N",
       "status of the answer"},
      {"header", 0, OPTION_STRINGS, &ask.headers, 0, 0, "FIELD",
       "'Name: value' of the answer; may be given again"},
      {"exit-code", 0, OPTION_INT, &ask.exit_code, ROW_MIN_EXIT, ROW_MAX_EXIT,
       "N", "of the command, below 0: the signal"},
      {"now", 0, OPTION_INT, &ask.now_s, 0, (double)ROW_MAX_EPOCH_S, "EPOCH",
       "the time in seconds since 1970 (the clock)"},
      {"jsonl", 0, OPTION_FLAG, &ask.jsonl, 0, 0, NULL,
       "an object a line on standard input"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"guard classify [OPTIONS]", summary, options,
                            footer};
  struct diag diag = {0};
  int nwords, dash, channel, code = 2;
  char **words = mem_zalloc(((size_t)argc + 1) * sizeof *words);
  enum cmdline_result r = cmdline_parse(&c, argv, words, &nwords, &dash, &diag);
  if (r == CMDLINE_DONE)
    code = 0;
  else if (r == CMDLINE_OK && no_words(nwords, words, &diag) == 0 &&
           check(&ask, &channel, &diag) == 0 && take_headers(&ask, &diag) == 0)
    code = run(&ask, channel);
  if (diag.set)
    fprintf(stderr, "guard: %s\n", diag.text);
  release(&ask);
  free(words);
  return code;
}

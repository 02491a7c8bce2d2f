#include "mockserver/import/import.h"

#include "base/cmdline.h"
#include "base/file.h"
#include "base/words.h"
#include "mockserver/import/format.h"
#include "mockserver/provider/provider.h"

#include <string.h>

enum { EXIT_USAGE = 2, EXIT_SET_UP = 3, MAX_FILES = 1000 };
/* A log of a whole day; JSON is read up to json.h's own ceiling. */
#define MAX_LOG ((size_t)64 << 20)

struct asked {
  const char *from, *output, *provider;
  bool quiet;
  struct import_options o;
  char **files;
  int nfiles;
};

int import_text(struct draft *d, const struct format *format, const char *file,
                struct bytes text, struct diag *diag)
{
  if (!format)
    format = format_guess(text);
  if (!format) {
    diag_set(diag, "is neither HAR, JSON Lines, `curl -v` output nor a fault "
                   "script that is known; --from says which");
    diag_in_file(diag, file);
    return -1;
  }
  return format->read(d, file, text, diag);
}

static int read_file(struct draft *d, const struct format *format,
                     const char *file, struct diag *diag)
{
  struct buf text;
  buf_init(&text, MAX_LOG);
  int rc = file_read(file, &text, diag);
  if (rc == 0)
    rc = import_text(d, format, file, buf_bytes(&text), diag);
  buf_release(&text);
  return rc;
}

/* ---- what is told ---- */

static void tell(const struct draft *d, const struct asked *a)
{
  struct buf skipped;
  if (a->quiet)
    return;
  buf_init(&skipped, 64 << 10);
  draft_skipped(d, &skipped);
  if (skipped.n)
    fprintf(stderr, "faultwire import: %s\n", buf_str(&skipped));
  fputs(buf_str(&d->notes), stderr);
  if (d->nnotes > d->noted)
    fprintf(stderr, "and %zu more of the kind\n", d->nnotes - d->noted);
  if (a->output)
    fprintf(stderr, "faultwire import: %s has %zu %s\n", a->output, d->nitems,
            d->nitems == 1 ? "step" : "steps");
  buf_release(&skipped);
}

static int write_out(const struct asked *a, const struct buf *text,
                     struct diag *diag)
{
  if (a->output)
    return file_write(a->output, buf_bytes(text), diag);
  fwrite(text->p, 1, text->n, stdout);
  return fflush(stdout) == 0 ? 0 : diag_set(diag, "cannot write to stdout");
}

/* Exit code. */
static int run(const struct asked *a, struct diag *diag)
{
  struct draft d;
  struct buf text;
  const struct format *format =
      a->from && strcmp(a->from, "auto") != 0 ? format_find(a->from) : NULL;
  int code = 0;
  draft_init(&d, &a->o);
  buf_init(&text, JSON_MAX_BYTES);
  for (int i = 0; i < a->nfiles && code == 0; i++)
    if (read_file(&d, format, a->files[i], diag) < 0)
      code = EXIT_USAGE;
  if (code == 0 && draft_write(&d, a->files[0], &text, diag) < 0) {
    diag_in_file(diag, a->files[0]);
    code = EXIT_USAGE;
  }
  if (code == 0 && write_out(a, &text, diag) < 0)
    code = EXIT_SET_UP;
  tell(&d, a);
  buf_release(&text);
  draft_release(&d);
  return code;
}

/* ---- what was asked ---- */

static int check(struct asked *a, struct diag *diag)
{
  char hint[256];
  if (a->nfiles == 0)
    return diag_set(diag, "which file? a log or a fault script is missing");
  if (a->from && !words_has(format_names(), a->from)) {
    words_hint(a->from, format_names(), hint, sizeof hint);
    return diag_set(diag, "no format '%s'%s", a->from, hint);
  }
  a->o.provider = a->provider ? provider_find(a->provider) : NULL;
  if (a->provider && !a->o.provider)
    return diag_set(diag, "no provider '%s' (see `faultwire list providers`)",
                    a->provider);
  return 0;
}

static enum cmdline_result parse(struct asked *a, char **argv,
                                 struct diag *diag)
{
  bool shape = false;
  const struct option options[] = {
      {"from", 'f', OPTION_STRING, &a->from, 0, 0, "FORMAT",
       "har, curl, jsonl, llmock, aimock or auto (default)"},
      {"output", 'o', OPTION_STRING, &a->output, 0, 0, "SCENARIO",
       "where the scenario goes (default: standard output)"},
      {"name", 0, OPTION_STRING, &a->o.name, 0, 0, "NAME",
       "what it is called (default: the file's name)"},
      {"why", 0, OPTION_STRING, &a->o.why, 0, 0, "TEXT", "what went wrong"},
      {"provider", 0, OPTION_STRING, &a->provider, 0, 0, "NAME",
       "whose API it is, where the log has no paths"},
      {"host", 0, OPTION_STRING, &a->o.host, 0, 0, "PATTERN",
       "only calls of hosts that fit (* ? [])"},
      {"match-shape", 0, OPTION_FLAG, &shape, 0, 0, NULL,
       "steps take only requests of the logged shape"},
      {"literal-times", 0, OPTION_FLAG, &a->o.literal_times, 0, 0, NULL,
       "dates and epochs stay as they were"},
      {"no-timing", 0, OPTION_FLAG, &a->o.no_timing, 0, 0, NULL,
       "neither delays nor gaps"},
      {"quiet", 'q', OPTION_FLAG, &a->quiet, 0, 0, NULL,
       "no word about what was left out"},
      {0}};
  const struct cmdline c = {
      .usage = "faultwire import [OPTIONS] FILE...",
      .summary = "Makes a scenario from a log or another server's fault "
                 "script.",
      .options = options,
      .footer = "Several files of one incident become one scenario, in that "
                "order. Keys, tokens\nand cookies are never carried over.\n"};
  int dash = 0;
  enum cmdline_result r =
      cmdline_parse(&c, argv, a->files, &a->nfiles, &dash, diag);
  a->o.shape = shape;
  return r;
}

int import_main(int argc, char **argv)
{
  struct asked a = {.nfiles = 0};
  struct diag diag = {0};
  char text[2048];
  a.files = mem_zalloc(((size_t)argc + 1) * sizeof *a.files);
  enum cmdline_result r = parse(&a, argv, &diag);
  int code = r == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (r == CMDLINE_OK && check(&a, &diag) == 0)
    code = run(&a, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire import: %s\n", text);
  }
  free(a.files);
  return code;
}

#include "harness/init/init.h"

#include "harness/init/found.h"
#include "harness/project/project.h"

#include "base/cmdline.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>

enum { EXIT_USAGE = 2, EXIT_SETUP = 3 };

/* Far above what found_write() makes. */
#define MAX_TEXT ((size_t)1 << 20)

struct init {
  bool force;
  char **words;
  int nwords, dash;
  const char *folder;
};

static const char footer[] =
    "Looks at the manifests and sources of FOLDER (default: this one) and "
    "asks\n"
    "nothing. CLIENT behind -- is the client's command, if it cannot be "
    "found.\n"
    "Exit code: 0 written, 2 usage or the file is there, 3 cannot be written.";

static enum cmdline_result parse(struct init *in, char **argv,
                                 struct diag *diag)
{
  const struct option options[] = {{"force", 0, OPTION_FLAG, &in->force, 0, 0,
                                    NULL, "write over a file that is there"},
                                   {.name = NULL}};
  const struct cmdline c = {
      "faultwire init [--force] [FOLDER] [-- CLIENT [ARGS]]",
      "Writes " PROJECT_FILE ", the project file of `faultwire test`.", options,
      footer};
  return cmdline_parse(&c, argv, in->words, &in->nwords, &in->dash, diag);
}

/* The command line knows better. */
static int take_client(const struct init *in, struct found *f,
                       struct diag *diag)
{
  int n = in->nwords - in->dash;
  if (n == 0)
    return 0;
  if (n > FOUND_WORDS)
    return diag_set(diag, "the client's command has more than %d words",
                    FOUND_WORDS);
  for (int i = 0; i < FOUND_WORDS; i++) {
    free(f->client[i]);
    f->client[i] = i < n ? mem_strdup(in->words[in->dash + i]) : NULL;
  }
  free(f->client_from);
  f->client_from = mem_strdup("The client given to `faultwire init`");
  f->build = NULL;
  return 0;
}

static void say(const struct found *f, const char *path)
{
  printf("%s: written\n", path);
  if (f->provider)
    printf("  provider  %s ('%s' in %s)\n", f->provider, f->sign, f->sign_file);
  else if (f->command)
    printf("  channel   command (it starts %s)\n", f->command);
  else
    printf("  provider  not found: all of them\n");
  printf("  client   ");
  for (int i = 0; f->client[i]; i++)
    printf(" %s", f->client[i]);
  puts(f->client[0] ? "" : " not found: put its command into the file");
  if (f->ci)
    printf("  outputs   for %s\n", f->ci);
  puts("next: faultwire test");
}

static int write_file(const struct init *in, const struct found *f,
                      struct diag *diag)
{
  struct buf text;
  char *path = strcmp(in->folder, ".") == 0
                   ? mem_strdup(PROJECT_FILE)
                   : mem_format("%s/" PROJECT_FILE, in->folder);
  int code = 0;
  buf_init(&text, MAX_TEXT);
  found_write(f, &text);
  if (!in->force && file_exists(path)) {
    diag_set(diag, "'%s' is there; --force writes over it", path);
    code = EXIT_USAGE;
  } else if (file_write(path, buf_bytes(&text), diag) < 0) {
    code = EXIT_SETUP;
  } else {
    say(f, path);
  }
  buf_release(&text);
  free(path);
  return code;
}

static int go(struct init *in, int argc, char **argv, struct diag *diag)
{
  struct found f;
  in->words = mem_zalloc(((size_t)argc + 2) * sizeof *in->words);
  enum cmdline_result r = parse(in, argv, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (in->dash > 1) {
    diag_set(diag, "'%s' is too much: one folder", in->words[1]);
    return EXIT_USAGE;
  }
  in->folder = in->dash ? in->words[0] : ".";
  if (found_look(&f, in->folder, diag) < 0)
    return EXIT_USAGE;
  int code =
      take_client(in, &f, diag) < 0 ? EXIT_USAGE : write_file(in, &f, diag);
  found_release(&f);
  return code;
}

int init_main(int argc, char **argv)
{
  struct init in = {0};
  struct diag diag = {0};
  char text[1800];
  int code = go(&in, argc, argv, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire init: %s\n", text);
  }
  free(in.words);
  return code;
}

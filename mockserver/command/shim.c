#include "mockserver/command/shim.h"

#include "base/cmdline.h"
#include "base/file.h"
#include "mockserver/command/folder.h"

#include <limits.h>
#include <string.h>

enum { EXIT_USAGE = 2, EXIT_SET_UP = 3 };

static int check_names(char *const *names, int n, struct diag *diag)
{
  if (n == 0)
    return diag_set(diag, "which command? a name such as claude is missing");
  for (int i = 0; i < n; i++)
    if (!names[i][0] || names[i][0] == '.' || strchr(names[i], '/'))
      return diag_set(diag, "'%s' is no name of a program (without a path)",
                      names[i]);
  return 0;
}

static int make(const char *folder, char *const *names, int n,
                struct diag *diag)
{
  char whole[PATH_MAX];
  for (int i = 0; i < n; i++)
    if (folder_put(folder, names[i], diag) < 0)
      return -1;
  if (!realpath(folder, whole))
    return diag_set(diag, "cannot find '%s' again", folder);
  printf("export PATH='%s':\"$PATH\"\n", whole);
  return 0;
}

static int failed(const struct diag *diag, int code)
{
  char text[1200];
  diag_format(diag, text, sizeof text);
  fprintf(stderr, "faultwire shim: %s\n", text);
  return code;
}

int shim_main(int argc, char **argv)
{
  const char *folder = "faultwire-shims";
  const struct option options[] = {
      {"dir", 'd', OPTION_STRING, &folder, 0, 0, "DIR",
       "the folder (default faultwire-shims); it is made when missing"},
      {0}};
  const struct cmdline c = {
      .usage = "faultwire shim [--dir DIR] NAME...",
      .summary = "Makes a folder with commands in it that stand in for real "
                 "ones.",
      .options = options,
      .footer = "Prints the line that puts the folder first on PATH. Each "
                "start is answered by\n`faultwire serve --shim-dir DIR "
                "SCENARIO`; without it a start ends with 70.\n`faultwire "
                "test` does all of this by itself.\n"};
  struct diag diag = {0};
  int n = 0, dash = 0, code = 0;
  char **names = mem_zalloc(((size_t)argc + 1) * sizeof *names);
  enum cmdline_result r = cmdline_parse(&c, argv, names, &n, &dash, &diag);
  if (r == CMDLINE_ERROR ||
      (r == CMDLINE_OK && check_names(names, n, &diag) < 0))
    code = failed(&diag, EXIT_USAGE);
  else if (r == CMDLINE_OK && make(folder, names, n, &diag) < 0)
    code = failed(&diag, EXIT_SET_UP);
  free(names);
  return code;
}

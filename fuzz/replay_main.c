/*
 * replay_main.c - runs files through a fuzz target without libFuzzer.
 *
 * Arguments are files or folders. Each file's name is printed before it runs,
 * so that a crash tells which one it was. No file at all is an error: an
 * empty corpus checks nothing.
 */
#include "base/file.h"
#include "fuzz/fuzz.h"

#include <dirent.h>

/* Far above any seed; a larger file has no business in a corpus. */
#define MAX_INPUT_BYTES ((size_t)4 << 20)

static int replay_file(const char *path)
{
  struct diag diag = {0};
  struct buf input;
  char *copy;
  int rc;

  buf_init(&input, MAX_INPUT_BYTES);
  rc = file_read(path, &input, &diag);
  if (rc < 0) {
    fprintf(stderr, "%s: %s\n", path, diag.text);
  } else {
    printf("%s (%zu bytes)\n", path, input.n);
    fflush(stdout);
    copy = fuzz_copy(input.p, input.n);
    LLVMFuzzerTestOneInput((const uint8_t *)copy, input.n);
    free(copy);
  }
  buf_release(&input);
  return rc;
}

static int visible(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* Number of files run, or -1. */
static int replay_folder(const char *folder)
{
  struct dirent **entries;
  int n = scandir(folder, &entries, visible, alphasort);
  int failed = 0;

  if (n < 0) {
    fprintf(stderr, "%s: cannot be read as a folder\n", folder);
    return -1;
  }
  for (int i = 0; i < n; i++) {
    char *path = mem_format("%s/%s", folder, entries[i]->d_name);

    failed |= replay_file(path);
    free(path);
    free(entries[i]);
  }
  free(entries);
  return failed ? -1 : n;
}

int main(int argc, char **argv)
{
  int total = 0;

  for (int i = 1; i < argc; i++) {
    bool folder = file_is_folder(argv[i]);
    int n = folder ? replay_folder(argv[i]) : replay_file(argv[i]);

    if (n < 0)
      return 2;
    total += folder ? n : 1;
  }
  printf("%d inputs, every property held\n", total);
  if (total == 0)
    fprintf(stderr, "no input: run fuzz/seed, or name files\n");
  return total == 0;
}

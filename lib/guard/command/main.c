/* main.c - the guard program: its forms by their first word (forms.def), and
 * without one the gate around a command. */
#include "classify.h"
#include "http.h"
#include "status.h"
#include "waits.h"
#include "wrap.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>

static const struct form {
  const char *word;
  int (*main)(int argc, char **argv);
  const char *usage, *summary;
} forms[] = {
#define FORM(word, main, usage, summary) {word, main, usage, summary},
#include "forms.def"
#undef FORM
};
enum { NFORMS = sizeof forms / sizeof *forms };

static int unknown_word(const char *word)
{
  const char *known[NFORMS + 2];
  char hint[256];
  for (int i = 0; i < NFORMS; i++)
    known[i] = forms[i].word;
  known[NFORMS] = "--";
  known[NFORMS + 1] = NULL;
  words_hint(word, known, hint, sizeof hint);
  fprintf(stderr, "guard: unknown word '%s'%s\n", word, hint);
  return 2;
}

static void print_forms(void)
{
  printf("forms of guard; each has a --help of its own, that of the last "
         "follows:\n");
  for (int i = 0; i < NFORMS; i++)
    printf("  %-38s %s\n", forms[i].usage, forms[i].summary);
  printf("  %-38s %s\n\n", "guard [OPTIONS] -- CMD ARGS...",
         "a command behind the gate");
}

int main(int argc, char **argv)
{
  const char *first = argc > 1 ? argv[1] : "--";
  for (int i = 0; i < NFORMS; i++)
    if (strcmp(first, forms[i].word) == 0)
      return forms[i].main(argc - 1, argv + 1);
  if (first[0] != '-')
    return unknown_word(first);
  if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
    print_forms();
  return wrap_main(argc, argv);
}

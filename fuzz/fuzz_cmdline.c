/*
 * fuzz_cmdline.c - the words of a command line, one a line of the input.
 */
#include "base/cmdline.h"
#include "fuzz/fuzz.h"

#include "base/buf.h"

enum { MAX_WORDS = 80, MIN = -5, MAX = 1000 };

struct values {
  bool flag;
  const char *text;
  struct option_list list;
  int64_t number;
  double decimal;
};

struct parsed {
  enum cmdline_result result;
  struct values v;
  char *words[MAX_WORDS + 2];
  int nwords, dash;
  struct diag diag;
};

/* What the line leaves out comes from FUZZ_NUMBER, and nothing else does. */
static void fill_in(const struct cmdline *c, char **argv, struct parsed *ret)
{
  enum { NUMBER = 3, FROM_THE_ENVIRONMENT = 7 };
  struct cmdline_env env = {.prefix = "FUZZ_"};
  int64_t before = ret->v.number;

  setenv("FUZZ_NUMBER", "7", 1);
  PROPERTY(cmdline_environment(c, argv, &env, &ret->diag) == 0,
           "a good variable is taken");
  PROPERTY(ret->v.number == (env.used[NUMBER] ? FROM_THE_ENVIRONMENT : before),
           "the line wins");
  PROPERTY(env.used[NUMBER] ? before == 0 : true, "it was not on the line");
}

static void parse(char **argv, struct parsed *ret)
{
  memset(ret, 0, sizeof *ret);
  const struct option options[] = {
      {"flag", 'f', OPTION_FLAG, &ret->v.flag, 0, 0, NULL, "a flag"},
      {"text", 't', OPTION_STRING, &ret->v.text, 0, 0, "TEXT", "a text"},
      {"also", 0, OPTION_STRINGS, &ret->v.list, 0, 0, "TEXT", "again"},
      {"number", 'n', OPTION_INT, &ret->v.number, MIN, MAX, "N", "a number"},
      {"decimal", 0, OPTION_NUMBER, &ret->v.decimal, MIN, MAX, "N", "same"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"fuzz [OPTIONS] WORD", "words", options, NULL};

  ret->result =
      cmdline_parse(&c, argv, ret->words, &ret->nwords, &ret->dash, &ret->diag);
  if (ret->result == CMDLINE_OK)
    fill_in(&c, argv, ret);
}

static void check_parsed(const struct parsed *p, char **argv)
{
  int at = 1;

  if (p->result == CMDLINE_ERROR) {
    PROPERTY(p->diag.set && p->diag.text[0], "an error has a sentence");
    return;
  }
  PROPERTY(!p->diag.set, "no error is left behind by a success");
  PROPERTY(p->v.number >= MIN && p->v.number <= MAX, "numbers are in range");
  PROPERTY(p->v.decimal >= MIN && p->v.decimal <= MAX, "decimals as well");
  PROPERTY(p->v.list.n >= 0 && p->v.list.n <= 64, "a list has its ceiling");
  PROPERTY(p->dash >= 0 && p->dash <= p->nwords,
           "the dashes stand among the words");
  for (int i = 0; i < p->nwords; i++) {
    while (argv[at] && argv[at] != p->words[i])
      at++;
    PROPERTY(argv[at++], "words are those of the line, in their order");
  }
}

static bool valued(const char *word, size_t *ret_n)
{
  static const char *const names[] = {
      "--text=", "--also=", "--number=", "--decimal="};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    *ret_n = strlen(names[i]);
    if (strncmp(word, names[i], *ret_n) == 0)
      return true;
  }
  return false;
}

/* A word that takes the next one, whatever that is. */
static bool takes_next(const char *word)
{
  static const char *const names[] = {"--text",    "--also", "--number",
                                      "--decimal", "-t",     "-n"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(word, names[i]) == 0)
      return true;
  return false;
}

static bool same_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/* "--name=value" is "--name value". */
static void check_apart(char **argv, const struct parsed *p)
{
  char *apart[2 * MAX_WORDS + 2], *owned[MAX_WORDS];
  struct parsed q;
  size_t n;
  int to = 0, made = 0;
  bool dash = false;

  for (int i = 0; argv[i]; i++) {
    dash |= strcmp(argv[i], "--") == 0 || takes_next(argv[i]);
    apart[to++] = argv[i];
    if (dash || to + 2 > MAX_WORDS || !valued(argv[i], &n))
      continue;
    owned[made] = fuzz_text(argv[i], n - 1);
    apart[to - 1] = owned[made++];
    apart[to++] = argv[i] + n;
  }
  apart[to] = NULL;
  parse(apart, &q);
  PROPERTY(q.result == p->result && q.nwords == p->nwords &&
               q.dash == p->dash && q.v.flag == p->v.flag &&
               q.v.list.n == p->v.list.n && same_text(q.v.text, p->v.text) &&
               q.v.decimal <= p->v.decimal && q.v.decimal >= p->v.decimal &&
               q.v.number == p->v.number,
           "a value may stand in the next word");
  while (made > 0)
    free(owned[--made]);
}

/* These print and end; the tests of the programs look at that. */
static bool prints(const char *word)
{
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
         strcmp(word, "--version") == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size), *rest = text, name[] = "fuzz";
  char *argv[MAX_WORDS + 1] = {name};
  struct parsed p;
  int n = 1;
  bool printing = false;

  while (rest && n < MAX_WORDS / 2) {
    char *lf = strchr(rest, '\n');

    if (lf)
      *lf = '\0';
    printing |= prints(rest);
    argv[n++] = rest;
    rest = lf ? lf + 1 : NULL;
  }
  argv[n] = NULL;
  if (!printing) {
    parse(argv, &p);
    check_parsed(&p, argv);
    if (p.result == CMDLINE_OK)
      check_apart(argv, &p);
  }
  free(text);
  return 0;
}

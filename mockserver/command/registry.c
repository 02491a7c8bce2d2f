#include "mockserver/command/cli.h"

#include "base/number.h"

#include <string.h>

#define CLI(name) extern const struct command_cli cli_##name;
#include "mockserver/command/clis.def"
#undef CLI

const struct command_cli *const command_clis[] = {
#define CLI(name) &cli_##name,
#include "mockserver/command/clis.def"
#undef CLI
    NULL};

const char *const command_format_words[] = {[COMMAND_TEXT] = "text",
                                            [COMMAND_JSON] = "json",
                                            [COMMAND_STREAM_JSON] =
                                                "stream-json",
                                            [NCOMMAND_FORMATS] = NULL};

const struct command_cli *command_cli_find(const char *name)
{
  for (const struct command_cli *const *c = command_clis; *c; c++)
    if (strcmp((*c)->name, name) == 0)
      return *c;
  return NULL;
}

const struct command_text *command_text_find(const struct command_cli *cli,
                                             const char *says,
                                             const char *version)
{
  const struct command_text *found = NULL;
  for (const struct command_text *t = cli->texts; t->says; t++)
    if (strcmp(t->says, says) == 0 &&
        command_version_compare(t->since, version) <= 0)
      found = t;
  return found;
}

enum command_format command_format_of(const char *word)
{
  for (int f = 0; word && f < NCOMMAND_FORMATS; f++)
    if (strcmp(command_format_words[f], word) == 0)
      return (enum command_format)f;
  return COMMAND_TEXT;
}

static const char *behind(const char *word, const char *next, const char *name)
{
  size_t n = strlen(name);
  if (strncmp(word, name, n) != 0)
    return NULL;
  return word[n] == '=' ? word + n + 1 : word[n] == '\0' ? next : NULL;
}

const char *command_option(const char *const *argv, size_t argc,
                           const char *name, const char *other)
{
  for (size_t i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *next = i + 1 < argc ? argv[i + 1] : NULL;
    const char *found = behind(argv[i], next, name);
    if (!found && other)
      found = behind(argv[i], next, other);
    if (found)
      return found;
  }
  return NULL;
}

/* --- versions ----------------------------------------------------------- */

enum { MAX_PARTS = 4, MAX_PART = 999999 };

/* The number before the next dot; "x" is above all, the end below all. */
static int64_t take_part(const char **text)
{
  size_t n = strcspn(*text, ".");
  struct bytes part = {*text, n};
  uint64_t number = 0;
  bool any = n == 1 && part.p[0] == 'x';
  *text += n + ((*text)[n] == '.');
  if (any)
    return MAX_PART + 1;
  return number_u64(part, MAX_PART, &number) == NUMBER_OK ? (int64_t)number
                                                          : -1;
}

int command_version_compare(const char *a, const char *b)
{
  for (int i = 0; i < MAX_PARTS; i++) {
    int64_t x = take_part(&a), y = take_part(&b);
    if (x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

bool command_version_right(const char *text)
{
  int64_t part = 0;
  int parts = 0;
  do {
    if (part > MAX_PART || ++parts > MAX_PARTS)
      return false; /* "x" with something behind it */
    part = take_part(&text);
    if (part < 0)
      return false;
  } while (*text);
  return text[-1] != '.' && (part <= MAX_PART || parts > 1);
}

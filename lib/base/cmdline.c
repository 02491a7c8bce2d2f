#include "base/cmdline.h"

#include "base/buf.h"
#include "base/number.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>

enum { MAX_OPTIONS = 64 };

static void print_help(const struct cmdline *c)
{
  printf("usage: %s\n\n%s\n\noptions:\n", c->usage, c->summary);
  for (const struct option *o = c->options; o && o->name; o++) {
    char left[64], letter[4] = "";
    if (o->letter)
      snprintf(letter, sizeof letter, "-%c,", o->letter);
    snprintf(left, sizeof left, "%3s --%s%s%s", letter, o->name,
             o->argument ? " " : "", o->argument ? o->argument : "");
    printf("  %-30s %s\n", left, o->summary);
  }
  printf("  %-30s %s\n  %-30s %s\n", "    --help", "print this and end",
         "    --version", "print the version and end");
  if (c->footer)
    printf("\n%s\n", c->footer);
}

static const struct option *by_name(const struct cmdline *c, struct bytes name)
{
  for (const struct option *o = c->options; o && o->name; o++)
    if (bytes_equal(bytes_of(o->name), name))
      return o;
  return NULL;
}

static const struct option *by_letter(const struct cmdline *c, char letter)
{
  for (const struct option *o = c->options; o && o->name; o++)
    if (o->letter && o->letter == letter)
      return o;
  return NULL;
}

static int unknown_option(const struct cmdline *c, const char *arg,
                          struct bytes name, struct diag *diag)
{
  const char *known[MAX_OPTIONS + 3];
  char hint[512];
  int n = 0;
  for (const struct option *o = c->options; o && o->name && n < MAX_OPTIONS;
       o++)
    known[n++] = o->name;
  known[n++] = "help";
  known[n++] = "version";
  known[n] = NULL;
  char *word = bytes_dup(name);
  const char *near = words_nearest(word, known);
  if (near)
    snprintf(hint, sizeof hint, "; did you mean '--%s'?", near);
  else
    snprintf(hint, sizeof hint, "; see --help");
  free(word);
  return diag_set(diag, "unknown option '%s'%s", arg, hint);
}

static int store_number(const struct option *o, const char *text,
                        struct diag *diag)
{
  enum number_result r;
  if (o->type == OPTION_INT)
    r = number_i64(bytes_of(text), (int64_t)o->min, (int64_t)o->max, o->value);
  else
    r = number_decimal(bytes_of(text), o->min, o->max, o->value);
  if (r == NUMBER_OK)
    return 0;
  if (r == NUMBER_TOO_BIG)
    return diag_set(diag, "--%s must be within %g..%g, is '%s'", o->name,
                    o->min, o->max, text);
  return diag_set(diag, "--%s needs a number, not '%s'", o->name, text);
}

static int store(const struct option *o, const char *text, struct diag *diag)
{
  struct option_list *list = o->value;
  switch (o->type) {
  case OPTION_FLAG:
    *(bool *)o->value = true;
    return 0;
  case OPTION_STRING:
    *(const char **)o->value = text;
    return 0;
  case OPTION_STRINGS:
    if (list->n == (int)(sizeof list->item / sizeof list->item[0]))
      return diag_set(diag, "--%s is given too often", o->name);
    list->item[list->n++] = text;
    return 0;
  case OPTION_INT:
  case OPTION_NUMBER:
    return store_number(o, text, diag);
  }
  return -1;
}

/* One option word; *i moves on when its value is the next word. */
static int take_option(const struct cmdline *c, char **argv, int *i,
                       struct diag *diag)
{
  const char *arg = argv[*i];
  bool is_long = arg[1] == '-';
  const char *equals = is_long ? strchr(arg, '=') : NULL;
  struct bytes name = {arg + 2, equals ? (size_t)(equals - arg - 2)
                                       : strlen(arg + 1) - 1};
  if (!is_long)
    name = (struct bytes){arg + 1, strlen(arg + 1)};
  const struct option *o = is_long       ? by_name(c, name)
                           : arg[2] == 0 ? by_letter(c, arg[1])
                                         : NULL;
  if (!o)
    return unknown_option(c, arg, name, diag);
  if (o->type == OPTION_FLAG)
    return equals ? diag_set(diag, "--%s takes no value", o->name)
                  : store(o, NULL, diag);
  if (equals)
    return store(o, equals + 1, diag);
  if (!argv[*i + 1])
    return diag_set(diag, "--%s needs a value: %s", o->name, o->argument);
  return store(o, argv[++*i], diag);
}

enum cmdline_result cmdline_parse(const struct cmdline *c, char **argv,
                                  char **ret_words, int *ret_nwords,
                                  int *ret_dash, struct diag *diag)
{
  *ret_nwords = 0;
  *ret_dash = -1;
  for (int i = 1; argv[i]; i++) {
    const char *arg = argv[i];
    if (*ret_dash >= 0 || arg[0] != '-' || arg[1] == '\0') {
      ret_words[(*ret_nwords)++] = argv[i];
    } else if (strcmp(arg, "--") == 0) {
      *ret_dash = *ret_nwords;
    } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
      print_help(c);
      return CMDLINE_DONE;
    } else if (strcmp(arg, "--version") == 0) {
      printf("%.*s %s\n", (int)strcspn(c->usage, " "), c->usage,
             FAULTWIRE_VERSION);
      return CMDLINE_DONE;
    } else if (take_option(c, argv, &i, diag) < 0) {
      return CMDLINE_ERROR;
    }
  }
  if (*ret_dash < 0)
    *ret_dash = *ret_nwords;
  return CMDLINE_OK;
}

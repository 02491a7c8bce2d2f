#include "base/cmdline.h"

#include "base/buf.h"
#include "base/number.h"
#include "base/words.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for the name of a variable; options are names of the program. */
enum { MAX_VARIABLE = 96 };

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
  const char *known[CMDLINE_MAX_OPTIONS + 3];
  char hint[512];
  int n = 0;
  for (const struct option *o = c->options;
       o && o->name && n < CMDLINE_MAX_OPTIONS; o++)
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

/* "5s", "1.5 h", "200ms" */
static bool has_unit(const char *text)
{
  size_t n = strspn(text, "0123456789.");
  size_t gap = strspn(text + n, " ");
  const char *unit = text + n + gap;
  return n > 0 && *unit && strlen(unit) <= 3 &&
         unit[strspn(unit, "abcdefghijklmnopqrstuvwxyz")] == '\0';
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
    return diag_set(diag, "--%s must be within %.16g..%.16g, is '%s'", o->name,
                    o->min, o->max, text);
  return diag_set(diag, "--%s needs a number%s, not '%s'", o->name,
                  has_unit(text) ? " without a unit" : "", text);
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

/* The option that a word names, NULL: none. |ret_name| is what it says,
 * |ret_equals| where its "=" is, or NULL. */
static const struct option *option_of(const struct cmdline *c, const char *arg,
                                      struct bytes *ret_name,
                                      const char **ret_equals)
{
  bool is_long = arg[1] == '-';
  const char *equals = is_long ? strchr(arg, '=') : NULL;
  *ret_equals = equals;
  *ret_name = (struct bytes){arg + 2, equals ? (size_t)(equals - arg - 2)
                                             : strlen(arg + 1) - 1};
  if (is_long)
    return by_name(c, *ret_name);
  *ret_name = (struct bytes){arg + 1, strlen(arg + 1)};
  return arg[2] == 0 ? by_letter(c, arg[1]) : NULL;
}

/* One option word; *i moves on when its value is the next word. */
static int take_option(const struct cmdline *c, char **argv, int *i,
                       struct diag *diag)
{
  const char *arg = argv[*i], *equals;
  struct bytes name;
  const struct option *o = option_of(c, arg, &name, &equals);
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

/* True when the command line gives the option; it has been parsed before, so
 * that every word in it is right. */
static bool is_given(const struct cmdline *c, char **argv,
                     const struct option *wanted)
{
  for (int i = 1; argv[i] && strcmp(argv[i], "--") != 0; i++) {
    const char *equals;
    struct bytes name;
    if (argv[i][0] != '-' || argv[i][1] == '\0')
      continue;
    const struct option *o = option_of(c, argv[i], &name, &equals);
    if (o == wanted)
      return true;
    if (o->type != OPTION_FLAG && !equals)
      i++;
  }
  return false;
}

/* "max-backoff" -> "GUARD_MAX_BACKOFF" */
static void variable_of(const char *prefix, const struct option *o,
                        char ret[MAX_VARIABLE])
{
  int n = snprintf(ret, MAX_VARIABLE, "%s%s", prefix, o->name);
  assert(n > 0 && n < MAX_VARIABLE);
  for (char *p = ret + strlen(prefix); *p; p++)
    *p = (char)(*p == '-' ? '_' : toupper((unsigned char)*p));
}

static int store_flag(const struct option *o, const char *variable,
                      const char *text, struct diag *diag)
{
  static const char *const on[] = {"1", "true", "yes", "on", NULL};
  static const char *const off[] = {"0", "false", "no", "off", NULL};
  for (int i = 0; on[i]; i++) {
    if (strcmp(text, on[i]) == 0 || strcmp(text, off[i]) == 0) {
      *(bool *)o->value = strcmp(text, on[i]) == 0;
      return 0;
    }
  }
  return diag_set(diag,
                  "%s must be 1, true, yes, on or 0, false, no, off, "
                  "is '%s'",
                  variable, text);
}

static int store_variable(const struct option *o, const char *variable,
                          const char *text, struct diag *diag)
{
  struct diag wrong = {0};
  if (o->type == OPTION_FLAG)
    return store_flag(o, variable, text, diag);
  if (store(o, text, &wrong) == 0)
    return 0;
  return diag_set(diag, "%s: %s", variable, wrong.text);
}

int cmdline_environment(const struct cmdline *c, char **argv,
                        struct cmdline_env *env, struct diag *diag)
{
  for (int i = 0; c->options[i].name; i++) {
    const struct option *o = &c->options[i];
    char variable[MAX_VARIABLE];
    assert(i < CMDLINE_MAX_OPTIONS);
    env->used[i] = false;
    variable_of(env->prefix, o, variable);
    const char *text = getenv(variable);
    if (!text || !text[0] || o->type == OPTION_STRINGS || is_given(c, argv, o))
      continue;
    if (store_variable(o, variable, text, diag) < 0)
      return -1;
    env->used[i] = true;
  }
  return 0;
}

/* The text has "--name" as a whole word. */
static bool speaks_of(const char *text, const char *name)
{
  static const char of_a_name[] = "abcdefghijklmnopqrstuvwxyz-";
  size_t n = strlen(name);
  for (const char *p = text; (p = strstr(p, "--")) != NULL; p += 2)
    if (strncmp(p + 2, name, n) == 0 &&
        (p[2 + n] == '\0' || !strchr(of_a_name, p[2 + n])))
      return true;
  return false;
}

void cmdline_blame(const struct cmdline *c, const struct cmdline_env *env,
                   struct diag *diag)
{
  for (int i = 0; diag->set && c->options[i].name; i++) {
    const struct option *o = &c->options[i];
    char variable[MAX_VARIABLE];
    size_t n = strlen(diag->text);
    if (!env->used[i] || !speaks_of(diag->text, o->name))
      continue;
    variable_of(env->prefix, o, variable);
    snprintf(diag->text + n, sizeof diag->text - n, " (--%s is from %s)",
             o->name, variable);
    return;
  }
}

#include "harness/scale/implied.h"

#include "base/param.h"
#include "mockserver/command/cli.h"

#include <string.h>

/* docs/scenario.md: `resets_in_s` of usage_limit and of a command's text. */
#define RESETS_IN_S 10800

double scale_implied_period(const char *word)
{
  static const struct {
    const char *word;
    double s;
  } periods[] = {{"second", 1}, {"minute", 60}, {"hour", 3600}, {"day", 86400}};
  for (size_t i = 0; i < sizeof periods / sizeof *periods; i++)
    if (strcmp(periods[i].word, word) == 0)
      return periods[i].s;
  return 0;
}

static bool is(const cJSON *object, const char *key, const char *word)
{
  const char *text = "";
  return param_string(object, key, &text) && strcmp(text, word) == 0;
}

/* A documented text of the command that names the moment the limit ends. */
static bool tells_reset(const cJSON *step)
{
  const char *command = "", *says = "";
  if (!param_string(step, "command", &command) ||
      !param_string(step, "says", &says))
    return false;
  const struct command_cli *cli = command_cli_find(command);
  for (const struct command_text *t = cli ? cli->texts : NULL; t && t->says;
       t++)
    if (strcmp(t->says, says) == 0 &&
        (strstr(t->text, "reset}}") || strstr(t->text, "clock}}") ||
         strstr(t->text, "{{left}}")))
      return true;
  return false;
}

double scale_implied(const char *place, const cJSON *object)
{
  if (strcmp(place, "step") == 0)
    return is(object, "fault", "usage_limit") &&
                   !param_has(object, "resets_in_s")
               ? RESETS_IN_S
               : 0;
  if (strcmp(place, "command") == 0)
    return tells_reset(object) && !param_has(object, "resets_in_s")
               ? RESETS_IN_S
               : 0;
  if (strcmp(place, "bucket") == 0 && is(object, "window", "calendar_day"))
    return scale_implied_period("day");
  if (strcmp(place, "bucket") == 0)
    return param_has(object, "per") || param_has(object, "per_s")
               ? 0
               : scale_implied_period("minute");
  return 0;
}

const char *scale_implied_key(const char *place)
{
  return strcmp(place, "bucket") == 0 ? "per_s" : "resets_in_s";
}

double scale_implied_refill(const char *place, const cJSON *object)
{
  double limit = 0, s = scale_implied_period("minute");
  const char *per = "";
  if (strcmp(place, "bucket") != 0 || !is(object, "of", "requests") ||
      (param_has(object, "window") && !is(object, "window", "continuous")) ||
      !param_number(object, "limit", &limit) || limit < 1)
    return 0;
  if (param_string(object, "per", &per))
    s = scale_implied_period(per);
  param_number(object, "per_s", &s);
  return s / limit;
}

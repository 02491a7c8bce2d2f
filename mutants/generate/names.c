#include "mutants/generate/names.h"

#include <ctype.h>
#include <string.h>

const char *const NAMES_CONTROL[] = {
    "ratelimit*", "retry*",    "retries",   "retried",   "retriable",
    "overload*",  "quota*",    "backoff*",  "breaker*",  "circuit*",
    "halfopen",   "deadline*", "budget*",   "throttl*",  "toomany*",
    "attempt*",   "transient", "exhausted", "cooldown*", "usagelimit",
    NULL};
const char *const NAMES_WAIT[] = {
    "wait*",     "delay*",    "sleep*",  "backoff*", "retryafter", "pause*",
    "cooldown*", "interval*", "jitter*", "hint*",    "timeout*",   NULL};
const char *const NAMES_ATTEMPT[] = {"attempt*", "retry",   "retries",
                                     "tries",    "redial*", NULL};
const char *const NAMES_COUNTER[] = {
    "attempt*", "retry",   "retries", "tries",   "hits",     "hit", "failure*",
    "failed",   "errors*", "count*",  "metric*", "success*", NULL};
const char *const NAMES_LIMIT[] = {
    "max*",     "limit*",    "cap",       "ceiling", "threshold*",
    "attempt*", "retries",   "budget*",   "hits",    "failures",
    "tries",    "deadline*", "remaining", NULL};
const char *const NAMES_METRIC[] = {
    "metric*", "stats*", "statistic*", "counter*", "telemetry", "gauge*", NULL};

/* Names are short; what is longer is compared by its beginning. */
enum { LONGEST_NAME = 128, MOST_PARTS = 16 };

struct parts {
  char text[LONGEST_NAME]; /* lower case, without '_' */
  size_t start[MOST_PARTS + 1];
  int n;
};

/* Not the macro of the C library. */
static char lower(unsigned char c)
{
  return (char)(tolower)(c);
}

static void cut(struct bytes name, struct parts *ret)
{
  size_t n = 0;
  bool lower_before = false, fresh = true;
  ret->n = 0;
  for (size_t i = 0; i < name.n && n < LONGEST_NAME; i++) {
    unsigned char c = (unsigned char)name.p[i];
    if (c == '_' || c == '$') {
      fresh = true;
      continue;
    }
    if ((fresh || (isupper(c) && lower_before)) && ret->n < MOST_PARTS)
      ret->start[ret->n++] = n;
    fresh = false;
    lower_before = islower(c) || isdigit(c);
    ret->text[n++] = lower(c);
  }
  ret->start[ret->n] = n;
}

static bool fits(struct bytes part, const char *word)
{
  size_t n = strlen(word);
  if (word[n - 1] == '*')
    return bytes_starts(part, (struct bytes){word, n - 1});
  return bytes_equal(part, (struct bytes){word, n});
}

bool name_has(struct bytes name, const char *const *words)
{
  struct parts p;
  cut(name, &p);
  for (int i = 0; i < p.n; i++)
    for (int k = i + 1; k <= p.n && k <= i + 3; k++)
      for (const char *const *w = words; *w; w++)
        if (fits((struct bytes){p.text + p.start[i], p.start[k] - p.start[i]},
                 *w))
          return true;
  return false;
}

#include "harness/probe/output.h"

#include <string.h>

/* Columns of the table; a longer text pushes the next one away. */
enum { WHAT_COLUMNS = 34, VALUE_COLUMNS = 36 };

/* The same danger for clients that start a command. */
static const struct {
  const char *http, *command;
} twins[] = {
    {"auth/401-not-retried", "command/401-not-started-again"},
    {"auth/400-not-retried", "command/401-not-started-again"},
    {"backoff/waits-grow", "command/429-again-and-again"},
    {"overload/server-error-every-time", "command/overloaded-then-success"},
    {"rate-limit/429-no-retry-after", "command/429-again-and-again"},
    {"rate-limit/429-then-wait-then-success",
     "command/429-with-a-wait-in-its-text"},
    {"rate-limit/429-wait-above-the-cap", "command/usage-limit-hours-away"},
    {"timeout/hang-then-success",
     "command/hang-started-again-with-a-longer-limit"},
    {"usage-limit/reset-hours-away", "command/usage-limit-hours-away"},
};

const char *output_scenario(const struct danger *d, bool channel_command)
{
  if (!channel_command)
    return d->scenario;
  for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++)
    if (strcmp(twins[i].http, d->scenario) == 0)
      return twins[i].command;
  return NULL;
}

/* One line whatever is in it. */
static void add_line(struct buf *b, const char *text)
{
  for (; *text; text++)
    buf_addc(b, (unsigned char)*text < 0x20 ? ' ' : *text);
}

static void add_client(struct buf *b, const struct output_names *n)
{
  for (size_t i = 0; n->command[i]; i++) {
    bool plain = n->command[i][0] && !strpbrk(n->command[i], " '\"$\\;|&<>*");
    buf_addf(b, plain ? " %s" : " '%s'", n->command[i]);
  }
}

static void add_measured(struct buf *b, const struct findings *f)
{
  for (size_t i = 0; i < f->nfacts; i++) {
    const struct fact *fact = &f->facts[i];
    if (!fact->measured)
      continue;
    buf_addf(b, "%-*s %-*s ", WHAT_COLUMNS, fact->what, VALUE_COLUMNS,
             fact->value);
    add_line(b, fact->evidence);
    buf_addc(b, '\n');
  }
}

static void add_unmeasured(struct buf *b, const struct findings *f)
{
  bool any = false;
  for (size_t i = 0; i < f->nfacts; i++) {
    const struct fact *fact = &f->facts[i];
    if (fact->measured)
      continue;
    buf_addf(b, "%s%-*s not measured, because: ", any ? "" : "\n", WHAT_COLUMNS,
             fact->what);
    add_line(b, fact->evidence);
    buf_addc(b, '\n');
    any = true;
  }
}

static void add_danger(struct buf *b, const struct danger *d, size_t number,
                       const struct output_names *n)
{
  const char *scenario = output_scenario(d, n->channel_command);
  buf_addf(b, "%2zu. ", number);
  add_line(b, d->sentence);
  buf_addc(b, '\n');
  if (!scenario)
    return;
  buf_adds(b, "    faultwire test");
  if (n->policy)
    buf_addf(b, " --policy %s", n->policy);
  buf_addf(b, " harness/scenarios/%s.json --", scenario);
  add_client(b, n);
  buf_addc(b, '\n');
}

void output_text(const struct findings *f, const struct output_names *n,
                 struct buf *ret)
{
  add_measured(ret, f);
  add_unmeasured(ret, f);
  buf_adds(ret, f->ndangers ? "\nDangers, the worst first:\n"
                            : "\nNo danger was found in what was measured.\n");
  for (size_t i = 0; i < f->ndangers; i++)
    add_danger(ret, &f->dangers[i], i + 1, n);
}

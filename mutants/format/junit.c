/*
 * JUnit XML, as pytest, Maven, Jest, Vitest, go-junit-report and node --test
 * write it. A testcase is red by an assertion with <failure>, and red by a
 * crash with <error>: what JUnit calls an error is an exception nobody
 * expected. Its name is CLASSNAME/NAME.
 */
#include "mutants/format/format.h"

#include "base/number.h"
#include "mutants/format/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct junit {
  struct verdicts *ret;
  struct diag *diag;
  struct test *now; /* the testcase that is open, or NULL */
};

static char *full_name(const struct xml_tag *tag)
{
  char *name = xml_attribute(tag, "name");
  char *class = xml_attribute(tag, "classname");
  char *all = class && *class ? mem_format("%s/%s", class, name ? name : "")
                              : mem_strdup(name ? name : "");
  free(name);
  free(class);
  return all;
}

/* A day; a longer test is a broken number, and a broken number is no time. */
static int64_t time_ms(const struct xml_tag *tag)
{
  double seconds = 0;
  char *time = xml_attribute(tag, "time");
  if (!time || number_decimal(bytes_of(time), 0, 86400, &seconds) != NUMBER_OK)
    seconds = 0;
  free(time);
  return (int64_t)llround(seconds * 1000);
}

static int open_case(struct junit *j, const struct xml_tag *tag)
{
  char *name = full_name(tag);
  struct test *t = suite_format_add(j->ret, name, j->diag);
  free(name);
  if (!t)
    return -1;
  t->ms = time_ms(tag);
  j->now = tag->closed ? NULL : t;
  return 0;
}

static void set_red(struct junit *j, const struct xml_tag *tag, enum kind kind)
{
  char *message = xml_attribute(tag, "message");
  j->now->verdict = VERDICT_RED;
  j->now->kind = kind;
  if (message) {
    free(j->now->why);
    j->now->why = message;
  }
}

static int take_tag(struct junit *j, const struct xml_tag *tag)
{
  if (tag->end) {
    if (xml_is(tag, "testcase"))
      j->now = NULL;
    return 0;
  }
  if (xml_is(tag, "testcase"))
    return open_case(j, tag);
  if (!j->now)
    return 0;
  if (xml_is(tag, "failure"))
    set_red(j, tag, KIND_ASSERT);
  else if (xml_is(tag, "error") && j->now->kind != KIND_ASSERT)
    set_red(j, tag, KIND_CRASH);
  else if (xml_is(tag, "skipped"))
    j->now->skipped = true;
  return 0;
}

int suite_read_junit(struct bytes output, int exit_code, struct verdicts *ret,
                     struct diag *diag)
{
  struct junit j = {ret, diag, NULL};
  struct xml x;
  struct xml_tag tag;
  int rc;
  xml_init(&x, output);
  while ((rc = xml_next(&x, &tag, diag)) > 0)
    if (take_tag(&j, &tag) < 0)
      return -1;
  return rc < 0 ? -1 : suite_format_check(ret, exit_code, diag);
}

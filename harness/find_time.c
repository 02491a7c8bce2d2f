#include "harness/find_time.h"

#include "harness/vtime/check.h"
#include "harness/vtime/clockcheck.h"

#include <stdio.h>

static int take_way(struct timing *t, const struct vtime_choice *c)
{
  t->possible = true;
  t->way = c->way;
  if (c->way != WAY_SECCOMP)
    fprintf(stderr,
            "note: virtual time by a preloaded object, which static programs "
            "do not load, because: %s\n",
            c->why_not);
  return 0;
}

int find_time(struct timing *t, char *room, size_t size, struct diag *diag)
{
  char self[] = "/proc/self/exe", command[] = CLOCKCHECK_COMMAND;
  char word[] = CLOCKCHECK_WORD;
  char *argv[] = {self, command, word, NULL};
  struct vtime_choice choice;
  struct diag why = {0};
  if (vtime_check(argv, &choice, &why) == 0)
    return take_way(t, &choice);
  t->possible = false;
  if (timing_insists(t))
    return diag_set(diag, "no virtual time on this machine: %s", why.text);
  snprintf(room, size, "%s", why.text);
  t->why = room;
  fprintf(stderr,
          "note: real time, because virtual time is not to be had: %s; "
          "long waits are scaled, see `time` in the report\n",
          room);
  return 0;
}

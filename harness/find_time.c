#include "harness/find_time.h"

#include "harness/vtime/check.h"
#include "harness/vtime/clockcheck.h"

#include <stdio.h>
#include <unistd.h>

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

int find_time(struct timing *t, const char *instead, char *room, size_t size,
              struct diag *diag)
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
          "note: real time, because virtual time is not to be had: %s%s\n",
          room, instead ? instead : "");
  return 0;
}

static int64_t ns_of(double s)
{
  return (int64_t)(s * (double)NS_PER_S);
}

struct vtime *open_time(const struct timing *t, int64_t wall_ns,
                        const struct run_limits *limits,
                        const char *const *housekeeping, struct diag *diag)
{
  struct vtime_options o = {.way = t->way,
                            .wall_ns = wall_ns,
                            .housekeeping = housekeeping,
                            .real_limit_ns = ns_of(limits->real_s),
                            .largest_jump_ns = ns_of(limits->largest_jump_s)};
  struct vtime *v = vtime_new(&o, diag);
  if (v)
    vtime_explain_on_signal(v, STDERR_FILENO);
  return v;
}

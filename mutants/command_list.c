#include "mutants/command.h"
#include "mutants/command_options.h"

#include <stdio.h>

static void print_mutant(const struct plan_mutant *m, bool as_json, int i)
{
  struct buf b;
  buf_init(&b, JSON_MAX_BYTES);
  if (as_json) {
    buf_adds(&b, i ? ",\n  {\"id\": " : "\n  {\"id\": ");
    buf_add_json(&b, bytes_of(m->id));
    buf_adds(&b, ", \"operator\": ");
    buf_add_json(&b, bytes_of(m->operator_));
    buf_adds(&b, ", \"why\": ");
    buf_add_json(&b, bytes_of(m->why));
    buf_adds(&b, ", \"red\": [");
    for (int k = 0; k < m->red.n; k++) {
      buf_adds(&b, k ? ", " : "");
      buf_add_json(&b, bytes_of(m->red.item[k]));
    }
    buf_addf(&b, "], \"equivalent\": %s}", m->equivalent ? "true" : "false");
  } else {
    buf_addf(&b, "%-30s %-16s ", m->id, m->operator_);
    for (int k = 0; k < m->red.n; k++)
      buf_addf(&b, "%s%s", k ? ", " : "", m->red.item[k]);
    buf_addf(&b, "%s\n", m->equivalent ? "(equivalent)" : "");
  }
  fputs(buf_str(&b), stdout);
  buf_release(&b);
}

int command_list(int argc, char **argv, struct diag *diag)
{
  struct gate_options o = command_defaults();
  bool as_json = false;
  const struct option options[] = {
      {"json", 0, OPTION_FLAG, &as_json, 0, 0, NULL, "as JSON"},
      CHOICE_OPTIONS(o),
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"faultwire mutate list [OPTIONS] PLAN",
                            "Prints the mutants of a plan.", options, NULL};
  struct gate g;
  enum cmdline_result r = command_parse(&c, argc, argv, &o, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? GATE_OK : GATE_USAGE;
  if (gate_init_plan(&g, &o, diag) < 0)
    return GATE_USAGE;
  if (as_json)
    printf("[");
  for (int i = 0; i < g.nselected; i++)
    print_mutant(g.selected[i], as_json, i);
  if (as_json)
    printf("\n]\n");
  gate_release(&g);
  return GATE_OK;
}

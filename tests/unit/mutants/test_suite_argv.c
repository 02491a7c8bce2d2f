#include "mutants/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define FAULTWIRE                                                              \
  "{\"version\": 1, \"suite\": {\"faultwire\": [\"scn\", \"--policy\", "       \
  "\"p\"], \"client\": [\"build/c\", \"{TREE}/x\"]}, \"mutants\": ["           \
  "{\"id\": \"e\", \"env\": {\"A\": \"1\"}, \"red\": [\"*\"]}, "               \
  "{\"id\": \"c\", \"client\": [\"node\", \"n.mjs\"], \"red\": [\"*\"]}]}"
#define COMMAND                                                                \
  "{\"version\": 1, \"suite\": {\"command\": [\"sh\", \"s.sh\"], "             \
  "\"no_faults\": [\"-n\"], \"client\": [\"./c\"]}, \"mutants\": []}"

static const struct {
  const char *id, *why, *plan;
  enum control control;
  int mutant;       /* number in the plan, -1: none */
  const char *only; /* one test, or NULL */
  const char *line;
} CALLS[] = {
    {"plain", "the client is the one of the copy", FAULTWIRE, CONTROL_NONE, -1,
     NULL, "fw test scn --policy p --report json=R -- /copy/build/c /copy/x"},
    {"no faults", "the control", FAULTWIRE, CONTROL_NO_FAULTS, -1, NULL,
     "fw test scn --policy p --no-faults --report json=R -- /copy/build/c "
     "/copy/x"},
    {"true", "a dead client", FAULTWIRE, CONTROL_DEAD_TRUE, -1, NULL,
     "fw test scn --policy p --report json=R -- true"},
    {"false", "a dead client", FAULTWIRE, CONTROL_DEAD_FALSE, -1, NULL,
     "fw test scn --policy p --report json=R -- false"},
    {"env", "the harness makes an environment of its own", FAULTWIRE,
     CONTROL_NONE, 0, NULL,
     "fw test scn --policy p --report json=R -- env A=1 /copy/build/c "
     "/copy/x"},
    {"client", "another client, found in PATH", FAULTWIRE, CONTROL_NONE, 1,
     NULL, "fw test scn --policy p --report json=R -- node n.mjs"},
    {"only", "a name is no glob", FAULTWIRE, CONTROL_NONE, -1, "a/b[2]*",
     "fw test scn --policy p --only a/b\\[2]\\* --report json=R -- "
     "/copy/build/c /copy/x"},
    {"command", "the client comes last", COMMAND, CONTROL_NONE, -1, NULL,
     "sh s.sh /copy/./c"},
    {"command control", "the suite's own word", COMMAND, CONTROL_NO_FAULTS, -1,
     NULL, "sh s.sh -n /copy/./c"},
};

static void each_call_makes_its_command_line(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof CALLS / sizeof CALLS[0]; i++) {
    static char program[] = "fw";
    struct gate g = {.program = program};
    struct diag diag = {0};
    struct texts only = {0}, argv = {0};
    struct buf line;
    assert_int_equal(
        gate_plan_parse(&g.plan, "p", bytes_of(CALLS[i].plan), false, &diag),
        0);
    if (CALLS[i].only)
      texts_add(&only, CALLS[i].only);
    struct suite_call call = {
        .gate = &g,
        .folder = "/copy",
        .report = "R",
        .control = CALLS[i].control,
        .mutant = CALLS[i].mutant < 0 ? NULL : &g.plan.mutants[CALLS[i].mutant],
        .only = CALLS[i].only ? &only : NULL};
    suite_argv(&call, &argv);
    buf_init(&line, 1000);
    for (int k = 0; k < argv.n; k++)
      buf_addf(&line, "%s%s", k ? " " : "", argv.item[k]);
    if (strcmp(buf_str(&line), CALLS[i].line) != 0)
      fail_msg("%s: %s: %s", CALLS[i].id, CALLS[i].why, buf_str(&line));
    buf_release(&line);
    texts_release_owned(&argv);
    texts_release(&only);
    gate_plan_release(&g.plan);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_call_makes_its_command_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "mutants/selftest.h"

#include <stddef.h>

#define EDIT(find, with)                                                       \
  "\"edits\": [{\"file\": \"app.conf\", \"find\": \"" find                     \
  "\", \"with\": \"" with "\"}]"
#define RED "\"red\": [\"backs_off\", \"waits\"]"
#define GREEN "\"green\": [\"timeouts\"]"
#define MUTANT(change, tests) "{\"id\": \"m\", " change ", " tests "}"
#define PATCH(name) "\"patch\": \"" name ".patch\""
#define DETECT EDIT("detect = on", "detect = off")
#define SPARE EDIT("spare = on", "spare = off")
#define MUTANT_N(change, tests) "{\"id\": \"n\", " change ", " tests "}"
#define NO_CANARY "\"canary\": [],"
#define TAP(script)                                                            \
  "{\"command\": [\"sh\", \"-c\", \"" script "\"], \"format\": \"tap\"}"
/* Writes out.xml; under the mutant `inner` stands in the second testcase. */
#define JUNIT(inner)                                                           \
  "{\"command\": [\"sh\", \"-c\", \"c='<testcase name=' q='/></t>' rc=0; "     \
  "grep -q 'detect = on' app.conf || { q='>" inner                             \
  "</testcase></t>' rc=1; }; "                                                 \
  "echo \\\"<t>$c'alive'/>$c'detects'$q\\\" >out.xml; exit $rc\"], "           \
  "\"format\": \"junit\", \"report\": \"out.xml\"}"
/* The mutant that everything is right with. */
#define HONEST MUTANT(DETECT, RED ", " GREEN)
/* Says "client ...": for env, client and control cases. */
#define CLIENT_SUITE                                                           \
  "{\"faultwire\": [], \"program\": \"faultwire.sh\", "                        \
  "\"client\": [\"sh\", \"{TREE}/client.sh\"]}"
/* The stand-in looks at the client and at --no-faults. */
#define WATCHFUL                                                               \
  "[ \"$faults\" = yes ] || backs_off=red waits=red timeouts=red\n"            \
  "case $client in\n"                                                          \
  "  'waited 1') ;;\n"                                                         \
  "  'waited 0') waits=red ;;\n"                                               \
  "  *) alive=no-contact backs_off=no-contact waits=no-contact\n"              \
  "     timeouts=no-contact ;;\n"                                              \
  "esac\n"
#define CONTROLS "\"controls\": {\"no_faults_green\": [\"alive\"]},"
/* How often the suite was started, in this copy. */
#define COUNT "echo >>count\nn=$(wc -l <count)\n"
#define UNDER "if has 'detect = off'; then "
#define ALL_GREEN "alive=green backs_off=green waits=green timeouts=green"

/* name, exit, outcome, mutants, plan, suite, extra, says, options */
const struct selftest_case SELFTEST_CASES[] = {
    {"honest_kill", 0, "caught", HONEST, "", NULL, "", NULL, ""},
    {"patch_kill", 0, "caught", MUTANT(PATCH("ok"), RED ", " GREEN), "", NULL,
     "", NULL, ""},
    {"patch_does_not_apply", 6, "not-applied", MUTANT(PATCH("bad"), RED), "",
     NULL, "", "does not apply without fuzz", ""},
    {"patch_does_not_leak", 0, "caught",
     MUTANT(PATCH("ok"), RED) ", {\"id\": \"n\", " EDIT(
         "sleep = on",
         "sleep = off") ", \"red\": [\"waits\"], \"green\": [\"backs_off\"]}",
     "", NULL, "", NULL, ""},
    {"patch_of_a_link", 6, "not-applied", MUTANT(PATCH("link"), RED), "", NULL,
     "", "link.conf: no such file", ""},
    {"patch_missing", 1, NULL, MUTANT(PATCH("nope"), RED), "", NULL, "",
     "nope.patch", ""},
    {"patch_leaves_the_tree", 1, NULL, MUTANT(PATCH("away"), RED), "", NULL, "",
     "leaves the tree", ""},
    {"patch_is_none", 1, NULL, MUTANT(PATCH("none"), RED), "", NULL, "",
     "no unified diff", ""},
    {"patch_is_cut", 1, NULL, MUTANT(PATCH("cut"), RED), "", NULL, "",
     "ends in the middle of a hunk", ""},
    {"artifact_kill", 0, "caught",
     MUTANT("\"artifact\": \"client.sh\"", RED) ", {\"id\": \"n\", " EDIT(
         "sleep = on",
         "sleep = off") ", \"red\": [\"waits\"], \"green\": [\"backs_off\"]}",
     "\"build\": \"[ -e built ] || cp app.conf built; cat app.conf >>built\", "
     "\"artifact\": \"built\",",
     NULL, "grep -q waited built && backs_off=red waits=red\n", NULL, ""},
    {"artifact_not_there", 6, "not-applied",
     MUTANT("\"artifact\": \"nope\"", RED),
     "\"build\": \"cp app.conf built\", \"artifact\": \"built\",", NULL, "",
     "no executable 'nope'", ""},
    {"artifact_without_one", 1, NULL,
     MUTANT("\"artifact\": \"client.sh\"", RED), "", NULL, "",
     "names no 'artifact'", ""},
    {"survivor", 2, "missed", MUTANT(SPARE, RED), "", NULL, "", NULL, ""},
    {"other_test_fell", 2, "weak",
     MUTANT(EDIT("sleep = on", "sleep = off"), RED), "", NULL, "", NULL, ""},
    {"too_few_fell", 2, "weak", MUTANT(DETECT, RED ", \"red_at_least\": 3"), "",
     NULL, "", NULL, ""},
    {"declared_green_fell", 5, "overkill",
     MUTANT(DETECT, "\"red\": [\"backs_off\"], \"green\": [\"waits\"]"), "",
     NULL, "", NULL, ""},
    {"canary_fell", 5, "overkill",
     MUTANT(EDIT("alive = yes\\ndetect = on", "syntax error"), RED), "", NULL,
     "", NULL, ""},
    {"suite_always_red", 4, NULL, HONEST, "", NULL, "waits=red\n", "waits: red",
     ""},
    {"suite_always_green", 2, "missed", HONEST, "", NULL, ALL_GREEN "\n", NULL,
     ""},
    {"suite_prints_nothing", 4, NULL, HONEST, "", NULL, "exit 0\n",
     "printed no verdicts", ""},
    {"suite_has_no_tests", 4, NULL, HONEST, "", NULL, "mark=empty\n",
     "no tests", ""},
    {"suite_dies_under_mutant", 3, "harness-error", HONEST, "", NULL,
     UNDER "exit 1; fi\n", NULL, ""},
    {"suite_loses_a_server", 3, "harness-error", HONEST, "", NULL,
     UNDER "waits=error kind=harness; fi\n", NULL, ""},
    {"suite_loses_a_test", 3, "harness-error", HONEST, "", NULL,
     UNDER "waits=\'green\"}, \"x\": {\"verdict\": \"green\'; fi\n",
     "did not have: x", ""},
    {"exit_contradicts_verdicts", 3, "harness-error", HONEST, "", NULL,
     UNDER "forced=0; fi\n", "contradicts", ""},
    {"suite_hangs_under_mutant", 3, "timeout", HONEST, "", NULL,
     UNDER "sleep 9; fi\n", NULL, "--minimum-timeout 1 --timeout-multiplier 1"},
    {"crash_is_not_a_kill", 2, "weak", HONEST, "", NULL, "kind=crash\n", NULL,
     ""},
    {"crash_counts_when_declared", 0, "caught",
     MUTANT(DETECT, RED ", \"kinds\": [\"crash\"]"), "", NULL, "kind=crash\n",
     NULL, ""},
    {"hang_of_the_client_is_a_kill", 0, "caught", HONEST, "", NULL,
     "kind=hang\n", NULL, ""},
    {"flaky", 3, "flaky", HONEST, "", NULL,
     COUNT UNDER "[ $((n % 2)) = 0 ] && " ALL_GREEN "; fi\n", NULL,
     "--repeat 2"},
    {"noise_clears_nobody", 0, "caught", HONEST, "", NULL,
     COUNT "[ $n -lt 2 ] || timeouts=red\n",
     "timeouts flickers: not green in 1 of 2 runs", "--baseline-runs 2"},
    {"noise_is_no_kill", 2, "missed", MUTANT(SPARE, "\"red\": [\"timeouts\"]"),
     "", NULL, COUNT "[ $n -lt 2 ] || timeouts=red\n", NULL,
     "--baseline-runs 2"},
    {"noisy_canary", 4, NULL, HONEST, "", NULL,
     COUNT "[ $n -lt 2 ] || alive=red\n", "the canary may not flicker",
     "--baseline-runs 2"},
    {"always_red_is_no_noise", 4, NULL, HONEST, "", NULL, "waits=red\n",
     "waits: red", "--baseline-runs 2"},
    {"green_again_alone", 3, "flaky", HONEST, "", NULL,
     COUNT "[ $n != 2 ] || timeouts=red\n",
     "timeouts: red among the others, green alone", ""},
    {"red_again_alone", 3, "flaky", HONEST, "", NULL,
     COUNT UNDER "[ $n != 2 ] || waits=green; fi\n",
     "waits: green among the others, red alone", ""},
    {"any_kill_again_alone", 3, "flaky", MUTANT(SPARE, "\"red\": [\"*\"]"), "",
     NULL, COUNT "[ $n != 2 ] || waits=red\n", "red among the others", ""},
    {"suite_changes_during_run", 3, "harness-error", HONEST, "", NULL,
     "echo : later >>suite.sh\n", "the suite itself changed", ""},
    {"text_not_found", 6, "not-applied", MUTANT(EDIT("no such text", "x"), RED),
     "", NULL, "", "found 0 times", ""},
    {"text_found_twice", 6, "not-applied", MUTANT(EDIT("= on", "= off"), RED),
     "", NULL, "", "found 3 times", ""},
    {"nothing_changed", 6, "not-applied",
     MUTANT(EDIT("detect = on", "detect = on"), RED), "", NULL, "",
     "did not change", ""},
    {"link_to_a_file", 6, "not-applied",
     MUTANT("\"edits\": [{\"file\": \"link.conf\", \"find\": \"detect = on\", "
            "\"with\": \"detect = off\"}]",
            RED),
     "", NULL, "", NULL, ""},
    {"link_out_of_the_tree", 6, "not-applied",
     MUTANT("\"edits\": [{\"file\": \"away/app.conf\", \"find\": \"detect = "
            "on\", \"with\": \"detect = off\"}]",
            RED),
     "", NULL, "", NULL, ""},
    {"command_kill", 0, "caught",
     MUTANT("\"cmd\": \"sed -i s/detect.=.on/x/ app.conf\", \"touches\": "
            "[\"app.conf\"]",
            RED),
     "", NULL, "", NULL, ""},
    {"command_touches_more", 6, "not-applied",
     MUTANT("\"cmd\": \"echo >>client.sh; echo >>app.conf\", \"touches\": "
            "[\"app.conf\"]",
            RED),
     "", NULL, "", "client.sh changed", ""},
    {"command_fails", 6, "not-applied",
     MUTANT("\"cmd\": \"sed -i s/detect.=.on/x/ app.conf; exit 3\", "
            "\"touches\": [\"app.conf\"]",
            RED),
     "", NULL, "", NULL, ""},
    {"build_fails", 6, "unviable", HONEST,
     "\"build\": \"! grep -q detect.=.off app.conf\",", NULL, "", NULL, ""},
    {"build_hangs", 6, "unviable", HONEST,
     "\"build\": \"grep -q detect.=.on app.conf || sleep 9\",", NULL, "", NULL,
     "--build-timeout 1"},
    {"build_fails_unmutated", 4, NULL, HONEST, "\"build\": \"false\",", NULL,
     "", NULL, ""},
    {"artifact_identical", 6, "identical", HONEST,
     "\"build\": \"echo same > built\", \"artifact\": \"built\",", NULL, "",
     NULL, ""},
    {"artifact_missing", 4, NULL, HONEST,
     "\"build\": \"true\", \"artifact\": \"built\",", NULL, "", NULL, ""},
    {"flags_kill", 0, "caught",
     MUTANT("\"flags\": \"off\"", RED) ", {\"id\": \"n\", " EDIT(
         "sleep = on",
         "sleep = off") ", \"red\": [\"waits\"], \"green\": [\"backs_off\"]}",
     "\"build\": \"[ -e built ] || echo detect = ${MUTANT_FLAGS:-on} >built; "
     "cat built app.conf >all\", \"artifact\": \"all\",",
     NULL, "grep -q off built && backs_off=red waits=red\n", NULL, "--jobs 1"},
    {"no_mutants", 6, NULL, "", "", NULL, "", NULL, ""},
    {"filter_matches_none", 6, NULL, HONEST, "", NULL, "", NULL,
     "--only nope*"},
    {"duplicate_id", 1, NULL, HONEST ", " HONEST, "", NULL, "",
     "taken by $.mutants[0]", ""},
    {"unknown_test_name", 1, NULL, MUTANT(DETECT, "\"red\": [\"back_off\"]"),
     "", NULL, "", "did you mean 'backs_off'", ""},
    {"no_red_declared", 1, NULL, MUTANT(DETECT, GREEN), "", NULL, "",
     "proves nothing", ""},
    {"mutant_vanished", 1, NULL, HONEST, "\"expect\": {\"mutants\": 2},", NULL,
     "", "the plan holds 1", ""},
    {"test_vanished", 1, NULL, HONEST, "\"expect\": {\"tests\": 5},", NULL, "",
     "the suite has 4", ""},
    {"no_suite", 1, NULL, HONEST, "\"suite\": {}, ", "{}", "",
     "the key 'suite' stands twice", ""},
    {"unknown_key", 1, NULL, HONEST, "\"canari\": [],", NULL, "",
     "did you mean 'canary'", ""},
    {"stale_equivalent", 2, "stale-equivalent",
     MUTANT(DETECT, "\"equivalent\": \"cannot be seen\""), "", NULL, "", NULL,
     ""},
    {"true_equivalent", 0, "equivalent",
     MUTANT(SPARE, "\"equivalent\": \"cannot be seen\""), "", NULL, "", NULL,
     ""},
    {"useless_test", 7, "caught", HONEST, "", NULL, "", "timeouts",
     "--strict-tests"},
    {"mutants_do_not_leak", 0, "caught",
     HONEST ", {\"id\": \"n\", " EDIT(
         "sleep = on",
         "sleep = off") ", \"red\": [\"waits\"], \"green\": [\"backs_off\"]}",
     "", NULL, "", NULL, "--jobs 1"},
    {"stale_build_does_not_leak", 0, "caught",
     HONEST ", {\"id\": \"n\", \"edits\": [{\"file\": \"client.sh\", \"find\": "
            "\"waited\", \"with\": \"slept\"}], \"red\": [\"waits\"], "
            "\"green\": [\"backs_off\"]}",
     "\"build\": \"[ -n \\\"$(find built -newer app.conf)\\\" ] || cp app.conf "
     "built\",",
     NULL,
     "backs_off=red waits=red\n"
     "s=$(cat built)\n"
     "has 'detect = on' && backs_off=green waits=green\n"
     "grep -q slept client.sh && waits=red\n",
     NULL, "--jobs 1"},
    {"copy_not_put_back", 3, "caught", HONEST, "", NULL, "echo >>client.sh\n",
     "the copy was not put back: client.sh", ""},
    {"two_jobs", 0, "caught",
     HONEST ", {\"id\": \"n\", " EDIT(
         "sleep = on",
         "sleep = off") ", \"red\": [\"waits\"], \"green\": [\"backs_off\"]}",
     "", NULL, "", NULL, "--jobs 2"},
    {"controls_hold", 0, "caught", HONEST, CONTROLS, CLIENT_SUITE, WATCHFUL,
     NULL, ""},
    {"green_without_faults", 4, NULL, HONEST, CONTROLS, CLIENT_SUITE,
     WATCHFUL "[ \"$faults\" = yes ] || timeouts=green\n",
     "timeouts: green under the control \"no faults sent\"", ""},
    {"green_with_a_dead_client", 4, NULL, HONEST, CONTROLS, CLIENT_SUITE,
     WATCHFUL "[ -n \"$client\" ] || waits=green\n",
     "waits: green under the control \"dead client, true\"", ""},
    {"controls_left_out", 0, "caught", HONEST, CONTROLS, CLIENT_SUITE,
     WATCHFUL "[ -n \"$client\" ] || waits=green\n", NULL, "--no-controls"},
    {"env_kill", 0, "caught",
     MUTANT("\"env\": {\"BASE_WAIT\": \"0\"}", "\"red\": [\"waits\"]"),
     CONTROLS, CLIENT_SUITE, WATCHFUL, NULL, ""},
    {"env_without_effect", 2, "missed",
     MUTANT("\"env\": {\"BASE_WAITS\": \"0\"}", "\"red\": [\"waits\"]"),
     CONTROLS, CLIENT_SUITE, WATCHFUL, NULL, ""},
    {"other_client_kill", 0, "caught",
     MUTANT("\"client\": [\"echo\", \"waited 0\"]", "\"red\": [\"waits\"]"),
     CONTROLS, CLIENT_SUITE, WATCHFUL, NULL, ""},
    {"client_never_connects", 5, "overkill",
     MUTANT("\"client\": [\"echo\", \"waited\"]", "\"red\": [\"waits\"]"),
     CONTROLS, CLIENT_SUITE, WATCHFUL, NULL, ""},
    {"no_contact_is_not_a_kill", 2, "weak", HONEST, CONTROLS, CLIENT_SUITE,
     WATCHFUL UNDER "waits=no-contact; fi\n", "must go red: waits (no-contact)",
     ""},
    {"not_delivered_is_not_a_kill", 2, "weak", HONEST, CONTROLS, CLIENT_SUITE,
     WATCHFUL UNDER "waits=not-delivered; fi\n", NULL, ""},
    {"inconclusive_is_an_error", 3, "harness-error", HONEST, CONTROLS,
     CLIENT_SUITE, WATCHFUL UNDER "waits=harness; fi\n", NULL, ""},
    {"report_of_another_run", 3, "harness-error", HONEST, CONTROLS,
     CLIENT_SUITE, WATCHFUL UNDER "told=0; fi\n", "the report says exit 0", ""},
    {"no_report", 4, NULL, HONEST, "", CLIENT_SUITE, "exit 0\n", NULL, ""},
    {"quick_asks_for_less", 0, "caught", MUTANT(DETECT, "\"red\": [\"waits\"]"),
     CONTROLS, CLIENT_SUITE, WATCHFUL, "killed by 1 of 4", "--quick -v"},
    {"quick_needs_faultwire", 1, NULL, HONEST, "", NULL, "", NULL, "--quick"},
    {"strict_needs_everything", 1, NULL, HONEST, "", NULL, "", NULL,
     "--strict-tests --only m"},
    {"foreign_out_folder", 1, NULL, HONEST, "", NULL, "",
     "was not made by faultwire", "--out tree"},
    {"strict_needs_every_line", 1, NULL, HONEST, "", NULL, "", "merge",
     "--strict-tests --in-diff ok.patch"},
    {"diff_selects", 0, "caught", HONEST ", " MUTANT_N(SPARE, RED), "", NULL,
     "", "1 mutants in", "--in-diff ok.patch"},
    {"diff_selects_none", 6, NULL, MUTANT(SPARE, RED), "", NULL, "",
     "none in the lines of the diff", "--in-diff ok.patch"},
    {"diff_is_cut", 1, NULL, HONEST, "", NULL, "",
     "cut.patch:", "--in-diff cut.patch"},
    {"exit_code_suite", 0, "caught", MUTANT(DETECT, "\"red\": [\"suite\"]"),
     NO_CANARY,
     "{\"command\": [\"grep\", \"-q\", \"detect = on\", \"app.conf\"], "
     "\"format\": \"exit\"}",
     "", NULL, ""},
    {"suite_cannot_be_run", 4, NULL, MUTANT(DETECT, "\"red\": [\"suite\"]"),
     NO_CANARY, "{\"command\": [\"./nope\"], \"format\": \"exit\"}", "",
     "could not be run", ""},
    {"tap_suite", 0, "caught", MUTANT(DETECT, "\"red\": [\"detects\"]"), "",
     TAP("echo 1..2; echo ok - alive; grep -q 'detect = on' app.conf || "
         "{ echo not ok - detects; exit 1; }; echo ok - detects"),
     "", NULL, ""},
    {"tap_suite_stops", 3, "harness-error",
     MUTANT(DETECT, "\"red\": [\"detects\"]"), "",
     TAP("echo 1..2; echo ok - alive; grep -q 'detect = on' app.conf || "
         "exit 1; echo ok - detects"),
     "", "speaks of 2 tests, 1 were run", ""},
    {"junit_suite", 0, "caught", MUTANT(DETECT, "\"red\": [\"detects\"]"), "",
     JUNIT("<failure/>"), "", NULL, ""},
    {"junit_error_is_a_crash", 2, "weak",
     MUTANT(DETECT, "\"red\": [\"detects\"]"), "", JUNIT("<error/>"), "",
     "detects (crash)", ""},
    {"junit_report_is_cut", 3, "harness-error",
     MUTANT(DETECT, "\"red\": [\"detects\"]"), "", JUNIT("<failure>"), "",
     "</testcase> closes nothing", ""},
    {"only_picks_a_test", 0, "caught", MUTANT(DETECT, "\"red\": [\"detects\"]"),
     "",
     "{\"command\": [\"sh\", \"-c\", \"given=$#; [ $given != 0 ] || set -- "
     "alive "
     "detects other; echo 1..$#; rc=0; for t; do case $t in other) [ $given = "
     "0 ] || exit 70 ;; detects) grep -q 'detect = on' app.conf || { echo not "
     "ok - detects; rc=1; continue; } ;; esac; echo ok - $t; done; exit $rc\", "
     "\"sh\"], \"format\": \"tap\", \"only\": [\"{TEST}\"]}",
     "", "killed by 1 of 3", "--quick -v"},
    {0}};

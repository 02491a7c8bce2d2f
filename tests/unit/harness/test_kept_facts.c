/* run.json of an evidence folder: what is written can be read, all of it. */
#include "harness/kept/facts.h"
#include "tests/unit/unit.h"

#include <string.h>

static const char *const command[] = {"./client", "--say", "a \"b\"\n", NULL};
static const char *const environment[] = {"PATH", "HOME", NULL};
static const uint64_t uses[] = {2, UINT64_MAX, 0};
static const struct client_start starts[] = {
    {.lane = "one",
     .number = 1,
     .pid = 4194303,
     .start_ns = INT64_C(9007199254740993),
     .exit_ns = INT64_MAX,
     .launched = true,
     .timed_out = true,
     .exit_code = 3,
     .signal = 11,
     .signalled_ns = INT64_C(9007199254740995),
     .out_cut = true,
     .out_bytes = UINT64_MAX,
     .err_bytes = 5,
     .left_children = true},
    {.lane = "", .launch_error = "no such program", .err_cut = true}};

static const struct facts all = {.address = "rate-limit/x",
                                 .file = "x.json",
                                 .again = "faultwire test x",
                                 .policy_file = "p.json",
                                 .provider = "anthropic",
                                 .asked_provider = "openai",
                                 .folder = "/somewhere",
                                 .project = "/somewhere/faultwire.json",
                                 .error = "set-up failed",
                                 .seed = UINT64_MAX,
                                 .no_faults = true,
                                 .strict = true,
                                 .limit_s = 0.1,
                                 .seconds = 1.0 / 3,
                                 .command = command,
                                 .environment = environment,
                                 .start_ns = INT64_C(9007199254740993),
                                 .end_ns = INT64_MAX,
                                 .wall_offset_ns =
                                     -INT64_C(1764547200123456789),
                                 .step_uses = uses,
                                 .nsteps = 3,
                                 .starts = starts,
                                 .nstarts = 2};

static const struct facts least = {.address = "a",
                                   .file = "f",
                                   .again = "",
                                   .provider = "",
                                   .folder = "",
                                   .command = command,
                                   .environment = environment};

static const struct client_start stalled[] = {{.lane = "",
                                               .launched = true,
                                               .timed_out = true,
                                               .ended_by = START_ATTEMPTS,
                                               .ended_in = "\"7\" calls",
                                               .stalled_ns = 5,
                                               .stalled_in = "x in read"}};
static const struct opaque_list lost = {
    .seen = {{.comm = "old \"one\"", .call = "semtimedop", .why = "no time"},
             {.comm = "32", .call = "", .why = "a 32-bit program"}},
    .n = 2};
static const struct vtime_report passed = {
    .backend = "seccomp",
    .virtual_ns = INT64_C(9007199254740993),
    .real_ns = 2,
    .jumps = UINT64_MAX,
    .longest_sleep_ns = 3,
    .slept_ns = 4,
    .crept_ns = 5,
    .real_rate_ns = 6,
    .forced_ns = 7,
    .start_ns = INT64_C(9007199254740995),
    .opaque = &lost};
static const struct facts in_virtual_time = {.address = "a",
                                             .file = "f",
                                             .again = "",
                                             .provider = "",
                                             .folder = "",
                                             .command = command,
                                             .environment = environment,
                                             .at = {true, 1772963940},
                                             .time = &passed,
                                             .limits = {0.5, 7, 3e8},
                                             .jumps_hash = UINT64_MAX - 1,
                                             .starts = stalled,
                                             .nstarts = 1};

static void same_text(const char *a, const char *b)
{
  if (a && b)
    assert_string_equal(a, b);
  else
    assert_ptr_equal(a, b);
}

static void same_facts(const struct facts *a, const struct facts *b)
{
  same_text(a->address, b->address);
  same_text(a->policy_file, b->policy_file);
  same_text(a->asked_provider, b->asked_provider);
  same_text(a->project, b->project);
  same_text(a->error, b->error);
  assert_true(a->seed == b->seed && a->strict == b->strict);
  assert_false(a->seconds < b->seconds || a->seconds > b->seconds);
  assert_true(a->wall_offset_ns == b->wall_offset_ns);
  assert_true(a->start_ns == b->start_ns && a->end_ns == b->end_ns);
  assert_int_equal(a->nsteps, b->nsteps);
  for (size_t i = 0; i < a->nsteps; i++)
    assert_true(a->step_uses[i] == b->step_uses[i]);
  assert_int_equal(a->nstarts, b->nstarts);
  for (size_t i = 0; i < a->nstarts; i++)
    assert_memory_equal(&a->starts[i], &b->starts[i], sizeof *a->starts);
}

static void same_time(const struct facts *a, const struct facts *b)
{
  assert_int_equal(a->time != NULL, b->time != NULL);
  assert_int_equal(a->at.said, b->at.said);
  assert_true(a->at.ns == b->at.ns);
  if (!a->time)
    return;
  struct vtime_report x = *a->time, y = *b->time;
  assert_int_equal(x.opaque->n, y.opaque->n);
  for (size_t i = 0; i < x.opaque->n; i++) {
    assert_string_equal(x.opaque->seen[i].comm, y.opaque->seen[i].comm);
    assert_string_equal(x.opaque->seen[i].call, y.opaque->seen[i].call);
    assert_string_equal(x.opaque->seen[i].why, y.opaque->seen[i].why);
  }
  assert_true(a->jumps_hash == b->jumps_hash);
  assert_memory_equal(&a->limits, &b->limits, sizeof a->limits);
  assert_string_equal(x.backend, y.backend);
  x.backend = y.backend = NULL;
  x.opaque = y.opaque = NULL;
  assert_memory_equal(&x, &y, sizeof x);
}

static void what_is_written_comes_back(void **state)
{
  const struct facts *const each[] = {&all, &least, &in_virtual_time};
  (void)state;
  for (size_t i = 0; i < COUNT(each); i++) {
    struct facts_file f;
    struct diag diag = {0};
    struct buf text, again;
    buf_init(&text, 1 << 20);
    buf_init(&again, 1 << 20);
    facts_write(each[i], &text);
    if (facts_read(&f, "run.json", buf_bytes(&text), &diag) < 0)
      fail_msg("%d: %s %s", diag.line, diag.path, diag.text);
    same_facts(each[i], &f.facts);
    same_time(each[i], &f.facts);
    facts_write(&f.facts, &again);
    assert_string_equal(buf_str(&text), buf_str(&again));
    facts_release(&f);
    buf_release(&text);
    buf_release(&again);
  }
}

static const struct {
  const char *id, *from, *to, *says;
  int line;
} bad[] = {
    {"other format", "\"format\": 1", "\"format\": 2", "reads format 1", 2},
    {"unknown key", "\"file\"", "\"fil\"", "did you mean 'file'", 4},
    {"missing key", "  \"file\": \"x.json\",\n", "", "'file' is missing", 1},
    {"text", "\"file\": \"x.json\"", "\"file\": 3", "string", 4},
    {"number", "\"end_ns\": 9", "\"end_ns\": -9", "whole number", 20},
    {"lane too long", "\"lane\": \"one\"",
     "\"lane\": \"123456789012345678901234567890123456789012345678901234567890"
     "12345\"",
     "63 at the most", 24},
    {"start's key", "\"pid\"", "\"pd\"", "did you mean 'pid'", 24},
    {"no JSON", "{\n", "{{\n", "not JSON", 0},
};

static void a_wrong_file_is_an_error_with_its_place(void **state)
{
  struct buf text;
  (void)state;
  buf_init(&text, 1 << 20);
  facts_write(&all, &text);
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct facts_file f;
    struct diag diag = {0};
    const char *at = strstr(buf_str(&text), bad[i].from);
    assert_non_null(at);
    char *wrong =
        mem_format("%.*s%s%s", (int)(at - buf_str(&text)), buf_str(&text),
                   bad[i].to, at + strlen(bad[i].from));
    if (facts_read(&f, "run.json", bytes_of(wrong), &diag) == 0)
      fail_msg("%s was taken", bad[i].id);
    if (!strstr(diag.text, bad[i].says) || strcmp(diag.file, "run.json") != 0 ||
        (bad[i].line && diag.line != bad[i].line))
      fail_msg("%s: %s:%d: %s", bad[i].id, diag.file, diag.line, diag.text);
    free(wrong);
  }
  buf_release(&text);
}

static const struct {
  const char *id, *from, *to, *says;
} bad_times[] = {
    {"a date before 1970", "\"at_ns\": 1", "\"at_ns\": -1", "whole number"},
    {"no object", "\"time\": {", "\"time\": 3, \"tim\": {", ""},
    {"a missing number", "\"slept_ns\": 4, ", "", "'slept_ns' is missing"},
    {"no jumps", "\"jumps\": 18446744073709551615,", "", "'jumps' is missing"},
    {"an unknown key", "\"crept_ns\"", "\"crep_ns\"", "did you mean"},
    {"two texts", ", \"no time\"]", "]", "program, call and why"},
    {"a number for a text", "\"no time\"", "7", "string"},
    {"real time for ever", "\"real_limit_s\": 0.5", "\"real_limit_s\": 1e9",
     "0..86400"},
    {"half a call", "\"attempt_limit\": 7", "\"attempt_limit\": 7.5",
     "whole number"},
    {"a jump back", "\"largest_jump_s\": 3", "\"largest_jump_s\": -3",
     "must be within 0..315360000"},
    {"stalled without end", "\"stalled_ns\": 5", "\"stalled_ns\": 0",
     "whole number"},
    {"an unknown end", "\"ended_by\": \"attempts\"",
     "\"ended_by\": \"attempt\"", "unknown end 'attempt'"},
    {"stalled nowhere", ", \"stalled_in\": \"x in read\"", "",
     "'stalled_in' is missing"},
};

static void a_wrong_time_is_an_error(void **state)
{
  struct buf text;
  (void)state;
  buf_init(&text, 1 << 20);
  facts_write(&in_virtual_time, &text);
  for (size_t i = 0; i < COUNT(bad_times); i++) {
    struct facts_file f;
    struct diag diag = {0};
    const char *at = strstr(buf_str(&text), bad_times[i].from);
    assert_non_null(at);
    char *wrong =
        mem_format("%.*s%s%s", (int)(at - buf_str(&text)), buf_str(&text),
                   bad_times[i].to, at + strlen(bad_times[i].from));
    if (facts_read(&f, "run.json", bytes_of(wrong), &diag) == 0)
      fail_msg("%s was taken", bad_times[i].id);
    if (!strstr(diag.text, bad_times[i].says))
      fail_msg("%s: %s", bad_times[i].id, diag.text);
    free(wrong);
  }
  buf_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_comes_back),
      cmocka_unit_test(a_wrong_time_is_an_error),
      cmocka_unit_test(a_wrong_file_is_an_error_with_its_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

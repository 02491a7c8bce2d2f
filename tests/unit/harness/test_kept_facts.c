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

static void what_is_written_comes_back(void **state)
{
  const struct facts *const both[] = {&all, &least};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct facts_file f;
    struct diag diag = {0};
    struct buf text, again;
    buf_init(&text, 1 << 20);
    buf_init(&again, 1 << 20);
    facts_write(both[i], &text);
    if (facts_read(&f, "run.json", buf_bytes(&text), &diag) < 0)
      fail_msg("%d: %s %s", diag.line, diag.path, diag.text);
    same_facts(both[i], &f.facts);
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_comes_back),
      cmocka_unit_test(a_wrong_file_is_an_error_with_its_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

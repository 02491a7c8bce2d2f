/* Evidence of virtual and of scaled time, judged again and run again: the
 * same verdicts, and the same said about time. A log of jumps that is not
 * whole is an error. */
#include "tests/unit/harness/virtual_run.h"

static const char hour[] =
    "{ \"name\": \"hour\", \"why\": \"an hour\",\n"
    "  \"steps\": [{ \"fault\": \"rate_limit\", \"retry_after\": \"3600\" },\n"
    "    { \"reply\": \"message\" }],\n"
    "  \"client\": { \"limit_s\": 9000, \"stream\": false },\n"
    "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 2 },\n"
    "    { \"check\": \"gap\", \"at_least\": \"retry_after\",\n"
    "      \"at_most\": \"retry_after + policy.slack\" },\n"
    "    { \"check\": \"exit_code\", \"in\": [0] }] }";
static const char silent[] =
    "{ \"name\": \"silent\", \"why\": \"no answer\",\n"
    "  \"steps\": [{ \"fault\": \"hang\" }],\n"
    "  \"client\": { \"limit_s\": 2, \"stream\": false },\n"
    "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 1 },\n"
    "    { \"check\": \"exit_code\", \"not_in\": [0] }] }";
/* Waits a part of what it is told, until all is well. */
static const char client[] =
    "import ask, sys, time\n"
    "while True:\n"
    "  s, h, t = ask.call()\n"
    "  if s == 200: break\n"
    "  time.sleep(float(h['retry-after']) * float(sys.argv[2]))\n";

/* Where real time counts from its start, a client that starts at once. */
#define CURL "curl -s -d {} '{BASE}/v1/messages'"

static const struct row {
  const char *id, *time, *scenario, *part; /* part NULL: curl */
  int exit;
  const char *verdict, *kind, *mode, *says;
} rows[] = {
    {"green", "virtual", "hour", "1", 0, "pass", "none", "virtual", ""},
    {"red", "virtual", "hour", "0.1", 1, "fail", "assert", "virtual",
     "360.000 s   (slept 360.000 s, longest wait 360.000 s)"},
    {"stalled", "virtual", "silent", "1", 1, "fail", "stalled", "virtual",
     "waits for ever: nothing it waits for has a time-out (python3 in "
     "recvfrom on a socket)"},
    {"green, scaled", "scaled", "hour", "1", 0, "pass", "none", "scaled",
     "time divided by 1800"},
    {"red, scaled", "scaled", "hour", "0.1", 1, "fail", "assert", "scaled",
     "time divided by 1800"},
    {"stalled, scaled", "scaled", "silent", NULL, 1, "fail", "hang", "",
     "still ran at its limit"},
};

/* Of a report: all that must be the same. */
static char *gist(const char *report)
{
  struct buf b;
  cJSON *o = scenario_of(report);
  const cJSON *time = cJSON_GetObjectItem(o, "time"), *c = NULL;
  char *scale = cJSON_PrintUnformatted(cJSON_GetObjectItem(time, "scale"));
  buf_init(&b, 65536);
  buf_addf(&b, "%s %s, time '%s' %s\n", word_of(o, "verdict"),
           word_of(o, "kind"), word_of(time, "mode"), scale ? scale : "");
  cJSON_ArrayForEach(c, cJSON_GetObjectItem(o, "checks"))
  {
    buf_addf(&b, "%s: %s, %s, %s\n", word_of(c, "check"), word_of(c, "verdict"),
             word_of(c, "text"), word_of(c, "expected"));
  }
  cJSON_free(scale);
  cJSON_Delete(o);
  return buf_detach(&b);
}

static void same_again(const struct row *r, const char *command,
                       const char *gist_was)
{
  struct buf out;
  char *words =
      mem_format("%s --report json=again.json ev/*/%s", command, r->scenario);
  int code = faultwire(words, &out);
  char *is = gist("again.json");
  if (code != r->exit || strcmp(is, gist_was) != 0 ||
      !strstr(buf_str(&out), r->says))
    fail_msg("%s, %s: %d\n%s\nwas %s\nis %s", r->id, command, code,
             buf_str(&out), gist_was, is);
  if (strcmp(command, "replay") == 0 &&
      !strstr(buf_str(&out), "the verdict is the same"))
    fail_msg("%s: %s", r->id, buf_str(&out));
  free(is);
  buf_release(&out);
  free(words);
}

static void run_row(const struct row *r)
{
  struct buf out;
  char *head = mem_format("%s %s, time '%s' ", r->verdict, r->kind, r->mode);
  char *words = mem_format(
      "test --provider anthropic --time %s --evidence ev --report json=r.json "
      "%s.json -- %s%s",
      r->time, r->scenario, r->part ? "python3 c.py '{BASE}' " : CURL,
      r->part ? r->part : "");
  int code = faultwire(words, &out);
  char *was = gist("r.json");
  if (code != r->exit || strncmp(was, head, strlen(head)) != 0 ||
      !strstr(buf_str(&out), r->says))
    fail_msg("%s: %d: %s\n%s", r->id, code, was, buf_str(&out));
  same_again(r, "judge", was);
  same_again(r, "replay", was);
  free(was);
  buf_release(&out);
  free(words);
  free(head);
}

static void judged_and_run_again_it_is_the_same(void **state)
{
  (void)state;
  if (!has_program("python3") || !has_program("curl"))
    return;
  for (size_t i = 0; i < COUNT(rows); i++)
    run_row(&rows[i]);
}

/* --- the line that runs it again ------------------------------------------ */

/* A date has no effect in scaled time; `judge` says both, in one object. */
static void judge_has_one_object_for_time(void **state)
{
  struct buf out;
  (void)state;
  if (!has_program("python3"))
    return;
  faultwire("test --provider anthropic --time scaled --at 1000000000 "
            "--evidence ev hour.json -- python3 c.py '{BASE}' 0.1",
            &out);
  buf_release(&out);
  assert_int_equal(faultwire("judge --format json ev/*/hour", &out), 1);
  const char *time = strstr(buf_str(&out), "\"time\":");
  assert_non_null(time);
  assert_null(strstr(time + 1, "\"time\":"));
  assert_non_null(strstr(time, "\"at_unused\":"));
  assert_non_null(strstr(time, "\"scale\":"));
  buf_release(&out);
}

static void a_replay_is_run_again_by_its_folder(void **state)
{
  struct buf out;
  (void)state;
  if (!has_program("python3"))
    return;
  assert_int_equal(faultwire("test --provider anthropic --time scaled "
                             "--evidence ev hour.json -- "
                             "python3 c.py '{BASE}' 0.1",
                             &out),
                   1);
  buf_release(&out);
  assert_int_equal(faultwire("replay ev/*/hour -- "
                             "python3 c.py '{BASE}' 0.2",
                             &out),
                   1);
  const char *again = strstr(buf_str(&out), "again: faultwire ");
  assert_non_null(again);
  char *words =
      bytes_dup((struct bytes){again + 17, strcspn(again + 17, "\n")});
  assert_non_null(strstr(words, "/hour -- python3 c.py '{BASE}' 0.2"));
  buf_release(&out);
  assert_int_equal(faultwire(words, &out), 1);
  assert_non_null(strstr(buf_str(&out), "time divided by 1800"));
  buf_release(&out);
  free(words);
}

/* --- a log that is not whole ---------------------------------------------- */

static const struct {
  const char *id, *edit, *says;
} damages[] = {
    {"it is gone", "rm $j", "jumps.jsonl': No such file"},
    {"it is empty", ": >$j", "jumps.jsonl: has 0 jumps, and the run had 1"},
    {"cut within a line", "head -c 40 $j >cut && mv cut $j",
     "jumps.jsonl:1:41: "},
    {"a line is there twice", "cp $j two && cat two >>$j",
     "jumps.jsonl: has 2 jumps, and the run had 1"},
    {"another length", "sed -i s/360.00/361.00/ $j",
     "jumps.jsonl: is not what the run wrote: a line was changed"},
    {"another wait", "sed -i s/clock_nanosleep/nanosleep/ $j",
     "jumps.jsonl: is not what the run wrote: a line was changed"},
    {"another key", "sed -i s/length_s/lenth_s/ $j",
     "$.lenth_s: unknown key 'lenth_s'; did you mean 'length_s'?"},
    {"no number", "sed -i 's/\"pid\":[0-9]*/\"pid\":\"x\"/' $j",
     "jumps.jsonl:1:"},
};

static void damage(const char *edit)
{
  struct buf out;
  char *line = mem_format("cd %s && rm -rf t && cp -r ev/*/hour t && "
                          "j=t/jumps.jsonl && %s",
                          folder, edit);
  if (run_line(line, &out) != 0)
    fail_msg("%s: %s", edit, buf_str(&out));
  buf_release(&out);
  free(line);
}

static void a_log_of_jumps_that_is_not_whole_is_an_error(void **state)
{
  static const char *const commands[] = {"judge t", "replay t"};
  struct buf out;
  (void)state;
  if (!has_program("python3"))
    return;
  faultwire("test --provider anthropic --time virtual --evidence ev hour.json "
            "-- python3 c.py '{BASE}' 0.1",
            &out);
  buf_release(&out);
  for (size_t i = 0; i < COUNT(damages); i++)
    for (size_t k = 0; k < COUNT(commands); k++) {
      damage(damages[i].edit);
      int code = faultwire(commands[k], &out);
      if (code != 2 || !strstr(buf_str(&out), damages[i].says))
        fail_msg("%s, %s: %d: %s", damages[i].id, commands[k], code,
                 buf_str(&out));
      buf_release(&out);
    }
}

static int make_files(void **state)
{
  if (make_folder(state) < 0)
    return -1;
  put("ask.py", ask_py);
  put("c.py", client);
  put("hour.json", hour);
  put("silent.json", silent);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(judged_and_run_again_it_is_the_same),
      cmocka_unit_test(judge_has_one_object_for_time),
      cmocka_unit_test(a_replay_is_run_again_by_its_folder),
      cmocka_unit_test(a_log_of_jumps_that_is_not_whole_is_an_error),
  };
  return cmocka_run_group_tests(tests, make_files, remove_folder);
}

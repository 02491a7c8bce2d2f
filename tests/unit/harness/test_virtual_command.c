/* `faultwire test --time virtual` with clients as people have them. */
#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include "base/file.h"

#include <cjson/cJSON.h>
#include <string.h>

#define FAULTWIRE BUILD_DIR "/faultwire"

/* An hour, obeyed to 5 ms. */
static const char hour[] =
    "{ \"name\": \"hour\", \"why\": \"a limit that resets in an hour\","
    "  \"steps\": [{ \"fault\": \"rate_limit\", \"retry_after\": \"3600\" },"
    "    { \"reply\": \"message\" }],"
    "  \"client\": { \"limit_s\": 9000 },"
    "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 2 },"
    "    { \"check\": \"gap\", \"at_least\": 3600, \"at_most\": 3600.005 },"
    "    { \"check\": \"exit_code\", \"in\": [0] }] }";

/* The answer never comes. */
static const char silent[] =
    "{ \"name\": \"silent\", \"why\": \"a server that says nothing\","
    "  \"steps\": [{ \"fault\": \"hang\" }],"
    "  \"client\": { \"limit_s\": 9000 },"
    "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 1 }] }";

#define BODY                                                                   \
  "'{\"model\":\"m\",\"max_tokens\":5,\"messages\":[{\"role\":\"user\","       \
  "\"content\":\"hi\"}]}'"
#define CURL                                                                   \
  "curl -sS -H 'content-type: application/json' -H 'x-api-key: k' "            \
  "-H 'anthropic-version: 2023-06-01' -d " BODY " '{BASE}/v1/messages' "

static const char python[] =
    "import sys, time, json, urllib.request, urllib.error\n"
    "q = urllib.request.Request(sys.argv[1] + '/v1/messages', json.dumps("
    "{'model': 'm', 'max_tokens': 5, 'messages': [{'role': 'user', "
    "'content': 'hi'}]}).encode(), {'content-type': 'application/json', "
    "'x-api-key': 'k', 'anthropic-version': '2023-06-01'})\n"
    "for i in range(2):\n"
    "  try:\n"
    "    urllib.request.urlopen(q).read()\n"
    "    break\n"
    "  except urllib.error.HTTPError as e:\n"
    "    time.sleep(float(e.headers['retry-after']))\n";

static const char node[] =
    "for (;;) { const r = await fetch(process.argv[2] + '/v1/messages', {"
    "method: 'POST', headers: {'content-type': 'application/json', "
    "'x-api-key': 'k', 'anthropic-version': '2023-06-01'}, body: "
    "JSON.stringify({model: 'm', max_tokens: 5, messages: [{role: 'user', "
    "content: 'hi'}]})}); await r.text(); if (r.ok) break; "
    "await new Promise(s => setTimeout(s, 1000 * "
    "r.headers.get('retry-after'))); }";

static char *folder;

static int make_folder(void **state)
{
  struct diag diag = {0};
  (void)state;
  folder = file_temp_folder("faultwire-virtual", &diag);
  return folder ? 0 : -1;
}

static int remove_folder(void **state)
{
  (void)state;
  file_remove_tree(folder);
  free(folder);
  return 0;
}

static char *put(const char *name, const char *text)
{
  struct diag diag = {0};
  char *path = mem_format("%s/%s", folder, name);
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
  return path;
}

/* The exit code; *ret: the object of report.json, the caller deletes it. */
static int test_client(const char *scenario, const char *client, cJSON **ret)
{
  struct buf out;
  char *path = put("it.json", scenario);
  char *line = mem_format("cd %s && rm -rf ev && " FAULTWIRE
                          " test --provider anthropic --time virtual "
                          "--real-limit 60 --evidence ev it.json -- %s",
                          folder, client);
  int code = run_line(line, &out);
  print_message("%s", buf_str(&out));
  buf_release(&out);
  free(line);
  line = mem_format("cat %s/ev/*/it/report.json", folder);
  run_line(line, &out);
  *ret = cJSON_Parse(buf_str(&out));
  assert_non_null(*ret);
  buf_release(&out);
  free(line);
  free(path);
  return code;
}

static double number_at(const cJSON *o, const char *name)
{
  const cJSON *n = cJSON_GetObjectItem(cJSON_GetObjectItem(o, "time"), name);
  assert_true(cJSON_IsNumber(n));
  return n->valuedouble;
}

static void an_hour_of(const char *program, const char *client)
{
  cJSON *o;
  if (!has_program(program))
    return;
  assert_int_equal(test_client(hour, client, &o), 0);
  assert_true(number_at(o, "virtual_s") >= 3600);
  assert_true(number_at(o, "real_s") < 30);
  const cJSON *sleeps =
      cJSON_GetObjectItem(cJSON_GetObjectItem(o, "time"), "sleeps");
  const cJSON *slept = cJSON_GetObjectItem(sleeps->child, "slept_s");
  assert_true(slept->valuedouble > 3599); /* slept, and was not slow */
  cJSON_Delete(o);
}

static void curl_waits_an_hour_in_a_moment(void **state)
{
  (void)state;
  an_hour_of("curl", CURL "--retry 2");
}

static void python_waits_an_hour_in_a_moment(void **state)
{
  char *path = put("c.py", python);
  char *client = mem_format("python3 %s '{BASE}'", path);
  (void)state;
  an_hour_of("python3", client);
  free(client);
  free(path);
}

static void node_waits_an_hour_in_a_moment(void **state)
{
  char *path = put("c.mjs", node);
  char *client = mem_format("node %s '{BASE}'", path);
  (void)state;
  an_hour_of("node", client);
  free(client);
  free(path);
}

static void a_read_time_out_fires_at_its_time(void **state)
{
  cJSON *o;
  (void)state;
  if (!has_program("curl"))
    return;
  test_client(silent, CURL "--max-time 300", &o);
  const cJSON *start = cJSON_GetObjectItem(o, "starts")->child;
  double s = cJSON_GetObjectItem(start, "seconds")->valuedouble;
  assert_true(s > 299.998 && s < 300.1); /* curl counts in whole ms */
  assert_int_equal(cJSON_GetObjectItem(start, "exit_code")->valueint, 28);
  cJSON_Delete(o);
}

static void a_client_that_waits_for_ever_is_known(void **state)
{
  cJSON *o;
  (void)state;
  if (!has_program("python3"))
    return;
  char *path = put("c.py", python);
  char *client = mem_format("python3 %s '{BASE}'", path);
  test_client(silent, client, &o);
  assert_true(cJSON_IsTrue(
      cJSON_GetObjectItem(cJSON_GetObjectItem(o, "time"), "stalled")));
  assert_true(number_at(o, "real_s") < 30);
  cJSON_Delete(o);
  free(client);
  free(path);
}

/* Rail 10: a writer blocked on a full pipe would count as asleep, were the
 * harness outside of the clock. */
static void much_output_takes_no_virtual_time(void **state)
{
  cJSON *o;
  (void)state;
  if (!has_program("curl"))
    return;
  test_client(hour,
              "sh -c \"head -c 4000000 /dev/zero; sleep 100; "
              "head -c 4000000 /dev/zero\"",
              &o);
  const cJSON *start = cJSON_GetObjectItem(o, "starts")->child;
  double s = cJSON_GetObjectItem(start, "seconds")->valuedouble;
  assert_true(s >= 100 && s < 100.1);
  assert_true(cJSON_GetObjectItem(start, "out_bytes")->valuedouble == 8e6);
  cJSON_Delete(o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curl_waits_an_hour_in_a_moment),
      cmocka_unit_test(python_waits_an_hour_in_a_moment),
      cmocka_unit_test(node_waits_an_hour_in_a_moment),
      cmocka_unit_test(a_read_time_out_fires_at_its_time),
      cmocka_unit_test(a_client_that_waits_for_ever_is_known),
      cmocka_unit_test(much_output_takes_no_virtual_time),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

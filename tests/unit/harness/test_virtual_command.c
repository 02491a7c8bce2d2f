/* `faultwire test --time virtual` with clients as people have them. */
#include "tests/unit/harness/virtual_run.h"

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

static const char python[] = "for i in range(2):\n"
                             "  status, headers, text = ask.call()\n"
                             "  if status == 200:\n"
                             "    break\n"
                             "  time.sleep(float(headers['retry-after']))\n";
#define PYTHON "python3 c.py '{BASE}'"

static const char node[] =
    "for (;;) { const r = await fetch(process.argv[2] + '/v1/messages', {"
    "method: 'POST', headers: {'content-type': 'application/json', "
    "'x-api-key': 'k', 'anthropic-version': '2023-06-01'}, body: "
    "JSON.stringify({model: 'm', max_tokens: 5, messages: [{role: 'user', "
    "content: 'hi'}]})}); await r.text(); if (r.ok) break; "
    "await new Promise(s => setTimeout(s, 1000 * "
    "r.headers.get('retry-after'))); }";

/* The exit code; *ret: the scenario's object in the report, the caller
 * deletes it. */
static int test_client(const char *scenario, const char *client, cJSON **ret)
{
  struct buf out;
  put("it.json", scenario);
  char *words = mem_format("test --provider anthropic --time virtual "
                           "--report json=r.json it.json -- %s",
                           client);
  int code = faultwire(words, &out);
  print_message("%s", buf_str(&out));
  *ret = scenario_of("r.json");
  buf_release(&out);
  free(words);
  return code;
}

static void put_python(void)
{
  put("ask.py", ask_py);
  char *text = mem_format("import ask, time\n%s", python);
  put("c.py", text);
  free(text);
}

static void an_hour_of(const char *program, const char *client)
{
  cJSON *o;
  if (!has_program(program))
    return;
  assert_int_equal(test_client(hour, client, &o), 0);
  assert_true(time_of(o, "virtual_s") >= 3600);
  assert_in_range((int)time_of(o, "real_s"), 0, 29);
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
  (void)state;
  put_python();
  an_hour_of("python3", PYTHON);
}

static void node_waits_an_hour_in_a_moment(void **state)
{
  (void)state;
  put("c.mjs", node);
  an_hour_of("node", "node c.mjs '{BASE}'");
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
  put_python();
  test_client(silent, PYTHON, &o);
  assert_true(cJSON_IsTrue(
      cJSON_GetObjectItem(cJSON_GetObjectItem(o, "time"), "stalled")));
  assert_in_range((int)time_of(o, "real_s"), 0, 29);
  cJSON_Delete(o);
}

/* A client that is traced, as by strace or gdb, on a socket with a time-out:
 * the wait cannot be ended from outside, and the report says so. */
static const char traced_py[] =
    "import ctypes, os, socket, struct, sys\n"
    "url = sys.argv[1].split('//')[1]\n"
    "place, path = url.split('/', 1) if '/' in url else (url, '')\n"
    "host, port = place.split(':')\n"
    "if os.fork():\n"
    "  os.wait()\n"
    "  sys.exit(0)\n"
    "ctypes.CDLL(None).ptrace(0, 0, 0, 0)\n"
    "s = socket.create_connection((host, int(port)))\n"
    "s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, "
    "struct.pack('ll', 300, 0))\n"
    "body = b'{\"model\": \"m\"}'\n"
    "s.sendall(b'POST /%s/v1/messages HTTP/1.1\\r\\nhost: x\\r\\n"
    "content-length: %d\\r\\n\\r\\n' % (path.encode(), len(body)) + body)\n"
    "s.recv(100)\n";

static void a_wait_that_a_debugger_keeps_is_named(void **state)
{
  struct buf out;
  (void)state;
  if (!has_program("python3"))
    return;
  put("it.json", silent);
  put("traced.py", traced_py);
  faultwire("test --provider anthropic --time virtual --real-limit 4 "
            "--report json=r.json it.json -- python3 traced.py '{BASE}'",
            &out);
  cJSON *o = scenario_of("r.json");
  const cJSON *time = cJSON_GetObjectItem(o, "time");
  const cJSON *seen = cJSON_GetObjectItem(time, "opaque")->child;
  if (!seen)
    fail_msg("%s", buf_str(&out));
  assert_non_null(strstr(word_of(seen, "why"), "a debugger has it"));
  cJSON_Delete(o);
  buf_release(&out);
}

/* Else a dropped call would be the client's fault, or a look that fails a
 * wait for ever. */
static void with_few_descriptors_nobody_is_blamed(void **state)
{
  struct buf out;
  (void)state;
  put("it.json", hour);
  char *line = mem_format("cd %s && ulimit -n 63 && " FAULTWIRE
                          " test --provider anthropic --time virtual it.json "
                          "-- true 2>&1",
                          folder);
  assert_int_equal(run_line(line, &out), 3);
  assert_non_null(strstr(buf_str(&out), "only 63 files may be open at once, "
                                        "and 64 are needed: ulimit -n 64"));
  buf_release(&out);
  free(line);
}

/* No clock moves for a client that never waits: its calls end it. */
static const char refused[] =
    "{ \"name\": \"refused\", \"why\": \"a client that repeats at once\","
    "  \"steps\": [{ \"fault\": \"rate_limit\", \"retry_after\": \"3600\","
    "    \"times\": \"always\" }],"
    "  \"client\": { \"limit_s\": 9000 },"
    "  \"expect\": [{ \"check\": \"attempts\", \"at_most\": 4 }] }";

static void ten_thousand_calls_without_a_wait_are_the_end(void **state)
{
  cJSON *o;
  (void)state;
  if (!has_program("curl"))
    return;
  int code = test_client(
      refused, "curl -sS -o out -d " BODY " '{BASE}/v1/messages?[1-30000]'",
      &o);
  assert_int_equal(code, 1);
  assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(o, "attempts")),
                   10001);
  const cJSON *lines = cJSON_GetObjectItem(o, "transcript");
  const cJSON *last = cJSON_GetArrayItem(lines, cJSON_GetArraySize(lines) - 1);
  assert_non_null(strstr(last->valuestring, "--attempt-limit 10000"));
  cJSON_Delete(o);
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
      cmocka_unit_test(a_wait_that_a_debugger_keeps_is_named),
      cmocka_unit_test(with_few_descriptors_nobody_is_blamed),
      cmocka_unit_test(ten_thousand_calls_without_a_wait_are_the_end),
      cmocka_unit_test(much_output_takes_no_virtual_time),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

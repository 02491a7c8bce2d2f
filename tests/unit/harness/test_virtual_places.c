/* `faultwire test --time virtual` in places that refuse things: which way it
 * takes, what it says about it, and that an hour is judged in a moment. */
#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include "base/file.h"

#include <cjson/cJSON.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REFUSE BUILD_DIR "/vtime_refuse "
#define OBJECT "libfaultwire-clock.so"
/* A sanitised program wants to be the first that is loaded, and ptrace. */
#define ASAN                                                                   \
  "ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0:detect_leaks=0"

/* An hour, obeyed to 5 ms. */
static const char hour[] =
    "{ \"name\": \"hour\", \"why\": \"a limit that resets in an hour\","
    "  \"steps\": [{ \"fault\": \"rate_limit\", \"retry_after\": \"3600\" },"
    "    { \"reply\": \"message\" }],"
    "  \"client\": { \"limit_s\": 9000 },"
    "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 2 },"
    "    { \"check\": \"gap\", \"at_least\": 3600, \"at_most\": 3600.005 },"
    "    { \"check\": \"exit_code\", \"in\": [0] }] }";

/* For real time. */
static const char moment[] =
    "{ \"name\": \"moment\", \"why\": \"nothing is waited for\","
    "  \"steps\": [{ \"reply\": \"message\" }],"
    "  \"client\": { \"limit_s\": 60 },"
    "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 1 }] }";

/* Two seconds, by a program that no object is loaded into. */
static const char seconds[] =
    "{ \"name\": \"seconds\", \"why\": \"two seconds\","
    "  \"steps\": [{ \"fault\": \"rate_limit\", \"retry_after\": \"2\" },"
    "    { \"reply\": \"message\" }],"
    "  \"client\": { \"limit_s\": 900 },"
    "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 2 },"
    "    { \"check\": \"gap\", \"at_least\": 1.8, \"at_most\": 4 }] }";

#define HEADERS                                                                \
  "-H 'content-type: application/json' -H 'x-api-key: k' "                     \
  "-H 'anthropic-version: 2023-06-01' "
#define BODY                                                                   \
  "'{\"model\":\"m\",\"max_tokens\":5,\"messages\":[{\"role\":\"user\","       \
  "\"content\":\"hi\"}]}' "
#define CURL "curl -sS " HEADERS "-d " BODY "{BASE}/v1/messages "

/* Waits for a descriptor, too, so that somebody has to see whether it is
 * ready. */
static const char python[] =
    "import sys, select, socket, json, urllib.request, urllib.error\n"
    "q = urllib.request.Request(sys.argv[1] + '/v1/messages', json.dumps("
    "{'model': 'm', 'max_tokens': 5, 'messages': [{'role': 'user', "
    "'content': 'hi'}]}).encode(), {'content-type': 'application/json', "
    "'x-api-key': 'k', 'anthropic-version': '2023-06-01'})\n"
    "pair = socket.socketpair()\n"
    "for i in range(2):\n"
    "  try:\n"
    "    urllib.request.urlopen(q).read()\n"
    "    break\n"
    "  except urllib.error.HTTPError as e:\n"
    "    select.select(pair[:1], [], [], "
    "float(e.headers['retry-after']))\n";

static const char node[] =
    "for (;;) { const r = await fetch(process.argv[2] + '/v1/messages', {"
    "method: 'POST', headers: {'content-type': 'application/json', "
    "'x-api-key': 'k', 'anthropic-version': '2023-06-01'}, body: "
    "JSON.stringify({model: 'm', max_tokens: 5, messages: [{role: 'user', "
    "content: 'hi'}]})}); await r.text(); if (r.ok) break; "
    "await new Promise(s => setTimeout(s, 1000 * "
    "r.headers.get('retry-after'))); }";

static const char bash[] =
    "while :; do\n"
    "  curl -sS -D h -o /dev/null " HEADERS "-d " BODY
    " \"$1/v1/messages\" || exit 1\n"
    "  w=$(tr -d '\\r' <h | sed -n 's/^[Rr]etry-[Aa]fter: //p')\n"
    "  [ -n \"$w\" ] || exit 0\n"
    "  sleep \"$w\"\n"
    "done\n";

static const char java[] =
    "import java.net.*; import java.net.http.*;\n"
    "public class C { public static void main(String[] a) throws Exception {\n"
    "  HttpClient c = HttpClient.newHttpClient();\n"
    "  for (;;) {\n"
    "    HttpRequest q = HttpRequest.newBuilder(URI.create(a[0] + "
    "\"/v1/messages\")).header(\"content-type\", \"application/json\")"
    ".header(\"x-api-key\", \"k\").header(\"anthropic-version\", "
    "\"2023-06-01\").POST(HttpRequest.BodyPublishers.ofString("
    "\"{\\\"model\\\":\\\"m\\\",\\\"max_tokens\\\":5,\\\"messages\\\":"
    "[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"hi\\\"}]}\")).build();\n"
    "    HttpResponse<String> r = c.send(q, "
    "HttpResponse.BodyHandlers.ofString());\n"
    "    if (r.statusCode() == 200) return;\n"
    "    Thread.sleep(1000L * Long.parseLong(r.headers()"
    ".firstValue(\"retry-after\").get()));\n"
    "  } } }\n";

static char *folder;

static char *put(const char *name, const char *text)
{
  struct diag diag = {0};
  char *path = mem_format("%s/%s", folder, name);
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
  return path;
}

static void in_folder(const char *command)
{
  struct buf out;
  char *line = mem_format("cd %s && %s", folder, command);
  assert_int_equal(run_line(line, &out), 0);
  buf_release(&out);
  free(line);
}

/* Everybody may go there: one of the tests is another user. It has programs
 * of its own, of which one lies without the object. */
static int make_folder(void **state)
{
  struct diag diag = {0};
  (void)state;
  folder = file_temp_folder("faultwire-places", &diag);
  if (!folder)
    return -1;
  in_folder("mkdir bin alone && cp " BUILD_DIR "/faultwire " BUILD_DIR
            "/" OBJECT " bin && cp " BUILD_DIR "/faultwire alone && "
            "chmod -R a+rX . && chmod a+rwx .");
  free(put("hour.json", hour));
  free(put("moment.json", moment));
  free(put("seconds.json", seconds));
  free(put("c.py", python));
  free(put("c.mjs", node));
  free(put("c.sh", bash));
  free(put("C.java", java));
  if (has_program("javac"))
    in_folder("javac C.java");
  in_folder("chmod a+r *.*");
  return 0;
}

static int remove_folder(void **state)
{
  (void)state;
  file_remove_tree(folder);
  free(folder);
  return 0;
}

/* The exit code; what it said, stdout and stderr, into `ret`. */
static int run(const char *launcher, const char *program, const char *options,
               const char *client, struct buf *ret)
{
  char *line = mem_format(
      "cd %s && rm -rf ev && export HOME=$PWD " ASAN " && %s "
      "%s/%s/faultwire test "
      "--provider anthropic --real-limit 60 --evidence ev %s -- %s 2>&1",
      folder, launcher, folder, program, options, client);
  int code = run_line(line, ret);
  print_message("%s", buf_str(ret));
  free(line);
  return code;
}

/* The object `time` of the last run's report; the caller deletes it. */
static cJSON *time_of_report(void)
{
  struct buf out;
  char *line = mem_format("cat %s/ev/*/*/report.json", folder);
  run_line(line, &out);
  cJSON *o = cJSON_Parse(buf_str(&out));
  assert_non_null(o);
  cJSON *t = cJSON_DetachItemFromObject(o, "time");
  cJSON_Delete(o);
  buf_release(&out);
  free(line);
  return t;
}

static void an_hour_by(const char *backend, const char *launcher,
                       const char *client)
{
  struct buf out;
  assert_int_equal(
      run(launcher, "bin", "--time virtual hour.json", client, &out), 0);
  cJSON *t = time_of_report();
  assert_string_equal(cJSON_GetObjectItem(t, "backend")->valuestring, backend);
  assert_true(cJSON_GetObjectItem(t, "virtual_s")->valuedouble >= 3600);
  assert_true(cJSON_GetObjectItem(t, "real_s")->valuedouble < 30);
  bool says = strstr(buf_str(&out), "by a preloaded object") != NULL;
  assert_int_equal(says, strcmp(backend, "preload") == 0);
  cJSON_Delete(t);
  buf_release(&out);
}

static bool lacks(const char *program)
{
  bool has = has_program(program);
  if (!has)
    print_message("skipped: there is no %s here\n", program);
  return !has;
}

/* ---- the four places ---- */

static void an_ordinary_user_without_capabilities(void **state)
{
  const char *user = getuid() ? ""
                              : "setpriv --reuid=65534 --regid=65534 "
                                "--clear-groups --bounding-set=-all "
                                "--inh-caps=-all ";
  (void)state;
  if (lacks("curl") || (user[0] && lacks("setpriv")))
    return;
  char *refused = mem_format("%s" REFUSE "seccomp", user);
  an_hour_by("seccomp", user, CURL "--retry 2");
  an_hour_by("preload", refused, CURL "--retry 2");
  free(refused);
}

static void where_descriptors_cannot_be_copied(void **state)
{
  (void)state;
  if (!lacks("python3"))
    an_hour_by("seccomp", REFUSE "pidfd_getfd", "python3 c.py '{BASE}'");
}

static const struct {
  const char *program, *client;
} clients[] = {
    {"curl", CURL "--retry 2"},         {"python3", "python3 c.py '{BASE}'"},
    {"node", "node c.mjs '{BASE}'"},    {"bash", "bash c.sh '{BASE}'"},
    {"javac", "java -cp . C '{BASE}'"},
};

static void where_seccomp_is_refused_an_object_is_loaded(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(clients); i++)
    if (!lacks(clients[i].program) && !lacks("curl"))
      an_hour_by("preload", REFUSE "seccomp,pidfd_getfd,ptrace,process_vm",
                 clients[i].client);
}

static void where_both_are_refused_time_is_real_and_it_says_so(void **state)
{
  struct buf out;
  const char *refuse = REFUSE "seccomp,ptrace,process_vm";
  (void)state;
  if (lacks("curl"))
    return;
  assert_int_equal(run(refuse, "alone", "--time auto moment.json", CURL, &out),
                   0);
  assert_non_null(strstr(buf_str(&out), "real time"));
  cJSON *t = time_of_report();
  if (t)
    assert_string_not_equal(cJSON_GetObjectItem(t, "mode")->valuestring,
                            "virtual");
  cJSON_Delete(t);
  buf_release(&out);
  assert_int_equal(
      run(refuse, "alone", "--time virtual moment.json", CURL, &out), 3);
  assert_non_null(strstr(buf_str(&out), "seccomp user notification is "
                                        "refused"));
  assert_non_null(strstr(buf_str(&out), OBJECT ": No such file"));
  buf_release(&out);
}

/* ---- `--time auto` takes the best there is ---- */

static const char *const kinds[] = {"text", "tap",   "junit",  "json",
                                    "html", "sarif", "github", "summary"};

static void auto_takes_the_object_where_seccomp_is_refused(void **state)
{
  struct buf out;
  (void)state;
  if (lacks("curl"))
    return;
  assert_int_equal(run(REFUSE "seccomp", "bin", "--time auto hour.json",
                       CURL "--retry 2", &out),
                   0);
  assert_non_null(strstr(buf_str(&out),
                         "note: virtual time by a preloaded object, which "
                         "static programs do not load, because: seccomp user "
                         "notification is refused"));
  cJSON *t = time_of_report();
  assert_string_equal(cJSON_GetObjectItem(t, "mode")->valuestring, "virtual");
  assert_string_equal(cJSON_GetObjectItem(t, "backend")->valuestring,
                      "preload");
  cJSON_Delete(t);
  buf_release(&out);
}

static bool says_both(const char *text)
{
  return strstr(text, "seccomp user notification is refused") &&
         strstr(text, "libfaultwire-clock") && strstr(text, "No such file");
}

static void each_report_says_both(void)
{
  for (size_t i = 0; i < COUNT(kinds); i++) {
    struct buf out;
    char *line = mem_format("cat %s/report.%s", folder, kinds[i]);
    assert_int_equal(run_line(line, &out), 0);
    if (!says_both(buf_str(&out)))
      fail_msg("%s: %s", kinds[i], buf_str(&out));
    buf_release(&out);
    free(line);
  }
}

/* An hour is divided; what needs no dividing runs as it is, and says the
 * same. */
static void auto_is_scaled_where_both_are_refused_and_says_why(void **state)
{
  static const char refuse[] = REFUSE "seccomp,ptrace,process_vm";
  static const struct {
    const char *scenario;
    double k; /* 0: nothing is said of it */
  } rows[] = {{"hour.json", 1800}, {"moment.json", 0}};
  struct buf out, options;
  (void)state;
  if (lacks("curl"))
    return;
  for (size_t i = 0; i < COUNT(rows); i++) {
    buf_init(&options, 4096);
    buf_addf(&options, "--time auto %s", rows[i].scenario);
    for (size_t k = 0; k < COUNT(kinds); k++)
      buf_addf(&options, " --report %s=report.%s", kinds[k], kinds[k]);
    int code = run(refuse, "alone", buf_str(&options), CURL "--retry 2", &out);
    assert_int_equal(code, 0);
    const char *note = strstr(buf_str(&out), "note: real time, because ");
    assert_non_null(note);
    assert_true(says_both(note));
    each_report_says_both();
    cJSON *t = time_of_report();
    assert_string_equal(cJSON_GetObjectItem(t, "mode")->valuestring, "scaled");
    const cJSON *scale = cJSON_GetObjectItem(t, "scale");
    double is = scale ? cJSON_GetObjectItem(scale, "k")->valuedouble : 0;
    assert_true(is >= rows[i].k && is <= rows[i].k);
    cJSON_Delete(t);
    buf_release(&out);
    buf_release(&options);
  }
}

/* ---- and what no object can be loaded into ---- */

static void a_static_client_is_slow_and_right_and_named(void **state)
{
  struct buf out;
  (void)state;
  if (lacks("curl"))
    return;
  assert_int_equal(run(REFUSE "seccomp", "bin", "--time virtual seconds.json",
                       "sh -c \"" CURL "; " BUILD_DIR
                       "/vtime_static_nap 2000; " CURL "\"",
                       &out),
                   0);
  cJSON *t = time_of_report();
  const cJSON *seen = cJSON_GetObjectItem(t, "opaque")->child;
  assert_non_null(seen);
  char *text = cJSON_PrintUnformatted(seen);
  print_message("%s\n", text);
  assert_non_null(strstr(text, "vtime_static_na"));
  assert_non_null(strstr(text, "nanosleep"));
  assert_true(cJSON_GetObjectItem(t, "real_rate_s")->valuedouble > 1.5);
  free(text);
  cJSON_Delete(t);
  buf_release(&out);
}

static void without_proc_it_is_said_what_is_missing(void **state)
{
  struct buf out;
  (void)state;
  /* A sanitised program itself needs /proc: it is linked to its library. */
  int able = run_line(
      "unshare -rm true 2>&1 && ! grep -q __asan_init " BUILD_DIR "/faultwire",
      &out);
  buf_release(&out);
  if (able != 0)
    skip(); /* no namespaces for this user, or sanitised */
  char *line = mem_format("cd %s && unshare -rm sh -c 'mount -t tmpfs none "
                          "/proc && " BUILD_DIR "/faultwire test --time "
                          "virtual moment.json -- true' 2>&1",
                          folder);
  int code = run_line(line, &out);
  if (code != 3 || !strstr(buf_str(&out), "/proc is not mounted"))
    fail_msg("%d: %s", code, buf_str(&out));
  buf_release(&out);
  free(line);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_ordinary_user_without_capabilities),
      cmocka_unit_test(where_descriptors_cannot_be_copied),
      cmocka_unit_test(where_seccomp_is_refused_an_object_is_loaded),
      cmocka_unit_test(where_both_are_refused_time_is_real_and_it_says_so),
      cmocka_unit_test(auto_takes_the_object_where_seccomp_is_refused),
      cmocka_unit_test(auto_is_scaled_where_both_are_refused_and_says_why),
      cmocka_unit_test(without_proc_it_is_said_what_is_missing),
      cmocka_unit_test(a_static_client_is_slow_and_right_and_named),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

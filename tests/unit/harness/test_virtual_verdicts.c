/* What only virtual time can say of a client, with clients that are bad on
 * purpose and right ones beside them; and that kept evidence says the same. */
#include "tests/unit/harness/virtual_run.h"

#define EXPECT(checks)                                                         \
  " \"client\": { \"limit_s\": 30 }, \"expect\": [" checks "] }"
#define HEAD "{ \"name\": \"it\", \"why\": \"a row\", \"steps\": ["
#define MESSAGE "{ \"reply\": \"message\" }],"
#define ENDS_WELL "{ \"check\": \"exit_code\", \"in\": [0] }"

#define GAP                                                                    \
  "{ \"check\": \"gap\", \"at_least\": \"retry_after\","                       \
  " \"at_most\": \"retry_after + policy.slack\" }"
static const char limited[] = HEAD
    "{ \"fault\": \"rate_limit\", \"retry_after\": \"3\" }," MESSAGE EXPECT(
        GAP);
static const char silent[] = HEAD "{ \"fault\": \"hang\" }]," EXPECT(ENDS_WELL);
/* After the limit, but it does come. */
static const char late[] =
    HEAD "{ \"reply\": \"message\", \"delay_ms\": 40000 }]," EXPECT(ENDS_WELL);

static const char soon[] =
    HEAD "{ \"reply\": \"message\", \"delay_ms\": 1000 }]," EXPECT(ENDS_WELL);

/* A full queue of connections, for half a minute. The kernel tries again
 * after a second of real time: that is not to be missed. */
static const char full[] =
    HEAD "{ \"reply\": \"message\" },"
         "{ \"reply\": \"message\" }], \"port\": [{ \"state\": \"backlog\","
         " \"after_calls\": 1, \"for_s\": 30 }],"
         " \"client\": { \"limit_s\": 300 }, \"expect\": ["
         "{ \"check\": \"attempts\", \"exactly\": 2 }, " ENDS_WELL "] }";

/* A quota of the day, until midnight in California. */
#define PACIFIC                                                                \
  " \"client\": { \"limit_s\": 86400, \"time\": \"virtual\","                  \
  " \"at\": \"2026-01-15T23:58:30-08:00\","                                    \
  " \"env\": { \"TZ\": \"America/Los_Angeles\" } },"
static const char midnight[] =
    HEAD "{ \"fault\": \"rate_limit\" }," MESSAGE PACIFIC
         " \"expect\": [{ \"check\": \"gap\", \"at_least\": 89,"
         " \"at_most\": 90.005 }] }";
/* The night in which 1:59 is followed by 3:00. */
static const char put_forward[] =
    HEAD "{ \"fault\": \"status\", \"status\": 429, \"body\": \"resets "
         "{{local:+1860 America/Los_Angeles '%H:%M'}}\" }," MESSAGE
         " \"client\": { \"limit_s\": 86400,"
         " \"at\": \"2026-03-08T01:59:00-08:00\","
         " \"env\": { \"TZ\": \"America/Los_Angeles\" } },"
         " \"expect\": [{ \"check\": \"gap\", \"at_least\": 1859,"
         " \"at_most\": \"1860 + policy.slack\" }] }";

#define PY "import ask, time\n"
#define UNTIL_2XX "while (a := ask.call())[0] > 299: "
/* Seconds from now to H:M of the local clock, in two ways. */
#define CLOCK(how)                                                             \
  PY "from datetime import datetime\n"                                         \
     "a = ask.call()\n"                                                        \
     "h, m = map(int, a[2].split()[-1].split(':'))\n"                          \
     "n = datetime.now()\n"                                                    \
     "t = n.replace(hour=h, minute=m, second=0, microsecond=0)\n"              \
     "time.sleep(" how ")\n"                                                   \
     "ask.call()\n"
#define MIDNIGHT(local)                                                        \
  PY "ask.call()\n"                                                            \
     "n = time." local "()\n"                                                  \
     "time.sleep(86400 - n.tm_hour * 3600 - n.tm_min * 60 - n.tm_sec)\n"       \
     "ask.call()\n"

static const struct row {
  const char *id, *scenario, *client;
  const char *verdict, *kind;
  const char *says; /* in what is printed */
} rows[] = {
    {"as it was asked to", limited,
     PY UNTIL_2XX "time.sleep(float(a[1]['retry-after']))\n", "pass", "none",
     "1 of 1 scenarios in virtual time: 3 s in "},
    {"50 ms too long", limited,
     PY UNTIL_2XX "time.sleep(float(a[1]['retry-after']) + 0.05)\n", "fail",
     "assert", "3050 ms   (slept 3050 ms, longest wait 3050 ms)"},
    /* 2 s of CPU time pass without the clock while a wait is near (rule.h) */
    {"works instead of waiting", limited,
     PY "import threading\n"
        "ask.call()\n"
        "threading.Thread(target=lambda: [time.sleep(0.1) for _ in range(99)],"
        " daemon=True).start()\n"
        "while time.process_time() < 2.2: sum(range(99999))\n"
        "ask.call()\n",
     "fail", "assert", "; was slow, computing "},
    {"waits for ever", silent, PY "ask.call()\n", "fail", "stalled",
     "waits for ever: nothing it waits for has a time-out (python3 in "
     "recvfrom on a socket)"},
    {"waits for another thread for ever", silent,
     PY "import threading\n"
        "threading.Thread(target=ask.call, daemon=True).start()\n"
        "threading.Event().wait()\n",
     "fail", "stalled", "python3 in futex"},
    {"a timer is no stall", silent, PY "ask.call(timeout=1000)\n", "fail",
     "hang", "still ran at its limit"},
    {"an answer after the limit is no stall", late, PY "ask.call()\n", "fail",
     "hang", "still ran at its limit"},
    /* it had no timer while it waited for the answer */
    {"busy for ever after an answer", soon,
     PY "ask.call()\n"
        "while time.monotonic(): pass\n",
     "fail", "hang", "still ran at its limit"},
    {"waits longer than a queue is full", full,
     PY "ask.call()\nask.call(timeout=60)\n", "pass", "none",
     "virtual time: 30 s in "},
    {"waits shorter than a queue is full", full,
     PY "ask.call()\nask.call(timeout=29)\n", "fail", "assert",
     "exit 1 after 29.00 s"},
    {"midnight of California", midnight, MIDNIGHT("localtime"), "pass", "none",
     "virtual time: 90 s in "},
    {"midnight of Greenwich", midnight, MIDNIGHT("gmtime"), "fail", "assert",
     "longest wait 57690.000 s"},
    {"the clock put forward", put_forward,
     CLOCK("t.timestamp() - n.timestamp()"), "pass", "none",
     "virtual time: 1860 s in "},
    {"the hour that was not there", put_forward,
     CLOCK("(t - n).total_seconds()"), "fail", "assert",
     "must start 1860.005 s or less"},
};

static void same(const struct row *r, const char *key, const cJSON *was,
                 const cJSON *is)
{
  char *a = cJSON_PrintUnformatted(cJSON_GetObjectItem(was, key));
  char *b = cJSON_PrintUnformatted(cJSON_GetObjectItem(is, key));
  if (!a || !b || strcmp(a, b) != 0)
    fail_msg("%s: %s, judged again: %s, was: %s", r->id, key, b ? b : "",
             a ? a : "");
  cJSON_free(a);
  cJSON_free(b);
}

/* From the evidence alone, without a client: word for word. */
static void judge_again(const struct row *r, const cJSON *was)
{
  static const char *const keys[] = {
      "verdict", "kind", "reason", "checks", "starts", "transcript", "time"};
  struct buf out;
  faultwire("judge --report json=again.json ev", &out);
  cJSON *is = scenario_of("again.json");
  for (size_t i = 0; i < COUNT(keys); i++)
    same(r, keys[i], was, is);
  cJSON_Delete(is);
  buf_release(&out);
}

static void run_row(const struct row *r)
{
  struct buf out;
  put("it.json", r->scenario);
  put("client.py", r->client);
  faultwire("test --provider anthropic --time virtual --real-limit 120 "
            "--evidence ev --report "
            "json=r.json it.json -- python3 client.py '{BASE}'",
            &out);
  cJSON *o = scenario_of("r.json");
  if (strcmp(word_of(o, "verdict"), r->verdict) != 0 ||
      strcmp(word_of(o, "kind"), r->kind) != 0 ||
      !strstr(buf_str(&out), r->says))
    fail_msg("%s: %s/%s: %s", r->id, word_of(o, "verdict"), word_of(o, "kind"),
             buf_str(&out));
  judge_again(r, o);
  cJSON_Delete(o);
  buf_release(&out);
}

static void each_client_gets_the_word_it_deserves(void **state)
{
  (void)state;
  put("ask.py", ask_py);
  for (size_t i = 0; i < COUNT(rows); i++)
    run_row(&rows[i]);
}

/* Twenty ticks a second: without the name each is a jump, 72,000 in all. */
static void a_named_ticker_does_not_tick_in_a_long_wait(void **state)
{
  static const char ticks[] =
      PY "import ctypes, threading\n"
         "def tick():\n"
         "  ctypes.CDLL(None).prctl(15, b'ticker')\n" /* PR_SET_NAME */
         "  while True: time.sleep(0.05)\n"
         "threading.Thread(target=tick, daemon=True).start()\n"
         "time.sleep(float(ask.call()[1]['retry-after']))\n"
         "ask.call()\n";
  static const char hour[] =
      HEAD "{ \"fault\": \"rate_limit\", \"retry_after\": \"3600\" }," MESSAGE
           " \"client\": { \"limit_s\": 9000,"
           " \"housekeeping\": [\"ticker\"] }, \"expect\": [" GAP "] }";
  struct buf out;
  (void)state;
  put("ask.py", ask_py);
  put("it.json", hour);
  put("client.py", ticks);
  int code = faultwire("test --provider anthropic --time virtual --report "
                       "json=r.json it.json -- python3 client.py '{BASE}'",
                       &out);
  cJSON *o = scenario_of("r.json");
  if (code != 0 || time_of(o, "jumps") > 1000)
    fail_msg("%s", buf_str(&out));
  cJSON_Delete(o);
  buf_release(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_client_gets_the_word_it_deserves),
      cmocka_unit_test(a_named_ticker_does_not_tick_in_a_long_wait),
  };
  if (!has_program("python3")) {
    puts("left out: there is no python3");
    return 0;
  }
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

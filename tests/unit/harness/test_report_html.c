#include "harness/report/escape_html.h"
#include "tests/unit/harness/results.h"

/* Every tag the page may have; a text from outside that became markup would
 * bring one that is not in the list, or an attribute. */
static const char *const tags[] = {
    "!doctype", "html", "head", "meta", "title", "link",   "style",  "body",
    "input",    "p",    "h1",   "h3",   "h4",    "div",    "i",      "b",
    "label",    "dl",   "dt",   "dd",   "code",  "header", "main",   "details",
    "summary",  "span", "ul",   "li",   "pre",   "small",  "figure", "svg",
    "g",        "rect", "path", "text"};
static const char *const attributes[] = {
    "lang",  "charset", "name",     "content", "http-equiv", "rel",
    "href",  "type",    "id",       "class",   "for",        "style",
    "open",  "checked", "tabindex", "role",    "aria-label", "aria-hidden",
    "title", "viewBox", "x",        "y",       "width",      "height",
    "rx",    "d",       "html"};

static bool is_in(const char *const *list, size_t n, const char *word,
                  size_t length)
{
  for (size_t i = 0; i < n; i++)
    if (strlen(list[i]) == length && strncmp(list[i], word, length) == 0)
      return true;
  return false;
}

/* From behind the name to behind the '>'; NULL: not as we write it. */
static const char *skip_attributes(const char *p)
{
  while (*p == ' ') {
    size_t n = strspn(++p, "abcdefghijklmnopqrstuvwxyzB-");
    if (!is_in(attributes, COUNT(attributes), p, n))
      return NULL;
    p += n;
    if (*p != '=')
      continue;
    if (p[1] != '"')
      return NULL;
    p = strchr(p + 2, '"');
    if (!p++)
      return NULL;
  }
  if (*p == '/')
    p++;
  return *p == '>' ? p + 1 : NULL;
}

static void check_page(const char *id, const struct buf *out)
{
  const char *p = buf_str(out);
  for (; *p; p++) {
    unsigned char c = (unsigned char)*p;
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
      fail_msg("%s: a control byte %02x", id, c);
    if (bytes_utf8_length(bytes_of(p)) == 0 && (c & 0xc0) != 0x80)
      fail_msg("%s: no UTF-8 at %.20s", id, p);
    if (c != '<')
      continue;
    const char *name = p + 1 + (p[1] == '/');
    size_t n = strcspn(name, " />\n");
    const char *end = skip_attributes(name + n);
    if (!is_in(tags, COUNT(tags), name, n) || !end)
      fail_msg("%s: not markup of ours: %.60s", id, p);
    p = end - 1;
  }
}

static void print_hostile(size_t i, struct buf *ret)
{
  static const char *const verdicts[] = {"pass", "warn", "skip", "inconclusive",
                                         "fail"};
  const char *client[] = {hostile[i].text, NULL};
  struct result r[COUNT(verdicts)];
  for (size_t v = 0; v < COUNT(verdicts); v++)
    r[v] = result_with(verdicts[v], hostile[i].text);
  print_results("html", r, COUNT(r), client, ret);
  for (size_t v = 0; v < COUNT(verdicts); v++)
    result_release(&r[v]);
}

static void no_text_can_become_markup(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(hostile); i++) {
    struct buf out;
    print_hostile(i, &out);
    check_page(hostile[i].id, &out);
    buf_release(&out);
  }
}

/* A drawn one: its texts also stand in the picture and the outputs. */
static const char drawn_json[] =
    "{\"name\":\"a/<b>\",\"verdict\":\"fail\",\"kind\":\"assert\","
    "\"reason\":\"r\",\"start_ns\":1000000000,\"attempts\":[{\"seq\":1,"
    "\"class\":\"call\",\"lane\":\"</svg><script>1</script>\","
    "\"method\":\"<img src=x onerror=1>\",\"target\":\"</title>\","
    "\"what\":\"</g>\",\"retry_after\":\"</text>\",\"status\":429,"
    "\"complete\":true,\"first_byte_ns\":1100000000,"
    "\"answer_first_ns\":1110000000,\"answer_last_ns\":1120000000}],"
    "\"windows\":[{\"seq\":1,\"from_ns\":1120000000,"
    "\"until_ns\":3120000000}],"
    "\"starts\":[{\"lane\":\"</svg><script>1</script>\",\"number\":0,"
    "\"exit_code\":3,\"start_ns\":1000000000,\"exit_ns\":2500000000,"
    "\"out_bytes\":90000,\"err_bytes\":4,\"stdout\":\"</pre><h1>front\","
    "\"stdout_end\":\"end<!--\",\"stderr\":\"a\\tb\\n\","
    "\"metrics\":{\"state\":\"open\",\"<i>\":\"</dd>\"}},"
    "{\"timed_out\":true,\"ended_by\":\"attempts\","
    "\"ended_in\":\"--attempt-limit <7>\",\"stdout\":\"x\","
    "\"start_ns\":1000000000,\"exit_ns\":2500000000},"
    "{\"timed_out\":true,\"ended_by\":\"real limit\","
    "\"ended_in\":\"--real-limit 1\",\"stdout\":\"x\"}],"
    "\"transcript\":[\"line <1>\"]}";

static void a_picture_and_outputs_hold_any_text(void **state)
{
  (void)state;
  struct buf out;
  print_one("html", result_of(drawn_json), &out);
  check_page("drawn", &out);
  assert_contains(&out, "&lt;/pre&gt;&lt;h1&gt;front</pre>");
  assert_contains(&out, "not shown: 89978 bytes");
  assert_contains(&out, "<pre class=\"out\" tabindex=\"0\">a\tb\n</pre>");
  assert_contains(&out, ">#1 429</text>");
  assert_contains(&out, "line &lt;1&gt;\nstderr: a\\tb\n</pre>");
  assert_contains(
      &out, "start 1: ended at the run's limit: --attempt-limit &lt;7&gt;</");
  assert_contains(
      &out, "start 1: ended at the run's limit: --real-limit 1</summary>");
  assert_contains(&out, "client: ended at the run's limit after 1.50 s");
  assert_contains(&out, ">asked to wait 2.00 s</text>");
  assert_contains(&out, "client: exit 3, breaker open after 1.50 s");
  assert_contains(&out, "#1: stay away for 2.00 s</title>");
  buf_release(&out);
}

static void each_event_has_a_mark_of_its_look(void **state)
{
  (void)state;
  static const char json[] =
      "{\"name\":\"a\",\"verdict\":\"fail\",\"kind\":\"assert\","
      "\"reason\":\"r\",\"start_ns\":1000000000,\"attempts\":[{\"seq\":1,"
      "\"class\":\"call\",\"status\":200,\"stream_sent\":true,"
      "\"events_sent\":70,\"complete\":true,\"first_byte_ns\":1000000001,"
      "\"answer_first_ns\":1000000001,\"answer_last_ns\":3000000000,"
      "\"events\":[[0,\"c\"],[999999999,\"c\"],[999999999,\"p\"],"
      "[1999999999,\"e\"],[1999999999,\"t\"]]}]}";
  struct buf out;
  print_one("html", result_of(json), &out);
  check_page("events", &out);
  assert_contains(&out, "<path class=\"ec\" d=\"M8.0 29.0v6M480.0 29.0v6\"/>");
  assert_contains(&out, "<path class=\"ep\" d=\"M477.5 32.0a2.5");
  assert_contains(&out, "<path class=\"ee\" d=\"M949.0 29.0h6v6h-6z\"/>");
  assert_contains(&out, "<path class=\"et\" d=\"M952.0 29.0l3.5 6h-7z\"/>");
  assert_contains(&out, "70 stream events, no terminal event, longest silence "
                        "1.00 s (of the first 5)");
  buf_release(&out);
}

static void a_page_asks_nobody_and_runs_nothing(void **state)
{
  (void)state;
  static const char *const never[] = {"<script", "http://", "https://",
                                      "url(",    "@import", "javascript:"};
  struct result r[] = {result_of(passed_json), result_of(failed_json),
                       result_of(drawn_json)};
  struct buf out;
  print_results("html", r, COUNT(r), NULL, &out);
  for (size_t i = 0; i < COUNT(never); i++)
    if (strstr(buf_str(&out), never[i]))
      fail_msg("there is '%s'", never[i]);
  assert_contains(&out, "<html lang=\"en\">");
  assert_contains(&out, "default-src 'none'");
  assert_contains(&out, "prefers-color-scheme:dark");
  buf_release(&out);
  for (size_t i = 0; i < COUNT(r); i++)
    result_release(&r[i]);
}

static void what_proved_nothing_is_open_when_nothing_failed(void **state)
{
  (void)state;
  struct result r[] = {result_of(passed_json), result_of(unwired_json),
                       result_of(unwired_json)};
  struct buf out;
  print_results("html", r, COUNT(r), NULL, &out);
  assert_contains(&out, "<details class=\"s s-inconclusive\" id=\"s2\" open>");
  assert_contains(&out, "<details class=\"s s-inconclusive\" id=\"s3\">");
  buf_release(&out);
  for (size_t i = 0; i < COUNT(r); i++)
    result_release(&r[i]);
}

static void the_worst_comes_first_and_is_open(void **state)
{
  (void)state;
  struct result r[] = {result_of(passed_json), result_of(skipped_json),
                       result_of(warned_json), result_of(unwired_json),
                       result_of(failed_json)};
  static const char *const order[] = {
      "<details class=\"s s-fail\" id=\"s5\" open>",
      "<details class=\"s s-inconclusive\" id=\"s4\">",
      "<details class=\"s s-warn\" id=\"s3\">",
      "<details class=\"s s-skip\" id=\"s2\">",
      "<details class=\"s s-pass\" id=\"s1\">"};
  struct buf out;
  print_results("html", r, COUNT(r), NULL, &out);
  check_page("order", &out);
  const char *at = buf_str(&out);
  for (size_t i = 0; i < COUNT(order); i++) {
    const char *next = strstr(at, order[i]);
    if (!next)
      fail_msg("not there, or not behind the others: %s", order[i]);
    at = next;
  }
  assert_contains(&out, "<title>failed: 1 of 5 scenarios passed");
  buf_release(&out);
  for (size_t i = 0; i < COUNT(r); i++)
    result_release(&r[i]);
}

static void a_failure_shows_expected_and_actual_and_how_to_repeat(void **state)
{
  (void)state;
  struct buf out;
  print_one("html", result_of(failed_json), &out);
  assert_contains(&out, "<dt>expected</dt><dd>2000..6000 ms   "
                        "(steps[0].retry_after = &quot;2&quot;");
  assert_contains(&out, "<dt>actual</dt><dd>412 ms</dd>");
  assert_contains(&out, "#2  0.424 s  POST /v1/messages  -&gt; 200 message");
  assert_contains(&out, "&quot;2&quot;, policy.slack");
  assert_contains(&out, ">faultwire test harness/scenarios/rate-limit/"
                        "429-then-recovers.json -- ./my-client</pre>");
  buf_release(&out);
}

static void a_filter_is_there_for_what_there_is(void **state)
{
  (void)state;
  struct buf out;
  print_one("html", result_of(skipped_json), &out);
  assert_contains(&out, "<input type=\"radio\" name=\"show\" id=\"f-skip\">");
  assert_contains(&out, "<label for=\"f-skip\" class=\"l-skip\"><b>1</b>");
  assert_null(strstr(buf_str(&out), "<label for=\"f-fail\""));
  assert_contains(&out, "#f-skip:checked~main>.s:not(.s-skip){display:none}");
  buf_release(&out);
}

static void a_text_is_escaped_for_every_place(void **state)
{
  (void)state;
  static const struct {
    const char *id, *text, *line, *block;
  } rows[] = {
      {"markup", "<a b='c' d=\"e\">&",
       "&lt;a b=&#39;c&#39; d=&quot;e&quot;"
       "&gt;&amp;",
       NULL},
      {"line ends", "a\nb\tc\rd", "a\\nb\\tc\\rd", "a\nb\tc\\x0dd"},
      {"terminal", "\033[1m", "\\x1b[1m", NULL},
      {"latin-1", "caf\xe9", "caf\\xe9", NULL},
      {"turned around",
       "a\xe2\x80\xae"
       "b",
       "a\\u202eb", NULL},
      {"isolate", "\xe2\x81\xa6", "\\u2066", NULL},
      {"no character", "\xef\xbf\xbe", "\\xef\\xbf\\xbe", NULL},
      {"umlaut", "\xc3\xbc", "\xc3\xbc", NULL},
      {"mark of order", "\xef\xbb\xbf", "\\ufeff", NULL},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf line, block;
    const char *want = rows[i].block ? rows[i].block : rows[i].line;
    buf_init(&line, OUT_MAX);
    buf_init(&block, OUT_MAX);
    escape_html(&line, rows[i].text);
    escape_html_text(&block, bytes_of(rows[i].text));
    if (strcmp(buf_str(&line), rows[i].line) != 0 ||
        strcmp(buf_str(&block), want) != 0)
      fail_msg("%s: '%s', '%s'", rows[i].id, buf_str(&line), buf_str(&block));
    buf_release(&line);
    buf_release(&block);
  }
}

static void notes_and_copies_are_shown(void **state)
{
  (void)state;
  struct buf out;
  print_one("html",
            result_of("{\"name\":\"a\",\"verdict\":\"warn\","
                      "\"notes\":[\"first bad <point>\"],"
                      "\"figures\":{\"by_copy\":[{\"lane\":\"x<y\","
                      "\"verdict\":\"pass\",\"attempts\":2},"
                      "{\"lane\":\"z\",\"verdict\":\"fail\"}]}}"),
            &out);
  check_page("copies", &out);
  assert_contains(&out, "<p class=\"note\">first bad &lt;point&gt;</p>");
  assert_contains(&out, "<span class=\"v v-pass\">pass</span> x&lt;y "
                        "<span class=\"tag\">2 attempts</span>");
  buf_release(&out);
}

static void an_empty_run_is_a_page_too(void **state)
{
  (void)state;
  struct buf out;
  print_results("html", NULL, 0, NULL, &out);
  check_page("empty", &out);
  assert_contains(&out, "No scenario was run.");
  buf_release(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_text_can_become_markup),
      cmocka_unit_test(a_picture_and_outputs_hold_any_text),
      cmocka_unit_test(each_event_has_a_mark_of_its_look),
      cmocka_unit_test(a_page_asks_nobody_and_runs_nothing),
      cmocka_unit_test(what_proved_nothing_is_open_when_nothing_failed),
      cmocka_unit_test(the_worst_comes_first_and_is_open),
      cmocka_unit_test(a_failure_shows_expected_and_actual_and_how_to_repeat),
      cmocka_unit_test(a_filter_is_there_for_what_there_is),
      cmocka_unit_test(a_text_is_escaped_for_every_place),
      cmocka_unit_test(notes_and_copies_are_shown),
      cmocka_unit_test(an_empty_run_is_a_page_too),
  };
  return cmocka_run_group_tests_name("report_html", tests, NULL, NULL);
}

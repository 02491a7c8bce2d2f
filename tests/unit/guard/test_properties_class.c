/*
 * What must hold of every classification: it is total, text alone is no
 * verdict, and the rows of error_bodies.jsonl hold with bytes changed, names
 * of headers in capitals and fields in another order. Bodies lie at the end
 * of memory (tight.h).
 */
#include "tests/unit/unit.h"

#include "base/file.h"
#include "guard/command/row.h"
#include "tests/unit/guard/tight.h"

#include <ctype.h>
#include <string.h>

#define JSONL SOURCE_DIR "/tests/fixtures/vectors/error_bodies.jsonl"
#define NOW_MS INT64_C(1764547200000)
enum { MAX_BODY = 1 << 16, POSITIONS = 48, FEWEST_ROWS = 240, MAX_FIELDS = 64 };

static struct tight memory;

static const char *const providers[] = {
    NULL,
    "nobody",
    "",
#define BODY(name, list) list,
#define LINE(name, list) list,
#include "guard/classify.def"
#undef BODY
#undef LINE
};

static bool usually_retried(enum guard_class cls)
{
  return cls == GUARD_RATE_LIMIT || cls == GUARD_OVERLOADED ||
         cls == GUARD_TIMEOUT || cls == GUARD_SERVER_ERROR ||
         cls == GUARD_STREAM_INTERRUPTED;
}

/* NULL, or what is wrong. */
static const char *fault_of(const struct guard_verdict *v)
{
  if ((unsigned)v->cls >= GUARD_NCLASSES)
    return "no such class";
  if ((unsigned)v->hint > GUARD_HINT_STOP)
    return "no such hint";
  if (!v->rule || !v->rule[0])
    return "no rule";
  if (v->hint == GUARD_HINT_WAIT && v->wait_ms < 0)
    return "a wait below 0";
  if (v->reset_epoch_s < 0)
    return "a reset before the epoch";
  if (v->cls == GUARD_NONE && (v->retryable || v->hint == GUARD_HINT_WAIT))
    return "a retry or a wait without an error";
  if (v->hint == GUARD_HINT_STOP && v->retryable)
    return "a retry that the server forbade";
  return NULL;
}

/* The whole word of the list that is one provider. */
static const char *first_word(const char *list, char *ret, size_t size)
{
  if (!list)
    return NULL;
  snprintf(ret, size, "%s", list);
  ret[strcspn(ret, " ")] = '\0';
  return ret;
}

static struct guard_verdict ask(const char *provider,
                                enum guard_channel channel, int number,
                                const char *body)
{
  bool output = channel == GUARD_STDOUT || channel == GUARD_STDERR;
  size_t n = strlen(body);
  struct guard_answer a = {.provider = provider,
                           .channel = channel,
                           .status = output ? 0 : number,
                           .has_exit_code = output,
                           .exit_code = output ? number : 0,
                           .body = tight_copy(&memory, body, n),
                           .body_n = n,
                           .now_epoch_ms = NOW_MS};

  return guard_classify(&a);
}

/* Two statuses differ from their class: the SDKs retry a 409, and a broken
 * certificate (526) does not heal. */
static bool retry_fits(const struct guard_verdict *v, int status)
{
  bool expected = status == 409 || (usually_retried(v->cls) && status != 526);

  return v->retryable == expected;
}

static void every_empty_answer_has_a_class(void **state)
{
  char word[64];

  (void)state;
  for (size_t p = 0; p < COUNT(providers); p++)
    for (int channel = GUARD_HTTP; channel <= GUARD_STDERR; channel++)
      for (int number = 0; number <= 999; number++) {
        const char *provider = first_word(providers[p], word, sizeof word);
        struct guard_verdict v =
            ask(provider, (enum guard_channel)channel, number, "");
        const char *fault = fault_of(&v);

        if (!fault && channel == GUARD_HTTP && !retry_fits(&v, number))
          fault = "retryable is not what the class says";
        if (!fault && v.hint != GUARD_HINT_ABSENT)
          fault = "a hint out of nothing";
        if (fault)
          fail_msg("%s, channel %d, %d: %s", provider ? provider : "none",
                   channel, number, fault);
      }
}

/* Each frame with the words in it and with words of no meaning in it. */
static const struct {
  const char *front, *behind;
} frames[] = {
    {"", ""},
    {"", "\n"},
    {"Error, ", ""},
    {"x\n", "\ny"},
    {"[", "]"},
    {"<html><title>", "</title></html>"},
    {"{\"message\":\"", "\"}"},
    {"{\"note\":\"", "\"}"},
    {"{\"error\":\"", "\"}"},
    {"{\"error\":{\"message\":\"", "\"}}"},
    {"{\"type\":\"error\",\"error\":{\"type\":\"new_error\",\"message\":\"",
     "\"}}"},
    {"{\"type\":\"result\",\"is_error\":true,\"result\":\"", "\"}"},
    {"{\"type\":\"result\",\"is_error\":false,\"result\":\"", "\"}"},
    {"{\"type\":\"turn.failed\",\"error\":{\"message\":\"", "\"}}"},
    {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"",
     "\"}}]}\n\n"},
};
static const char *const bare[] = {
    "429",
    "rate limit",
    "Rate limit",
    "RATE LIMIT",
    "rate_limit",
    "429 rate limit",
    "HTTP 429",
    "status 429",
    "(429)",
    "rate-limited: 429",
    "529",
    "overloaded, 529",
    "quota",
    "a usage limit",
    "too many requests",
};

static void check_frame(size_t frame, const char *words, const char *provider)
{
  static const int numbers[] = {0, 1, 200, 204, 302, 400, 404, 500, 503};
  char with[512], without[512];

  snprintf(with, sizeof with, "%s%s%s", frames[frame].front, words,
           frames[frame].behind);
  snprintf(without, sizeof without, "%slorem ipsum%s", frames[frame].front,
           frames[frame].behind);
  for (int channel = GUARD_HTTP; channel <= GUARD_STDERR; channel++)
    for (size_t i = 0; i < COUNT(numbers); i++) {
      struct guard_verdict a = ask(provider, (enum guard_channel)channel,
                                   numbers[i], with),
                           b = ask(provider, (enum guard_channel)channel,
                                   numbers[i], without);

      if (a.cls != b.cls || a.retryable != b.retryable)
        fail_msg("'%s', channel %d, %d, %s: %s by '%s', without the words %s",
                 with, channel, numbers[i], provider ? provider : "none",
                 guard_class_name(a.cls), a.rule, guard_class_name(b.cls));
    }
}

static void bare_words_never_decide(void **state)
{
  char word[64];

  (void)state;
  for (size_t f = 0; f < COUNT(frames); f++)
    for (size_t w = 0; w < COUNT(bare); w++) {
      size_t p = (f * COUNT(bare) + w) % COUNT(providers);

      check_frame(f, bare[w], NULL);
      check_frame(f, bare[w], first_word(providers[p], word, sizeof word));
    }
}

typedef void check_fn(const struct row *row);

static void each_row(check_fn *check)
{
  struct diag diag = {0};
  struct buf text;
  char *left, *line;
  int rows = 0;

  buf_init(&text, 1 << 20);
  assert_int_equal(file_read(JSONL, &text, &diag), 0);
  for (line = strtok_r(text.p, "\n", &left); line;
       line = strtok_r(NULL, "\n", &left), rows++) {
    struct json_doc doc;
    struct row row;

    assert_int_equal(json_parse(&doc, "row", bytes_of(line), &diag), 0);
    assert_int_equal(row_read(&doc, 0, &row, &diag), 0);
    check(&row);
    row_release(&row);
    json_release(&doc);
  }
  buf_release(&text);
  assert_true(rows >= FEWEST_ROWS);
}

static struct guard_verdict judge(const struct row *row, const char *body,
                                  size_t n)
{
  struct guard_answer a = row->answer;

  a.body = tight_copy(&memory, body, n);
  a.body_n = n;
  return guard_classify(&a);
}

/* After exit code 0 a text without a document is the answer, whatever byte
 * of it is another. */
static bool is_text(const struct row *row)
{
  return row->answer.has_exit_code && row->answer.exit_code == 0 &&
         !strpbrk(row->answer.body, "{[");
}

static void check_changes(const struct row *row)
{
  static char changed[MAX_BODY];
  const char *body = row->answer.body;
  size_t n = row->answer.body_n, step = n / POSITIONS + 1;

  for (size_t at = 0; at < n; at += step)
    for (int change = 0; change < TIGHT_CHANGES; change += 3) {
      size_t k = tight_change(body, n, at, change, changed);
      struct guard_verdict v = judge(row, changed, k);
      const char *fault = fault_of(&v);

      if (!fault && is_text(row) && v.cls != GUARD_NONE &&
          !memchr(changed, '{', k) && !memchr(changed, '[', k))
        fault = "an alarm over a good answer";
      if (fault)
        fail_msg("%s, byte %zu, change %d: %s", row->id, at, change, fault);
    }
  for (size_t cut = 0; cut < n; cut += step) {
    struct guard_verdict v = judge(row, body, cut);

    if (fault_of(&v))
      fail_msg("%s cut at %zu: %s", row->id, cut, fault_of(&v));
  }
}

/* Claude Code's own sentence about a limit, on the only line there is. */
static bool is_limit_alone(const struct guard_answer *a)
{
  struct guard_verdict v = guard_classify(a);
  const char *lf = strchr(a->body, '\n');

  return a->channel == GUARD_STDOUT &&
         strncmp(v.rule, "claude-cli: ", 12) == 0 &&
         (!lf || lf[strspn(lf, "\r\n")] == '\0') &&
         (v.cls == GUARD_RATE_LIMIT || v.cls == GUARD_OVERLOADED ||
          v.cls == GUARD_USAGE_LIMIT || v.cls == GUARD_QUOTA_EXHAUSTED);
}

static void check_good_exit(const struct row *row)
{
  struct guard_answer a = row->answer;

  if (a.channel != GUARD_STDOUT && a.channel != GUARD_STDERR)
    return;
  a.has_exit_code = true;
  a.exit_code = 0;
  if (!strpbrk(a.body, "{[") && guard_classify(&a).cls != GUARD_NONE &&
      !is_limit_alone(&a))
    fail_msg("%s is an alarm after exit code 0", row->id);
}

static void after_exit_code_0_a_text_is_the_answer(void **state)
{
  (void)state;
  each_row(check_good_exit);
}

static void rows_hold_with_bytes_changed(void **state)
{
  (void)state;
  each_row(check_changes);
}

static bool same(const struct guard_verdict *a, const struct guard_verdict *b)
{
  return a->cls == b->cls && a->retryable == b->retryable &&
         a->hint == b->hint && a->reset_epoch_s == b->reset_epoch_s &&
         (a->hint != GUARD_HINT_WAIT || a->wait_ms == b->wait_ms);
}

static void check_names(const struct row *row)
{
  struct guard_header headers[MAX_FIELDS];
  char names[MAX_FIELDS][96];
  struct guard_answer a = row->answer;
  struct guard_verdict v = guard_classify(&a), w;

  assert_true(a.nheaders <= MAX_FIELDS);
  for (size_t i = 0; i < a.nheaders; i++) {
    size_t k = 0;

    headers[i] = a.headers[a.nheaders - 1 - i];
    for (; headers[i].name[k] && k < sizeof names[i] - 1; k++)
      names[i][k] = (char)toupper((unsigned char)headers[i].name[k]);
    names[i][k] = '\0';
    headers[i].name = names[i];
  }
  a.headers = headers;
  w = guard_classify(&a);
  if (!same(&v, &w))
    fail_msg("%s: names in capitals, last first: another verdict", row->id);
}

static void case_and_order_of_headers_change_nothing(void **state)
{
  (void)state;
  each_row(check_names);
}

/* The members of each object, last first. */
static void turn_round(cJSON *node)
{
  cJSON *child, *next, *turned = NULL;

  cJSON_ArrayForEach(child, node) turn_round(child);
  if (!cJSON_IsObject(node) || !node->child)
    return;
  for (child = node->child; child; child = next) {
    next = child->next;
    child->next = turned;
    child->prev = NULL;
    if (turned)
      turned->prev = child;
    turned = child;
  }
  /* cJSON's first node knows the last one */
  node->child = turned;
  for (child = turned; child->next; child = child->next)
    ;
  turned->prev = child;
}

static void check_order(const struct row *row)
{
  struct guard_verdict v = guard_classify(&row->answer), w;
  cJSON *root = cJSON_ParseWithLengthOpts(row->answer.body,
                                          row->answer.body_n + 1, NULL, true);
  char *text;

  if (cJSON_IsObject(root) || cJSON_IsArray(root)) {
    turn_round(root);
    text = cJSON_Print(root);
    w = judge(row, text, strlen(text));
    if (!same(&v, &w))
      fail_msg("%s: fields last first: %s, not %s", row->id,
               guard_class_name(w.cls), guard_class_name(v.cls));
    cJSON_free(text);
  }
  cJSON_Delete(root);
}

static void order_of_fields_changes_nothing(void **state)
{
  (void)state;
  each_row(check_order);
}

static int set_up(void **state)
{
  (void)state;
  tight_init(&memory, MAX_BODY);
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  tight_release(&memory);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_empty_answer_has_a_class),
      cmocka_unit_test(bare_words_never_decide),
      cmocka_unit_test(after_exit_code_0_a_text_is_the_answer),
      cmocka_unit_test(rows_hold_with_bytes_changed),
      cmocka_unit_test(case_and_order_of_headers_change_nothing),
      cmocka_unit_test(order_of_fields_changes_nothing),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

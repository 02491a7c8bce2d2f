/*
 * Every row of tests/fixtures/vectors/error_bodies.jsonl, each read with its
 * provider named and with none named; and what has no row.
 */
#include "base/file.h"
#include "guard/error_class.h"
#include "tests/unit/unit.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

enum { MAX_HEADERS = 32, NROWS = 250 };
#define JSONL SOURCE_DIR "/tests/fixtures/vectors/error_bodies.jsonl"

/* A row that is read otherwise than the vectors say. There is none now; the
 * empty id keeps the tables legal. */
struct miss {
  const char *id, *why;
};

/* class or retryable differ */
static const struct miss class_misses[] = {
    {"", ""},
};

/* wait or reset differ */
static const struct miss hint_misses[] = {
    {"", ""},
};

static bool is_miss(const struct miss *table, size_t n, const char *id)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(table[i].id, id) == 0)
      return true;
  return false;
}

static const cJSON *member(const cJSON *row, const char *key)
{
  return cJSON_GetObjectItemCaseSensitive(row, key);
}

static const char *text_of(const cJSON *row, const char *key)
{
  const cJSON *item = member(row, key);

  return cJSON_IsString(item) ? item->valuestring : "";
}

static int64_t number_of(const cJSON *row, const char *key, int64_t absent)
{
  const cJSON *item = member(row, key);

  return cJSON_IsNumber(item) ? (int64_t)item->valuedouble : absent;
}

static enum guard_channel channel_of(const char *name)
{
  static const char *const names[] = {"http", "sse", "stdout", "stderr"};

  for (int i = 0; i < 4; i++)
    if (strcmp(name, names[i]) == 0)
      return (enum guard_channel)i;
  fail_msg("channel '%s'", name);
  return GUARD_HTTP;
}

/* "claude-code 2.1.332 json" names the client claude-code. */
static const char *provider_of(const cJSON *row, char *word, size_t size)
{
  const char *provider = text_of(row, "provider");

  if (strcmp(provider, "cli") != 0)
    return provider;
  snprintf(word, size, "%s", text_of(row, "client"));
  word[strcspn(word, " ")] = '\0';
  return word;
}

static struct guard_verdict read_row(const cJSON *row, const char *provider)
{
  struct guard_header headers[MAX_HEADERS];
  const char *body = text_of(row, "body");
  const cJSON *header;
  struct guard_answer a = {
      .provider = provider,
      .channel = channel_of(text_of(row, "channel")),
      .status = (int)number_of(row, "status", 0),
      .has_exit_code = cJSON_IsNumber(member(row, "exit_code")),
      .exit_code = (int)number_of(row, "exit_code", 0),
      .headers = headers,
      .body = body,
      .body_n = strlen(body),
      .now_epoch_ms = number_of(row, "now_epoch", 0) * 1000,
  };

  cJSON_ArrayForEach(header, member(row, "headers"))
  {
    assert_true(a.nheaders < MAX_HEADERS);
    headers[a.nheaders++] =
        (struct guard_header){header->string, header->valuestring, 0};
  }
  return guard_classify(&a);
}

static bool class_holds(const cJSON *row, const struct guard_verdict *v)
{
  return strcmp(guard_class_name(v->cls), text_of(row, "class")) == 0 &&
         v->retryable == cJSON_IsTrue(member(row, "retryable"));
}

static bool hint_holds(const cJSON *row, const struct guard_verdict *v)
{
  int64_t wait_ms = number_of(row, "wait_ms", -1);
  int64_t reset_s = number_of(row, "reset_epoch", -1);

  if (wait_ms >= 0 && (v->hint != GUARD_HINT_WAIT || v->wait_ms != wait_ms))
    return false;
  return reset_s < 0 || v->reset_epoch_s == reset_s;
}

struct tally {
  int rows, none_rows, class_wrong, hint_wrong, false_alarms, surprises;
};

static void say(const cJSON *row, const char *with, const char *what,
                const struct guard_verdict *v)
{
  print_error(
      "%s (%s) %s: expected %s/%d wait %" PRId64 " reset %" PRId64
      ", got %s/%d hint %d wait %" PRId64 " reset %" PRId64 " by '%s'\n",
      text_of(row, "id"), with, what, text_of(row, "class"),
      cJSON_IsTrue(member(row, "retryable")), number_of(row, "wait_ms", -1),
      number_of(row, "reset_epoch", -1), guard_class_name(v->cls), v->retryable,
      (int)v->hint, v->wait_ms, v->reset_epoch_s, v->rule);
}

static void check_row(const cJSON *row, const char *provider,
                      struct tally *tally)
{
  struct guard_verdict v = read_row(row, provider);
  const char *id = text_of(row, "id");
  const char *with = provider ? provider : "no provider";
  bool none = strcmp(text_of(row, "class"), "none") == 0;
  bool right = class_holds(row, &v);
  bool hint = hint_holds(row, &v);

  tally->rows++;
  tally->none_rows += none;
  tally->class_wrong += !right;
  tally->hint_wrong += !hint;
  tally->false_alarms += none && v.cls != GUARD_NONE;
  if (right == is_miss(class_misses, COUNT(class_misses), id)) {
    say(row, with, right ? "is no miss any more" : "is a new miss", &v);
    tally->surprises++;
  }
  if (hint == is_miss(hint_misses, COUNT(hint_misses), id)) {
    say(row, with, hint ? "has its hint now" : "has another hint", &v);
    tally->surprises++;
  }
  assert_true(v.rule && v.rule[0]);
}

static void check_line(const char *line, struct tally *tally)
{
  cJSON *row = cJSON_Parse(line);
  char word[64];

  assert_non_null(row);
  check_row(row, provider_of(row, word, sizeof(word)), tally);
  check_row(row, NULL, tally);
  cJSON_Delete(row);
}

static void the_rows_of_the_vectors_are_told_apart(void **state)
{
  struct tally tally = {0};
  struct buf text;
  struct diag diag;
  char *left, *line;

  (void)state;
  buf_init(&text, 1 << 20);
  assert_int_equal(file_read(JSONL, &text, &diag), 0);
  for (line = strtok_r(text.p, "\n", &left); line;
       line = strtok_r(NULL, "\n", &left))
    check_line(line, &tally);
  buf_release(&text);
  print_message("%d rows read twice: %d classes wrong, %d hints wrong, %d "
                "false alarms in %d\n",
                NROWS, tally.class_wrong, tally.hint_wrong, tally.false_alarms,
                tally.none_rows);
  assert_int_equal(tally.rows, 2 * NROWS);
  assert_int_equal(tally.none_rows, 2 * 40);
  assert_int_equal(tally.false_alarms, 0);
  assert_int_equal(tally.surprises, 0);
  /* 98 of 100 at least */
  assert_true(tally.class_wrong * 50 <= tally.rows);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rows_of_the_vectors_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

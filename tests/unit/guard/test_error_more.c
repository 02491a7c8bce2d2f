/*
 * tests/fixtures/vectors/error_more.jsonl: documented texts that
 * error_bodies.jsonl has not, with other numbers, other order of fields,
 * other casing of headers, other versions. Each row is read with its provider
 * or client named and with none named.
 */
#include "tests/unit/unit.h"

#include "base/file.h"
#include "guard/command/row.h"

#include <inttypes.h>
#include <string.h>

#define JSONL SOURCE_DIR "/tests/fixtures/vectors/error_more.jsonl"
/* A row fewer is a row that was lost. */
enum { FEWEST_ROWS = 360, FEWEST_NONE = 30, MAX_FILE_BYTES = 1 << 20 };

struct tally {
  int rows, none, wrong, false_alarms;
};

static const char *text_of(const struct json_doc *doc, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(doc->root, key);

  return cJSON_IsString(item) ? item->valuestring : "";
}

/* True when the row does not ask for it, or has it. */
static bool number_fits(const struct json_doc *doc, const char *key,
                        int64_t value)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(doc->root, key);

  return !cJSON_IsNumber(item) || (int64_t)item->valuedouble == value;
}

static bool fits(const struct json_doc *doc, const struct guard_verdict *v)
{
  const cJSON *retryable =
      cJSON_GetObjectItemCaseSensitive(doc->root, "retryable");

  return strcmp(text_of(doc, "class"), guard_class_name(v->cls)) == 0 &&
         cJSON_IsTrue(retryable) == v->retryable &&
         number_fits(doc, "wait_ms",
                     v->hint == GUARD_HINT_WAIT ? v->wait_ms : -1) &&
         number_fits(doc, "reset_epoch", v->reset_epoch_s);
}

static void check(const struct json_doc *doc, const struct row *row,
                  const char *provider, struct tally *tally)
{
  struct guard_answer a = row->answer;
  struct guard_verdict v;
  bool none = strcmp(text_of(doc, "class"), "none") == 0;

  a.provider = provider;
  v = guard_classify(&a);
  tally->none += none;
  tally->false_alarms += none && v.cls != GUARD_NONE;
  if (fits(doc, &v))
    return;
  tally->wrong++;
  print_error("%s (%s): expected %s, got %s/%d hint %d wait %" PRId64
              " reset %" PRId64 " by '%s'\n",
              row->id, provider ? provider : "no provider",
              text_of(doc, "class"), guard_class_name(v.cls), v.retryable,
              (int)v.hint, v.wait_ms, v.reset_epoch_s, v.rule);
}

/* "claude-code 2.1.332" names the client claude-code. */
static const char *provider_of(const struct json_doc *doc, char *word,
                               size_t size)
{
  const char *provider = text_of(doc, "provider");

  if (strcmp(provider, "cli") != 0)
    return provider;
  snprintf(word, size, "%s", text_of(doc, "client"));
  word[strcspn(word, " ")] = '\0';
  return word;
}

static void check_line(const char *line, struct tally *tally)
{
  struct diag diag = {0};
  struct json_doc doc;
  struct row row;
  char word[64];

  if (json_parse(&doc, "row", bytes_of(line), &diag) < 0 ||
      row_read(&doc, 0, &row, &diag) < 0)
    fail_msg("%.60s: %s", line, diag.text);
  assert_true(text_of(&doc, "source")[0]);
  tally->rows++;
  check(&doc, &row, provider_of(&doc, word, sizeof word), tally);
  check(&doc, &row, NULL, tally);
  row_release(&row);
  json_release(&doc);
}

static void documented_texts_are_told_apart(void **state)
{
  struct tally tally = {0};
  struct diag diag = {0};
  struct buf text;
  char *left, *line;

  (void)state;
  buf_init(&text, MAX_FILE_BYTES);
  assert_int_equal(file_read(JSONL, &text, &diag), 0);
  for (line = strtok_r(text.p, "\n", &left); line;
       line = strtok_r(NULL, "\n", &left))
    check_line(line, &tally);
  buf_release(&text);
  print_message("%d rows read twice: %d wrong, %d false alarms\n", tally.rows,
                tally.wrong, tally.false_alarms);
  assert_true(tally.rows >= FEWEST_ROWS);
  assert_true(tally.none >= 2 * FEWEST_NONE);
  assert_int_equal(tally.false_alarms, 0);
  assert_int_equal(tally.wrong, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(documented_texts_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * fuzz_classify_row.c - the lines of `guard classify --jsonl`, from standard
 * input to the line that answers.
 */
#include "fuzz/answer.h"
#include "fuzz/lines.h"
#include "guard/command/row.h"

static void check_row(const struct row *row)
{
  const struct guard_answer *a = &row->answer;

  PROPERTY(a->channel <= GUARD_STDERR, "the channel is one of four");
  PROPERTY(a->status >= 0 && a->status <= ROW_MAX_STATUS, "status in range");
  PROPERTY(a->exit_code >= ROW_MIN_EXIT && a->exit_code <= ROW_MAX_EXIT,
           "exit code in range");
  PROPERTY(a->now_epoch_ms >= 0 && a->now_epoch_ms <= ROW_MAX_EPOCH_S * 1000,
           "time in range");
  PROPERTY(a->body && strlen(a->body) == a->body_n, "there is a body");
  for (size_t i = 0; i < a->nheaders; i++)
    PROPERTY(a->headers[i].name && a->headers[i].value,
             "a header has a name and a value");
}

static const cJSON *member(const cJSON *object, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

  PROPERTY(item, "every key of an answer is there");
  return item;
}

/* In an answer, what is no UTF-8 is U+FFFD (buf.h). */
static bool is_utf8(struct bytes s)
{
  size_t n;

  for (; s.n > 0; s = (struct bytes){s.p + n, s.n - n}) {
    n = bytes_utf8_length(s);
    if (n == 0)
      return false;
  }
  return true;
}

/* The answer as a program would read it. */
static void check_answer(const char *id, const struct guard_verdict *v,
                         const struct buf *line)
{
  struct json_doc doc;
  struct diag diag = {0};

  PROPERTY(line->n > 1 &&
               memchr(line->p, '\n', line->n) == line->p + line->n - 1,
           "an answer is one line");
  PROPERTY(json_parse(&doc, "answer", buf_bytes(line), &diag) == 0,
           "an answer is JSON");
  PROPERTY(id && !is_utf8(bytes_of(id)) ? true
           : id ? strcmp(cJSON_GetStringValue(member(doc.root, "id")), id) == 0
                : cJSON_IsNull(member(doc.root, "id")),
           "the id comes back");
  PROPERTY(strcmp(cJSON_GetStringValue(member(doc.root, "class")),
                  guard_class_name(v->cls)) == 0,
           "the class is told by name");
  PROPERTY(cJSON_IsTrue(member(doc.root, "retryable")) == v->retryable,
           "retryable is told");
  PROPERTY(cJSON_IsNumber(member(doc.root, "wait_ms")) ==
               (v->hint == GUARD_HINT_WAIT),
           "a wait is told when there is one");
  PROPERTY(cJSON_IsNumber(member(doc.root, "reset_epoch")) ==
               (v->reset_epoch_s != 0),
           "a reset is told when there is one");
  PROPERTY(cJSON_IsString(member(doc.root, "reason")), "the rule is told");
  json_release(&doc);
}

/* Written anew with other blanks, the question has the same answer. */
static void check_printed(const struct json_doc *doc, const struct buf *line)
{
  char *text = cJSON_Print(doc->root);
  struct json_doc second;
  struct row row;
  struct diag diag = {0};
  struct guard_verdict v;
  struct buf again;

  buf_init(&again, 2 * JSON_MAX_BYTES);
  PROPERTY(json_parse(&second, "printed", bytes_of(text), &diag) == 0 &&
               row_read(&second, FUZZ_NOW_EPOCH_S * 1000, &row, &diag) == 0,
           "a question that is printed is a question");
  v = guard_classify(&row.answer);
  row_answer(row.id, &v, &again);
  PROPERTY(again.n == line->n && memcmp(again.p, line->p, line->n) == 0,
           "blanks between the fields change nothing");
  row_release(&row);
  json_release(&second);
  buf_release(&again);
  cJSON_free(text);
}

static void check_document(const struct json_doc *doc)
{
  struct diag diag = {0};
  struct row row;
  struct guard_verdict v;
  struct buf line;

  buf_init(&line, 2 * JSON_MAX_BYTES);
  if (row_read(doc, FUZZ_NOW_EPOCH_S * 1000, &row, &diag) < 0) {
    PROPERTY(diag.set && diag.text[0], "a refusal has a sentence");
    PROPERTY(diag.path[0] == '$', "a refusal names the place");
  } else {
    PROPERTY(!diag.set, "no error is left behind by a success");
    check_row(&row);
    v = guard_classify(&row.answer);
    fuzz_check_verdict(&v);
    row_answer(row.id, &v, &line);
    check_answer(row.id, &v, &line);
    check_printed(doc, &line);
  }
  row_release(&row);
  buf_release(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct fuzz_lines lines;

  fuzz_lines_init(&lines, data, size);
  while (fuzz_lines_next(&lines)) {
    struct json_doc doc;
    struct diag diag = {0};

    if (json_parse(&doc, "standard input", buf_bytes(&lines.in.text), &diag) <
        0) {
      PROPERTY(diag.set && diag.text[0], "an error has a sentence");
      continue;
    }
    check_document(&doc);
    json_release(&doc);
  }
  fuzz_lines_release(&lines);
  return 0;
}

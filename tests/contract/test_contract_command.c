/*
 * The stand-ins' side of the contract: for every row of
 * tests/fixtures/command.json the command writes the recorded line, ids and
 * paths aside, on the recorded stream, and ends with the recorded code. Rows
 * with a `case` are the bytes of tests/fixtures/vectors; the others hold
 * their own text and its source.
 */
#include "tests/unit/unit.h"

#include "base/clock.h"
#include "base/file.h"
#include "mockserver/command/step.h"

#include <string.h>

#define FIXTURES SOURCE_DIR "/tests/fixtures/"
#define MAX_FILE ((size_t)4 << 20)

static struct json_doc rows;
static struct buf vectors;

/* What one start wrote. */
struct written {
  struct buf out, err;
  int exit_code;
};

static void collect(const struct pieces *p, struct written *ret)
{
  buf_init(&ret->out, MAX_FILE);
  buf_init(&ret->err, MAX_FILE);
  for (size_t i = 0; i < p->n; i++) {
    const struct piece *x = &p->list[i];
    struct bytes text = {p->bytes.p + x->at, x->n};
    if (x->kind == PIECE_OUT)
      buf_addb(&ret->out, text);
    else if (x->kind == PIECE_ERR)
      buf_addb(&ret->err, text);
    else if (x->kind == PIECE_EXIT)
      ret->exit_code = x->number;
  }
}

static char *scenario_of(const cJSON *row)
{
  const char *command = NULL;
  param_string(row, "command", &command);
  cJSON *step = cJSON_Duplicate(param_node(row, "step"), true);
  cJSON_AddStringToObject(step, "command", command);
  char *text = cJSON_PrintUnformatted(step);
  char *all = mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":[%s]}", text);
  cJSON_free(text);
  cJSON_Delete(step);
  return all;
}

static void run(const cJSON *row, struct written *ret)
{
  struct scenario s;
  struct diag diag = {0};
  struct pieces pieces;
  struct command_said said;
  struct ids ids;
  struct text_scope scope = {.value = {.now_ns = INT64_C(1764547200) * NS_PER_S,
                                       .request_id = BYTES("req_PLACEHOLDER")},
                             .gateway = "127.0.0.1:PORT"};
  char *text = scenario_of(row);
  if (scenario_parse(&s, "row", bytes_of(text), &diag) < 0)
    fail_msg("%s: %s", text, diag.text);
  const char *argv[] = {s.steps[0].command};
  struct start start = {.name = s.steps[0].command, .argv = argv, .argc = 1};
  ids_init(&ids, 1);
  pieces_init(&pieces);
  command_pieces(&s.steps[0], &start, &scope, &ids, &pieces, &said);
  collect(&pieces, ret);
  pieces_release(&pieces);
  scenario_release(&s);
  free(text);
}

/* `from` up to the next of `end` becomes `to`, everywhere. */
static char *blank(char *text, const char *from, const char *end,
                   const char *to)
{
  struct buf b;
  buf_init(&b, MAX_FILE);
  char *at = text, *next;
  while ((next = strstr(at, from)) != NULL) {
    buf_add(&b, at, (size_t)(next - at));
    buf_adds(&b, to);
    at = next + strlen(from);
    at += strcspn(at, end);
  }
  buf_adds(&b, at);
  free(text);
  return buf_detach(&b);
}

/* Ids, an organisation's name and the path of a report: of one run only. */
static char *normal(const char *text)
{
  char *s = mem_strdup(text);
  s = blank(s, "\"session_id\":\"", "\"", "\"session_id\":\"SESSION");
  s = blank(s, "\"uuid\":\"", "\"", "\"uuid\":\"UUID");
  s = blank(s, "org-", " ", "org-ORG");
  return blank(s, "report available at: ", " ", "report available at: FILE");
}

/* The body of a vector; NULL: there is none of that id. */
static char *vector(const char *id)
{
  char *copy = mem_strdup(buf_str(&vectors)), *at = copy, *line, *found = NULL;
  char *want = mem_format("{\"id\": \"%s\"", id);
  while (!found && (line = strsep(&at, "\n")) != NULL)
    if (strncmp(line, want, strlen(want)) == 0) {
      cJSON *v = cJSON_Parse(line);
      found =
          mem_strdup(cJSON_GetObjectItemCaseSensitive(v, "body")->valuestring);
      cJSON_Delete(v);
    }
  free(want);
  free(copy);
  return found;
}

static char *wanted(const cJSON *row)
{
  const char *text = NULL;
  if (param_string(row, "text", &text))
    return mem_strdup(text);
  param_string(row, "case", &text);
  char *body = vector(text);
  if (!body)
    fail_msg("no vector %s", text);
  return body;
}

/* As whole lines. */
static bool holds(const char *out, const char *text)
{
  char *want = mem_format("\n%s\n", text), *have = mem_format("\n%s", out);
  bool found = strstr(have, want) != NULL;
  free(want);
  free(have);
  return found;
}

static int compare(const cJSON *row)
{
  struct written w = {.exit_code = -1};
  const char *stream = NULL;
  int64_t code = 0;
  param_string(row, "stream", &stream);
  param_int(row, "exit", &code);
  run(row, &w);
  bool on_out = strcmp(stream, "stdout") == 0;
  char *raw = wanted(row), *want = normal(raw);
  char *got = normal(buf_str(on_out ? &w.out : &w.err));
  int wrong = !holds(got, want) || w.exit_code != code;
  if (wrong) {
    char *text = cJSON_PrintUnformatted(row);
    print_error("%s\n  want %s\n  got  %s  exit %d\n", text, want, got,
                w.exit_code);
    cJSON_free(text);
  }
  free(raw);
  free(want);
  free(got);
  buf_release(&w.out);
  buf_release(&w.err);
  return wrong;
}

static void stand_ins_write_every_recorded_text(void **state)
{
  int wrong = 0, n = 0;
  const cJSON *row = NULL;
  (void)state;
  cJSON_ArrayForEach(row, param_node(rows.root, "texts"))
  {
    wrong += compare(row);
    n++;
  }
  assert_true(n > 80);
  assert_int_equal(wrong, 0);
}

/* The table's row that a fixture shows. */
static const struct command_text *shown(const cJSON *row)
{
  const char *command = NULL, *says = NULL, *version = NULL;
  const cJSON *step = param_node(row, "step");
  param_string(row, "command", &command);
  const struct command_cli *cli = command_cli_find(command);
  if (!param_string(step, "says", &says))
    return NULL;
  if (!param_string(step, "version", &version))
    version = cli->newest;
  return command_text_find(cli, says, version);
}

static void every_row_of_every_table_has_a_fixture(void **state)
{
  int missing = 0;
  (void)state;
  for (const struct command_cli *const *c = command_clis; *c; c++)
    for (const struct command_text *t = (*c)->texts; t->says; t++) {
      const cJSON *row = NULL;
      bool found = false;
      cJSON_ArrayForEach(row, param_node(rows.root, "texts")) found |=
          shown(row) == t;
      if (!found)
        print_error("%s: %s since %s is shown by no fixture\n", (*c)->name,
                    t->says, t->since);
      missing += !found;
    }
  assert_int_equal(missing, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stand_ins_write_every_recorded_text),
      cmocka_unit_test(every_row_of_every_table_has_a_fixture)};
  struct diag diag = {0};
  buf_init(&vectors, MAX_FILE);
  if (json_load(&rows, FIXTURES "command.json", &diag) < 0 ||
      file_read(FIXTURES "vectors/error_bodies.jsonl", &vectors, &diag) < 0)
    return 1;
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  json_release(&rows);
  buf_release(&vectors);
  return rc;
}

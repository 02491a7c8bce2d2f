/*
 * virtual_run.h - `faultwire test` with a Python client, for the tests of
 * virtual time: a folder of its own, a scenario, what was said.
 */
#ifndef TESTS_UNIT_HARNESS_VIRTUAL_RUN_H
#define TESTS_UNIT_HARNESS_VIRTUAL_RUN_H

#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include "base/file.h"

#include <cjson/cJSON.h>
#include <string.h>

#define FAULTWIRE BUILD_DIR "/faultwire"

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

static inline void put(const char *name, const char *text)
{
  struct diag diag = {0};
  char *path = mem_format("%s/%s", folder, name);
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
  free(path);
}

/* The exit code of `faultwire WORDS` in the folder; both streams into `ret`,
 * which the caller releases. */
static inline int faultwire(const char *words, struct buf *ret)
{
  char *line = mem_format("cd %s && " FAULTWIRE " %s 2>&1", folder, words);
  int code = run_line(line, ret);
  free(line);
  return code;
}

/* The scenario's object in the report `name` of the folder; the caller
 * deletes it. */
static inline cJSON *scenario_of(const char *name)
{
  struct buf text;
  struct diag diag = {0};
  char *path = mem_format("%s/%s", folder, name);
  buf_init(&text, 1 << 25);
  if (file_read(path, &text, &diag) < 0)
    fail_msg("%s", diag.text);
  cJSON *report = cJSON_Parse(buf_str(&text));
  cJSON *list = cJSON_GetObjectItem(report, "scenarios");
  cJSON *one = cJSON_DetachItemFromArray(list, 0);
  assert_non_null(one);
  cJSON_Delete(report);
  buf_release(&text);
  free(path);
  return one;
}

static inline const char *word_of(const cJSON *o, const char *key)
{
  const cJSON *item = cJSON_GetObjectItem(o, key);
  return cJSON_IsString(item) ? item->valuestring : "";
}

/* A number of the object `time`; -1: there is none. */
static inline double time_of(const cJSON *o, const char *key)
{
  const cJSON *n = cJSON_GetObjectItem(cJSON_GetObjectItem(o, "time"), key);
  return cJSON_IsNumber(n) ? n->valuedouble : -1;
}

/* A client that asks as `import ask` and `ask.call()`: the answer's status,
 * headers and text. */
static const char ask_py[] =
    "import sys, json, urllib.request, urllib.error\n"
    "q = urllib.request.Request(sys.argv[1] + '/v1/messages', json.dumps("
    "{'model': 'm', 'max_tokens': 5, 'messages': [{'role': 'user', "
    "'content': 'hi'}]}).encode(), {'content-type': 'application/json', "
    "'x-api-key': 'k', 'anthropic-version': '2023-06-01'})\n"
    "def call(**more):\n"
    "  try:\n"
    "    r = urllib.request.urlopen(q, **more)\n"
    "  except urllib.error.HTTPError as e:\n"
    "    r = e\n"
    "  return r.status, r.headers, r.read().decode()\n";

#endif

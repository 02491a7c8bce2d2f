/*
 * Files and batches on a real socket: bodies in any pieces, batches that get
 * on, files that come back byte for byte.
 */
#include "tests/unit/unit.h"

#include "tests/wire/asker.h"

#include <string.h>

static void create_batch(struct asker *a, char ret_path[128])
{
  assert_int_equal(ask(a, "POST /run/v1/messages/batches", ANTHROPIC,
                       "{\"requests\":[{\"custom_id\":\"one\",\"params\":"
                       "{\"model\":\"claude-y\"}},{\"custom_id\":\"t\\\"wo\","
                       "\"params\":{}}]}"),
                   200);
  assert_string_equal(word(a, "processing_status"), "in_progress");
  snprintf(ret_path, 128, "/run/v1/messages/batches/%s", word(a, "id"));
}

static void anthropics_batch_gets_on_by_looks(void **state)
{
  struct asker a;
  char path[128], wanted[256];
  (void)state;
  open_asker(&a, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[],"
                 "\"after_script\":\"reply\",\"endpoints\":{"
                 "\"batch_polls\":2,\"batch_results\":[\"succeeded\","
                 "\"errored\"]}}");
  create_batch(&a, path);
  assert_int_equal(get(&a, path, "/results", ANTHROPIC), 404);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(get(&a, path, "", ANTHROPIC), 200);
    assert_string_equal(word(&a, "processing_status"), "in_progress");
    must_say(&a, "\"processing\":2,\"succeeded\":0");
  }
  assert_int_equal(get(&a, path, "", ANTHROPIC), 200);
  assert_string_equal(word(&a, "processing_status"), "ended");
  must_say(&a, "\"processing\":0,\"succeeded\":1,\"errored\":1");
  snprintf(wanted, sizeof wanted, "http://h:1%s/results", path);
  assert_string_equal(word(&a, "results_url"), wanted);
  assert_int_equal(get(&a, path, "/results", ANTHROPIC), 200);
  must_say(&a, "{\"custom_id\":\"one\",\"result\":{\"type\":\"succeeded\","
               "\"message\":{\"id\":\"msg_");
  must_say(&a, "\"model\":\"claude-y\"");
  must_say(&a, "}}\n{\"custom_id\":\"t\\\"wo\",\"result\":{\"type\":"
               "\"errored\",\"error\":{\"type\":\"error\"");
  close_asker(&a);
}

static void a_batch_gets_on_by_time_and_can_be_cancelled(void **state)
{
  struct asker a;
  char path[128], line[256];
  (void)state;
  open_asker(&a, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[],"
                 "\"after_script\":\"reply\",\"endpoints\":{"
                 "\"batch_polls\":0,\"batch_s\":30}}");
  create_batch(&a, path);
  wire_advance(&a.w, 29999);
  get(&a, path, "", ANTHROPIC);
  assert_string_equal(word(&a, "processing_status"), "in_progress");
  wire_advance(&a.w, 1);
  get(&a, path, "", ANTHROPIC);
  assert_string_equal(word(&a, "processing_status"), "ended");
  create_batch(&a, path);
  snprintf(line, sizeof line, "DELETE %s", path);
  assert_int_equal(ask(&a, line, ANTHROPIC, ""), 400);
  snprintf(line, sizeof line, "POST %s/cancel", path);
  assert_int_equal(ask(&a, line, ANTHROPIC, ""), 200);
  assert_string_equal(word(&a, "processing_status"), "canceling");
  get(&a, path, "", ANTHROPIC);
  assert_string_equal(word(&a, "processing_status"), "ended");
  must_say(&a, "\"canceled\":2");
  assert_int_equal(ask(&a, "GET /v1/messages/batches?limit=1", ANTHROPIC, ""),
                   200);
  must_say(&a, "\"has_more\":true");
  snprintf(line, sizeof line, "DELETE %s", path);
  assert_int_equal(ask(&a, line, ANTHROPIC, ""), 200);
  assert_int_equal(get(&a, path, "", ANTHROPIC), 404);
  close_asker(&a);
}

static void wrong_batches_are_refused_in_the_providers_form(void **state)
{
  struct asker a;
  (void)state;
  open_asker(&a, PLAIN_SCENARIO);
  assert_int_equal(ask(&a, "POST /v1/messages/batches", ANTHROPIC, "{}"), 400);
  must_say(&a, "\"invalid_request_error\",\"message\":\"requests: Field "
               "required\"");
  assert_int_equal(ask(&a, "POST /v1/messages/batches", ANTHROPIC,
                       "{\"requests\":[{\"custom_id\":\"a\",\"params\":{}},"
                       "{\"custom_id\":\"a\",\"params\":{}}]}"),
                   400);
  assert_int_equal(ask(&a, "POST /v1/batches", OPENAI,
                       "{\"input_file_id\":\"file-{{pad:9}}\"}"),
                   400);
  assert_int_equal(ask(&a, "GET /v1/files/no\"such{{model}}", OPENAI, ""), 404);
  must_say(&a, "No such File object: no_such__model}}");
  assert_int_equal(ask(&a, "PUT /v1/files", OPENAI, ""), 404);
  must_say(&a, "faultwire: no provider has such a path and method");
  close_asker(&a);
}

/* Uploads `content`; its id in `ret`. */
static void upload(struct asker *a, struct bytes content, char ret[64])
{
  struct buf body;
  struct diag diag = {0};
  buf_init(&body, 1 << 20);
  buf_adds(&body, "--xYz\r\ncontent-disposition: form-data; "
                  "name=\"purpose\"\r\n\r\nbatch\r\n--xYz\r\n"
                  "content-disposition: form-data; name=\"file\"; "
                  "filename=\"in.jsonl\"\r\n\r\n");
  buf_addb(&body, content);
  buf_adds(&body, "\r\n--xYz--\r\n");
  assert_int_equal(ask_bytes(a, "POST /v1/files",
                             OPENAI "content-type: multipart/form-data; "
                                    "boundary=xYz\r\n",
                             buf_bytes(&body)),
                   200);
  assert_int_equal(json_parse(&a->doc, "answer", body_of(a), &diag), 0);
  assert_string_equal(word(a, "filename"), "in.jsonl");
  snprintf(ret, 64, "%s", word(a, "id"));
  buf_release(&body);
}

static void files_come_back_byte_for_byte(void **state)
{
  static const char content[] = "\0\x01{{pad:99}}\r\n--xY\r\n\xff";
  (void)state;
  for (unsigned seed = 0; seed < 6; seed++) {
    struct asker a;
    char id[64], line[128];
    open_asker(&a, PLAIN_SCENARIO);
    a.seed = seed;
    upload(&a, (struct bytes){content, sizeof content - 1}, id);
    snprintf(line, sizeof line, "GET /v1/files/%s/content", id);
    assert_int_equal(ask_bytes(&a, line, OPENAI, BYTES("")), 200);
    assert_true(
        bytes_equal(body_of(&a), (struct bytes){content, sizeof content - 1}));
    assert_int_equal(ask(&a, "GET /v1/files?purpose=batch", OPENAI, ""), 200);
    must_say(&a, id);
    assert_int_equal(ask(&a, "GET /v1/files?purpose=other", OPENAI, ""), 200);
    must_say(&a, "\"data\":[]");
    snprintf(line, sizeof line, "DELETE /v1/files/%s", id);
    assert_int_equal(ask(&a, line, OPENAI, ""), 200);
    snprintf(line, sizeof line, "GET /v1/files/%s", id);
    assert_int_equal(ask(&a, line, OPENAI, ""), 404);
    close_asker(&a);
  }
}

static void openais_batch_leaves_files_behind(void **state)
{
  struct asker a;
  char id[64], body[256], path[160];
  (void)state;
  open_asker(&a, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[],"
                 "\"after_script\":\"reply\",\"endpoints\":{"
                 "\"batch_results\":[\"succeeded\",\"errored\"]}}");
  upload(&a,
         BYTES("{\"custom_id\":\"a\",\"method\":\"POST\",\"url\":\"/v1/chat/"
               "completions\",\"body\":{\"model\":\"gpt-y\"}}\r\n\n"
               "{\"custom_id\":\"b\",\"body\":{}}"),
         id);
  snprintf(body, sizeof body,
           "{\"input_file_id\":\"%s\",\"endpoint\":\"/v1/chat/completions\","
           "\"completion_window\":\"24h\",\"metadata\":{\"k\":\"v\"}}",
           id);
  assert_int_equal(ask(&a, "POST /v1/batches", OPENAI, body), 200);
  assert_string_equal(word(&a, "status"), "validating");
  must_say(&a, "\"metadata\":{\"k\":\"v\"}");
  snprintf(path, sizeof path, "/v1/batches/%s", word(&a, "id"));
  get(&a, path, "", OPENAI);
  assert_string_equal(word(&a, "status"), "in_progress");
  get(&a, path, "", OPENAI);
  assert_string_equal(word(&a, "status"), "completed");
  must_say(&a, "\"total\":2,\"completed\":1,\"failed\":1");
  char good[128], bad[128];
  snprintf(good, sizeof good, "/v1/files/%s", word(&a, "output_file_id"));
  snprintf(bad, sizeof bad, "/v1/files/%s", word(&a, "error_file_id"));
  assert_int_equal(get(&a, good, "/content", OPENAI), 200);
  assert_string_equal(word(&a, "custom_id"), "a");
  must_say(&a, "\"model\":\"gpt-y\"");
  assert_int_equal(get(&a, bad, "/content", OPENAI), 200);
  must_say(&a, "\"custom_id\":\"b\",\"response\":{\"status_code\":500");
  close_asker(&a);
}

static void a_file_that_is_no_batch_fails_the_batch(void **state)
{
  struct asker a;
  char id[64], body[256];
  (void)state;
  open_asker(&a, PLAIN_SCENARIO);
  upload(&a, BYTES("{\"custom_id\":\"a\",\"body\":{}}\nnonsense\n"), id);
  snprintf(body, sizeof body,
           "{\"input_file_id\":\"%s\",\"endpoint\":\"/v1/responses\"}", id);
  assert_int_equal(ask(&a, "POST /v1/batches", OPENAI, body), 200);
  assert_string_equal(word(&a, "status"), "failed");
  must_say(&a, "\"line\":2");
  close_asker(&a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(anthropics_batch_gets_on_by_looks),
      cmocka_unit_test(a_batch_gets_on_by_time_and_can_be_cancelled),
      cmocka_unit_test(wrong_batches_are_refused_in_the_providers_form),
      cmocka_unit_test(files_come_back_byte_for_byte),
      cmocka_unit_test(openais_batch_leaves_files_behind),
      cmocka_unit_test(a_file_that_is_no_batch_fails_the_batch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

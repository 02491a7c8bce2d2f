/* What tests of other mock servers ask for: LLMock's verdict, aimock's queued
 * error, the Retry Test of Google's storage-testbench. */
#include "mockserver/admin_priv.h"

#include "base/json.h"
#include "mockserver/wire_verdict.h"

#include <string.h>

#define RETRY_TEST "retry_test/"

static struct retry_test *find_test(const struct admin *a,
                                    const struct exchange *x, struct buf *ret)
{
  struct bytes name = admin_name(x->call->path);
  size_t n = strlen(RETRY_TEST);
  struct bytes id = {name.p + n, name.n - n};
  struct retry_test *t = retry_tests_find(a->retry_tests, id);
  char text[128];
  snprintf(text, sizeof text, "Retry Test %.*s does not exist",
           (int)(id.n < 64 ? id.n : 64), id.p);
  if (!t)
    admin_error(ret, 404, text);
  return t;
}

int admin_post_retry_test(const struct admin *a, const struct exchange *x,
                          struct buf *ret)
{
  struct json_doc doc;
  struct diag diag = {0};
  const struct retry_test *t = NULL;
  if (json_parse(&doc, "retry_test", x->request->body, &diag) == 0) {
    struct jval root = json_root(&doc);
    t = retry_tests_add(a->retry_tests, a->force, &root, &diag);
    json_release(&doc);
  }
  if (!t)
    return admin_bad_json(ret, &diag);
  retry_test_json(t, ret);
  return 200;
}

int admin_get_retry_test(const struct admin *a, const struct exchange *x,
                         struct buf *ret)
{
  const struct retry_test *t = find_test(a, x, ret);
  if (!t)
    return 404;
  retry_test_json(t, ret);
  return 200;
}

int admin_delete_retry_test(const struct admin *a, const struct exchange *x,
                            struct buf *ret)
{
  struct retry_test *t = find_test(a, x, ret);
  if (!t)
    return 404;
  struct bytes name = admin_name(x->call->path);
  size_t n = strlen(RETRY_TEST);
  buf_adds(ret, "Deleted ");
  buf_add(ret, name.p + n, name.n - n);
  retry_tests_remove(a->retry_tests, t);
  *a->type = "text/plain";
  return 200;
}

int admin_get_retry_tests(const struct admin *a, const struct exchange *x,
                          struct buf *ret)
{
  (void)x;
  retry_tests_json(a->retry_tests, ret);
  return 200;
}

int admin_post_error(const struct admin *a, const struct exchange *x,
                     struct buf *ret)
{
  struct json_doc doc;
  struct diag diag = {0};
  int failed = json_parse(&doc, "error", x->request->body, &diag);
  if (!failed) {
    struct jval root = json_root(&doc);
    failed = error_queue_add(a->errors, &root, &diag);
    json_release(&doc);
  }
  if (failed)
    return admin_bad_json(ret, &diag);
  buf_adds(ret, "{\"queued\":true}");
  return 200;
}

/* Faults of the script that no call has met. */
static size_t unused_steps(const struct act *act)
{
  const struct scenario *s = act->scenario;
  size_t n = 0;
  for (size_t i = 0; s && i < s->nsteps; i++)
    n += s->steps[i].faulty && !s->steps[i].optional &&
         script_uses(act->script, i) == 0;
  return n;
}

int admin_get_verdict(const struct admin *a, const struct exchange *x,
                      struct buf *ret)
{
  struct wire_verdict v;
  struct wire_verdict_context c = {.no_faults = a->settings->no_faults,
                                   .unused_steps = unused_steps(a->act),
                                   .waiting = a->errors->n +
                                              retry_tests_open(a->retry_tests)};
  wire_verdict_judge(a->journal, &c, &v);
  if (bytes_equal(x->call->query, BYTES("format=text"))) {
    wire_verdict_text(&v, ret);
    *a->type = "text/plain; charset=utf-8";
  } else {
    wire_verdict_json(&v, ret);
  }
  wire_verdict_release(&v);
  return 200;
}

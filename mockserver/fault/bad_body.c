#include "mockserver/exchange.h"
#include "mockserver/json_edit.h"
#include "mockserver/step_check.h"

#include <string.h>

static const char *const hows[] = {"empty",       "truncated", "array",
                                   "null_fields", "not_json",  "html",
                                   "text",        NULL};
enum { EMPTY, TRUNCATED, ARRAY, NULL_FIELDS, NOT_JSON, HTML, TEXT };

static const struct param params[] = {
    {.name = "how",
     .type = PARAM_WORD,
     .words = hows,
     .required = true,
     .summary = "empty; truncated: the right JSON, half of it or at_byte; "
                "array: in a list; null_fields: `fields` are null; not_json: "
                "one that no parser takes; html, text: an edge's page"},
    {.name = "status",
     .type = PARAM_INT,
     .min = 200,
     .max = 999,
     .summary = "default 200"},
    {.name = "at_byte",
     .type = PARAM_INT,
     .min = 0,
     .max = 1e9,
     .summary = "truncated: bytes of the JSON that are sent"},
    {.name = "fields",
     .type = PARAM_STRINGS,
     .summary = "null_fields: paths (choices.0.message); default: all at the "
                "top"},
    {.name = NULL}};

enum { MAX_BODY = 64 << 20 };

/* nginx, as its special responses are written. */
#define HTML_PAGE                                                              \
  "<html>\r\n<head><title>%d %s</title></head>\r\n<body>\r\n"                  \
  "<center><h1>%d %s</h1></center>\r\n<hr><center>nginx</center>\r\n"          \
  "</body>\r\n</html>\r\n"

static int how_of(const cJSON *step)
{
  return param_word(step, "how", hows, EMPTY);
}

static int check(const struct jval *step, struct diag *diag)
{
  struct jval v;
  if (how_of(step->node) != TRUNCATED && jval_member(step, "at_byte", &v))
    return jval_key_error(&v, diag, "needs \"how\": \"truncated\"");
  if (how_of(step->node) != NULL_FIELDS && jval_member(step, "fields", &v))
    return jval_key_error(&v, diag, "needs \"how\": \"null_fields\"");
  return 0;
}

static void truncate_body(const cJSON *step, struct buf *body)
{
  int64_t n = (int64_t)(body->n / 2);
  param_int(step, "at_byte", &n);
  if ((size_t)n < body->n)
    body->n = (size_t)n;
}

static void set_null(const cJSON *step, cJSON *root)
{
  const cJSON *path;
  cJSON *member;
  cJSON_ArrayForEach(path, param_node(step, "fields"))
  {
    json_edit_set(root, path->valuestring, NULL);
  }
  if (param_has(step, "fields"))
    return;
  for (member = root->child; member;) {
    cJSON *next = member->next;
    json_edit_set(root, member->string, NULL);
    member = next;
  }
}

static void null_fields(const cJSON *step, struct buf *body)
{
  cJSON *root = cJSON_ParseWithLength(body->p, body->n);
  set_null(step, root);
  char *text = cJSON_PrintUnformatted(root);
  buf_reset(body);
  buf_adds(body, text);
  cJSON_free(text);
  cJSON_Delete(root);
}

static void in_array(struct buf *body)
{
  struct buf list;
  buf_init(&list, MAX_BODY);
  buf_addc(&list, '[');
  buf_addb(&list, buf_bytes(body));
  buf_addc(&list, ']');
  buf_reset(body);
  buf_addb(body, buf_bytes(&list));
  buf_release(&list);
}

static void page(int how, int status, struct buf *body)
{
  const char *reason = exchange_reason(status);
  buf_reset(body);
  if (how == HTML)
    buf_addf(body, HTML_PAGE, status, reason, status, reason);
  else
    buf_addf(body, "error code: %d", status);
}

/* `body` is the right one. */
static void spoil(const cJSON *step, int how, int status, struct buf *body)
{
  if (how == TRUNCATED)
    truncate_body(step, body);
  else if (how == ARRAY)
    in_array(body);
  else if (how == NULL_FIELDS)
    null_fields(step, body);
  else if (how == NOT_JSON && body->n > 1)
    /* one brace too many: a parser that stops at the first object misses it */
    buf_addc(body, '}');
  else if (how == HTML || how == TEXT)
    page(how, status, body);
  else
    buf_reset(body);
}

static void run(struct exchange *x)
{
  const cJSON *step = exchange_step(x);
  struct buf body;
  int64_t status = 200;
  int how = how_of(step);
  char what[64];
  buf_init(&body, MAX_BODY);
  param_int(step, "status", &status);
  exchange_plain_text(x, &body);
  spoil(step, how, (int)status, &body);
  exchange_answer(x, &(struct exchange_answer){.status = (int)status,
                                               .raw = buf_bytes(&body),
                                               .default_headers = true});
  snprintf(what, sizeof what, "%d %s body", (int)status, hows[how]);
  exchange_what(x, what);
  buf_release(&body);
}

const struct fault fault_bad_body = {
    .name = "bad_body",
    .summary = "An answer whose body is not what the API promises: empty, "
               "cut, a list, nulls, no JSON, a page.",
    .params = params,
    .has_reply = true,
    .check = check,
    .run = run};

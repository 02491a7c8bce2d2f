#include "mockserver/error_queue.h"

#include "base/json.h"

/* More than a test queues; a leak of a test's is told instead of kept. */
enum { MAX_QUEUED = 1000 };
/* aimock's range, and its default. */
enum { MIN_STATUS = 200, MAX_STATUS = 599, DEFAULT_STATUS = 500 };
/* A text with all of its escapes. */
#define MAX_TEXT ((size_t)1 << 20)

void error_queue_init(struct error_queue *q)
{
  *q = (struct error_queue){.end = &q->first};
}

static void error_free(struct queued_error *e)
{
  free(e->message);
  free(e->type);
  free(e->code);
  free(e);
}

static struct queued_error *take_first(struct error_queue *q)
{
  struct queued_error *e = q->first;
  if (!e)
    return NULL;
  q->first = e->next;
  if (!q->first)
    q->end = &q->first;
  q->n--;
  return e;
}

void error_queue_release(struct error_queue *q)
{
  for (struct queued_error *e; (e = take_first(q));)
    error_free(e);
}

/* ---- reading ---- */

/* Between the quotes of a JSON string; `values`: where {{...}} is looked for
 * as well, and the text means none. */
static bool escape(const char *text, bool values, char **ret)
{
  struct buf json, b;
  buf_init(&json, MAX_TEXT);
  buf_init(&b, MAX_TEXT);
  buf_add_json(&json, bytes_of(text));
  for (size_t i = 1; i + 1 < json.n; i++) {
    if (values && json.p[i] == '{')
      buf_adds(&b, "{{hex:7b}}");
    else
      buf_addc(&b, json.p[i]);
  }
  bool whole = !json.full && !b.full;
  *ret = bytes_dup(buf_bytes(&b));
  buf_release(&json);
  buf_release(&b);
  return whole;
}

/* NULL: it is absent or null, as serializers write what is not set. */
static int read_text(const struct jval *v, const char *key, bool values,
                     char **ret, struct diag *diag)
{
  struct jval value;
  const char *text = NULL;
  if (!jval_member(v, key, &value) || cJSON_IsNull(value.node))
    return 0;
  if (jval_string(&value, &text, diag) < 0)
    return -1;
  return escape(text, values, ret) ? 0
                                   : jval_error(&value, diag, "is too long");
}

static int read_body(struct queued_error *e, const struct jval *root,
                     struct diag *diag)
{
  /* `param` is there in captured bodies and is told by the provider's own */
  static const char *const known[] = {"message", "type", "code", "param", NULL};
  struct jval body;
  if (!jval_member(root, "body", &body) || cJSON_IsNull(body.node))
    return 0;
  if (jval_object(&body, diag) < 0 || jval_known_keys(&body, known, diag) < 0 ||
      read_text(&body, "message", true, &e->message, diag) < 0 ||
      read_text(&body, "type", false, &e->type, diag) < 0)
    return -1;
  return read_text(&body, "code", false, &e->code, diag);
}

static int read_error(struct queued_error *e, const struct jval *root,
                      struct diag *diag)
{
  static const char *const known[] = {"status", "body", NULL};
  struct jval v;
  int64_t status = DEFAULT_STATUS;
  if (jval_object(root, diag) < 0 || jval_known_keys(root, known, diag) < 0)
    return -1;
  if (jval_member(root, "status", &v) && !cJSON_IsNull(v.node) &&
      jval_int(&v, MIN_STATUS, MAX_STATUS, &status, diag) < 0)
    return -1;
  e->status = (int)status;
  return read_body(e, root, diag);
}

int error_queue_add(struct error_queue *q, const struct jval *body,
                    struct diag *diag)
{
  struct queued_error *e = mem_zalloc(sizeof *e);
  int rc = q->n < MAX_QUEUED ? read_error(e, body, diag)
                             : diag_set(diag, "%zu errors wait already", q->n);
  if (rc < 0) {
    error_free(e);
    return -1;
  }
  *q->end = e;
  q->end = &e->next;
  q->n++;
  return 0;
}

/* ---- answering ---- */

/* The provider's own error of that status; NULL: it has none. */
static const struct provider_error *error_like(const struct provider *p,
                                               int status)
{
  for (const struct provider_error *e = p->errors; e->name; e++)
    if (e->status == status)
      return e;
  return NULL;
}

static struct provider_error error_of(const struct provider *p,
                                      const struct queued_error *q)
{
  const struct provider_error *like = error_like(p, q->status);
  struct provider_error e = {.name = "queued",
                             .status = q->status,
                             .type = "api_error",
                             .message = "an error that was queued"};
  if (like)
    e = *like;
  if (q->message || q->type || q->code) { /* no longer that error */
    e.name = "queued";
    e.details = e.whole = e.param = e.headers = NULL;
    e.code = q->code;
    e.message = q->message ? q->message : e.message;
    e.type = q->type ? q->type : e.type;
  }
  return e;
}

bool error_queue_answer(struct error_queue *q, struct exchange *x)
{
  struct queued_error *e = take_first(q);
  if (!e)
    return false;
  struct provider_error sent = error_of(x->provider, e);
  exchange_send_error(x, &sent, "status");
  error_free(e);
  return true;
}

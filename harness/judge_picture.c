#include "harness/judge_picture.h"

#include "harness/pattern.h"

/* --- the run -------------------------------------------------------------- */

/* A wait beyond a century is drawn like one. */
#define MAX_WAIT_S 3e9

static cJSON *window_json(const struct attempt *a, double wait_s)
{
  int64_t from = attempt_end_ns(a);
  double s = wait_s < MAX_WAIT_S ? wait_s : MAX_WAIT_S;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddNumberToObject(o, "seq", (double)a->seq);
  cJSON_AddNumberToObject(o, "from_ns", (double)from);
  cJSON_AddNumberToObject(o, "until_ns",
                          (double)(from + (int64_t)(s * (double)NS_PER_S)));
  return o;
}

void picture_add_run(cJSON *scenario, const struct evidence *e)
{
  cJSON_AddNumberToObject(scenario, "start_ns", (double)e->start_ns);
  cJSON_AddNumberToObject(scenario, "end_ns", (double)e->end_ns);
  cJSON *list = cJSON_AddArrayToObject(scenario, "windows");
  for (size_t i = 0; i < e->nattempts; i++) {
    double wait_s = 0;
    if (attempt_retry_after_s(e, e->attempts[i], &wait_s) && wait_s > 0)
      cJSON_AddItemToArray(list, window_json(e->attempts[i], wait_s));
  }
}

/* --- one start ------------------------------------------------------------ */

/* As JSON text: the bytes may be no UTF-8 or hold a NUL, which cJSON's own
 * strings cannot. */
static void add_bytes(cJSON *o, const char *key, struct bytes text)
{
  struct buf b, plain;
  buf_init(&plain, text.n);
  for (size_t i = 0; i < text.n; i++)
    buf_addc(&plain, text.p[i] ? text.p[i] : '\x1a'); /* SUBSTITUTE */
  buf_init(&b, SIZE_MAX / 2);
  buf_add_json(&b, buf_bytes(&plain));
  cJSON_AddItemToObject(o, key, cJSON_CreateRaw(buf_str(&b)));
  buf_release(&plain);
  buf_release(&b);
}

/* Moved to the front of a character, so that none is cut in two. */
static size_t at_character(struct bytes text, size_t at)
{
  while (at < text.n && ((unsigned char)text.p[at] & 0xc0) == 0x80)
    at++;
  return at;
}

/* The front under `key`; what follows, or the end of it, under `end_key`. */
static void add_output(cJSON *o, const char *key, const char *end_key,
                       struct bytes all)
{
  size_t front = all.n;
  if (all.n <= PICTURE_OUTPUT_BYTES) {
    add_bytes(o, key, all);
    return;
  }
  front = at_character(all, PICTURE_OUTPUT_BYTES);
  size_t end = all.n > 2 * PICTURE_OUTPUT_BYTES
                   ? at_character(all, all.n - PICTURE_OUTPUT_BYTES)
                   : front;
  add_bytes(o, key, (struct bytes){all.p, front});
  add_bytes(o, end_key, (struct bytes){all.p + end, all.n - end});
}

static bool find_line(struct pattern *p, const struct client_start *s)
{
  return pattern_last(p, s->err) || pattern_last(p, s->out);
}

static void add_group(cJSON *o, struct pattern *p, const char *name)
{
  struct bytes text = {0};
  if (pattern_has_group(p, name) && pattern_group(p, name, &text))
    add_bytes(o, name, text);
}

/* What the client says of itself at its end: the breaker's state, and how
 * often it opened. The names are those of docs/checks.md, metrics_line. */
static void add_metrics(cJSON *o, const struct evidence *e,
                        const struct client_start *s)
{
  static const char *const names[] = {"state", "hits", "rejected", "opened",
                                      "attempts"};
  const char *text = NULL;
  char why[160];
  if (!policy_text(e->policy, "metrics_line", &text))
    return;
  struct pattern *p = pattern_new(text, why, sizeof why);
  if (p && find_line(p, s)) {
    cJSON *metrics = cJSON_AddObjectToObject(o, "metrics");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      add_group(metrics, p, names[i]);
  }
  pattern_free(p);
}

void picture_add_start(cJSON *start, const struct evidence *e,
                       const struct client_start *s)
{
  cJSON_AddNumberToObject(start, "start_ns", (double)s->start_ns);
  cJSON_AddNumberToObject(start, "exit_ns", (double)s->exit_ns);
  if (s->signalled_ns)
    cJSON_AddNumberToObject(start, "signalled_ns", (double)s->signalled_ns);
  add_output(start, "stdout", "stdout_end", s->out);
  add_output(start, "stderr", "stderr_end", s->err);
  add_metrics(start, e, s);
}

/* --- one check ------------------------------------------------------------ */

void picture_add_line(cJSON *check, const struct evidence *e,
                      const struct expect *x)
{
  struct jval root = json_root(&e->scenario->doc), list;
  int line = 0, column = 0;
  if (!e->scenario->doc.root || !jval_member(&root, "expect", &list) ||
      x->index >= jval_count(&list))
    return;
  struct jval item = jval_item(&list, x->index);
  if (json_locate(&item, false, &line, &column))
    cJSON_AddNumberToObject(check, "line", line);
}

#include "harness/check/all.h"
#include "harness/check/common.h"

#include <string.h>

/*
 * What the client says about itself in JSON (`{"attempts": 3, "ok": true}`)
 * against what the server saw: a client may not report a run it did not have.
 */

/* Lines longer than this are no statement. */
enum { MAX_LINE = 1 << 20 };

static cJSON *parse_line(struct bytes line)
{
  while (line.n && (*line.p == ' ' || *line.p == '\t'))
    line.p++, line.n--;
  if (line.n == 0 || line.n > MAX_LINE || *line.p != '{')
    return NULL;
  cJSON *json = cJSON_ParseWithLength(line.p, line.n);
  if (cJSON_IsObject(json))
    return json;
  cJSON_Delete(json);
  return NULL;
}

/* The last line of a text that is a JSON object with that key; the caller
 * deletes. */
static cJSON *last_statement(struct bytes text, const char *key)
{
  cJSON *found = NULL;
  while (text.n) {
    const char *end = memchr(text.p, '\n', text.n);
    size_t n = end ? (size_t)(end - text.p) : text.n;
    cJSON *json = parse_line((struct bytes){text.p, n});
    if (json && cJSON_GetObjectItemCaseSensitive(json, key)) {
      cJSON_Delete(found);
      found = json;
    } else {
      cJSON_Delete(json);
    }
    n += end != NULL;
    text.p += n;
    text.n -= n;
  }
  return found;
}

/* Compared as it stands: true, false, or a text that is no expression. */
static bool is_plain(const cJSON *want)
{
  struct expr parsed;
  char why[160];
  size_t at = 0;
  return cJSON_IsBool(want) ||
         (cJSON_IsString(want) &&
          expr_parse(&parsed, want->valuestring, why, sizeof why, &at) < 0);
}

static void compare(const cJSON *said, const cJSON *want,
                    const struct expr_vars *vars, struct finding *f)
{
  char why[160];
  double number = 0;
  char *text = cJSON_PrintUnformatted(said);
  enum expr_result r = EXPR_OK;
  bool same = false;
  if (is_plain(want)) {
    char *wanted = cJSON_PrintUnformatted(want);
    snprintf(f->expected, sizeof f->expected, "%s", wanted);
    cJSON_free(wanted);
    same = cJSON_Compare(said, want, true);
  } else {
    r = expr_eval_node(want, vars, NULL, &number, why, sizeof why);
    snprintf(f->expected, sizeof f->expected, "%g", number);
    same = cJSON_IsNumber(said) && !(said->valuedouble < number) &&
           !(said->valuedouble > number);
  }
  if (r != EXPR_OK)
    finding_no_value(f, r, why);
  else
    finding_actual(f, same ? VERDICT_PASS : VERDICT_FAIL, "%.200s", text);
  cJSON_free(text);
}

static void judge_key(const struct lane_view *v, size_t i, const cJSON *want,
                      struct finding *ret)
{
  const struct client_start *s = v->s[i];
  struct expr_vars vars = vars_plain(v->e);
  struct finding f = {0};
  char label[32];
  vars.calls = 0;
  for (size_t k = 0; k < v->na; k++)
    vars.calls += lane_start_of(v, v->a[k]) == (int)i;
  snprintf(f.text, sizeof f.text, "%sthe client's statement of '%s'",
           start_label(v, i, label, sizeof label), want->string);
  cJSON *json = last_statement(s->out, want->string);
  if (!json)
    json = last_statement(s->err, want->string);
  if (json)
    compare(cJSON_GetObjectItemCaseSensitive(json, want->string), want, &vars,
            &f);
  else if (s->out_cut || s->err_cut)
    finding_actual(&f, VERDICT_INCONCLUSIVE,
                   "more was written than is kept: it may be missing");
  else
    finding_actual(&f, VERDICT_FAIL, "no line of JSON says it");
  cJSON_Delete(json);
  finding_merge(ret, &f);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  const cJSON *want = NULL;
  for (size_t i = 0; v->na && i < v->ns; i++)
    cJSON_ArrayForEach(want, param_node(x->node, "says"))
        judge_key(v, i, want, ret);
  if (ret->text[0])
    return;
  snprintf(ret->text, sizeof ret->text, "the client's own statement");
  finding_actual(ret, VERDICT_INCONCLUSIVE, "there was no start with a call");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static int check_value(const struct jval *v, struct diag *diag)
{
  if (cJSON_IsBool(v->node) || cJSON_IsNumber(v->node) ||
      cJSON_IsString(v->node))
    return 0;
  return jval_error(v, diag, "must be a number, a text or true or false");
}

static int check(const struct jval *expect, struct diag *diag)
{
  struct jval says;
  if (!jval_member(expect, "says", &says))
    return 0;
  if (jval_count(&says) == 0)
    return jval_error(&says, diag, "must name a key of the statement");
  for (int i = 0; i < jval_count(&says); i++) {
    struct jval item = jval_item(&says, i);
    if (check_value(&item, diag) < 0)
      return -1;
  }
  return 0;
}

static const struct param params[] = {
    {.name = "says",
     .type = PARAM_OBJECT,
     .required = true,
     .summary = "key and value each: a number or an expression (`calls`, "
                "`policy.attempts`), true or false, or a text"},
    {.name = NULL}};

const struct check check_statement = {
    .name = "statement",
    .summary = "what the client says about itself in a line of JSON is what "
               "the server saw",
    .params = params,
    .per_lane = true,
    .check = check,
    .judge = judge};

#include "mockserver/shape.h"

#include "base/clock.h"
#include "base/number.h"
#include "base/words.h"
#include "mockserver/plan.h"
#include "mockserver/step_check.h"

#include <string.h>

/* A day, the longest a client is watched. */
#define MAX_MS 86400000
/* Places a step may name, each of pauses and split.at. */
enum { MAX_PLACES = 10000 };

static const char *const part_words[] = {"answer", "head", "body", NULL};
static const char *const inside_words[] = {"utf8", "crlf", "lines", NULL};
static const char *const framing_words[] = {"normal", "close", NULL};
static const char *const close_words[] = {"as_is",    "keep",     "fin",
                                          "rst",      "abrupt",   "hold",
                                          "idle_fin", "idle_rst", NULL};
static const char *const place_words[] = {"head", "body", "end", NULL};

const struct param shape_params[] = {
    {.name = "interim",
     .type = PARAM_VALUE,
     .summary = "answers of 1xx before the answer: status, headers, pause_ms"},
    {.name = "early",
     .type = PARAM_BOOL,
     .summary = "answer as soon as the request's head is in, before its "
                "body is read"},
    {.name = "pauses",
     .type = PARAM_VALUE,
     .summary = "silences inside the answer: [place, milliseconds] each"},
    {.name = "split",
     .type = PARAM_OBJECT,
     .summary = "sends the answer in pieces: every, at, inside, in, pause_ms"},
    {.name = "cut",
     .type = PARAM_STRING,
     .summary = "nothing from this place on is sent: head+9, body, body+12, "
                "end-1"},
    {.name = "framing",
     .type = PARAM_WORD,
     .words = framing_words,
     .summary = "close: neither content-length nor chunks, FIN ends the body"},
    {.name = "length_add",
     .type = PARAM_INT,
     .min = -1e9,
     .max = 1e9,
     .summary = "added to the content-length that is announced"},
    {.name = "trailing",
     .type = PARAM_STRING,
     .summary = "bytes behind the answer, with {{...}} values"},
    {.name = "close",
     .type = PARAM_WORD,
     .words = close_words,
     .summary = "what becomes of the connection behind the answer; default "
                "as_is, behind a cut fin"},
    {.name = "close_after_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_MS,
     .summary = "silence before that; of idle_fin and idle_rst: how long "
                "the next request may take to come"},
    {.name = "close_notify",
     .type = PARAM_BOOL,
     .summary = "false: HTTPS ends behind this answer without close_notify; "
                "default true"},
    {.name = NULL}};

const struct param split_params[] = {
    {.name = "every",
     .type = PARAM_INT,
     .min = 1,
     .max = 1e9,
     .summary = "bytes of a piece"},
    {.name = "at",
     .type = PARAM_STRINGS,
     .summary = "places where a piece begins"},
    {.name = "inside",
     .type = PARAM_STRINGS,
     .summary = "utf8: inside every character of several bytes; crlf: "
                "between CR and LF; lines: behind every LF"},
    {.name = "in",
     .type = PARAM_WORD,
     .words = part_words,
     .summary = "the part that every and inside are about, default answer"},
    {.name = "pause_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_MS,
     .summary = "milliseconds between two pieces, default 0"},
    {.name = NULL}};

const struct param interim_params[] = {
    {.name = "status",
     .type = PARAM_INT,
     .min = 100,
     .max = 199,
     .required = true,
     .summary = "100, 102, 103 ..."},
    {.name = "headers",
     .type = PARAM_PAIRS,
     .summary = "its headers, in order"},
    {.name = "pause_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_MS,
     .summary = "silence behind it, default 0"},
    {.name = NULL}};

static int read_place(struct shape_place *ret, const struct jval *v,
                      struct diag *diag)
{
  const char *text = v->node->valuestring;
  size_t n = strcspn(text, "+-");
  char word[16], hint[256];
  uint64_t add = 0;
  snprintf(word, sizeof word, "%.*s", (int)n, text);
  int which = 0;
  while (place_words[which] && strcmp(place_words[which], word) != 0)
    which++;
  if (!place_words[which]) {
    words_hint(word, place_words, hint, sizeof hint);
    return jval_error(v, diag, "'%s' is no place of an answer%s", word, hint);
  }
  if (text[n] &&
      number_u64(bytes_of(text + n + 1), PLAN_MAX_BYTES, &add) != NUMBER_OK)
    return jval_error(v, diag,
                      "must be a place such as head, head+9, body+12 or "
                      "end-1");
  *ret = (struct shape_place){.from = (unsigned)which,
                              .add = text[n] == '-' ? -(int64_t)add
                                                    : (int64_t)add};
  return 0;
}

static int check_count(const struct jval *v, struct diag *diag)
{
  if (jval_array(v, diag) < 0)
    return -1;
  if (jval_count(v) <= MAX_PLACES)
    return 0;
  return jval_error(v, diag, "holds more than %d places", MAX_PLACES);
}

static int read_pause(struct shape_pause *ret, const struct jval *v,
                      struct diag *diag)
{
  const char *text = NULL;
  int64_t ms = 0;
  if (jval_array(v, diag) < 0)
    return -1;
  if (jval_count(v) != 2)
    return jval_error(v, diag, "must be a pair [place, milliseconds]");
  struct jval place = jval_item(v, 0), time = jval_item(v, 1);
  if (jval_string(&place, &text, diag) < 0 ||
      read_place(&ret->at, &place, diag) < 0 ||
      jval_int(&time, 0, MAX_MS, &ms, diag) < 0)
    return -1;
  ret->ns = ms * NS_PER_MS;
  return 0;
}

static int read_pauses(struct shape *s, const struct jval *step,
                       struct diag *diag)
{
  struct jval v;
  if (!jval_member(step, "pauses", &v))
    return 0;
  if (check_count(&v, diag) < 0)
    return -1;
  s->pauses = mem_zalloc(((size_t)jval_count(&v) + 1) * sizeof *s->pauses);
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval item = jval_item(&v, i);
    if (read_pause(&s->pauses[s->npauses++], &item, diag) < 0)
      return -1;
  }
  return 0;
}

static int read_at(struct shape *s, const struct jval *split, struct diag *diag)
{
  struct jval v;
  if (!jval_member(split, "at", &v))
    return 0;
  if (check_count(&v, diag) < 0)
    return -1;
  s->at = mem_zalloc(((size_t)jval_count(&v) + 1) * sizeof *s->at);
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval item = jval_item(&v, i);
    if (read_place(&s->at[s->nat++], &item, diag) < 0)
      return -1;
  }
  return 0;
}

static int read_inside(struct shape *s, const struct jval *split,
                       struct diag *diag)
{
  struct jval v;
  char hint[256];
  if (!jval_member(split, "inside", &v))
    return 0;
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval item = jval_item(&v, i);
    const char *word = item.node->valuestring;
    unsigned k = 0;
    while (inside_words[k] && strcmp(inside_words[k], word) != 0)
      k++;
    if (!inside_words[k]) {
      words_hint(word, inside_words, hint, sizeof hint);
      return jval_error(&item, diag, "unknown word '%s'%s", word, hint);
    }
    s->inside |= 1u << k;
  }
  return 0;
}

static int read_split(struct shape *s, const struct jval *step,
                      struct diag *diag)
{
  static const struct param *const tables[] = {split_params};
  struct jval v;
  int64_t every = 0, ms = 0;
  if (!jval_member(step, "split", &v))
    return 0;
  if (param_check(&v, tables, 1, NULL, diag) < 0 || read_at(s, &v, diag) < 0 ||
      read_inside(s, &v, diag) < 0)
    return -1;
  param_int(v.node, "every", &every);
  param_int(v.node, "pause_ms", &ms);
  s->every = (uint64_t)every;
  s->split_ns = ms * NS_PER_MS;
  s->part = (enum shape_part)param_word(v.node, "in", part_words, PART_ANSWER);
  if (!s->every && !s->nat && !s->inside)
    return jval_error(&v, diag, "needs 'every', 'at' or 'inside'");
  return 0;
}

static int read_cut(struct shape *s, const struct jval *step, struct diag *diag)
{
  struct jval v;
  s->has_cut = jval_member(step, "cut", &v);
  return s->has_cut ? read_place(&s->cut, &v, diag) : 0;
}

static int read_close(struct shape *s, const struct jval *step,
                      struct diag *diag)
{
  struct jval v;
  int64_t ms = 0;
  s->close = (enum shape_close)param_word(step->node, "close", close_words,
                                          CLOSE_AS_IS);
  bool timed = param_int(step->node, "close_after_ms", &ms);
  bool idle = s->close == CLOSE_IDLE_FIN || s->close == CLOSE_IDLE_RST;
  s->close_after_ns = ms * NS_PER_MS;
  if (jval_member(step, "close_after_ms", &v) &&
      (s->close == CLOSE_AS_IS || s->close == CLOSE_KEEP ||
       s->close == CLOSE_HOLD))
    return jval_key_error(&v, diag,
                          "needs \"close\": fin, rst, abrupt, idle_fin or "
                          "idle_rst");
  if (idle && (!timed || ms == 0) && jval_member(step, "close", &v))
    return jval_error(&v, diag, "needs 'close_after_ms' from 1");
  return 0;
}

static int check_interim(const struct jval *step, struct diag *diag)
{
  static const struct param *const tables[] = {interim_params};
  struct jval v;
  if (!jval_member(step, "interim", &v))
    return 0;
  if (jval_array(&v, diag) < 0)
    return -1;
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval item = jval_item(&v, i);
    if (param_check(&item, tables, 1, NULL, diag) < 0 ||
        step_check_headers(&item, diag) < 0)
      return -1;
  }
  return 0;
}

static int check_trailing(const struct jval *step, struct diag *diag)
{
  struct jval v;
  return jval_member(step, "trailing", &v) ? step_check_text(&v, diag) : 0;
}

static bool has_any(const cJSON *step)
{
  for (const struct param *p = shape_params; p->name; p++)
    if (param_has(step, p->name))
      return true;
  return false;
}

static int read_all(struct shape *s, const struct jval *step, struct diag *diag)
{
  int64_t add = 0;
  bool notify = true;
  param_int(step->node, "length_add", &add);
  param_bool(step->node, "close_notify", &notify);
  s->no_notify = !notify;
  s->incomplete = add != 0;
  s->until_close = param_word(step->node, "framing", framing_words, 0) == 1;
  if (check_interim(step, diag) < 0 || check_trailing(step, diag) < 0 ||
      read_pauses(s, step, diag) < 0 || read_split(s, step, diag) < 0 ||
      read_cut(s, step, diag) < 0)
    return -1;
  return read_close(s, step, diag);
}

int shape_read(struct shape **ret, const struct jval *step, struct diag *diag)
{
  *ret = NULL;
  if (!has_any(step->node))
    return 0;
  struct shape *s = mem_zalloc(sizeof *s);
  if (read_all(s, step, diag) < 0) {
    shape_free(s);
    return -1;
  }
  *ret = s;
  return 0;
}

void shape_free(struct shape *s)
{
  if (!s)
    return;
  free(s->pauses);
  free(s->at);
  free(s);
}

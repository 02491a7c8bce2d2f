/*
 * The check of a scripted stream: its entries, and where its pieces end.
 */
#include "mockserver/step_check.h"

#include "base/words.h"
#include "mockserver/base64.h"
#include "mockserver/reply_step.h"
#include "mockserver/stream_out.h"
#include "mockserver/tape.h"
#include "mockserver/tape_find.h"

#include <string.h>

/* Ceilings: entries of a script, of a list of offsets, pings that are coded
 * one by one, names in a hint. */
enum { MAX_ENTRIES = 100000, MAX_OFFSETS = 10000, MAX_NAMES = 64 };
#define MAX_SIZE 67108864

static int unknown_word(const struct jval *v, const char *word,
                        struct diag *diag)
{
  const char *names[TAPE_KINDS + 1] = {NULL};
  char hint[512];
  for (int k = 0; k < TAPE_KINDS; k++)
    names[k] = tape_words[k].name;
  words_hint(word, names, hint, sizeof hint);
  return jval_error(v, diag, "unknown event '%s'%s", word, hint);
}

static int no_word(const struct jval *v, struct diag *diag)
{
  struct jval first;
  if (cJSON_IsString(v->node)) {
    for (int k = 0; k < TAPE_KINDS; k++)
      if (strcmp(tape_words[k].name, v->node->valuestring) == 0)
        return jval_error(v, diag, "'%s' needs a value: {\"%s\": ...}",
                          tape_words[k].name, tape_words[k].name);
    return unknown_word(v, v->node->valuestring, diag);
  }
  if (jval_object(v, diag) < 0)
    return -1;
  if (jval_count(v) == 0)
    return jval_error(v, diag, "an event needs a word");
  first = jval_item(v, 0);
  return unknown_word(v, first.key, diag);
}

/* Words whose bytes are no JSON of a provider. */
static bool is_plain(enum tape_kind k)
{
  return k == TAPE_PING || k == TAPE_COMMENT || k == TAPE_WAIT ||
         k == TAPE_PINGLOOP || k == TAPE_RAW || k == TAPE_RAW_BASE64;
}

static int check_extras(enum tape_kind k, const struct jval *entry,
                        struct diag *diag)
{
  static const char *const edits[] = {"null", "set", "bytes", NULL};
  struct jval v;
  for (const char *const *key = edits; *key; key++)
    if (is_plain(k) && jval_member(entry, *key, &v))
      return jval_key_error(&v, diag, "'%s' does not go with '%s'", *key,
                            tape_words[k].name);
  return 0;
}

static int check_base64(const struct jval *entry, struct diag *diag)
{
  struct jval v;
  struct buf bytes;
  const char *text = "";
  jval_member(entry, "raw_base64", &v);
  param_string(entry->node, "raw_base64", &text);
  buf_init(&bytes, MAX_SIZE);
  bool right = base64_decode(bytes_of(text), &bytes);
  buf_release(&bytes);
  return right ? 0 : jval_error(&v, diag, "is not base64 (RFC 4648)");
}

/* ---- what a provider must know ---- */

/* A reply with the step's blocks, for looking at its events. */
static void sample(const struct jval *entry, bool with_usage, struct reply *ret)
{
  const struct jval *step = entry->parent->parent;
  reply_init(ret, BYTES("m"));
  reply_from_step(ret, step->node, true);
  if (ret->nblocks == 0)
    block_add(reply_add(ret, BLOCK_TEXT), BYTES("x"));
  ret->with_usage = with_usage;
}

static size_t add_names(const struct provider *p, const struct reply *r,
                        enum cue_kind kind, const char *names[], size_t n)
{
  struct cue c = {.kind = kind};
  uint64_t count = p->cues(r, kind, 0);
  for (c.i = 0; c.i < count && n < MAX_NAMES; c.i++)
    names[n++] = p->cue_name(r, &c);
  return n;
}

static int unknown_term(const struct jval *v, const char *name,
                        const struct provider *p, const struct reply *r,
                        struct diag *diag)
{
  const char *names[MAX_NAMES + 1] = {"finish", "done"};
  char hint[512];
  size_t n = add_names(p, r, CUE_CLOSE, names, 2);
  names[add_names(p, r, CUE_END, names, n)] = NULL;
  words_hint(name, names, hint, sizeof hint);
  return jval_error(v, diag, "%s has no closing event '%s'%s", p->name, name,
                    hint);
}

static bool some_block_has_term(const struct provider *p, const struct reply *r,
                                const char *name)
{
  struct cue c;
  for (size_t b = 0; b < r->nblocks; b++)
    if (tape_find_term(p, r, b, name, &c))
      return true;
  return false;
}

static int check_term(const struct jval *entry, struct diag *diag)
{
  struct jval v;
  struct reply r;
  const char *name = "";
  int rc = 0;
  jval_member(entry, "term", &v);
  param_string(entry->node, "term", &name);
  if (tape_is_general_term(name))
    return 0;
  sample(entry, true, &r);
  for (const struct provider *const *p = providers; *p && rc == 0; p++)
    if (step_check_applies(entry, *p) && !some_block_has_term(*p, &r, name))
      rc = unknown_term(&v, name, *p, &r, diag);
  reply_release(&r);
  return rc;
}

static int check_null(const struct jval *entry, struct diag *diag)
{
  struct jval v;
  struct reply r;
  struct cue c;
  const char *path = "";
  int rc = 0;
  jval_member(entry, "null", &v);
  param_string(entry->node, "null", &path);
  sample(entry, false, &r);
  for (const struct provider *const *p = providers; *p && rc == 0; p++)
    if (step_check_applies(entry, *p) && !tape_find_field(*p, &r, 0, path, &c))
      rc = jval_error(&v, diag, "no event of %s has the field '%s'", (*p)->name,
                      path);
  reply_release(&r);
  return rc;
}

/* ---- entries ---- */

static int check_pingloop(const struct jval *entry, struct diag *diag)
{
  const struct jval *events = entry->parent, *step = events->parent;
  if (param_has(step->node, "encoding"))
    return jval_error(entry, diag,
                      "'pingloop' cannot be coded: no "
                      "'encoding' with it");
  if (!param_has(entry->node, "for") && entry->index + 1 < jval_count(events))
    return jval_error(entry, diag, "without 'for' it is the last event");
  return 0;
}

static int check_meaning(enum tape_kind k, const struct jval *entry,
                         struct diag *diag)
{
  struct jval tool;
  switch (k) {
  case TAPE_TOOL:
    jval_member(entry, "tool", &tool);
    return reply_check_tool(&tool, false, diag);
  case TAPE_RAW_BASE64:
    return check_base64(entry, diag);
  case TAPE_ERROR:
    return step_check_error(entry, "error", "", diag);
  case TAPE_TERM:
    return check_term(entry, diag);
  case TAPE_NULL:
    return check_null(entry, diag);
  case TAPE_PINGLOOP:
    return check_pingloop(entry, diag);
  default:
    return 0;
  }
}

static int check_entry(const struct jval *entry, struct diag *diag)
{
  enum tape_kind k = tape_kind_of(entry->node);
  if (k == TAPE_KINDS)
    return no_word(entry, diag);
  if (cJSON_IsString(entry->node))
    return 0;
  const struct param *tables[] = {tape_words[k].params, tape_extras};
  if (param_check(entry, tables, 2, NULL, diag) < 0 ||
      check_extras(k, entry, diag) < 0)
    return -1;
  return check_meaning(k, entry, diag);
}

int step_check_events(const struct jval *step, struct diag *diag)
{
  static const char *const others[] = {"text", "blocks", "chunks", NULL};
  struct jval events, other;
  if (!jval_member(step, "events", &events))
    return 0;
  for (const char *const *key = others; *key; key++)
    if (jval_member(step, *key, &other))
      return jval_key_error(&other, diag,
                            "'%s' and 'events' exclude each other", *key);
  if (jval_array(&events, diag) < 0)
    return -1;
  if (jval_count(&events) > MAX_ENTRIES)
    return jval_error(&events, diag, "has more than %d entries", MAX_ENTRIES);
  int i = 0;
  const cJSON *node;
  cJSON_ArrayForEach(node, events.node)
  {
    struct jval entry = {step->doc, node, &events, NULL, i++};
    if (check_entry(&entry, diag) < 0)
      return -1;
  }
  return 0;
}

/* ---- pieces ---- */

static int check_offsets(const struct jval *v, struct diag *diag)
{
  int64_t last = 0, n = 0;
  if (jval_count(v) > MAX_OFFSETS)
    return jval_error(v, diag, "has more than %d offsets", MAX_OFFSETS);
  for (int i = 0; i < jval_count(v); i++) {
    struct jval item = jval_item(v, i);
    if (jval_int(&item, 1, MAX_SIZE, &n, diag) < 0)
      return -1;
    if (n <= last)
      return jval_error(&item, diag, "must be larger than the one before");
    last = n;
  }
  return 0;
}

static int check_word(const struct jval *step, const struct jval *v,
                      struct diag *diag)
{
  const char *word = v->node->valuestring;
  char hint[512];
  if (!words_has(split_words, word)) {
    words_hint(word, split_words, hint, sizeof hint);
    return jval_error(v, diag, "unknown word '%s'%s", word, hint);
  }
  if (strcmp(word, "byte") != 0 && param_has(step->node, "encoding"))
    return jval_error(v, diag,
                      "'%s' is a place in the text, which 'encoding' "
                      "hides",
                      word);
  return 0;
}

int step_check_pieces(const struct jval *step, struct diag *diag)
{
  struct jval v, gap;
  int64_t n = 0;
  bool has = jval_member(step, "pieces", &v);
  if (!has && jval_member(step, "piece_gap_ms", &gap))
    return jval_key_error(&gap, diag, "needs 'pieces'");
  if (!has)
    return 0;
  if (cJSON_IsNumber(v.node))
    return jval_int(&v, 1, MAX_SIZE, &n, diag);
  if (cJSON_IsString(v.node))
    return check_word(step, &v, diag);
  if (cJSON_IsArray(v.node))
    return check_offsets(&v, diag);
  return jval_error(&v, diag,
                    "must be a number of bytes, a list of offsets "
                    "or a word");
}

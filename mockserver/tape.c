#include "mockserver/tape.h"

#include "mockserver/reply_step.h"

#include <string.h>

/* Ceilings of a big event and of a literal. */
#define MAX_BIG (16 << 20)
#define MAX_SECONDS 86400

#define WORD(kind, text)                                                       \
  static const struct param kind##_params[] = {                                \
      {.name = #kind, .type = PARAM_STRING, .summary = (text)},                \
      {.name = NULL}}

/* Words that may stand alone; as an object they can have extras. */
#define BARE(kind, text)                                                       \
  static const struct param kind##_params[] = {                                \
      {.name = #kind, .type = PARAM_BOOL, .summary = (text)}, {.name = NULL}}

static const struct param no_params[] = {{.name = NULL}};
BARE(start, "what a stream begins with");
BARE(ping, "a sign of life");
BARE(stop, "the open block closed, and the end of the answer");
WORD(delta, "text of one delta");
WORD(thinking, "a thought of one delta");
WORD(comment, "a line the client must pass over");
WORD(bad, "the data of an event as it stands, right JSON or not");
WORD(raw, "bytes as they stand, without any framing");
WORD(raw_base64, "the same, any bytes");
WORD(term, "one of the events that close an answer, by its name");

static const struct param tool_word[] = {
    {.name = "tool",
     .type = PARAM_OBJECT,
     .summary = "a call: name, arguments, id, deltas"},
    {.name = "chunks",
     .type = PARAM_INT,
     .min = 1,
     .max = 10000,
     .summary = "number of deltas, default 4"},
    {.name = NULL}};
static const struct param big_word[] = {
    {.name = "big",
     .type = PARAM_INT,
     .min = 1,
     .max = MAX_BIG,
     .summary = "a delta of so many letters x"},
    {.name = NULL}};
static const struct param wait_word[] = {{.name = "wait",
                                          .type = PARAM_NUMBER,
                                          .min = 0.001,
                                          .max = MAX_SECONDS,
                                          .summary = "seconds of silence"},
                                         {.name = NULL}};
static const struct param pingloop_word[] = {
    {.name = "pingloop",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = MAX_SECONDS,
     .summary = "period in seconds of signs of life"},
    {.name = "for",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = MAX_SECONDS,
     .summary = "how many seconds; absent: until the client leaves"},
    {.name = NULL}};
static const struct param unknown_word[] = {
    {.name = "unknown",
     .type = PARAM_STRING,
     .summary = "an event of a type no client knows"},
    {.name = "data",
     .type = PARAM_OBJECT,
     .summary = "what it holds besides its type"},
    {.name = NULL}};
static const struct param data_word[] = {
    {.name = "data", .type = PARAM_OBJECT, .summary = "the data of an event"},
    {.name = "event",
     .type = PARAM_STRING,
     .summary = "its name, where events have names; default: data.type"},
    {.name = NULL}};
static const struct param error_word[] = {
    {.name = "error",
     .type = PARAM_STRING,
     .summary = "a documented error of the provider by name"},
    {.name = "hint_s",
     .type = PARAM_NUMBER,
     .min = 0,
     .max = 315360000,
     .summary = "seconds its hint names"},
    {.name = NULL}};

const struct tape_word tape_words[TAPE_KINDS] = {
    [TAPE_START] = {"start", true, start_params},
    [TAPE_DELTA] = {"delta", false, delta_params},
    [TAPE_THINKING] = {"thinking", false, thinking_params},
    [TAPE_TOOL] = {"tool", false, tool_word},
    [TAPE_BIG] = {"big", false, big_word},
    [TAPE_PING] = {"ping", true, ping_params},
    [TAPE_COMMENT] = {"comment", false, comment_params},
    [TAPE_WAIT] = {"wait", false, wait_word},
    [TAPE_PINGLOOP] = {"pingloop", false, pingloop_word},
    [TAPE_UNKNOWN] = {"unknown", false, unknown_word},
    [TAPE_DATA] = {"data", false, data_word},
    [TAPE_BAD] = {"bad", false, bad_params},
    [TAPE_RAW] = {"raw", false, raw_params},
    [TAPE_RAW_BASE64] = {"raw_base64", false, raw_base64_params},
    [TAPE_ERROR] = {"error", false, error_word},
    [TAPE_TERM] = {"term", false, term_params},
    [TAPE_STOP] = {"stop", true, stop_params},
    [TAPE_NULL] = {"null", false, no_params}};

const struct param tape_extras[] = {
    {.name = "gap_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_SECONDS * 1000,
     .summary = "milliseconds before it"},
    {.name = "null",
     .type = PARAM_STRING,
     .summary = "path of a field that is null in it; alone: the provider's "
                "event that has the field"},
    {.name = "set",
     .type = PARAM_OBJECT,
     .summary = "paths of fields and the values they get"},
    {.name = "bytes",
     .type = PARAM_INT,
     .min = -MAX_BIG,
     .max = MAX_BIG,
     .summary = "only its first bytes; negative: all but the last"},
    {.name = "last",
     .type = PARAM_BOOL,
     .summary = "this ends the answer, as the journal counts it"},
    {.name = NULL}};

enum tape_kind tape_kind_of(const cJSON *entry)
{
  for (int k = 0; k < TAPE_KINDS; k++) {
    const struct tape_word *w = &tape_words[k];
    if (cJSON_IsString(entry)
            ? w->bare && strcmp(entry->valuestring, w->name) == 0
            : param_has(entry, w->name))
      return k == TAPE_DATA && param_has(entry, "unknown") ? TAPE_UNKNOWN
                                                           : (enum tape_kind)k;
  }
  return TAPE_KINDS;
}

int tape_block_of(enum tape_kind k)
{
  switch (k) {
  case TAPE_DELTA:
  case TAPE_BIG:
    return BLOCK_TEXT;
  case TAPE_THINKING:
    return BLOCK_THINKING;
  case TAPE_TOOL:
    return BLOCK_TOOL;
  default:
    return -1;
  }
}

bool tape_ends_block(enum tape_kind k)
{
  return k == TAPE_TERM || k == TAPE_STOP;
}

static void add_big(struct block *b, const cJSON *entry)
{
  int64_t n = 0;
  param_int(entry, "big", &n);
  char *letters = mem_alloc((size_t)n);
  memset(letters, 'x', (size_t)n);
  block_add(b, (struct bytes){letters, (size_t)n});
  free(letters);
}

static void add_piece(struct block *b, enum tape_kind k, const cJSON *entry)
{
  const char *text = "";
  if (k == TAPE_BIG) {
    add_big(b, entry);
    return;
  }
  param_string(entry, tape_words[k].name, &text);
  block_add(b, bytes_of(text));
}

/* Deltas of a kind that follow each other are one block. */
void tape_add_blocks(struct reply *r, const cJSON *events)
{
  const cJSON *entry;
  struct block *b = NULL;
  cJSON_ArrayForEach(entry, events)
  {
    enum tape_kind k = tape_kind_of(entry);
    int kind = tape_block_of(k);
    int64_t chunks = 4;
    if (tape_ends_block(k))
      b = NULL;
    if (kind < 0)
      continue;
    if (kind == BLOCK_TOOL) {
      param_int(entry, "chunks", &chunks);
      reply_add_tool(r, param_node(entry, "tool"), chunks);
      b = NULL;
      continue;
    }
    if (!b || (int)b->kind != kind)
      b = reply_add(r, (enum block_kind)kind);
    add_piece(b, k, entry);
  }
}

#include "mockserver/reply_step.h"

#include "mockserver/tape.h"

#include <string.h>

/* A day, the longest a client is watched. */
#define MAX_PAUSE_MS 86400000

/* What a tool is called that has no name, and how many deltas its arguments
 * take when nothing says so. */
#define TOOL_NAME "run"
#define TOOL_CHUNKS 4

const struct param reply_params[] = {
    {.name = "text",
     .type = PARAM_STRING,
     .summary = "what the model says, default \"" REPLY_TEXT "\""},
    {.name = "chunks",
     .type = PARAM_INT,
     .min = 1,
     .max = REPLY_MAX_CHUNKS,
     .summary = "number of text deltas; default: one a word"},
    {.name = "blocks",
     .type = PARAM_VALUE,
     .summary = "texts, thoughts and tool calls of one answer, instead of "
                "text"},
    {.name = "stop",
     .type = PARAM_WORD,
     .words = stop_words,
     .summary = "why the answer ends, in Anthropic's words; default end_turn, "
                "or tool_use when there is a tool"},
    {.name = "stop_sequence",
     .type = PARAM_STRING,
     .summary = "the sequence that was met (Anthropic)"},
    {.name = "gap_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_PAUSE_MS,
     .summary = "milliseconds between two events"},
    {.name = "first_token_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_PAUSE_MS,
     .summary = "milliseconds before the first delta"},
    {.name = "tokens_per_s",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = 1000000,
     .summary = "pace of the deltas, instead of gap_ms; a plain answer comes "
                "when all would be there"},
    {.name = "jitter",
     .type = PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .summary = "share by which each pause may be shorter or longer, seeded"},
    {.name = NULL}};

const struct param tool_params[] = {
    {.name = "name",
     .type = PARAM_STRING,
     .summary = "which tool is called, default \"" TOOL_NAME "\""},
    {.name = "arguments",
     .type = PARAM_VALUE,
     .summary = "an object, or its JSON as text; default {}"},
    {.name = "id",
     .type = PARAM_STRING,
     .summary = "id of the call; default: made from the seed"},
    {.name = "deltas",
     .type = PARAM_STRINGS,
     .summary = "the arguments as the deltas carry them, instead of "
                "arguments"},
    {.name = NULL}};

const struct param block_params[] = {
    {.name = "text", .type = PARAM_STRING, .summary = "what the model says"},
    {.name = "thinking",
     .type = PARAM_STRING,
     .summary = "what it thinks; OpenAI's Chat counts it and shows nothing"},
    {.name = "tool",
     .type = PARAM_OBJECT,
     .summary = "a call: name, arguments, id, deltas"},
    {.name = "chunks",
     .type = PARAM_INT,
     .min = 1,
     .max = REPLY_MAX_CHUNKS,
     .summary = "number of deltas; default: one a word, or four for a tool"},
    {.name = NULL}};

/* ---- making ---- */

void reply_add_tool(struct reply *r, const cJSON *tool, int64_t chunks)
{
  const char *name = TOOL_NAME, *id = "";
  const cJSON *arguments = param_node(tool, "arguments"), *delta;
  struct block *b = reply_add(r, BLOCK_TOOL);
  param_string(tool, "name", &name);
  param_string(tool, "id", &id);
  b->name = mem_strdup(name);
  snprintf(b->id, sizeof b->id, "%s", id);
  cJSON_ArrayForEach(delta, param_node(tool, "deltas"))
  {
    block_add(b, bytes_of(delta->valuestring));
  }
  if (b->npieces)
    return;
  char *text = cJSON_IsString(arguments) ? mem_strdup(arguments->valuestring)
               : arguments               ? cJSON_PrintUnformatted(arguments)
                                         : mem_strdup("{}");
  block_add_parts(b, bytes_of(text), (uint64_t)chunks);
  cJSON_free(text);
}

static void add_block(struct reply *r, const cJSON *node)
{
  const char *text = NULL;
  int64_t chunks = 0;
  const cJSON *tool = param_node(node, "tool");
  param_int(node, "chunks", &chunks);
  if (tool)
    reply_add_tool(r, tool, chunks ? chunks : TOOL_CHUNKS);
  else if (param_string(node, "thinking", &text))
    block_add_words(reply_add(r, BLOCK_THINKING), text, (uint64_t)chunks);
  else if (param_string(node, "text", &text))
    block_add_words(reply_add(r, BLOCK_TEXT), text, (uint64_t)chunks);
}

static void add_text(struct reply *r, const cJSON *step)
{
  int64_t chunks = 0;
  const char *text = REPLY_TEXT;
  param_int(step, "chunks", &chunks);
  param_string(step, "text", &text);
  block_add_words(reply_add(r, BLOCK_TEXT), text, (uint64_t)chunks);
}

static bool is_json(const struct block *b)
{
  cJSON *json = cJSON_ParseWithOpts(buf_str(&b->text), NULL, true);
  cJSON_Delete(json);
  return json != NULL;
}

/* A plain answer holds no half call. */
static void make_whole(struct reply *r)
{
  for (size_t i = 0; i < r->nblocks; i++) {
    struct block *b = r->blocks[i];
    if (b->kind != BLOCK_TOOL || is_json(b))
      continue;
    buf_reset(&b->text);
    b->npieces = 0;
    b->tokens = b->word = 0;
    block_add(b, BYTES("{}"));
  }
}

static void add_blocks(struct reply *r, const cJSON *step, bool streamed)
{
  const cJSON *blocks = param_node(step, "blocks"), *node;
  const cJSON *events = param_node(step, "events");
  if (events) {
    tape_add_blocks(r, events);
    r->scripted = streamed;
    if (r->nblocks == 0 && !streamed)
      add_text(r, NULL);
  } else if (blocks) {
    cJSON_ArrayForEach(node, blocks)
    {
      add_block(r, node);
    }
  } else {
    add_text(r, step);
  }
  if (!streamed)
    make_whole(r);
}

void reply_from_step(struct reply *r, const cJSON *step, bool streamed)
{
  const char *sequence = NULL;
  add_blocks(r, step, streamed);
  bool tool = reply_count(r, BLOCK_TOOL, r->nblocks) > 0;
  if (param_string(step, "stop_sequence", &sequence))
    r->stop_sequence = mem_strdup(sequence);
  r->stop = (enum stop_reason)param_word(step, "stop", stop_words,
                                         tool       ? STOP_TOOL_USE
                                         : sequence ? STOP_SEQUENCE
                                                    : STOP_END_TURN);
}

void reply_step_text(const cJSON *step, struct buf *ret)
{
  struct reply r;
  reply_init(&r, BYTES(""));
  reply_from_step(&r, step, true);
  for (size_t i = 0; i < r.nblocks; i++)
    if (r.blocks[i]->kind == BLOCK_TEXT)
      block_text(r.blocks[i], ret);
  reply_release(&r);
}

/* ---- checking ---- */

int reply_check_tool(const struct jval *tool, bool whole, struct diag *diag)
{
  static const struct param *const tables[] = {tool_params};
  struct jval arguments, deltas;
  if (param_check(tool, tables, 1, NULL, diag) < 0)
    return -1;
  bool has = jval_member(tool, "arguments", &arguments);
  if (jval_member(tool, "deltas", &deltas)) {
    if (has)
      return jval_key_error(&deltas, diag,
                            "'arguments' and 'deltas' exclude each other");
    return jval_count(&deltas)
               ? 0
               : jval_error(&deltas, diag, "needs at least one text");
  }
  if (!has || cJSON_IsObject(arguments.node))
    return 0;
  if (!cJSON_IsString(arguments.node))
    return jval_error(&arguments, diag, "must be an object or a text");
  cJSON *json = cJSON_ParseWithOpts(arguments.node->valuestring, NULL, true);
  bool right = cJSON_IsObject(json) || !whole;
  cJSON_Delete(json);
  return right ? 0 : jval_error(&arguments, diag, "is no JSON object");
}

static int check_block(const struct jval *v, struct diag *diag)
{
  static const struct param *const tables[] = {block_params};
  static const char *const kinds[] = {"text", "thinking", "tool"};
  struct jval tool;
  int n = 0;
  if (param_check(v, tables, 1, NULL, diag) < 0)
    return -1;
  for (int i = 0; i < 3; i++)
    n += param_has(v->node, kinds[i]);
  if (n != 1)
    return jval_error(v, diag,
                      "needs exactly one of 'text', 'thinking' and 'tool'");
  return jval_member(v, "tool", &tool) ? reply_check_tool(&tool, true, diag)
                                       : 0;
}

static int check_blocks(const struct jval *step, struct diag *diag)
{
  static const char *const others[] = {"text", "chunks", NULL};
  struct jval blocks, other;
  if (!jval_member(step, "blocks", &blocks))
    return 0;
  for (const char *const *key = others; *key; key++)
    if (jval_member(step, *key, &other))
      return jval_key_error(&other, diag,
                            "'%s' and 'blocks' exclude each other", *key);
  if (jval_array(&blocks, diag) < 0)
    return -1;
  if (jval_count(&blocks) > REPLY_MAX_BLOCKS)
    return jval_error(&blocks, diag, "has more than %d blocks",
                      REPLY_MAX_BLOCKS);
  for (int i = 0; i < jval_count(&blocks); i++) {
    struct jval block = jval_item(&blocks, i);
    if (check_block(&block, diag) < 0)
      return -1;
  }
  return 0;
}

/* Paced streams are kept event by event, each with a pause of its own. */
enum { MAX_PACED = 20000 };

static int check_pace(const struct jval *step, struct diag *diag)
{
  struct jval v;
  int64_t chunks = 0;
  bool rate = jval_member(step, "tokens_per_s", &v);
  if (rate && param_has(step->node, "gap_ms"))
    return jval_key_error(&v, diag,
                          "'gap_ms' and 'tokens_per_s' exclude each other");
  if (jval_member(step, "jitter", &v) && !rate &&
      !param_has(step->node, "gap_ms") &&
      !param_has(step->node, "first_token_ms"))
    return jval_key_error(&v, diag,
                          "there is no pause: needs 'gap_ms', "
                          "'first_token_ms' or 'tokens_per_s'");
  if (!rate && !param_has(step->node, "jitter") &&
      !param_has(step->node, "first_token_ms"))
    return 0;
  if (!jval_member(step, "chunks", &v) ||
      !param_int(step->node, "chunks", &chunks) || chunks <= MAX_PACED)
    return 0;
  return jval_error(&v, diag, "at most %d with a pace", (int)MAX_PACED);
}

int reply_check_step(const struct jval *step, struct diag *diag)
{
  struct jval v;
  if (jval_member(step, "text", &v) && cJSON_IsString(v.node) &&
      strlen(v.node->valuestring) > REPLY_MAX_TEXT)
    return jval_error(&v, diag, "is longer than %zu bytes", REPLY_MAX_TEXT);
  if (check_blocks(step, diag) < 0)
    return -1;
  return check_pace(step, diag);
}

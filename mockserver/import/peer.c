#include "mockserver/import/peer.h"

#include "mockserver/fault.h"

#include <string.h>

void peer_status(cJSON *step, int status, double retry_after_s)
{
  static const struct {
    int status;
    const char *fault, *error;
  } rows[] = {{429, "rate_limit", NULL},    {529, "overloaded", NULL},
              {503, "overloaded", NULL},    {400, "status", "invalid_request"},
              {401, "status", "auth"},      {403, "status", "permission"},
              {404, "status", "not_found"}, {500, "status", "server_error"},
              {504, "status", "timeout"}};
  size_t i = 0, n = sizeof rows / sizeof *rows;
  while (i < n && rows[i].status != status)
    i++;
  cJSON_AddStringToObject(step, "fault", i < n ? rows[i].fault : "status");
  if (i < n && rows[i].error)
    cJSON_AddStringToObject(step, "error", rows[i].error);
  if (i == n)
    cJSON_AddNumberToObject(step, "status", status);
  if (retry_after_s >= 0)
    cJSON_AddNumberToObject(step, "retry_after", retry_after_s);
}

void peer_delta(cJSON *events, int n)
{
  for (int i = 0; i < n; i++) {
    cJSON *delta = cJSON_CreateObject();
    cJSON_AddStringToObject(delta, "delta", "word ");
    cJSON_AddItemToArray(events, delta);
  }
}

cJSON *peer_stream(cJSON *step, int deltas, const char *ending)
{
  cJSON_AddStringToObject(step, "fault", "stream");
  cJSON_AddStringToObject(step, "ending", ending);
  cJSON *events = cJSON_AddArrayToObject(step, "events");
  cJSON_AddItemToArray(events, cJSON_CreateString("start"));
  peer_delta(events, deltas);
  return events;
}

static cJSON *blocks_of(cJSON *step)
{
  cJSON *blocks = cJSON_GetObjectItem(step, "blocks");
  cJSON *text = cJSON_DetachItemFromObject(step, "text");
  if (!blocks)
    blocks = cJSON_AddArrayToObject(step, "blocks");
  if (text) {
    cJSON *block = cJSON_CreateObject();
    cJSON_AddItemToObject(block, "text", text);
    cJSON_AddItemToArray(blocks, block);
  }
  return blocks;
}

void peer_reply(cJSON *step, const char *text)
{
  cJSON_AddStringToObject(step, "reply", "message");
  if (text)
    cJSON_AddStringToObject(step, "text", text);
}

void peer_tool(cJSON *step, const char *name, cJSON *arguments)
{
  cJSON *block = cJSON_CreateObject();
  cJSON *tool = cJSON_AddObjectToObject(block, "tool");
  cJSON_AddStringToObject(tool, "name", *name ? name : "run");
  cJSON_AddItemToObject(tool, cJSON_IsArray(arguments) ? "deltas" : "arguments",
                        arguments);
  cJSON_AddItemToArray(blocks_of(step), block);
}

void peer_stop(struct draft *d, cJSON *step, const char *reason)
{
  static const char *const words[][2] = {{"stop", "end_turn"},
                                         {"end_turn", "end_turn"},
                                         {"STOP", "end_turn"},
                                         {"length", "max_tokens"},
                                         {"max_tokens", "max_tokens"},
                                         {"MAX_TOKENS", "max_tokens"},
                                         {"tool_calls", "tool_use"},
                                         {"tool_use", "tool_use"},
                                         {"content_filter", "content_filter"},
                                         {"refusal", "refusal"},
                                         {"SAFETY", "content_filter"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(reason, words[i][0]) == 0) {
      cJSON_AddStringToObject(step, "stop", words[i][1]);
      return;
    }
  draft_note(d, "step %zu: the finish reason '%s' is not carried over",
             d->nitems, reason);
}

cJSON *peer_match(cJSON *step)
{
  cJSON *match = cJSON_GetObjectItem(step, "match");
  return match ? match : cJSON_AddObjectToObject(step, "match");
}

void peer_path(cJSON *step, const char *path)
{
  char *pattern = mem_format("%s%s", *path == '*' ? "" : "*", path);
  cJSON_AddStringToObject(peer_match(step), "path", pattern);
  free(pattern);
}

bool peer_takes_all(const cJSON *step)
{
  const cJSON *times = cJSON_GetObjectItem(step, "times");
  const cJSON *name = cJSON_GetObjectItem(step, "fault");
  const struct fault *f =
      cJSON_IsString(name) ? fault_find(name->valuestring) : NULL;
  return cJSON_IsString(times) && !cJSON_GetObjectItem(step, "match") &&
         !cJSON_GetObjectItem(step, "chance") &&
         !(f && fault_needs_stream(f, step));
}

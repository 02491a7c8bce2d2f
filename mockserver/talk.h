/*
 * talk.h - the conversation a request holds, for steps that match on it.
 *
 * Each provider reads its own form (provider/talk.c). An answer of the model
 * is one turn, however many blocks it has; the result of a tool is told
 * apart from what the user says, also where the API sends both in the
 * user's role.
 */
#ifndef MOCKSERVER_TALK_H
#define MOCKSERVER_TALK_H

#include "base/buf.h"

#include <cjson/cJSON.h>

/* Ids of tool results that are kept; more are counted by nobody. */
enum { TALK_MAX_RESULTS = 64 };

struct talk {
  struct buf user;       /* text of the user's last message */
  struct buf result;     /* text of the last tool result */
  int turns;             /* answers of the model */
  bool ends_with_result; /* the last message brings results of tools */
  char *results[TALK_MAX_RESULTS]; /* owned: ids (Gemini: names) */
  size_t nresults;
};

void talk_init(struct talk *t);
void talk_release(struct talk *t);
/* A message of that role begins; its text and results follow. */
void talk_user(struct talk *t);
void talk_model(struct talk *t);
void talk_say(struct talk *t, const char *text);
void talk_result(struct talk *t, const char *id, const char *text);

/* The readers of the providers, for their tables. */
void talk_anthropic(const cJSON *request, struct talk *ret);
void talk_chat(const cJSON *request, struct talk *ret);
void talk_responses(const cJSON *request, struct talk *ret);
void talk_gemini(const cJSON *request, struct talk *ret);

#endif

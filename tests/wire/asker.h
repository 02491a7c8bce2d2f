/*
 * asker.h - a client of the server's endpoints on a real socket.
 */
#ifndef TESTS_WIRE_ASKER_H
#define TESTS_WIRE_ASKER_H

#include "tests/wire/wire.h"

#include "base/json.h"

#define PLAIN_SCENARIO                                                         \
  "{\"name\":\"n\",\"why\":\"w\",\"steps\":[],"                                \
  "\"after_script\":\"reply\"}"
#define ANTHROPIC "anthropic-version: 2023-06-01\r\nx-api-key: k\r\n"
#define OPENAI "authorization: Bearer k\r\n"

struct asker {
  struct wire w;
  struct buf got;
  struct json_doc doc; /* of the last answer */
  unsigned seed;       /* 0: requests go out in one piece */
};

void open_asker(struct asker *a, const char *json);
void close_asker(struct asker *a);
struct bytes body_of(const struct asker *a);
int ask_bytes(struct asker *a, const char *line, const char *headers,
              struct bytes body);
int ask(struct asker *a, const char *line, const char *headers,
        const char *body);
const char *word(const struct asker *a, const char *key);
void must_say(const struct asker *a, const char *text);
int get(struct asker *a, const char *path, const char *behind,
        const char *headers);

#endif

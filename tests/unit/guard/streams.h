/*
 * streams.h - whole streams as the providers send them, for test_sse.c and
 * test_stream.c. Shapes: Anthropic streaming page, OpenAI API reference,
 * @google/genai processStreamResponse; ids are made up.
 */
#ifndef TESTS_UNIT_GUARD_STREAMS_H
#define TESTS_UNIT_GUARD_STREAMS_H

#define A_START                                                                \
  "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{"      \
  "\"id\":\"msg_1\",\"content\":[],\"stop_reason\":null}}\n\n"                 \
  "event: content_block_start\ndata: {\"type\":\"content_block_start\","       \
  "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
#define A_PING "event: ping\ndata: {\"type\": \"ping\"}\n\n"
#define A_HEL                                                                  \
  "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","       \
  "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hel\"}}\n\n"
#define A_LO                                                                   \
  "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","       \
  "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"l\xc3\xb6\"}}"    \
  "\n\n"
#define A_REASON                                                               \
  "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{"        \
  "\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n"
#define A_STOP "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
#define A_ERROR                                                                \
  "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":"               \
  "\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"

#define O_HEL                                                                  \
  "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"role\":"         \
  "\"assistant\",\"content\":\"Hel\"},\"finish_reason\":null}]}\n\n"
#define O_LO                                                                   \
  "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":"      \
  "\"lo\"},\"finish_reason\":null}]}\n\n"
#define O_STOP                                                                 \
  "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{},"                \
  "\"finish_reason\":\"stop\"}]}\n\n"
#define O_USAGE "data: {\"id\":\"c\",\"choices\":[],\"usage\":{}}\n\n"
#define O_DONE "data: [DONE]\n\n"
#define O_ERROR                                                                \
  "data: {\"error\":{\"message\":\"The server had an error\",\"type\":"        \
  "\"server_error\",\"param\":null,\"code\":null}}\n\n"

#define R_CREATED                                                              \
  "event: response.created\ndata: {\"type\":\"response.created\","             \
  "\"response\":{\"status\":\"in_progress\",\"error\":null}}\n\n"
#define R_HI                                                                   \
  "event: response.output_text.delta\ndata: {\"type\":"                        \
  "\"response.output_text.delta\",\"delta\":\"Hi\"}\n\n"
#define R_COMPLETED                                                            \
  "event: response.completed\ndata: {\"type\":\"response.completed\","         \
  "\"response\":{\"status\":\"completed\",\"error\":null}}\n\n"
#define R_INCOMPLETE                                                           \
  "event: response.incomplete\ndata: {\"type\":\"response.incomplete\","       \
  "\"response\":{\"incomplete_details\":{\"reason\":\"max_output_tokens\"}}}"  \
  "\n\n"
#define R_FAILED                                                               \
  "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":"  \
  "{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"slow\"}}}\n\n"
#define R_ERROR                                                                \
  "event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\","         \
  "\"message\":\"The server had an error\"}\n\n"

#define G_PAR                                                                  \
  "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"par\"}]}"   \
  ",\"index\": 0}]}\r\n\r\n"
#define G_THOUGHT                                                              \
  "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"hm\","      \
  "\"thought\": true}]}}]}\r\n\r\n"
#define G_STOP                                                                 \
  "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"t\"}]},"    \
  "\"finishReason\": \"STOP\"}]}\r\n\r\n"
#define G_ERROR                                                                \
  "data: {\"error\": {\"code\": 503, \"message\": \"overloaded\", "            \
  "\"status\": \"UNAVAILABLE\"}}\r\n\r\n"
#define G_BLOCKED                                                              \
  "data: {\"promptFeedback\": {\"blockReason\": \"SAFETY\"}}\r\n\r\n"

#endif

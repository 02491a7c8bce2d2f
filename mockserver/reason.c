#include "mockserver/exchange_open.h"

/* RFC 9110 section 15, RFC 6585, RFC 2518 (102), RFC 8297 (103); 529 is
 * Anthropic's. */
const char *reason_phrase(int status)
{
  static const struct {
    int status;
    const char *phrase;
  } phrases[] = {{100, "Continue"},
                 {101, "Switching Protocols"},
                 {102, "Processing"},
                 {103, "Early Hints"},
                 {200, "OK"},
                 {201, "Created"},
                 {202, "Accepted"},
                 {204, "No Content"},
                 {301, "Moved Permanently"},
                 {302, "Found"},
                 {304, "Not Modified"},
                 {307, "Temporary Redirect"},
                 {308, "Permanent Redirect"},
                 {400, "Bad Request"},
                 {401, "Unauthorized"},
                 {402, "Payment Required"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {408, "Request Timeout"},
                 {409, "Conflict"},
                 {412, "Precondition Failed"},
                 {413, "Content Too Large"},
                 {422, "Unprocessable Content"},
                 {425, "Too Early"},
                 {426, "Upgrade Required"},
                 {429, "Too Many Requests"},
                 {500, "Internal Server Error"},
                 {502, "Bad Gateway"},
                 {503, "Service Unavailable"},
                 {504, "Gateway Timeout"},
                 {529, "Overloaded"}};
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
    if (phrases[i].status == status)
      return phrases[i].phrase;
  return "";
}

#include "mockserver/preset.h"

#include <string.h>

const char *const preset_names[] = {"silent", "gentle", "realistic", "brownout",
                                    "outage", "stress", NULL};

#define PAGE(title) "\"body\":\"<html><body><h1>" title "</h1></body></html>\""

/* A step's own keys. */
static const char rate_limit[] = "\"fault\":\"rate_limit\","
                                 "\"retry_after\":\"1\"",
                  bare_limit[] = "\"fault\":\"rate_limit\","
                                 "\"retry_after\":null",
                  overloaded[] = "\"fault\":\"overloaded\"",
                  server_error[] = "\"fault\":\"status\","
                                   "\"error\":\"server_error\"",
                  bad_gateway[] = "\"fault\":\"status\",\"status\":502," PAGE(
                      "502 Bad Gateway"),
                  unavailable[] = "\"fault\":\"status\",\"status\":503," PAGE(
                      "503 Service Unavailable"),
                  slow[] = "\"reply\":\"message\",\"delay_ms\":5000",
                  cut[] = "\"fault\":\"stream_cut\",\"after_event\":1",
                  error_event[] = "\"fault\":\"stream_error\","
                                  "\"after_event\":1,"
                                  "\"error\":\"overloaded\"",
                  reset[] = "\"fault\":\"reset\"",
                  hang[] = "\"fault\":\"hang\"";

/* The order of kinds is that of the incidents in the log: limits first, then
 * overload, then errors of the edge, then streams that break. The shares, in
 * tenths of a per cent, are faultwire's own: no provider publishes any. */
static const struct part {
  const char *preset;
  int share;
  const char *step;
} parts[] = {{"gentle", 10, rate_limit},
             {"gentle", 10, overloaded},
             {"realistic", 30, rate_limit},
             {"realistic", 20, overloaded},
             {"realistic", 10, server_error},
             {"realistic", 5, cut},
             {"realistic", 5, error_event},
             {"brownout", 200, overloaded},
             {"brownout", 100, bare_limit},
             {"brownout", 50, server_error},
             {"brownout", 100, slow},
             {"brownout", 50, error_event},
             {"outage", 400, unavailable},
             {"outage", 300, bad_gateway},
             {"outage", 200, overloaded},
             {"outage", 100, reset},
             {"stress", 150, rate_limit},
             {"stress", 100, bare_limit},
             {"stress", 150, overloaded},
             {"stress", 100, server_error},
             {"stress", 50, bad_gateway},
             {"stress", 50, reset},
             {"stress", 20, hang},
             {"stress", 80, cut},
             {"stress", 100, error_event}};
enum { PARTS = sizeof parts / sizeof *parts };

/* A fraction by hand: printf takes the decimal point from the locale. */
static void add_part(struct buf *b, const struct part *p, bool first)
{
  buf_addf(b, "%s{\"chance\":%d.%03d,%s}", first ? "" : ",", p->share / 1000,
           p->share % 1000, p->step);
}

void preset_write(const char *name, struct buf *ret)
{
  bool first = true;
  buf_addf(ret,
           "{\"name\":\"%s\",\"why\":\"a day with the shares of faults of "
           "this preset\",\"after_script\":\"reply\",\"steps\":[",
           name);
  for (size_t i = 0; i < PARTS; i++) {
    if (strcmp(parts[i].preset, name) != 0)
      continue;
    add_part(ret, &parts[i], first);
    first = false;
  }
  buf_adds(ret, "]}");
}

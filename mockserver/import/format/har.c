/*
 * HAR 1.2, as browsers and proxies save it.
 *
 * Source: the HAR 1.2 specification (softwareishard.com), and what Chrome
 * and Firefox write beyond it: _error, status 0 for no answer. Keys beyond
 * these are the tools' own and are passed over.
 */
#include "mockserver/import/format.h"

#include "mockserver/base64.h"

#include <string.h>
#include <strings.h>

#define MAX_MS 1e12

static bool fits(struct bytes text)
{
  return bytes_find(text, BYTES("\"log\"")) >= 0 &&
         bytes_find(text, BYTES("\"entries\"")) >= 0;
}

static int read_request(struct taken *t, const struct jval *entry,
                        struct diag *diag)
{
  struct jval request, post;
  const char *method = NULL, *url = NULL, *body = NULL;
  if (!read_member(entry, "request", &request))
    return jval_error(entry, diag, "the key 'request' is missing");
  if (read_text(&request, "method", &method, diag) < 0 ||
      read_text(&request, "url", &url, diag) < 0)
    return -1;
  if (!url)
    return jval_error(&request, diag, "the key 'url' is missing");
  buf_adds(&t->method, method ? method : "");
  taken_url(t, bytes_of(url));
  if (!read_member(&request, "postData", &post))
    return 0;
  if (read_text(&post, "text", &body, diag) < 0)
    return -1;
  t->has_request = body != NULL;
  buf_adds(&t->request, body ? body : "");
  return 0;
}

static int read_content(struct taken *t, const struct jval *response,
                        struct diag *diag)
{
  struct jval content, value;
  const char *text = NULL, *encoding = NULL;
  t->decoded = true; /* "text" is the body behind the content coding */
  if (!read_member(response, "content", &content))
    return 0;
  if (read_text(&content, "text", &text, diag) < 0 ||
      read_text(&content, "encoding", &encoding, diag) < 0)
    return -1;
  if (!text)
    return 0;
  if (!encoding || strcasecmp(encoding, "base64") != 0) {
    buf_adds(&t->body, text);
    return 0;
  }
  read_member(&content, "text", &value);
  return base64_decode(bytes_of(text), &t->body)
             ? 0
             : jval_error(&value, diag, "is not base64 (RFC 4648)");
}

static int read_response(struct taken *t, const struct jval *entry,
                         struct diag *diag)
{
  struct jval response;
  const char *reason = NULL, *version = NULL, *error = NULL;
  double status = 0;
  if (!read_member(entry, "response", &response))
    return jval_error(entry, diag, "the key 'response' is missing");
  if (read_number(&response, "status", 0, 999, &status, diag) < 0 ||
      read_text(&response, "statusText", &reason, diag) < 0 ||
      read_text(&response, "httpVersion", &version, diag) < 0 ||
      read_text(&response, "_error", &error, diag) < 0 ||
      read_text(entry, "_error", &error, diag) < 0)
    return -1;
  t->status = (int)status;
  t->http_1 = version && strncasecmp(version, "http/1", 6) == 0;
  t->has_reason = t->http_1 && reason;
  buf_adds(&t->reason, reason ? reason : "");
  t->end = taken_end_of(error);
  return read_headers(&response, "headers", t, diag) < 0
             ? -1
             : read_content(t, &response, diag);
}

static int read_times(struct taken *t, const struct jval *entry,
                      struct diag *diag)
{
  struct jval timings;
  double wait = -1, receive = -1;
  if (read_moment(entry, "startedDateTime", &t->at_ms, diag) < 0)
    return -1;
  if (!read_member(entry, "timings", &timings))
    return 0;
  if (read_number(&timings, "wait", -1, MAX_MS, &wait, diag) < 0 ||
      read_number(&timings, "receive", -1, MAX_MS, &receive, diag) < 0)
    return -1;
  t->wait_ms = (int64_t)(wait + (wait > 0 ? 0.5 : 0));
  t->receive_ms = (int64_t)(receive + (receive > 0 ? 0.5 : 0));
  return 0;
}

static int read_entry(struct draft *d, const struct jval *entry, int number,
                      struct diag *diag)
{
  struct taken t;
  taken_init(&t);
  t.number = number;
  int rc = read_request(&t, entry, diag) < 0 ||
                   read_response(&t, entry, diag) < 0 ||
                   read_times(&t, entry, diag) < 0
               ? -1
               : 0;
  if (rc == 0 && t.body.full)
    rc = jval_error(entry, diag, "its body is over %zu bytes", TAKEN_MAX_BODY);
  if (rc == 0)
    draft_take(d, &t);
  taken_release(&t);
  return rc;
}

static int read_log(struct draft *d, const struct json_doc *doc,
                    struct diag *diag)
{
  static const char *const words[] = {"log", NULL};
  static const char *const in_log[] = {"version", "creator", "browser", "pages",
                                       "entries", "comment", NULL};
  struct jval root = json_root(doc), log, entries;
  if (jval_object(&root, diag) < 0 || read_known(&root, words, NULL, diag) < 0)
    return -1;
  if (!read_member(&root, "log", &log))
    return jval_error(&root, diag, "the key 'log' is missing: no HAR file");
  if (jval_object(&log, diag) < 0 || read_known(&log, in_log, NULL, diag) < 0)
    return -1;
  if (!read_member(&log, "entries", &entries))
    return jval_error(&log, diag, "the key 'entries' is missing");
  if (jval_array(&entries, diag) < 0)
    return -1;
  int i = 0;
  const cJSON *node;
  cJSON_ArrayForEach(node, entries.node)
  {
    struct jval entry = {doc, node, &entries, NULL, i++};
    if (jval_object(&entry, diag) < 0 || read_entry(d, &entry, i, diag) < 0)
      return -1;
  }
  return 0;
}

static int read_har(struct draft *d, const char *file, struct bytes text,
                    struct diag *diag)
{
  struct json_doc doc;
  if (json_parse(&doc, file, text, diag) < 0)
    return -1;
  int rc = read_log(d, &doc, diag);
  json_release(&doc);
  return rc;
}

const struct format format_har = {
    .name = "har",
    .summary = "HAR 1.2, as browsers and proxies save it",
    .fits = fits,
    .read = read_har};

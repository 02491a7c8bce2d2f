#include "mockserver/upstream/transfer.h"

#include "mockserver/engine.h"
#include "mockserver/gate.h"
#include "mockserver/import/events.h"
#include "mockserver/plan.h"

#include <string.h>
#include <strings.h>

void transfer_wake(struct transfer *t)
{
  if (t->gate && !t->gate->open)
    gate_open(t->gate, clock_now_ns(t->u->o.clock));
}

/* ---- the head ---- */

static struct bytes trim(const char *p, size_t n)
{
  while (n && (p[n - 1] == '\r' || p[n - 1] == '\n' || p[n - 1] == ' '))
    n--;
  while (n && (*p == ' ' || *p == '\t')) {
    p++;
    n--;
  }
  return (struct bytes){p, n};
}

static bool holds(struct bytes value, const char *word)
{
  char *text = bytes_dup(value);
  bool found = strcasestr(text, word) != NULL;
  free(text);
  return found;
}

static void learn(struct transfer *t, struct bytes name, struct bytes value)
{
  if (bytes_equal_nocase(name, BYTES("content-length")))
    t->has_length = true;
  else if (bytes_equal_nocase(name, BYTES("transfer-encoding")))
    t->chunked = holds(value, "chunked");
  else if (bytes_equal_nocase(name, BYTES("connection")))
    t->wants_close |= holds(value, "close");
  else if (bytes_equal_nocase(name, BYTES("content-type")))
    t->is_stream = holds(value, "text/event-stream");
}

static void head_line(struct transfer *t, struct bytes line)
{
  const char *colon = memchr(line.p, ':', line.n);
  buf_addb(&t->head, line);
  if (!colon)
    return;
  struct bytes name = {line.p, (size_t)(colon - line.p)};
  struct bytes value = trim(colon + 1, line.n - name.n - 1);
  learn(t, name, value);
  taken_header(&t->taken, name, value);
}

/* A new status line: what came before it was an interim answer. */
static void status_line(struct transfer *t, struct bytes line)
{
  struct bytes plain = trim(line.p, line.n);
  buf_reset(&t->head);
  buf_addb(&t->head, line);
  taken_status_line(&t->taken, plain);
  t->status = t->taken.status;
}

static void head_is_over(struct transfer *t)
{
  if (t->status < 200)
    return; /* interim: another status line follows */
  t->no_body |= t->status == 204 || t->status == 304;
  t->head_done = true;
  t->head_ns = clock_now_ns(t->u->o.clock);
  t->taken.wait_ms = (t->head_ns - t->asked_ns) / NS_PER_MS;
  buf_addb(&t->out, buf_bytes(&t->head));
  buf_adds(&t->out, "\r\n");
  transfer_wake(t);
}

size_t transfer_header(char *p, size_t size, size_t n, void *arg)
{
  struct transfer *t = arg;
  struct bytes line = {p, size * n};
  if (t->head_done)
    return line.n; /* a trailer */
  if (bytes_starts(line, BYTES("HTTP/")))
    status_line(t, line);
  else if (trim(line.p, line.n).n == 0)
    head_is_over(t);
  else
    head_line(t, line);
  return line.n;
}

/* ---- the body ---- */

static void count_events(struct transfer *t, struct bytes b)
{
  if (!t->is_stream)
    return;
  for (size_t i = 0; i + 1 < b.n; i++)
    t->events += b.p[i] == '\n' &&
                 (b.p[i + 1] == '\n' ||
                  (i + 2 < b.n && b.p[i + 1] == '\r' && b.p[i + 2] == '\n'));
  t->terminal |= events_is_terminal(b);
}

size_t transfer_body(char *p, size_t size, size_t n, void *arg)
{
  struct transfer *t = arg;
  struct bytes b = {p, size * n};
  if (t->out.n > TRANSFER_HELD) {
    t->paused = true;
    return CURL_WRITEFUNC_PAUSE;
  }
  if (!b.n)
    return 0;
  if (t->chunked)
    buf_addf(&t->out, "%zx\r\n", b.n);
  buf_addb(&t->out, b);
  if (t->chunked)
    buf_adds(&t->out, "\r\n");
  count_events(t, b);
  if (t->u->o.taken)
    taken_piece(&t->taken, b,
                (clock_now_ns(t->u->o.clock) - t->head_ns) / NS_PER_MS);
  transfer_wake(t);
  return b.n;
}

/* ---- the end ---- */

static enum taken_end end_of(const struct transfer *t)
{
  switch (t->result) {
  case CURLE_OK:
    return TAKEN_WHOLE;
  case CURLE_COULDNT_CONNECT:
  case CURLE_COULDNT_RESOLVE_HOST:
    return TAKEN_REFUSED;
  case CURLE_OPERATION_TIMEDOUT:
  case CURLE_ABORTED_BY_CALLBACK:
    return TAKEN_SILENT;
  default:
    return strcasestr(t->error, "reset") ? TAKEN_RESET : TAKEN_CLOSED;
  }
}

void transfer_over(struct transfer *t, CURLcode result)
{
  t->result = result;
  t->over = true;
  t->taken.end = end_of(t);
  if (!t->head_done &&
      (t->taken.end == TAKEN_REFUSED || t->taken.end == TAKEN_SILENT))
    t->status = 502;
  transfer_wake(t);
}

/* Nothing of the upstream's came: it is faultwire that speaks. */
static void say_unreachable(struct transfer *t)
{
  const char *why = t->error[0] ? t->error : curl_easy_strerror(t->result);
  struct buf body;
  buf_init(&body, 4096);
  buf_adds(&body, "{\"type\":\"error\",\"error\":{\"type\":\"api_error\","
                  "\"message\":");
  char *text = mem_format("faultwire: the upstream did not answer: %s", why);
  buf_add_json(&body, bytes_of(text));
  buf_adds(&body, "}}");
  buf_addf(&t->out,
           "HTTP/1.1 502 Bad Gateway\r\nx-faultwire: upstream\r\n"
           "content-type: application/json\r\ncontent-length: %zu\r\n\r\n",
           body.n);
  buf_addb(&t->out, buf_bytes(&body));
  free(text);
  buf_release(&body);
}

static void end_whole(struct transfer *t, struct plan *plan)
{
  if (t->chunked && !t->no_body)
    plan_send(plan, BYTES("0\r\n\r\n"));
  plan_mark(plan, MARK_COMPLETE);
  bool framed = t->chunked || t->has_length || t->no_body;
  if (t->wants_close || !framed)
    plan_fin(plan);
  else
    plan_keep(plan);
}

static void end_plan(struct transfer *t, struct plan *plan, bool spoke)
{
  if (spoke)
    plan_fin(plan);
  else if (t->result == CURLE_OK)
    end_whole(t, plan);
  else if (t->taken.end == TAKEN_RESET)
    plan_rst(plan);
  else
    plan_fin(plan);
  t->written = true;
}

void transfer_plan(struct transfer *t, struct plan *plan)
{
  bool over = t->over;
  bool spoke = over && !t->head_done && t->status == 502;
  if (spoke)
    say_unreachable(t);
  if (t->out.n) {
    plan_forget(plan); /* all that stood before is out */
    plan_send(plan, buf_bytes(&t->out));
    buf_reset(&t->out);
  }
  if ((t->head_done || spoke) && !t->head_marked) {
    t->head_marked = true;
    plan_mark(plan, MARK_HEAD);
  }
  if (over)
    end_plan(t, plan, spoke);
}

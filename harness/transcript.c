#include "harness/judge.h"

#include "harness/check/common.h"

#include <string.h>

/* Ceiling of one line: a target may be long. */
enum { MAX_LINE_BYTES = 4096 };

struct line {
  int64_t ns;
  size_t order; /* of two at the same time */
  char *text;
};

/* Seconds since the first exec, never negative. */
static double since(const struct evidence *e, int64_t ns)
{
  double s = ns_to_s(ns - e->start_ns);
  return s < 0 ? 0 : s;
}

static void add_stream(const struct attempt *a, struct buf *b)
{
  if (!a->stream_sent)
    return;
  if (a->terminal_sent)
    buf_adds(b, ", stream, terminal event sent");
  else
    buf_addf(b, ", stream, %llu events, no terminal event",
             (unsigned long long)a->events_sent);
}

static void add_end(const struct evidence *e, const struct attempt *a,
                    struct buf *b)
{
  if (a->end == END_RST && !strstr(a->what, "reset"))
    buf_adds(b, ", reset");
  else if (a->end == END_CLIENT && !a->complete && a->client_left_ns)
    buf_addf(b, ", client left at %.3f s", since(e, a->client_left_ns));
  else if (a->end == END_OPEN)
    buf_adds(b, ", still open at the end");
}

static void add_marks(const struct attempt *a, struct buf *b)
{
  if (a->cls == ATTEMPT_SIDE)
    buf_adds(b, "  (side traffic)");
  else if (a->cls == ATTEMPT_REFUSED)
    buf_adds(b, "  (refused: no HTTP this server takes)");
  else if (a->cls == ATTEMPT_HANDSHAKE)
    buf_adds(b, a->complete ? "  (a request follows)" : "  (no request)");
  else if (strcmp(a->rule, "non_stream") == 0)
    buf_adds(b, "  (not streamed: the fault is for streams)");
  else if (strcmp(a->rule, "after_script") == 0)
    buf_adds(b, "  (beyond the script)");
}

/* How many came, and how late after the others this one went out. */
static void add_barrier(const struct attempt *a, struct buf *b)
{
  if (!a->barrier_round)
    return;
  buf_addf(b, ", held with others (%llu of %llu came)",
           (unsigned long long)a->barrier_came,
           (unsigned long long)a->barrier_wanted);
  if (a->answer_first_ns)
    buf_addf(b, ", out %.3f ms after all were let go",
             ns_to_s(a->answer_first_ns - a->barrier_open_ns) * 1000);
}

static char *attempt_line(const struct evidence *e, const struct attempt *a)
{
  struct buf b;
  buf_init(&b, MAX_LINE_BYTES);
  buf_addf(&b, "#%llu  %.3f s  ", (unsigned long long)a->seq,
           since(e, a->first_byte_ns));
  if (a->lane[0])
    buf_addf(&b, "[%s] ", a->lane);
  if (a->cls == ATTEMPT_HANDSHAKE)
    buf_addf(&b, "TLS handshake  -> %s", a->what);
  else
    buf_addf(&b, "%s %.200s  -> %s", a->method, a->target ? a->target : "",
             a->what[0] ? a->what : "no answer");
  if (a->has_retry_after)
    buf_addf(&b, ", retry-after: %s", a->retry_after);
  add_stream(a, &b);
  add_barrier(a, &b);
  add_end(e, a, &b);
  add_marks(a, &b);
  return buf_detach(&b);
}

static char *start_line(const struct evidence *e, const struct client_start *s)
{
  char how[320], lane[80] = "", number[32] = "";
  start_format(s, how, sizeof how);
  if (s->lane[0])
    snprintf(lane, sizeof lane, "[%s] ", s->lane);
  if (e->spec->starts > 1)
    snprintf(number, sizeof number, "start %d: ", s->number + 1);
  return mem_format("%s%s%s%s", lane, number, how,
                    s->left_children ? ", left processes behind" : "");
}

static int by_time(const void *a, const void *b)
{
  const struct line *x = a, *y = b;
  if (x->ns != y->ns)
    return x->ns < y->ns ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

cJSON *transcript_json(const struct evidence *e)
{
  size_t n = 0, max = e->nall + e->nstarts;
  struct line *lines = mem_zalloc((max + 1) * sizeof *lines);
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < e->nall; i++, n++)
    lines[n] =
        (struct line){e->all[i]->first_byte_ns, n, attempt_line(e, e->all[i])};
  for (size_t i = 0; i < e->nstarts; i++, n++)
    lines[n] =
        (struct line){e->starts[i].exit_ns, n, start_line(e, &e->starts[i])};
  qsort(lines, n, sizeof *lines, by_time);
  for (size_t i = 0; i < n; i++) {
    cJSON_AddItemToArray(list, cJSON_CreateString(lines[i].text));
    free(lines[i].text);
  }
  free(lines);
  return list;
}

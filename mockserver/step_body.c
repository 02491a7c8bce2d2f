#include "mockserver/step_body.h"

#include "base/number.h"
#include "mockserver/reply.h"
#include "mockserver/step_check.h"

#include <string.h>

static const char *const modes[] = {"always", "when_accepted", "header_only",
                                    "body_only", NULL};
enum { ALWAYS, WHEN_ACCEPTED, HEADER_ONLY, BODY_ONLY };

/* Ceiling of a body is that of a plan, 64 MiB. */
#define MAX_BODY_BYTES 67108864

const struct param body_params[] = {
    {.name = "content_type",
     .type = PARAM_LITERAL,
     .summary = "value of content-type, whatever the body is; null: no such "
                "header"},
    {.name = "encoding",
     .type = PARAM_WORD,
     .words = encoding_words,
     .summary = "content coding of the body; deflate_raw is called deflate "
                "and has no wrapper"},
    {.name = "encoding_mode",
     .type = PARAM_WORD,
     .words = modes,
     .summary = "when_accepted: only if the request accepts it; header_only: "
                "told, not done; body_only: done, not told; default always"},
    {.name = "body_bytes",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_BODY_BYTES,
     .summary = "so many bytes of the coded body are sent, and the head "
                "counts no more; the rest is left out"},
    {.name = NULL}};

static struct bytes trim(struct bytes s)
{
  while (s.n && (*s.p == ' ' || *s.p == '\t')) {
    s.p++;
    s.n--;
  }
  while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
    s.n--;
  return s;
}

/* Takes what stands before `stop` off the front. */
static struct bytes take(struct bytes *s, char stop)
{
  const char *end = s->n ? memchr(s->p, stop, s->n) : NULL;
  struct bytes first = *s;
  if (!end) {
    *s = (struct bytes){NULL, 0};
    return trim(first);
  }
  first.n = (size_t)(end - s->p);
  *s = (struct bytes){end + 1, s->n - first.n - 1};
  return trim(first);
}

static bool refused(struct bytes weight)
{
  double q = 1;
  weight = trim(weight);
  if (!bytes_starts(weight, BYTES("q=")) && !bytes_starts(weight, BYTES("Q=")))
    return false;
  number_decimal((struct bytes){weight.p + 2, weight.n - 2}, 0, 1, &q);
  return q <= 0;
}

bool step_accepts(struct bytes accept, const char *name)
{
  bool all = false;
  while (accept.n) {
    struct bytes rest = take(&accept, ',');
    struct bytes coding = take(&rest, ';');
    if (bytes_equal_nocase(coding, bytes_of(name)))
      return !refused(rest);
    if (bytes_equal(coding, BYTES("*")))
      all = !refused(rest);
  }
  return all;
}

struct coding step_coding(const cJSON *step, const struct request *r)
{
  struct coding c = {0};
  struct bytes accept = {NULL, 0};
  int kind = param_word(step, "encoding", encoding_words, -1);
  int mode = param_word(step, "encoding_mode", modes, ALWAYS);
  if (kind < 0)
    return c;
  c.kind = (enum encoding)kind;
  request_header(r, "accept-encoding", &accept);
  if (mode == WHEN_ACCEPTED && !step_accepts(accept, encoding_name(c.kind)))
    return c;
  c.told = mode != BODY_ONLY;
  c.done = mode != HEADER_ONLY;
  return c;
}

/* A coded stream is kept event by event. */
enum { MAX_CODED_CHUNKS = 20000 };

int step_body_check(const struct jval *step, struct diag *diag)
{
  struct jval v;
  int64_t chunks = 0;
  bool coded = param_has(step->node, "encoding");
  if (jval_member(step, "content_type", &v) &&
      step_check_header_text(&v, diag) < 0)
    return -1;
  if (!coded && jval_member(step, "encoding_mode", &v))
    return jval_key_error(&v, diag, "needs 'encoding'");
  if (coded && jval_member(step, "pings", &v))
    return jval_key_error(&v, diag, "cannot be coded: no 'encoding' with it");
  if (!coded && !param_has(step->node, "body_bytes"))
    return 0;
  if (!jval_member(step, "chunks", &v) ||
      !param_int(step->node, "chunks", &chunks) || chunks <= MAX_CODED_CHUNKS)
    return 0;
  return jval_error(&v, diag, "at most %d with 'encoding' or 'body_bytes'",
                    (int)MAX_CODED_CHUNKS);
}

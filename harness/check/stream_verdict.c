#include "harness/check/all.h"
#include "harness/check/common.h"

#include "mockserver/reply_step.h"

#include <string.h>

enum { MUST_ERROR, MUST_SUCCESS };
static const char *const words[] = {"error", "success", NULL};

/* Ceiling of a text that is looked for in an output. */
enum { MAX_TEXT = 64 << 20 };

/* All the server has said: the text of a reply, of its blocks, of its
 * events, or the one it says by itself. */
static void text_of(const struct evidence *e, const struct attempt *a,
                    struct buf *ret)
{
  bool known =
      e->scenario && a->step >= 0 && (size_t)a->step < e->scenario->nsteps;
  buf_init(ret, MAX_TEXT);
  reply_step_text(known ? e->scenario->steps[a->step].node : NULL, ret);
}

static size_t occurrences(struct bytes hay, struct bytes needle)
{
  size_t n = 0;
  for (;;) {
    ptrdiff_t at = needle.n ? bytes_find(hay, needle) : -1;
    if (at < 0)
      return n;
    n++;
    hay.p += (size_t)at + needle.n;
    hay.n -= (size_t)at + needle.n;
  }
}

/* The first word tells a half text before the whole one. */
static struct bytes first_word(const char *text)
{
  return (struct bytes){text, strcspn(text, " ")};
}

struct streams {
  const struct attempt *broken; /* the last that never reached its end */
  const struct attempt *whole;  /* the last that was complete */
  size_t seen;
};

/* A plain answer after a broken stream is as good as a whole stream. */
static struct streams look(const struct lane_view *v, int start)
{
  struct streams s = {0};
  for (size_t i = 0; i < v->na; i++) {
    const struct attempt *a = v->a[i];
    bool good = attempt_whole(a) && a->status == 200;
    if (lane_start_of(v, a) != start)
      continue;
    s.seen += a->stream_sent || good;
    if (a->stream_sent && !a->terminal_sent)
      s.broken = a;
    if (good)
      s.whole = a;
  }
  return s;
}

/* Exit 0 is right only with the whole text, once. */
static void judge_success(const struct lane_view *v,
                          const struct client_start *start,
                          const struct streams *s, struct finding *f)
{
  if (!s->whole) {
    finding_actual(f, VERDICT_FAIL,
                   "exit 0, though no answer ever reached its end");
    return;
  }
  struct buf text;
  text_of(v->e, s->whole, &text);
  struct bytes word = first_word(buf_str(&text));
  size_t whole = occurrences(start->out, buf_bytes(&text));
  size_t begun = occurrences(start->out, word);
  size_t per_text = occurrences(buf_bytes(&text), word);
  if (start->out_cut)
    finding_actual(f, VERDICT_INCONCLUSIVE,
                   "more was written than is kept: the text may be missing");
  else if (whole != 1)
    finding_actual(f, VERDICT_FAIL,
                   "exit 0, the whole text is %zu times on stdout", whole);
  else if (begun > per_text)
    finding_actual(f, VERDICT_FAIL,
                   "exit 0, a part of the text stands beside the whole one");
  else
    finding_actual(f, VERDICT_PASS, "exit 0 and the whole text once");
  buf_release(&text);
}

static void judge_end(const struct lane_view *v,
                      const struct client_start *start, const struct streams *s,
                      int must, struct finding *f)
{
  char how[320];
  start_format(start, how, sizeof how);
  if (start->timed_out || start->signal) {
    f->kind = start->timed_out ? start_hang_kind(start) : KIND_CRASH;
    finding_actual(f, VERDICT_FAIL, "%s", how);
  } else if (start->exit_code != 0) {
    finding_actual(f, must == MUST_ERROR ? VERDICT_PASS : VERDICT_FAIL, "%s",
                   how);
  } else {
    judge_success(v, start, s, f);
  }
}

static void describe(int must, struct finding *f)
{
  snprintf(f->text, sizeof f->text, "%s",
           must == MUST_ERROR
               ? "a stream that did not reach its end is no success"
               : "the client ends well with the whole answer");
  snprintf(f->expected, sizeof f->expected, "%s",
           must == MUST_ERROR
               ? "an exit code other than 0, or exit 0 and the whole text once"
               : "exit 0 and the whole text once");
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  int must = param_word(x->node, "must", words, MUST_ERROR);
  for (size_t i = 0; i < v->ns; i++) {
    struct streams s = look(v, (int)i);
    struct finding f = {0};
    if (must == MUST_ERROR ? !s.broken : !s.seen)
      continue;
    describe(must, &f);
    judge_end(v, v->s[i], &s, must, &f);
    finding_merge(ret, &f);
  }
  if (ret->text[0])
    return;
  describe(must, ret);
  finding_actual(ret, VERDICT_INCONCLUSIVE,
                 must == MUST_ERROR ? "no stream was broken off"
                                    : "no answer was sent");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "must",
     .type = PARAM_WORD,
     .words = words,
     .summary = "error (default): no success without the whole text; success: "
                "the whole text and exit 0"},
    {.name = NULL}};

const struct check check_stream_verdict = {
    .name = "stream_verdict",
    .summary = "what the client makes of a stream that broke off or held an "
               "error: never exit 0 with partial or doubled text",
    .params = params,
    .per_lane = true,
    .judge = judge};

#include "harness/check/all.h"
#include "harness/check/common.h"

#include "mockserver/reply_step.h"

#include <string.h>

enum { STDOUT, STDERR };
static const char *const streams[] = {"stdout", "stderr", NULL};
enum { LINE_END_OPTIONAL, LINE_END_EXACT };
static const char *const line_ends[] = {"optional", "exact", NULL};

/* Ceiling of a text the server may have said. */
enum { MAX_TEXT = 64 << 20 };
/* So much is shown around the first byte that differs. */
enum { SHOWN = 24 };

/* A stream that reached its end is whole, however slowly it came. */
static bool is_whole(const struct attempt *a)
{
  return attempt_whole(a) && a->status == 200 &&
         (a->stream_sent || !attempt_faulty(a));
}

/* What the server said in the last whole answer of the start. */
static bool said_text(const struct lane_view *v, int start, struct buf *ret)
{
  const struct scenario *s = v->e->scenario;
  const struct attempt *last = NULL;
  for (size_t i = 0; i < v->na; i++)
    if (lane_start_of(v, v->a[i]) == start && is_whole(v->a[i]))
      last = v->a[i];
  if (!last)
    return false;
  bool known = s && last->step >= 0 && (size_t)last->step < s->nsteps;
  reply_step_text(known ? s->steps[last->step].node : NULL, ret);
  return true;
}

static void show(struct bytes b, size_t at, char *ret, size_t size)
{
  struct buf out;
  size_t n = b.n - at < SHOWN ? b.n - at : SHOWN;
  buf_init(&out, 4096);
  buf_add_json(&out, (struct bytes){n ? b.p + at : "", n});
  snprintf(ret, size, "%s", buf_str(&out));
  buf_release(&out);
}

static void compare(struct bytes have, struct bytes want, bool cut,
                    struct finding *f)
{
  char h[160], w[160];
  size_t at = 0;
  while (at < have.n && at < want.n && have.p[at] == want.p[at])
    at++;
  show(have, at, h, sizeof h);
  show(want, at, w, sizeof w);
  if (at == have.n && at == want.n && !cut)
    finding_actual(f, VERDICT_PASS, "%zu bytes, all the same", have.n);
  else if (at == have.n && cut)
    finding_actual(f, VERDICT_INCONCLUSIVE,
                   "more was written than is kept (%zu bytes)", have.n);
  else if (at == have.n)
    finding_actual(f, VERDICT_FAIL, "ends after %zu bytes, %s is missing", at,
                   w);
  else if (at == want.n)
    finding_actual(f, VERDICT_FAIL, "goes on after %zu bytes with %s", at, h);
  else
    finding_actual(f, VERDICT_FAIL, "byte %zu differs: %s instead of %s",
                   at + 1, h, w);
}

static struct bytes without_line_end(struct bytes b)
{
  if (b.n && b.p[b.n - 1] == '\n')
    b.n--;
  return b;
}

static void judge_start(const struct lane_view *v, size_t i,
                        const struct expect *x, struct finding *ret)
{
  const struct client_start *s = v->s[i];
  bool err = param_word(x->node, "stream", streams, STDOUT) == STDERR;
  bool exact = param_word(x->node, "line_end", line_ends, LINE_END_OPTIONAL) ==
               LINE_END_EXACT;
  const char *equals = NULL;
  struct finding f = {0};
  struct bytes have = err ? s->err : s->out;
  struct buf want;
  char label[32];
  buf_init(&want, MAX_TEXT);
  snprintf(f.text, sizeof f.text, "%s%s is, byte for byte, the text",
           start_label(v, i, label, sizeof label), streams[err]);
  if (param_string(x->node, "equals", &equals))
    buf_adds(&want, equals);
  if (!equals && !said_text(v, (int)i, &want)) {
    finding_actual(&f, VERDICT_INCONCLUSIVE,
                   "no whole answer was sent, so there is no text to compare");
  } else {
    struct bytes wanted = buf_bytes(&want);
    show(wanted, 0, f.expected, sizeof f.expected);
    compare(exact ? have : without_line_end(have),
            exact ? wanted : without_line_end(wanted),
            err ? s->err_cut : s->out_cut, &f);
  }
  buf_release(&want);
  finding_merge(ret, &f);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  int64_t only = 0;
  param_int(x->node, "start", &only);
  for (size_t i = 0; v->na && i < v->ns; i++)
    if (!only || (size_t)only == i + 1)
      judge_start(v, i, x, ret);
  if (ret->text[0])
    return;
  snprintf(ret->text, sizeof ret->text,
           "the output is, byte for byte, "
           "the text");
  finding_actual(ret, VERDICT_INCONCLUSIVE, "there was no such start");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "equals",
     .type = PARAM_STRING,
     .summary = "the text; default what the server said in the last whole "
                "answer of the start"},
    {.name = "stream",
     .type = PARAM_WORD,
     .words = streams,
     .summary = "which output, default stdout"},
    {.name = "line_end",
     .type = PARAM_WORD,
     .words = line_ends,
     .summary = "optional (default): one line end more or less at the end "
                "does not count; exact: it does"},
    {.name = "start",
     .type = PARAM_INT,
     .min = 1,
     .max = 100,
     .summary = "only this start of the client, default each of them"},
    {.name = NULL}};

const struct check check_output_exact = {
    .name = "output_exact",
    .summary = "the output is the text byte for byte: nothing lost, nothing "
               "twice, nothing beside it",
    .params = params,
    .per_lane = true,
    .judge = judge};

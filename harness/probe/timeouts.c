/* How long the client waits on silence, and how often it asks again. */
#include "harness/probe/patience.h"
#include "harness/probe/probe.h"
#include "harness/probe/steps.h"

#include <string.h>

enum silence { SILENCE_HANG, SILENCE_HEAD, SILENCE_IDLE, SILENCE_PINGS, NALL };

static const struct {
  const char *name, *step, *scenario;
  bool needs_stream;
} rows[NALL] = {
    [SILENCE_HANG] = {"time-out: no answer", "\"fault\":\"hang\"",
                      "timeout/hang-then-success", false},
    [SILENCE_HEAD] = {"time-out: head, then silence",
                      "\"fault\":\"stall\",\"where\":\"after_headers\"",
                      "stream/silent-before-the-first-event", false},
    [SILENCE_IDLE] = {"time-out: silence in the stream",
                      "\"fault\":\"stall\",\"where\":\"after_event\","
                      "\"after_event\":5," REPLY_KEYS,
                      "stream/silent-after-five-events", true},
    [SILENCE_PINGS] = {"time-out: only pings in the stream",
                       "\"fault\":\"stall\",\"where\":\"after_event\","
                       "\"after_event\":5,\"pings\":0.5," REPLY_KEYS,
                       "stream/only-pings", true},
};

static const struct sight *want(struct book *b, enum silence i)
{
  struct trial_ask ask = {
      .steps = b->face.command
                   ? mem_format("[{\"command\":\"%s\",\"hang\":true,"
                                "\"times\":\"always\"}]",
                                b->face.command)
                   : one_step(rows[i].step)};
  return book_want(b, rows[i].name, &ask);
}

static char *value_of(const struct patience *p)
{
  struct buf out;
  buf_init(&out, 256);
  if (!p->known)
    buf_addf(&out, "longer than %.1f s", p->s);
  else
    buf_addf(&out, "%.2f s", p->s);
  if (p->known && p->retries == 0 && p->ended)
    buf_adds(&out, ", not asked again");
  else if (p->known)
    buf_addf(&out, ", asked again %zu time%s%s", p->retries,
             p->retries == 1 ? "" : "s", p->ended ? "" : " or more");
  return buf_detach(&out);
}

static void set_policy(struct findings *f, const struct patience *p,
                       const char *seen)
{
  char *unknown = mem_format("longer than the limit: %s", seen);
  if (p->known)
    take_setting(f, "timeout_s", mem_format("%.2f", p->s), mem_strdup(seen));
  else
    take_no_setting(f, "timeout_s", mem_strdup(unknown));
  if (p->known && p->ended)
    take_setting(f, "timeout_retry", mem_format("%zu", p->retries),
                 mem_strdup(seen));
  else
    take_no_setting(f, "timeout_retry", mem_strdup(unknown));
  if (p->stretch > 0)
    take_setting(f, "timeout_stretch", mem_format("%.2f", p->stretch),
                 mem_strdup(seen));
  else
    take_no_setting(f, "timeout_stretch",
                    mem_format("no second time-out was seen: %s", seen));
  free(unknown);
}

/* Silences that it was still bearing at the limit, in one sentence: none of
 * them proves that it would bear them for ever. */
static void judge(struct findings *f, const bool *held, bool any_known,
                  double limit_s)
{
  struct buf names;
  const char *scenario = NULL;
  buf_init(&names, 512);
  if (any_known && held[SILENCE_PINGS])
    take_danger(f, HARM_NEVER_ENDS, rows[SILENCE_PINGS].scenario,
                mem_format("it has a time-out, but pings without content hold "
                           "it for %.0f s and more",
                           limit_s));
  for (enum silence i = 0; i < NALL; i++)
    if (held[i] && !(any_known && i == SILENCE_PINGS)) {
      buf_addf(&names, "%s%s", names.n ? "; " : "",
               rows[i].name + strlen("time-out: "));
      scenario = scenario ? scenario : rows[i].scenario;
    }
  if (scenario)
    take_danger(f, HARM_HOLDS, scenario,
                mem_format("silence holds it for %.0f s and more: %s", limit_s,
                           buf_str(&names)));
  buf_release(&names);
}

static struct patience measure_one(struct book *b, struct findings *f,
                                   enum silence i)
{
  const struct sight *s = want(b, i);
  if (!s)
    return (struct patience){.no_silence = true};
  struct patience p = patience_of(s);
  char *seen = sight_sentence(s);
  if (s->why || s->ncalls == 0) {
    take_nothing(f, rows[i].name, mem_strdup(seen));
  } else if (p.no_silence) {
    take_nothing(f, rows[i].name,
                 mem_format("it ended before any silence: %s", seen));
  } else {
    take_value(f, rows[i].name, value_of(&p), mem_strdup(seen));
    if (i == SILENCE_HANG)
      set_policy(f, &p, seen);
  }
  free(seen);
  return p;
}

static void measure(struct book *b, struct findings *f)
{
  bool held[NALL] = {false}, any_known = false;
  for (enum silence i = 0; i < NALL; i++) {
    if (b->face.command && i != SILENCE_HANG)
      continue;
    if (rows[i].needs_stream && !b->face.stream)
      take_nothing(f, rows[i].name, mem_strdup("its calls ask for no stream"));
    else {
      struct patience p = measure_one(b, f, i);
      held[i] = !p.known && !p.no_silence;
      any_known = any_known || p.known;
    }
  }
  judge(f, held, any_known, b->limit_s);
}

const struct probe probe_timeouts = {"timeouts", "how long it waits on silence",
                                     measure};

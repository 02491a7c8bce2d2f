/* What a stream that breaks off does to exit code and output. */
#include "harness/probe/probe.h"
#include "harness/probe/steps.h"
#include "harness/probe/tries.h"
#include "harness/probe/verdict_of.h"

/* Events before the break: some text has come, of every provider, and not
 * all of it. */
#define AFTER "\"after_event\":5," REPLY_KEYS

static const struct row {
  const char *name, *steps, *scenario;
} rows[] = {
    {"stream without its last event",
     "[{\"fault\":\"stream_cut\",\"ending\":\"clean\"," REPLY_KEYS
     ",\"times\":\"always\"}]",
     "stream/cut-clean"},
    {"stream cut in the middle",
     "[{\"fault\":\"stream_cut\",\"ending\":\"clean\"," AFTER
     ",\"times\":\"always\"}]",
     "stream/cut-clean"},
    {"stream cut, the body left open",
     "[{\"fault\":\"stream_cut\",\"ending\":\"dirty\"," AFTER
     ",\"times\":\"always\"}]",
     "stream/cut-dirty"},
    {"stream cut by a reset",
     "[{\"fault\":\"stream_cut\",\"ending\":\"rst\"," AFTER
     ",\"times\":\"always\"}]",
     "stream/cut-rst"},
    {"stream cut once, then whole",
     "[{\"fault\":\"stream_cut\",\"ending\":\"dirty\"," AFTER
     "},{\"reply\":\"message\"," REPLY_KEYS "}]",
     "stream/cut-then-whole"},
    {"error event in the stream",
     "[{\"fault\":\"stream_error\"," AFTER ",\"times\":\"always\"}]",
     "stream/error-event-every-time"},
    {"error event first",
     "[{\"fault\":\"stream_error\",\"after_event\":0," REPLY_KEYS
     ",\"times\":\"always\"}]",
     "stream/error-event-every-time"},
};
enum { NROWS = sizeof rows / sizeof rows[0], LENIENT_ROW = 0, CUT_ROW = 1 };

static void set_terminal(struct findings *f, const struct outcome_seen *o,
                         const char *seen)
{
  if (o->verdict == SEEN_WHOLE && o->tries == 1)
    take_setting(f, "terminal", mem_strdup("\"lenient\""), mem_strdup(seen));
  else if (o->verdict == SEEN_ERROR || o->verdict == SEEN_AGAIN)
    take_setting(f, "terminal", mem_strdup("\"strict\""), mem_strdup(seen));
  else
    take_no_setting(f, "terminal", mem_strdup(seen));
}

static void set_truncated(struct findings *f, const struct outcome_seen *o,
                          const char *seen)
{
  bool clear = o->verdict == SEEN_ERROR || o->verdict == SEEN_AGAIN;
  if (clear)
    take_setting(f, "truncated",
                 mem_strdup(o->tries > 1 ? "\"retry\"" : "\"error\""),
                 mem_strdup(seen));
  else
    take_no_setting(f, "truncated",
                    mem_format("neither a repeat nor an error: %s", seen));
}

static void judge(struct findings *f, const struct row *row,
                  const struct outcome_seen *o)
{
  if (o->verdict == SEEN_PARTIAL)
    take_case(f, HARM_WRONG_RESULT, row->scenario,
              "a part of the text is taken for the answer, exit code 0",
              row->name);
  else if (o->verdict == SEEN_DOUBLED)
    take_case(f, HARM_WRONG_RESULT, row->scenario,
              "the text is in the output more than once, exit code 0",
              row->name);
  else if (o->verdict == SEEN_EMPTY)
    take_case(f, HARM_WRONG_RESULT, row->scenario,
              "exit code 0 without the text", row->name);
  else if (o->verdict == SEEN_HANGS)
    take_case(f, HARM_NEVER_ENDS, row->scenario, "it hangs", row->name);
  else if (o->verdict == SEEN_AGAIN && o->tries >= HAMMERS)
    take_case(f, HARM_NEVER_ENDS, row->scenario,
              "it asks again and again, no end was seen", row->name);
}

static void measure_row(struct book *b, struct findings *f, int i)
{
  struct trial_ask ask = {.steps = mem_strdup(rows[i].steps)};
  const struct sight *s = book_want(b, rows[i].name, &ask);
  if (!s)
    return;
  struct outcome_seen o = outcome_seen(s);
  char *seen = sight_sentence(s);
  if (o.verdict == SEEN_NOTHING) {
    take_nothing(f, rows[i].name, mem_strdup(seen));
  } else {
    take_value(f, rows[i].name, outcome_text(&o), mem_strdup(seen));
    judge(f, &rows[i], &o);
  }
  if (i == LENIENT_ROW)
    set_terminal(f, &o, seen);
  if (i == CUT_ROW)
    set_truncated(f, &o, seen);
  free(seen);
}

static void measure(struct book *b, struct findings *f)
{
  static const char none[] = "its calls ask for no stream";
  if (!b->face.stream || b->face.command) {
    const char *why = b->face.command ? "a command has no stream" : none;
    take_nothing(f, "streams that break off", mem_strdup(why));
    take_no_setting(f, "terminal", mem_strdup(why));
    take_no_setting(f, "truncated", mem_strdup(why));
    return;
  }
  for (int i = 0; i < NROWS; i++)
    measure_row(b, f, i);
}

const struct probe probe_streams = {
    "streams", "what a stream that breaks off does to exit code and output",
    measure};

#include "harness/kept/facts.h"

#include <inttypes.h>
#include <string.h>

static void add_key(struct buf *b, const char *indent, const char *name)
{
  char last = b->n ? b->p[b->n - 1] : '{';
  buf_addf(b, "%s\n%s", last == '{' ? "" : ",", indent);
  buf_add_json(b, bytes_of(name));
  buf_adds(b, ": ");
}

/* NULL stays NULL. */
static void add_text(struct buf *b, const char *name, const char *value)
{
  add_key(b, "  ", name);
  if (value)
    buf_add_json(b, bytes_of(value));
  else
    buf_adds(b, "null");
}

static void add_i64(struct buf *b, const char *name, int64_t value)
{
  add_key(b, "  ", name);
  buf_addf(b, "%" PRId64, value);
}

static void add_bool(struct buf *b, const char *name, bool value)
{
  add_key(b, "  ", name);
  buf_adds(b, value ? "true" : "false");
}

static void add_texts(struct buf *b, const char *name, const char *const *list)
{
  add_key(b, "  ", name);
  buf_addc(b, '[');
  for (size_t i = 0; list && list[i]; i++) {
    if (i)
      buf_adds(b, ", ");
    buf_add_json(b, bytes_of(list[i]));
  }
  buf_addc(b, ']');
}

static void add_start(struct buf *b, const struct client_start *s)
{
  const char *const yes[] = {"false", "true"};
  buf_adds(b, "    {\"lane\": ");
  buf_add_json(b, bytes_of(s->lane));
  buf_addf(b, ", \"number\": %d, \"pid\": %ld", s->number, s->pid);
  buf_addf(b, ", \"start_ns\": %" PRId64 ", \"exit_ns\": %" PRId64, s->start_ns,
           s->exit_ns);
  buf_addf(b, ",\n     \"launched\": %s, \"launch_error\": ", yes[s->launched]);
  buf_add_json(b, bytes_of(s->launch_error));
  buf_addf(b, ", \"timed_out\": %s, \"exit_code\": %d, \"signal\": %d",
           yes[s->timed_out], s->exit_code, s->signal);
  buf_addf(b, ", \"signalled_ns\": %" PRId64, s->signalled_ns);
  buf_addf(b,
           ",\n     \"out_bytes\": %" PRIu64 ", \"err_bytes\": %" PRIu64
           ", \"out_cut\": %s, \"err_cut\": %s, \"left_children\": %s}",
           s->out_bytes, s->err_bytes, yes[s->out_cut], yes[s->err_cut],
           yes[s->left_children]);
  if (s->ended_by != START_LIMIT) {
    b->n--; /* the bracket */
    buf_addf(b, ", \"ended_by\": \"%s\", \"ended_in\": ",
             start_end_words[s->ended_by]);
    buf_add_json(b, bytes_of(s->ended_in));
    buf_addc(b, '}');
  }
  if (s->stalled_ns > 0) {
    b->n--; /* the bracket */
    buf_addf(b, ",\n     \"stalled_ns\": %" PRId64 ", \"stalled_in\": ",
             s->stalled_ns);
    buf_add_json(b, bytes_of(s->stalled_in));
    buf_addc(b, '}');
  }
}

static void add_starts(struct buf *b, const struct facts *f)
{
  add_key(b, "  ", "starts");
  buf_addc(b, '[');
  for (size_t i = 0; i < f->nstarts; i++) {
    buf_adds(b, i ? ",\n" : "\n");
    add_start(b, &f->starts[i]);
  }
  buf_adds(b, "]");
}

static void add_step_uses(struct buf *b, const struct facts *f)
{
  add_key(b, "  ", "step_uses");
  buf_addc(b, '[');
  for (size_t i = 0; i < f->nsteps; i++)
    buf_addf(b, "%s%" PRIu64, i ? ", " : "", f->step_uses[i]);
  buf_addc(b, ']');
}

void facts_write(const struct facts *f, struct buf *ret)
{
  buf_addc(ret, '{');
  add_i64(ret, "format", FACTS_FORMAT);
  add_text(ret, "address", f->address);
  add_text(ret, "file", f->file);
  add_text(ret, "policy_file", f->policy_file);
  add_text(ret, "provider", f->provider);
  add_text(ret, "asked_provider", f->asked_provider);
  add_text(ret, "folder", f->folder);
  add_text(ret, "project", f->project);
  add_texts(ret, "command", f->command);
  add_texts(ret, "environment", f->environment);
  add_key(ret, "  ", "seed");
  buf_addf(ret, "%" PRIu64, f->seed);
  add_bool(ret, "no_faults", f->no_faults);
  add_bool(ret, "strict", f->strict);
  add_key(ret, "  ", "limit_s");
  buf_addf(ret, "%.17g", f->limit_s);
  add_key(ret, "  ", "seconds");
  buf_addf(ret, "%.17g", f->seconds);
  add_text(ret, "again", f->again);
  add_text(ret, "error", f->error);
  add_i64(ret, "start_ns", f->start_ns);
  add_i64(ret, "end_ns", f->end_ns);
  add_i64(ret, "wall_offset_ns", f->wall_offset_ns);
  if (f->at.said)
    add_i64(ret, "at_ns", f->at.ns);
  if (f->time) {
    add_key(ret, "  ", "time");
    facts_time_write(f->time, ret);
    if (f->jumps_hash) {
      add_key(ret, "  ", "jumps_hash");
      buf_addf(ret, "%" PRIu64, f->jumps_hash);
    }
    add_key(ret, "  ", "real_limit_s");
    buf_addf(ret, "%.17g", f->limits.real_s);
    add_i64(ret, "attempt_limit", f->limits.attempts);
    add_key(ret, "  ", "largest_jump_s");
    buf_addf(ret, "%.17g", f->limits.largest_jump_s);
  }
  add_step_uses(ret, f);
  add_starts(ret, f);
  buf_adds(ret, "\n}\n");
}

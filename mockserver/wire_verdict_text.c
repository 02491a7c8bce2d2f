#include "mockserver/wire_verdict.h"

#include <inttypes.h>
#include <string.h>

static const char *severity_name(enum wire_verdict_severity s)
{
  return s == VERDICT_ERROR ? "error" : "warning";
}

/* The path without what a query may hold. */
static struct bytes path_of(const struct attempt *a)
{
  const char *target = a->target ? a->target : "";
  return (struct bytes){target, strcspn(target, "?")};
}

static void add_member(struct buf *b, const char *key, const char *text)
{
  buf_addf(b, "\"%s\":", key);
  buf_add_json(b, bytes_of(text));
  buf_addc(b, ',');
}

static void finding_json(const struct wire_verdict_finding *f, struct buf *b)
{
  char *path = bytes_dup(path_of(f->first));
  char *place = mem_format("%s %s", f->first->method, path);
  buf_addc(b, '{');
  add_member(b, "severity", severity_name(f->severity));
  add_member(b, "code", f->code);
  add_member(b, "title", f->title);
  add_member(b, "advice", f->advice);
  buf_addf(b, "\"call\":%zu,\"requests\":[%" PRIu64, f->call, f->first->seq);
  if (f->last != f->first)
    buf_addf(b, ",%" PRIu64, f->last->seq);
  buf_adds(b, "],\"path\":");
  buf_add_json(b, bytes_of(place));
  buf_addc(b, '}');
  free(place);
  free(path);
}

void wire_verdict_json(const struct wire_verdict *v, struct buf *ret)
{
  const char *word = wire_verdict_word(v);
  buf_addf(ret,
           "{\"passed\":%s,\"verdict\":\"%s\",\"calls\":%zu,\"attempts\":%zu,"
           "\"faults_injected\":%zu,\"errors\":%zu,\"warnings\":%zu,"
           "\"reasons\":[",
           strcmp(word, "pass") == 0 ? "true" : "false", word, v->calls,
           v->attempts, v->faults, v->errors, v->warnings);
  for (size_t i = 0; i < v->nreasons; i++) {
    buf_adds(ret, i ? "," : "");
    buf_add_json(ret, bytes_of(v->reasons[i]));
  }
  buf_adds(ret, "],\"findings\":[");
  for (size_t i = 0; i < v->nfindings; i++) {
    buf_adds(ret, i ? "," : "");
    finding_json(&v->findings[i], ret);
  }
  buf_adds(ret, "]}");
}

static void finding_text(const struct wire_verdict_finding *f, struct buf *b)
{
  buf_addf(b, "  %s  %s  %s ", f->severity == VERDICT_ERROR ? "FAIL" : "WARN",
           f->code, f->first->method);
  buf_addb(b, path_of(f->first));
  buf_addf(b, "  (#%" PRIu64, f->first->seq);
  if (f->last != f->first)
    buf_addf(b, ", #%" PRIu64, f->last->seq);
  buf_addf(b, ")\n        %s\n        -> %s\n\n", f->title, f->advice);
}

void wire_verdict_text(const struct wire_verdict *v, struct buf *ret)
{
  const char *word = wire_verdict_word(v);
  buf_addf(ret,
           "faultwire verdict: %zu call(s), %zu attempt(s), %zu fault(s) "
           "injected\n\n",
           v->calls, v->attempts, v->faults);
  for (size_t i = 0; i < v->nfindings; i++)
    finding_text(&v->findings[i], ret);
  for (size_t i = 0; i < v->nreasons; i++)
    buf_addf(ret, "  INCONCLUSIVE  %s\n", v->reasons[i]);
  if (strcmp(word, "pass") == 0)
    buf_adds(ret, "  PASS  nothing on the wire speaks against the client.\n");
  buf_addf(ret, "%zu error(s), %zu warning(s)\n", v->errors, v->warnings);
}

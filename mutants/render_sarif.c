/*
 * SARIF 2.1.0 (OASIS): each mutant that was not as declared, at its line.
 */
#include "mutants/render.h"

#include "mutants/render_change.h"

#include <stdlib.h>

static void add_rules(struct buf *ret)
{
  int n = 0;
  for (int o = 0; o < OUTCOME_COUNT; o++) {
    if (outcome_class((enum outcome)o) == CLASS_OK)
      continue;
    buf_addf(ret, "%s\n    {\"id\": \"%s\", \"shortDescription\": {\"text\": ",
             n++ ? "," : "", outcome_word((enum outcome)o));
    buf_add_json(ret, bytes_of(outcome_meaning((enum outcome)o)));
    buf_adds(ret, "}}");
  }
}

/* A mutant nobody saw is a gap of the suite; one that could not be judged
 * spoils the run. */
static const char *level(enum outcome o)
{
  return outcome_class(o) == CLASS_MISSED ? "warning" : "error";
}

/* URI references have no blanks and no letters beyond ASCII (RFC 3986). */
static void add_uri(const char *file, struct buf *ret)
{
  buf_addc(ret, '"');
  for (const char *p = file; *p; p++) {
    unsigned char c = (unsigned char)*p;
    bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                 (c >= 'a' && c <= 'z') || c == '/' || c == '-' || c == '_' ||
                 c == '.' || c == '~';
    if (plain)
      buf_addc(ret, *p);
    else
      buf_addf(ret, "%%%02X", c);
  }
  buf_addc(ret, '"');
}

static void add_location(const struct change *c, struct buf *ret)
{
  if (!c->file)
    return;
  buf_adds(ret, ", \"locations\": [{\"physicalLocation\": "
                "{\"artifactLocation\": {\"uri\": ");
  add_uri(c->file, ret);
  buf_addf(ret, "}, \"region\": {\"startLine\": %lld}}}]",
           (long long)(c->first < 1 ? 1 : c->first));
}

static void add_result(const struct records *all, const struct record *r,
                       struct buf *ret)
{
  struct change c;
  char *text = mem_format("%s: %s. Killed by %d of %d tests. %s", r->id,
                          *r->why ? r->why : outcome_meaning(r->outcome),
                          record_kills(r), all->tests.n, r->motive);
  change_of(r, &c);
  buf_addf(ret,
           "{\"ruleId\": \"%s\", \"level\": \"%s\", \"message\": {\"text\": ",
           outcome_word(r->outcome), level(r->outcome));
  buf_add_json(ret, bytes_of(text));
  buf_adds(ret, "}");
  add_location(&c, ret);
  buf_adds(ret, ", \"partialFingerprints\": {\"mutant/v1\": ");
  buf_add_json(ret, bytes_of(r->id));
  buf_adds(ret, "}}");
  change_release(&c);
  free(text);
}

static void add_invocation(const struct records *r, struct buf *ret)
{
  const char *problem = r->problem ? r->problem : "";
  buf_addf(ret, "{\"executionSuccessful\": %s", *problem ? "false" : "true");
  if (*problem) {
    buf_adds(ret, ", \"toolExecutionNotifications\": [{\"level\": \"error\", "
                  "\"message\": {\"text\": ");
    buf_add_json(ret, bytes_of(problem));
    buf_adds(ret, "}}]");
  }
  buf_adds(ret, "}");
}

void render_sarif(const struct records *r, struct buf *ret)
{
  int n = 0;
  buf_addf(ret,
           "{\"$schema\": "
           "\"https://json.schemastore.org/sarif-2.1.0.json\",\n"
           " \"version\": \"2.1.0\",\n \"runs\": [{\n"
           "  \"tool\": {\"driver\": {\"name\": \"faultwire mutate\", "
           "\"version\": \"%s\", \"rules\": [",
           FAULTWIRE_VERSION);
  add_rules(ret);
  buf_adds(ret, "]}},\n  \"invocations\": [");
  add_invocation(r, ret);
  buf_adds(ret, "],\n  \"results\": [");
  for (int i = 0; i < r->n; i++)
    if (outcome_class(r->item[i].outcome) != CLASS_OK) {
      buf_adds(ret, n++ ? ",\n   " : "\n   ");
      add_result(r, &r->item[i], ret);
    }
  buf_adds(ret, "]}]}\n");
}

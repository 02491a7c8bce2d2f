/*
 * SARIF 2.1.0 (OASIS), as code scanning reads it: a rule per check, a result
 * per check that failed or warned, at its line of the scenario's file.
 * Scenarios that proved nothing are no findings about the client: they are
 * notifications of the run.
 */
#include "harness/check/check.h"
#include "harness/report/detail.h"
#include "harness/report/time_line.h"

#include <string.h>

/* One message or address. */
#define MAX_TEXT_BYTES ((size_t)64 << 10)

static void add_string(struct buf *out, const char *s)
{
  buf_add_json(out, bytes_of(s));
}

/* --- rules ---------------------------------------------------------------- */

/* Failures of a run that belong to no check have the kind for a rule. */
static const char *const kind_rules[NKINDS] = {
    [KIND_HANG] = "the client still ran at its limit",
    [KIND_STALLED] = "the client waits for ever: nothing has a time-out",
    [KIND_CRASH] = "the client was ended by a signal",
    [KIND_ASSERT] = "the scenario failed",
    [KIND_NO_CONTACT] = "no request arrived",
    [KIND_NOT_DELIVERED] = "a scripted fault was never sent",
    [KIND_HARNESS] = "the scenario could not be set up"};

static void add_rule(const char *id, const char *summary, struct buf *out)
{
  buf_adds(out, "{\"id\":");
  add_string(out, id);
  buf_adds(out, ",\"shortDescription\":{\"text\":");
  add_string(out, summary);
  buf_adds(out, "},\"defaultConfiguration\":{\"level\":\"error\"}}");
}

static void add_rules(struct buf *out)
{
  size_t n = 0;
  for (; checks[n]; n++) {
    buf_adds(out, n ? ",\n" : "\n");
    add_rule(checks[n]->name, checks[n]->summary, out);
  }
  for (size_t k = 0; k < NKINDS; k++)
    if (kind_rules[k]) {
      buf_adds(out, n++ ? ",\n" : "\n");
      add_rule(kind_name((enum kind)k), kind_rules[k], out);
    }
}

/* Where the rule stands in the list, -1: a check of another version. */
static int rule_index(const char *id)
{
  int n = 0;
  for (; checks[n]; n++)
    if (strcmp(checks[n]->name, id) == 0)
      return n;
  for (size_t k = 0; k < NKINDS; k++)
    if (kind_rules[k]) {
      if (strcmp(kind_name((enum kind)k), id) == 0)
        return n;
      n++;
    }
  return -1;
}

/* --- where ---------------------------------------------------------------- */

/* A path as a reference of RFC 3986: relative to the tree the viewer knows,
 * or file: when it is absolute. */
static void add_uri(const char *path, struct buf *ret)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789-._~/";
  if (path[0] == '/')
    buf_adds(ret, "file://");
  while (strncmp(path, "./", 2) == 0)
    path += 2;
  for (; *path; path++)
    if (strchr(plain, *path))
      buf_addc(ret, *path);
    else
      buf_addf(ret, "%%%02X", (unsigned char)*path);
}

static void add_location(const char *file, int line, struct buf *out)
{
  struct buf uri;
  if (!file[0])
    return;
  buf_init(&uri, MAX_TEXT_BYTES);
  add_uri(file, &uri);
  buf_adds(out, ",\"locations\":[{\"physicalLocation\":"
                "{\"artifactLocation\":{\"uri\":");
  add_string(out, buf_str(&uri));
  buf_addf(out, "},\"region\":{\"startLine\":%d}}}]", line > 0 ? line : 1);
  buf_release(&uri);
}

/* --- results -------------------------------------------------------------- */

/* The same finding of the next run has the same print: name, check, lane. */
static void add_print(const struct result *r, const struct check_line *c,
                      struct buf *out)
{
  uint64_t h = bytes_hash(bytes_of(r->name));
  h = bytes_hash_more(h, (struct bytes){"", 1});
  h = bytes_hash_more(h, bytes_of(c->check));
  h = bytes_hash_more(h, (struct bytes){"", 1});
  h = bytes_hash_more(h, bytes_of(c->lane));
  buf_addf(out, ",\"partialFingerprints\":{\"faultwire/v1\":\"%016llx\"}",
           (unsigned long long)h);
}

static void add_message(const struct result *r, const struct check_line *c,
                        struct buf *out)
{
  struct buf text;
  buf_init(&text, MAX_TEXT_BYTES);
  buf_addf(&text, "%s: %s", r->name, c->text);
  if (c->expected[0])
    buf_addf(&text, "\nexpected: %s", c->expected);
  if (c->actual[0])
    buf_addf(&text, "\nactual: %s", c->actual);
  if (detail_text(r->json, "again")[0])
    buf_addf(&text, "\nagain: %s", detail_text(r->json, "again"));
  buf_adds(out, "{\"text\":");
  buf_add_json(out, buf_bytes(&text));
  buf_addc(out, '}');
  buf_release(&text);
}

static void add_result(const struct result *r, const struct check_line *c,
                       const char *level, struct buf *out)
{
  int rule = rule_index(c->check);
  buf_adds(out, "{\"ruleId\":");
  add_string(out, c->check);
  if (rule >= 0)
    buf_addf(out, ",\"ruleIndex\":%d", rule);
  buf_addf(out, ",\"level\":\"%s\",\"message\":", level);
  add_message(r, c, out);
  add_location(r->file, c->line, out);
  add_print(r, c, out);
  buf_adds(out, ",\"properties\":{\"scenario\":");
  add_string(out, r->name);
  buf_adds(out, ",\"lane\":");
  add_string(out, c->lane);
  buf_adds(out, "}}");
}

static const char *level_of(const struct check_line *c)
{
  if (strcmp(c->verdict, verdict_name(VERDICT_FAIL)) == 0)
    return "error";
  return strcmp(c->verdict, verdict_name(VERDICT_WARN)) == 0 ? "warning" : NULL;
}

static size_t add_results_of(const struct result *r, size_t n, struct buf *out)
{
  struct check_line c;
  bool failed = false;
  for (int i = 0; detail_check(r, i, &c); i++) {
    const char *level = level_of(&c);
    if (!level)
      continue;
    failed = failed || strcmp(level, "error") == 0;
    buf_adds(out, n++ ? ",\n" : "\n");
    add_result(r, &c, level, out);
  }
  if (r->verdict == VERDICT_FAIL && !failed) {
    struct check_line whole = {.check = kind_name(r->kind),
                               .text = r->reason,
                               .expected = "",
                               .actual = "",
                               .lane = ""};
    buf_adds(out, n++ ? ",\n" : "\n");
    add_result(r, &whole, "error", out);
  }
  return n;
}

static void add_results(const struct run_report *run, struct buf *out)
{
  size_t n = 0;
  for (size_t i = 0; i < run->n; i++)
    n = add_results_of(&run->results[i], n, out);
}

/* --- the run -------------------------------------------------------------- */

/* By which clock: a pass means another thing by each. */
static void add_time(const struct run_report *run, bool more, struct buf *out)
{
  struct buf line;
  buf_init(&line, 4096);
  time_total(run, &line);
  if (line.n) {
    buf_adds(out, more ? ",\n" : "\n");
    buf_adds(out, "{\"level\":\"note\",\"message\":{\"text\":");
    add_string(out, buf_str(&line));
    buf_adds(out, "}}");
  }
  buf_release(&line);
}

static void add_notifications(const struct run_report *run, struct buf *out)
{
  bool more = false;
  for (size_t i = 0; i < run->n; i++) {
    const struct result *r = &run->results[i];
    if (r->verdict != VERDICT_INCONCLUSIVE)
      continue;
    char *text = mem_format("%s: nothing was proved: %s", r->name, r->reason);
    buf_adds(out, more ? ",\n" : "\n");
    buf_adds(out, "{\"level\":\"warning\",\"message\":{\"text\":");
    add_string(out, text);
    buf_addc(out, '}');
    add_location(r->file, 0, out);
    buf_addc(out, '}');
    more = true;
    free(text);
  }
  add_time(run, more, out);
}

static void print(const struct run_report *run, struct buf *out)
{
  buf_adds(out,
           "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
           "\n\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":"
           "{\"name\":\"faultwire\",\"version\":");
  add_string(out, run_version(run));
  buf_adds(out, ",\"rules\":[");
  add_rules(out);
  buf_addf(out,
           "]}},\n\"invocations\":[{\"executionSuccessful\":%s,"
           "\"exitCode\":%d,\"toolExecutionNotifications\":[",
           run->exit_code == 0 || run->exit_code == 1 ? "true" : "false",
           run->exit_code);
  add_notifications(run, out);
  buf_adds(out, "]}],\n\"results\":[");
  add_results(run, out);
  buf_adds(out, "]}]}\n");
}

const struct report report_sarif = {
    .name = "sarif",
    .summary = "SARIF 2.1.0 for code scanning: a rule per check, failures and "
               "warnings at their line of the scenario",
    .print = print};

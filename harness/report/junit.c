/*
 * JUnit XML, as Jenkins, GitLab and GitHub's reporters read it: one suite,
 * a case per scenario. A failed check is a <failure>, an inconclusive
 * scenario an <error>, a skipped one <skipped>; a warning stays a pass whose
 * system-out says what was missed.
 */
#include "harness/report/detail.h"
#include "harness/report/escape.h"

#include <string.h>

/* One scenario's details; they are made before they are escaped. */
#define MAX_DETAIL_BYTES ((size_t)4 << 20)

static void add_attribute(struct buf *out, const char *name, const char *value)
{
  buf_addf(out, " %s=\"", name);
  escape_xml(out, value);
  buf_addc(out, '"');
}

/* The folder is the class, the file the name: both columns of a viewer. */
static void add_names(const struct result *r, struct buf *out)
{
  const char *slash = strrchr(r->name, '/');
  char *folder =
      slash ? bytes_dup((struct bytes){r->name, (size_t)(slash - r->name)})
            : mem_strdup("faultwire");
  for (char *p = strchr(folder, '/'); p; p = strchr(p, '/'))
    *p = '.';
  add_attribute(out, "classname", folder);
  add_attribute(out, "name", slash ? slash + 1 : r->name);
  free(folder);
}

static void add_text(const struct result *r,
                     void (*part)(const struct result *, struct buf *),
                     struct buf *out)
{
  struct buf text;
  buf_init(&text, MAX_DETAIL_BYTES);
  part(r, &text);
  escape_xml_text(out, buf_bytes(&text));
  buf_release(&text);
}

static void add_problem(const struct result *r, const char *tag,
                        struct buf *out)
{
  buf_addf(out, "      <%s type=\"%s\"", tag, kind_name(r->kind));
  add_attribute(out, "message", r->reason);
  buf_addc(out, '>');
  add_text(r, detail_print, out);
  buf_addf(out, "</%s>\n", tag);
}

static void add_outcome(const struct result *r, struct buf *out)
{
  switch (r->verdict) {
  case VERDICT_FAIL:
    add_problem(r, "failure", out);
    return;
  case VERDICT_INCONCLUSIVE:
    add_problem(r, "error", out);
    return;
  case VERDICT_SKIP:
    buf_adds(out, "      <skipped");
    add_attribute(out, "message", r->reason);
    buf_adds(out, "/>\n");
    return;
  case VERDICT_PASS:
  case VERDICT_WARN:
  case NVERDICTS:
    return;
  }
}

static void add_time(const struct result *r, struct buf *out)
{
  detail_time(r, "time: ", out);
}

static void add_case(const struct result *r, struct buf *out)
{
  buf_adds(out, "    <testcase");
  add_names(r, out);
  add_attribute(out, "file", r->file);
  buf_addf(out, " time=\"%.3f\">\n", r->seconds);
  add_outcome(r, out);
  buf_adds(out, "      <system-out>");
  if (r->verdict == VERDICT_WARN)
    add_text(r, detail_checks, out);
  add_text(r, detail_transcript, out);
  add_text(r, detail_stderr, out);
  add_text(r, add_time, out);
  buf_adds(out, "</system-out>\n    </testcase>\n");
}

static void add_counts(const struct run_report *run, struct buf *out)
{
  buf_addf(out,
           " name=\"faultwire\" tests=\"%zu\" failures=\"%zu\""
           " errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
           run->n, run_count(run, VERDICT_FAIL),
           run_count(run, VERDICT_INCONCLUSIVE), run_count(run, VERDICT_SKIP),
           run->seconds);
}

static void add_client(const struct run_report *run, struct buf *out)
{
  struct buf line;
  buf_init(&line, MAX_DETAIL_BYTES);
  for (size_t i = 0; run->client && run->client[i]; i++)
    buf_addf(&line, "%s%s", i ? " " : "", run->client[i]);
  buf_addf(out,
           "    <properties>\n"
           "      <property name=\"seed\" value=\"%llu\"/>\n"
           "      <property name=\"client\"",
           (unsigned long long)run->seed);
  add_attribute(out, "value", buf_str(&line));
  buf_adds(out, "/>\n    </properties>\n");
  buf_release(&line);
}

static void print(const struct run_report *run, struct buf *out)
{
  buf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
  add_counts(run, out);
  buf_adds(out, "  <testsuite");
  add_counts(run, out);
  add_client(run, out);
  for (size_t i = 0; i < run->n; i++)
    add_case(&run->results[i], out);
  buf_adds(out, "  </testsuite>\n</testsuites>\n");
}

const struct report report_junit = {
    .name = "junit",
    .summary = "JUnit XML: failures, errors (inconclusive) and skipped told "
               "apart, the transcript in system-out",
    .print = print};

/*
 * fuzz_report.c - the JSON report of another machine, as `merge` and
 * `compare` read it, and every report that is printed from it.
 */
#include "fuzz/fuzz.h"
#include "harness/runs/change.h"
#include "harness/runs/join.h"

static bool is_utf8(struct bytes s)
{
  while (s.n > 0) {
    size_t n = bytes_utf8_length(s);
    if (n == 0)
      return false;
    s.p += n;
    s.n -= n;
  }
  return true;
}

static void print(const char *name, const struct run_report *run,
                  struct buf *ret)
{
  buf_init(ret, SIZE_MAX / 2);
  report_find(name)->print(run, ret);
  PROPERTY(ret->n > 0, "a report is never empty");
}

static size_t count(const char *text, const char *part)
{
  size_t n = 0;
  for (; (text = strstr(text, part)); text++)
    n++;
  return n;
}

static void check_page(const struct run_report *run)
{
  struct buf page;
  print("html", run, &page);
  PROPERTY(count(buf_str(&page), "<details class=\"s s-") == run->n,
           "each scenario is there once");
  PROPERTY(count(buf_str(&page), "</html>") == 1, "the page ends once");
  PROPERTY(!strstr(buf_str(&page), "<script"), "no text becomes a script");
  PROPERTY(is_utf8(buf_bytes(&page)), "a page is UTF-8");
  PROPERTY(strlen(buf_str(&page)) == page.n, "a page has no NUL");
  buf_release(&page);
}

/* Lines that GitHub takes for commands are ours alone. */
static void check_annotations(const struct run_report *run)
{
  struct buf out;
  print("github", run, &out);
  PROPERTY(!strchr(buf_str(&out), '\r'), "no CR");
  for (const char *p = buf_str(&out); *p; p = strchr(p, '\n') + 1)
    PROPERTY(strncmp(p, "::error ", 8) == 0 ||
                 strncmp(p, "::warning ", 10) == 0 ||
                 strncmp(p, "::notice ", 9) == 0,
             "each line is a command of ours");
  buf_release(&out);
}

static void check_others(const struct run_report *run)
{
  for (size_t i = 0; reports[i]; i++) {
    struct buf out;
    print(reports[i]->name, run, &out);
    buf_release(&out);
  }
}

static void check_round_trip(const struct run_report *run)
{
  struct loaded_run again;
  struct diag diag = {0};
  struct buf first, second;
  print("json", run, &first);
  int rc = run_parse(&again, "again", buf_bytes(&first), &diag);
  PROPERTY(rc == 0, "what is printed can be read");
  print("json", &again.run, &second);
  PROPERTY(bytes_equal(buf_bytes(&first), buf_bytes(&second)),
           "reading and printing changes nothing");
  run_unload(&again);
  buf_release(&first);
  buf_release(&second);
}

static void check_changes(const struct run_report *run)
{
  struct changes c;
  changes_find(&c, run, run);
  PROPERTY(c.n == 0 && c.nsame == run->n, "a run is the same as itself");
  changes_release(&c);
}

/* Takes the results out of `r`. */
static void check_join(struct loaded_run *r)
{
  struct join_options o = {.twice = JOIN_ERROR};
  struct loaded_run all;
  struct diag diag = {0};
  size_t n = r->run.n;
  PROPERTY(join_runs(&all, r, 1, &o, &diag) == 0, "one run can be joined");
  PROPERTY(all.run.n == n, "no scenario is lost");
  for (size_t i = 1; i < n; i++)
    PROPERTY(strcmp(all.run.results[i - 1].name, all.run.results[i].name) < 0,
             "in order of their names");
  run_unload(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct loaded_run r;
  struct diag diag = {0};
  char *copy = fuzz_copy(data, size);
  struct bytes text = {copy, size};
  if (run_parse(&r, "x", text, &diag) < 0) {
    PROPERTY(diag.set && diag.text[0], "a refusal has a sentence");
  } else {
    PROPERTY(!diag.set, "no error is left behind by a success");
    check_page(&r.run);
    check_annotations(&r.run);
    check_others(&r.run);
    /* bytes that are no UTF-8 are replaced, and names may meet by that */
    if (is_utf8(text))
      check_round_trip(&r.run);
    check_changes(&r.run);
    check_join(&r);
    run_unload(&r);
  }
  free(copy);
  return 0;
}

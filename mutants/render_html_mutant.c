#include "mutants/render_html.h"

#include "mutants/render_change.h"

#include <string.h>

/* The end of a log says why it ended; its beginning is in OUT/log. */
enum { LOG_TAIL_BYTES = 4000 };

static void add_row(const char *name, bool red, const struct test *t,
                    const char *class, const char *seen, struct buf *ret)
{
  buf_addf(ret, "<tr class=\"%s\"><td>", class);
  html_text(name, ret);
  buf_addf(ret, "</td><td>%s</td><td>%s", red ? "red" : "green", seen);
  if (t && t->kind) {
    buf_addf(ret, " (%s)", kind_word(t->kind));
  }
  buf_adds(ret, "</td><td>");
  if (t)
    html_text(t->why, ret);
  buf_adds(ret, "</td></tr>\n");
}

static const char *seen_word(const struct test *t)
{
  return !t                            ? "was not run"
         : t->verdict == VERDICT_GREEN ? "stayed green"
         : t->verdict == VERDICT_RED   ? "fell"
                                       : verdict_word(t->verdict);
}

/* The tests that one list of globs names, and how each came out. */
static void add_declared(const struct records *all, const struct record *r,
                         bool red, struct buf *ret)
{
  const struct texts *globs = red ? &r->red : &r->green;
  for (int i = 0; i < all->tests.n; i++) {
    const char *name = all->tests.item[i].name;
    const struct test *t = verdicts_find(&r->tests, name);
    if (!globs_match(globs, name))
      continue;
    bool as =
        red ? record_killed_by(r, name) : t && t->verdict == VERDICT_GREEN;
    add_row(name, red, t, as ? "as" : "not", seen_word(t), ret);
  }
}

static bool any_red(const struct record *r)
{
  return r->red.n == 1 && strcmp(r->red.item[0], "*") == 0;
}

static int undeclared(const struct records *all, const struct record *r,
                      struct buf *ret)
{
  int n = 0;
  for (int i = 0; i < all->tests.n; i++) {
    const char *name = all->tests.item[i].name;
    if (!record_killed_by(r, name) || globs_match(&r->green, name) ||
        (globs_match(&r->red, name) && !any_red(r)))
      continue;
    buf_adds(ret, n++ ? "</li><li>" : "<li>");
    html_text(name, ret);
  }
  return n;
}

static void add_tests(const struct records *all, const struct record *r,
                      struct buf *ret)
{
  struct buf more;
  buf_init(&more, SIZE_MAX / 2);
  if ((r->red.n && !any_red(r)) || r->green.n) {
    buf_adds(ret, "<div class=\"scroll\"><table class=\"declared\"><thead>"
                  "<tr><th>test</th><th>declared</th><th>observed</th>"
                  "<th>why</th></tr></thead><tbody>\n");
    if (!any_red(r))
      add_declared(all, r, true, ret);
    add_declared(all, r, false, ret);
    buf_adds(ret, "</tbody></table></div>\n");
  }
  int n = undeclared(all, r, &more);
  if (n > 0)
    buf_addf(ret,
             "<details><summary>%d %s</summary><ul class=\"names\">%s</li>"
             "</ul></details>\n",
             n, any_red(r) ? "tests fell; any will do" : "more tests fell",
             buf_str(&more));
  buf_release(&more);
}

static void add_diff(const char *diff, struct buf *ret)
{
  buf_adds(ret, "<pre class=\"diff\">");
  while (*diff) {
    size_t n = strcspn(diff, "\n");
    bool file = strncmp(diff, "---", 3) == 0 || strncmp(diff, "+++", 3) == 0;
    const char *tag = file           ? "b"
                      : *diff == '+' ? "ins"
                      : *diff == '-' ? "del"
                      : *diff == '@' ? "i"
                                     : "span";
    buf_addf(ret, "<%s>", tag);
    change_escape((struct bytes){diff, n}, ret);
    buf_addf(ret, "</%s>\n", tag);
    diff += n + (diff[n] == '\n');
  }
  buf_adds(ret, "</pre>\n");
}

/* From the beginning of a line. */
static const char *tail_of(const char *log)
{
  size_t n = strlen(log);
  if (n <= LOG_TAIL_BYTES)
    return log;
  const char *from = log + n - LOG_TAIL_BYTES;
  const char *line = strchr(from, '\n');
  return line && line[1] ? line + 1 : from;
}

static void add_log(const char *log, struct buf *ret)
{
  const char *tail = tail_of(log);
  if (!*tail)
    return;
  buf_addf(ret, "<details><summary>%s of build and suite</summary><pre>",
           tail == log ? "output" : "end of the output");
  html_text(tail, ret);
  buf_adds(ret, "</pre></details>\n");
}

static void add_facts(const struct records *all, const struct record *r,
                      struct buf *ret)
{
  buf_adds(ret, "<p class=\"why\">");
  html_text(*r->why ? r->why : outcome_meaning(r->outcome), ret);
  buf_adds(ret, "</p><dl>");
  if (*r->motive) {
    buf_adds(ret, "<dt>motive</dt><dd>");
    html_text(r->motive, ret);
    buf_adds(ret, "</dd>");
  }
  if (*r->operator_) {
    buf_adds(ret, "<dt>operator</dt><dd>");
    html_text(r->operator_, ret);
    buf_adds(ret, "</dd>");
  }
  buf_adds(ret, "<dt>place</dt><dd>");
  html_text(*r->place ? r->place : "no file", ret);
  buf_addf(ret,
           "</dd><dt>killed by</dt><dd>%d of %d tests</dd><dt>time</dt>"
           "<dd>%.1f s build, %.1f s suite</dd></dl>\n",
           record_kills(r), all->tests.n, (double)r->build_ms / 1000,
           (double)r->suite_ms / 1000);
}

void html_mutant(const struct records *all, int i, struct buf *ret)
{
  const struct record *r = &all->item[i];
  bool open = outcome_class(r->outcome) != CLASS_OK;
  buf_addf(ret,
           "<details class=\"mutant\" id=\"m%d\"%s><summary>"
           "<span class=\"badge %s\">%s</span> <b>",
           i, open ? " open" : "", html_class(r->outcome),
           outcome_word(r->outcome));
  html_text(r->id, ret);
  buf_addf(ret, "</b> <small>killed by %d of %d</small></summary>\n",
           record_kills(r), all->tests.n);
  add_facts(all, r, ret);
  add_tests(all, r, ret);
  if (r->diff && *r->diff)
    add_diff(r->diff, ret);
  if (r->log)
    add_log(r->log, ret);
  buf_adds(ret, "</details>\n");
}

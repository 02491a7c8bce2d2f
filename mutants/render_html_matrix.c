#include "mutants/render_html.h"

#include "mutants/tally.h"

#include <stdlib.h>
#include <string.h>

static bool is_canary(const struct records *r, const char *name)
{
  return texts_has(&r->canary, name);
}

/* How a cell looks and what it says. */
struct look {
  const char *class, *sign, *word;
};

static struct look look_of(const struct records *all, const struct record *r,
                           const char *name)
{
  const struct test *t = verdicts_find(&r->tests, name);
  bool any = r->red.n == 1 && strcmp(r->red.item[0], "*") == 0;
  bool red = globs_match(&r->red, name) && !any;
  bool green = globs_match(&r->green, name) || is_canary(all, name);
  if (!t)
    return (struct look){"n", "", "was not run"};
  if (record_killed_by(r, name))
    return green        ? (struct look){"b", "&#10007;", "fell, declared green"}
           : red || any ? (struct look){"k", "&#10003;", "fell, as declared"}
                        : (struct look){"x", "", "fell, not declared"};
  if (t->verdict == VERDICT_RED)
    return (struct look){"w", "!", "red by a kind that does not count"};
  if (t->verdict != VERDICT_GREEN)
    return (struct look){"q", "?", "undecided"};
  if (red)
    return (struct look){"b", "&#10007;", "stayed green, declared red"};
  return green ? (struct look){"g", "&middot;", "stayed green, as declared"}
               : (struct look){"", "", ""};
}

/* The tests that were run for a mutant at all: with --quick, few are. */
struct columns {
  const char **name;
  int n;
};

static struct columns columns_of(const struct records *r)
{
  struct columns c = {mem_zalloc((size_t)(r->tests.n + 1) * sizeof *c.name), 0};
  for (int t = 0; t < r->tests.n; t++) {
    bool run = false;
    for (int m = 0; m < r->n && !run; m++)
      run = verdicts_find(&r->item[m].tests, r->tests.item[t].name) != NULL;
    if (run)
      c.name[c.n++] = r->tests.item[t].name;
  }
  return c;
}

/* "rate-limit" of "rate-limit/429": its length; the whole without '/'. */
static size_t area_length(const char *name)
{
  const char *slash = strchr(name, '/');
  return slash ? (size_t)(slash - name) : strlen(name);
}

/* True where a line is to be drawn between two areas of tests. */
static bool begins_area(const struct columns *c, int i)
{
  size_t n = area_length(c->name[i]);
  return i > 0 && (area_length(c->name[i - 1]) != n ||
                   memcmp(c->name[i - 1], c->name[i], n) != 0);
}

static void add_heads(const struct records *r, const struct columns *c,
                      struct buf *ret)
{
  buf_adds(ret, "<thead><tr><th scope=\"col\" class=\"m\">mutant</th>"
                "<th scope=\"col\" class=\"o\">outcome</th>"
                "<th scope=\"col\" class=\"c\">kills</th>");
  for (int i = 0; i < c->n; i++) {
    buf_addf(ret, "<th scope=\"col\" class=\"t%s%s\"><span>",
             begins_area(c, i) ? " a" : "",
             is_canary(r, c->name[i]) ? " y" : "");
    html_text(c->name[i], ret);
    buf_adds(ret, "</span></th>");
  }
  buf_adds(ret, "</tr></thead>\n");
}

static void add_cell(const char *name, struct look k, bool area,
                     struct buf *ret)
{
  if (!*k.class && !area) {
    buf_adds(ret, "<td>");
    return;
  }
  buf_addf(ret, "<td class=\"%s%s%s\"", k.class, *k.class && area ? " " : "",
           area ? "a" : "");
  if (*k.word) {
    buf_adds(ret, " title=\"");
    html_text(name, ret);
    buf_addf(ret, " %s\"", k.word);
  }
  buf_addf(ret, ">%s", k.sign);
}

static void add_row(const struct records *r, const struct columns *c, int i,
                    struct buf *ret)
{
  const struct record *m = &r->item[i];
  const char *class = html_class(m->outcome);
  buf_addf(ret, "<tr><th scope=\"row\" class=\"m s%s\"><a href=\"#m%d\">",
           class, i);
  html_text(m->id, ret);
  buf_addf(ret,
           "</a></th><td class=\"o\"><span class=\"badge %s\">%s</span></td>"
           "<td class=\"c\">%d</td>",
           class, outcome_word(m->outcome), record_kills(m));
  for (int t = 0; t < c->n; t++)
    add_cell(c->name[t], look_of(r, m, c->name[t]), begins_area(c, t), ret);
  buf_adds(ret, "</tr>\n");
}

static void add_legend(struct buf *ret)
{
  buf_adds(ret, "<ul class=\"legend\">"
                "<li><i class=\"k\">&#10003;</i> fell, as declared</li>"
                "<li><i class=\"x\"></i> fell, not declared</li>"
                "<li><i class=\"g\">&middot;</i> stayed green, as declared</li>"
                "<li><i class=\"b\">&#10007;</i> not as declared</li>"
                "<li><i class=\"w\">!</i> red, does not count</li>"
                "<li><i class=\"q\">?</i> undecided</li>"
                "<li><i class=\"n\"></i> was not run</li></ul>\n");
}

void html_matrix(const struct records *r, struct buf *ret)
{
  struct columns c = columns_of(r);
  buf_adds(ret, "<section><h2>Kill matrix</h2>\n<p>A row is a mutant, a "
                "column a test; <em>*</em> marks the canary, which must stay "
                "green under every mutant.</p>\n");
  if (c.n < r->tests.n)
    buf_addf(ret,
             "<p>%d of %d tests were run for a mutant; the others have "
             "no column.</p>\n",
             c.n, r->tests.n);
  add_legend(ret);
  buf_adds(ret, "<div class=\"scroll\" tabindex=\"0\"><table "
                "class=\"matrix\">");
  add_heads(r, &c, ret);
  buf_adds(ret, "<tbody>\n");
  for (int i = 0; i < r->n; i++)
    add_row(r, &c, i, ret);
  buf_adds(ret, "</tbody></table></div></section>\n");
  free(c.name);
}

static void add_list(const char *title, const struct texts *t, struct buf *ret)
{
  buf_addf(ret, "<h3>%s <small>%d</small></h3><ul class=\"names\">", title,
           t->n);
  for (int i = 0; i < t->n; i++) {
    buf_adds(ret, "<li>");
    html_text(t->item[i], ret);
    buf_adds(ret, "</li>");
  }
  buf_adds(ret, t->n ? "</ul>\n" : "<li>none</li></ul>\n");
}

static void add_group(void *ctx, const struct texts *ids)
{
  add_list("No test tells these mutants apart", ids, ctx);
}

void html_tests(const struct records *r, struct buf *ret)
{
  struct texts idle = {0}, smallest = {0};
  tally_idle_tests(r, &idle);
  tally_minimal_set(r, &smallest);
  buf_adds(ret, "<section><h2>Tests</h2>\n");
  add_list("Tests that kill no mutant of this run", &idle, ret);
  add_list("Smallest set with the same kills", &smallest, ret);
  tally_same_signature(r, add_group, ret);
  buf_adds(ret, "</section>\n");
  texts_release(&idle);
  texts_release(&smallest);
}

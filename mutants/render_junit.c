#include "mutants/render.h"

static void escape(const char *s, struct buf *ret)
{
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '<')
      buf_adds(ret, "&lt;");
    else if (c == '>')
      buf_adds(ret, "&gt;");
    else if (c == '&')
      buf_adds(ret, "&amp;");
    else if (c == '"')
      buf_adds(ret, "&quot;");
    else if (c < 0x20) /* XML 1.0 has no way to write most of these */
      buf_addc(ret, ' ');
    else
      buf_addc(ret, *s);
  }
}

static int count_class(const struct records *r, enum outcome_class a,
                       enum outcome_class b)
{
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    enum outcome_class c = outcome_class(r->item[i].outcome);
    n += c == a || c == b;
  }
  return n;
}

/* A mutant that could not be judged is an error, one that was judged and is
 * not as declared a failure. */
static const char *element(enum outcome o)
{
  enum outcome_class c = outcome_class(o);
  return c == CLASS_UNDECIDED || c == CLASS_INAPPLICABLE ? "error" : "failure";
}

static void print_case(const struct records *all, const struct record *r,
                       struct buf *ret)
{
  buf_adds(ret, "  <testcase classname=\"mutants\" name=\"");
  escape(r->id, ret);
  buf_addf(ret, "\" time=\"%.3f\"", (double)(r->build_ms + r->suite_ms) / 1000);
  if (outcome_class(r->outcome) == CLASS_OK) {
    buf_adds(ret, "/>\n");
    return;
  }
  buf_addf(ret, ">\n    <%s type=\"%s\" message=\"", element(r->outcome),
           outcome_word(r->outcome));
  escape(r->why, ret);
  buf_addf(ret, "\">killed by %d of %d</%s>\n  </testcase>\n", record_kills(r),
           all->tests.n, element(r->outcome));
}

void render_junit(const struct records *r, struct buf *ret)
{
  buf_addf(ret,
           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<testsuite name=\"faultwire mutate\" tests=\"%d\" "
           "failures=\"%d\" errors=\"%d\" time=\"%.3f\">\n",
           r->n, count_class(r, CLASS_MISSED, CLASS_OVERKILL),
           count_class(r, CLASS_UNDECIDED, CLASS_INAPPLICABLE),
           (double)r->ms / 1000);
  for (int i = 0; i < r->n; i++)
    print_case(r, &r->item[i], ret);
  buf_adds(ret, "</testsuite>\n");
}

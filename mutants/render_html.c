#include "mutants/render_html.h"

#include "mutants/render.h"
#include "mutants/render_change.h"
#include "mutants/tally.h"

void html_text(const char *text, struct buf *ret)
{
  change_escape(bytes_of(text), ret);
}

const char *html_class(enum outcome o)
{
  switch (outcome_class(o)) {
  case CLASS_OK:
    return "ok";
  case CLASS_MISSED:
    return "missed";
  default:
    return "bad";
  }
}

static int not_ok(const struct records *r)
{
  int n = 0;
  for (int i = 0; i < r->n; i++)
    n += outcome_class(r->item[i].outcome) != CLASS_OK;
  return n;
}

static void add_head(const struct records *r, struct buf *ret)
{
  int bad = not_ok(r);
  bool proof = r->n > 0 && !(r->problem && *r->problem);
  const char *class = bad == 0 && proof ? "ok" : "bad";
  buf_addf(ret,
           "<header class=\"%s\"><p class=\"tool\">faultwire mutate %s</p>"
           "<h1>",
           class, FAULTWIRE_VERSION);
  if (!proof)
    buf_adds(ret, "This run proves nothing");
  else if (bad == 0)
    buf_addf(ret, "All %d mutants came out as declared", r->n);
  else
    buf_addf(ret, "%d of %d mutants did not come out as declared", bad, r->n);
  buf_adds(ret, "</h1>");
  if (r->problem && *r->problem) {
    buf_adds(ret, "<p>");
    html_text(r->problem, ret);
    buf_adds(ret, "</p>");
  }
  buf_adds(ret, "<ul class=\"counts\">");
  for (int o = 0; o < OUTCOME_COUNT; o++) {
    int n = tally_count(r, (enum outcome)o);
    if (n > 0)
      buf_addf(ret, "<li class=\"%s\" title=\"%s\"><b>%d</b> %s</li>",
               html_class((enum outcome)o), outcome_meaning((enum outcome)o), n,
               outcome_word((enum outcome)o));
  }
  buf_addf(ret, "<li><b>%d</b> tests</li><li><b>%.0f</b> s</li></ul></header>",
           r->tests.n, (double)r->ms / 1000);
}

static void add_mutants(const struct records *r, struct buf *ret)
{
  buf_adds(ret, "<section><h2>Mutants</h2>\n");
  for (int pass = 0; pass < 2; pass++) /* what needs a reader comes first */
    for (int i = 0; i < r->n; i++)
      if ((outcome_class(r->item[i].outcome) == CLASS_OK) == (pass == 1))
        html_mutant(r, i, ret);
  buf_adds(ret, "</section>\n");
}

void render_html(const struct records *r, struct buf *ret)
{
  buf_adds(ret, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
                "charset=\"utf-8\">\n<meta name=\"viewport\" "
                "content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" "
                "content=\"default-src 'none'; style-src "
                "'unsafe-inline'\">\n<title>faultwire mutate</title>\n"
                "<style>\n");
  for (const char *const *piece = RENDER_HTML_STYLE; *piece; piece++)
    buf_adds(ret, *piece);
  buf_adds(ret, "</style></head><body>\n");
  add_head(r, ret);
  buf_adds(ret, "<main>\n");
  html_matrix(r, ret);
  add_mutants(r, ret);
  html_tests(r, ret);
  buf_adds(ret, "</main></body></html>\n");
}

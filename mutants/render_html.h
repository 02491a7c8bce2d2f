/*
 * render_html.h - the parts of the HTML page.
 *
 * One file, no script, nothing fetched: it opens from a folder of artifacts
 * and says the same in ten years. All text of a run is hostile until escaped.
 */
#ifndef MUTANTS_RENDER_HTML_H
#define MUTANTS_RENDER_HTML_H

#include "mutants/record.h"

/* The style sheet, in pieces; NULL ends it. */
extern const char *const RENDER_HTML_STYLE[];

/* Escaped. */
void html_text(const char *text, struct buf *ret);
/* "ok", "missed", "bad": the class of a badge. */
const char *html_class(enum outcome o);

/* The table of mutants and tests. */
void html_matrix(const struct records *r, struct buf *ret);
/* One mutant: declared against observed, change, log. */
void html_mutant(const struct records *all, int i, struct buf *ret);
/* What the matrix says about the tests. */
void html_tests(const struct records *r, struct buf *ret);

#endif

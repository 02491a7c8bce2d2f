/*
 * escape_html.h - texts of clients and servers in an HTML page.
 *
 * The rule: whatever a client wrote stays text. The five characters that
 * mark up are references in every place (HTML, "Serialising HTML fragments"),
 * so one function serves text and quoted attributes. Controls and bytes that
 * are no UTF-8 are shown as \xNN; characters that turn the reading direction
 * around (CVE-2021-42574) as \uNNNN, for a page must show what is there.
 */
#ifndef HARNESS_REPORT_ESCAPE_HTML_H
#define HARNESS_REPORT_ESCAPE_HTML_H

#include "base/buf.h"

/* On one line: line ends and tabs as \n, \r, \t. Cut like all short texts
 * (escape.h, ESCAPE_MAX_BYTES). */
void escape_html(struct buf *b, const char *s);
/* For <pre>: line ends and tabs stand as they are; never cut. */
void escape_html_text(struct buf *b, struct bytes s);

#endif

/*
 * html_part.h - the parts of the HTML report: its style, one scenario, the
 * picture of a scenario.
 *
 * The page's contract (docs/reports.md, "html"): one file, no script, no
 * request to anywhere; texts from outside go through escape_html.h and
 * nothing else.
 */
#ifndef HARNESS_REPORT_HTML_PART_H
#define HARNESS_REPORT_HTML_PART_H

#include "harness/report/report.h"

/* The content of <style>. */
void html_style(struct buf *out);
/* <details> with all that is known; `number` from 1 makes its id. */
void html_scenario(const struct result *r, size_t number, bool open,
                   struct buf *out);
/* How each start ended and what it wrote; nothing without starts. */
void html_starts(const cJSON *scenario, struct buf *out);
/* <figure> with the SVG; nothing when there are no times. */
void html_timeline(const cJSON *scenario, struct buf *out);
/* The verdict as a badge. */
void html_badge(const char *verdict, struct buf *out);
/* "412 ms", "2.35 s", "3 min 20 s" */
void html_seconds(double s, struct buf *out);

#endif

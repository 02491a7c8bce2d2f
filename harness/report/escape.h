/*
 * escape.h - texts of clients and servers, made harmless for one format.
 *
 * A client's output may hold anything: control bytes that drive a terminal,
 * "]]>", bytes that are no UTF-8. Every report must stay well-formed all the
 * same. What a format cannot hold is shown as \xNN; a text over
 * ESCAPE_MAX_BYTES is cut, and the cut says how much is missing.
 */
#ifndef HARNESS_REPORT_ESCAPE_H
#define HARNESS_REPORT_ESCAPE_H

#include "base/buf.h"

/* Longest text in one place of a report: enough for any sentence of a check,
 * little enough for a terminal. The JSON report never cuts. */
#define ESCAPE_MAX_BYTES ((size_t)4096)

/* One line for a terminal: line ends and tabs as \n, \r, \t; the other controls
 * (C0, DEL, C1) and bytes that are no UTF-8 as \xNN. */
void escape_line(struct buf *b, const char *s);
/* The same, with # escaped as well: a TAP description (TAP 14, "Escaping"). */
void escape_tap(struct buf *b, const char *s);
/* In double quotes, as YAML 1.2 wants them (chapter 7.3.1). */
void escape_yaml(struct buf *b, const char *s);
/* An attribute's value in XML 1.0: the entities, line ends and tabs as
 * references, characters outside production 2 as \xNN. */
void escape_xml(struct buf *b, const char *s);
/* Text between tags: the same, but line ends stand as they are and nothing
 * is cut. */
void escape_xml_text(struct buf *b, struct bytes s);

#endif

/*
 * scrub.h - no secret of a log reaches a scenario.
 *
 * Rule: docs/import.md, "Secrets". Removed letter by letter ('x' in their
 * place), so that every length stays what it was: bearer and basic
 * credentials, keys by their known beginnings, values of parameters and
 * fields with a telling name, ids of organisations and projects. A
 * set-cookie header is left out as a whole.
 */
#ifndef MOCKSERVER_IMPORT_SCRUB_H
#define MOCKSERVER_IMPORT_SCRUB_H

#include "base/buf.h"

/* The header is not carried over at all. */
bool scrub_drops_header(struct bytes name);
/* Its value as a whole is secret. */
bool scrub_is_secret_header(struct bytes name);
/* Letters and digits become 'x', in place; a scheme in front ("Bearer ")
 * stays. */
void scrub_value(char *p, size_t n);
/* The secrets inside any text, in place. */
void scrub_text(char *p, size_t n);

#endif

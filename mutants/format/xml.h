/*
 * xml.h - the tags of an XML text, one after the other. Pure.
 *
 * No more of XML than a JUnit file needs: tags with attributes, the five
 * named and the numeric entities. Texts, comments, CDATA, declarations and
 * document types are passed over; no entity is ever defined or fetched. Each
 * tag must be closed in order, so a report that was cut is told from a whole
 * one.
 */
#ifndef MUTANTS_FORMAT_XML_H
#define MUTANTS_FORMAT_XML_H

#include "base/buf.h"
#include "base/diag.h"

/* As deep as this reader goes; JUnit needs 4. */
enum { XML_MAX_DEPTH = 64 };

struct xml {
  struct bytes rest;
  struct bytes open[XML_MAX_DEPTH]; /* names of the tags that are open */
  int depth;
  bool seen; /* the outermost tag */
};

struct xml_tag {
  struct bytes name, attributes;
  bool end;    /* </name> */
  bool closed; /* <name/> */
};

void xml_init(struct xml *x, struct bytes text);
/* 1 with a tag, 0 at the end, -1 with an error. */
int xml_next(struct xml *x, struct xml_tag *ret, struct diag *diag);
bool xml_is(const struct xml_tag *tag, const char *name);
/* Without its entities; the caller frees it. NULL when it is not there. */
char *xml_attribute(const struct xml_tag *tag, const char *name);

#endif

/*
 * json_places.h - where every value of a document stands in its text, found
 * out in one walk: for those who need many. One alone: json_span().
 */
#ifndef BASE_JSON_PLACES_H
#define BASE_JSON_PLACES_H

#include "base/json.h"

struct json_place {
  const cJSON *node;
  size_t at, n; /* bytes of doc->text */
};

struct json_places {
  struct json_place *list; /* by node */
  size_t n, cap;
};

/* The document may not change afterwards. The caller releases. */
void json_places_init(struct json_places *ret, const struct json_doc *doc);
void json_places_release(struct json_places *p);
/* As json_span(); false: the node is none of the document's. */
bool json_places_find(const struct json_places *p, const cJSON *node,
                      size_t *ret_at, size_t *ret_n);

#endif

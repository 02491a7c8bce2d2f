/*
 * json_edit.h - one value inside JSON text replaced, by its path.
 *
 * For answers that are right but for one field: null where none may be,
 * another value, a member too many. A path is the names and item numbers
 * with dots between: "choices.0.delta.content".
 */
#ifndef MOCKSERVER_JSON_EDIT_H
#define MOCKSERVER_JSON_EDIT_H

#include "base/buf.h"

#include <cjson/cJSON.h>

/* True when `root` has something at `path`. */
bool json_edit_has(const cJSON *root, const char *path);
/* Puts a copy of `value` there; NULL: null. A last name that is not there
 * yet is added to its object. False when there is no way to it. */
bool json_edit_set(cJSON *root, const char *path, const cJSON *value);

/* The JSON inside a provider's event or body: from the first brace to the
 * last. False when there is none. */
bool json_edit_find(struct bytes text, struct bytes *ret);
/* `text` with the JSON in it replaced by `root` as one line. */
void json_edit_put(struct bytes text, const cJSON *root, struct buf *ret);

#endif

/*
 * shape_of.h - the shape of a request, as a step's `match`: whether it asks
 * for a stream, how many answers of the model it holds, whether it brings
 * the result of a tool. No word of the conversation is in it.
 */
#ifndef MOCKSERVER_IMPORT_SHAPE_OF_H
#define MOCKSERVER_IMPORT_SHAPE_OF_H

#include "base/buf.h"

#include <cjson/cJSON.h>

struct call;

/* Adds `match` to the step; nothing when the body is no JSON. */
void shape_of(const struct call *call, struct bytes body, cJSON *step);

#endif

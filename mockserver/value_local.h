/*
 * value_local.h - {{local:+n Zone 'format'}}: a moment as people of a zone
 * write it.
 *
 * The format knows these letters of strftime(3), in English: Y m d e H I M S
 * p P a A b B Z z y %, and '-' in front of one for no padding.
 */
#ifndef MOCKSERVER_VALUE_LOCAL_H
#define MOCKSERVER_VALUE_LOCAL_H

#include "base/buf.h"

/* The inside of the value behind "local:", its number already read off:
 * " Europe/Oslo '%-I%P'". NULL when it is right, else what is wrong. */
const char *value_local_check(struct bytes arg);
void value_local_add(struct bytes arg, int64_t epoch_s, struct buf *ret);

#endif

/*
 * gemini_errors.h - the Gemini API's errors by name.
 */
#ifndef MOCKSERVER_PROVIDER_GEMINI_ERRORS_H
#define MOCKSERVER_PROVIDER_GEMINI_ERRORS_H

#include "mockserver/provider/provider.h"

#define GEMINI_HEADERS                                                         \
  "server-timing: gfet4t7; dur=733\r\n"                                        \
  "vary: Origin\r\n"

extern const struct provider_error gemini_errors[];

#endif

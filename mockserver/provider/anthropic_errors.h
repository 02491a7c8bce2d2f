/*
 * anthropic_errors.h - the Messages API's errors by name.
 */
#ifndef MOCKSERVER_PROVIDER_ANTHROPIC_ERRORS_H
#define MOCKSERVER_PROVIDER_ANTHROPIC_ERRORS_H

#include "mockserver/provider/provider.h"

extern const struct provider_error anthropic_errors[];

#endif

/*
 * import.h - what every format of `faultwire import` has to hold.
 */
#ifndef FUZZ_IMPORT_H
#define FUZZ_IMPORT_H

#include <stddef.h>
#include <stdint.h>

/* The bytes as a file of that format. */
void import_property(const char *format, const uint8_t *data, size_t size);

#endif

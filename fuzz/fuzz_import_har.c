/*
 * fuzz_import_har.c - a file for `faultwire import --from har`.
 */
#include "fuzz/fuzz.h"
#include "fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  import_property("har", data, size);
  return 0;
}

/*
 * fuzz_import_curl.c - a file for `faultwire import --from curl`.
 */
#include "fuzz/fuzz.h"
#include "fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  import_property("curl", data, size);
  return 0;
}

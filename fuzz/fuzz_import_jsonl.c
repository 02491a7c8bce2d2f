/*
 * fuzz_import_jsonl.c - a file for `faultwire import --from jsonl`.
 */
#include "fuzz/fuzz.h"
#include "fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  import_property("jsonl", data, size);
  return 0;
}

/*
 * fuzz_import_peers.c - a fault script of LLMock or of aimock, as the file
 * looks like.
 */
#include "fuzz/fuzz.h"
#include "fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  import_property("llmock", data, size);
  import_property("aimock", data, size);
  return 0;
}

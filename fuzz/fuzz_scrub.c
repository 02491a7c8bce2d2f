/*
 * fuzz_scrub.c - any text on its way through the removal of secrets.
 */
#include "fuzz/fuzz.h"

#include "base/buf.h"
#include "mockserver/import/scrub.h"

/* A key of Anthropic's; it stands where no word goes on. */
static const char planted[] = " sk-ant-api03-QZJVKWYB \n", word[] = "QZJVKWYB";

static void check_plant(const uint8_t *data, size_t size)
{
  struct buf b;
  buf_init(&b, (size_t)1 << 24);
  buf_add(&b, data, size);
  buf_adds(&b, planted);
  buf_add(&b, data, size);
  scrub_text(b.p, b.n);
  PROPERTY(memcmp(b.p + size + (strstr(planted, word) - planted), word,
                  strlen(word)) != 0,
           "a key is found behind anything");
  buf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_copy(data, size), *again = fuzz_copy(data, size);
  scrub_text(text, size);
  for (size_t i = 0; i < size; i++)
    PROPERTY(text[i] == again[i] || text[i] == 'x',
             "only letters and digits change, to x");
  memcpy(again, text, size);
  scrub_text(again, size);
  PROPERTY(memcmp(again, text, size) == 0, "what is removed is removed");
  struct bytes name = {(const char *)data, size};
  scrub_is_secret_header(name);
  check_plant(data, size);
  free(text);
  free(again);
  return 0;
}

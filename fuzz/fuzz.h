/*
 * fuzz.h - what the fuzz targets share.
 *
 * A target is one file with LLVMFuzzerTestOneInput that asserts properties;
 * "did not crash" is never the only one. The same file is linked twice: with
 * libFuzzer under clang (option FUZZERS), and with replay_main.c, a plain
 * main that runs files through it in every build. docs/fuzzing.md.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The clock of the test vectors: Mon 2025-12-01 00:00:00 UTC. */
#define FUZZ_NOW_EPOCH_S INT64_C(1764547200)

static inline void fuzz_property(bool holds, const char *sentence,
                                 const char *file, int line)
{
  if (holds)
    return;
  fprintf(stderr, "%s:%d: property does not hold: %s\n", file, line, sentence);
  abort();
}

/* Never compiled out, names the property in words. */
#define PROPERTY(holds, sentence)                                              \
  fuzz_property((holds), sentence, __FILE__, __LINE__)

/* A copy of exactly that size, with no byte behind it that could be read
 * unnoticed under AddressSanitizer. The caller frees. */
static inline char *fuzz_copy(const void *p, size_t n)
{
  char *copy = malloc(n > 0 ? n : 1);

  if (!copy)
    abort();
  if (n > 0)
    memcpy(copy, p, n);
  return copy;
}

/* The same with a NUL byte behind. */
static inline char *fuzz_text(const void *p, size_t n)
{
  char *copy = malloc(n + 1);

  if (!copy)
    abort();
  if (n > 0)
    memcpy(copy, p, n);
  copy[n] = '\0';
  return copy;
}

#endif

/*
 * answer.h - an HTTP-like text as a guard_answer, for two fuzz targets.
 *
 * First line: "provider channel status exit_code", where channel is one of
 * http, sse, stdout, stderr and "-" stands for absent; then header lines
 * "name: value", an empty line, and the body. Anything that is not there is
 * absent: every input is some answer.
 */
#ifndef FUZZ_ANSWER_H
#define FUZZ_ANSWER_H

#include "guard/error_class.h"

#define FUZZ_MAX_HEADERS 64

struct fuzz_answer {
  char *text; /* owned; headers and provider point into it */
  char *body; /* owned; exactly body_n bytes */
  struct guard_header headers[FUZZ_MAX_HEADERS];
  struct guard_answer answer;
};

void fuzz_answer_init(struct fuzz_answer *a, const void *p, size_t n);
void fuzz_answer_release(struct fuzz_answer *a);
/* What must hold of every verdict; aborts with a sentence. */
void fuzz_check_verdict(const struct guard_verdict *v);

#endif

/*
 * fuzz_head.c - what a client sends first: where a request's head ends, and
 * what is not quite HTTP in it. Input: bytes of a connection.
 */
#include "fuzz/fuzz.h"
#include "mockserver/request_check.h"

static bool lies_in(struct bytes part, struct bytes whole)
{
  return !part.n || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

static void check_report(struct bytes head)
{
  struct head_report r;

  head_check(head, &r);
  PROPERTY((r.flaws == 0) == (r.first == FLAWS),
           "the first flaw is one of them");
  PROPERTY(!r.flaws || r.flaws & UINT32_C(1) << r.first,
           "the first flaw is told");
  PROPERTY(lies_in(r.method, head) && lies_in(r.target, head),
           "method and target are the head's own bytes");
  PROPERTY(!memchr(head.p, '\0', head.n) || r.flaws, "a NUL is never taken");
  if (!r.flaws)
    PROPERTY(r.method.n && r.target.n && r.target.n < head.n,
             "a good head has a method and a target");
}

/* LF alone instead of CR LF is one flaw, and no other. */
static void check_bare(struct bytes head)
{
  struct head_report before, after;
  char *bare = fuzz_copy(head.p, head.n);
  size_t n = 0;

  head_check(head, &before);
  for (size_t i = 0; i < head.n; i++)
    if (head.p[i] != '\r')
      bare[n++] = head.p[i];
  head_check((struct bytes){bare, n}, &after);
  if (!before.flaws)
    PROPERTY(after.flaws == UINT32_C(1) << FLAW_BARE_LF,
             "without its CRs a good head has that flaw alone");
  free(bare);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *copy = fuzz_copy(data, size);
  struct bytes all = {copy, size};
  size_t n = head_length(all);

  PROPERTY(n <= size, "a head is within what came");
  if (n) {
    char *own = fuzz_copy(copy, n);
    struct bytes head = {own, n};
    PROPERTY(head_length(head) == n, "what follows does not move its end");
    PROPERTY(head_length((struct bytes){own, n - 1}) == 0,
             "without its last byte it is not whole");
    check_report(head);
    check_bare(head);
    free(own);
  }
  check_report(all); /* half a head is looked at as well, for its target */
  free(copy);
  return 0;
}

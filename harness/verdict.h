/*
 * verdict.h - the five words a check and a scenario can end with, and why.
 */
#ifndef HARNESS_VERDICT_H
#define HARNESS_VERDICT_H

enum verdict {
  VERDICT_PASS,
  VERDICT_WARN,         /* a SHOULD is not met */
  VERDICT_SKIP,         /* the policy has no such thing */
  VERDICT_INCONCLUSIVE, /* nothing was proved */
  VERDICT_FAIL,
  NVERDICTS
};

/* What made it so; the mutation gate tells kills apart by it. */
enum kind {
  KIND_NONE,
  KIND_ASSERT,        /* a check failed */
  KIND_HANG,          /* the client still ran at its limit */
  KIND_STALLED,       /* a hang without end: nothing it waits for has a timer */
  KIND_CRASH,         /* the client was ended by a signal of its own */
  KIND_NO_CONTACT,    /* no request arrived: not wired */
  KIND_NOT_DELIVERED, /* a scripted fault was never sent */
  KIND_HARNESS,       /* set-up failed */
  NKINDS
};

/* "pass", "not-delivered", ...: the words of the JSON report. */
const char *verdict_name(enum verdict v);
const char *kind_name(enum kind k);

#endif

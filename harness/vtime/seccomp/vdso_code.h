/*
 * vdso_code.h - the machine code that goes over the clock functions of a
 * client's vDSO. Position independent.
 *
 * clock_gettime first is `boot`: it asks us for the page's descriptor (a call
 * of clock_gettime with VDSO_WANTS_PAGE as third argument, which the real
 * call does not have), maps it at VDSO_PAGE_AT and says so
 * (VDSO_HAS_PAGE); then we let the entry jump to `clock`, which reads the
 * page without a call. Where any step fails it is a plain system call, which
 * is answered as well.
 */
#ifndef VTIME_SECCOMP_VDSO_CODE_H
#define VTIME_SECCOMP_VDSO_CODE_H

/* In the middle of the address space, where neither heaps nor libraries nor
 * the shadow memories of sanitizers are; taken only when it is free. */
#define VDSO_PAGE_AT 0x3a5600000000
#define VDSO_WANTS_PAGE 0x56543130
#define VDSO_HAS_PAGE 0x56543131

extern const unsigned char vdso_boot[], vdso_boot_end[];
extern const unsigned char vdso_clock[], vdso_clock_end[];
/* gettimeofday and time call clock_gettime; `_call` is that instruction. */
extern const unsigned char vdso_day[], vdso_day_call[], vdso_day_end[];
extern const unsigned char vdso_time[], vdso_time_call[], vdso_time_end[];

#endif

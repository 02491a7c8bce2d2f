/*
 * vdso.h - finds the clock functions in the image of a vDSO and plans what to
 * write over them; and does it in a process that stands still.
 *
 * The rule: every program image calls arch_prctl(ARCH_SET_FS) once, early,
 * before it reads a clock; at that call its vDSO is patched through
 * /proc/PID/mem. The pages are its own (copy on write) and forks have them
 * too. Layout of the image: ELF-64 and its dynamic section (elf(5)).
 */
#ifndef VTIME_SECCOMP_VDSO_H
#define VTIME_SECCOMP_VDSO_H

#include "base/buf.h"

enum { VDSO_CLOCK, VDSO_DAY, VDSO_TIME, VDSO_NFUNCTIONS };

/* A function in the image: where, and how many bytes; size 0: it has none. */
struct vdso_function {
  uint64_t at, size;
};
/* Pure. False when it is no such image or has no clock_gettime. */
bool vdso_find(struct bytes image, struct vdso_function ret[VDSO_NFUNCTIONS]);

/* Bytes to write at an offset of the image. */
struct vdso_write {
  uint64_t at;
  unsigned char p[256];
  size_t n;
};
enum { VDSO_MAX_WRITES = 6 };
/* Pure. What to write for these functions: system calls everywhere, and the
 * fast code where it fits. *ret_fast: it does. */
size_t vdso_plan(const struct vdso_function f[VDSO_NFUNCTIONS],
                 struct vdso_write ret[VDSO_MAX_WRITES], bool *ret_fast);
/* Pure. The entry of clock_gettime when the page is mapped. */
void vdso_plan_switch(uint64_t at, struct vdso_write *ret);

/* One process with a patched image; a record without a base is one that can
 * only call. */
struct vdso_process {
  int tgid;
  uint64_t base, clock_at;
  bool booting; /* it has been given the page */
};
struct vdso_table {
  struct vdso_process *process;
  size_t n, cap;
};
void vdso_table_release(struct vdso_table *t);
/* Patches; false when it cannot be. A process without a vDSO is fine. */
bool vdso_patch(struct vdso_table *t, int tgid);
/* May it have the page now? Once a program only. */
bool vdso_take_page(struct vdso_table *t, int tgid);
/* It has mapped it: switches the entry. */
void vdso_switch(const struct vdso_table *t, int tgid);

#endif

/*
 * vtime_refuse CALL[,CALL...] PROGRAM ARGUMENTS...: runs a program in a place
 * that refuses those system calls with EPERM, as containers do: seccomp,
 * pidfd_getfd, ptrace, process_vm, futex_waitv.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of kernels newer than these headers (asm/unistd_64.h). */
enum { NR_FUTEX_WAITV = 449 };

static const struct {
  const char *name;
  unsigned nr;
} calls[] = {{"seccomp", SYS_seccomp},
             {"pidfd_getfd", SYS_pidfd_getfd},
             {"ptrace", SYS_ptrace},
             {"process_vm", SYS_process_vm_readv},
             {"process_vm", SYS_process_vm_writev},
             {"futex_waitv", NR_FUTEX_WAITV}};
enum { NCALLS = sizeof calls / sizeof calls[0], MAX_FILTER = 4 + 2 * NCALLS };

static int is_in(const char *list, const char *name)
{
  size_t n = strlen(name);
  for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
    if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == '\0'))
      return 1;
  return 0;
}

static unsigned short make(const char *list, struct sock_filter *f)
{
  unsigned short n = 0;
  f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                        offsetof(struct seccomp_data, nr));
  for (int i = 0; i < NCALLS; i++) {
    if (!is_in(list, calls[i].name))
      continue;
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                          calls[i].nr, 0, 1);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                          SECCOMP_RET_ERRNO | EPERM);
  }
  f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  return n;
}

int main(int argc, char **argv)
{
  struct sock_filter filter[MAX_FILTER];
  if (argc < 3)
    return 125;
  struct sock_fprog p = {make(argv[1], filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &p) == 0)
    execvp(argv[2], argv + 2);
  perror("vtime_refuse");
  return 125;
}

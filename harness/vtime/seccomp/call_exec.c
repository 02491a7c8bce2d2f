/* arch_prctl(ARCH_SET_FS): a new program is about to begin. */
#include "harness/vtime/seccomp/backend.h"

#include <asm/prctl.h>
#include <errno.h>

struct reply call_arch_prctl(struct backend *b, const struct call *c)
{
  if (c->arg[0] != ARCH_SET_FS)
    return REPLY_GO_ON;
  timer_exec(&b->timers, c->tgid);
  backend_found(b, c->tgid);
  if (!vdso_patch(&b->vdso, c->tgid))
    backend_lost(b, c->tgid, "its vDSO cannot be patched");
  return REPLY_GO_ON;
}

/* Refused by the filter itself. */
struct reply call_none(struct backend *b, const struct call *c)
{
  (void)b;
  (void)c;
  return REPLY_WITH(-ENOSYS);
}

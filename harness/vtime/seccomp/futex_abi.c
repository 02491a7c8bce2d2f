#include "harness/vtime/seccomp/futex_abi.h"

#include <linux/futex.h>
#include <time.h>

/* FUTEX2_SIZE_U32 and FUTEX2_PRIVATE (linux/futex.h). */
#define SIZE_U32 2U
#define PRIVATE 128U

bool futex2_flags(uint64_t flags, bool *ret_private)
{
  uint32_t low = (uint32_t)flags; /* an unsigned int */
  if ((low & ~PRIVATE) != SIZE_U32)
    return false;
  *ret_private = (low & PRIVATE) != 0;
  return true;
}

bool futex2_entry(const struct waitv *v, bool *ret_private)
{
  return v->reserved == 0 && v->value <= UINT32_MAX &&
         futex2_flags(v->flags, ret_private);
}

bool futex2_clock(uint64_t id)
{
  return (clockid_t)id == CLOCK_MONOTONIC || (clockid_t)id == CLOCK_REALTIME;
}

bool futex_time_of(uint64_t op, struct futex_time *ret)
{
  bool flag = (op & FUTEX_CLOCK_REALTIME) != 0;
  switch ((int)op & FUTEX_CMD_MASK) {
  case FUTEX_WAIT:
    *ret = (struct futex_time){false, false};
    return !flag;
  case FUTEX_LOCK_PI:
    *ret = (struct futex_time){true, true};
    return !flag;
  default:
    *ret = (struct futex_time){true, flag};
    return true;
  }
}

/* 12 bits with a sign. */
static int32_t signed_12(uint32_t bits)
{
  return (int32_t)((bits & 0xfff) ^ 0x800) - 0x800;
}

bool futex_op_read(uint32_t code, struct futex_op *ret)
{
  struct futex_op o = {.op = code >> 28 & 7,
                       .compare = code >> 24 & 15,
                       .with = signed_12(code >> 12),
                       .limit = signed_12(code)};
  if (code >> 28 & FUTEX_OP_OPARG_SHIFT)
    o.with = (int32_t)(1U << (o.with & 31));
  if (o.op > FUTEX_OP_XOR || o.compare > FUTEX_OP_CMP_GE)
    return false;
  *ret = o;
  return true;
}

uint32_t futex_op_makes(const struct futex_op *o, uint32_t old)
{
  uint32_t with = (uint32_t)o->with;
  switch (o->op) {
  case FUTEX_OP_SET:
    return with;
  case FUTEX_OP_ADD:
    return old + with;
  case FUTEX_OP_OR:
    return old | with;
  case FUTEX_OP_ANDN:
    return old & ~with;
  default:
    return old ^ with;
  }
}

bool futex_op_wakes(const struct futex_op *o, uint32_t old)
{
  int32_t is = (int32_t)old;
  switch (o->compare) {
  case FUTEX_OP_CMP_EQ:
    return is == o->limit;
  case FUTEX_OP_CMP_NE:
    return is != o->limit;
  case FUTEX_OP_CMP_LT:
    return is < o->limit;
  case FUTEX_OP_CMP_LE:
    return is <= o->limit;
  case FUTEX_OP_CMP_GT:
    return is > o->limit;
  default:
    return is >= o->limit;
  }
}

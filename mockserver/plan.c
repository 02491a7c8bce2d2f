#include "mockserver/plan.h"

#include "mockserver/gate.h"

#include <assert.h>

/* More than this is given back between two uses, so that one huge answer
 * does not stay with an idle plan. */
#define PLAN_KEEP_BYTES ((size_t)256 << 10)

void plan_init(struct plan *p)
{
  *p = (struct plan){0};
  buf_init(&p->bytes, PLAN_MAX_BYTES);
}

void plan_discard(const struct op *op)
{
  if (op->free_arg)
    op->free_arg(op->arg);
  gate_drop(op->gate);
}

static void free_args(struct plan *p)
{
  for (size_t i = 0; i < p->nops; i++)
    plan_discard(&p->ops[i]);
}

void plan_release(struct plan *p)
{
  free_args(p);
  free(p->ops);
  buf_release(&p->bytes);
  plan_init(p);
}

void plan_reset(struct plan *p)
{
  if (p->bytes.cap > PLAN_KEEP_BYTES) {
    plan_release(p);
    return;
  }
  free_args(p);
  buf_reset(&p->bytes);
  p->nops = 0;
  p->no_notify = false;
  p->elapsed_ns = 0;
  p->early = false;
  p->apart = false;
}

static struct op *add(struct plan *p, enum op_kind kind)
{
  if (p->nops == p->cap) {
    p->cap = p->cap ? 2 * p->cap : 8;
    p->ops = mem_realloc(p->ops, p->cap * sizeof *p->ops);
  }
  p->apart = false;
  struct op *op = &p->ops[p->nops++];
  *op = (struct op){.kind = kind};
  return op;
}

/* The bytes into the plan's own buffer; how many fitted. */
static size_t keep_bytes(struct plan *p, struct bytes b, size_t *ret_at)
{
  size_t at = p->bytes.n;
  buf_addb(&p->bytes, b);
  *ret_at = at;
  return p->bytes.n - at;
}

void plan_send(struct plan *p, struct bytes b)
{
  size_t at, n = keep_bytes(p, b, &at);
  if (n == 0)
    return;
  struct op *last = p->nops ? &p->ops[p->nops - 1] : NULL;
  if (last && last->kind == OP_SEND && !p->apart) {
    last->n += n;
    return;
  }
  struct op *op = add(p, OP_SEND);
  op->at = at;
  op->n = n;
}

void plan_segment(struct plan *p)
{
  p->apart = true;
}

void plan_forget(struct plan *p)
{
  buf_reset(&p->bytes);
}

void plan_fill(struct plan *p, uint64_t n)
{
  add(p, OP_FILL)->n = n;
}

void plan_drip(struct plan *p, struct bytes b, size_t step, int64_t ns)
{
  assert(step > 0 && ns >= 0);
  size_t at, n = keep_bytes(p, b, &at);
  if (n == 0)
    return;
  struct op *op = add(p, OP_DRIP);
  op->at = at;
  op->n = n;
  op->step = step;
  op->ns = ns;
  p->elapsed_ns += (int64_t)((n - 1) / step) * ns;
}

void plan_delay(struct plan *p, int64_t ns)
{
  if (ns <= 0)
    return;
  add(p, OP_DELAY)->ns = ns;
  p->elapsed_ns += ns;
}

void plan_generate(struct plan *p, plan_generate_fn *fn, void *arg,
                   void (*free_arg)(void *), int64_t period_ns,
                   enum event_kind kind)
{
  assert(fn && period_ns >= 0);
  struct op *op = add(p, OP_GENERATE);
  op->generate = fn;
  op->arg = arg;
  op->free_arg = free_arg;
  op->ns = period_ns;
  op->event = (char)kind;
}

void plan_gate(struct plan *p, struct gate *gate, plan_more_fn *more, void *arg,
               void (*free_arg)(void *))
{
  struct op *op = add(p, OP_GATE);
  op->gate = gate;
  op->more = more;
  op->arg = arg;
  op->free_arg = free_arg;
}

void plan_mark(struct plan *p, enum plan_mark m)
{
  assert(m != MARK_EVENT);
  add(p, OP_MARK)->mark = m;
}

void plan_mark_event(struct plan *p, enum event_kind kind)
{
  struct op *op = add(p, OP_MARK);
  op->mark = MARK_EVENT;
  op->event = (char)kind;
}

void plan_stall(struct plan *p)
{
  add(p, OP_STALL);
}

void plan_handshake(struct plan *p)
{
  add(p, OP_HANDSHAKE);
}

void plan_read_body(struct plan *p)
{
  add(p, OP_READ_BODY);
}

void plan_wait_input(struct plan *p)
{
  add(p, OP_WAIT_INPUT);
}

void plan_fin(struct plan *p)
{
  add(p, OP_FIN);
}

void plan_close(struct plan *p)
{
  add(p, OP_CLOSE);
}

void plan_rst(struct plan *p)
{
  add(p, OP_RST);
}

void plan_keep(struct plan *p)
{
  add(p, OP_KEEP);
}

void plan_keep_for(struct plan *p, int64_t idle_ns, bool rst)
{
  struct op *op = add(p, OP_KEEP);
  op->ns = idle_ns;
  op->rst = rst;
}

void plan_move(struct plan *p, const struct op *op)
{
  struct op copy = *op;
  *add(p, op->kind) = copy;
}

void plan_port(struct plan *p, enum port_state state, int64_t after_ns,
               int64_t for_ns)
{
  struct op *op = add(p, OP_PORT);
  op->port = state;
  op->ns = after_ns;
  op->for_ns = for_ns;
}

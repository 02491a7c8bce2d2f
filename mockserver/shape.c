#include "mockserver/shape_points.h"

#include <string.h>

/* More pieces than this are not made before they are due: a source without
 * an end stays as it is. */
#define MAX_PIECES 200000

/* ---- everything into memory ---- */

struct op_list {
  struct op *ops;
  size_t n, cap;
};

static void push(struct op_list *l, struct op op)
{
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 32;
    l->ops = mem_realloc(l->ops, l->cap * sizeof *l->ops);
  }
  l->ops[l->n++] = op;
}

/* The pieces of a source as sends with its period between them; false when
 * it has no end that can be waited for. */
static bool unfold(struct op_list *l, struct plan *p, const struct op *op)
{
  size_t bytes = p->bytes.n, ops = l->n;
  for (uint64_t i = 0; i < MAX_PIECES && !p->bytes.full; i++) {
    size_t at = p->bytes.n;
    if (!op->generate(op->arg, i, &p->bytes))
      return true;
    push(l, (struct op){.kind = OP_SEND, .at = at, .n = p->bytes.n - at});
    push(l,
         (struct op){.kind = OP_MARK, .mark = MARK_EVENT, .event = op->event});
    if (op->ns > 0)
      push(l, (struct op){.kind = OP_DELAY, .ns = op->ns});
  }
  p->bytes.n = bytes;
  p->bytes.full = false;
  l->n = ops;
  return false;
}

/* The plan's ops from `first` on; the plan is left without them. */
static void take_ops(struct op_list *l, struct plan *p, size_t first)
{
  *l = (struct op_list){.n = 0};
  for (size_t i = first; i < p->nops; i++) {
    struct op *op = &p->ops[i];
    if (op->kind != OP_GENERATE || !unfold(l, p, op)) {
      push(l, *op);
      continue;
    }
    if (op->free_arg)
      op->free_arg(op->arg);
  }
  p->nops = first;
}

/* ---- the new plan ---- */

struct walk {
  const struct shape *s;
  const struct shape_view *v;
  struct shape_points pts;
  struct plan *p;
  uint64_t at; /* bytes so far */
  size_t next; /* point that comes next */
  bool marked; /* the mark of the fault is in the plan, or will be */
  bool begun;  /* a piece within the part has been sent */
  bool headed; /* the head's mark has been passed on */
  bool cut;    /* nothing more is sent */
};

static bool is_ending(const struct op *op)
{
  return op->kind == OP_FIN || op->kind == OP_CLOSE || op->kind == OP_RST ||
         op->kind == OP_KEEP || op->kind == OP_STALL;
}

static void mark_fault(struct walk *w)
{
  if (!w->marked)
    plan_mark(w->p, MARK_FAULT);
  w->marked = true;
}

/* What is due in front of the byte at w->at. */
static void pass_points(struct walk *w)
{
  int64_t ns = 0;
  if (w->at >= w->pts.first_harm)
    mark_fault(w);
  for (; w->next < w->pts.n && w->pts.list[w->next].at <= w->at; w->next++)
    ns += w->pts.list[w->next].pause_ns;
  plan_delay(w->p, ns);
}

static uint64_t nearer(const struct walk *w, uint64_t place, uint64_t so_far)
{
  return place > w->at && place < so_far ? place : so_far;
}

/* How far bytes can be sent in one piece. */
static uint64_t boundary(const struct walk *w, uint64_t end)
{
  end = nearer(w, w->pts.cut, end);
  if (w->next < w->pts.n)
    end = nearer(w, w->pts.list[w->next].at, end);
  if (w->s->every) {
    end = nearer(w, w->pts.from, end);
    end = nearer(w, w->pts.until, end);
  }
  /* the head's mark stands behind the head */
  return nearer(w, w->v->head_end, end);
}

static void send_piece(struct walk *w, const struct op *op, size_t skip,
                       size_t n)
{
  struct op piece = *op;
  piece.at += skip;
  piece.n = n;
  bool inside = w->s->every && w->at >= w->pts.from && w->at < w->pts.until;
  if (inside && w->begun)
    plan_delay(w->p, w->s->split_ns);
  if (inside && op->kind == OP_SEND) {
    piece.kind = OP_DRIP;
    piece.step = w->s->every;
    piece.ns = w->s->split_ns;
  }
  w->begun |= inside;
  plan_move(w->p, &piece);
  w->at += n;
}

static void pass_head(struct walk *w)
{
  if (w->at < w->v->head_end || w->headed)
    return;
  w->headed = true;
  plan_mark(w->p, MARK_HEAD);
}

static void send_bytes(struct walk *w, const struct op *op)
{
  uint64_t n = shape_op_bytes(op);
  for (size_t done = 0; done < n && !w->cut;) {
    if (w->at == w->pts.cut) {
      w->cut = true;
      break;
    }
    pass_points(w);
    size_t piece = (size_t)(boundary(w, w->at + n - done) - w->at);
    send_piece(w, op, done, piece);
    done += piece;
    pass_head(w);
  }
}

static void pass_mark(struct walk *w, const struct op *op)
{
  if (op->mark == MARK_HEAD) /* stands behind the head already */
    return;
  if (op->mark == MARK_COMPLETE && w->s->incomplete)
    return;
  plan_move(w->p, op);
}

static void pass_op(struct walk *w, const struct op *op)
{
  /* what stood behind the cut; a mark that stood at it has been passed */
  bool over = w->cut || (w->s->has_cut && w->at == w->pts.cut &&
                         w->pts.cut < w->v->total && op->kind == OP_DELAY);
  if (over || is_ending(op)) {
    plan_discard(op);
    return;
  }
  if (shape_op_bytes(op))
    send_bytes(w, op);
  else if (op->kind == OP_MARK)
    pass_mark(w, op);
  else
    plan_move(w->p, op);
}

static const struct op *ending_of(const struct op_list *l)
{
  return l->n && is_ending(&l->ops[l->n - 1]) ? &l->ops[l->n - 1] : NULL;
}

static void as_is(struct walk *w, const struct op *ending)
{
  if (w->cut || !ending || (w->s->until_close && ending->kind == OP_KEEP))
    plan_fin(w->p);
  else
    plan_move(w->p, ending);
}

static void end_plan(struct walk *w, const struct op *ending)
{
  int64_t after = w->s->close_after_ns;
  enum shape_close close = w->s->close;
  if (close == CLOSE_IDLE_FIN || close == CLOSE_IDLE_RST) {
    plan_keep_for(w->p, after, close == CLOSE_IDLE_RST);
    return;
  }
  plan_delay(w->p, after);
  if (close == CLOSE_KEEP)
    plan_keep(w->p);
  else if (close == CLOSE_FIN)
    plan_fin(w->p);
  else if (close == CLOSE_RST)
    plan_rst(w->p);
  else if (close == CLOSE_ABRUPT)
    plan_close(w->p);
  else if (close == CLOSE_HOLD)
    plan_stall(w->p);
  else
    as_is(w, ending);
}

static bool has_fault_mark(const struct op_list *l, uint64_t cut)
{
  uint64_t at = 0;
  for (size_t i = 0; i < l->n; i++) {
    if (at > cut)
      return false;
    if (l->ops[i].kind == OP_MARK && l->ops[i].mark == MARK_FAULT)
      return true;
    at += shape_op_bytes(&l->ops[i]);
  }
  return false;
}

bool shape_apply(const struct shape *s, struct plan *p, size_t first,
                 struct bytes trailing)
{
  struct op_list l;
  struct shape_view v;
  take_ops(&l, p, first);
  shape_look(&v, p, l.ops, l.n);
  struct walk w = {.s = s, .v = &v, .p = p};
  shape_points_init(&w.pts, s, &v);
  w.marked = has_fault_mark(&l, w.pts.cut);
  for (size_t i = 0; i < l.n; i++)
    pass_op(&w, &l.ops[i]);
  w.cut |= w.pts.cut < v.total;
  if (!w.cut)
    pass_points(&w);
  mark_fault(&w);
  p->no_notify = s->no_notify;
  plan_send(p, trailing);
  end_plan(&w, ending_of(&l));
  shape_points_release(&w.pts);
  free(l.ops);
  return w.headed || v.total == 0;
}

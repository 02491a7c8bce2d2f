#include "mockserver/shape_points.h"

uint64_t shape_op_bytes(const struct op *op)
{
  return op->kind == OP_SEND || op->kind == OP_DRIP || op->kind == OP_FILL
             ? op->n
             : 0;
}

static struct bytes op_text(const struct shape_view *v, const struct op *op)
{
  if (op->kind != OP_SEND && op->kind != OP_DRIP)
    return (struct bytes){"", 0};
  return (struct bytes){v->plan->bytes.p + op->at, op->n};
}

/* The empty line may lie across ops: how much of it has been seen counts. */
static uint64_t find_head_end(const struct shape_view *v)
{
  static const char line[] = "\r\n\r\n";
  uint64_t at = 0;
  size_t seen = 0;
  for (size_t i = 0; i < v->nops; i++) {
    struct bytes text = op_text(v, &v->ops[i]);
    for (size_t k = 0; k < text.n; k++) {
      seen = text.p[k] == line[seen] ? seen + 1 : text.p[k] == '\r';
      if (seen == sizeof line - 1)
        return at + k + 1;
    }
    at += shape_op_bytes(&v->ops[i]);
  }
  return v->total;
}

void shape_look(struct shape_view *v, const struct plan *p,
                const struct op *ops, size_t nops)
{
  *v = (struct shape_view){.plan = p, .ops = ops, .nops = nops};
  for (size_t i = 0; i < nops; i++)
    v->total += shape_op_bytes(&ops[i]);
  v->head_end = find_head_end(v);
}

/* A place beyond either end is that end. */
static uint64_t resolve(const struct shape_place *place,
                        const struct shape_view *v)
{
  uint64_t base = place->from == PLACE_HEAD   ? 0
                  : place->from == PLACE_BODY ? v->head_end
                                              : v->total;
  uint64_t by = (uint64_t)(place->add < 0 ? -place->add : place->add);
  if (place->add < 0)
    return base > by ? base - by : 0;
  return base + by < v->total ? base + by : v->total;
}

static void add(struct shape_points *pts, uint64_t at, int64_t pause_ns)
{
  if (pts->n == pts->cap) {
    pts->cap = pts->cap ? 2 * pts->cap : 16;
    pts->list = mem_realloc(pts->list, pts->cap * sizeof *pts->list);
  }
  pts->list[pts->n++] = (struct shape_point){at, pause_ns};
}

/* A boundary between these two bytes? */
static bool is_inside(unsigned inside, char before, char after)
{
  unsigned char here = (unsigned char)after;
  return ((inside & INSIDE_UTF8) && (here & 0xc0) == 0x80) ||
         ((inside & INSIDE_CRLF) && before == '\r' && here == '\n') ||
         ((inside & INSIDE_LINES) && before == '\n');
}

static void add_inside(struct shape_points *pts, const struct shape *s,
                       const struct shape_view *v)
{
  uint64_t at = 0;
  char before = '\0';
  for (size_t i = 0; i < v->nops; i++) {
    struct bytes text = op_text(v, &v->ops[i]);
    for (size_t k = 0; k < text.n; before = text.p[k++])
      if (at + k > pts->from && at + k < pts->until &&
          is_inside(s->inside, before, text.p[k]))
        add(pts, at + k, s->split_ns);
    at += shape_op_bytes(&v->ops[i]);
  }
}

static int by_place(const void *a, const void *b)
{
  const struct shape_point *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

static void find_part(struct shape_points *pts, const struct shape *s,
                      const struct shape_view *v)
{
  pts->from = s->part == PART_BODY ? v->head_end : 0;
  pts->until = s->part == PART_HEAD ? v->head_end : v->total;
}

/* An answer that only has other headers or another end differs at its end,
 * as far as the journal is concerned. */
static void find_first_harm(struct shape_points *pts, const struct shape *s)
{
  pts->first_harm = pts->cut;
  if (pts->n && pts->list[0].at < pts->first_harm)
    pts->first_harm = pts->list[0].at;
  if (s->every && pts->from < pts->first_harm)
    pts->first_harm = pts->from;
}

void shape_points_init(struct shape_points *pts, const struct shape *s,
                       const struct shape_view *v)
{
  *pts = (struct shape_points){.cut = v->total};
  find_part(pts, s, v);
  if (s->has_cut)
    pts->cut = resolve(&s->cut, v);
  for (size_t i = 0; i < s->npauses; i++)
    add(pts, resolve(&s->pauses[i].at, v), s->pauses[i].ns);
  for (size_t i = 0; i < s->nat; i++)
    add(pts, resolve(&s->at[i], v), s->split_ns);
  if (s->inside)
    add_inside(pts, s, v);
  if (pts->n)
    qsort(pts->list, pts->n, sizeof *pts->list, by_place);
  find_first_harm(pts, s);
}

void shape_points_release(struct shape_points *pts)
{
  free(pts->list);
  *pts = (struct shape_points){.n = 0};
}

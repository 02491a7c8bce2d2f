#include "harness/progress.h"

#include "base/clock.h"

#include <inttypes.h>
#include <string.h>

/* Shorter than this, a name says nothing. */
enum { SHORTEST_NAME = 8 };

int64_t progress_left_ns(const struct progress_view *v)
{
  if (v->done == 0 || v->at_once < 1)
    return -1;
  int64_t mean = v->sum_ns / (int64_t)v->done;
  int64_t waiting = (int64_t)(v->total - v->done - v->running);
  int64_t running = mean * (int64_t)v->running - v->running_ns;
  int64_t sum = waiting * mean + (running > 0 ? running : 0);
  return sum / v->at_once;
}

/* "8 s", "2 min 05 s", "1 h 03 min" */
static void add_time(struct buf *b, int64_t ns)
{
  int64_t s = (ns + NS_PER_S / 2) / NS_PER_S;
  if (s < 60)
    buf_addf(b, "%" PRId64 " s", s);
  else if (s < 3600)
    buf_addf(b, "%" PRId64 " min %02" PRId64 " s", s / 60, s % 60);
  else
    buf_addf(b, "%" PRId64 " h %02" PRId64 " min", s / 3600, s / 60 % 60);
}

/* Adds the piece if all of it fits. */
static void add_piece(struct buf *b, struct buf *piece, size_t width)
{
  if (b->n + piece->n <= width)
    buf_addb(b, buf_bytes(piece));
  buf_reset(piece);
}

/* A name as far as it fits; a terminal must not be driven by it. */
static void add_name(struct buf *b, const char *name, size_t room)
{
  size_t n = strlen(name), kept = n <= room ? n : room - 2;
  for (size_t i = 0; i < kept; i++)
    buf_addc(b, name[i] > ' ' && name[i] < 0x7f ? name[i] : '?');
  if (kept < n)
    buf_adds(b, "..");
}

/* With the word before the name, or on a narrow terminal without it. */
static void add_slowest(const struct progress_view *v, size_t width,
                        struct buf *b, struct buf *piece)
{
  static const char *const leads[] = {", slowest ", ", "};
  if (!v->slowest)
    return;
  buf_addc(piece, ' ');
  add_time(piece, v->slowest_ns);
  for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
    size_t used = b->n + piece->n + strlen(leads[i]);
    if (used + SHORTEST_NAME > width)
      continue;
    buf_adds(b, leads[i]);
    add_name(b, v->slowest, width - used);
    buf_addb(b, buf_bytes(piece));
    break;
  }
  buf_reset(piece);
}

void progress_line(const struct progress_view *v, size_t columns,
                   struct buf *ret)
{
  size_t width = columns > PROGRESS_MARGIN ? columns - PROGRESS_MARGIN : 0;
  struct buf line, piece;
  buf_init(&line, 1024);
  buf_init(&piece, 256);
  int64_t left = progress_left_ns(v);
  buf_addf(&piece, "%zu/%zu", v->done, v->total);
  add_piece(&line, &piece, width);
  if (v->red) {
    buf_addf(&piece, ", %zu red", v->red);
    add_piece(&line, &piece, width);
  }
  if (left >= 0 && v->done < v->total) {
    buf_adds(&piece, ", ");
    add_time(&piece, left);
    buf_adds(&piece, " left");
    add_piece(&line, &piece, width);
  }
  if (v->running) {
    buf_addf(&piece, ", %zu running", v->running);
    add_piece(&line, &piece, width);
  }
  add_slowest(v, width, &line, &piece);
  buf_addb(ret, buf_bytes(&line));
  buf_release(&line);
  buf_release(&piece);
}

void progress_erase(size_t width, size_t columns, struct buf *ret)
{
  size_t rows = columns && width ? (width - 1) / columns : 0;
  if (rows)
    buf_addf(ret, "\r\033[%zuA\033[J", rows);
  else
    buf_adds(ret, "\r\033[K");
}

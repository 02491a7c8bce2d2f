#include "harness/progress_live.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A terminal: often enough to look alive, seldom enough to cost nothing. */
#define LINE_NS (250 * NS_PER_MS)
/* A log. */
#define PLAIN_NS (10 * NS_PER_S)
/* What a log's line may be wide, and a terminal that does not say. */
enum { PLAIN_COLUMNS = 200, DEFAULT_COLUMNS = 80 };

const char *const progress_words[] = {"auto", "line", "plain", "off", NULL};

struct progress {
  struct progress_options o;
  int64_t *begin_ns; /* of each job; 0: it does not run */
  struct progress_view view;
  size_t drawn; /* characters of the line that is on the terminal */
  char shown[256];
};

static enum progress_mode decide(enum progress_mode mode)
{
  const char *term = getenv("TERM");
  if (mode != PROGRESS_AUTO)
    return mode;
  return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0)
             ? PROGRESS_LINE
             : PROGRESS_OFF;
}

struct progress *progress_new(const struct progress_options *o)
{
  enum progress_mode mode = decide(o->mode);
  if (mode == PROGRESS_OFF)
    return NULL;
  struct progress *p = mem_zalloc(sizeof *p);
  p->o = *o;
  p->o.mode = mode;
  p->begin_ns = mem_zalloc((o->total + 1) * sizeof *p->begin_ns);
  p->view.total = o->total;
  p->view.at_once = o->at_once;
  return p;
}

int64_t progress_tick_ns(const struct progress *p)
{
  if (!p)
    return 0;
  return p->o.mode == PROGRESS_PLAIN ? PLAIN_NS : LINE_NS;
}

static size_t columns_now(void)
{
  struct winsize w;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col)
    return w.ws_col;
  return DEFAULT_COLUMNS;
}

static void look_at_running(struct progress *p)
{
  int64_t now = clock_now_ns(p->o.clock);
  struct progress_view *v = &p->view;
  v->slowest = NULL;
  v->running_ns = v->slowest_ns = 0;
  for (size_t i = 0; i < v->total; i++) {
    if (!p->begin_ns[i])
      continue;
    int64_t took = now - p->begin_ns[i];
    v->running_ns += took;
    if (v->slowest && took <= v->slowest_ns)
      continue;
    v->slowest = p->o.name(p->o.arg, i);
    v->slowest_ns = took;
  }
}

/* One write, so that nothing of others gets in between. */
static void emit(const struct buf *b)
{
  ssize_t n = write(STDERR_FILENO, buf_str(b), b->n);
  (void)n; /* a terminal that is gone shows nothing */
}

static void draw(struct progress *p)
{
  struct buf line, out;
  size_t columns = columns_now();
  buf_init(&line, sizeof p->shown - 1);
  buf_init(&out, 1024);
  look_at_running(p);
  progress_line(&p->view, columns < sizeof p->shown ? columns : sizeof p->shown,
                &line);
  if (strcmp(buf_str(&line), p->shown) != 0 || p->drawn >= columns) {
    progress_erase(p->drawn, columns, &out);
    buf_addb(&out, buf_bytes(&line));
    emit(&out);
    p->drawn = line.n;
    snprintf(p->shown, sizeof p->shown, "%s", buf_str(&line));
  }
  buf_release(&line);
  buf_release(&out);
}

static void print_plain(struct progress *p)
{
  struct buf line;
  buf_init(&line, 1024);
  look_at_running(p);
  buf_adds(&line, "progress: ");
  progress_line(&p->view, PLAIN_COLUMNS, &line);
  buf_addc(&line, '\n');
  emit(&line);
  buf_release(&line);
}

void progress_tick(struct progress *p)
{
  if (!p)
    return;
  if (p->o.mode == PROGRESS_LINE)
    draw(p);
  else
    print_plain(p);
}

void progress_started(struct progress *p, size_t i)
{
  if (!p)
    return;
  p->begin_ns[i] = clock_now_ns(p->o.clock);
  p->view.running++;
  if (p->o.mode == PROGRESS_LINE)
    draw(p);
}

void progress_ended(struct progress *p, size_t i, bool red)
{
  if (!p)
    return;
  p->view.sum_ns += clock_now_ns(p->o.clock) - p->begin_ns[i];
  p->begin_ns[i] = 0;
  p->view.running--;
  p->view.done++;
  p->view.red += red;
  if (p->o.mode == PROGRESS_LINE)
    draw(p);
}

void progress_free(struct progress *p)
{
  struct buf out;
  if (!p)
    return;
  buf_init(&out, 64);
  if (p->o.mode == PROGRESS_LINE && p->drawn) {
    progress_erase(p->drawn, columns_now(), &out);
    emit(&out);
  }
  buf_release(&out);
  free(p->begin_ns);
  free(p);
}

#include "mockserver/journal.h"

#include "mockserver/arena.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A serving process drops its oldest attempts beyond this much text; a
 * journal that keeps all of them leaves out bodies instead. */
#define TEXT_MAX_BYTES ((size_t)64 << 20)
#define TEXT_MAX_BYTES_KEEP_ALL ((size_t)256 << 20)
/* Lines waiting for the end of the loop turn; more is written at once. */
#define LINES_FLUSH_BYTES ((size_t)1 << 20)
/* One more attempt: a body with every byte escaped as \u00XX, and room. */
#define LINES_MAX_BYTES (LINES_FLUSH_BYTES + 8 * JOURNAL_BODY_BYTES)

struct record {
  struct attempt a;           /* first: an attempt's address is its record's */
  struct record *next, *prev; /* strays; `next`: of free ones too */
  struct arena_text *texts;
  bool done, listed;
};

struct journal {
  struct record **list; /* the listed ones: from `first` to before `end` */
  size_t first, end, cap;
  struct record *free_records;
  struct record *strays; /* cleared while they were open */
  struct arena arena;
  size_t max_attempts, open;
  uint64_t next_seq, dropped;
  struct clock *clock;
  struct buf lines;
  int fd, error;
};

struct journal *journal_open(const char *path, struct clock *clock,
                             size_t max_attempts, struct diag *diag)
{
  int fd = -1;
  if (path) {
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
      diag_set(diag, "cannot write the journal %s: %s", path, strerror(errno));
      return NULL;
    }
  }
  struct journal *j = mem_zalloc(sizeof *j);
  arena_init(&j->arena);
  j->clock = clock;
  j->max_attempts = max_attempts;
  j->next_seq = 1;
  j->fd = fd;
  buf_init(&j->lines, LINES_MAX_BYTES);
  return j;
}

static struct record *record_of(struct attempt *a)
{
  return (struct record *)(void *)a;
}

static void free_record(struct journal *j, struct record *r)
{
  arena_free(&j->arena, &r->texts);
  r->next = j->free_records;
  j->free_records = r;
}

/* Out of the list; one that is not done lives on until it is. */
static void unlist(struct journal *j, struct record *r)
{
  r->listed = false;
  if (r->done) {
    free_record(j, r);
    return;
  }
  r->next = j->strays;
  r->prev = NULL;
  if (r->next)
    r->next->prev = r;
  j->strays = r;
}

static void free_stray(struct journal *j, struct record *r)
{
  if (r->prev)
    r->prev->next = r->next;
  else
    j->strays = r->next;
  if (r->next)
    r->next->prev = r->prev;
  free_record(j, r);
}

void journal_close(struct journal *j)
{
  if (!j)
    return;
  journal_flush(j);
  for (size_t i = j->first; i < j->end; i++)
    free_record(j, j->list[i]);
  while (j->strays)
    free_stray(j, j->strays);
  while (j->free_records) {
    struct record *r = j->free_records;
    j->free_records = r->next;
    free(r);
  }
  arena_release(&j->arena);
  free(j->list);
  buf_release(&j->lines);
  if (j->fd >= 0)
    close(j->fd);
  free(j);
}

/* The oldest one that is done leaves; open ones in front of it move up. */
static bool drop_oldest(struct journal *j)
{
  size_t i = j->first;
  while (i < j->end && !j->list[i]->done)
    i++;
  if (i == j->end)
    return false;
  struct record *r = j->list[i];
  memmove(j->list + j->first + 1, j->list + j->first,
          (i - j->first) * sizeof *j->list);
  j->first++;
  j->dropped++;
  unlist(j, r);
  return true;
}

static void make_room(struct journal *j)
{
  while (j->max_attempts && (journal_count(j) >= j->max_attempts ||
                             j->arena.bytes > TEXT_MAX_BYTES))
    if (!drop_oldest(j))
      break;
  if (j->end < j->cap)
    return;
  if (j->first > j->cap / 2) {
    memmove(j->list, j->list + j->first, journal_count(j) * sizeof *j->list);
    j->end -= j->first;
    j->first = 0;
    return;
  }
  j->cap = j->cap ? 2 * j->cap : 64;
  j->list = mem_realloc(j->list, j->cap * sizeof *j->list);
}

struct attempt *journal_draft(struct journal *j)
{
  struct record *r = j->free_records;
  if (r)
    j->free_records = r->next;
  else
    r = mem_alloc(sizeof *r);
  memset(r, 0, sizeof *r);
  r->a.seq = j->next_seq;
  r->a.step = -1;
  r->a.retry_count = -1;
  return &r->a;
}

void journal_enter(struct journal *j, struct attempt *draft)
{
  struct record *r = record_of(draft);
  assert(!r->listed && !r->done);
  make_room(j);
  r->listed = true;
  r->a.seq = j->next_seq++; /* a draft may have lived through a clear */
  j->list[j->end++] = r;
  j->open++;
}

void journal_forget(struct journal *j, struct attempt *draft)
{
  assert(!record_of(draft)->listed && !record_of(draft)->done);
  free_record(j, record_of(draft));
}

struct attempt *journal_add(struct journal *j)
{
  struct attempt *a = journal_draft(j);
  journal_enter(j, a);
  return a;
}

char *journal_text(struct journal *j, struct attempt *a, size_t n)
{
  return arena_alloc(&j->arena, &record_of(a)->texts, n);
}

void journal_event(struct journal *j, struct attempt *a, enum event_kind kind)
{
  assert(event_kind_is((char)kind));
  a->events_sent++;
  if (!a->events) {
    /* text of the arena is aligned for anything (arena.c) */
    a->events =
        (struct event_times *)(void *)journal_text(j, a, sizeof *a->events);
    a->events->n = 0;
  }
  struct event_times *t = a->events;
  if (t->n == EVENT_TIMES_MAX)
    return;
  t->kind[t->n] = (char)kind;
  t->ns[t->n++] = a->answer_last_ns - a->answer_first_ns;
}

void journal_terminal(struct attempt *a)
{
  struct event_times *t = a->events;
  a->terminal_sent = true;
  /* bytes that are no event may have come behind it, or it was not kept */
  if (t && t->n == a->events_sent && t->kind[t->n - 1] != EVENT_ERROR &&
      t->ns[t->n - 1] == a->answer_last_ns - a->answer_first_ns)
    t->kind[t->n - 1] = EVENT_TERMINAL;
}

bool journal_keeps_bodies(const struct journal *j)
{
  return j->max_attempts != 0 || j->arena.bytes < TEXT_MAX_BYTES_KEEP_ALL;
}

void journal_done(struct journal *j, struct attempt *a)
{
  struct record *r = record_of(a);
  if (r->done)
    return;
  r->done = true;
  j->open--;
  if (!r->listed) { /* cleared while it was going on: it leaves no trace */
    free_stray(j, r);
    return;
  }
  if (j->fd < 0)
    return;
  attempt_json(a, &j->lines);
  buf_addc(&j->lines, '\n');
  if (j->lines.n >= LINES_FLUSH_BYTES)
    journal_flush(j);
}

void journal_flush(struct journal *j)
{
  for (size_t at = 0; at < j->lines.n && j->fd >= 0;) {
    ssize_t n = write(j->fd, j->lines.p + at, j->lines.n - at);
    if (n > 0) {
      at += (size_t)n;
    } else if (n == 0 || errno != EINTR) {
      j->error = n == 0 ? EIO : errno;
      close(j->fd);
      j->fd = -1;
    }
  }
  if (j->lines.n)
    buf_reset(&j->lines);
}

int journal_error(const struct journal *j)
{
  return j->error;
}

void journal_freeze(struct journal *j)
{
  for (size_t i = j->first; i < j->end; i++)
    journal_done(j, &j->list[i]->a);
  journal_flush(j);
}

size_t journal_count(const struct journal *j)
{
  return j->end - j->first;
}

const struct attempt *journal_get(const struct journal *j, size_t i)
{
  assert(i < journal_count(j));
  return &j->list[j->first + i]->a;
}

uint64_t journal_dropped(const struct journal *j)
{
  return j->dropped;
}

size_t journal_open_attempts(const struct journal *j)
{
  return j->open;
}

void journal_clear(struct journal *j)
{
  for (size_t i = j->first; i < j->end; i++)
    unlist(j, j->list[i]);
  j->first = j->end = 0;
  j->dropped = 0;
  j->next_seq = 1;
}

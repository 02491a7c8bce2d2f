#include "mockserver/engine_priv.h"

#include <sys/epoll.h>

static void on_watched(struct engine *e, struct source *s, uint32_t events)
{
  (void)e;
  struct watch *w = (struct watch *)(void *)s;
  if (w->fd >= 0) /* an event of this turn after engine_unwatch */
    w->fn(w->arg, w->fd, events);
}

int engine_watch(struct engine *e, int fd, uint32_t events, engine_fd_fn *fn,
                 void *arg)
{
  struct watch *w = mem_zalloc(sizeof *w);
  *w = (struct watch){.source = {on_watched}, .fd = fd, .fn = fn, .arg = arg};
  struct epoll_event ev = {.events = events, .data.ptr = w};
  if (epoll_ctl(e->epoll_fd, EPOLL_CTL_ADD, fd, &ev) != 0) {
    free(w);
    return -1;
  }
  w->next = e->watches;
  e->watches = w;
  return 0;
}

void engine_unwatch(struct engine *e, int fd)
{
  for (struct watch *w = e->watches; w; w = w->next)
    if (w->fd == fd) {
      epoll_ctl(e->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
      w->fd = -1;
    }
}

void watches_recycle(struct engine *e)
{
  for (struct watch **at = &e->watches; *at;) {
    struct watch *w = *at;
    if (w->fd >= 0) {
      at = &w->next;
      continue;
    }
    *at = w->next;
    free(w);
  }
}

static struct user_timer *take_out(struct engine *e, struct user_timer **at)
{
  struct user_timer *t = *at;
  timers_drop(&e->timers, &t->timer);
  *at = t->next;
  return t;
}

static void on_due(void *owner, struct timer *timer)
{
  struct engine *e = owner;
  for (struct user_timer **at = &e->user_timers; *at; at = &(*at)->next)
    if (&(*at)->timer == timer) {
      struct user_timer *t = take_out(e, at);
      t->fn(t->arg);
      free(t);
      return;
    }
}

uint64_t engine_at(struct engine *e, int64_t due_ns, engine_timer_fn *fn,
                   void *arg)
{
  struct user_timer *t = mem_zalloc(sizeof *t);
  *t = (struct user_timer){.timer = {.fire = on_due},
                           .next = e->user_timers,
                           .number = ++e->next_timer,
                           .fn = fn,
                           .arg = arg};
  e->user_timers = t;
  timers_set(&e->timers, &t->timer, due_ns);
  return t->number;
}

void engine_at_owned(struct engine *e, int64_t due_ns, engine_timer_fn *fn,
                     void *arg)
{
  engine_at(e, due_ns, fn, arg);
  e->user_timers->owned = true;
}

void engine_cancel(struct engine *e, uint64_t timer)
{
  for (struct user_timer **at = &e->user_timers; *at; at = &(*at)->next)
    if ((*at)->number == timer) {
      free(take_out(e, at));
      return;
    }
}

void watches_free(struct engine *e)
{
  while (e->user_timers) {
    struct user_timer *t = take_out(e, &e->user_timers);
    if (t->owned)
      free(t->arg);
    free(t);
  }
  for (struct watch *w = e->watches; w; w = w->next)
    w->fd = -1;
  watches_recycle(e);
}

#include "mockserver/upstream/transfer.h"

#include "mockserver/call.h"
#include "mockserver/engine.h"
#include "mockserver/gate.h"
#include "mockserver/journal.h"

#include <string.h>
#include <strings.h>
#include <sys/epoll.h>

/* ---- libcurl on the engine's loop ---- */

static void unlink_running(struct transfer *t)
{
  struct transfer **at = &t->u->running;
  while (*at && *at != t)
    at = &(*at)->next;
  if (*at)
    *at = t->next;
  t->running = false;
}

static void collect(struct upstream *u)
{
  int left = 0;
  for (CURLMsg *m; (m = curl_multi_info_read(u->multi, &left));) {
    struct transfer *t = NULL;
    CURL *easy = m->easy_handle;
    CURLcode result = m->data.result;
    if (m->msg != CURLMSG_DONE)
      continue;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &t);
    curl_multi_remove_handle(u->multi, easy);
    unlink_running(t);
    transfer_over(t, result);
  }
}

static void on_socket(void *arg, int fd, uint32_t events)
{
  struct upstream *u = arg;
  int running = 0;
  int mask = (events & EPOLLIN ? CURL_CSELECT_IN : 0) |
             (events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
             (events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
  curl_multi_socket_action(u->multi, fd, mask, &running);
  collect(u);
}

static int socket_wanted(CURL *easy, curl_socket_t fd, int what, void *arg,
                         void *watched)
{
  (void)easy;
  struct upstream *u = arg;
  if (!u->engine)
    return 0;
  if (watched)
    engine_unwatch(u->engine, fd);
  curl_multi_assign(u->multi, fd, what == CURL_POLL_REMOVE ? NULL : u);
  if (what == CURL_POLL_REMOVE)
    return 0;
  uint32_t events = (what & CURL_POLL_IN ? (uint32_t)EPOLLIN : 0) |
                    (what & CURL_POLL_OUT ? (uint32_t)EPOLLOUT : 0);
  return engine_watch(u->engine, fd, events, on_socket, u) == 0 ? 0 : -1;
}

static void on_timer(void *arg)
{
  struct upstream *u = arg;
  int running = 0;
  u->timer = 0;
  curl_multi_socket_action(u->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  collect(u);
}

static int timer_wanted(CURLM *multi, long ms, void *arg)
{
  (void)multi;
  struct upstream *u = arg;
  if (!u->engine)
    return 0;
  if (u->timer)
    engine_cancel(u->engine, u->timer);
  u->timer = 0;
  if (ms >= 0)
    u->timer = engine_at(u->engine, clock_now_ns(u->o.clock) + ms * NS_PER_MS,
                         on_timer, u);
  return 0;
}

/* ---- the upstream ---- */

static bool is_loopback(const char *host)
{
  return strncmp(host, "127.", 4) == 0 || strcmp(host, "[::1]") == 0 ||
         strcmp(host, "localhost") == 0;
}

static int check_url(struct upstream *u, struct diag *diag)
{
  char *scheme = NULL, *host = NULL, *user = NULL;
  CURLU *url = curl_url();
  CURLUcode rc = curl_url_set(url, CURLUPART_URL, u->o.url, 0);
  if (rc == CURLUE_OK) {
    curl_url_get(url, CURLUPART_SCHEME, &scheme, 0);
    curl_url_get(url, CURLUPART_HOST, &host, 0);
    curl_url_get(url, CURLUPART_USER, &user, 0);
  }
  bool right = scheme && host && !user &&
               (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0) &&
               !strpbrk(u->o.url, "?#");
  u->loopback = right && is_loopback(host);
  curl_free(scheme);
  curl_free(host);
  curl_free(user);
  curl_url_cleanup(url);
  return right ? 0
               : diag_set(diag,
                          "'%.200s' is no address of an upstream, such as "
                          "https://api.anthropic.com (no query, no "
                          "credentials)",
                          u->o.url);
}

struct upstream *upstream_new(const struct upstream_options *o,
                              struct diag *diag)
{
  struct upstream *u = mem_zalloc(sizeof *u);
  u->o = *o;
  size_t n = strlen(o->url);
  while (n && o->url[n - 1] == '/')
    n--;
  u->url = bytes_dup((struct bytes){o->url, n});
  if (check_url(u, diag) < 0) {
    free(u->url);
    free(u);
    return NULL;
  }
  curl_global_init(CURL_GLOBAL_DEFAULT);
  u->multi = curl_multi_init();
  curl_multi_setopt(u->multi, CURLMOPT_SOCKETFUNCTION, socket_wanted);
  curl_multi_setopt(u->multi, CURLMOPT_SOCKETDATA, u);
  curl_multi_setopt(u->multi, CURLMOPT_TIMERFUNCTION, timer_wanted);
  curl_multi_setopt(u->multi, CURLMOPT_TIMERDATA, u);
  return u;
}

void upstream_set_engine(struct upstream *u, struct engine *e)
{
  u->engine = e;
}

void upstream_stop(struct upstream *u)
{
  if (!u)
    return;
  while (u->running) {
    struct transfer *t = u->running;
    curl_multi_remove_handle(u->multi, t->easy);
    unlink_running(t);
    transfer_over(t, CURLE_ABORTED_BY_CALLBACK);
  }
  /* idle connections are let go here, while the loop can be told */
  curl_multi_cleanup(u->multi);
  u->multi = NULL;
  if (u->timer)
    engine_cancel(u->engine, u->timer);
  u->timer = 0;
  u->engine = NULL;
}

void upstream_free(struct upstream *u)
{
  if (!u)
    return;
  if (u->multi)
    curl_multi_cleanup(u->multi);
  free(u->url);
  free(u);
}

/* ---- a transfer's life ---- */

static void tell_taken(struct transfer *t)
{
  if (t->u->o.taken)
    t->u->o.taken(t->u->o.taken_arg, &t->taken);
}

static void transfer_free(struct transfer *t)
{
  tell_taken(t);
  gate_drop(t->gate);
  curl_easy_cleanup(t->easy);
  curl_slist_free_all(t->headers);
  taken_release(&t->taken);
  buf_release(&t->body);
  buf_release(&t->head);
  buf_release(&t->out);
  free(t);
}

/* A gate of the plan is gone; with the last one the plan is. */
static void transfer_drop(void *arg)
{
  struct transfer *t = arg;
  if (--t->plan_refs)
    return;
  if (t->running) {
    t->taken.end = TAKEN_SILENT; /* the client has left first */
    curl_multi_remove_handle(t->u->multi, t->easy);
    unlink_running(t);
  }
  transfer_free(t);
}

/* A gate opens by itself after a day, for nothing. */
#define GATE_NS (86400 * NS_PER_S)

static void go_on(void *arg, struct plan *plan, struct attempt *a);

static void wait_for_more(struct transfer *t, struct plan *plan)
{
  gate_drop(t->gate);
  t->gate = gate_new(clock_now_ns(t->u->o.clock) + GATE_NS, 0, 1);
  gate_hold(t->gate);
  t->plan_refs++;
  plan_gate(plan, t->gate, go_on, t, transfer_drop);
}

static void tell_attempt(struct transfer *t, struct attempt *a)
{
  if (!a)
    return;
  a->stream_sent = t->is_stream;
  a->events_sent = t->events;
  a->terminal_sent = t->terminal;
  if (t->head_marked)
    return;
  a->status = t->status;
  snprintf(a->what, sizeof a->what, "%d passed on", t->status);
}

static void go_on(void *arg, struct plan *plan, struct attempt *a)
{
  struct transfer *t = arg;
  if (t->head_done || t->over)
    tell_attempt(t, a);
  transfer_plan(t, plan);
  if (t->written)
    return;
  wait_for_more(t, plan);
  if (t->paused && t->running) {
    t->paused = false;
    curl_easy_pause(t->easy, CURLPAUSE_CONT);
  }
}

void upstream_pass(struct upstream *u, const struct call *call,
                   const struct request *r, struct plan *plan,
                   struct attempt *a)
{
  struct transfer *t = mem_zalloc(sizeof *t);
  t->u = u;
  t->asked_ns = clock_now_ns(u->o.clock);
  t->wants_close = call->close;
  snprintf(a->what, sizeof a->what, "passed on");
  bool ready = transfer_set_up(t, call, r);
  wait_for_more(t, plan);
  if (!ready || curl_multi_add_handle(u->multi, t->easy) != CURLM_OK) {
    transfer_over(t, CURLE_FAILED_INIT);
    return;
  }
  t->running = true;
  t->next = u->running;
  u->running = t;
}

#include "tests/wire/stage.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_OUT ((size_t)64 << 20)

static void *run(void *arg)
{
  struct stage *s = arg;
  struct diag diag = {0};
  engine_run(s->engine, &diag);
  return NULL;
}

static void load(struct stage *s, const char *steps)
{
  struct diag diag = {0};
  char text[1024];
  char *json =
      mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":[%s}", steps);
  if (scenario_parse(&s->scenario, "stage", bytes_of(json), &diag) < 0) {
    diag_format(&diag, text, sizeof text);
    fail_msg("%s", text);
  }
  free(json);
}

static void build(struct stage *s, bool no_faults, struct diag *diag)
{
  s->journal = journal_open(NULL, clock_real(), 0, diag);
  struct server_options so = {.scenario = &s->scenario,
                              .clock = clock_real(),
                              .journal = s->journal,
                              .no_faults = no_faults};
  s->server = server_new(&so);
  struct engine_options eo = {.clock = clock_real(),
                              .journal = s->journal,
                              .handler = server_handle,
                              .handler_arg = s->server};
  s->engine = engine_new(&eo, diag);
  assert_non_null(s->engine);
  struct host_options ho = {.engine = s->engine,
                            .server = s->server,
                            .journal = s->journal,
                            .clock = clock_real()};
  s->host = host_new(&ho);
}

static void open_with(struct stage *s, const char *steps, bool no_faults)
{
  struct diag diag = {0};
  *s = (struct stage){.running = true};
  load(s, steps);
  build(s, no_faults, &diag);
  s->folder = file_temp_folder("stage", &diag);
  assert_non_null(s->folder);
  if (host_place(s->folder, &s->scenario, &diag) < 0)
    fail_msg("%s", diag.text);
  assert_int_equal(host_listen(s->host, s->folder, "", &diag), 0);
  assert_int_equal(pthread_create(&s->thread, NULL, run, s), 0);
}

void stage_open(struct stage *s, const char *steps)
{
  open_with(s, steps, false);
}

void stage_open_without_faults(struct stage *s, const char *steps)
{
  open_with(s, steps, true);
}

void stage_halt(struct stage *s)
{
  if (!s->running)
    return;
  s->running = false;
  engine_stop(s->engine);
  pthread_join(s->thread, NULL);
}

void stage_stop(struct stage *s)
{
  stage_halt(s);
  host_free(s->host);
  engine_free(s->engine);
  s->host = NULL;
  s->engine = NULL;
}

void stage_close(struct stage *s)
{
  stage_stop(s);
  server_free(s->server);
  journal_close(s->journal);
  scenario_release(&s->scenario);
  file_remove_tree(s->folder);
  free(s->folder);
}

const struct attempt *stage_attempt(struct stage *s, size_t i)
{
  stage_stop(s);
  assert_true(i < journal_count(s->journal));
  return journal_get(s->journal, i);
}

/* --- starts --------------------------------------------------------------- */

static void become(const struct stage *s, const char *line, int in, int out,
                   int err)
{
  char *path = mem_format("%s:%s", s->folder, getenv("PATH"));
  char *command = mem_format("exec %s", line);
  setenv("PATH", path, 1);
  signal(SIGPIPE, SIG_DFL);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

void play_begin(struct play *p, const struct stage *s, const char *line,
                bool in)
{
  int stdin_ends[2], out[2], err[2];
  *p = (struct play){.in = -1};
  buf_init(&p->got_out, MAX_OUT);
  buf_init(&p->got_err, MAX_OUT);
  assert_int_equal(pipe2(stdin_ends, O_CLOEXEC), 0);
  assert_int_equal(pipe2(out, O_CLOEXEC), 0);
  assert_int_equal(pipe2(err, O_CLOEXEC), 0);
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  p->pid = fork();
  if (p->pid == 0)
    become(s, line, in ? stdin_ends[0] : null, out[1], err[1]);
  close(null);
  close(stdin_ends[0]);
  close(out[1]);
  close(err[1]);
  if (in)
    p->in = stdin_ends[1];
  else
    close(stdin_ends[1]);
  p->out = out[0];
  p->err = err[0];
}

/* False at its end. */
static bool take(int *fd, struct buf *ret)
{
  char piece[65536];
  ssize_t n = read(*fd, piece, sizeof piece);
  if (n > 0)
    buf_add(ret, piece, (size_t)n);
  if (n > 0 || (n < 0 && errno == EINTR))
    return true;
  close(*fd);
  *fd = -1;
  return false;
}

void play_wait_out(struct play *p, size_t n)
{
  while (p->got_out.n < n && take(&p->out, &p->got_out))
    continue;
  assert_true(p->got_out.n >= n);
}

void play_end(struct play *p)
{
  int status = 0;
  if (p->in >= 0)
    close(p->in);
  while (p->out >= 0 || p->err >= 0) {
    struct pollfd fds[2] = {{.fd = p->out, .events = POLLIN},
                            {.fd = p->err, .events = POLLIN}};
    if (poll(fds, 2, -1) < 0)
      continue;
    if (fds[0].revents)
      take(&p->out, &p->got_out);
    if (fds[1].revents)
      take(&p->err, &p->got_err);
  }
  assert_int_equal(waitpid((pid_t)p->pid, &status, 0), p->pid);
  p->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  p->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void play_release(struct play *p)
{
  buf_release(&p->got_out);
  buf_release(&p->got_err);
}

void play_line(const struct stage *s, const char *line, const char *out,
               const char *err, int exit_code)
{
  struct play p;
  play_begin(&p, s, line, false);
  play_end(&p);
  assert_string_equal(buf_str(&p.got_err), err);
  assert_string_equal(buf_str(&p.got_out), out);
  assert_int_equal(p.exit_code, exit_code);
  play_release(&p);
}

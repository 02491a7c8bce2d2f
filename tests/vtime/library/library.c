/*
 * vtime_library NAME|all [UNIT_MS]: calls of the C library that the preloaded
 * object takes, in forms that the conformance program does not have. Each
 * case says "right", or what it saw instead; "all" runs all, so that they can
 * be held to real time: vtime_library all 300.
 */
#include "tests/vtime/library/library.h"

#include "base/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than a second, which no real time gets to by mistake. */
int64_t unit_ns = 1000 * NS_PER_S;
const char *program;

/* A sanitised program wants to be the first that is loaded; in an empty
 * environment there is no other place to say otherwise. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "verify_asan_link_order=0";
}

int64_t now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

struct timespec spec(int64_t ns)
{
  return (struct timespec){ns / NS_PER_S, ns % NS_PER_S};
}

struct timespec units(int n)
{
  return spec(n * unit_ns);
}

struct timespec at(clockid_t id, int n)
{
  struct timespec t;
  clock_gettime(id, &t);
  return spec((int64_t)t.tv_sec * NS_PER_S + t.tv_nsec + n * unit_ns);
}

void nap(int n)
{
  struct timespec t = units(n);
  while (nanosleep(&t, &t) != 0 && errno == EINTR)
    continue;
}

const char *wrong(const char *format, ...)
{
  static char text[160];
  va_list list;
  if (text[0])
    return text;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return text;
}

const char *either(const char *a, const char *b)
{
  return a ? a : b;
}

const char *after(int64_t begin_ns, int n)
{
  int64_t took = now() - begin_ns, most = n * unit_ns + unit_ns / 4;
  if (took >= n * unit_ns - NS_PER_MS && took <= most)
    return NULL;
  return wrong("after %.3f units, not %d", (double)took / (double)unit_ns, n);
}

const char *gave(long rc, long want, int error, int64_t begin_ns, int n)
{
  int was = errno;
  if (rc == want && (rc >= 0 || was == error))
    return after(begin_ns, n);
  return wrong("gave %ld with %s after %.3f units", rc,
               rc < 0 ? strerrorname_np(was) : "-",
               (double)(now() - begin_ns) / (double)unit_ns);
}

/* ---- a second thread ---- */

static struct {
  void (*f)(void *arg);
  void *arg;
  pthread_t thread;
} second;

static void *do_later(void *arg)
{
  nap(1);
  second.f(second.arg);
  return arg;
}

void later(void (*f)(void *arg), void *arg)
{
  second.f = f;
  second.arg = arg;
  pthread_create(&second.thread, NULL, do_later, NULL);
}

void later_join(void)
{
  pthread_join(second.thread, NULL);
}

/* ---- the cases ---- */

static const struct {
  const char *name;
  const char *(*run)(void);
} cases[] = {
#define CASE(name, options, function, why) {name, function},
#include "tests/vtime/library/library.def"
#undef CASE
};
enum { NCASES = sizeof cases / sizeof cases[0] };

static int run(size_t i)
{
  const char *bad = cases[i].run();
  printf("%s\n", bad ? bad : "right");
  fflush(stdout);
  return bad ? 1 : 0;
}

/* The number of those that are wrong. */
static int run_all(void)
{
  int status, bad = 0;
  for (size_t i = 0; i < NCASES; i++) {
    printf("%s: ", cases[i].name);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
      _exit(run(i));
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
      printf("died of signal %d\n", WTERMSIG(status));
    bad += status != 0;
  }
  return bad;
}

static int take_unit(const char *ms)
{
  uint64_t n;
  if (number_u64(bytes_of(ms), 1000000000, &n) != NUMBER_OK)
    return -1;
  unit_ns = (int64_t)n * NS_PER_MS;
  return 0;
}

int main(int argc, char **argv)
{
  if (argc < 2 || (argc > 2 && take_unit(argv[2]) != 0))
    return 2;
  program = argv[0];
  if (strcmp(argv[1], "nap") == 0) { /* what the cases of exec start */
    int64_t begin = now();
    nap(1);
    return after(begin, 1) ? 6 : 5;
  }
  if (strcmp(argv[1], "all") == 0)
    return run_all() ? 1 : 0;
  for (size_t i = 0; i < NCASES; i++)
    if (strcmp(argv[1], cases[i].name) == 0)
      return run(i);
  return 2;
}

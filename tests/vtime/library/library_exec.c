/* Programs that are started without the two variables; each must be in
 * virtual time again. */
#include "tests/vtime/library/library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAPPED = 5 }; /* library.c */

static char ms[24];
static char *none[] = {NULL};

/* Exec takes strings it does not write to. */
static char *arg(const char *text)
{
  union {
    const char *in;
    char *out;
  } u = {text};
  return u.out;
}

static char *const *arguments(void)
{
  static char *list[4];
  snprintf(ms, sizeof ms, "%lld", (long long)(unit_ns / NS_PER_MS));
  list[0] = arg(program);
  list[1] = arg("nap");
  list[2] = ms;
  return list;
}

static const char *napped(pid_t pid, int64_t begin)
{
  int status = 0;
  if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
      WEXITSTATUS(status) != NAPPED)
    return wrong("status %#x", (unsigned)status);
  return after(begin, 1);
}

/* In a child, `become` starts the program. */
static const char *child(void (*become)(char *const *argv))
{
  char *const *argv = arguments();
  int64_t begin = now();
  pid_t pid = fork();
  if (pid == 0) {
    become(argv);
    _exit(9);
  }
  return napped(pid, begin);
}

static void do_execve(char *const *argv)
{
  execve(program, argv, none);
}
const char *exec_execve(void)
{
  return child(do_execve);
}

static void do_execle(char *const *argv)
{
  execle(program, argv[0], argv[1], argv[2], (char *)NULL, none);
}
const char *exec_execle(void)
{
  return child(do_execle);
}

static void do_execvpe(char *const *argv)
{
  execvpe(program, argv, none);
}
const char *exec_execvpe(void)
{
  return child(do_execvpe);
}

static void do_execv(char *const *argv)
{
  environ = none;
  execv(program, argv);
}
const char *exec_execv(void)
{
  return child(do_execv);
}

static void do_execvp(char *const *argv)
{
  environ = none;
  execvp(program, argv);
}
const char *exec_execvp(void)
{
  return child(do_execvp);
}

static void do_execl(char *const *argv)
{
  environ = none;
  execl(program, argv[0], argv[1], argv[2], (char *)NULL);
}
const char *exec_execl(void)
{
  return child(do_execl);
}

static void do_execlp(char *const *argv)
{
  environ = none;
  execlp(program, argv[0], argv[1], argv[2], (char *)NULL);
}
const char *exec_execlp(void)
{
  return child(do_execlp);
}

static void do_fexecve(char *const *argv)
{
  fexecve(open(program, O_RDONLY | O_CLOEXEC), argv, none);
}
const char *exec_fexecve(void)
{
  return child(do_fexecve);
}

static void do_execveat(char *const *argv)
{
  execveat(AT_FDCWD, program, argv, none, 0);
}
const char *exec_execveat(void)
{
  return child(do_execveat);
}

static void do_number(char *const *argv)
{
  syscall(SYS_execve, program, argv, none);
}
const char *exec_number(void)
{
  return child(do_number);
}

const char *exec_vfork(void)
{
  char *const *argv = arguments();
  int64_t begin = now();
  pid_t pid = vfork();
  if (pid == 0) {
    execve(program, argv, none);
    _exit(9);
  }
  const char *bad = napped(pid, begin);
  nap(1); /* the memory is still ours */
  return either(bad, after(begin, 2));
}

const char *exec_spawn(void)
{
  pid_t pid = -1;
  int64_t begin = now();
  posix_spawn(&pid, program, NULL, NULL, arguments(), none);
  return napped(pid, begin);
}

const char *exec_spawnp(void)
{
  pid_t pid = -1;
  int64_t begin = now();
  posix_spawnp(&pid, program, NULL, NULL, arguments(), none);
  return napped(pid, begin);
}

/* A child of fork while another thread loads an object: the loader's lock is
 * nobody's there. */
static void *load(void *arg)
{
  char path[4096];
  const char *slash = strrchr(program, '/');
  snprintf(path, sizeof path, "%.*s/vtime_slow.so",
           slash ? (int)(slash - program) : 0, program);
  return dlopen(path, RTLD_NOW) ? arg : NULL;
}

const char *exec_loading(void)
{
  static int any;
  void *loaded = NULL;
  pthread_t t;
  char ns[24];
  snprintf(ns, sizeof ns, "%lld", (long long)(2 * unit_ns));
  setenv("SLOW_NS", ns, 1);
  pthread_create(&t, NULL, load, &any);
  nap(1);
  const char *bad = child(do_execvpe);
  pthread_join(t, &loaded);
  return loaded ? bad : "it cannot be loaded";
}

/* ---- by the shell ---- */

static const char *line(void)
{
  static char text[4200];
  snprintf(text, sizeof text, "exec '%s' nap %lld", program,
           (long long)(unit_ns / NS_PER_MS));
  return text;
}

const char *exec_system(void)
{
  char **was = environ;
  int64_t begin = now();
  environ = none;
  int status = system(line());
  if (environ != none)
    return "environ is another";
  environ = was;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != NAPPED)
    return wrong("status %#x", (unsigned)status);
  return after(begin, 1);
}

const char *exec_popen(void)
{
  char **was = environ;
  int64_t begin = now();
  environ = none;
  FILE *f = popen(line(), "r");
  environ = was;
  int status = f ? pclose(f) : -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != NAPPED)
    return wrong("status %#x", (unsigned)status);
  return after(begin, 1);
}

/* ---- half of them is there ---- */

static void do_theirs(char *const *argv)
{
  setenv("LD_PRELOAD", "/nowhere.so", 1);
  close(STDERR_FILENO); /* the loader complains */
  execv(program, argv);
}
const char *exec_theirs(void)
{
  return child(do_theirs);
}

static void do_half(char *const *argv)
{
  unsetenv("FAULTWIRE_CLOCK");
  execv(program, argv);
}
const char *exec_half(void)
{
  return child(do_half);
}

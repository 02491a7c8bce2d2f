/* exec and its kin: a program gets the two variables again, whatever
 * environment it is given. */
#include "harness/vtime/preload/shim/shim.h"

#include <spawn.h>
#include <stdarg.h>

static bool has_name(const char *entry, const char *variable)
{
  while (*variable != '=')
    if (*entry++ != *variable++)
      return false;
  return *entry == '=';
}

static size_t count(char *const *envp)
{
  size_t n = 0;
  while (envp && envp[n])
    n++;
  return n;
}

static bool is_complete(char *const *envp)
{
  bool has[2] = {false, false};
  for (char *const *e = envp; e && *e; e++)
    for (int i = 0; i < 2; i++)
      has[i] |= has_name(*e, shim_variable[i]);
  return has[0] && has[1];
}

/* Exec takes strings it does not write to. */
static char *unconst(const char *text)
{
  union {
    const char *in;
    char *out;
  } u = {text};
  return u.out;
}

static char **fill(char **room, char *const *envp)
{
  size_t n = 0;
  for (char *const *e = envp; e && *e; e++)
    if (!has_name(*e, shim_variable[0]) && !has_name(*e, shim_variable[1]))
      room[n++] = *e;
  room[n++] = unconst(shim_variable[0]);
  room[n++] = unconst(shim_variable[1]);
  room[n] = NULL;
  return room;
}

/* On the stack: after vfork the memory is the parent's. */
#define WITH_OURS(envp)                                                        \
  (!shim_on() || !shim_variable[1] || is_complete(envp)                        \
       ? (envp)                                                                \
       : fill(__builtin_alloca((count(envp) + 3) * sizeof(char *)), envp))

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
  char *const *e = WITH_OURS(envp);
  return (int)shim_result(S3(SYS_execve, path, argv, e));
}

EXPORT int execv(const char *path, char *const argv[])
{
  return execve(path, argv, environ);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
  char *const *e = WITH_OURS(envp);
  return REAL(execvpe)(file, argv, e);
}

EXPORT int execvp(const char *file, char *const argv[])
{
  return execvpe(file, argv, environ);
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
  char *const *e = WITH_OURS(envp);
  return REAL(fexecve)(fd, argv, e);
}

EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
                       const posix_spawn_file_actions_t *restrict actions,
                       const posix_spawnattr_t *restrict attributes,
                       char *const argv[restrict], char *const envp[restrict])
{
  char *const *e = WITH_OURS(envp);
  return REAL(posix_spawn)(pid, path, actions, attributes, argv, e);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file,
                        const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[],
                        char *const envp[])
{
  char *const *e = WITH_OURS(envp);
  return REAL(posix_spawnp)(pid, file, actions, attributes, argv, e);
}

/* ---- with a list of arguments ---- */

static size_t count_list(va_list list)
{
  size_t n = 1;
  va_list copy;
  va_copy(copy, list);
  while (va_arg(copy, char *))
    n++;
  va_end(copy);
  return n;
}

/* The last NULL is taken too. */
static void take_list(char **argv, const char *first, size_t n, va_list list)
{
  argv[0] = unconst(first);
  for (size_t i = 1; i <= n; i++)
    argv[i] = va_arg(list, char *);
}

EXPORT int execl(const char *path, const char *first, ...)
{
  va_list list;
  va_start(list, first);
  size_t n = count_list(list);
  char **argv = __builtin_alloca((n + 1) * sizeof *argv);
  take_list(argv, first, n, list);
  va_end(list);
  return execve(path, argv, environ);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
  va_list list;
  va_start(list, first);
  size_t n = count_list(list);
  char **argv = __builtin_alloca((n + 1) * sizeof *argv);
  take_list(argv, first, n, list);
  va_end(list);
  return execvpe(file, argv, environ);
}

EXPORT int execle(const char *path, const char *first, ...)
{
  va_list list;
  va_start(list, first);
  size_t n = count_list(list);
  char **argv = __builtin_alloca((n + 1) * sizeof *argv);
  take_list(argv, first, n, list);
  char *const *envp = va_arg(list, char *const *);
  va_end(list);
  return execve(path, argv, envp);
}

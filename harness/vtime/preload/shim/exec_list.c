/* exec with a list of arguments. */
#include "harness/vtime/preload/shim/exec.h"

#include <stdarg.h>

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
  argv[0] = exec_unconst(first);
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

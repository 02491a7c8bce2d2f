/* exec and its kin: a program gets the two variables again, whatever
 * environment it is given. */
#include "harness/vtime/preload/shim/exec.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

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

EXPORT int execveat(int fd, const char *path, char *const argv[],
                    char *const envp[], int flags)
{
  char *const *e = WITH_OURS(envp);
  return (int)shim_result(S6(SYS_execveat, fd, path, argv, e, flags, 0));
}

/* ---- by the shell ---- */

/* The library passes environ on by itself. */
EXPORT int system(const char *line)
{
  char **was = environ;
  if (exec_is_complete(was))
    return REAL(system)(line);
  char **ours = exec_fill(__builtin_alloca(exec_bytes(was)), was);
  environ = ours;
  int status = REAL(system)(line);
  if (environ == ours)
    environ = was;
  return status;
}

EXPORT FILE *popen(const char *line, const char *mode)
{
  char **was = environ;
  if (exec_is_complete(was))
    return REAL(popen)(line, mode);
  char **ours = exec_fill(__builtin_alloca(exec_bytes(was)), was);
  environ = ours;
  FILE *f = REAL(popen)(line, mode);
  if (environ == ours)
    environ = was;
  return f;
}

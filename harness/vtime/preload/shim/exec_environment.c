#include "harness/vtime/preload/shim/exec.h"

/* What an entry of a variable named as in `variable` says; NULL: of another. */
static const char *value_of(const char *entry, const char *variable)
{
  while (*variable != '=')
    if (*entry++ != *variable++)
      return NULL;
  return *entry == '=' ? entry + 1 : NULL;
}

static const char *find(char *const *envp, const char *variable)
{
  const char *value = NULL;
  for (; envp && *envp && !value; envp++)
    value = value_of(*envp, variable);
  return value;
}

static bool separates(char c)
{
  return c == '\0' || c == ':' || c == ' '; /* ld.so(8) */
}

/* Is the object in such a list? */
static bool has_object(const char *list)
{
  while (list && *list) {
    size_t n = 0;
    while (n < shim_object_bytes && list[n] == shim_object[n])
      n++;
    if (n == shim_object_bytes && separates(list[n]))
      return true;
    while (!separates(*list))
      list++;
    list += *list != '\0';
  }
  return false;
}

bool exec_is_complete(char *const *envp)
{
  if (!shim_on() || !shim_variable[1])
    return true;
  const char *list = find(envp, shim_variable[0]);
  return list && (!shim_object || has_object(list)) &&
         find(envp, shim_variable[1]);
}

static size_t length(const char *text)
{
  size_t n = 0;
  while (text && text[n])
    n++;
  return n;
}

static const char LOADS[] = "LD_PRELOAD=";

/* Ours in front of theirs. */
static size_t bytes_of_both(const char *theirs)
{
  return sizeof LOADS + shim_object_bytes + 1 + length(theirs);
}

static void join(char *text, const char *theirs)
{
  for (size_t i = 0; i + 1 < sizeof LOADS; i++)
    *text++ = LOADS[i];
  for (size_t i = 0; i < shim_object_bytes; i++)
    *text++ = shim_object[i];
  *text++ = ':';
  while (*theirs)
    *text++ = *theirs++;
  *text = '\0';
}

size_t exec_bytes(char *const *envp)
{
  size_t n = 0;
  while (envp && envp[n])
    n++;
  return (n + 3) * sizeof *envp + bytes_of_both(find(envp, shim_variable[0]));
}

char *exec_unconst(const char *text)
{
  union {
    const char *in;
    char *out;
  } u = {text};
  return u.out;
}

char **exec_fill(void *room, char *const *envp)
{
  const char *list = find(envp, shim_variable[0]);
  const char *clock = find(envp, shim_variable[1]);
  char **ret = room;
  size_t n = 0;
  for (char *const *e = envp; e && *e; e++)
    if (!value_of(*e, shim_variable[0]))
      ret[n++] = *e;
  if (!clock)
    ret[n++] = exec_unconst(shim_variable[1]);
  ret[n] = exec_unconst(shim_variable[0]);
  if (list && *list && shim_object) {
    ret[n] = (char *)(ret + n + 2);
    if (has_object(list))
      ret[n] = exec_unconst(list - (sizeof LOADS - 1)); /* the whole entry */
    else
      join(ret[n], list);
  }
  ret[n + 1] = NULL;
  return ret;
}

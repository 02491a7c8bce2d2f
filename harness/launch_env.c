#include "harness/launch.h"

#include <string.h>

/* Ceiling of one replaced text. */
#define MAX_TEXT ((size_t)4 << 20)

/* The value of {NAME}; false when there is no such word. */
static bool value_of(struct bytes name, const struct launch_words *w,
                     char *scratch, size_t size, const char **ret)
{
  const struct {
    const char *name, *value;
  } table[] = {{"BASE", w->base},     {"RUN", w->run},
               {"LANE", w->lane},     {"HOME", w->home},
               {"SHARED", w->shared}, {"PROVIDER", w->provider},
               {"MODE", w->mode},     {"SCENARIO", w->scenario},
               {"WORK", w->work},     {"AFTER_CUT", w->after_cut}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (bytes_equal(name, bytes_of(table[i].name))) {
      *ret = table[i].value;
      return true;
    }
  *ret = scratch;
  if (bytes_equal(name, BYTES("PORT")))
    snprintf(scratch, size, "%u", (unsigned)w->port);
  else if (bytes_equal(name, BYTES("SEED")))
    snprintf(scratch, size, "%llu", (unsigned long long)w->seed);
  else
    return false;
  return true;
}

char *launch_replace(const char *text, const struct launch_words *w)
{
  struct buf out;
  buf_init(&out, MAX_TEXT);
  buf_adds(&out, "");
  while (*text) {
    char scratch[32];
    const char *value = NULL;
    size_t n =
        *text == '{' ? strspn(text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") : 0;
    if (n && text[n + 1] == '}' &&
        value_of((struct bytes){text + 1, n}, w, scratch, sizeof scratch,
                 &value)) {
      buf_adds(&out, value);
      text += n + 2;
    } else {
      buf_addc(&out, *text++);
    }
  }
  char *done = buf_detach(&out);
  return done ? done : mem_strdup("");
}

char **launch_argv(const char *const *command, size_t ncommand,
                   const struct spec *spec, const struct launch_words *w)
{
  size_t extra = (size_t)cJSON_GetArraySize(spec->args), n = 0;
  char **argv = mem_zalloc((ncommand + extra + 1) * sizeof *argv);
  const cJSON *item = NULL;
  for (size_t i = 0; i < ncommand; i++)
    argv[n++] = launch_replace(command[i], w);
  cJSON_ArrayForEach(item, spec->args) argv[n++] =
      launch_replace(item->valuestring, w);
  return argv;
}

/* What every client gets (facts: the variables the published SDKs and CLIs
 * read). The values may hold words in braces. */
static const char *const standard[] = {
    "HOME={HOME}",
    "TZ=UTC",
    "LANG=C.UTF-8",
    "ANTHROPIC_BASE_URL={BASE}",
    "OPENAI_BASE_URL={BASE}/v1",
    "GOOGLE_GEMINI_BASE_URL={BASE}",
    "ANTHROPIC_API_KEY=sk-ant-faultwire-dummy",
    "OPENAI_API_KEY=sk-faultwire-dummy",
    "GEMINI_API_KEY=faultwire-dummy",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
    "DISABLE_AUTOUPDATER=1",
    "DISABLE_TELEMETRY=1",
    "NO_PROXY=*",
    "no_proxy=*"};

static bool same_name(const char *entry, const char *name)
{
  size_t n = strlen(name);
  return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

/* A scenario's variable takes the place of a standard one. */
static void put(char **env, size_t *n, const char *name, char *entry)
{
  for (size_t i = 0; i < *n; i++)
    if (same_name(env[i], name)) {
      free(env[i]);
      env[i] = entry;
      return;
    }
  env[(*n)++] = entry;
}

char **launch_env(const struct spec *spec, const struct launch_words *w)
{
  enum { STANDARD = sizeof standard / sizeof standard[0], OTHERS = 3 };
  size_t extra = (size_t)cJSON_GetArraySize(spec->env), n = 0;
  char **env = mem_zalloc((STANDARD + OTHERS + extra) * sizeof *env);
  const char *path = getenv("PATH");
  const cJSON *item = NULL;
  env[n++] = mem_format("PATH=%s", path ? path : "/usr/bin:/bin");
  env[n++] = mem_format("TMPDIR=%s", w->tmp);
  for (size_t i = 0; i < STANDARD; i++)
    env[n++] = launch_replace(standard[i], w);
  cJSON_ArrayForEach(item, spec->env)
  {
    char *value = launch_replace(item->valuestring, w);
    put(env, &n, item->string, mem_format("%s=%s", item->string, value));
    free(value);
  }
  return env;
}

void launch_free_list(char **list)
{
  for (size_t i = 0; list && list[i]; i++)
    free(list[i]);
  free(list);
}

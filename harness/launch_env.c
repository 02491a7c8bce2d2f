#include "harness/launch.h"

#include <string.h>
#include <unistd.h>

/* Ceiling of one replaced text. */
#define MAX_TEXT ((size_t)4 << 20)

/* The value of {NAME}; false when there is no such word. */
static bool value_of(struct bytes name, const struct launch_words *w,
                     char *scratch, size_t size, const char **ret)
{
  const struct {
    const char *name, *value;
  } table[] = {{"BASE", w->base},
               {"RUN", w->run},
               {"LANE", w->lane},
               {"HOME", w->home},
               {"SHARED", w->shared},
               {"PROVIDER", w->provider},
               {"MODE", w->mode},
               {"SCENARIO", w->scenario},
               {"SHIM", w->shim ? w->shim : ""},
               {"COMMAND", w->command ? w->command : ""},
               {"CA", w->ca ? w->ca : ""},
               {"WORK", w->work},
               {"AFTER_CUT", w->after_cut}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (bytes_equal(name, bytes_of(table[i].name))) {
      *ret = table[i].value;
      return true;
    }
  *ret = scratch;
  if (bytes_equal(name, BYTES("PORT")))
    snprintf(scratch, size, "%u", (unsigned)w->port);
  else if (bytes_equal(name, BYTES("LANE_NUMBER")))
    snprintf(scratch, size, "%zu", w->lane_number);
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
    ("FAULTWIRE_SIDE_EFFECTS={SHARED}/" SIDE_EFFECTS_FILE),
    "NO_PROXY=*",
    "no_proxy=*"};

/* What tells a client whom to trust (docs/tls.md has who reads which). */
static const char *const trust[] = {"NODE_EXTRA_CA_CERTS={CA}",
                                    "SSL_CERT_FILE={CA}",
                                    "REQUESTS_CA_BUNDLE={CA}",
                                    "CURL_CA_BUNDLE={CA}",
                                    "GIT_SSL_CAINFO={CA}",
                                    "AWS_CA_BUNDLE={CA}",
                                    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH={CA}",
                                    "HTTPLIB2_CA_CERTS={CA}",
                                    "PIP_CERT={CA}",
                                    "CARGO_HTTP_CAINFO={CA}",
                                    "DENO_CERT={CA}",
                                    "CODEX_CA_CERTIFICATE={CA}"};

static bool same_name(const char *entry, const char *name)
{
  size_t n = strlen(name);
  return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

/* A project's variable takes the place of a standard one, a scenario's that
 * of both. */
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

static void put_all(char **env, size_t *n, const cJSON *more,
                    const struct launch_words *w)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, more)
  {
    char *value = launch_replace(item->valuestring, w);
    put(env, n, item->string, mem_format("%s=%s", item->string, value));
    free(value);
  }
}

static bool has_program(struct bytes folder, const char *name)
{
  char *path = mem_format("%.*s/%s", (int)folder.n, folder.p, name);
  bool there = access(path, X_OK) == 0;
  free(path);
  return there;
}

/* The stand-ins first. Where they are to be absent, the real program must not
 * be found instead: it would call the real service. */
static char *make_path(const struct launch_words *w)
{
  const char *path = getenv("PATH");
  struct buf b;
  buf_init(&b, MAX_TEXT);
  buf_adds(&b, "PATH=");
  if (w->shim)
    buf_adds(&b, w->shim);
  for (const char *p = path ? path : "/usr/bin:/bin"; p;) {
    struct bytes folder = {p, strcspn(p, ":")};
    if (!w->without || !has_program(folder, w->without))
      buf_addf(&b, "%s%.*s", b.n > strlen("PATH=") ? ":" : "", (int)folder.n,
               p);
    p = p[folder.n] ? p + folder.n + 1 : NULL;
  }
  return buf_detach(&b);
}

char **launch_env(const struct spec *spec, const struct launch_words *w)
{
  enum {
    STANDARD = sizeof standard / sizeof standard[0],
    TRUST = sizeof trust / sizeof trust[0],
    OTHERS = 3
  };
  size_t extra = (size_t)cJSON_GetArraySize(spec->env) +
                 (size_t)cJSON_GetArraySize(w->env);
  size_t n = 0;
  char **env = mem_zalloc((STANDARD + TRUST + OTHERS + extra) * sizeof *env);
  env[n++] = make_path(w);
  env[n++] = mem_format("TMPDIR=%s", w->tmp);
  for (size_t i = 0; i < STANDARD; i++)
    env[n++] = launch_replace(standard[i], w);
  for (size_t i = 0; w->ca && i < TRUST; i++)
    env[n++] = launch_replace(trust[i], w);
  put_all(env, &n, w->env, w);
  put_all(env, &n, spec->env, w);
  return env;
}

void launch_free_list(char **list)
{
  for (size_t i = 0; list && list[i]; i++)
    free(list[i]);
  free(list);
}

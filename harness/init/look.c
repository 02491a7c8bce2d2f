#include "harness/init/found.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

/* No more is read of a manifest or source: a name stands near the top. */
#define MAX_FILE ((size_t)1 << 20)

static const struct {
  const char *word, *provider, *note;
} signs[] = {
#define SIGN(word, provider, note) {word, provider, note},
#include "harness/init/signs.def"
#undef SIGN
};

/* Where dependencies are named; looked at before any source. */
static const char *const manifests[] = {
    "package.json", "pyproject.toml", "requirements.txt", "Pipfile",
    "setup.cfg",    "setup.py",       "go.mod",           "Cargo.toml",
    "pom.xml",      "build.gradle",   "build.gradle.kts", NULL};

static const char *const sources[] = {".py", ".mjs", ".js", ".ts",  ".go",
                                      ".rs", ".sh",  ".rb", ".php", NULL};

/* Commands that call an API for their caller (docs/shim.md). */
static const char *const commands[] = {"claude", "codex", "gemini", NULL};

static const char *const policies[] = {"faultwire-policy.json", "policy.json",
                                       NULL};

static const struct {
  const char *path, *name;
} cis[] = {{".github/workflows", "GitHub Actions"},
           {".gitlab-ci.yml", "GitLab"},
           {"Jenkinsfile", "Jenkins"},
           {".circleci", "CircleCI"},
           {"azure-pipelines.yml", "Azure Pipelines"},
           {"bitbucket-pipelines.yml", "Bitbucket Pipelines"}};

static bool is_word_byte(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || (c && strchr("_@/.-", c));
}

bool found_word(struct bytes text, const char *word)
{
  size_t n = strlen(word);
  for (size_t i = 0; i + n <= text.n; i++) {
    if (memcmp(text.p + i, word, n) != 0 ||
        (i > 0 && is_word_byte(text.p[i - 1])))
      continue;
    /* "github.com/x/y/v3" is y as well */
    if (i + n == text.n || !is_word_byte(text.p[i + n]) ||
        text.p[i + n] == '/' || text.p[i + n] == '.')
      return true;
  }
  return false;
}

static bool read_file(struct buf *ret, const char *folder, const char *name)
{
  struct diag none = {0};
  char *path = mem_format("%s/%s", folder, name);
  buf_init(ret, MAX_FILE);
  bool there = file_exists(path) && !file_is_folder(path) &&
               file_read(path, ret, &none) == 0;
  free(path);
  return there;
}

/* The first sign in the list's order that the text has. */
static bool look_for_signs(struct found *f, struct bytes text, const char *name)
{
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (!found_word(text, signs[i].word))
      continue;
    f->provider = signs[i].provider;
    f->sign = signs[i].word;
    f->note = signs[i].note;
    f->sign_file = mem_strdup(name);
    return true;
  }
  return false;
}

static void look_for_commands(struct found *f, struct bytes text)
{
  for (size_t i = 0; commands[i] && !f->command; i++)
    if (found_word(text, commands[i]))
      f->command = commands[i];
}

static void look_at_manifests(struct found *f, const char *folder)
{
  for (size_t i = 0; manifests[i] && !f->provider; i++) {
    struct buf text;
    if (read_file(&text, folder, manifests[i]))
      look_for_signs(f, buf_bytes(&text), manifests[i]);
    buf_release(&text);
  }
}

static int is_source(const struct dirent *entry)
{
  const char *dot = strrchr(entry->d_name, '.');
  for (size_t i = 0; dot && sources[i]; i++)
    if (strcmp(dot, sources[i]) == 0)
      return 1;
  return 0;
}

static int look_at_sources(struct found *f, const char *folder,
                           struct diag *diag)
{
  struct dirent **entries = NULL;
  int n = scandir(folder, &entries, is_source, alphasort);
  if (n < 0)
    return diag_set(diag, "cannot read folder '%s': %s", folder,
                    strerror(errno));
  for (int i = 0; i < n; i++) {
    struct buf text;
    if (!f->provider && read_file(&text, folder, entries[i]->d_name)) {
      look_for_signs(f, buf_bytes(&text), entries[i]->d_name);
      look_for_commands(f, buf_bytes(&text));
      buf_release(&text);
    }
    free(entries[i]);
  }
  free(entries);
  if (f->provider)
    f->command = NULL;
  return 0;
}

static bool is_there(const char *folder, const char *name)
{
  char *path = mem_format("%s/%s", folder, name);
  bool there = file_exists(path);
  free(path);
  return there;
}

int found_look(struct found *ret, const char *folder, struct diag *diag)
{
  struct found f = {0};
  look_at_manifests(&f, folder);
  if (!f.provider && look_at_sources(&f, folder, diag) < 0)
    return -1;
  for (size_t i = 0; i < sizeof cis / sizeof *cis && !f.ci; i++)
    if (is_there(folder, cis[i].path))
      f.ci = cis[i].name;
  f.github = f.ci && strcmp(f.ci, cis[0].name) == 0;
  for (size_t i = 0; policies[i] && !f.policy; i++)
    if (is_there(folder, policies[i]))
      f.policy = policies[i];
  found_client(&f, folder);
  *ret = f;
  return 0;
}

void found_release(struct found *f)
{
  free(f->sign_file);
  free(f->client_from);
  for (int i = 0; i < FOUND_WORDS; i++)
    free(f->client[i]);
  memset(f, 0, sizeof *f);
}

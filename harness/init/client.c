#include "harness/init/found.h"

#include "harness/launch.h"

#include "base/file.h"
#include "base/json.h"
#include "base/param.h"

#include <dirent.h>
#include <string.h>

/* Names an entry of a program often has, the likeliest first. */
static const char *const pythons[] = {"client.py", "main.py", "app.py",
                                      "__main__.py", NULL};
static const char *const nodes[] = {"client.mjs", "index.mjs", "index.js",
                                    "main.mjs",   "main.js",   "client.js",
                                    NULL};

static bool is_there(const char *folder, const char *name)
{
  char *path = mem_format("%s/%s", folder, name);
  bool there = file_exists(path) && !file_is_folder(path);
  free(path);
  return there;
}

static void set_client(struct found *f, const char *from,
                       const char *const *words)
{
  for (int i = 0; words[i] && i < FOUND_WORDS; i++)
    f->client[i] = mem_strdup(words[i]);
  f->client_from = from ? mem_strdup(from) : NULL;
}

/* The only file of that kind; NULL: there are several, or none. */
static char *only_of(const char *folder, const char *ending)
{
  struct dirent **entries = NULL;
  char *only = NULL;
  int n = scandir(folder, &entries, NULL, alphasort), found = 0;
  for (int i = 0; i < n; i++) {
    const char *dot = strrchr(entries[i]->d_name, '.');
    if (dot && strcmp(dot, ending) == 0 && found++ == 0)
      only = mem_strdup(entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  if (found == 1)
    return only;
  free(only);
  return NULL;
}

/* One of the usual names, or the only file of that kind; the caller frees. */
static char *entry_of(const char *folder, const char *ending,
                      const char *const *usual)
{
  for (size_t i = 0; usual[i]; i++)
    if (is_there(folder, usual[i]))
      return mem_strdup(usual[i]);
  return only_of(folder, ending);
}

static bool try_python(struct found *f, const char *folder)
{
  char *entry = entry_of(folder, ".py", pythons);
  if (!entry)
    return false;
  const char *python =
      is_there(folder, ".venv/bin/python") ? ".venv/bin/python" : "python3";
  const char *const words[] = {python, entry, NULL};
  set_client(f, entry, words);
  free(entry);
  return true;
}

/* "main" of package.json; the caller frees. */
static char *main_of(const char *folder)
{
  struct json_doc doc;
  struct diag none = {0};
  const char *text = NULL;
  char *path = mem_format("%s/package.json", folder), *found = NULL;
  if (file_exists(path) && json_load(&doc, path, &none) == 0) {
    if (param_string(doc.root, "main", &text) && is_there(folder, text))
      found = mem_strdup(text);
    json_release(&doc);
  }
  free(path);
  return found;
}

static bool try_node(struct found *f, const char *folder)
{
  char *entry = main_of(folder);
  if (!entry)
    entry = entry_of(folder, ".mjs", nodes);
  if (!entry)
    return false;
  const char *const words[] = {"node", entry, NULL};
  set_client(f, entry, words);
  free(entry);
  return true;
}

/* The last part of the module's path: that is the name `go build` gives. */
static bool try_go(struct found *f, const char *folder)
{
  struct buf text;
  struct diag none = {0};
  char *path = mem_format("%s/go.mod", folder);
  buf_init(&text, (size_t)1 << 20);
  bool there = file_exists(path) && file_read(path, &text, &none) == 0;
  ptrdiff_t at = there ? bytes_find(buf_bytes(&text), BYTES("module ")) : -1;
  if (at >= 0) {
    const char *name = buf_str(&text) + at + strlen("module ");
    size_t n = strcspn(name, " \t\r\n"), from = n;
    while (from > 0 && name[from - 1] != '/')
      from--;
    char *program = mem_format("./%.*s", (int)(n - from), name + from);
    const char *const words[] = {program, NULL};
    set_client(f, "go.mod", words);
    f->build = "go build";
    free(program);
  }
  free(path);
  buf_release(&text);
  return at >= 0;
}

/* name = "..." of [package]. */
static bool try_cargo(struct found *f, const char *folder)
{
  struct buf text;
  struct diag none = {0};
  char *path = mem_format("%s/Cargo.toml", folder);
  buf_init(&text, (size_t)1 << 20);
  bool there = file_exists(path) && file_read(path, &text, &none) == 0;
  ptrdiff_t at = there ? bytes_find(buf_bytes(&text), BYTES("\nname")) : -1;
  const char *open = at >= 0 ? strchr(buf_str(&text) + at, '"') : NULL;
  const char *end = open ? strchr(open + 1, '"') : NULL;
  if (end) {
    char *program =
        mem_format("./target/release/%.*s", (int)(end - open - 1), open + 1);
    const char *const words[] = {program, NULL};
    set_client(f, "Cargo.toml", words);
    f->build = "cargo build --release";
    free(program);
  }
  free(path);
  buf_release(&text);
  return end != NULL;
}

/* Nothing of their own here: guard can stand in, if it is installed. */
static bool try_guard(struct found *f)
{
  struct diag none = {0};
  static const char *const words[] = {"guard",      "http",   "--provider",
                                      "{PROVIDER}", "--mode", "{MODE}",
                                      "-p",         "hello",  NULL};
  char *path = launch_find("guard", &none);
  if (path)
    set_client(f, NULL, words);
  free(path);
  return path != NULL;
}

void found_client(struct found *f, const char *folder)
{
  if (f->sign_file && strcmp(f->sign_file, "package.json") == 0 &&
      try_node(f, folder))
    return;
  if (try_go(f, folder) || try_cargo(f, folder) || try_python(f, folder) ||
      try_node(f, folder))
    return;
  if (!f->provider && !f->command)
    try_guard(f);
}

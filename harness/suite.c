#include "harness/suite.h"

#include "base/file.h"
#include "base/param.h"
#include "mockserver/provider/provider.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

/* Folders within folders: a symbolic link in a circle ends here. */
enum { MAX_DEPTH = 16 };

static void release_item(struct suite_item *i)
{
  if (i->loaded) {
    spec_release(&i->spec);
    scenario_release(&i->scenario);
  }
  free(i->path);
  free(i->address);
}

void suite_release(struct suite *s)
{
  for (size_t i = 0; i < s->n; i++)
    release_item(&s->items[i]);
  free(s->items);
  memset(s, 0, sizeof *s);
}

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *suite_address(const char *path)
{
  char *whole = realpath(path, NULL);
  char *copy = mem_strdup(whole ? whole : path);
  char *file = strrchr(copy, '/');
  free(whole);
  const char *folder = "";
  if (file) {
    *file++ = '\0';
    folder = base_name(copy);
  } else {
    file = copy;
  }
  size_t n = strlen(file);
  if (n > 5 && strcmp(file + n - 5, ".json") == 0)
    file[n - 5] = '\0';
  char *address = mem_format("%s%s%s", folder, folder[0] ? "/" : "", file);
  free(copy);
  return address;
}

/* --- finding ------------------------------------------------------------- */

static void add_file(struct suite *s, const char *path, bool named)
{
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->items[i].path, path) == 0) {
      s->items[i].named |= named;
      return;
    }
  s->items = mem_realloc(s->items, (s->n + 1) * sizeof *s->items);
  s->items[s->n++] = (struct suite_item){
      .path = mem_strdup(path), .address = suite_address(path), .named = named};
}

static int is_listed(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static bool is_scenario(const char *name)
{
  size_t n = strlen(name);
  return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

static int add_folder(struct suite *s, const char *path, int depth,
                      struct diag *diag)
{
  struct dirent **entries = NULL;
  if (depth > MAX_DEPTH)
    return diag_set(diag, "'%s': too many folders within folders", path);
  int n = scandir(path, &entries, is_listed, alphasort), rc = 0;
  if (n < 0)
    return diag_set(diag, "cannot read folder '%s': %s", path, strerror(errno));
  for (int i = 0; i < n; i++) {
    size_t end = strlen(path);
    char *child =
        mem_format("%s%s%s", path, end && path[end - 1] == '/' ? "" : "/",
                   entries[i]->d_name);
    if (rc == 0 && file_is_folder(child))
      rc = add_folder(s, child, depth + 1, diag);
    else if (rc == 0 && is_scenario(child))
      add_file(s, child, false);
    free(child);
    free(entries[i]);
  }
  free(entries);
  return rc;
}

static int find(struct suite *s, char *const *paths, int n, struct diag *diag)
{
  for (int i = 0; i < n; i++) {
    if (file_is_folder(paths[i])) {
      if (add_folder(s, paths[i], 0, diag) < 0)
        return -1;
    } else {
      add_file(s, paths[i], true);
    }
  }
  return 0;
}

/* --- choosing ------------------------------------------------------------ */

static bool address_wanted(const struct suite_item *item,
                           const struct option_list *only)
{
  for (int i = 0; only && i < only->n; i++)
    if (fnmatch(only->item[i], item->address, 0) == 0)
      return true;
  return !only || only->n == 0;
}

static bool has_tag(const struct spec *spec, const char *tag)
{
  for (size_t i = 0; i < spec->ntags; i++)
    if (strcmp(spec->tags[i], tag) == 0)
      return true;
  return false;
}

static bool has_any_tag(const struct suite_item *item,
                        const struct option_list *tags)
{
  for (int i = 0; tags && i < tags->n; i++)
    if (has_tag(&item->spec, tags->item[i]))
      return true;
  return false;
}

static bool tag_wanted(const struct suite_item *item,
                       const struct suite_filter *f)
{
  bool asked = f->tags && f->tags->n > 0;
  return (!asked || has_any_tag(item, f->tags)) &&
         !has_any_tag(item, f->not_tags);
}

static bool provider_wanted(const struct suite_item *item, const char *provider)
{
  const struct provider *own = item->scenario.provider;
  return !provider || !own || strcmp(own->name, provider) == 0;
}

static bool channel_wanted(const struct suite_item *item,
                           const struct suite_filter *f)
{
  return !f->channel || (f->named_anyway && item->named) ||
         strcmp(channel_words[item->spec.channel], f->channel) == 0;
}

const char *suite_provider(const struct suite_item *item, const char *asked)
{
  if (item->scenario.provider)
    return item->scenario.provider->name;
  return asked ? asked : providers[0]->name;
}

static int load(struct suite_item *item, struct diag *diag)
{
  if (scenario_load(&item->scenario, item->path, diag) < 0)
    return -1;
  if (spec_load(&item->spec, &item->scenario, diag) < 0) {
    diag_in_file(diag, item->path);
    scenario_release(&item->scenario);
    return -1;
  }
  item->loaded = true;
  return 0;
}

size_t suite_others(const struct suite *s)
{
  size_t n = 0;
  for (size_t i = 0; i < NCHANNELS; i++)
    n += s->other_channel[i];
  return n;
}

static void choose(struct suite *s, const struct suite_filter *f)
{
  size_t kept = 0;
  for (size_t i = 0; i < s->n; i++) {
    struct suite_item *item = &s->items[i];
    bool wanted = address_wanted(item, f->only) && tag_wanted(item, f) &&
                  provider_wanted(item, f->provider);
    if (wanted && channel_wanted(item, f)) {
      s->items[kept++] = *item;
    } else {
      if (wanted)
        s->other_channel[item->spec.channel]++;
      release_item(item);
    }
  }
  s->n = kept;
}

int suite_load(struct suite *ret, char *const *paths, int npaths,
               const struct suite_filter *filter, struct diag *diag)
{
  struct suite s = {0};
  int rc = find(&s, paths, npaths, diag);
  for (size_t i = 0; rc == 0 && i < s.n; i++)
    rc = load(&s.items[i], diag);
  if (rc < 0) {
    suite_release(&s);
    return -1;
  }
  choose(&s, filter);
  *ret = s;
  return 0;
}

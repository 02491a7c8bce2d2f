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
  free(i->text);
  sweep_point_release(&i->point);
  scaled_release(&i->scaled);
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

/* The file, or the text of a point of it. */
static int load(struct suite_item *item, struct diag *diag)
{
  int rc = item->text ? scenario_parse(&item->scenario, item->path,
                                       bytes_of(item->text), diag)
                      : scenario_load(&item->scenario, item->path, diag);
  if (rc < 0)
    return -1;
  if (spec_load(&item->spec, &item->scenario, diag) < 0) {
    diag_in_file(diag, item->path);
    scenario_release(&item->scenario);
    return -1;
  }
  item->loaded = true;
  return 0;
}

int suite_reload(struct suite_item *item, const char *text, struct diag *diag)
{
  struct suite_item again = {.path = item->path, .text = mem_strdup(text)};
  if (load(&again, diag) < 0) {
    free(again.text);
    return -1;
  }
  spec_release(&item->spec);
  scenario_release(&item->scenario);
  free(item->text);
  item->scenario = again.scenario;
  item->spec = again.spec;
  item->text = again.text;
  return 0;
}

/* --- sweeps ---------------------------------------------------------------
 */

/* Values that differ in signs only would have one address. */
static char *point_address(const struct suite *s, const char *of,
                           const char *label, size_t i)
{
  char *address = mem_format("%s@%s", of, label);
  for (size_t k = 0; k < s->n; k++) {
    if (strcmp(s->items[k].address, address) != 0)
      continue;
    free(address);
    return mem_format("%s@%s.%zu", of, label, i + 1);
  }
  return address;
}

static int add_point(struct suite *s, const struct suite_item *file,
                     const struct sweep *sweep, size_t i, struct diag *diag)
{
  char *label = sweep_label(sweep, i);
  struct suite_item item = {.path = mem_strdup(file->path),
                            .address =
                                point_address(s, file->address, label, i),
                            .named = file->named,
                            .text = sweep_text(sweep, &file->scenario.doc, i)};
  free(label);
  sweep_point_init(&item.point, sweep, file->address, i);
  if (load(&item, diag) < 0) {
    release_item(&item);
    return -1;
  }
  s->items = mem_realloc(s->items, (s->n + 1) * sizeof *s->items);
  s->items[s->n++] = item;
  return 0;
}

/* A cut behind the last event there is cannot be asked for: a sweep that goes
 * on until nothing was cut ends there. Its first point has to be right. */
static int add_points(struct suite *s, const struct suite_item *file,
                      struct sweep *sweep, struct diag *diag)
{
  size_t first = s->n;
  for (size_t i = 0; i < sweep->n; i++) {
    struct diag why = {0};
    if (add_point(s, file, sweep, i, &why) == 0)
      continue;
    if (i > 0 && sweep->until_missed)
      break;
    *diag = why;
    return -1;
  }
  for (size_t i = first; i < s->n; i++)
    s->items[i].point.points = s->n - first;
  return 0;
}

/* Moves the file's item to `ret`, or what it becomes. */
static int expand(struct suite *ret, struct suite_item *file, struct diag *diag)
{
  struct sweep sweep;
  if (load(file, diag) < 0) {
    release_item(file);
    return -1;
  }
  if (sweep_read(&sweep, &file->scenario.doc, diag) < 0) {
    diag_in_file(diag, file->path);
    release_item(file);
    return -1;
  }
  if (sweep.n) {
    int rc = add_points(ret, file, &sweep, diag);
    sweep_release(&sweep);
    release_item(file);
    return rc;
  }
  ret->items = mem_realloc(ret->items, (ret->n + 1) * sizeof *ret->items);
  ret->items[ret->n++] = *file;
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

static int expand_all(struct suite *ret, struct suite *files, struct diag *diag)
{
  size_t i = 0;
  int rc = 0;
  while (rc == 0 && i < files->n)
    rc = expand(ret, &files->items[i++], diag);
  for (; i < files->n; i++) /* what an error leaves behind */
    release_item(&files->items[i]);
  free(files->items);
  return rc;
}

int suite_load(struct suite *ret, char *const *paths, int npaths,
               const struct suite_filter *filter, struct diag *diag)
{
  struct suite files = {0}, s = {0};
  if (find(&files, paths, npaths, diag) < 0) {
    suite_release(&files);
    return -1;
  }
  if (expand_all(&s, &files, diag) < 0) {
    suite_release(&s);
    return -1;
  }
  choose(&s, filter);
  *ret = s;
  return 0;
}

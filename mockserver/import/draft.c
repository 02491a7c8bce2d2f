#include "mockserver/import/draft.h"

#include "mockserver/provider/provider.h"
#include "mockserver/scenario.h"

#include <string.h>

/* More lines nobody reads; they are counted. */
enum { MAX_NOTES = 40, MAX_NOTE_BYTES = 64 << 10, MAX_SKIPPED = 1 << 20 };
/* What a scenario file may hold (json.h). */
#define MAX_TEXT JSON_MAX_BYTES

void draft_init(struct draft *d, const struct import_options *o)
{
  *d = (struct draft){.o = *o};
  buf_init(&d->notes, MAX_NOTE_BYTES);
  buf_init(&d->skipped, MAX_SKIPPED);
}

void draft_release(struct draft *d)
{
  for (size_t i = 0; i < d->nitems; i++)
    cJSON_Delete(d->items[i].step);
  free(d->items);
  buf_release(&d->notes);
  buf_release(&d->skipped);
  memset(d, 0, sizeof *d);
}

void draft_note(struct draft *d, const char *format, ...)
{
  va_list ap;
  if (d->nnotes++ >= MAX_NOTES)
    return;
  d->noted++;
  va_start(ap, format);
  buf_vaddf(&d->notes, format, ap);
  va_end(ap);
  buf_addc(&d->notes, '\n');
}

struct drafted *draft_add(struct draft *d, cJSON *step)
{
  if ((d->nitems & (d->nitems - 1)) == 0)
    d->items = mem_realloc(d->items,
                           (d->nitems ? 2 * d->nitems : 1) * sizeof *d->items);
  struct drafted *item = &d->items[d->nitems++];
  *item = (struct drafted){.step = step};
  return item;
}

/* ---- what was skipped ---- */

void draft_skip(struct draft *d, struct bytes host)
{
  d->nskipped++;
  buf_addb(&d->skipped, host.n ? host : BYTES("(no host)"));
  buf_addc(&d->skipped, '\n');
}

/* How often `line` stands in the rest; those are blanked. */
static size_t count_line(char *p, size_t n, struct bytes line)
{
  size_t count = 0;
  for (size_t at = 0; at + line.n < n;) {
    size_t len = (size_t)((char *)memchr(p + at, '\n', n - at) - (p + at));
    if (len == line.n && memcmp(p + at, line.p, len) == 0) {
      count++;
      p[at] = '\0';
    }
    at += len + 1;
  }
  return count;
}

void draft_skipped(const struct draft *d, struct buf *ret)
{
  struct buf lines;
  if (!d->nskipped)
    return;
  buf_init(&lines, MAX_SKIPPED);
  buf_addb(&lines, buf_bytes(&d->skipped));
  buf_addf(ret, "%zu %s skipped, no call of a known API: ", d->nskipped,
           d->nskipped == 1 ? "entry" : "entries");
  bool any = false;
  for (size_t at = 0; at < lines.n;) {
    char *end = memchr(lines.p + at, '\n', lines.n - at);
    if (!end)
      break;
    size_t len = (size_t)(end - lines.p) - at;
    if (lines.p[at] != '\0') {
      struct bytes line = {buf_str(&d->skipped) + at, len};
      size_t count = count_line(lines.p + at, lines.n - at, line);
      buf_addf(ret, "%s%.*s (%zu)", any ? ", " : "", (int)len, line.p, count);
      any = true;
    }
    at += len + 1;
  }
  buf_release(&lines);
}

/* ---- what the steps have in common ---- */

/* The provider of all; NULL: there are several, or none is known. */
static const struct provider *only_provider(const struct draft *d)
{
  const struct provider *found = NULL;
  for (size_t i = 0; i < d->nitems; i++) {
    const struct provider *p = d->items[i].provider;
    if (!p || (found && p != found))
      return NULL;
    found = p;
  }
  return found;
}

static bool many_lanes(const struct draft *d)
{
  for (size_t i = 1; i < d->nitems; i++)
    if (strcmp(d->items[i].lane, d->items[0].lane) != 0)
      return true;
  return false;
}

static cJSON *match_of(cJSON *step)
{
  cJSON *match = cJSON_GetObjectItem(step, "match");
  return match ? match : cJSON_AddObjectToObject(step, "match");
}

/* Paths tell calls of several APIs apart; with one there is nothing to tell. */
static void add_path(struct drafted *item)
{
  char *path = mem_format("*%s", item->pattern);
  cJSON *match = match_of(item->step);
  if (!cJSON_HasObjectItem(match, "path"))
    cJSON_AddStringToObject(match, "path", path);
  free(path);
}

static void tell_apart(struct draft *d)
{
  bool paths = !only_provider(d), lanes = many_lanes(d);
  for (size_t i = 0; i < d->nitems; i++) {
    struct drafted *item = &d->items[i];
    if (paths && item->pattern && !item->endpoint)
      add_path(item);
    if (lanes && !cJSON_HasObjectItem(item->step, "lane"))
      cJSON_AddStringToObject(item->step, "lane", item->lane);
  }
}

/* ---- the text ---- */

static void add_member(struct buf *b, const char *key, struct bytes value)
{
  buf_addf(b, "  \"%s\": ", key);
  buf_add_json(b, value);
  buf_adds(b, ",\n");
}

static void add_tree(struct buf *b, const cJSON *node)
{
  char *text = cJSON_PrintUnformatted(node);
  buf_adds(b, text ? text : "null");
  cJSON_free(text);
}

/* One key a line, one entry of a list of objects a line. */
static void add_step(struct buf *b, const cJSON *step)
{
  const cJSON *node, *entry;
  buf_adds(b, "    { ");
  cJSON_ArrayForEach(node, step)
  {
    if (node != step->child)
      buf_adds(b, ",\n      ");
    buf_addf(b, "\"%s\": ", node->string);
    if (!cJSON_IsArray(node) || cJSON_GetArraySize(node) < 2) {
      add_tree(b, node);
      continue;
    }
    cJSON_ArrayForEach(entry, node)
    {
      buf_adds(b, entry == node->child ? "[\n        " : ",\n        ");
      add_tree(b, entry);
    }
    buf_adds(b, " ]");
  }
  buf_adds(b, " }");
}

/* The file's name without folders and ending. */
static struct bytes stem_of(const char *file)
{
  const char *slash = strrchr(file, '/');
  const char *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.');
  struct bytes stem = bytes_of(name);
  if (dot && dot != name)
    stem.n = (size_t)(dot - name);
  return stem.n ? stem : BYTES("imported");
}

static void add_text(struct draft *d, const char *file, struct buf *b)
{
  const struct provider *p = only_provider(d);
  buf_adds(b, "{\n");
  add_member(b, "name", d->o.name ? bytes_of(d->o.name) : stem_of(file));
  add_member(b, "why",
             d->o.why ? bytes_of(d->o.why)
                      : BYTES("what a log shows happened once happens again"));
  if (p)
    add_member(b, "provider", bytes_of(p->name));
  buf_adds(b, "  \"steps\": [\n");
  for (size_t i = 0; i < d->nitems; i++) {
    add_step(b, d->items[i].step);
    buf_adds(b, i + 1 < d->nitems ? ",\n" : "\n");
  }
  buf_adds(b, "  ],\n  \"after_script\": \"reply\",\n"
              "  \"expect\": [ { \"check\": \"no_crash\" } ] }\n");
}

static int check_loads(const struct buf *text, struct diag *diag)
{
  struct scenario s;
  struct diag why = {0};
  char sentence[1024];
  if (scenario_parse(&s, "scenario", buf_bytes(text), &why) == 0) {
    scenario_release(&s);
    return 0;
  }
  diag_format(&why, sentence, sizeof sentence);
  return diag_set(diag, "what was made of it does not load: %.700s", sentence);
}

int draft_write(struct draft *d, const char *file, struct buf *ret,
                struct diag *diag)
{
  struct buf skipped;
  if (d->nitems == 0) {
    buf_init(&skipped, 512);
    draft_skipped(d, &skipped);
    diag_set(diag, "no step could be made of it%s%s", skipped.n ? ": " : "",
             buf_str(&skipped));
    buf_release(&skipped);
    return -1;
  }
  tell_apart(d);
  add_text(d, file, ret);
  if (ret->full)
    return diag_set(diag, "the scenario would be over %zu bytes",
                    (size_t)MAX_TEXT);
  return check_loads(ret, diag);
}

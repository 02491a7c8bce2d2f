#include "mockserver/tape_find.h"

#include "mockserver/json_edit.h"

#include <string.h>

/* Ceiling of one event that is looked into. */
enum { MAX_EVENT = 64 << 20 };

/* Both mean nothing for a provider that has one event for the end only. */
bool tape_is_general_term(const char *name)
{
  return strcmp(name, "finish") == 0 || strcmp(name, "done") == 0;
}

static bool find_in(const struct provider *p, const struct reply *r,
                    struct cue *c, const char *name)
{
  uint64_t n = p->cues(r, c->kind, c->block);
  for (c->i = 0; c->i < n; c->i++)
    if (strcmp(p->cue_name(r, c), name) == 0)
      return true;
  return false;
}

bool tape_find_term(const struct provider *p, const struct reply *r,
                    size_t block, const char *name, struct cue *ret)
{
  uint64_t ends = p->cues(r, CUE_END, 0);
  struct cue c = {.kind = CUE_CLOSE, .block = block};
  if (tape_is_general_term(name)) {
    bool done = strcmp(name, "done") == 0;
    *ret = (struct cue){.kind = CUE_END, .i = done ? ends - 1 : 0};
    return ends > (done ? 1 : 0);
  }
  bool found = block < r->nblocks && find_in(p, r, &c, name);
  if (!found) {
    c = (struct cue){.kind = CUE_END};
    found = find_in(p, r, &c, name);
  }
  *ret = c;
  return found;
}

static bool has_field(const struct provider *p, const struct reply *r,
                      const struct cue *c, const char *path)
{
  struct buf text;
  struct bytes json;
  cJSON *root = NULL;
  buf_init(&text, MAX_EVENT);
  p->event(r, c, 1, &text);
  if (json_edit_find(buf_bytes(&text), &json))
    root = cJSON_ParseWithLength(json.p, json.n);
  bool found = root && json_edit_has(root, path);
  cJSON_Delete(root);
  buf_release(&text);
  return found;
}

bool tape_find_field(const struct provider *p, const struct reply *r,
                     size_t block, const char *path, struct cue *ret)
{
  static const enum cue_kind order[] = {CUE_DELTA, CUE_START, CUE_OPEN,
                                        CUE_CLOSE, CUE_END};
  for (int k = 0; k < 5; k++) {
    struct cue c = {.kind = order[k], .block = block};
    bool of_block = c.kind != CUE_START && c.kind != CUE_END;
    if (of_block && block >= r->nblocks)
      continue;
    uint64_t n = p->cues(r, c.kind, block);
    /* the deltas of a block are all of one form */
    if (c.kind == CUE_DELTA && n > 1)
      n = 1;
    for (c.i = 0; c.i < n; c.i++)
      if (has_field(p, r, &c, path)) {
        *ret = c;
        return true;
      }
  }
  return false;
}

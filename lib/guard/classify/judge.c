/* The order in which readers are asked, and answers inside answers. */
#include "guard/classify/evidence.h"
#include "guard/classify/text.h"

#include <stdlib.h>

static const struct {
  const char *providers;
  guard_body_reader *read;
} readers[] = {
#define BODY(name, providers) {providers, guard_body_##name},
#include "guard/classify.def"
#undef BODY
};

enum { NREADERS = sizeof(readers) / sizeof(readers[0]) };

/* The named provider's readers, or all others. */
static bool ask(const struct guard_evidence *e, bool named,
                struct guard_verdict *ret)
{
  const char *provider = e->answer->provider ? e->answer->provider : "";

  for (int i = 0; i < NREADERS; i++)
    if (guard_name_in(readers[i].providers, provider) == named &&
        readers[i].read(e, ret))
      return true;
  return false;
}

bool guard_read_body(const struct guard_evidence *e, struct guard_verdict *ret)
{
  return ask(e, true, ret) || ask(e, false, ret);
}

struct guard_verdict guard_judge_part(const struct guard_evidence *outer,
                                      int status, struct guard_scan body)
{
  struct guard_answer inner = *outer->answer;
  struct guard_evidence e;
  struct guard_verdict v = guard_verdict_of(GUARD_NONE, "nothing known in it");

  inner.channel = GUARD_HTTP;
  inner.status = status;
  inner.body = body.p;
  inner.body_n = guard_scan_left(&body);
  inner.headers = NULL;
  inner.nheaders = 0;
  if (outer->depth >= GUARD_MAX_DEPTH)
    return v;
  if (!guard_evidence_init(&e, &inner, outer->depth + 1)) {
    guard_evidence_release(&e); /* what there was memory for */
    return status ? guard_by_status(status) : v;
  }
  if (guard_read_body(&e, &v) || status >= 300) {
    if (v.cls == GUARD_NONE && status >= 300)
      v = guard_by_status(status);
    guard_add_hints(&e, &v);
  }
  guard_evidence_release(&e);
  return v;
}

/* Only when a brace stands near the front: error texts are short. */
static bool find_value(struct guard_scan text, struct guard_scan *ret)
{
  const size_t nearest = 512;
  struct guard_scan s = text;

  if (guard_scan_left(&s) > nearest)
    s.end = s.p + nearest;
  while (!guard_scan_done(&s) && *s.p != '{' && *s.p != '\n')
    s.p++;
  if (guard_scan_peek(&s) != '{')
    return false;
  *ret = (struct guard_scan){s.p, text.end};
  return true;
}

static bool is_json(struct guard_scan s)
{
  struct guard_tree tree;
  bool is = guard_tree_read(&tree, s.p, guard_scan_left(&s));

  guard_tree_release(&tree);
  return is;
}

struct guard_verdict guard_judge_text(const struct guard_evidence *outer,
                                      int status, struct guard_scan text)
{
  struct guard_scan value, body = text;
  struct guard_verdict v;
  char *json = NULL;

  if (find_value(text, &value) && is_json(value)) {
    body = value;
  } else if (find_value(text, &value)) {
    json = guard_text_json(value);
    if (json && is_json(guard_scan_str(json)))
      body = guard_scan_str(json);
  }
  v = guard_judge_part(outer, status, body);
  free(json);
  return v;
}

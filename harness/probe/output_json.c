#include "harness/probe/output.h"

#include "harness/policy.h"

static void add_text(struct buf *b, const char *key, const char *text)
{
  buf_addf(b, "\"%s\":", key);
  if (text)
    buf_add_json(b, bytes_of(text));
  else
    buf_adds(b, "null");
}

static void add_facts(struct buf *b, const struct findings *f)
{
  buf_adds(b, "\"facts\":[");
  for (size_t i = 0; i < f->nfacts; i++) {
    const struct fact *fact = &f->facts[i];
    buf_adds(b, i ? ",\n{" : "\n{");
    add_text(b, "experiment", fact->probe);
    buf_addc(b, ',');
    add_text(b, "what", fact->what);
    buf_addf(b, ",\"measured\":%s,", fact->measured ? "true" : "false");
    add_text(b, "value", fact->value);
    buf_addc(b, ',');
    add_text(b, fact->measured ? "evidence" : "because", fact->evidence);
    buf_addc(b, '}');
  }
  buf_adds(b, "]");
}

static void add_dangers(struct buf *b, const struct findings *f,
                        const struct output_names *n)
{
  buf_adds(b, "\"dangers\":[");
  for (size_t i = 0; i < f->ndangers; i++) {
    buf_adds(b, i ? ",\n{" : "\n{");
    add_text(b, "sentence", f->dangers[i].sentence);
    buf_addc(b, ',');
    add_text(b, "scenario",
             output_scenario(&f->dangers[i], n->channel_command));
    buf_addc(b, '}');
  }
  buf_adds(b, "]");
}

static void add_policy(struct buf *b, const struct findings *f)
{
  bool any = false;
  buf_adds(b, "\"policy\":{");
  for (size_t i = 0; i < f->nsettings; i++)
    if (f->settings[i].json) {
      buf_addf(b, "%s\"%s\":%s", any ? "," : "", f->settings[i].key,
               f->settings[i].json);
      any = true;
    }
  buf_adds(b, "},\n\"left_out\":{");
  any = false;
  for (size_t i = 0; i < f->nsettings; i++)
    if (!f->settings[i].json) {
      buf_adds(b, any ? "," : "");
      add_text(b, f->settings[i].key, f->settings[i].note);
      any = true;
    }
  buf_adds(b, "}");
}

void output_json(const struct findings *f, const struct output_names *n,
                 struct buf *ret)
{
  buf_adds(ret, "{\"client\":[");
  for (size_t i = 0; n->command[i]; i++) {
    buf_adds(ret, i ? "," : "");
    buf_add_json(ret, bytes_of(n->command[i]));
  }
  buf_addf(ret, "],\"seconds\":%.1f,\"limit_s\":%g,\"stream\":%s,", n->seconds,
           n->limit_s, n->face->stream ? "true" : "false");
  add_text(ret, "provider", n->face->provider);
  buf_adds(ret, ",\n");
  add_facts(ret, f);
  buf_adds(ret, ",\n");
  add_dangers(ret, f, n);
  buf_adds(ret, ",\n");
  add_policy(ret, f);
  buf_adds(ret, "}\n");
}

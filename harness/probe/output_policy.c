/* The policy file: every key policies have, with its value and where that
 * was measured, or why it is left out. */
#include "harness/probe/output.h"

#include "harness/policy.h"

#include <string.h>

/* Columns of a comment. */
enum { COLUMNS = 78 };

/* A comment of as many lines as it needs. */
static void add_comment(struct buf *b, const char *text)
{
  while (*text) {
    size_t n = strlen(text);
    if (n > COLUMNS) {
      n = COLUMNS;
      while (n && text[n] != ' ')
        n--;
      if (n == 0)
        n = strcspn(text, " ");
    }
    buf_adds(b, "  // ");
    for (size_t i = 0; i < n; i++)
      buf_addc(b, (unsigned char)text[i] < 0x20 ? ' ' : text[i]);
    buf_addc(b, '\n');
    text += n + (text[n] == ' ');
  }
}

static void add_left_out(struct buf *b, const char *key,
                         const struct setting *s)
{
  bool slack = strcmp(key, "slack") == 0;
  char *text = mem_format("%s is left out: %s", key,
                          s       ? s->note
                          : slack ? "it says how busy the machine may be, and "
                                    "no client; 4 s by default"
                                  : "no experiment measures it");
  add_comment(b, text);
  free(text);
}

static size_t count_values(const struct findings *f)
{
  size_t n = 0;
  for (const struct param *p = policy_params; p->name; p++) {
    const struct setting *s = findings_setting(f, p->name);
    n += s && s->json;
  }
  return n;
}

static void add_head(struct buf *b, const struct output_names *n)
{
  struct buf line;
  buf_init(&line, (size_t)64 << 10);
  buf_adds(&line, "Measured by `faultwire probe --");
  for (size_t i = 0; n->command[i]; i++)
    buf_addf(&line, " %s", n->command[i]);
  buf_adds(&line, "`. What it should do instead is yours to write here.");
  buf_adds(b, "{\n");
  add_comment(b, buf_str(&line));
  buf_release(&line);
}

void output_policy(const struct findings *f, const struct output_names *n,
                   struct buf *ret)
{
  size_t left = count_values(f);
  add_head(ret, n);
  for (const struct param *p = policy_params; p->name; p++) {
    const struct setting *s = findings_setting(f, p->name);
    buf_addc(ret, '\n');
    if (!s || !s->json) {
      add_left_out(ret, p->name, s);
      continue;
    }
    add_comment(ret, s->note);
    buf_addf(ret, "  \"%s\": %s%s\n", p->name, s->json, --left ? "," : "");
  }
  buf_adds(ret, "}\n");
}

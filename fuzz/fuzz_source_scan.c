/*
 * fuzz_source_scan.c - source texts, as `faultwire mutate generate` reads
 * them. First byte: the language.
 */
#include "fuzz/fuzz.h"
#include "mutants/edit.h"
#include "mutants/generate/operator.h"

static void check_spans(const struct source *s)
{
  size_t at = 0;

  for (int i = 0; i < s->spans.n; i++) {
    const struct span *p = &s->spans.item[i];

    PROPERTY(p->start == at && p->end > at, "spans follow each other");
    PROPERTY(p->kind <= SPAN_REGEX, "a span is of one of the kinds");
    PROPERTY(p->inner_start <= p->inner_end, "an inner part has two ends");
    if (p->inner_end > 0)
      PROPERTY(p->inner_start > p->start && p->inner_end < p->end,
               "the inner part lies between the quotes");
    at = p->end;
  }
  PROPERTY(at == s->text.n, "the spans are the whole text");
}

static void check_tokens(const struct source *s)
{
  size_t at = 0;

  for (int i = 0; i < s->n; i++) {
    const struct token *t = &s->token[i];

    PROPERTY(t->start >= at && t->end >= t->start && t->end <= s->text.n,
             "tokens follow each other");
    PROPERTY(t->match >= -1 && t->match < s->n && t->match != i,
             "a partner is another token");
    if (t->match >= 0)
      PROPERTY(s->token[t->match].match == i, "partners know each other");
    at = t->end;
  }
}

/* Applied by the plan's rule, the edit changes the bytes that were meant. */
static void check_edit(const struct source *s, const struct suggestion *g)
{
  struct plan_edit e = {"f", g->find, g->replace, 1};
  struct diag diag = {0};
  struct buf after, want;

  PROPERTY(g->start <= g->end && g->end <= s->text.n,
           "a change lies in the text");
  PROPERTY(*g->find != '\0', "there is something to find");
  buf_init(&after, SIZE_MAX / 2);
  buf_init(&want, SIZE_MAX / 2);
  buf_add(&want, s->text.p, g->start);
  buf_adds(&want, g->with);
  buf_add(&want, s->text.p + g->end, s->text.n - g->end);
  PROPERTY(edit_apply(&e, s->text, &after, &diag) == 0,
           "the text to find is there once");
  PROPERTY(bytes_equal(buf_bytes(&after), buf_bytes(&want)),
           "the edit does what was suggested");
  PROPERTY(!bytes_equal(buf_bytes(&after), s->text), "an edit changes a text");
  buf_release(&want);
  buf_release(&after);
}

/* In order, no more than asked for in one line. */
static void check_order(const struct suggestions *found, int per_line)
{
  int in_line = 0;

  for (int i = 0; i < found->n; i++) {
    const struct suggestion *g = &found->item[i];
    bool same = i > 0 && g->line == g[-1].line;

    PROPERTY(i == 0 || g->start >= g[-1].start, "suggestions are in order");
    in_line = same ? in_line + 1 : 1;
    PROPERTY(in_line <= per_line, "a line has no more than asked for");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct source s;
  struct suggestions found;
  char *text;

  if (size == 0 || size > SOURCE_MAX_BYTES)
    return 0;
  text = fuzz_copy(data + 1, size - 1);
  source_init(&s, &LANGUAGES[data[0] % LANGUAGE_COUNT],
              (struct bytes){text, size - 1});
  check_spans(&s);
  check_tokens(&s);
  operators_run(&s, UINT64_MAX, 3, &found);
  check_order(&found, 3);
  /* a text with a NUL is refused before (entries.c) */
  for (int i = 0; i < found.n && !memchr(text, '\0', size - 1); i++)
    check_edit(&s, &found.item[i]);
  suggestions_release(&found);
  source_release(&s);
  free(text);
  return 0;
}

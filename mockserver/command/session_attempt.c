#include "mockserver/command/session.h"

#include "mockserver/mask.h"

#include <string.h>

/* Kept of all arguments and of all names together, as of a request's head. */
#define MAX_WORDS ((size_t)64 << 10)

static void copy(char *ret, size_t size, const char *text)
{
  snprintf(ret, size, "%s", text);
}

static bool ends_with(const char *text, const char *end)
{
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* The word behind --api-key, --token and their like, and a key by its form. */
static bool is_secret(const char *word, const char *before)
{
  return strncmp(word, "sk-", 3) == 0 ||
         (before && *before == '-' &&
          (ends_with(before, "key") || ends_with(before, "token")));
}

static void add_word(struct buf *b, const char *word, const char *before)
{
  if (!is_secret(word, before)) {
    buf_adds(b, word);
    return;
  }
  char *masked = mem_alloc(mask_length(bytes_of(word)) + 1);
  size_t n = (size_t)(mask_value(masked, bytes_of(word)) - masked);
  buf_add(b, masked, n);
  free(masked);
}

/* A copy that lives as long as the attempt. */
static char *keep(struct session *s, struct bytes text)
{
  char *kept = journal_text(s->host->o.journal, s->attempt, text.n + 1);
  if (text.n)
    memcpy(kept, text.p, text.n);
  kept[text.n] = '\0';
  return kept;
}

/* Words one behind the other, each with its NUL. */
static char *keep_words(struct session *s, const struct word_list *l,
                        size_t *ret_bytes)
{
  struct buf b;
  buf_init(&b, MAX_WORDS);
  for (size_t i = 0; i < l->n && !b.full; i++) {
    add_word(&b, l->word[i], i ? l->word[i - 1] : NULL);
    buf_addc(&b, '\0');
  }
  char *kept = keep(s, buf_bytes(&b));
  *ret_bytes = b.n;
  buf_release(&b);
  return kept;
}

static char *keep_line(struct session *s)
{
  struct buf b;
  buf_init(&b, MAX_WORDS);
  buf_adds(&b, s->start.name);
  for (size_t i = 1; i < s->argv.n; i++) {
    buf_addc(&b, ' ');
    add_word(&b, s->argv.word[i], s->argv.word[i - 1]);
  }
  char *kept = keep(s, buf_bytes(&b));
  buf_release(&b);
  return kept;
}

static void fill_start(struct session *s, struct attempt *a)
{
  struct bytes in = s->start.in;
  a->is_start = true;
  copy(a->method, sizeof a->method, "START");
  a->target = keep_line(s);
  a->argv = keep_words(s, &s->argv, &a->argv_bytes);
  a->env = keep_words(s, &s->env, &a->env_bytes);
  a->headers = keep(s, BYTES(""));
  a->body_hash = bytes_hash(in);
  a->body_bytes = in.n;
  a->body_kept = in.n < JOURNAL_BODY_BYTES ? in.n : JOURNAL_BODY_BYTES;
  if (!journal_keeps_bodies(s->host->o.journal))
    a->body_kept = 0;
  a->body = keep(s, (struct bytes){in.p, a->body_kept});
  a->first_byte_ns = s->begin_ns;
  a->end_request_ns = session_now(s);
  copy(a->lane, sizeof a->lane, s->lane);
  snprintf(a->provider, sizeof a->provider, "%.31s", s->start.name);
}

static void fill_choice(const struct session *s, const struct choice *c,
                        struct attempt *a)
{
  bool faulty = c->step && c->step->faulty;
  a->cls = ATTEMPT_CALL;
  a->injected = faulty;
  if (c->step)
    a->step = c->step->index;
  if (s->held_back)
    copy(a->rule, sizeof a->rule, "no_faults");
  else if (c->rule == RULE_STEP)
    snprintf(a->rule, sizeof a->rule, "step %d", c->step->index);
  else
    copy(a->rule, sizeof a->rule, "after_script");
}

void session_journal(struct session *s, const struct choice *choice,
                     const struct command_said *said)
{
  struct attempt *a = s->attempt = journal_add(s->host->o.journal);
  a->cls = ATTEMPT_SIDE;
  copy(a->rule, sizeof a->rule, "side");
  fill_start(s, a);
  if (choice)
    fill_choice(s, choice, a);
  copy(a->fault, sizeof a->fault, a->injected ? said->says : "none");
  copy(a->what, sizeof a->what, said->what);
  copy(a->retry_after, sizeof a->retry_after, said->retry_after);
  a->has_retry_after = said->has_retry_after;
  if (s->host->on_attempt)
    s->host->on_attempt(s->host->on_attempt_arg, a);
}

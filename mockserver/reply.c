#include "mockserver/reply.h"

#include <string.h>

/* Where the next word begins: behind `at`, at the blanks in front of it. */
static size_t next_word(const char *text, size_t at)
{
  while (text[at] == ' ')
    at++;
  while (text[at] && text[at] != ' ')
    at++;
  return at;
}

static size_t count_words(const char *text)
{
  size_t n = 0;
  for (size_t at = 0; text[at]; at = next_word(text, at))
    n++;
  return n ? n : 1;
}

uint64_t reply_chunks(const char *text, uint64_t chunks)
{
  return chunks ? chunks : count_words(text);
}

static void find_words(struct reply *r)
{
  r->nwords = count_words(r->text);
  r->word_at = mem_alloc((r->nwords + 1) * sizeof *r->word_at);
  size_t at = 0;
  for (size_t i = 0; i < r->nwords; i++) {
    r->word_at[i] = at;
    at = next_word(r->text, at);
  }
  r->word_at[r->nwords] = strlen(r->text);
}

void reply_init(struct reply *r, struct bytes model, const char *text,
                uint64_t chunks)
{
  memset(r, 0, sizeof *r);
  r->model = bytes_dup(model);
  r->text = mem_strdup(text);
  find_words(r);
  r->chunks = chunks ? chunks : r->nwords;
}

void reply_copy(struct reply *r, const struct reply *from)
{
  *r = *from;
  r->model = mem_strdup(from->model);
  r->text = mem_strdup(from->text);
  find_words(r);
}

void reply_release(struct reply *r)
{
  free(r->model);
  free(r->text);
  free(r->word_at);
  memset(r, 0, sizeof *r);
}

static struct bytes piece(const struct reply *r, uint64_t i)
{
  uint64_t n = r->nwords, first = i % n, end = first + 1;
  if (r->chunks <= n) {
    first = i * n / r->chunks;
    end = (i + 1) * n / r->chunks;
  }
  return (struct bytes){r->text + r->word_at[first],
                        r->word_at[end] - r->word_at[first]};
}

/* buf_add_json writes the quotes too; they are not wanted here. */
static void add_inside(struct bytes s, struct buf *ret)
{
  struct buf quoted;
  buf_init(&quoted, 6 * s.n + 16);
  buf_add_json(&quoted, s);
  buf_add(ret, quoted.p + 1, quoted.n - 2);
  buf_release(&quoted);
}

void reply_piece_json(const struct reply *r, uint64_t i, struct buf *ret)
{
  struct bytes s = piece(r, i);
  /* the first word has no blank in front of it when it comes again */
  if (i > 0 && (s.n == 0 || s.p[0] != ' '))
    buf_addc(ret, ' ');
  add_inside(s, ret);
}

void reply_text_json(const struct reply *r, struct buf *ret)
{
  for (uint64_t i = 0; i < r->chunks; i++)
    reply_piece_json(r, i, ret);
}

#include "mockserver/reply.h"

#include <string.h>

const char *const stop_words[] = {"end_turn",
                                  "max_tokens",
                                  "stop_sequence",
                                  "tool_use",
                                  "pause_turn",
                                  "refusal",
                                  "content_filter",
                                  "model_context_window_exceeded",
                                  NULL};

/* Bytes of a word from which on it counts one token more. */
enum { TOKEN_BYTES = 16 };

/* Ceiling of one block's text: a scripted stream may hold big events. */
enum { MAX_BLOCK = 64 << 20 };

void reply_init(struct reply *r, struct bytes model)
{
  memset(r, 0, sizeof *r);
  r->model = bytes_dup(model);
}

static void block_free(struct block *b)
{
  buf_release(&b->text);
  free(b->name);
  free(b->cut_at);
  free(b->tokens_at);
  free(b);
}

void reply_release(struct reply *r)
{
  for (size_t i = 0; i < r->nblocks; i++)
    block_free(r->blocks[i]);
  free(r->blocks);
  free(r->model);
  free(r->stop_sequence);
  memset(r, 0, sizeof *r);
}

static void *copy_array(const void *from, size_t n, size_t size)
{
  void *copy = mem_alloc(n * size);
  if (n)
    memcpy(copy, from, n * size);
  return copy;
}

static struct block *block_copy(const struct block *from)
{
  struct block *b = mem_zalloc(sizeof *b);
  size_t n = from->npieces ? from->npieces + 1 : 0;
  *b = *from;
  buf_init(&b->text, MAX_BLOCK);
  buf_addb(&b->text, buf_bytes(&from->text));
  b->name = from->name ? mem_strdup(from->name) : NULL;
  b->cut_at = copy_array(from->cut_at, n, sizeof *b->cut_at);
  b->tokens_at = copy_array(from->tokens_at, n, sizeof *b->tokens_at);
  b->cap = n;
  return b;
}

void reply_copy(struct reply *r, const struct reply *from)
{
  *r = *from;
  r->model = mem_strdup(from->model);
  r->stop_sequence =
      from->stop_sequence ? mem_strdup(from->stop_sequence) : NULL;
  r->blocks = mem_alloc((from->nblocks + 1) * sizeof *r->blocks);
  for (size_t i = 0; i < from->nblocks; i++)
    r->blocks[i] = block_copy(from->blocks[i]);
}

struct block *reply_add(struct reply *r, enum block_kind kind)
{
  struct block *b = mem_zalloc(sizeof *b);
  b->kind = kind;
  buf_init(&b->text, MAX_BLOCK);
  r->blocks = mem_realloc(r->blocks, (r->nblocks + 1) * sizeof *r->blocks);
  r->blocks[r->nblocks++] = b;
  return b;
}

/* A token a word, however it is cut: the word a piece ends in goes on with
 * the next. */
static uint64_t count_tokens(struct block *b, struct bytes piece)
{
  for (size_t i = 0; i < piece.n; i++) {
    if (piece.p[i] != ' ') {
      b->word++;
      continue;
    }
    b->tokens += b->word ? 1 + b->word / TOKEN_BYTES : 0;
    b->word = 0;
  }
  return b->tokens + (b->word ? 1 + b->word / TOKEN_BYTES : 0);
}

void block_add(struct block *b, struct bytes piece)
{
  if (b->npieces + 2 > b->cap) {
    b->cap = b->cap ? 2 * b->cap : 8;
    b->cut_at = mem_realloc(b->cut_at, b->cap * sizeof *b->cut_at);
    b->tokens_at = mem_realloc(b->tokens_at, b->cap * sizeof *b->tokens_at);
  }
  if (b->npieces == 0)
    b->cut_at[0] = b->tokens_at[0] = 0;
  buf_addb(&b->text, piece);
  b->npieces++;
  b->cut_at[b->npieces] = b->text.n;
  b->tokens_at[b->npieces] = count_tokens(b, piece);
  b->chunks = b->npieces;
}

/* Where the next word begins: behind `at`, at the blanks in front of it. */
static size_t next_word(const char *text, size_t at)
{
  while (text[at] == ' ')
    at++;
  while (text[at] && text[at] != ' ')
    at++;
  return at;
}

void block_add_words(struct block *b, const char *text, uint64_t chunks)
{
  size_t at = 0;
  do {
    size_t end = next_word(text, at);
    block_add(b, (struct bytes){text + at, end - at});
    at = end;
  } while (text[at]);
  if (chunks)
    b->chunks = chunks;
}

void block_add_parts(struct block *b, struct bytes text, uint64_t n)
{
  size_t at = 0;
  for (uint64_t i = 0; i < n; i++) {
    size_t end = (size_t)((i + 1) * text.n / n);
    /* 10xxxxxx goes on with a character (RFC 3629, section 3) */
    while (end < text.n && ((unsigned char)text.p[end] & 0xc0) == 0x80)
      end++;
    if (end > at || text.n == 0)
      block_add(b, (struct bytes){text.p + at, end - at});
    at = end > at ? end : at;
  }
}

static struct bytes piece(const struct block *b, uint64_t i)
{
  uint64_t n = b->npieces, first = i % n, end = first + 1;
  if (b->chunks <= n) {
    first = i * n / b->chunks;
    end = (i + 1) * n / b->chunks;
  }
  return (struct bytes){b->text.p ? b->text.p + b->cut_at[first] : "",
                        b->cut_at[end] - b->cut_at[first]};
}

/* The first word has no blank in front of it when it comes again. */
static bool needs_blank(const struct block *b, uint64_t i, struct bytes s)
{
  return b->chunks > b->npieces && i > 0 && (s.n == 0 || s.p[0] != ' ');
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

void block_piece_json(const struct block *b, uint64_t i, struct buf *ret)
{
  struct bytes s = piece(b, i);
  if (needs_blank(b, i, s))
    buf_addc(ret, ' ');
  add_inside(s, ret);
}

void block_text_json(const struct block *b, struct buf *ret)
{
  for (uint64_t i = 0; i < b->chunks; i++)
    block_piece_json(b, i, ret);
}

void block_text(const struct block *b, struct buf *ret)
{
  for (uint64_t i = 0; i < b->chunks; i++) {
    struct bytes s = piece(b, i);
    if (needs_blank(b, i, s))
      buf_addc(ret, ' ');
    buf_addb(ret, s);
  }
}

uint64_t block_tokens(const struct block *b, uint64_t i)
{
  uint64_t n = b->npieces;
  if (n == 0)
    return 0;
  if (b->chunks <= n)
    return b->tokens_at[i * n / b->chunks];
  return i / n * b->tokens_at[n] + b->tokens_at[i % n];
}

static uint64_t sum_tokens(const struct reply *r, bool thoughts_alone)
{
  uint64_t n = 0;
  for (size_t i = 0; i < r->nblocks; i++)
    if (!thoughts_alone || r->blocks[i]->kind == BLOCK_THINKING)
      n += block_tokens(r->blocks[i], r->blocks[i]->chunks);
  return n;
}

uint64_t reply_output_tokens(const struct reply *r)
{
  return sum_tokens(r, false);
}

uint64_t reply_thought_tokens(const struct reply *r)
{
  return sum_tokens(r, true);
}

size_t reply_count(const struct reply *r, enum block_kind kind, size_t block)
{
  size_t n = 0;
  for (size_t i = 0; i < block && i < r->nblocks; i++)
    n += r->blocks[i]->kind == kind;
  return n;
}

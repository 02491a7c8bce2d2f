/*
 * fuzz_cli_output.c - what a command printed. First byte: bit 0 stderr, bits
 * 1 and 2 the exit code (none, 0, 1, 173), the others who it was; then the
 * output.
 */
#include "fuzz/answer.h"
#include "fuzz/fuzz.h"

#include "base/buf.h"

static const char *const clients[] = {NULL,         "claude-code", "codex",
                                      "gemini-cli", "litellm",     "curl",
                                      "openai",     "nobody"};

static struct guard_answer answer_of(uint8_t choice)
{
  static const int codes[] = {0, 0, 1, 173};
  int code = (choice >> 1) & 3;

  return (struct guard_answer){.provider = clients[(choice >> 3) & 7],
                               .channel =
                                   choice & 1 ? GUARD_STDERR : GUARD_STDOUT,
                               .has_exit_code = code > 0,
                               .exit_code = codes[code],
                               .now_epoch_ms = FUZZ_NOW_EPOCH_S * 1000};
}

/* Judged from a copy with no byte behind it. */
static struct guard_verdict judge(struct guard_answer a, struct bytes text)
{
  char *copy = fuzz_copy(text.p, text.n);
  struct guard_verdict v;

  a.body = copy;
  a.body_n = text.n;
  v = guard_classify(&a);
  fuzz_check_verdict(&v);
  free(copy);
  return v;
}

static bool same(const struct guard_verdict *a, const struct guard_verdict *b)
{
  return a->cls == b->cls && a->retryable == b->retryable &&
         a->hint == b->hint &&
         (a->hint != GUARD_HINT_WAIT || a->wait_ms == b->wait_ms);
}

static bool has(struct bytes text, char c)
{
  return text.n > 0 && memchr(text.p, c, text.n);
}

/* Lines alone: no document, whose end would have to be found. */
static void check_lines(struct guard_answer a, struct bytes text,
                        const struct guard_verdict *v)
{
  struct buf other;
  struct guard_verdict w;

  buf_init(&other, SIZE_MAX / 2);
  buf_adds(&other, "Loaded cached credentials.\n");
  buf_addb(&other, text);
  w = judge(a, buf_bytes(&other));
  PROPERTY(same(v, &w), "a line of no meaning in front changes nothing");
  buf_reset(&other);
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] == '\n' && !has(text, '\r'))
      buf_adds(&other, "\r\n");
    else
      buf_addc(&other, text.p[i]);
  w = judge(a, buf_bytes(&other));
  PROPERTY(v->cls == w.cls, "lines may end in CR LF");
  buf_release(&other);
}

/* Claude Code's own sentence about a limit instead of an answer. */
static bool is_limit_alone(struct bytes text)
{
  static const char *const begins[] = {"API Error: ", "You've ", "Claude "};

  while (text.n > 0 && (text.p[0] == ' ' || text.p[0] == '\n'))
    text = (struct bytes){text.p + 1, text.n - 1};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (bytes_starts(text, bytes_of(begins[i])))
      return true;
  return false;
}

static void check_exit(struct guard_answer a, struct bytes text,
                       const struct guard_verdict *v)
{
  bool document = has(text, '{') || has(text, '[');

  if (a.has_exit_code && a.exit_code == 0 && !document)
    PROPERTY(v->cls == GUARD_NONE || is_limit_alone(text),
             "after exit code 0 text is the answer");
  if (a.has_exit_code && a.exit_code == 0 && is_limit_alone(text))
    return; /* on stdout only */
  a.channel = a.channel == GUARD_STDOUT ? GUARD_STDERR : GUARD_STDOUT;
  struct guard_verdict w = judge(a, text);
  PROPERTY(same(v, &w), "both outputs are read alike");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct guard_answer a;
  struct guard_verdict v;
  struct bytes text;

  if (size == 0)
    return 0;
  a = answer_of(data[0]);
  text = (struct bytes){(const char *)data + 1, size - 1};
  v = judge(a, text);
  check_exit(a, text, &v);
  if (!has(text, '{') && !has(text, '[') && !is_limit_alone(text))
    check_lines(a, text, &v);
  return 0;
}

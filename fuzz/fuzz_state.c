/*
 * fuzz_state.c - the file that breaker and budget are shared in. First byte:
 * 0 the file as it stands; 1 the same, and its check sum behind it; 2 the
 * numbers of the file, one a line (an empty line: 0), in the form and with
 * the check sum that the program gives them.
 */
#include "fuzz/fuzz.h"
#include "guard/command/peek.h"

#include <inttypes.h>

/* The file has under 2 KB (peek.c). */
enum { MAX_BYTES = 8192 };

static struct shared untouched(void)
{
  struct shared s;

  memset(&s, 0x5a, sizeof s);
  return s;
}

/* A good text less a byte, or with another, is no good text. */
static void check_torn(const struct buf *text)
{
  struct shared s;

  for (size_t i = 0; i < text->n; i += 1 + i / 8) {
    char *copy = fuzz_copy(text->p, text->n);
    struct bytes cut = {copy, i};

    PROPERTY(shared_decode(cut, &s) == (i ? SHARED_TORN : SHARED_EMPTY),
             "a file that was cut is torn");
    copy[i] ^= 1;
    PROPERTY(shared_decode((struct bytes){copy, text->n}, &s) != SHARED_OK,
             "a file with another byte is torn or foreign");
    free(copy);
  }
}

static void check_good(const struct shared *s)
{
  struct shared again;
  struct buf text, second;
  struct guard_policy p;

  guard_policy_default(&p);
  buf_init(&text, MAX_BYTES);
  buf_init(&second, MAX_BYTES);
  shared_encode(s, &text);
  PROPERTY(!text.full, "the file stays below its ceiling");
  PROPERTY(shared_decode(buf_bytes(&text), &again) == SHARED_OK,
           "what is written can be read");
  shared_encode(&again, &second);
  PROPERTY(bytes_equal(buf_bytes(&text), buf_bytes(&second)),
           "writing and reading changes nothing");
  check_torn(&text);
  buf_reset(&second);
  peek_describe(s, &p, FUZZ_NOW_EPOCH_S * 1000, &second);
  PROPERTY(bytes_starts(buf_bytes(&second), BYTES("state: ")),
           "every state can be told");
  buf_release(&second);
  buf_release(&text);
}

static struct bytes take_line(struct bytes *rest)
{
  const char *lf = rest->n > 0 ? memchr(rest->p, '\n', rest->n) : NULL;
  struct bytes line = {rest->p, lf ? (size_t)(lf - rest->p) : rest->n};

  rest->p += line.n + (lf ? 1 : 0);
  rest->n -= line.n + (lf ? 1 : 0);
  return line;
}

/* The text of a fresh state with other numbers in it. */
static void add_numbers(struct buf *ret, struct bytes numbers)
{
  static const struct shared fresh;
  struct buf form;
  struct bytes rest, line;

  buf_init(&form, MAX_BYTES);
  shared_encode(&fresh, &form);
  rest = buf_bytes(&form);
  while ((line = take_line(&rest)).n > 0 && rest.n > 0) {
    struct bytes number = take_line(&numbers);
    bool is_number = line.n > 2 && line.p[line.n - 2] == ' ' &&
                     line.p[line.n - 1] == '0' && number.n > 0;

    buf_add(ret, line.p, is_number ? line.n - 1 : line.n);
    if (is_number)
      buf_addb(ret, number);
    buf_addc(ret, '\n');
  }
  buf_release(&form);
}

static void make_text(struct buf *ret, const uint8_t *data, size_t size)
{
  struct bytes rest = {(const char *)data + 1, size - 1};

  if (data[0] % 3 == 2)
    add_numbers(ret, rest);
  else
    buf_addb(ret, rest);
  if (data[0] % 3 > 0)
    buf_addf(ret, "sum %016" PRIx64 "\n", bytes_hash(buf_bytes(ret)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct shared s = untouched(), before = s;
  struct buf text;
  char *copy;
  enum shared_read found;

  if (size == 0)
    return 0;
  buf_init(&text, MAX_BYTES);
  make_text(&text, data, size);
  copy = fuzz_copy(buf_str(&text), text.n);
  found = shared_decode((struct bytes){copy, text.n}, &s);
  PROPERTY(found <= SHARED_FOREIGN, "the finding is one of four");
  PROPERTY((found == SHARED_EMPTY) == (text.n == 0), "empty is empty");
  if (found == SHARED_OK)
    check_good(&s);
  else
    PROPERTY(memcmp(&s, &before, sizeof s) == 0,
             "without a good file nothing is set");
  free(copy);
  buf_release(&text);
  return 0;
}

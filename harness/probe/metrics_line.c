#include "harness/probe/metrics_line.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>

#define MAX_PATTERN ((size_t)16 << 10)
/* PCRE2's longest name of a group. */
enum { MAX_NAME = 32, MIN_PAIRS = 2 };

static bool is_name(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* The length of a name= that begins here, or 0. */
static size_t name_length(const char *at)
{
  size_t n = 0;
  if (!isalpha((unsigned char)*at) && *at != '_')
    return 0;
  while (is_name(at[n]))
    n++;
  return at[n] == '=' && n <= MAX_NAME ? n : 0;
}

static size_t digits(const char *at)
{
  return strspn(at, "0123456789");
}

/* The length of a number that begins here, or 0. */
static size_t number_length(const char *at)
{
  size_t n = digits(at);
  if (n && at[n] == '.' && digits(at + n + 1))
    n += 1 + digits(at + n + 1);
  return n;
}

static void add_literal(struct buf *b, char c)
{
  if (strchr("\\^$.[]|()?*+{}", c))
    buf_addc(b, '\\');
  buf_addc(b, c);
}

/* A name may be a group's name once. */
static bool used(const struct buf *b, const char *name, size_t n)
{
  char *group = mem_format("(?<%.*s>", (int)n, name);
  bool there = b->n && strstr(buf_str(b), group);
  free(group);
  return there;
}

/* The value behind name=; returns what was read of it. */
static size_t add_value(struct buf *b, const char *name, size_t n,
                        size_t *pairs)
{
  const char *value = name + n + 1;
  size_t length = number_length(value);
  bool whole = length == digits(value);
  if (length == 0) {
    length = strcspn(value, " \t,;\r");
    buf_adds(b, length ? "\\S+" : "");
    return length;
  }
  ++*pairs;
  if (used(b, name, n))
    buf_adds(b, "[0-9.]+");
  else
    buf_addf(b, "(?<%.*s>%s)", (int)n, name, whole ? "\\d+" : "[0-9.]+");
  return length;
}

static char *pattern_of(const char *line, size_t *ret_pairs)
{
  struct buf b;
  buf_init(&b, MAX_PATTERN);
  *ret_pairs = 0;
  for (const char *at = line; *at;) {
    size_t n = at == line || !is_name(at[-1]) ? name_length(at) : 0;
    if (n == 0) {
      add_literal(&b, *at++);
      continue;
    }
    buf_addf(&b, "%.*s=", (int)n, at);
    at += n + 1 + add_value(&b, at, n, ret_pairs);
  }
  char *pattern = buf_detach(&b);
  return pattern ? pattern : mem_strdup("");
}

char *metrics_pattern(const char *text, char **ret_line)
{
  char *best = NULL, *best_line = NULL;
  while (*text) {
    size_t n = strcspn(text, "\n"), pairs = 0;
    char *line = bytes_dup((struct bytes){text, n});
    char *pattern = pattern_of(line, &pairs);
    if (pairs >= MIN_PAIRS) {
      free(best);
      free(best_line);
      best = pattern;
      best_line = line;
    } else {
      free(pattern);
      free(line);
    }
    text += n + (text[n] == '\n');
  }
  if (best)
    *ret_line = best_line;
  return best;
}

/*
 * answer.c - see answer.h.
 */
#include "fuzz/answer.h"

#include "base/buf.h"
#include "fuzz/fuzz.h"

/* Cuts `line` at the next space and returns the word. */
static char *next_word(char **line)
{
  char *word = *line;
  char *space = strchr(word, ' ');

  if (space) {
    *space = '\0';
    *line = space + 1;
  } else {
    *line = word + strlen(word);
  }
  return word;
}

/* Up to three digits; -1 when there are none. */
static int small_number(const char *s)
{
  int value = 0;

  if (s[0] < '0' || s[0] > '9')
    return -1;
  for (int i = 0; i < 3 && s[i] >= '0' && s[i] <= '9'; i++)
    value = value * 10 + (s[i] - '0');
  return value;
}

static void read_first_line(struct guard_answer *a, char *line)
{
  static const char *const channels[] = {"http", "sse", "stdout", "stderr"};
  const char *provider = next_word(&line);
  const char *channel = next_word(&line);
  int status = small_number(next_word(&line));
  int exit_code = small_number(line);

  a->provider = provider[0] && strcmp(provider, "-") != 0 ? provider : NULL;
  for (int i = 0; i < 4; i++)
    if (strcmp(channel, channels[i]) == 0)
      a->channel = (enum guard_channel)i;
  a->status = status > 0 ? status : 0;
  a->has_exit_code = exit_code >= 0;
  a->exit_code = exit_code >= 0 ? exit_code : 0;
}

static void read_header(struct fuzz_answer *a, char *line)
{
  char *colon = strchr(line, ':');
  char *value;

  if (!colon || a->answer.nheaders == FUZZ_MAX_HEADERS)
    return;
  *colon = '\0';
  value = colon + 1;
  while (*value == ' ')
    value++;
  a->headers[a->answer.nheaders++] =
      (struct guard_header){line, value, strlen(value)};
}

void fuzz_answer_init(struct fuzz_answer *a, const void *p, size_t n)
{
  char *at, *end;
  bool first = true;

  memset(a, 0, sizeof(*a));
  a->text = fuzz_text(p, n);
  a->answer.headers = a->headers;
  a->answer.now_epoch_ms = FUZZ_NOW_EPOCH_S * 1000;
  end = a->text + n;
  for (at = a->text; at < end; first = false) {
    char *line = at;
    char *lf = memchr(at, '\n', (size_t)(end - at));

    at = lf ? lf + 1 : end;
    if (lf)
      *lf = '\0';
    if (first)
      read_first_line(&a->answer, line);
    else if (line[0] == '\0')
      break;
    else
      read_header(a, line);
  }
  a->answer.body_n = (size_t)(end - at);
  a->body = fuzz_copy(at, a->answer.body_n);
  a->answer.body = a->body;
}

void fuzz_answer_release(struct fuzz_answer *a)
{
  free(a->text);
  free(a->body);
}

void fuzz_check_verdict(const struct guard_verdict *v)
{
  PROPERTY(v->cls >= GUARD_NONE && v->cls < GUARD_NCLASSES,
           "the class is one of the list");
  PROPERTY(guard_class_name(v->cls) != NULL, "every class has a name");
  PROPERTY(v->hint >= GUARD_HINT_ABSENT && v->hint <= GUARD_HINT_STOP,
           "the hint is one of the four");
  PROPERTY(v->rule && v->rule[0], "a verdict names its rule");
  if (v->hint == GUARD_HINT_WAIT)
    PROPERTY(v->wait_ms >= 0, "a wait is never negative");
  PROPERTY(v->reset_epoch_s >= 0, "a reset is an epoch or 0");
  if (v->cls == GUARD_NONE)
    PROPERTY(!v->retryable, "no error, no retry");
  if (v->hint == GUARD_HINT_STOP)
    PROPERTY(!v->retryable, "a server that forbids a retry gets none");
}

#include "tests/unit/unit.h"

#include "tests/wire/asker.h"

#include "base/number.h"
#include "base/param.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void open_asker(struct asker *a, const char *json)
{
  memset(a, 0, sizeof *a);
  wire_open(&a->w, json);
  buf_init(&a->got, (size_t)16 << 20);
}

static void forget(struct asker *a)
{
  if (a->doc.root)
    json_release(&a->doc);
  memset(&a->doc, 0, sizeof a->doc);
}

void close_asker(struct asker *a)
{
  forget(a);
  buf_release(&a->got);
  wire_close(&a->w);
}

static void send_pieces(struct asker *a, int fd, struct bytes text)
{
  while (text.n) {
    a->seed = a->seed * 1103515245u + 12345u;
    size_t n = a->seed ? 1 + (a->seed >> 16) % 200 : text.n;
    n = n < text.n ? n : text.n;
    ssize_t k = send(fd, text.p, n, MSG_NOSIGNAL);
    assert_int_equal(k, (ssize_t)n);
    wire_sync(&a->w);
    text = (struct bytes){text.p + n, text.n - n};
  }
}

struct bytes body_of(const struct asker *a)
{
  struct bytes all = buf_bytes(&a->got);
  ptrdiff_t at = bytes_find(all, BYTES("\r\n\r\n"));
  if (at < 0)
    fail_msg("no head in '%s'", buf_str(&a->got));
  return (struct bytes){all.p + at + 4, all.n - (size_t)at - 4};
}

int ask_bytes(struct asker *a, const char *line, const char *headers,
              struct bytes body)
{
  struct buf text;
  uint64_t status = 0;
  unsigned seed = a->seed;
  int fd = wire_connect(&a->w);
  buf_init(&text, 1 << 20);
  buf_addf(&text, "%s HTTP/1.1\r\nHost: h:1\r\n%scontent-length: %zu\r\n\r\n",
           line, headers, body.n);
  buf_addb(&text, body);
  buf_reset(&a->got);
  forget(a);
  if (seed)
    send_pieces(a, fd, buf_bytes(&text));
  else
    assert_int_equal(send(fd, text.p, text.n, MSG_NOSIGNAL), (ssize_t)text.n);
  wire_sync(&a->w);
  wire_take(fd, &a->got);
  close(fd);
  wire_sync(&a->w);
  buf_release(&text);
  assert_true(a->got.n > 12);
  assert_int_equal(number_u64((struct bytes){a->got.p + 9, 3}, 999, &status),
                   NUMBER_OK);
  return (int)status;
}

/* The status; the JSON of the answer, if it is any, in a->doc. */
int ask(struct asker *a, const char *line, const char *headers,
        const char *body)
{
  struct diag diag = {0};
  int status = ask_bytes(a, line, headers, bytes_of(body));
  if (json_parse(&a->doc, "answer", body_of(a), &diag) < 0)
    memset(&a->doc, 0, sizeof a->doc);
  return status;
}

const char *word(const struct asker *a, const char *key)
{
  const char *text = "(absent)";
  param_string(a->doc.root, key, &text);
  return text;
}

void must_say(const struct asker *a, const char *text)
{
  if (!strstr(buf_str(&a->got), text))
    fail_msg("'%s' is not in\n%s", text, buf_str(&a->got));
}

int get(struct asker *a, const char *path, const char *behind,
        const char *headers)
{
  char line[256];
  snprintf(line, sizeof line, "GET %s%s", path, behind);
  return ask(a, line, headers, "");
}

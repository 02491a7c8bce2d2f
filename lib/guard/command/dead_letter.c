#include "dead_letter.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
  LINE_MAX_BYTES = 8 << 20,
  /* of a prompt or of all arguments; JSON makes at most six bytes of one */
  CONTENT_MAX_BYTES = 1 << 20
};

static void add_text(struct buf *b, const char *key, const char *text)
{
  buf_addf(b, ",\"%s\":", key);
  if (text)
    buf_add_json(b, bytes_of(text));
  else
    buf_adds(b, "null");
}

/* Seconds with three places, null for a negative one. */
static void add_seconds(struct buf *b, const char *key, int64_t ms)
{
  if (ms < 0)
    buf_addf(b, ",\"%s\":null", key);
  else
    buf_addf(b, ",\"%s\":%" PRId64 ".%03d", key, ms / 1000, (int)(ms % 1000));
}

static void add_time(struct buf *b, const char *key, int64_t epoch_s)
{
  char text[21];
  /* year 9999: RFC 3339 has four digits */
  if (epoch_s <= 0 || epoch_s > INT64_C(253402300799)) {
    buf_addf(b, "\"%s\":null", key);
    return;
  }
  clock_rfc3339(epoch_s, text);
  buf_addf(b, "\"%s\":\"%s\"", key, text);
}

static void add_verdict(struct buf *b, const struct gate_end *end)
{
  const struct guard_verdict *v = &end->verdict;
  char why[1024];
  diag_format(&end->diag, why, sizeof why);
  add_text(b, "end", end->step == GUARD_DEGRADE ? "degraded" : "given_up");
  add_text(b, "class", guard_class_name(v->cls));
  add_text(b, "rule", v->rule);
  add_text(b, "why", end->diag.set ? why : end->why);
  buf_addf(b, ",\"tries\":%d", end->tries);
  add_seconds(b, "waited_s", end->waited_ms);
  add_seconds(b, "asked_s", v->hint == GUARD_HINT_WAIT ? v->wait_ms : -1);
  add_seconds(b, "retry_in_s", end->retry_in_ms > 0 ? end->retry_in_ms : -1);
  buf_addc(b, ',');
  add_time(b, "reset", v->reset_epoch_s);
}

static void add_argv(struct buf *b, char *const *argv)
{
  buf_adds(b, ",\"argv\":[");
  for (int i = 0; argv[i]; i++) {
    buf_adds(b, i ? "," : "");
    buf_add_json(b, bytes_of(argv[i]));
  }
  buf_addc(b, ']');
}

/* What was asked for: the prompt, or the arguments with a NUL behind each. */
static void asked_for(const struct dead_letter *d, struct buf *ret)
{
  if (d->prompt)
    buf_adds(ret, d->prompt);
  for (int i = 0; d->argv && d->argv[i]; i++)
    buf_add(ret, d->argv[i], strlen(d->argv[i]) + 1);
}

static void add_content(struct buf *b, const struct dead_letter *d)
{
  struct buf asked;
  /* all of it comes from the command line, which the kernel bounds */
  buf_init(&asked, (size_t)64 << 20);
  asked_for(d, &asked);
  buf_addf(b, ",\"hash\":\"fnv1a64:%016" PRIx64 "\"",
           bytes_hash(buf_bytes(&asked)));
  if (d->content && asked.n > CONTENT_MAX_BYTES)
    buf_adds(b, ",\"content\":\"too large\"");
  else if (d->content && d->argv)
    add_argv(b, d->argv);
  else if (d->content)
    add_text(b, "prompt", d->prompt);
  buf_release(&asked);
}

void dead_letter_encode(const struct dead_letter *d, struct buf *ret)
{
  buf_addc(ret, '{');
  add_time(ret, "time", d->now_ms / 1000);
  add_text(ret, "label", d->label);
  add_text(ret, "form", d->argv ? "command" : "http");
  add_verdict(ret, d->end);
  add_text(ret, "once", d->once);
  if (d->argv) {
    add_text(ret, "command", d->argv[0]);
  } else {
    add_text(ret, "provider", d->provider);
    add_text(ret, "model", d->model);
    add_text(ret, "idempotency_key", d->idempotency_key);
  }
  add_content(ret, d);
  buf_adds(ret, "}\n");
}

static int lock(int fd)
{
  int rc;
  do
    rc = flock(fd, LOCK_EX);
  while (rc < 0 && errno == EINTR);
  return rc;
}

/* True when the file's last line has no end: its writer died. */
static bool is_cut(int fd)
{
  char last;
  off_t size = lseek(fd, 0, SEEK_END);
  return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* One write, so that a reader sees the line whole or not at all, and on the
 * disk afterwards; a device or a pipe cannot be synced and needs it not. */
static int put(int fd, struct bytes line)
{
  ssize_t n;
  do
    n = write(fd, line.p, line.n);
  while (n < 0 && errno == EINTR);
  if (n >= 0 && (size_t)n < line.n) {
    errno = ENOSPC;
    return -1;
  }
  if (n < 0)
    return -1;
  return fsync(fd) < 0 && errno != EINVAL && errno != EROFS ? -1 : 0;
}

int dead_letter_append(const char *path, struct bytes line, struct diag *diag)
{
  struct buf text;
  int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600), rc = 0;
  if (fd < 0)
    return diag_set(diag, "cannot open '%s': %s", path, strerror(errno));
  buf_init(&text, LINE_MAX_BYTES + 1);
  if (lock(fd) < 0) {
    rc = diag_set(diag, "cannot lock '%s': %s", path, strerror(errno));
  } else {
    buf_adds(&text, is_cut(fd) ? "\n" : "");
    buf_addb(&text, line);
    if (put(fd, buf_bytes(&text)) < 0)
      rc = diag_set(diag, "cannot write '%s': %s", path, strerror(errno));
  }
  buf_release(&text);
  close(fd);
  return rc;
}

void dead_letter_write(const struct settings_records *s, struct dead_letter *d)
{
  struct diag diag = {0};
  struct buf line;
  if (!s->dead_letters || d->end->step == GUARD_DONE)
    return;
  d->content = s->dead_letters_content;
  buf_init(&line, LINE_MAX_BYTES);
  dead_letter_encode(d, &line);
  if (dead_letter_append(s->dead_letters, buf_bytes(&line), &diag) < 0)
    fprintf(stderr, "guard: the dead letter is lost: %s\n", diag.text);
  buf_release(&line);
}

/*
 * faultwire-shim - stands in for a command-line client of an LLM (claude,
 * codex, gemini or any other name).
 *
 * It lies in a folder under the name it stands in for, beside the socket of
 * a running server. It tells the server its arguments, the names of its
 * variables and, when asked, its stdin, and does what the server says:
 * writes, waits for the next word, ends. No libraries beyond libc, no stdio
 * and no clock, so that a start costs about as much as /bin/true.
 */
#include "mockserver/command/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

extern char **environ;

enum { MAX_PATH_BYTES = 4096, STDIN_PIECE_BYTES = 32 << 10, FIRST_OWN_FD = 3 };

static char out[64 << 10]; /* frames that are not sent yet */
static size_t out_n;
static char payload[SHIM_MAX_PAYLOAD];
static char folder[MAX_PATH_BYTES];
static const char *name = ""; /* of this program in its folder */

static void write_all(int fd, const char *p, size_t n)
{
  while (n) {
    ssize_t done = write(fd, p, n);
    if (done < 0 && errno != EINTR)
      return;
    if (done > 0) {
      p += done;
      n -= (size_t)done;
    }
  }
}

static void say(const char *text)
{
  write_all(STDERR_FILENO, text, strlen(text));
}

static _Noreturn void lost(const char *what)
{
  say("faultwire-shim: ");
  say(what);
  say(": ");
  say(folder[0] ? folder : ".");
  say("/" SHIM_SOCKET "; start `faultwire serve --shim-dir` with this folder, "
      "or take it off PATH\n");
  _exit(SHIM_EXIT_LOST);
}

/* --- frames ------------------------------------------------------------- */

static void flush(int fd)
{
  size_t at = 0;
  while (at < out_n) {
    ssize_t n = send(fd, out + at, out_n - at, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR)
      lost("the server of this stand-in is gone");
    at += n > 0 ? (size_t)n : 0;
  }
  out_n = 0;
}

static void put(int fd, const char *p, size_t n)
{
  while (n) {
    if (out_n == sizeof out)
      flush(fd);
    size_t part = sizeof out - out_n < n ? sizeof out - out_n : n;
    memcpy(out + out_n, p, part);
    out_n += part;
    p += part;
    n -= part;
  }
}

static void frame(int fd, enum shim_frame kind, const char *p, size_t n)
{
  char head[SHIM_HEAD_BYTES] = {(char)kind};
  n = n < SHIM_MAX_PAYLOAD ? n : SHIM_MAX_PAYLOAD;
  for (int i = 0; i < 4; i++)
    head[i + 1] = (char)(n >> (8 * i) & 0xff);
  put(fd, head, sizeof head);
  put(fd, p, n);
}

static void done(int fd)
{
  frame(fd, SHIM_DONE, "", 0);
  flush(fd);
}

/* The connection's end between two frames is as bad as inside one. */
static void take(int fd, char *p, size_t n)
{
  while (n) {
    ssize_t got = read(fd, p, n);
    if (got == 0 || (got < 0 && errno != EINTR))
      lost("the server of this stand-in is gone");
    if (got > 0) {
      p += got;
      n -= (size_t)got;
    }
  }
}

static enum shim_frame next(int fd, size_t *ret_n)
{
  unsigned char head[SHIM_HEAD_BYTES];
  size_t n = 0;
  take(fd, (char *)head, sizeof head);
  for (int i = 0; i < 4; i++)
    n |= (size_t)head[i + 1] << (8 * i);
  if (n > sizeof payload)
    lost("the server of this stand-in speaks another version");
  take(fd, payload, n);
  *ret_n = n;
  return (enum shim_frame)head[0];
}

/* --- the start ---------------------------------------------------------- */

/* The folder this program lies in, whatever the name it was called by. */
static void find_folder(void)
{
  ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
  while (n > 0 && folder[n - 1] != '/')
    n--;
  name = folder + n;
  folder[n > 0 ? n - 1 : 0] = '\0';
}

/* By way of the folder's descriptor: a path of its own may be longer than
 * the 107 bytes an address of a socket takes. */
static int reach(void)
{
  static const char proc[] = "/proc/self/fd/", file[] = "/" SHIM_SOCKET;
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  char digits[12];
  size_t at = sizeof digits, n = sizeof proc - 1;
  int dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (dir < 0 || fd < 0)
    lost("cannot look for the server of this stand-in");
  for (int rest = dir; rest || at == sizeof digits; rest /= 10)
    digits[--at] = (char)('0' + rest % 10);
  memcpy(a.sun_path, proc, n);
  memcpy(a.sun_path + n, digits + at, sizeof digits - at);
  memcpy(a.sun_path + n + sizeof digits - at, file, sizeof file);
  while (connect(fd, (const struct sockaddr *)(const void *)&a, sizeof a) < 0)
    if (errno != EINTR)
      lost("no server answers for this stand-in");
  close(dir);
  /* A client may start it with 0, 1 or 2 closed: those are not ours. */
  if (fd > STDERR_FILENO)
    return fd;
  int own = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_OWN_FD);
  close(fd);
  return own;
}

static void introduce(int fd, char **argv)
{
  static const char lane[] = SHIM_LANE "=";
  frame(fd, SHIM_NAME, name, strlen(name));
  for (char **a = argv; *a; a++)
    frame(fd, SHIM_ARG, *a, strlen(*a));
  for (char **e = environ; e && *e; e++) {
    frame(fd, SHIM_ENV, *e, strcspn(*e, "="));
    if (strncmp(*e, lane, sizeof lane - 1) == 0)
      frame(fd, SHIM_LANE_IS, *e + sizeof lane - 1,
            strlen(*e + sizeof lane - 1));
  }
  frame(fd, SHIM_HELLO, "", 0);
  flush(fd);
}

/* Until its end, or until the server has heard enough. A terminal is never
 * read: nobody sits there. */
static void read_stdin(int fd)
{
  struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                        {.fd = fd, .events = POLLIN}};
  bool more = !isatty(STDIN_FILENO);
  while (more) {
    if (poll(p, 2, -1) < 0)
      continue;
    if (p[1].revents)
      break; /* STOP_STDIN, or the server has gone */
    ssize_t n = read(STDIN_FILENO, payload, STDIN_PIECE_BYTES);
    more = n > 0 || (n < 0 && errno == EINTR);
    if (n > 0)
      frame(fd, SHIM_DATA, payload, (size_t)n);
    flush(fd);
  }
  frame(fd, SHIM_STDIN_END, "", 0);
  flush(fd);
}

/* Without a core file: the death is scripted. */
static _Noreturn void die(int sig)
{
  sigset_t set;
  prctl(PR_SET_DUMPABLE, 0);
  signal(sig, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, sig);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  raise(sig);
  _exit(128 + sig); /* a signal whose default is to go on */
}

static void obey(int fd, enum shim_frame kind, size_t n)
{
  unsigned char number = n ? (unsigned char)payload[0] : 0;
  switch (kind) {
  case SHIM_READ_STDIN:
    read_stdin(fd);
    break;
  case SHIM_IGNORE:
    signal(number, SIG_IGN);
    break;
  case SHIM_WRITE_OUT:
  case SHIM_WRITE_ERR:
    write_all(kind == SHIM_WRITE_OUT ? STDOUT_FILENO : STDERR_FILENO, payload,
              n);
    done(fd);
    break;
  case SHIM_CLOSE_OUT:
    close(STDOUT_FILENO);
    break;
  case SHIM_CLOSE_ERR:
    close(STDERR_FILENO);
    break;
  case SHIM_EXIT:
    done(fd);
    _exit(number);
  case SHIM_KILL:
    done(fd);
    die(number);
  default:
    break; /* STOP_STDIN that came late */
  }
}

int main(int argc, char **argv)
{
  (void)argc;
  find_folder();
  int fd = reach();
  introduce(fd, argv);
  for (;;) {
    size_t n = 0;
    enum shim_frame kind = next(fd, &n);
    obey(fd, kind, n);
  }
}

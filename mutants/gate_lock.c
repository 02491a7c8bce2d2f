/*
 * OUT/lock.json: who works in OUT, held with flock as long as the run lives,
 * so that a second run does not move the first one's results away. The lock
 * ends with the process, whatever ends it; the file alone locks nothing.
 */
#include "mutants/gate.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int gate_lock_check(const char *out, struct diag *diag)
{
  char *path = mem_format("%s/lock.json", out);
  int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
    rc = diag_set(diag,
                  "another run works in '%s' (see lock.json); choose another "
                  "--out",
                  out);
  if (fd >= 0)
    close(fd);
  free(path);
  return rc;
}

static void describe(const struct gate *g, struct buf *ret)
{
  char now[32];
  clock_rfc3339(clock_wall_epoch_s(clock_real()), now);
  buf_addf(ret, "{\"faultwire\": \"%s\", \"pid\": %ld, \"started\": \"%s\", ",
           FAULTWIRE_VERSION, (long)getpid(), now);
  buf_adds(ret, "\"plan\": ");
  buf_add_json(ret, bytes_of(g->options->plan));
  buf_adds(ret, "}\n");
}

int gate_lock_take(struct gate *g, struct diag *diag)
{
  struct buf text;
  char *path = mem_format("%s/lock.json", g->out);
  buf_init(&text, 65536);
  describe(g, &text);
  int rc = file_write(path, buf_bytes(&text), diag);
  if (rc == 0) {
    g->lock = open(path, O_RDONLY | O_CLOEXEC);
    if (g->lock < 0 || flock(g->lock, LOCK_EX | LOCK_NB) < 0)
      rc = diag_set(diag, "cannot lock '%s': %s", path, strerror(errno));
  }
  buf_release(&text);
  free(path);
  return rc;
}

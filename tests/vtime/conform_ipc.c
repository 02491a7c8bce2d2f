/* Waits of the older and the rarer kinds: System V semaphores, message
 * queues, recvmmsg, asynchronous I/O, locks with priority inheritance, a full
 * socket. */
#include "base/clock.h"
#include "tests/vtime/conform.h"
#include "tests/vtime/lateness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sem = -1;
static mqd_t inbox = -1, outbox = -1;
static aio_context_t io;
static uint32_t lock;
static int orders[2]; /* to the owner of the lock */
static int full[2];   /* a pair whose first one cannot send */

/* ---- waits ---- */

static int w_semaphore(int64_t ns)
{
  struct sembuf take = {0, -1, 0};
  struct timespec t = spec(ns);
  return semtimedop(sem, &take, 1, &t);
}

static int w_mq_receive(int64_t ns)
{
  char text[16];
  struct timespec t = at(CLOCK_REALTIME, ns);
  return (int)mq_timedreceive(inbox, text, sizeof text, NULL, &t);
}

static int w_mq_send(int64_t ns)
{
  struct timespec t = at(CLOCK_REALTIME, ns);
  return mq_timedsend(outbox, "y", 1, 0, &t);
}

static int w_recvmmsg(int64_t ns)
{
  char c;
  struct iovec v = {&c, 1};
  struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};
  struct timespec t = spec(ns);
  return recvmmsg(pair[0], &m, 1, 0, &t);
}

static int w_aio(int64_t ns)
{
  struct io_event event;
  struct iocb poll_in = {.aio_lio_opcode = IOCB_CMD_POLL,
                         .aio_fildes = (uint32_t)pair[0],
                         .aio_buf = POLLIN};
  struct iocb *list[] = {&poll_in};
  struct timespec t = spec(ns);
  if (syscall(SYS_io_setup, 1, &io) != 0 ||
      syscall(SYS_io_submit, io, 1, list) != 1)
    return -2;
  return (int)syscall(SYS_io_getevents, io, 1, 1, &event, &t);
}

/* May take long, so that it is no part of the wait. */
static void end_aio(void)
{
  syscall(SYS_io_destroy, io);
  io = 0;
}

static int lock_until(int op, clockid_t id, int64_t ns)
{
  struct timespec t = at(id, ns);
  int rc = (int)syscall(SYS_futex, &lock, op, 0, &t, NULL, 0);
  int error = errno;
  if (rc == 0)
    syscall(SYS_futex, &lock, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
  errno = error;
  return rc;
}

static int w_lock(int64_t ns)
{
  return lock_until(FUTEX_LOCK_PI_PRIVATE, CLOCK_REALTIME, ns);
}

static int w_lock2(int64_t ns)
{
  /* FUTEX_LOCK_PI2, of 5.14 on */
  return lock_until(13 | FUTEX_PRIVATE_FLAG, CLOCK_MONOTONIC, ns);
}

static int w_send(int64_t ns)
{
  struct timeval t = {ns / NS_PER_S, ns % NS_PER_S / 1000};
  setsockopt(full[0], SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
  return (int)send(full[0], "x", 1, 0);
}

/* ---- events ---- */

static void give_semaphore(void)
{
  struct sembuf give = {0, 1, 0};
  semop(sem, &give, 1);
}

static void put_in(void)
{
  mq_send(inbox, "x", 1, 0);
}

static void take_out(void)
{
  char text[16];
  mq_receive(outbox, text, sizeof text, NULL);
}

static void fill_up(void)
{
  struct timespec none = {0, 0};
  while (mq_timedsend(outbox, "z", 1, 0, &none) == 0)
    continue;
}

static void order(const char *what)
{
  char done;
  if (write(orders[0], what, 1) != 1 || read(orders[0], &done, 1) != 1)
    perror("order");
}

static void give_lock(void)
{
  order("u");
}

static void take_lock(void)
{
  order("l");
}

static void drain(void)
{
  static char room[4096];
  while (recv(full[1], room, sizeof room, MSG_DONTWAIT) > 0)
    continue;
}

static void fill(void)
{
  static const char much[4096];
  drain();
  while (send(full[0], much, sizeof much, MSG_DONTWAIT) > 0)
    continue;
  while (send(full[0], much, 1, MSG_DONTWAIT) > 0)
    continue;
}

const struct way ipc_ways[] = {
    {.name = "semtimedop",
     .wait = w_semaphore,
     .event = true,
     .signal = true,
     .happen = give_semaphore},
    {.name = "mq_timedreceive",
     .wait = w_mq_receive,
     .event = true,
     .signal = true,
     .happen = put_in},
    {.name = "mq_timedsend",
     .wait = w_mq_send,
     .event = true,
     .signal = true,
     .happen = take_out,
     .clean = fill_up},
    {.name = "recvmmsg", .wait = w_recvmmsg, .event = true, .for_ever = true},
    {.name = "io_getevents",
     .wait = w_aio,
     .event = true,
     .signal = true,
     .clean = end_aio},
    {.name = "lock_pi",
     .wait = w_lock,
     .event = true,
     .signal = true,
     .happen = give_lock,
     .clean = take_lock},
    {.name = "lock_pi2",
     .wait = w_lock2,
     .event = true,
     .signal = true,
     .happen = give_lock,
     .clean = take_lock},
    {.name = "send",
     .wait = w_send,
     .event = true,
     .happen = drain,
     .clean = fill},
};
const size_t n_ipc_ways = sizeof ipc_ways / sizeof ipc_ways[0];

/* ---- other lines ---- */

/* What was set is what one gets. */
void socket_options(void)
{
  static const int names[] = {SO_RCVTIMEO, SO_SNDTIMEO};
  struct timeval t = {5, 200000}, got = {0, 0};
  int p[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) != 0)
    return;
  for (int i = 0; i < 2; i++) {
    socklen_t n = sizeof got;
    getsockopt(p[0], SOL_SOCKET, names[i], &got, &n);
    printf("socket option %d before: %ld %ld\n", i, (long)got.tv_sec,
           (long)got.tv_usec);
    t.tv_sec += i;
    setsockopt(p[0], SOL_SOCKET, names[i], &t, sizeof t);
    getsockopt(p[0], SOL_SOCKET, names[i], &got, &n);
    printf("socket option %d after: %ld %ld, %u bytes\n", i, (long)got.tv_sec,
           (long)got.tv_usec, n);
  }
  close(p[0]);
  close(p[1]);
}

static uint32_t from, to;

static void *requeue_and_wake(void *arg)
{
  const int64_t *unit = arg;
  struct timespec t = spec(*unit);
  nanosleep(&t, NULL);
  union {
    void *p;
    unsigned long n; /* futex(2): how many go to the other futex */
  } most = {.n = 1};
  syscall(SYS_futex, &from, FUTEX_REQUEUE_PRIVATE, 0, most.p, &to, 0);
  nanosleep(&t, NULL);
  syscall(SYS_futex, &to, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  lateness_add_thread();
  return NULL;
}

/* A waiter that is given to another futex, and woken there. */
void requeued(void)
{
  struct timespec t = spec(4 * unit_ns);
  pthread_t other;
  begin();
  pthread_create(&other, NULL, requeue_and_wake, &unit_ns);
  say("futex", "requeued",
      (int)syscall(SYS_futex, &from, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0));
  pthread_join(other, NULL);
}

void condition(void)
{
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  struct timespec end = at(CLOCK_REALTIME, 2 * unit_ns);
  begin();
  pthread_mutex_lock(&m);
  errno = pthread_cond_timedwait(&c, &m, &end);
  say("cond_timedwait", "expires", errno ? -1 : 0);
  pthread_mutex_unlock(&m);
}

/* ---- before ---- */

/* Owns the lock; does as it is told. */
static void *own_lock(void *arg)
{
  char what;
  int op;
  while (read(orders[1], &what, 1) == 1) {
    op = what == 'l' ? FUTEX_LOCK_PI_PRIVATE : FUTEX_UNLOCK_PI_PRIVATE;
    /* "l": mostly ours already, EDEADLK */
    syscall(SYS_futex, &lock, op, 0, NULL, NULL, 0);
    lateness_add_thread();
    if (write(orders[1], &what, 1) != 1)
      break;
  }
  return arg;
}

static mqd_t queue(void)
{
  char name[32];
  struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = 16};
  snprintf(name, sizeof name, "/conform%d", getpid());
  mqd_t q = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600, &a);
  mq_unlink(name);
  return q;
}

int prepare_ipc(void)
{
  pthread_t owner;
  sem = semget(IPC_PRIVATE, 1, 0600);
  inbox = queue();
  outbox = queue();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, orders) != 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, full) != 0)
    return -1;
  pthread_create(&owner, NULL, own_lock, NULL);
  take_lock();
  fill_up();
  fill();
  return 0;
}

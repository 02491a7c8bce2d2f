/* The object's beginning: the page, the signal, the variables for exec. */
#include "harness/vtime/preload/shim/shim.h"

#include <fcntl.h>
#include <sys/mman.h>

struct vtime_page *shim_page;
struct board *shim_board;
volatile bool shim_gone;
const char *shim_variable[2];

static char variable_room[2][4096];
static bool tried;
/* As the loader hands it to constructors: a library that starts after us has
 * not set environ yet. */
static char **first_environ;

/* Low, so that it is among the first lines of /proc/PID/maps. */
#define AT ((void *)0x100000)

static const char *value_of(const char *entry, const char *name)
{
  while (*name)
    if (*entry++ != *name++)
      return NULL;
  return *entry == '=' ? entry + 1 : NULL;
}

static const char *variable(const char *name)
{
  char **list = environ ? environ : first_environ;
  const char *value = NULL;
  for (; list && *list && !value; list++)
    value = value_of(*list, name);
  return value;
}

/* False: too long. */
static bool join(char *room, const char *name, const char *value)
{
  const char *part[3] = {name, "=", value};
  size_t n = 0;
  for (int i = 0; i < 3; i++)
    for (const char *p = part[i]; *p; p++) {
      if (n + 1 >= sizeof variable_room[0])
        return false;
      room[n++] = *p;
    }
  room[n] = '\0';
  return true;
}

static void *map(const char *path)
{
  size_t size = VTIME_PAGE_BYTES + sizeof(struct board);
  long fd = S4(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0)
    return NULL;
  long at = S6(SYS_mmap, AT, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  S3(SYS_close, fd, 0, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}

/* ---- the signal ---- */

/* The kernel's struct sigaction (asm/signal.h). */
struct kernel_action {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};
#define RESTORER 0x04000000UL /* SA_RESTORER */

__asm__(".text\n"
        ".hidden shim_restorer\n"
        ".globl shim_restorer\n"
        ".type shim_restorer,@function\n"
        "shim_restorer: mov $15,%eax\n"
        "  syscall\n");
extern void shim_restorer(void);

static __thread volatile int kicked __attribute__((tls_model("initial-exec")));

static void on_kick(int sig)
{
  (void)sig;
  kicked = 1;
  if (shim_page)
    shim_arm_due();
}

bool wait_kicked(void)
{
  return kicked;
}

void wait_forget_kick(void)
{
  kicked = 0;
}

static void take_signal(void)
{
  unsigned long bit = 1UL << (BOARD_KICK - 1);
  struct kernel_action a = {on_kick, RESTORER | SA_ONSTACK | SA_RESTART,
                            shim_restorer, 0};
  S4(SYS_rt_sigaction, BOARD_KICK, &a, NULL, sizeof a.mask);
  S4(SYS_rt_sigprocmask, SIG_UNBLOCK, &bit, NULL, sizeof bit);
}

/* ---- the start ---- */

/* Another program was in this process: exec deletes such timers
 * (timer_create(2)), and its threads have gone. */
static void forget_before_exec(struct board *b)
{
  int pid = shim_pid();
  for (int i = 0; i < BOARD_TIMERS; i++)
    if (b->timer[i].state != TIMER_FREE && b->timer[i].pid == pid &&
        b->timer[i].kind == TIMER_POSIX)
      b->timer[i].state = TIMER_FREE;
  for (uint32_t i = 0; i < b->high; i++)
    if (b->slot[i].state != SLOT_FREE && b->slot[i].pid == pid)
      b->slot[i].state = SLOT_FREE;
  for (int i = 0; i < BOARD_GIVEN_UP; i++)
    if (b->given_up[i].pid == pid)
      b->given_up[i].pid = 0;
}

static __attribute__((noinline)) bool start(void)
{
  const char *path = variable(BOARD_VARIABLE), *object = variable("LD_PRELOAD");
  struct vtime_page *page = path ? map(path) : NULL;
  if (!page || page->magic != VTIME_PAGE_MAGIC)
    return false;
  struct board *b = (struct board *)(void *)((char *)page + VTIME_PAGE_BYTES);
  if (b->magic != BOARD_MAGIC || b->version != BOARD_VERSION)
    return false;
  if (object && join(variable_room[0], "LD_PRELOAD", object) &&
      join(variable_room[1], BOARD_VARIABLE, path)) {
    shim_variable[0] = variable_room[0];
    shim_variable[1] = variable_room[1];
  }
  forget_before_exec(b);
  take_signal();
  shim_board = b;
  shim_page = page;
  return true;
}

bool shim_start(void)
{
  if (tried || (!environ && !first_environ))
    return false;
  tried = true;
  return start();
}

bool shim_alone(void)
{
  if (S3(SYS_kill, shim_board->coordinator, 0, 0) != -ESRCH)
    return false;
  shim_gone = true;
  return true;
}

/* glibc gives constructors the arguments of main; musl gives none, and has
 * set environ. */
static __attribute__((constructor)) void begin(int argc, char **argv,
                                               char **envp)
{
  if (!environ && argc > 0 && argv && envp == argv + argc + 1)
    first_environ = envp;
  shim_start();
}

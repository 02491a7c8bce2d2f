/* The object's beginning: the page, the signal, the variables for exec. */
#include "harness/vtime/preload/shim/shim.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct vtime_page *shim_page;
struct board *shim_board;
volatile bool shim_gone;
const char *shim_variable[2];
const char *shim_object;
size_t shim_object_bytes;

static char variable_room[2][4096];
static bool tried;
static ino_t page_inode;
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
  struct stat st = {.st_ino = 0};
  S3(SYS_fstat, fd, &st, 0);
  page_inode = st.st_ino;
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

void wait_set_kick(bool was)
{
  kicked = was;
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
    if (b->timer[i].state != TIMER_FREE && b->timer[i].state != TIMER_BUSY &&
        b->timer[i].pid == pid && b->timer[i].kind == TIMER_POSIX)
      b->timer[i].state = TIMER_FREE;
  for (uint32_t i = 0; i < b->high; i++)
    if (b->slot[i].state != SLOT_FREE && b->slot[i].state != SLOT_TAKEN &&
        b->slot[i].pid == pid)
      b->slot[i].state = SLOT_FREE;
  for (int i = 0; i < BOARD_GIVEN_UP; i++)
    if (b->given_up[i].pid == pid)
      b->given_up[i].pid = 0;
}

/* The path of this object among those of LD_PRELOAD (ld.so(8): colons and
 * blanks between them). */
static void find_object(const char *list)
{
  static const char name[] = "/" BOARD_OBJECT;
  size_t n = 0;
  for (; *list && !shim_object; list += n + (list[n] != '\0')) {
    size_t k = sizeof name - 1;
    for (n = 0; list[n] && list[n] != ':' && list[n] != ' '; n++)
      continue;
    if (n < k)
      continue;
    while (k > 0 && list[n - (sizeof name - 1) + k - 1] == name[k - 1])
      k--;
    if (k == 0) {
      shim_object = list;
      shim_object_bytes = n;
    }
  }
}

static void keep_variables(const char *object, const char *path)
{
  if (!object || !join(variable_room[0], "LD_PRELOAD", object) ||
      !join(variable_room[1], BOARD_VARIABLE, path))
    return;
  shim_variable[0] = variable_room[0];
  shim_variable[1] = variable_room[1];
  find_object(variable_room[0] + sizeof "LD_PRELOAD");
}

extern struct shim_real real_begin[] __asm__("__start_shim_real")
    __attribute__((visibility("hidden")));
extern struct shim_real real_end[] __asm__("__stop_shim_real")
    __attribute__((visibility("hidden")));

/* What it says of names that the library does not have is not the client's. */
extern char *shim_dlerror(void) __asm__("dlerror") __attribute__((weak));

static void ask_for_all(void)
{
  for (struct shim_real *r = real_begin; shim_dlsym && r < real_end; r++)
    if (!r->f)
      r->f = shim_dlsym(SHIM_NEXT, r->name);
  if (shim_dlerror)
    shim_dlerror();
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
  keep_variables(object, path);
  forget_before_exec(b);
  take_signal();
  shim_board = b;
  timerfd_inherit();
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

static long look(const char *path, struct stat *ret)
{
  return S4(SYS_newfstatat, AT_FDCWD, path, ret, 0);
}

/* It has ended, and nobody waits for it (a zombie, whose descriptors are
 * gone), or its number is another process's. A client may have a root without
 * a /proc. */
static bool has_no_page(void)
{
  const char *path = shim_variable[1];
  struct stat st;
  if (!path)
    return false;
  long r = look(path + sizeof BOARD_VARIABLE, &st);
  if (r == -ENOENT)
    return look("/proc/self/fd", &st) == 0;
  return r == 0 && st.st_ino != page_inode;
}

bool shim_alone(void)
{
  if (!shim_gone && S3(SYS_kill, shim_board->coordinator, 0, 0) != -ESRCH &&
      !has_no_page())
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
  ask_for_all();
  shim_start();
}

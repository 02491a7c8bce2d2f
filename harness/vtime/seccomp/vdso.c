#include "harness/vtime/seccomp/vdso.h"

#include "harness/vtime/seccomp/vdso_code.h"
#include "harness/vtime/table.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* ---- the image ---- */

/* Where the entry's parts are: a jump, the boot code, the fast code. */
enum { BOOT_AT = 16, FAST_AT = 256, FAST_SIZE = 512 };

/* Pieces of the image, copied out so that nothing need be aligned. */
static bool get(struct bytes image, uint64_t at, void *ret, size_t n)
{
  if (at > image.n || image.n - at < n)
    return false;
  memcpy(ret, image.p + at, n);
  return true;
}

struct dynamic {
  uint64_t symbols, strings, hash;
};

static bool find_dynamic(struct bytes image, uint64_t *ret_at)
{
  Elf64_Ehdr e;
  Elf64_Phdr p;
  if (!get(image, 0, &e, sizeof e) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0)
    return false;
  for (int i = 0; i < e.e_phnum; i++)
    if (get(image, e.e_phoff + (uint64_t)i * sizeof p, &p, sizeof p) &&
        p.p_type == PT_DYNAMIC) {
      *ret_at = p.p_offset;
      return true;
    }
  return false;
}

static bool read_dynamic(struct bytes image, struct dynamic *ret)
{
  uint64_t at;
  Elf64_Dyn d;
  *ret = (struct dynamic){0, 0, 0};
  if (!find_dynamic(image, &at))
    return false;
  for (; get(image, at, &d, sizeof d) && d.d_tag != DT_NULL; at += sizeof d) {
    if (d.d_tag == DT_SYMTAB)
      ret->symbols = d.d_un.d_ptr;
    else if (d.d_tag == DT_STRTAB)
      ret->strings = d.d_un.d_ptr;
    else if (d.d_tag == DT_HASH)
      ret->hash = d.d_un.d_ptr;
  }
  return ret->symbols && ret->strings;
}

/* The table's length is in DT_HASH; newer kernels leave that out and put the
 * names right behind the symbols. */
static uint64_t count_symbols(struct bytes image, const struct dynamic *d)
{
  uint32_t hash[2];
  if (d->hash && get(image, d->hash, hash, sizeof hash))
    return hash[1];
  return d->strings > d->symbols ? (d->strings - d->symbols) / sizeof(Elf64_Sym)
                                 : 0;
}

static bool is_named(struct bytes image, uint64_t at, const char *name)
{
  size_t n = strlen(name) + 1;
  return at <= image.n && image.n - at >= n &&
         memcmp(image.p + at, name, n) == 0;
}

static const char *const names[VDSO_NFUNCTIONS] = {
    "__vdso_clock_gettime", "__vdso_gettimeofday", "__vdso_time"};

bool vdso_find(struct bytes image, struct vdso_function ret[VDSO_NFUNCTIONS])
{
  struct dynamic d;
  Elf64_Sym s;
  memset(ret, 0, VDSO_NFUNCTIONS * sizeof *ret);
  if (!read_dynamic(image, &d))
    return false;
  uint64_t n = count_symbols(image, &d);
  for (uint64_t i = 0; i < n; i++) {
    if (!get(image, d.symbols + i * sizeof s, &s, sizeof s))
      break;
    for (int k = 0; k < VDSO_NFUNCTIONS; k++)
      if (s.st_value < image.n &&
          is_named(image, d.strings + s.st_name, names[k]))
        ret[k] = (struct vdso_function){s.st_value, s.st_size};
  }
  return ret[VDSO_CLOCK].size > 0;
}

/* ---- the plan ---- */

static void put(struct vdso_write *w, uint64_t at, const void *p, size_t n)
{
  w->at = at;
  memcpy(w->p, p, n);
  w->n = n;
}

static void put_jump(struct vdso_write *w, uint64_t from, uint64_t to)
{
  unsigned char code[5] = {0xe9}; /* jmp rel32 */
  int32_t way = (int32_t)(to - from - sizeof code);
  memcpy(code + 1, &way, sizeof way);
  put(w, from, code, sizeof code);
}

/* mov $nr,%eax; syscall; ret */
static void put_call(struct vdso_write *w, uint64_t at, unsigned char nr)
{
  unsigned char code[] = {0xb8, nr, 0, 0, 0, 0x0f, 0x05, 0xc3};
  put(w, at, code, sizeof code);
}

/* A function that calls clock_gettime: the distance goes into it. */
static void put_caller(struct vdso_write *w, uint64_t at,
                       const unsigned char *from, const unsigned char *call,
                       const unsigned char *end, uint64_t callee)
{
  size_t place = (size_t)(call - from);
  int32_t way = (int32_t)(callee - (at + place + 5));
  put(w, at, from, (size_t)(end - from));
  memcpy(w->p + place + 1, &way, sizeof way);
}

static size_t plan_callers(const struct vdso_function *f,
                           struct vdso_write *ret, bool fast)
{
  size_t n = 0;
  uint64_t clock = f[VDSO_CLOCK].at;
  if (fast && f[VDSO_DAY].size >= (size_t)(vdso_day_end - vdso_day))
    put_caller(&ret[n++], f[VDSO_DAY].at, vdso_day, vdso_day_call, vdso_day_end,
               clock);
  else if (f[VDSO_DAY].size)
    put_call(&ret[n++], f[VDSO_DAY].at, 96);
  if (fast && f[VDSO_TIME].size >= (size_t)(vdso_time_end - vdso_time))
    put_caller(&ret[n++], f[VDSO_TIME].at, vdso_time, vdso_time_call,
               vdso_time_end, clock);
  else if (f[VDSO_TIME].size)
    put_call(&ret[n++], f[VDSO_TIME].at, 201);
  return n;
}

size_t vdso_plan(const struct vdso_function f[VDSO_NFUNCTIONS],
                 struct vdso_write ret[VDSO_MAX_WRITES], bool *ret_fast)
{
  size_t n = 0;
  uint64_t at = f[VDSO_CLOCK].at;
  *ret_fast = f[VDSO_CLOCK].size >= FAST_SIZE;
  if (*ret_fast) { /* the parts first, the entry last */
    put(&ret[n++], at + BOOT_AT, vdso_boot,
        (size_t)(vdso_boot_end - vdso_boot));
    put(&ret[n++], at + FAST_AT, vdso_clock,
        (size_t)(vdso_clock_end - vdso_clock));
    put_jump(&ret[n++], at, at + BOOT_AT);
  } else {
    put_call(&ret[n++], at, 228);
  }
  return n + plan_callers(f, ret + n, *ret_fast);
}

void vdso_plan_switch(uint64_t at, struct vdso_write *ret)
{
  put_jump(ret, at, at + FAST_AT);
}

/* ---- processes ---- */

void vdso_table_release(struct vdso_table *t)
{
  free(t->process);
  *t = (struct vdso_table){.n = 0};
}

static struct vdso_process *process_of(const struct vdso_table *t, int tgid)
{
  for (size_t i = 0; i < t->n; i++)
    if (t->process[i].tgid == tgid)
      return &t->process[i];
  return NULL;
}

static void remember(struct vdso_table *t, const struct vdso_process *p)
{
  struct vdso_process *old = process_of(t, p->tgid);
  if (!old && t->n == t->cap) {
    t->cap = t->cap ? 2 * t->cap : 16;
    t->process = mem_realloc(t->process, t->cap * sizeof *t->process);
  }
  if (!old)
    old = &t->process[t->n++];
  *old = *p;
}

/* A vDSO has two or three pages. */
enum { MAX_IMAGE = 65536, MAX_MAPS = 1 << 20 };

static int open_of(int tgid, const char *file, int flags)
{
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/%s", tgid, file);
  return open(path, flags | O_CLOEXEC);
}

static bool find_image(int tgid, struct table_map *ret)
{
  struct buf text;
  char chunk[4096];
  int fd = open_of(tgid, "maps", O_RDONLY);
  buf_init(&text, MAX_MAPS);
  for (ssize_t n; fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0;)
    buf_add(&text, chunk, (size_t)n);
  if (fd >= 0)
    close(fd);
  struct bytes rest = buf_bytes(&text);
  bool found = false;
  while (!found && table_map(&rest, ret))
    found = ret->vdso;
  buf_release(&text);
  return found;
}

static bool write_all(int fd, uint64_t base, const struct vdso_write *w,
                      size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (pwrite(fd, w[i].p, w[i].n, (off_t)(base + w[i].at)) != (ssize_t)w[i].n)
      return false;
  return true;
}

static bool patch(struct vdso_table *t, int tgid, int fd, uint64_t base,
                  struct bytes image)
{
  struct vdso_function f[VDSO_NFUNCTIONS];
  struct vdso_write w[VDSO_MAX_WRITES];
  bool fast;
  if (!vdso_find(image, f))
    return false;
  size_t n = vdso_plan(f, w, &fast);
  struct vdso_process p = {tgid, base, f[VDSO_CLOCK].at, !fast};
  remember(t, &p);
  return write_all(fd, base, w, n);
}

/* The image of a process and a descriptor for its memory; -1 with `*ret_none`
 * when it has no image, which is switched off then (vdso=0). */
static int open_image(int tgid, struct bytes *ret, uint64_t *ret_base,
                      bool *ret_none)
{
  static char image[MAX_IMAGE];
  struct table_map m;
  *ret_none = !find_image(tgid, &m);
  if (*ret_none)
    return -1;
  size_t size = m.end - m.start < sizeof image ? m.end - m.start : sizeof image;
  int fd = open_of(tgid, "mem", O_RDWR);
  if (fd >= 0 && pread(fd, image, size, (off_t)m.start) != (ssize_t)size) {
    close(fd);
    fd = -1;
  }
  *ret = (struct bytes){image, size};
  *ret_base = m.start;
  return fd;
}

bool vdso_patch(struct vdso_table *t, int tgid)
{
  struct bytes image;
  uint64_t base;
  bool none;
  int fd = open_image(tgid, &image, &base, &none);
  if (fd < 0)
    return none; /* without one every read is a call */
  bool done = patch(t, tgid, fd, base, image);
  close(fd);
  return done;
}

/* A fork has its parent's patched image, whose tables still say where. */
static struct vdso_process *adopt(struct vdso_table *t, int tgid)
{
  struct bytes image;
  struct vdso_function f[VDSO_NFUNCTIONS];
  uint64_t base;
  bool none;
  int fd = open_image(tgid, &image, &base, &none);
  if (fd < 0)
    return NULL;
  close(fd);
  if (!vdso_find(image, f))
    return NULL;
  struct vdso_process p = {tgid, base, f[VDSO_CLOCK].at, false};
  remember(t, &p);
  return process_of(t, tgid);
}

bool vdso_take_page(struct vdso_table *t, int tgid)
{
  struct vdso_process *p = process_of(t, tgid);
  if (!p)
    p = adopt(t, tgid);
  if (!p || p->booting)
    return false;
  p->booting = true;
  return true;
}

void vdso_switch(const struct vdso_table *t, int tgid)
{
  struct vdso_write w;
  const struct vdso_process *p = process_of(t, tgid);
  int fd = p ? open_of(tgid, "mem", O_RDWR) : -1;
  if (fd < 0)
    return;
  vdso_plan_switch(p->clock_at, &w);
  write_all(fd, p->base, &w, 1);
  close(fd);
}

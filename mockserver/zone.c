#include "mockserver/zone.h"

#include "base/file.h"
#include "mockserver/zone_rule.h"

#include <string.h>

#define FOLDER "/usr/share/zoneinfo/"
/* The largest zone file of tzdata has some 4 kB. */
enum { MAX_FILE = 256 << 10, MAX_ZONES = 64, MAX_NAME = 64 };
/* RFC 9636, 3.1: the header, and the sizes of its fields. */
enum { HEADER_BYTES = 44, TYPE_BYTES = 6 };

struct zone {
  struct zone *next;
  char name[MAX_NAME];
  size_t n, ntypes;
  int64_t *at_s; /* transitions */
  unsigned char *type;
  struct zone_offset *types;
  bool has_rule;
  struct zone_rule rule;
};

/* ---- TZif ---- */

static int64_t take_signed(struct bytes *s, size_t bytes)
{
  uint64_t v = (unsigned char)*s->p & 0x80 ? UINT64_MAX : 0;
  for (size_t i = 0; i < bytes; i++)
    v = v << 8 | (unsigned char)s->p[i];
  s->p += bytes;
  s->n -= bytes;
  return (int64_t)v;
}

struct header {
  char version;
  size_t isut, isstd, leap, time, type, chars;
};

static bool take_header(struct bytes *s, struct header *ret)
{
  if (s->n < HEADER_BYTES || memcmp(s->p, "TZif", 4) != 0)
    return false;
  size_t *fields[] = {&ret->isut, &ret->isstd, &ret->leap,
                      &ret->time, &ret->type,  &ret->chars};
  ret->version = s->p[4];
  struct bytes counts = {s->p + 20, 24};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    int64_t n = take_signed(&counts, 4);
    if (n < 0 || n > MAX_FILE)
      return false;
    *fields[i] = (size_t)n;
  }
  s->p += HEADER_BYTES;
  s->n -= HEADER_BYTES;
  return true;
}

static size_t data_bytes(const struct header *h, size_t time_bytes)
{
  return h->time * (time_bytes + 1) + h->type * TYPE_BYTES + h->chars +
         h->leap * (time_bytes + 4) + h->isstd + h->isut;
}

static bool read_types(struct zone *z, struct bytes s, const struct header *h)
{
  const char *chars = s.p + h->type * TYPE_BYTES;
  for (size_t i = 0; i < h->type; i++) {
    z->types[i].east_s = take_signed(&s, 4);
    size_t at = (unsigned char)s.p[1];
    if (at >= h->chars)
      return false;
    size_t n = strnlen(chars + at, h->chars - at);
    n = n < ZONE_ABBREVIATION - 1 ? n : ZONE_ABBREVIATION - 1;
    memcpy(z->types[i].name, chars + at, n);
    s.p += 2;
    s.n -= 2;
  }
  return true;
}

/* The 64-bit block, which is whole. */
static bool read_block(struct zone *z, struct bytes s, const struct header *h)
{
  z->n = h->time;
  z->ntypes = h->type;
  z->at_s = mem_zalloc((h->time + 1) * sizeof *z->at_s);
  z->type = mem_zalloc(h->time + 1);
  z->types = mem_zalloc((h->type + 1) * sizeof *z->types);
  for (size_t i = 0; i < h->time; i++) {
    z->at_s[i] = take_signed(&s, 8);
    if (i && z->at_s[i] <= z->at_s[i - 1]) /* RFC 9636, 3.2: they ascend */
      return false;
  }
  for (size_t i = 0; i < h->time; i++) {
    z->type[i] = (unsigned char)s.p[i];
    if (z->type[i] >= h->type)
      return false;
  }
  s.p += h->time;
  s.n -= h->time;
  return h->type > 0 && read_types(z, s, h);
}

static void read_footer(struct zone *z, struct bytes s)
{
  const char *end =
      s.n > 1 && *s.p == '\n' ? memchr(s.p + 1, '\n', s.n - 1) : NULL;
  if (end)
    z->has_rule = zone_rule_read(
        (struct bytes){s.p + 1, (size_t)(end - s.p) - 1}, &z->rule);
}

static bool read_file(struct zone *z, struct bytes s)
{
  struct header h;
  if (!take_header(&s, &h) || h.version < '2' || s.n < data_bytes(&h, 4))
    return false;
  size_t skip = data_bytes(&h, 4);
  s = (struct bytes){s.p + skip, s.n - skip};
  if (!take_header(&s, &h) || s.n < data_bytes(&h, 8) || !read_block(z, s, &h))
    return false;
  skip = data_bytes(&h, 8);
  read_footer(z, (struct bytes){s.p + skip, s.n - skip});
  return true;
}

struct zone *zone_parse(struct bytes file)
{
  struct zone *z = mem_zalloc(sizeof *z);
  if (read_file(z, file))
    return z;
  zone_free(z);
  return NULL;
}

void zone_free(struct zone *z)
{
  if (!z)
    return;
  free(z->at_s);
  free(z->type);
  free(z->types);
  free(z);
}

void zone_at(const struct zone *z, int64_t epoch_s, struct zone_offset *ret)
{
  size_t low = 0, high = z->n; /* the first transition behind epoch_s */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (z->at_s[middle] <= epoch_s)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == z->n && z->has_rule)
    zone_rule_at(&z->rule, epoch_s, ret);
  else /* before the first transition type 0 holds, RFC 9636 3.2 */
    *ret = z->types[low ? z->type[low - 1] : 0];
}

/* ---- by name ---- */

static bool is_name(struct bytes name)
{
  if (name.n == 0 || name.n >= MAX_NAME || *name.p == '/' ||
      bytes_find(name, BYTES("..")) >= 0)
    return false;
  for (size_t i = 0; i < name.n; i++) {
    char c = name.p[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
          (c >= '0' && c <= '9') || (c && strchr("_+-/", c))))
      return false;
  }
  return true;
}

static struct zone *utc(void)
{
  struct zone *z = mem_zalloc(sizeof *z);
  z->has_rule = zone_rule_read(BYTES("UTC0"), &z->rule);
  return z;
}

static struct zone *load(struct bytes name, const char **ret_why)
{
  char path[sizeof FOLDER + MAX_NAME];
  struct buf file;
  struct diag ignored = {0};
  struct zone *z = NULL;
  if (bytes_equal(name, BYTES("UTC")))
    return utc();
  snprintf(path, sizeof path, FOLDER "%.*s", (int)name.n, name.p);
  buf_init(&file, MAX_FILE);
  if (!file_exists(FOLDER))
    *ret_why = "needs the zones of the package tzdata, which is not installed";
  else if (file_is_folder(path) || file_read(path, &file, &ignored) < 0)
    *ret_why = "names no zone in " FOLDER;
  else if (!(z = zone_parse(buf_bytes(&file))))
    *ret_why = "names a file that is no zone";
  buf_release(&file);
  return z;
}

const struct zone *zone_find(struct bytes name, const char **ret_why)
{
  static struct zone *kept;
  static size_t n;
  if (!is_name(name)) {
    *ret_why = "needs the name of a zone such as Europe/Oslo";
    return NULL;
  }
  for (struct zone *z = kept; z; z = z->next)
    if (bytes_equal(bytes_of(z->name), name))
      return z;
  if (n == MAX_ZONES) {
    *ret_why = "names one zone too many: 64 are kept";
    return NULL;
  }
  struct zone *z = load(name, ret_why);
  if (!z)
    return NULL;
  snprintf(z->name, sizeof z->name, "%.*s", (int)name.n, name.p);
  z->next = kept;
  kept = z;
  n++;
  return z;
}

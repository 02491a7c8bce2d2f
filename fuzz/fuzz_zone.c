/*
 * fuzz_zone.c - zone files of tzdata (TZif, RFC 9636) and the rule at their
 * end. The input is a file, and all of it is read as a rule as well.
 */
#include "fuzz/fuzz.h"
#include "mockserver/zone_rule.h"

/* RFC 9636, 3.1 */
enum {
  HEADER_BYTES = 44,
  COUNTS = 6,
  ISUT = 0,
  ISSTD,
  LEAP,
  TIME,
  TYPE,
  CHARS
};
/* Further than any answer's time; far from where 64 bits end. */
#define FAR_S INT64_C(100000000000000)
/* A week and an hour, the most a rule can say. */
#define MAX_RULE_S (INT64_C(169) * 3600)

static int64_t big_endian(const char *p, size_t n)
{
  uint64_t v = (unsigned char)*p & 0x80 ? UINT64_MAX : 0;

  for (size_t i = 0; i < n; i++)
    v = v << 8 | (unsigned char)p[i];
  return (int64_t)v;
}

struct block {
  int64_t count[COUNTS];
  const char *times, *which, *types, *chars, *end;
  bool is_last; /* of the file: no rule behind it */
};

/* A block of a file that was taken, so all of it is there. */
static struct block block_at(const char *header, size_t time_bytes)
{
  struct block b = {.is_last = false};

  for (size_t i = 0; i < COUNTS; i++)
    b.count[i] = big_endian(header + 20 + 4 * i, 4);
  b.times = header + HEADER_BYTES;
  b.which = b.times + b.count[TIME] * (int64_t)time_bytes;
  b.types = b.which + b.count[TIME];
  b.chars = b.types + 6 * b.count[TYPE];
  b.end = b.chars + b.count[CHARS] + b.count[LEAP] * ((int64_t)time_bytes + 4) +
          b.count[ISSTD] + b.count[ISUT];
  return b;
}

static void must_be_type(const struct block *b, int64_t type,
                         const struct zone_offset *o, const char *sentence)
{
  const char *entry = b->types + 6 * type;
  const char *name = b->chars + (unsigned char)entry[5];

  PROPERTY(type >= 0 && type < b->count[TYPE], "a type is one of the file");
  PROPERTY(o->east_s == big_endian(entry, 4), sentence);
  PROPERTY(strncmp(o->name, name, strlen(o->name)) == 0,
           "a name is that of its type");
}

/* The type by a walk from the first transition on. */
static void check_instant(const struct zone *z, const struct block *b,
                          int64_t epoch_s)
{
  struct zone_offset o;
  int64_t n = 0;

  zone_at(z, epoch_s, &o);
  PROPERTY(memchr(o.name, '\0', sizeof o.name) != NULL, "a name ends");
  while (n < b->count[TIME] && big_endian(b->times + 8 * n, 8) <= epoch_s)
    n++;
  if (n == b->count[TIME] && !b->is_last)
    return; /* the rule's, maybe */
  must_be_type(b, n ? (unsigned char)b->which[n - 1] : 0, &o,
               "an instant has the offset of the last transition");
}

static void check_file(const char *file, size_t size, const struct zone *z)
{
  static const int64_t anchors[] = {-FAR_S, -1, 0, FUZZ_NOW_EPOCH_S, FAR_S};
  struct block first = block_at(file, 4);
  struct block b = block_at(first.end, 8);

  b.is_last = b.end == file + size;
  for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++)
    check_instant(z, &b, anchors[i]);
  for (int64_t i = 0; i < b.count[TIME] && i < 64; i++) {
    int64_t at = big_endian(b.times + 8 * i, 8);

    if (at <= -FAR_S || at >= FAR_S)
      continue;
    check_instant(z, &b, at - 1);
    check_instant(z, &b, at);
  }
}

/* Only a whole file is taken; without its rule it may still be whole. */
static void check_cut(const char *file, size_t size)
{
  struct block first = block_at(file, 4);
  struct block b = block_at(first.end, 8);
  size_t least = (size_t)(b.end - file);
  char *part = fuzz_copy(file, least - 1);
  struct zone *z = zone_parse((struct bytes){part, least - 1});

  PROPERTY(least <= size, "what is taken is all there");
  PROPERTY(z == NULL, "a file that is cut is refused");
  zone_free(z);
  free(part);
}

static void check_rule(struct bytes text)
{
  struct zone_rule r;
  struct zone_offset o;

  if (!zone_rule_read(text, &r))
    return;
  PROPERTY(*r.standard.name, "a rule has a name");
  PROPERTY(llabs(r.standard.east_s) <= MAX_RULE_S, "a rule's offset is small");
  for (int64_t at = -FAR_S; at <= FAR_S; at += FAR_S / 3) {
    zone_rule_at(&r, at, &o);
    PROPERTY(o.east_s == r.standard.east_s ||
                 (r.has_summer && o.east_s == r.summer.east_s),
             "a rule gives one of its two offsets");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *file = fuzz_copy(data, size);
  struct zone *z = zone_parse((struct bytes){file, size});

  if (z) {
    check_file(file, size, z);
    check_cut(file, size);
  }
  zone_free(z);
  check_rule((struct bytes){file, size});
  free(file);
  return 0;
}

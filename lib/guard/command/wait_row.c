#include "wait_row.h"

#include "base/number.h"

#include <string.h>

/* Most fields of one "combo". */
enum { MAX_FIELDS = 64 };
/* 9999-12-31T23:59:59Z: the last instant RFC 3339 can write. */
#define MAX_EPOCH_S INT64_C(253402300799)

static const char *const names[WAIT_COLUMNS] = {"id", "header", "raw",
                                                "now_epoch"};

int wait_columns_read(char *line, struct wait_columns *ret, struct diag *diag)
{
  char *rest = line + (line[0] == '#'), *cell;
  struct wait_columns found = {{-1, -1, -1, -1}};
  for (int at = 0; (cell = strsep(&rest, "\t")); at++)
    for (int i = 0; i < WAIT_COLUMNS; i++)
      if (strcmp(cell, names[i]) == 0 && found.place[i] < 0)
        found.place[i] = at;
  for (int i = 0; i < WAIT_COLUMNS; i++)
    if (found.place[i] < 0)
      return diag_set(diag, "the first line names no column '%s'", names[i]);
  *ret = found;
  return 0;
}

int wait_row_read(char *line, const struct wait_columns *columns,
                  struct wait_row *ret, struct diag *diag)
{
  char *rest = line, *cell;
  struct wait_row row = {{NULL}};
  for (int at = 0; (cell = strsep(&rest, "\t")); at++)
    for (int i = 0; i < WAIT_COLUMNS; i++)
      if (columns->place[i] == at)
        row.cell[i] = cell;
  for (int i = 0; i < WAIT_COLUMNS; i++)
    if (!row.cell[i])
      return diag_set(diag, "the line ends before column '%s'", names[i]);
  *ret = row;
  return 0;
}

static int hex(char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  c = (char)(c | 0x20); /* lower case */
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte of the escape behind a backslash; *p moves behind it. */
static bool take_escape(const char **p, char *ret)
{
  static const char letters[] = "\\trn", bytes[] = "\\\t\r\n";
  const char *s = *p, *letter = *s ? strchr(letters, *s) : NULL;
  if (letter) {
    *ret = bytes[letter - letters];
    *p = s + 1;
    return true;
  }
  if (*s != 'x' || hex(s[1]) < 0 || hex(s[2]) < 0)
    return false;
  *ret = (char)(hex(s[1]) * 16 + hex(s[2]));
  *p = s + 3;
  return true;
}

static int unescape(char *text, size_t *ret_n, struct diag *diag)
{
  char *to = text;
  for (const char *p = text; *p;) {
    const char *start = p;
    if (*p != '\\')
      *to++ = *p++;
    else if (p++, !take_escape(&p, to++))
      return diag_set(diag, "raw has an unknown escape '%.4s'", start);
  }
  *to = '\0';
  *ret_n = (size_t)(to - text);
  return 0;
}

static int answer_combo(char *text, int64_t now_ms, enum guard_hint *ret,
                        int64_t *ret_wait_ms, struct diag *diag)
{
  struct guard_header fields[MAX_FIELDS];
  char *rest = text, *field;
  size_t n = 0;
  while ((field = strsep(&rest, ";"))) {
    char *value = strchr(field, '=');
    if (!value || value == field)
      return diag_set(diag, "a combo is 'name=value;name=value', has '%s'",
                      field);
    if (n == MAX_FIELDS)
      return diag_set(diag, "a combo of more than %d fields", MAX_FIELDS);
    *value++ = '\0';
    fields[n++] = (struct guard_header){field, value, 0};
  }
  *ret = guard_retry_after(fields, n, now_ms, ret_wait_ms);
  return 0;
}

static int read_now(const char *text, int64_t otherwise_ms, int64_t *ret,
                    struct diag *diag)
{
  int64_t now_s;
  if (text[0] == '\0') {
    *ret = otherwise_ms;
    return 0;
  }
  if (number_i64(bytes_of(text), 0, MAX_EPOCH_S, &now_s) != NUMBER_OK)
    return diag_set(diag, "now_epoch is no time in seconds: '%s'", text);
  *ret = now_s * 1000;
  return 0;
}

int wait_row_answer(struct wait_row *row, int64_t now_epoch_ms,
                    enum guard_hint *ret, int64_t *ret_wait_ms,
                    struct diag *diag)
{
  const char *header = row->cell[WAIT_HEADER];
  char *raw = row->cell[WAIT_RAW];
  int64_t now_ms = 0;
  size_t n = 0;
  if (read_now(row->cell[WAIT_NOW], now_epoch_ms, &now_ms, diag) < 0)
    return -1;
  if (strcmp(raw, "\\N") == 0) {
    *ret = guard_retry_after(NULL, 0, now_ms, ret_wait_ms);
    return 0;
  }
  if (unescape(raw, &n, diag) < 0)
    return -1;
  if (strcmp(header, "combo") == 0)
    return answer_combo(raw, now_ms, ret, ret_wait_ms, diag);
  *ret = guard_retry_after_field(header, raw, n, now_ms, ret_wait_ms);
  return 0;
}

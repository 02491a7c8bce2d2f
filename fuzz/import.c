#include "fuzz/import.h"

#include "fuzz/fuzz.h"
#include "mockserver/import/format.h"
#include "mockserver/import/import.h"

/* One reading: 0 and the scenario, or -1 and the error. */
static int read_once(const char *format, struct bytes text, struct buf *ret,
                     struct diag *diag)
{
  struct draft d;
  const struct import_options o = {.name = "fuzz", .shape = true};
  draft_init(&d, &o);
  int rc = import_text(&d, format_find(format), "fuzz.log", text, diag);
  if (rc == 0) {
    rc = draft_write(&d, "fuzz.log", ret, diag);
    PROPERTY(rc == 0 || !strstr(diag->text, "does not load"),
             "what is imported loads");
    PROPERTY(rc < 0 || d.nitems > 0, "a scenario has steps");
  } else {
    PROPERTY(diag->set && diag->text[0], "an error has a sentence");
    PROPERTY(strcmp(diag->file, "fuzz.log") == 0, "an error names the file");
  }
  draft_release(&d);
  return rc;
}

void import_property(const char *format, const uint8_t *data, size_t size)
{
  struct diag diag = {0}, again = {0};
  struct buf first, second;
  char *copy = fuzz_copy(data, size);
  struct bytes text = {copy, size};
  buf_init(&first, JSON_MAX_BYTES);
  buf_init(&second, JSON_MAX_BYTES);
  int rc = read_once(format, text, &first, &diag);
  PROPERTY(read_once(format, text, &second, &again) == rc,
           "reading changes nothing");
  PROPERTY(bytes_equal(buf_bytes(&first), buf_bytes(&second)),
           "the same text gives the same scenario");
  format_guess(text);
  free(copy);
  buf_release(&first);
  buf_release(&second);
}

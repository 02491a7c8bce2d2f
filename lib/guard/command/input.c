#include "input.h"

#include "base/json.h"

#include <string.h>

void input_init(struct input *in, FILE *file)
{
  in->file = file;
  in->line = 0;
  buf_init(&in->text, JSON_MAX_BYTES);
}

void input_release(struct input *in)
{
  buf_release(&in->text);
}

static int check(const struct input *in, struct diag *diag)
{
  if (ferror(in->file))
    return diag_set(diag, "cannot be read");
  if (in->text.full)
    return diag_set(diag, "longer than %zu bytes", JSON_MAX_BYTES);
  return 0;
}

enum input_result input_line(struct input *in, struct diag *diag)
{
  int c = 0;
  buf_reset(&in->text);
  while (in->text.n == 0 && c != EOF) {
    in->line++;
    while ((c = getc_unlocked(in->file)) != EOF && c != '\n' && !in->text.full)
      buf_addc(&in->text, (char)c);
    if (in->text.n && in->text.p[in->text.n - 1] == '\r')
      in->text.p[--in->text.n] = '\0';
  }
  if (check(in, diag) < 0)
    return INPUT_ERROR;
  return in->text.n ? INPUT_OK : INPUT_END;
}

int input_whole(struct input *in, struct diag *diag)
{
  char piece[16384];
  size_t n;
  while (!in->text.full && (n = fread(piece, 1, sizeof piece, in->file)) > 0)
    buf_add(&in->text, piece, n);
  return check(in, diag);
}

int input_refuse(const struct input *in, struct diag *diag)
{
  char text[2048];
  fflush(stdout);
  snprintf(diag->file, sizeof diag->file, "standard input");
  /* a line is a document of its own, whose line numbers mean nothing */
  if (in->line) {
    diag->line = in->line;
    diag->column = diag->column ? diag->column : 1;
  }
  diag_format(diag, text, sizeof text);
  fprintf(stderr, "guard: %s\n", text);
  return 2;
}

int input_flush(void)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  fprintf(stderr, "guard: standard output cannot be written\n");
  return 1;
}

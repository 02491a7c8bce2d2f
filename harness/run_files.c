#include "harness/run_files.h"

#include "harness/capture.h"

#include "base/file.h"

#include <sys/stat.h>

static bool is_regular(const char *path)
{
  struct stat st;
  return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void read_one(struct client_file *file, struct buf *text,
                     const char *shared)
{
  struct diag none = {0};
  char *path = mem_format("%s/%s", shared, file->name);
  buf_init(text, CAPTURE_MAX_BYTES); /* as of an output */
  if (is_regular(path)) {
    file->there = true;
    file->cut = file_read(path, text, &none) < 0;
  }
  file->text = buf_bytes(text);
  free(path);
}

void run_files_init(struct run_files *f, const struct spec *spec,
                    const char *shared)
{
  *f = (struct run_files){
      .file = mem_zalloc((spec->nexpects + 1) * sizeof *f->file),
      .text = mem_zalloc((spec->nexpects + 1) * sizeof *f->text)};
  for (size_t i = 0; i < spec->nexpects; i++) {
    const char *name = NULL;
    if (!param_string(spec->expects[i].node, "file", &name))
      continue;
    f->file[f->n].name = name;
    read_one(&f->file[f->n], &f->text[f->n], shared);
    f->n++;
  }
}

void run_files_release(struct run_files *f)
{
  for (size_t i = 0; i < f->n; i++)
    buf_release(&f->text[i]);
  free(f->file);
  free(f->text);
  *f = (struct run_files){0};
}

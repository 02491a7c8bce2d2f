#include "tests/contract/fixture.h"

#include "base/file.h"
#include "base/param.h"

#include <string.h>

enum { MAX_FILE = 1 << 20 };

static void die(const struct diag *diag)
{
  char text[2048];
  diag_format(diag, text, sizeof text);
  fprintf(stderr, "%s\n", text);
  abort();
}

struct bytes headers_split(struct bytes wire, struct header *ret, size_t max,
                           size_t *ret_n)
{
  ptrdiff_t line = bytes_find(wire, BYTES("\r\n"));
  size_t n = 0;
  while (line >= 0) {
    size_t used = (size_t)line + 2;
    wire = (struct bytes){wire.p + used, wire.n - used};
    line = bytes_find(wire, BYTES("\r\n"));
    if (line <= 0)
      break;
    struct bytes text = {wire.p, (size_t)line};
    ptrdiff_t colon = bytes_find(text, BYTES(": "));
    if (colon < 0 || n == max)
      abort();
    ret[n].name = (struct bytes){text.p, (size_t)colon};
    ret[n++].value =
        (struct bytes){text.p + colon + 2, text.n - (size_t)colon - 2};
  }
  *ret_n = n;
  return line == 0 ? (struct bytes){wire.p + 2, wire.n - 2} : wire;
}

bool headers_find(const struct header *h, size_t n, const char *name,
                  struct bytes *ret)
{
  for (size_t i = 0; i < n; i++)
    if (bytes_equal_nocase(h[i].name, bytes_of(name))) {
      *ret = h[i].value;
      return true;
    }
  return false;
}

static void load_one(struct fixture *f, const cJSON *node, const char *folder)
{
  struct diag diag = {0};
  int64_t status = 0;
  *f = (struct fixture){.wait_ms = -1};
  if (!param_string(node, "file", &f->file) ||
      !param_string(node, "provider", &f->provider) ||
      !param_string(node, "kind", &f->kind) ||
      !param_string(node, "class", &f->cls) || !param_has(node, "source") ||
      !param_int(node, "status", &status)) {
    diag_set(&diag, "an entry of index.json lacks a key");
    die(&diag);
  }
  f->status = (int)status;
  f->step = param_node(node, "step");
  param_string(node, "model", &f->model);
  param_bool(node, "stream", &f->stream);
  param_number(node, "wait_ms", &f->wait_ms);
  char *path = mem_format("%s/%s", folder, f->file);
  buf_init(&f->bytes, MAX_FILE);
  if (file_read(path, &f->bytes, &diag) < 0)
    die(&diag);
  free(path);
  f->body = headers_split(buf_bytes(&f->bytes), f->headers, 40, &f->nheaders);
}

void fixtures_load(struct fixtures *f, const char *folder)
{
  struct diag diag = {0};
  char *path = mem_format("%s/index.json", folder);
  if (json_load(&f->doc, path, &diag) < 0)
    die(&diag);
  free(path);
  const cJSON *list = param_node(f->doc.root, "fixtures"), *node;
  f->n = (size_t)cJSON_GetArraySize(list);
  f->list = mem_zalloc((f->n + 1) * sizeof *f->list);
  size_t i = 0;
  cJSON_ArrayForEach(node, list)
  {
    load_one(&f->list[i++], node, folder);
  }
}

void fixtures_release(struct fixtures *f)
{
  for (size_t i = 0; i < f->n; i++)
    buf_release(&f->list[i].bytes);
  free(f->list);
  json_release(&f->doc);
}

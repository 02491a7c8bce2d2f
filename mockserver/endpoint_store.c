#include "mockserver/endpoint_store.h"

#include <string.h>

struct endpoint_store {
  struct endpoint_config config;
  struct stored_file *files[STORE_MAX_FILES]; /* oldest first */
  size_t nfiles;
  struct stored_batch *batches[STORE_MAX_BATCHES];
  size_t nbatches;
  size_t bytes;
};

struct endpoint_store *endpoint_store_new(const struct endpoint_config *c)
{
  struct endpoint_store *s = mem_zalloc(sizeof *s);
  s->config = *c;
  return s;
}

void endpoint_store_clear(struct endpoint_store *s)
{
  while (s->nfiles)
    store_remove_file(s, s->files[s->nfiles - 1]);
  while (s->nbatches)
    store_remove_batch(s, s->batches[s->nbatches - 1]);
}

void endpoint_store_free(struct endpoint_store *s)
{
  if (!s)
    return;
  endpoint_store_clear(s);
  free(s);
}

/* ---- files ---- */

struct stored_file *store_add_file(struct endpoint_store *s, const char *id,
                                   struct bytes name, struct bytes purpose,
                                   struct bytes bytes)
{
  if (s->nfiles == STORE_MAX_FILES || bytes.n > STORE_MAX_BYTES - s->bytes)
    return NULL;
  struct stored_file *f = mem_zalloc(sizeof *f);
  snprintf(f->id, sizeof f->id, "%s", id);
  f->name = bytes_dup(name);
  f->purpose = bytes_dup(purpose);
  buf_init(&f->bytes, STORE_MAX_BYTES);
  buf_addb(&f->bytes, bytes);
  s->bytes += bytes.n;
  s->files[s->nfiles++] = f;
  return f;
}

struct stored_file *store_find_file(struct endpoint_store *s, struct bytes id)
{
  for (size_t i = 0; i < s->nfiles; i++)
    if (bytes_equal(bytes_of(s->files[i]->id), id))
      return s->files[i];
  return NULL;
}

struct stored_file *store_file(struct endpoint_store *s, size_t i)
{
  return i < s->nfiles ? s->files[s->nfiles - 1 - i] : NULL;
}

void store_remove_file(struct endpoint_store *s, struct stored_file *f)
{
  size_t i = 0;
  while (s->files[i] != f)
    i++;
  s->nfiles--;
  memmove(&s->files[i], &s->files[i + 1], (s->nfiles - i) * sizeof *s->files);
  s->bytes -= f->bytes.n;
  free(f->name);
  free(f->purpose);
  buf_release(&f->bytes);
  free(f);
}

/* ---- batches ---- */

struct stored_batch *store_add_batch(struct endpoint_store *s, const char *id,
                                     const char *provider, int64_t now_ns)
{
  if (s->nbatches == STORE_MAX_BATCHES)
    return NULL;
  struct stored_batch *b = mem_zalloc(sizeof *b);
  snprintf(b->id, sizeof b->id, "%s", id);
  snprintf(b->provider, sizeof b->provider, "%s", provider);
  b->created_ns = now_ns;
  s->batches[s->nbatches++] = b;
  return b;
}

bool store_add_request(struct endpoint_store *s, struct stored_batch *b,
                       struct bytes custom_id, struct bytes model,
                       struct bytes body)
{
  if (body.n > STORE_MAX_BYTES - s->bytes)
    return false;
  /* grown by doubling at each power of two */
  if ((b->n & (b->n - 1)) == 0)
    b->requests =
        mem_realloc(b->requests, (b->n ? 2 * b->n : 1) * sizeof *b->requests);
  struct batch_request *r = &b->requests[b->n++];
  r->custom_id = bytes_dup(custom_id);
  r->model = bytes_dup(model);
  buf_init(&r->body, STORE_MAX_BYTES);
  buf_addb(&r->body, body);
  s->bytes += body.n;
  return true;
}

struct stored_batch *store_batch(struct endpoint_store *s, const char *provider,
                                 size_t i)
{
  for (size_t k = s->nbatches; k-- > 0;)
    if (strcmp(s->batches[k]->provider, provider) == 0 && i-- == 0)
      return s->batches[k];
  return NULL;
}

struct stored_batch *store_find_batch(struct endpoint_store *s,
                                      const char *provider, struct bytes id)
{
  struct stored_batch *b;
  for (size_t i = 0; (b = store_batch(s, provider, i)); i++)
    if (bytes_equal(bytes_of(b->id), id))
      return b;
  return NULL;
}

void store_remove_batch(struct endpoint_store *s, struct stored_batch *b)
{
  size_t i = 0;
  while (s->batches[i] != b)
    i++;
  s->nbatches--;
  memmove(&s->batches[i], &s->batches[i + 1],
          (s->nbatches - i) * sizeof *s->batches);
  for (size_t k = 0; k < b->n; k++) {
    s->bytes -= b->requests[k].body.n;
    free(b->requests[k].custom_id);
    free(b->requests[k].model);
    buf_release(&b->requests[k].body);
  }
  free(b->requests);
  free(b->endpoint);
  free(b->metadata);
  free(b);
}

/* ---- how a batch gets on ---- */

bool store_look(const struct endpoint_store *s, struct stored_batch *b,
                int64_t now_ns)
{
  if (b->state == BATCH_ENDED)
    return false;
  bool over = b->looks >= s->config.batch_polls &&
              now_ns - b->created_ns >= s->config.batch_ns;
  b->looks++;
  /* what was told to stop has stopped at the next look */
  if (!over && b->state != BATCH_CANCELING)
    return false;
  b->state = BATCH_ENDED;
  b->ended_ns = now_ns;
  return true;
}

void store_cancel(struct stored_batch *b, int64_t now_ns)
{
  if (b->state != BATCH_RUNNING)
    return;
  b->state = BATCH_CANCELING;
  b->cancel_ns = now_ns;
}

enum batch_result store_result(const struct endpoint_store *s,
                               const struct stored_batch *b, size_t i)
{
  return b->cancel_ns ? BATCH_CANCELED
                      : s->config.results[i % s->config.nresults];
}

size_t store_count(const struct endpoint_store *s, const struct stored_batch *b,
                   enum batch_result r)
{
  size_t n = 0;
  for (size_t i = 0; i < b->n; i++)
    n += store_result(s, b, i) == r;
  return n;
}

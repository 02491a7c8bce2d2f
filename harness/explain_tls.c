#include "harness/explain_part.h"

#include <inttypes.h>
#include <string.h>

static void add_connections(const struct tls_fault *f, struct buf *out)
{
  if (f->first == f->last)
    buf_addf(out, "TLS connection %" PRId64, f->first);
  else if (f->last == INT64_MAX)
    buf_addf(out, "TLS connection %" PRId64 " and every one after it",
             f->first);
  else
    buf_addf(out, "TLS connections %" PRId64 " to %" PRId64, f->first, f->last);
}

void explain_tls(const struct scenario *s, struct buf *out)
{
  const struct param *tables[] = {tls_fault_params};
  const cJSON *list = param_node(param_node(s->doc.root, "tls"), "faults");
  const cJSON *key = NULL;
  if (!s->tls.on)
    return;
  buf_adds(out, "  over HTTPS; {CA} is the file with the certificate to "
                "trust\n");
  for (size_t i = 0; i < s->tls.nfaults; i++) {
    const struct tls_fault *f = &s->tls.faults[i];
    buf_adds(out, "  - ");
    add_connections(f, out);
    buf_addf(out, ": %s\n       %s\n", f->kind->name, f->kind->summary);
    cJSON_ArrayForEach(key, cJSON_GetArrayItem(list, (int)i))
    {
      if (strcmp(key->string, "connection") && strcmp(key->string, "fault"))
        explain_key(key, explain_find(tables, 1, key->string), out);
    }
  }
}

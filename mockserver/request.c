#include "mockserver/request.h"

bool request_header(const struct request *r, const char *name,
                    struct bytes *ret)
{
  struct bytes wanted = bytes_of(name);
  for (size_t i = 0; i < r->nheaders; i++)
    if (bytes_equal_nocase(r->headers[i].name, wanted)) {
      *ret = r->headers[i].value;
      return true;
    }
  return false;
}

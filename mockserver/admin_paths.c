#include "mockserver/admin_paths.h"

/* /health and /ready: all mock servers of the kind. /_llmock: LLMock 0.2.
 * /__aimock: aimock 1.43. /retry_test: Google's storage-testbench. What they
 * have besides is not known here. */
#define RETRY_TEST "/retry_test/"
static const struct alias {
  const char *path, *name;
} aliases[] = {{"/health", "health"},
               {"/ready", "health"},
               {"/_llmock/scenario", "scenarios"},
               {"/_llmock/requests", "requests"},
               {"/_llmock/verdict", "verdict"},
               {"/_llmock/reset", "reset"},
               {"/__aimock/health", "health"},
               {"/__aimock/journal", "requests"},
               {"/__aimock/error", "error"},
               {"/__aimock/reset", "reset"},
               {"/__aimock/reset/journal", "requests/reset"},
               {"/retry_test", "retry_test"},
               {"/retry_tests", "retry_tests"}};
enum { ALIASES = sizeof aliases / sizeof *aliases };

static const struct alias *find(struct bytes path)
{
  for (size_t i = 0; i < ALIASES; i++)
    if (bytes_equal(path, bytes_of(aliases[i].path)))
      return &aliases[i];
  return NULL;
}

bool admin_is_path(struct bytes path)
{
  return bytes_starts(path, BYTES("/__admin/")) ||
         bytes_starts(path, BYTES("/_llmock/")) ||
         bytes_starts(path, BYTES("/__aimock/")) ||
         bytes_starts(path, BYTES(RETRY_TEST)) || find(path);
}

struct bytes admin_name(struct bytes path)
{
  const struct alias *a = find(path);
  if (a)
    return bytes_of(a->name);
  if (bytes_starts(path, BYTES(RETRY_TEST)))
    return (struct bytes){path.p + 1, path.n - 1};
  struct bytes prefix = BYTES("/__admin/");
  if (!bytes_starts(path, prefix))
    return path;
  return (struct bytes){path.p + prefix.n, path.n - prefix.n};
}

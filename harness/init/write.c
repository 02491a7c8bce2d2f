#include "harness/init/found.h"

#include "harness/report/report.h"

#include <string.h>

static void add_words(struct buf *b, char *const *words)
{
  buf_addc(b, '[');
  for (int i = 0; words[i]; i++) {
    if (i)
      buf_adds(b, ", ");
    buf_add_json(b, bytes_of(words[i]));
  }
  buf_addc(b, ']');
}

static void add_client(const struct found *f, struct buf *b)
{
  char unknown[] = "./my-client", *const none[] = {unknown, NULL};
  if (!f->client[0])
    buf_adds(b, "  // Not found: the command that makes one call, word by "
                "word.\n");
  else if (f->build)
    buf_addf(b, "  // From %s; `%s` makes it.\n", f->client_from, f->build);
  else if (f->client_from)
    buf_addf(b, "  // %s was found here. It should make one call and end.\n",
             f->client_from);
  else
    buf_adds(b, "  // No client was found here; guard is the reference "
                "client.\n");
  buf_adds(b, "  // {BASE} {PROVIDER} {MODE} {HOME} and others are replaced, "
              "see `faultwire test --help`.\n  \"client\": ");
  add_words(b, f->client[0] ? f->client : none);
  buf_adds(b, ",\n\n");
}

/* The variables that each provider's SDKs read (launch_env.c sets them). */
static const char *variables_of(const char *provider)
{
  if (strcmp(provider, "anthropic") == 0)
    return "ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY";
  if (strcmp(provider, "gemini") == 0)
    return "GOOGLE_GEMINI_BASE_URL and GEMINI_API_KEY";
  return "OPENAI_BASE_URL and OPENAI_API_KEY";
}

static void add_provider(const struct found *f, struct buf *b)
{
  if (f->provider) {
    buf_addf(b, "  // '%s' stands in %s.\n", f->sign, f->sign_file);
    buf_addf(b, "  \"provider\": \"%s\",\n\n", f->provider);
  } else {
    buf_adds(b, "  // Whose API: anthropic, openai, openai-responses or "
                "gemini.\n  // \"provider\": \"anthropic\",\n\n");
  }
  if (f->command)
    buf_addf(b,
             "  // It starts %s: stand-ins take its place on PATH.\n"
             "  \"channel\": \"command\",\n\n",
             f->command);
}

static void add_environment(const struct found *f, struct buf *b)
{
  buf_adds(b, "  // The client's environment is empty but for PATH, HOME and "
              "what SDKs read.\n");
  if (f->provider)
    buf_addf(b, "  // %s are set.\n", variables_of(f->provider));
  if (f->note)
    buf_addf(b, "  // %s.\n", f->note);
  buf_adds(b, "  // More of it goes here: \"MY_API_ADDRESS\": \"{BASE}\".\n"
              "  \"environment\": {},\n\n");
}

static void add_policy(const struct found *f, struct buf *b)
{
  buf_adds(b, "  // What this client should do where right answers differ "
              "(`faultwire list policy`).\n");
  if (f->policy)
    buf_addf(b, "  \"policy\": \"%s\",\n\n", f->policy);
  else
    buf_adds(b, "  // Without one, checks that need it are skipped; `faultwire "
                "probe` finds the values.\n"
                "  // \"policy\": \"faultwire-policy.json\",\n\n");
}

static void add_suite(struct buf *b)
{
  buf_adds(b, "  // Files and folders. {SCENARIOS} are those that came with "
              "faultwire.\n"
              "  \"suite\": [\"{SCENARIOS}\"],\n"
              "  // The hundred incidents are slow; leave this line out to run "
              "them too.\n"
              "  \"not_tags\": [\"case\", \"slow\"],\n\n");
}

static void add_output(struct buf *b, bool *any, const char *kind,
                       const char *file)
{
  if (!report_find(kind))
    return;
  buf_addf(b, "%s    \"%s\": \"%s\"", *any ? ",\n" : "\n", kind, file);
  *any = true;
}

static void add_outputs(const struct found *f, struct buf *b)
{
  bool any = false;
  if (f->ci)
    buf_addf(b, "  // For %s. ", f->ci);
  else
    buf_adds(b, "  // ");
  buf_adds(b, "Kinds: `faultwire list reports`.\n  \"outputs\": {");
  if (f->ci)
    add_output(b, &any, "junit", "faultwire-junit.xml");
  if (f->github)
    add_output(b, &any, "sarif", "faultwire.sarif");
  if (!f->ci)
    add_output(b, &any, "html", "faultwire.html");
  buf_adds(b, any ? "\n  },\n\n" : "},\n\n");
  buf_adds(b, "  // All of each scenario, for `faultwire judge` and `faultwire "
              "replay`.\n  // \"evidence\": \"faultwire-evidence\",\n\n");
  buf_adds(b, "  // Scenarios mostly wait: more at one time than there are "
              "cores is well.\n  \"jobs\": 4\n}\n");
}

void found_write(const struct found *f, struct buf *ret)
{
  buf_adds(ret, "// What `faultwire test` does here; docs/project.md has all "
                "keys.\n{\n");
  add_client(f, ret);
  add_provider(f, ret);
  add_environment(f, ret);
  add_policy(f, ret);
  add_suite(ret);
  add_outputs(f, ret);
}

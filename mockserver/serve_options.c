#include "mockserver/serve_options.h"

#include "base/cmdline.h"
#include "base/words.h"
#include "mockserver/engine.h"
#include "mockserver/preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than there are options. */
enum { MAX_OPTIONS = 64 };
#define VARIABLE_PREFIX "FAULTWIRE_"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static size_t append(struct option *to, const struct option *from, size_t n)
{
  memcpy(to, from, n * sizeof *from);
  return n;
}

static size_t basic_options(struct serve_options *o, struct option *ret)
{
  const struct option options[] = {
      {"port", 'p', OPTION_INT, &o->port, 0, 65535, "N",
       "port to listen on, 0 for any free one (default 8787)"},
      {"address", 'a', OPTION_STRING, &o->address, 0, 0, "IP",
       "address to listen on (default 127.0.0.1)"},
      {"allow-any-address", 0, OPTION_FLAG, &o->any_address, 0, 0, NULL,
       "accept an --address that others can reach"},
      {"journal", 'j', OPTION_STRING, &o->journal, 0, 0, "FILE",
       "write one JSON line per attempt"},
      {"provider", 0, OPTION_STRING, &o->provider, 0, 0, "NAME",
       "answer as this provider, whatever the scenario says"},
      {"quiet", 'q', OPTION_FLAG, &o->quiet, 0, 0, NULL,
       "no line per attempt on stderr"},
      {"seed", 0, OPTION_INT, &o->seed, 0, 9007199254740992.0, "N",
       "number that ids and chances come from (default: the scenario's)"},
      {"ready-fd", 0, OPTION_INT, &o->ready_fd, 0, 1 << 20, "N",
       "write the port to this descriptor when ready, and close it"},
      {"port-file", 0, OPTION_STRING, &o->port_file, 0, 0, "FILE",
       "write the port to this file when ready"},
      {"shim-dir", 0, OPTION_STRING, &o->shim_dir, 0, 0, "DIR",
       "stand in for the commands of the scenario: put DIR first on PATH"},
      {"tls", 0, OPTION_FLAG, &o->tls, 0, 0, NULL,
       "HTTPS as well, on the same port, with a CA made at start"},
      {"tls-dir", 0, OPTION_STRING, &o->tls_dir, 0, 0, "DIR",
       "HTTPS with the CA in DIR (ca.pem, ca-key.pem), made there if "
       "missing"}};
  return append(ret, options, sizeof options / sizeof *options);
}

static size_t control_options(struct serve_options *o, struct option *ret)
{
  const struct option options[] = {
      {"preset", 0, OPTION_STRING, &o->preset, 0, 0, "NAME",
       "instead of a scenario: " PRESET_NAMES},
      {"upstream", 'u', OPTION_STRING, &o->upstream, 0, 0, "URL",
       "calls the script has no step for go on to this API"},
      {"watch", 'w', OPTION_FLAG, &o->watch, 0, 0, NULL,
       "read the scenario again when its file changes (SIGHUP: at once)"},
      {"allow-force", 0, OPTION_FLAG, &o->allow_force, 0, 0, NULL,
       "a request may ask for its fault: x-faultwire-force: 529"},
      {"admin-token", 0, OPTION_STRING, &o->admin_token, 0, 0, "TOKEN",
       "admin paths need this bearer token; @FILE: what the file holds"}};
  return append(ret, options, sizeof options / sizeof *options);
}

static size_t limit_options(struct serve_options *o, struct option *ret)
{
  const struct option options[] = {
      {"lenient", 0, OPTION_FLAG, &o->lenient, 0, 0, NULL,
       "requests that are not quite HTTP are journaled, not refused"},
      {"max-head", 0, OPTION_INT, &o->max_head, 512, 1 << 20, "BYTES",
       "of a request's head (default " TEXT(ENGINE_MAX_HEAD) ")"},
      {"max-uri", 0, OPTION_INT, &o->max_target, 64, 1 << 20, "BYTES",
       "of a request's target (default " TEXT(ENGINE_MAX_TARGET) ")"},
      {"max-headers", 0, OPTION_INT, &o->max_headers, 1, 10000, "N",
       "headers of a request (default " TEXT(ENGINE_MAX_HEADERS) ")"},
      {"max-body", 0, OPTION_INT, &o->max_body, 1, 17179869184.0, "BYTES",
       "of a request's body (default " TEXT(ENGINE_MAX_BODY) ")"},
      {"body-in-memory", 0, OPTION_INT, &o->body_in_memory, 0, 1 << 30, "BYTES",
       "larger bodies go to a file (default " TEXT(ENGINE_BODY_IN_MEMORY) ")"},
      {"max-connections", 0, OPTION_INT, &o->max_connections, 1, 1 << 20, "N",
       "more wait to be accepted (default: what descriptors allow)"},
      {"request-timeout", 0, OPTION_NUMBER, &o->request_timeout_s, 0.001, 86400,
       "S",
       "for a head, and between two pieces of a body (default " TEXT(
           ENGINE_REQUEST_TIMEOUT_S) ")"},
      {"idle-timeout", 0, OPTION_NUMBER, &o->idle_timeout_s, 0.001, 86400, "S",
       "close a connection without a request (default: never)"}};
  return append(ret, options, sizeof options / sizeof *options);
}

/* ---- the environment ---- */

static void variable_name(const struct option *o, char *ret, size_t size)
{
  snprintf(ret, size, VARIABLE_PREFIX "%s", o->name);
  for (char *p = ret + sizeof VARIABLE_PREFIX - 1; *p; p++)
    *p = *p == '-' ? '_' : *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
}

static bool is_off(const char *text)
{
  return strcmp(text, "0") == 0 || strcmp(text, "false") == 0;
}

/* The word that says the same on the command line, or NULL; the caller
 * frees. */
static char *word_of(const struct option *o)
{
  char name[64];
  variable_name(o, name, sizeof name);
  const char *text = getenv(name);
  if (!text || !*text)
    return NULL;
  if (o->type == OPTION_FLAG)
    return is_off(text) ? NULL : mem_format("--%s", o->name);
  return mem_format("--%s=%s", o->name, text);
}

/* The texts live as long as the process does: options point into them. */
static int read_environment(const struct cmdline *c, struct diag *diag)
{
  char *argv[MAX_OPTIONS + 2] = {NULL}, *words[MAX_OPTIONS];
  int nwords, dash;
  size_t n = 1;
  char program[] = "serve";
  argv[0] = program;
  for (const struct option *o = c->options; o->name; o++)
    if ((argv[n] = word_of(o)) != NULL)
      n++;
  if (cmdline_parse(c, argv, words, &nwords, &dash, diag) == CMDLINE_OK)
    return 0;
  struct diag why = *diag;
  diag_clear(diag);
  return diag_set(diag, "environment (" VARIABLE_PREFIX "...): %.600s",
                  why.text);
}

/* ---- both ---- */

static int check(struct serve_options *o, struct diag *diag)
{
  char hint[256];
  if (o->preset && !words_has(preset_names, o->preset)) {
    words_hint(o->preset, preset_names, hint, sizeof hint);
    return diag_set(diag, "no preset '%s'%s", o->preset, hint);
  }
  if (o->preset && o->scenario)
    return diag_set(diag, "either a scenario or --preset, not both");
  if (o->watch && !o->scenario)
    return diag_set(diag, "--watch needs a scenario");
  return 0;
}

static enum cmdline_result parse(const struct cmdline *c,
                                 struct serve_options *o, int argc, char **argv,
                                 struct diag *diag)
{
  int nwords = 0, dash = 0;
  if (read_environment(c, diag) < 0)
    return CMDLINE_ERROR;
  char **words = mem_zalloc((size_t)argc * sizeof *words);
  enum cmdline_result r = cmdline_parse(c, argv, words, &nwords, &dash, diag);
  const char *from_environment = getenv(VARIABLE_PREFIX "SCENARIO");
  o->scenario = nwords ? words[0]
                : from_environment && *from_environment && !o->preset
                    ? from_environment
                    : NULL;
  free(words);
  if (r != CMDLINE_OK)
    return r;
  if (nwords > 1)
    diag_set(diag, "one scenario at most, not %d", nwords);
  return nwords > 1 || check(o, diag) < 0 ? CMDLINE_ERROR : CMDLINE_OK;
}

int serve_options_read(struct serve_options *ret, int argc, char **argv)
{
  struct option options[MAX_OPTIONS] = {{0}};
  struct diag diag = {0};
  *ret = (struct serve_options){.port = 8787, .seed = -1, .ready_fd = -1};
  size_t n = basic_options(ret, options);
  n += control_options(ret, options + n);
  limit_options(ret, options + n);
  const struct cmdline c = {
      .usage = "faultwire serve [OPTIONS] [SCENARIO]",
      .summary = "Answers real HTTP with the faults of a scenario.",
      .options = options,
      .footer = "Without a SCENARIO (a file) every call gets a plain reply.\n"
                "GET /__admin/health tells that it is up, GET "
                "/__admin/requests what it saw,\nPOST /__admin/scenarios arms "
                "another one.\n"
                "Each option may come from the environment as well: "
                "FAULTWIRE_PORT, ...\n"};
  enum cmdline_result r = parse(&c, ret, argc, argv, &diag);
  if (r == CMDLINE_ERROR)
    fprintf(stderr, "faultwire serve: %s\n", diag.text);
  return r == CMDLINE_OK ? -1 : r == CMDLINE_DONE ? 0 : EXIT_USAGE;
}

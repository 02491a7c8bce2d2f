#include "http.h"

#include "jobs.h"
#include "stop.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct http_options {
  const char *provider, *mode, *base_url, *model, *after_cut;
  int64_t max_tokens, parallel;
  bool live, go_on, repeat_output;
  struct option_list prompts;
  struct request_options request; /* made of the above */
};

static const char summary[] =
    "Sends each prompt as one API call, all through one gate: limits are\n"
    "recognised, waits are obeyed up to a cap, a broken answer is never taken\n"
    "for a whole one, and a breaker shared by all processes of the host stops\n"
    "calling when it is no use. The answer goes to standard output once it is\n"
    "complete.";
static const char footer[] =
    "times are seconds, fractions allowed; (n) is the default\n"
    "an option not given is read from its variable: --max-backoff from\n"
    "GUARD_MAX_BACKOFF, all but -p; a flag is 1 or 0 there\n"
    "keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY\n"
    "exit codes: 0 done; 1 failed; 2 usage; 75 do without the answer now:\n"
    "breaker open, wait above the cap, usage limit or quota, deadline";

/* What is done with the text of a cut stream. */
static int check_cut(struct http_options *o, bool stream, struct diag *diag)
{
  static const char *const words[] = {"restart", "continue", NULL};
  int cut = 0;
  if (o->after_cut &&
      settings_word("after-cut", o->after_cut, words, &cut, diag) < 0)
    return -1;
  if (o->go_on && o->after_cut && cut == 0)
    return diag_set(diag, "--continue and --after-cut restart say opposites");
  o->go_on |= cut == 1;
  if (o->go_on && !stream)
    return diag_set(diag, "--continue needs --mode stream");
  if (o->repeat_output && !o->live)
    return diag_set(diag, "--repeat-output needs --live");
  return 0;
}

static int check(struct http_options *o, int nwords, char **words,
                 struct diag *diag)
{
  static const char *const modes[] = {"stream", "plain", NULL};
  int mode = 0;
  if (nwords > 0)
    return diag_set(diag, "unknown word '%s'; a prompt is given with -p",
                    words[0]);
  if (o->prompts.n == 0)
    return diag_set(diag, "no prompt: give at least one -p PROMPT");
  if (o->mode && settings_word("mode", o->mode, modes, &mode, diag) < 0)
    return -1;
  o->request =
      (struct request_options){.provider = provider_by_name(o->provider, diag),
                               .base_url = o->base_url,
                               .model = o->model,
                               .max_tokens = o->max_tokens,
                               .stream = mode == 0};
  if (!o->request.provider)
    return -1;
  if (check_cut(o, mode == 0, diag) < 0)
    return -1;
  if (o->live && mode != 0)
    return diag_set(diag, "--live needs --mode stream");
  if (o->live && o->parallel > 1)
    return diag_set(diag, "--live prints one answer at a time; it does not "
                          "go with --parallel");
  return 0;
}

/* Each prompt is a piece of work of its own. */
static int check_once(const struct http_options *o, const struct settings *s,
                      struct diag *diag)
{
  if (!s->records.once || o->prompts.n == 1 || strstr(s->records.once, "{N}"))
    return 0;
  return diag_set(diag,
                  "--once with %d prompts needs {N} in its key, which "
                  "becomes the number of the prompt",
                  o->prompts.n);
}

static int run(const struct http_options *o, const struct settings *s)
{
  struct gate gate;
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
    fprintf(stderr, "guard: libcurl could not be set up\n");
    return 1;
  }
  gate_init(&gate, s);
  gate.policy.repeat_output = o->repeat_output;
  /* The first byte of a plain answer comes after its last token is made. */
  if (!o->request.stream && !s->first_byte_given)
    gate.policy.first_byte_ms = 0;
  const struct jobs jobs = {.gate = &gate,
                            .records = &s->records,
                            .request = &o->request,
                            .prompts = &o->prompts,
                            .strict = s->strict,
                            .live = o->live,
                            .go_on = o->go_on,
                            .parallel = (int)o->parallel};
  /* so many at once were asked for, a default does not undercut that */
  if (s->pacing.places < 0 && o->parallel > gate.pacing.places)
    gate.pacing.places = (int)o->parallel;
  gate_stagger(&gate, &s->pacing);
  int code = jobs_run(&jobs);
  gate_print_metrics(&gate);
  gate_release(&gate);
  curl_global_cleanup();
  stop_end();
  return code;
}

int http_main(int argc, char **argv)
{
  struct http_options o = {.provider = "anthropic", .parallel = 1};
  const struct option own[] = {
      {"prompt", 'p', OPTION_STRINGS, &o.prompts, 0, 0, "PROMPT",
       "one call; may be given again"},
      {"provider", 0, OPTION_STRING, &o.provider, 0, 0, "WORD",
       "anthropic, openai, openai-responses or gemini (anthropic)"},
      {"mode", 0, OPTION_STRING, &o.mode, 0, 0, "WORD",
       "stream or plain (stream)"},
      {"model", 0, OPTION_STRING, &o.model, 0, 0, "NAME",
       "model (a small one of the provider)"},
      {"base-url", 0, OPTION_STRING, &o.base_url, 0, 0, "URL",
       "instead of ANTHROPIC_BASE_URL, OPENAI_BASE_URL, "
       "GOOGLE_GEMINI_BASE_URL"},
      {"max-tokens", 0, OPTION_INT, &o.max_tokens, 1, 1e9, "N",
       "longest answer (anthropic 4096, else the model's)"},
      {"parallel", 0, OPTION_INT, &o.parallel, 1, 64, "N",
       "prompts at once (1)"},
      {"live", 0, OPTION_FLAG, &o.live, 0, 0, NULL,
       "print text as it comes; then no retry after it"},
      {"repeat-output", 0, OPTION_FLAG, &o.repeat_output, 0, 0, NULL,
       "a retry after it all the same: the text is printed again"},
      {"continue", 0, OPTION_FLAG, &o.go_on, 0, 0, NULL,
       "go on from the text of a cut stream (start over)"},
      {"after-cut", 0, OPTION_STRING, &o.after_cut, 0, 0, "WORD",
       "the same in a word: restart or continue (restart)"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  struct settings s;
  struct cmdline_env env = {.prefix = "GUARD_"};
  struct diag diag = {0};
  int nwords, dash, code = 2;
  settings_init(&s, own);
  const struct cmdline c = {"guard http [OPTIONS] -p PROMPT [-p PROMPT ...]",
                            summary, s.options, footer};
  char **words = mem_zalloc(((size_t)argc + 1) * sizeof *words);
  enum cmdline_result r = cmdline_parse(&c, argv, words, &nwords, &dash, &diag);
  if (r == CMDLINE_DONE)
    code = 0;
  else if (r == CMDLINE_OK && cmdline_environment(&c, argv, &env, &diag) == 0 &&
           check(&o, nwords, words, &diag) == 0 &&
           settings_finish(&s, &diag) == 0 && check_once(&o, &s, &diag) == 0 &&
           stop_install(&diag) == 0)
    code = run(&o, &s);
  cmdline_blame(&c, &env, &diag);
  if (diag.set)
    fprintf(stderr, "guard: %s\n", diag.text);
  settings_release(&s);
  free(words);
  return code;
}

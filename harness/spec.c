#include "harness/spec.h"

#include "harness/check/check.h"
#include "harness/expr.h"

#include "base/words.h"
#include "mockserver/upstream/pass.h"

#include <signal.h>
#include <string.h>

/* Counted from the first request (facts: clients need up to a minute to make
 * it, so exec is no place to start from). */
#define DEFAULT_LIMIT_S 30.0
#define MAX_LIMIT_S 86400.0
/* More copies or starts than this is a load test, not a judged run. */
enum { MAX_LANES = 64, MAX_STARTS = 100, MAX_LANE_NAME = 63 };

const char *const channel_words[] = {[CHANNEL_HTTP] = "http",
                                     [CHANNEL_COMMAND] = "command",
                                     [CHANNEL_HTTPS] = "https",
                                     [NCHANNELS] = NULL};

static const char *const levels[] = {"must", "should", NULL};
static const char *const works[] = {"own", "same", NULL};
static const char *const cuts[] = {"restart", "continue", NULL};

static const char *const signals[] = {"INT", "TERM", "HUP", NULL};

const struct param client_params[] = {
    {.name = "limit_s",
     .type = PARAM_NUMBER,
     .min = 0.1,
     .max = MAX_LIMIT_S,
     .summary = "seconds from the first request to the end of a client that "
                "still runs, default 30"},
    {.name = "time",
     .type = PARAM_WORD,
     .words = time_words,
     .summary = "which time it is made for: skipped in real time when virtual, "
                "and never in virtual time when real"},
    {.name = "at",
     .type = PARAM_LITERAL,
     .summary = "virtual time: where the wall clock begins, RFC 3339 with its "
                "zone or seconds since 1970"},
    {.name = "real_limit_s",
     .type = PARAM_NUMBER,
     .min = RUN_LIMITS_REAL_MIN_S,
     .max = RUN_LIMITS_REAL_MAX_S,
     .summary = "virtual and scaled time: real seconds a run may take, "
                "default 60"},
    {.name = "attempt_limit",
     .type = PARAM_INT,
     .min = 1,
     .max = RUN_LIMITS_MAX_ATTEMPTS,
     .summary = "virtual time: calls a run may have, default 10000"},
    {.name = "largest_jump_s",
     .type = PARAM_NUMBER,
     .min = 1,
     .max = RUN_LIMITS_JUMP_MAX_S,
     .summary = "virtual time: a client that wants to wait longer in one go "
                "is ended, default 86400"},
    {.name = "housekeeping",
     .type = PARAM_STRINGS,
     .summary = "virtual time: names of threads that tick and do nothing for "
                "a call; each wakes up to 10 s late"},
    {.name = "stream",
     .type = PARAM_BOOL,
     .summary = "the call the client should make is a streamed one, default "
                "true; {MODE} becomes stream or plain"},
    {.name = "lanes",
     .type = PARAM_STRINGS,
     .summary = "one copy of the client for each, in parallel"},
    {.name = "copies",
     .type = PARAM_INT,
     .min = 1,
     .max = MAX_LANES,
     .summary = "so many copies of the client in parallel, in lanes copy-1, "
                "copy-2, ...; instead of lanes"},
    {.name = "starts",
     .type = PARAM_INT,
     .min = 1,
     .max = MAX_STARTS,
     .summary = "how often it is started, one after the other, default 1"},
    {.name = "pause_s",
     .type = PARAM_NUMBER,
     .max = MAX_LIMIT_S,
     .summary = "seconds between the end of one start and the next, default "
                "0"},
    {.name = "signal",
     .type = PARAM_WORD,
     .words = signals,
     .summary = "sent to every start once, to its whole process group"},
    {.name = "signal_at_s",
     .type = PARAM_NUMBER,
     .max = MAX_LIMIT_S,
     .summary = "seconds from a start's first request to the signal, default "
                "1"},
    {.name = "channel",
     .type = PARAM_WORD,
     .words = channel_words,
     .summary = "what the client calls: http or https, a server, or command, a "
                "program on PATH; default: by tls and the steps"},
    {.name = "absent",
     .type = PARAM_INTS,
     .min = 1,
     .max = MAX_STARTS,
     .summary = "numbers of the starts at which no command is on PATH"},
    {.name = "work",
     .type = PARAM_WORD,
     .words = works,
     .summary = "whether every start has a piece of work of its own, or all "
                "starts of all lanes the same; default own; {WORK} names it"},
    {.name = "after_cut",
     .type = PARAM_WORD,
     .words = cuts,
     .summary = "what the client should do with the text of a cut stream, "
                "default restart; {AFTER_CUT} becomes the word"},
    {.name = "env",
     .type = PARAM_OBJECT,
     .summary = "more environment variables"},
    {.name = "files",
     .type = PARAM_OBJECT,
     .summary = "files in the private HOME: relative path and content"},
    {.name = "args",
     .type = PARAM_STRINGS,
     .summary = "arguments added to the client's command"},
    {.name = NULL}};

const struct param expect_params[] = {
    {.name = "check",
     .type = PARAM_STRING,
     .required = true,
     .summary = "which check judges"},
    {.name = "lane",
     .type = PARAM_STRING,
     .summary = "only this lane, default all"},
    {.name = "level",
     .type = PARAM_WORD,
     .words = levels,
     .summary = "must (default), or should: a failure is a warning"},
    {.name = "needs",
     .type = PARAM_STRINGS,
     .summary = "policy names without which the check is skipped"},
    {.name = "why", .type = PARAM_STRING, .summary = "a note for the reader"},
    {.name = NULL}};

/* A list of texts as pointers into the document. */
static const char **texts(const cJSON *array, size_t *ret_n)
{
  size_t n = (size_t)cJSON_GetArraySize(array), i = 0;
  const char **list = mem_zalloc((n + 1) * sizeof *list);
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, array) list[i++] = item->valuestring;
  *ret_n = n;
  return list;
}

static int check_lanes(const struct jval *client, struct diag *diag)
{
  struct jval lanes, copies;
  if (!jval_member(client, "lanes", &lanes))
    return 0;
  if (jval_member(client, "copies", &copies))
    return jval_key_error(&copies, diag,
                          "excludes 'lanes': the copies have names already");
  int n = jval_count(&lanes);
  if (n < 1 || n > MAX_LANES)
    return jval_error(&lanes, diag, "must hold 1 to %d names", MAX_LANES);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&lanes, i);
    const char *name = item.node->valuestring;
    size_t good = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (good == 0 || name[good] || good > MAX_LANE_NAME)
      return jval_error(&item, diag,
                        "a lane's name is 1 to %d letters, digits, - and _",
                        MAX_LANE_NAME);
    for (int k = 0; k < i; k++)
      if (strcmp(jval_item(&lanes, k).node->valuestring, name) == 0)
        return jval_error(&item, diag, "the lane '%s' is there twice", name);
  }
  return 0;
}

/* Names of variables and files are the keys, the values are texts. */
static int check_texts(const struct jval *client, const char *key,
                       int (*check_key)(const struct jval *, struct diag *),
                       struct diag *diag)
{
  struct jval object;
  const char *text = NULL;
  if (!jval_member(client, key, &object))
    return 0;
  for (int i = 0; i < jval_count(&object); i++) {
    struct jval v = jval_item(&object, i);
    if (jval_string(&v, &text, diag) < 0 || check_key(&v, diag) < 0)
      return -1;
  }
  return 0;
}

static int check_variable(const struct jval *v, struct diag *diag)
{
  if (v->key[0] == '\0' || strchr(v->key, '='))
    return jval_key_error(v, diag, "not a name of an environment variable");
  return 0;
}

/* A file may not leave the private folder. */
static int check_file(const struct jval *v, struct diag *diag)
{
  const char *p = v->key;
  if (*p == '/' || *p == '\0')
    return jval_key_error(v, diag, "must be a path below HOME");
  while (p) {
    size_t n = strcspn(p, "/");
    if (n == 0 || (n == 2 && strncmp(p, "..", 2) == 0))
      return jval_key_error(v, diag, "must be a path below HOME");
    p = p[n] ? p + n + 1 : NULL;
  }
  return 0;
}

static void load_signal(struct spec *s, const cJSON *client)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  const char *name = NULL;
  if (!param_string(client, "signal", &name))
    return;
  for (int i = 0; signals[i]; i++)
    if (strcmp(signals[i], name) == 0)
      s->signal = numbers[i];
  s->signal_at_s = 1;
  param_number(client, "signal_at_s", &s->signal_at_s);
}

static enum channel channel_of_steps(const struct scenario *s)
{
  for (size_t i = 0; i < s->nsteps; i++)
    if (s->steps[i].command)
      return CHANNEL_COMMAND;
  return s->tls.on ? CHANNEL_HTTPS : CHANNEL_HTTP;
}

bool spec_absent(const struct spec *s, int n)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, s->absent)
  {
    if (item->valuedouble == (double)n + 1)
      return true;
  }
  return false;
}

/* Without a number: one lane that has no name. */
static void name_copies(struct spec *s, int64_t n)
{
  s->nlanes = n ? (size_t)n : 1;
  free(s->lanes);
  s->lanes = mem_zalloc(s->nlanes * sizeof *s->lanes);
  s->copies = mem_zalloc(s->nlanes * sizeof *s->copies);
  for (size_t i = 0; i < s->nlanes; i++) {
    s->copies[i] = n ? mem_format("copy-%zu", i + 1) : mem_strdup("");
    s->lanes[i] = s->copies[i];
  }
}

static int load_client(struct spec *s, const struct jval *root,
                       struct diag *diag)
{
  const struct param *table = client_params;
  struct jval client, at;
  int64_t starts = 1, copies = 0;
  size_t n;
  s->limit_s = DEFAULT_LIMIT_S;
  s->stream = true;
  s->time = TIME_UNSAID;
  if (jval_member(root, "client", &client)) {
    if (param_check(&client, &table, 1, NULL, diag) < 0 ||
        check_lanes(&client, diag) < 0 ||
        check_texts(&client, "env", check_variable, diag) < 0 ||
        check_texts(&client, "files", check_file, diag) < 0 ||
        (jval_member(&client, "at", &at) &&
         wall_at_read(&at, &s->at, diag) < 0))
      return -1;
    s->time = (enum time_word)param_word(client.node, "time", time_words,
                                         TIME_UNSAID);
    param_number(client.node, "limit_s", &s->limit_s);
    s->limits = run_limits_read(client.node);
    param_bool(client.node, "stream", &s->stream);
    param_number(client.node, "pause_s", &s->pause_s);
    param_int(client.node, "starts", &starts);
    param_int(client.node, "copies", &copies);
    load_signal(s, client.node);
    s->channel = (enum channel)param_word(client.node, "channel", channel_words,
                                          (int)s->channel);
    s->absent = param_node(client.node, "absent");
    s->same_work = param_word(client.node, "work", works, 0) == 1;
    s->go_on = param_word(client.node, "after_cut", cuts, 0) == 1;
    s->env = param_node(client.node, "env");
    s->files = param_node(client.node, "files");
    s->args = param_node(client.node, "args");
    s->lanes = texts(param_node(client.node, "lanes"), &s->nlanes);
    s->housekeeping = texts(param_node(client.node, "housekeeping"), &n);
  }
  s->starts = (int)starts;
  if (s->nlanes == 0)
    name_copies(s, copies);
  return 0;
}

static int unknown_check(const struct jval *v, const char *name,
                         struct diag *diag)
{
  const char *known[64];
  char hint[512];
  size_t n = 0;
  const struct case_name *other = case_name_find(name);
  if (other)
    return jval_error(v, diag,
                      "unknown check '%s', the case log's word; did you mean "
                      "'%s'%s%s?",
                      name, other->check, other->keys[0] ? " with " : "",
                      other->keys);
  for (size_t i = 0; checks[i] && n < 63; i++)
    known[n++] = checks[i]->name;
  known[n] = NULL;
  words_hint(name, known, hint, sizeof hint);
  return jval_error(v, diag, "unknown check '%s'%s", name, hint);
}

static int check_expressions(const struct jval *v, const struct param *p,
                             struct diag *diag)
{
  struct jval value;
  for (; p->name; p++)
    if (p->type == PARAM_EXPR && jval_member(v, p->name, &value) &&
        expr_check(&value, diag) < 0)
      return -1;
  return 0;
}

static int check_needs(const struct jval *v, struct diag *diag)
{
  struct jval needs;
  if (!jval_member(v, "needs", &needs))
    return 0;
  for (int i = 0; i < jval_count(&needs); i++) {
    struct jval item = jval_item(&needs, i);
    if (!policy_knows(item.node->valuestring))
      return jval_error(&item, diag, "policies have no '%s'",
                        item.node->valuestring);
  }
  return 0;
}

/* Finds the check before the keys are looked at: which keys are right depends
 * on it. */
static int find_check(const struct jval *v, const struct check **ret,
                      struct diag *diag)
{
  struct jval name;
  const char *text = NULL;
  if (jval_object(v, diag) < 0)
    return -1;
  if (!jval_member(v, "check", &name))
    return jval_error(v, diag, "the key 'check' is missing");
  if (jval_string(&name, &text, diag) < 0)
    return -1;
  *ret = check_find(text);
  return *ret ? 0 : unknown_check(&name, text, diag);
}

static int load_expect(struct expect *x, const struct jval *v,
                       struct diag *diag)
{
  if (find_check(v, &x->check, diag) < 0)
    return -1;
  const struct param *tables[] = {expect_params, x->check->params};
  if (param_check(v, tables, 2, NULL, diag) < 0 ||
      check_expressions(v, x->check->params, diag) < 0 ||
      check_needs(v, diag) < 0)
    return -1;
  if (x->check->check && x->check->check(v, diag) < 0)
    return -1;
  x->node = v->node;
  x->should = param_word(v->node, "level", levels, 0) == 1;
  param_string(v->node, "lane", &x->lane);
  return 0;
}

static int load_expects(struct spec *s, const struct jval *root,
                        struct diag *diag)
{
  struct jval list;
  if (!jval_member(root, "expect", &list))
    return 0;
  if (jval_array(&list, diag) < 0)
    return -1;
  int n = jval_count(&list);
  s->expects = mem_zalloc(((size_t)n + 1) * sizeof *s->expects);
  for (int i = 0; i < n; i++) {
    struct jval v = jval_item(&list, i);
    s->expects[i].index = i;
    if (load_expect(&s->expects[i], &v, diag) < 0)
      return -1;
  }
  s->nexpects = (size_t)n;
  return 0;
}

static int load_tags(struct spec *s, const struct jval *root, struct diag *diag)
{
  struct jval tags;
  if (!jval_member(root, "tags", &tags))
    return 0;
  if (jval_array(&tags, diag) < 0)
    return -1;
  for (int i = 0; i < jval_count(&tags); i++) {
    struct jval item = jval_item(&tags, i);
    const char *text = NULL;
    if (jval_string(&item, &text, diag) < 0)
      return -1;
  }
  s->tags = texts(tags.node, &s->ntags);
  return 0;
}

int spec_load(struct spec *ret, const struct scenario *scenario,
              struct diag *diag)
{
  struct spec s = {0};
  struct jval root = json_root(&scenario->doc);
  if (pass_is_wanted(scenario))
    return jval_error(&root, diag,
                      "passes calls on to a real API, which no test asks: "
                      "`faultwire serve --upstream`");
  s.channel = channel_of_steps(scenario);
  if (load_client(&s, &root, diag) < 0 || load_tags(&s, &root, diag) < 0 ||
      load_expects(&s, &root, diag) < 0) {
    spec_release(&s);
    return -1;
  }
  *ret = s;
  return 0;
}

void spec_release(struct spec *s)
{
  for (size_t i = 0; s->copies && i < s->nlanes; i++)
    free(s->copies[i]);
  free(s->copies);
  free(s->lanes);
  free(s->housekeeping);
  free(s->expects);
  free(s->tags);
  memset(s, 0, sizeof *s);
}

#include "mockserver/journal_read.h"

#include "mockserver/attempt_part.h"
#include "mockserver/request_check.h"

#include "base/json_exact.h"
#include "base/words.h"

#include <string.h>

/* Of an exit code or status that is read back; none is larger. */
#define MAX_INT 1000000

struct field;
typedef int reader(struct attempt *a, const struct jval *v,
                   const struct field *f, struct diag *diag);

struct field {
  const char *name;
  reader *read;
  size_t at, size; /* in struct attempt */
  bool may_miss;
};

static void *place(struct attempt *a, const struct field *f)
{
  return (char *)a + f->at;
}

/* --- one kind of value each ---------------------------------------------- */

static int read_u64(struct attempt *a, const struct jval *v,
                    const struct field *f, struct diag *diag)
{
  return jval_u64(v, UINT64_MAX, place(a, f), diag);
}

static int read_ns(struct attempt *a, const struct jval *v,
                   const struct field *f, struct diag *diag)
{
  return jval_i64(v, 0, INT64_MAX, place(a, f), diag);
}

static int read_int(struct attempt *a, const struct jval *v,
                    const struct field *f, struct diag *diag)
{
  int64_t n = 0;
  if (jval_i64(v, -1, MAX_INT, &n, diag) < 0)
    return -1;
  *(int *)place(a, f) = (int)n;
  return 0;
}

static int read_bool(struct attempt *a, const struct jval *v,
                     const struct field *f, struct diag *diag)
{
  return jval_bool(v, place(a, f), diag);
}

int attempt_keep_text(char *ret, size_t size, struct bytes text,
                      const struct jval *v, struct diag *diag)
{
  if (text.n >= size)
    return jval_error(v, diag, "has %zu bytes, %zu at the most", text.n,
                      size - 1);
  memset(ret, 0, size); /* base64 may come second, and be shorter */
  if (text.n)
    memcpy(ret, text.p, text.n);
  return 0;
}

static int read_text(struct attempt *a, const struct jval *v,
                     const struct field *f, struct diag *diag)
{
  const char *text = NULL;
  if (jval_string(v, &text, diag) < 0)
    return -1;
  return attempt_keep_text(place(a, f), f->size, bytes_of(text), v, diag);
}

static int read_hash(struct attempt *a, const struct jval *v,
                     const struct field *f, struct diag *diag)
{
  const char *text = NULL;
  uint64_t hash = 0;
  if (jval_string(v, &text, diag) < 0)
    return -1;
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return jval_error(v, diag, "must be 16 digits of 0-9 and a-f");
  for (int i = 0; i < 16; i++) {
    char c = text[i];
    hash = hash << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  *(uint64_t *)place(a, f) = hash;
  return 0;
}

int attempt_unknown_word(const struct jval *v, const char *word,
                         const char *const *known, struct diag *diag)
{
  char hint[1024] = "";
  words_hint(word, known, hint, sizeof hint);
  return jval_error(v, diag, "unknown word '%s'%s", word, hint);
}

static int read_class(struct attempt *a, const struct jval *v,
                      const struct field *f, struct diag *diag)
{
  const char *known[ATTEMPT_HANDSHAKE + 2] = {0}, *word = NULL;
  (void)f;
  if (jval_string(v, &word, diag) < 0)
    return -1;
  for (int i = 0; i <= ATTEMPT_HANDSHAKE; i++) {
    known[i] = attempt_class_name((enum attempt_class)i);
    if (strcmp(known[i], word) != 0)
      continue;
    a->cls = (enum attempt_class)i;
    return 0;
  }
  return attempt_unknown_word(v, word, known, diag);
}

static int read_end(struct attempt *a, const struct jval *v,
                    const struct field *f, struct diag *diag)
{
  const char *known[END_EXIT + 2] = {0}, *word = NULL;
  (void)f;
  if (jval_string(v, &word, diag) < 0)
    return -1;
  for (int i = 0; i <= END_EXIT; i++) {
    known[i] = attempt_end_name((enum attempt_end)i);
    if (strcmp(known[i], word) != 0)
      continue;
    a->end = (enum attempt_end)i;
    return 0;
  }
  return attempt_unknown_word(v, word, known, diag);
}

static int read_target(struct attempt *a, const struct jval *v,
                       const struct field *f, struct diag *diag)
{
  const char *text = NULL;
  (void)f;
  if (jval_string(v, &text, diag) < 0)
    return -1;
  a->target = mem_strdup(text);
  return 0;
}

/* [name, value], appended as "name: value\n". */
static int add_pair(struct buf *b, const struct jval *pair, struct diag *diag)
{
  const char *text[2] = {0};
  if (!cJSON_IsArray(pair->node) || jval_count(pair) != 2)
    return jval_error(pair, diag, "must be [name, value]");
  for (int i = 0; i < 2; i++) {
    struct jval item = jval_item(pair, i);
    if (jval_string(&item, &text[i], diag) < 0)
      return -1;
  }
  buf_addf(b, "%s: %s\n", text[0], text[1]);
  return 0;
}

static int read_headers(struct attempt *a, const struct jval *v,
                        const struct field *f, struct diag *diag)
{
  struct buf b;
  int rc = jval_array(v, diag), n = jval_count(v), i = 0;
  (void)f;
  buf_init(&b, ATTEMPT_MAX_TEXT);
  buf_adds(&b, "");
  const cJSON *node = v->node->child;
  for (; rc == 0 && i < n; i++, node = node->next) {
    struct jval pair = {v->doc, node, v, NULL, i};
    rc = add_pair(&b, &pair, diag);
  }
  if (rc == 0 && b.full)
    rc = jval_error(v, diag, "are too long");
  a->headers = rc == 0 ? mem_strdup(buf_str(&b)) : NULL;
  buf_release(&b);
  return rc;
}

static int read_body(struct attempt *a, const struct jval *v,
                     const struct field *f, struct diag *diag)
{
  const char *text = NULL;
  (void)f;
  if (jval_string(v, &text, diag) < 0)
    return -1;
  a->body = mem_strdup(text);
  a->body_kept = strlen(text);
  return 0;
}

static int flaw_of(const struct jval *v, uint32_t *ret, struct diag *diag)
{
  const char *known[FLAWS + 1] = {0}, *text = NULL;
  if (jval_string(v, &text, diag) < 0)
    return -1;
  for (int i = 0; i < FLAWS; i++) {
    known[i] = flaw_text((enum flaw)i);
    if (strcmp(known[i], text) != 0)
      continue;
    *ret |= UINT32_C(1) << i;
    return 0;
  }
  return attempt_unknown_word(v, text, known, diag);
}

static int read_flaws(struct attempt *a, const struct jval *v,
                      const struct field *f, struct diag *diag)
{
  int rc = jval_array(v, diag), i = 0;
  const cJSON *node = v->node->child;
  (void)f;
  for (; rc == 0 && node; i++, node = node->next) {
    struct jval item = {v->doc, node, v, NULL, i};
    rc = flaw_of(&item, &a->flaws, diag);
  }
  return rc;
}

static int read_channel(struct attempt *a, const struct jval *v,
                        const struct field *f, struct diag *diag)
{
  static const char *const known[] = {"command", NULL};
  const char *text = NULL;
  (void)f;
  if (jval_string(v, &text, diag) < 0)
    return -1;
  if (strcmp(text, known[0]) != 0)
    return attempt_unknown_word(v, text, known, diag);
  a->is_start = true;
  return 0;
}

/* A list of texts, one behind the other with their NULs. `f` places the
 * pointer; the number of bytes stands at f->size. */
static int read_words(struct attempt *a, const struct jval *v,
                      const struct field *f, struct diag *diag)
{
  struct buf b;
  int rc = jval_array(v, diag), i = 0;
  buf_init(&b, ATTEMPT_MAX_TEXT);
  const cJSON *node = v->node->child;
  for (; rc == 0 && node; i++, node = node->next) {
    struct jval item = {v->doc, node, v, NULL, i};
    const char *text = NULL;
    rc = jval_string(&item, &text, diag);
    if (rc == 0)
      buf_add(&b, text, strlen(text) + 1);
  }
  if (rc == 0 && b.full)
    rc = jval_error(v, diag, "are too long");
  *(size_t *)(void *)((char *)a + f->size) = rc == 0 ? b.n : 0;
  *(char **)place(a, f) = rc == 0 ? buf_detach(&b) : NULL;
  buf_release(&b);
  return rc;
}

static int read_retry_after(struct attempt *a, const struct jval *v,
                            const struct field *f, struct diag *diag)
{
  a->has_retry_after = !cJSON_IsNull(v->node);
  return a->has_retry_after ? read_text(a, v, f, diag) : 0;
}

/* The code or the signal of a stand-in that ended as scripted. */
static int read_code(struct attempt *a, const struct jval *v,
                     const struct field *f, struct diag *diag)
{
  int64_t n = 0;
  if (jval_i64(v, 0, 255, &n, diag) < 0)
    return -1;
  *(int *)place(a, f) = (int)n;
  return 0;
}

/* Stands last, over what the strings held. */
static int read_base64(struct attempt *a, const struct jval *v,
                       const struct field *f, struct diag *diag)
{
  (void)f;
  return attempt_base64(a, v, diag);
}

static int read_events(struct attempt *a, const struct jval *v,
                       const struct field *f, struct diag *diag)
{
  (void)f;
  return attempt_events(a, v, diag);
}

#define AT(member) offsetof(struct attempt, member)
#define SIZE(member) sizeof(((struct attempt *)NULL)->member)
#define TEXT(member)                                                           \
  {                                                                            \
#member, read_text, AT(member), SIZE(member), false                        \
  }
#define U64(member)                                                            \
  {                                                                            \
#member, read_u64, AT(member), 0, false                                    \
  }
#define NS(member)                                                             \
  {                                                                            \
#member, read_ns, AT(member), 0, false                                     \
  }
#define BOOL(member)                                                           \
  {                                                                            \
#member, read_bool, AT(member), 0, false                                   \
  }

/* In the order in which attempt_json() writes them. */
static const struct field fields[] = {
    U64(seq),
    {"conn", read_u64, AT(conn_id), 0, false},
    {"class", read_class, 0, 0, false},
    {"end", read_end, 0, 0, false},
    NS(first_byte_ns),
    NS(end_request_ns),
    {"tls", read_text, AT(tls), SIZE(tls), true},
    TEXT(method),
    {"target", read_target, 0, 0, false},
    {"headers", read_headers, 0, 0, false},
    {"body_hash", read_hash, AT(body_hash), 0, false},
    U64(body_bytes),
    {"body", read_body, 0, 0, false},
    {"flaws", read_flaws, 0, 0, true},
    {"pipelined_bytes", read_u64, AT(pipelined_bytes), 0, true},
    {"channel", read_channel, 0, 0, true},
    {"argv", read_words, AT(argv), AT(argv_bytes), true},
    {"env", read_words, AT(env), AT(env_bytes), true},
    {"exit_signal", read_code, AT(exit_signal), 0, true},
    {"exit_code", read_code, AT(exit_code), 0, true},
    TEXT(lane),
    TEXT(provider),
    TEXT(model),
    BOOL(stream),
    {"retry_count", read_int, AT(retry_count), 0, false},
    TEXT(idempotency_key),
    {"step", read_int, AT(step), 0, false},
    TEXT(rule),
    {"script", read_u64, AT(script), 0, true},
    TEXT(fault),
    {"status", read_int, AT(status), 0, false},
    TEXT(what),
    {"retry_after", read_retry_after, AT(retry_after), SIZE(retry_after),
     false},
    BOOL(injected),
    BOOL(delivered),
    BOOL(complete),
    BOOL(stream_sent),
    BOOL(terminal_sent),
    U64(events_sent),
    {"events", read_events, 0, 0, true},
    {"barrier_round", read_u64, AT(barrier_round), 0, true},
    {"barrier_came", read_u64, AT(barrier_came), 0, true},
    {"barrier_wanted", read_u64, AT(barrier_wanted), 0, true},
    {"barrier_open_ns", read_ns, AT(barrier_open_ns), 0, true},
    {"limits", read_text, AT(limits), SIZE(limits), true},
    U64(bytes_sent),
    NS(answer_first_ns),
    NS(answer_last_ns),
    NS(client_left_ns),
    {"base64", read_base64, 0, 0, true}};

enum { NFIELDS = sizeof fields / sizeof *fields };

/* --- the attempt ------------------------------------------------------------
 */

static int known_keys(const struct jval *v, struct diag *diag)
{
  const char *known[NFIELDS + 1] = {0};
  for (int i = 0; i < NFIELDS; i++)
    known[i] = fields[i].name;
  if (jval_object(v, diag) < 0)
    return -1;
  return jval_known_keys(v, known, diag);
}

static int read_fields(struct attempt *a, const struct jval *v,
                       struct diag *diag)
{
  for (int i = 0; i < NFIELDS; i++) {
    const struct field *f = &fields[i];
    struct jval value;
    if (!jval_member(v, f->name, &value)) {
      if (!f->may_miss)
        return jval_error(v, diag, "the key '%s' is missing", f->name);
    } else if (f->read(a, &value, f, diag) < 0) {
      return -1;
    }
  }
  return 0;
}

/* One that ran in a run that kept all of it is numbered, and no more than it
 * had was kept of its body. */
static int check_whole(const struct attempt *a, const struct jval *v,
                       struct diag *diag)
{
  if (a->seq == 0)
    return jval_error(v, diag, "seq counts from 1");
  if (a->body_kept > a->body_bytes)
    return jval_error(v, diag, "keeps more of the body than it has");
  return 0;
}

int attempt_read(struct attempt *ret, const struct jval *v, struct diag *diag)
{
  struct attempt a = {.step = -1, .retry_count = -1, .script = 1};
  if (known_keys(v, diag) < 0)
    return -1;
  if (read_fields(&a, v, diag) < 0 || check_whole(&a, v, diag) < 0) {
    attempt_release(&a);
    return -1;
  }
  *ret = a;
  return 0;
}

void attempt_release(struct attempt *a)
{
  free(a->target);
  free(a->headers);
  free(a->body);
  free(a->argv);
  free(a->env);
  free(a->events);
  memset(a, 0, sizeof *a);
}

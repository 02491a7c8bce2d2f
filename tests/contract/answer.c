#include "tests/contract/answer.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* Pieces of a generator that are looked at; beyond it has "no end". */
enum { MAX_PIECES = 2000, MAX_HEADERS = 32, MAX_WIRE = 64 << 20 };

void bench_open_with(struct bench *b, const char *json, bool no_faults,
                     bool admin)
{
  struct diag diag = {0};
  memset(b, 0, sizeof *b);
  clock_fake_init(&b->clock, FIXTURE_EPOCH_S);
  if (json &&
      scenario_parse(&b->scenario, "test.json", bytes_of(json), &diag) < 0) {
    char text[2048];
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "scenario refused: %s\n", text);
    abort();
  }
  b->journal = journal_open(NULL, &b->clock.base, 0, &diag);
  b->server = server_new(
      &(struct server_options){.scenario = json ? &b->scenario : NULL,
                               .clock = &b->clock.base,
                               .journal = b->journal,
                               .no_faults = no_faults,
                               .admin = admin,
                               .seed = 7});
}

void bench_open(struct bench *b, const char *json)
{
  bench_open_with(b, json, false, false);
}

void bench_close(struct bench *b)
{
  server_free(b->server);
  journal_close(b->journal);
  if (b->scenario.doc.root)
    scenario_release(&b->scenario);
}

static void add_generated(const struct op *op, struct answer *ret)
{
  uint64_t i = 0;
  while (i < MAX_PIECES && op->generate(op->arg, i, &ret->wire))
    i++;
  if (i == MAX_PIECES)
    buf_adds(&ret->trace, "gen:...");
  else
    buf_addf(&ret->trace, "gen:%d", (int)i);
}

static void add_op(const struct plan *p, const struct op *op,
                   struct answer *ret)
{
  static const char *const marks[] = {[MARK_HEAD] = "head",
                                      [MARK_EVENT] = "event",
                                      [MARK_TERMINAL] = "terminal",
                                      [MARK_FAULT] = "fault",
                                      [MARK_COMPLETE] = "complete"};
  static const char *const names[] = {[OP_SEND] = "send",
                                      [OP_FILL] = "fill",
                                      [OP_DRIP] = "drip",
                                      [OP_STALL] = "stall",
                                      [OP_READ_BODY] = "read_body",
                                      [OP_WAIT_INPUT] = "wait_input",
                                      [OP_PORT] = "port",
                                      [OP_GATE] = "gate",
                                      [OP_FIN] = "fin",
                                      [OP_CLOSE] = "close",
                                      [OP_RST] = "rst",
                                      [OP_KEEP] = "keep"};
  if (ret->trace.n)
    buf_addc(&ret->trace, ' ');
  if (op->kind == OP_SEND)
    buf_add(&ret->wire, p->bytes.p + op->at, op->n);
  if (op->kind == OP_MARK)
    buf_adds(&ret->trace, marks[op->mark]);
  else if (op->kind == OP_GENERATE)
    add_generated(op, ret);
  else if (op->kind == OP_DELAY)
    buf_addf(&ret->trace, "delay:%lld", (long long)(op->ns / NS_PER_MS));
  else
    buf_adds(&ret->trace, names[op->kind]);
}

/* Takes one "name: value\n" off the front. */
static bool take_header(const char **p, struct header *ret)
{
  const char *colon = strchr(*p, ':'), *end = strchr(*p, '\n');
  if (!colon || !end)
    return false;
  ret->name = (struct bytes){*p, (size_t)(colon - *p)};
  ret->value = (struct bytes){colon + 2, (size_t)(end - colon - 2)};
  *p = end + 1;
  return true;
}

void bench_ask(struct bench *b, const char *method, const char *target,
               const char *headers, const char *body, struct answer *ret)
{
  struct header h[MAX_HEADERS];
  struct plan plan;
  struct request r = {.conn_id = 1,
                      .method = bytes_of(method),
                      .target = bytes_of(target),
                      .version = BYTES("HTTP/1.1"),
                      .headers = h,
                      .body = bytes_of(body),
                      .on_conn = 1,
                      .first_byte_ns = clock_now_ns(&b->clock.base)};
  while (r.nheaders < MAX_HEADERS && take_header(&headers, &h[r.nheaders]))
    r.nheaders++;
  memset(ret, 0, sizeof *ret);
  buf_init(&ret->wire, MAX_WIRE);
  buf_init(&ret->trace, MAX_WIRE);
  plan_init(&plan);
  server_handle(b->server, &r, &plan, &ret->attempt, &ret->unlogged);
  for (size_t i = 0; i < plan.nops; i++)
    add_op(&plan, &plan.ops[i], ret);
  plan_release(&plan);
}

char *call_target(const char *provider, const char *lane, bool stream)
{
  const char *path = "/v1/messages";
  if (strcmp(provider, "openai") == 0)
    path = "/v1/chat/completions";
  else if (strcmp(provider, "openai-responses") == 0)
    path = "/v1/responses";
  else if (strcmp(provider, "gemini") == 0)
    path = stream ? "/v1beta/models/gemini-x:streamGenerateContent?alt=sse"
                  : "/v1beta/models/gemini-x:generateContent";
  return mem_format("%s%s%s", *lane ? "/" : "", lane, path);
}

char *call_body(const char *provider, bool stream)
{
  if (strcmp(provider, "gemini") == 0)
    return mem_strdup("{\"contents\":[]}");
  return mem_format("{\"model\":\"%s\",\"stream\":%s}",
                    strcmp(provider, "anthropic") == 0 ? "claude-x" : "gpt-x",
                    stream ? "true" : "false");
}

void bench_call(struct bench *b, const char *provider, const char *lane,
                bool stream, struct answer *ret)
{
  char *target = call_target(provider, lane, stream);
  char *body = call_body(provider, stream);
  bench_ask(b, "POST", target, "content-type: application/json\n", body, ret);
  free(target);
  free(body);
}

void answer_release(struct answer *a)
{
  buf_release(&a->wire);
  buf_release(&a->trace);
}

struct bytes answer_body(const struct answer *a)
{
  struct bytes wire = buf_bytes(&a->wire);
  ptrdiff_t at = bytes_find(wire, BYTES("\r\n\r\n"));
  assert(at >= 0);
  return (struct bytes){wire.p + at + 4, wire.n - (size_t)at - 4};
}

static size_t take_size(struct bytes *s)
{
  size_t n = 0;
  while (s->n && isxdigit((unsigned char)*s->p)) {
    int c = tolower((unsigned char)*s->p);
    n = n * 16 + (size_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    s->p++;
    s->n--;
  }
  return n;
}

void answer_unchunk(const struct answer *a, struct buf *ret)
{
  struct bytes s = answer_body(a);
  buf_init(ret, MAX_WIRE);
  if (bytes_find(buf_bytes(&a->wire), BYTES("transfer-encoding")) < 0) {
    buf_addb(ret, s);
    return;
  }
  while (s.n) {
    size_t n = take_size(&s);
    if (n == 0 || s.n < 2)
      return;
    n = n < s.n - 2 ? n : s.n - 2;
    buf_add(ret, s.p + 2, n);
    size_t used = n + 4 < s.n ? n + 4 : s.n;
    s = (struct bytes){s.p + used, s.n - used};
  }
}

/* How many characters of an id stand at `s`; the prefix is not counted. */
static size_t id_length(struct bytes s)
{
  size_t n = 0;
  while (n < s.n && (isalnum((unsigned char)s.p[n]) || s.p[n] == '_'))
    n++;
  return n;
}

void answer_normalise(struct bytes text, struct buf *ret)
{
  static const char *const prefixes[] = {
      "req_", "msg_", "chatcmpl-", "resp_", "\"responseId\": \"", NULL};
  buf_init(ret, MAX_WIRE);
  while (text.n) {
    size_t used = 0;
    for (const char *const *p = prefixes; *p && !used; p++) {
      if (!bytes_starts(text, bytes_of(*p)))
        continue;
      used = strlen(*p);
      used += id_length((struct bytes){text.p + used, text.n - used});
      buf_addf(ret, "%sPLACEHOLDER", *p);
    }
    if (!used) {
      buf_addc(ret, *text.p);
      used = 1;
    }
    text = (struct bytes){text.p + used, text.n - used};
  }
}

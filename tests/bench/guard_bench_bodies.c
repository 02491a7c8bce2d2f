#include "base/clock.h"
#include "base/file.h"
#include "guard/command/row.h"
#include "tests/bench/guard_bench.h"
#include "tests/bench/stats.h"

#include <string.h>

/* The size and the limit of the issue of these benchmarks. */
enum { BODY_BYTES = 4096, MOST_US = 5 };
/* Every answer in turn, so that each meets the machine's calm moments. */
enum { ROUNDS = 21, CALLS = 201, MAX_ROWS = 64 };

struct sample {
  struct json_doc doc;
  struct row row;
};

struct samples {
  struct sample item[MAX_ROWS];
  size_t n;
};

/* One grown answer and what was measured, in ns. */
struct probe {
  const char *note;
  struct guard_answer answer;
  struct buf body;
  struct stats own, peer;         /* calls */
  struct stats own_p50, peer_p50; /* rounds */
};

struct probes {
  struct probe item[MAX_ROWS + 1];
  size_t n;
};

static volatile int sink;

static bool same_kind(const struct sample *a, const struct guard_answer *b)
{
  const struct guard_answer *x = &a->row.answer;
  return x->channel == b->channel && strcmp(x->provider, b->provider) == 0;
}

/* Keeps the longest body of each provider and channel. */
static void keep(struct samples *s, struct json_doc *doc, struct row *row)
{
  const struct guard_answer *a = &row->answer;
  size_t i = 0;
  while (i < s->n && !same_kind(&s->item[i], a))
    i++;
  if (i == MAX_ROWS ||
      (i < s->n && s->item[i].row.answer.body_n >= a->body_n)) {
    row_release(row);
    json_release(doc);
    return;
  }
  if (i == s->n) {
    s->n++;
  } else {
    row_release(&s->item[i].row);
    json_release(&s->item[i].doc);
  }
  s->item[i] = (struct sample){.doc = *doc, .row = *row};
}

static int load(const char *path, struct samples *ret, struct diag *diag)
{
  struct buf text;
  buf_init(&text, (size_t)1 << 20);
  if (file_read(path, &text, diag) < 0)
    return -1;
  char *left;
  for (char *line = strtok_r(text.p, "\n", &left); line;
       line = strtok_r(NULL, "\n", &left)) {
    struct json_doc doc;
    struct row row;
    if (json_parse(&doc, path, bytes_of(line), diag) < 0 ||
        row_read(&doc, 0, &row, diag) < 0)
      return -1;
    keep(ret, &doc, &row);
  }
  buf_release(&text);
  return 0;
}

/* Words of an ordinary message with a number now and then; no wait is in
 * them. */
static void add_words(struct buf *b, size_t n)
{
  static const char words[] =
      " Reduce the length of the messages or ask for less than 4096 tokens,"
      " then send the request again; see https://docs.example.com/limits.";
  for (size_t i = 0; i < n; i++)
    buf_addc(b, words[i % (sizeof words - 1)]);
}

/* The error's message, or the text a body has in its place. */
static cJSON *message_of(cJSON *root)
{
  cJSON *error = cJSON_GetObjectItem(root, "error");
  cJSON *holder = cJSON_IsObject(error) ? error : root;
  cJSON *message = cJSON_GetObjectItem(holder, "message");
  return cJSON_IsString(message) ? message : NULL;
}

/* Repeats the first of Google's details as long as it fits. */
static void grow_lists(cJSON *root)
{
  cJSON *details =
      cJSON_GetObjectItem(cJSON_GetObjectItem(root, "error"), "details");
  bool fits = cJSON_GetArraySize(details) > 0;
  while (fits) {
    cJSON_AddItemToArray(details,
                         cJSON_Duplicate(cJSON_GetArrayItem(details, 0), true));
    char *json = cJSON_Print(root);
    fits = strlen(json) <= BODY_BYTES;
    cJSON_free(json);
  }
}

static char *print_json(const cJSON *root, bool spread)
{
  return spread ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
}

static void grow_message(cJSON *root, bool spread, struct buf *ret)
{
  cJSON *message = message_of(root);
  char *json = print_json(root, spread);
  size_t n = strlen(json);
  if (n < BODY_BYTES) {
    buf_adds(ret, message->valuestring);
    add_words(ret, BODY_BYTES - n);
    cJSON_SetValuestring(message, buf_str(ret));
    cJSON_free(json);
    json = print_json(root, spread);
    buf_reset(ret);
  }
  buf_adds(ret, json);
  cJSON_free(json);
}

static bool is_output(const struct guard_answer *a)
{
  return a->channel == GUARD_STDOUT || a->channel == GUARD_STDERR;
}

/* A page is followed by a comment; a program's last lines count. */
static void grow_text(const struct guard_answer *a, struct buf *ret)
{
  size_t missing = a->body_n < BODY_BYTES ? BODY_BYTES - a->body_n : 0;
  if (!is_output(a)) {
    buf_add(ret, a->body, a->body_n);
    add_words(ret, missing);
    return;
  }
  while (ret->n + 80 < missing) {
    add_words(ret, 79);
    buf_addc(ret, '\n');
  }
  buf_add(ret, a->body, a->body_n);
}

/* Answers of one JSON object grow by their message, or by their lists. */
static void grow(struct probe *p, bool lists)
{
  struct guard_answer *a = &p->answer;
  cJSON *root = cJSON_ParseWithLength(a->body, a->body_n);
  bool spread = strchr(a->body, '\n') != NULL;
  buf_init(&p->body, (size_t)1 << 20);
  if (!is_output(a) && cJSON_IsObject(root) && message_of(root)) {
    if (lists)
      grow_lists(root);
    grow_message(root, spread, &p->body);
  } else {
    grow_text(a, &p->body);
  }
  cJSON_Delete(root);
  a->body = buf_str(&p->body);
  a->body_n = p->body.n;
}

static void add_probe(struct probes *all, const struct guard_answer *a,
                      bool lists)
{
  struct probe *p = &all->item[all->n++];
  *p = (struct probe){.note = lists ? "lists" : "", .answer = *a};
  grow(p, lists);
}

static void parse_only(const struct guard_answer *a)
{
  cJSON *json = cJSON_ParseWithLength(a->body, a->body_n);
  sink = json != NULL;
  cJSON_Delete(json);
}

/* Both in turn, call by call. */
static void measure(struct probe *p)
{
  struct stats own = {0}, peer = {0};
  struct clock *c = clock_real();
  for (int i = 0; i < CALLS; i++) {
    int64_t t0 = clock_now_ns(c);
    sink = (int)guard_classify(&p->answer).cls;
    int64_t t1 = clock_now_ns(c);
    parse_only(&p->answer);
    int64_t t2 = clock_now_ns(c);
    stats_add(&own, t1 - t0);
    stats_add(&peer, t2 - t1);
    stats_add(&p->own, t1 - t0);
    stats_add(&p->peer, t2 - t1);
  }
  stats_add(&p->own_p50, stats_percentile(&own, 50));
  stats_add(&p->peer_p50, stats_percentile(&peer, 50));
  stats_release(&own);
  stats_release(&peer);
}

static double us(struct stats *s, double percent)
{
  return (double)stats_percentile(s, percent) / 1000;
}

/* The median of the calmest round, in us. */
static double print(struct probe *p)
{
  const struct guard_answer *a = &p->answer;
  printf("  %-17s %-6s %-5s %5zu %8.2f %8.2f %8.2f %8.2f %8.2f  %s\n",
         a->provider, row_channels[a->channel], p->note, a->body_n,
         us(&p->own_p50, 0), us(&p->own, 50), us(&p->own, 99),
         us(&p->peer_p50, 0), us(&p->own, 50) / us(&p->peer, 50),
         guard_class_name(guard_classify(a).cls));
  return us(&p->own_p50, 0);
}

static void release(struct probe *p)
{
  buf_release(&p->body);
  stats_release(&p->own);
  stats_release(&p->peer);
  stats_release(&p->own_p50);
  stats_release(&p->peer_p50);
}

static bool measure_all(struct probes *all)
{
  double slowest = 0;
  bool any = false;
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < all->n; i++)
      measure(&all->item[i]);
  printf("  %-30s %5s %8s %8s %8s %8s %8s  us\n", "answer", "bytes", "calm",
         "p50", "p99", "cJSON", "ratio");
  for (size_t i = 0; i < all->n; i++) {
    struct probe *p = &all->item[i];
    double calm = print(p);
    if (p->answer.channel == GUARD_HTTP && !p->note[0]) {
      slowest = calm > slowest ? calm : slowest;
      any = true;
    }
    release(p);
  }
  return any && slowest < MOST_US;
}

int bench_bodies(const char *jsonl, bool *ret_reached, struct diag *diag)
{
  static struct samples rows;
  static struct probes all;
  if (load(jsonl, &rows, diag) < 0)
    return -1;
  for (size_t i = 0; i < rows.n; i++) {
    const struct guard_answer *a = &rows.item[i].row.answer;
    add_probe(&all, a, false);
    if (a->channel == GUARD_HTTP && strcmp(a->provider, "gemini") == 0)
      add_probe(&all, a, true);
  }
  *ret_reached =
      bench_target("median under 5 us for every answer of 4 kB over http",
                   measure_all(&all));
  for (size_t i = 0; i < rows.n; i++) {
    row_release(&rows.item[i].row);
    json_release(&rows.item[i].doc);
  }
  return 0;
}

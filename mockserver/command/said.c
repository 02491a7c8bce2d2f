/*
 * A step's keys turned into the pieces of one start.
 */
#include "mockserver/command/signals.h"
#include "mockserver/command/step.h"
#include "mockserver/reply.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* As the fault usage_limit has it; what a server says that names no wait. */
#define DEFAULT_RESET_S 10800
#define DEFAULT_WAIT_S 1.0

static bool says_stdin(const struct step *step)
{
  bool reads = false;
  param_bool(step->node, "reads_stdin", &reads);
  return reads || step->match.in;
}

bool command_step_reads_stdin(const struct step *step)
{
  return step->command && says_stdin(step);
}

bool command_wants_stdin(const struct scenario *s, const char *command)
{
  for (size_t i = 0; s && i < s->nsteps; i++)
    if (command_step_reads_stdin(&s->steps[i]) &&
        strcmp(s->steps[i].command, command) == 0)
      return true;
  return false;
}

int64_t command_delay_ns(const struct step *step)
{
  double s = 0;
  if (step)
    param_number(step->node, "delay_s", &s);
  return (int64_t)(s * (double)NS_PER_S);
}

/* --- by the tables ------------------------------------------------------ */

/* Of a pattern the newest that fits and is known to say it. */
static const char *exact_version(const struct command_cli *cli,
                                 const struct command_text *row,
                                 const char *asked)
{
  const char *best = row ? row->since : cli->newest;
  if (!asked)
    return cli->newest;
  if (!strchr(asked, 'x'))
    return asked;
  if (command_version_compare(cli->newest, asked) <= 0)
    return cli->newest;
  return best;
}

static enum command_format format_of(const struct command_cli *cli,
                                     const cJSON *step,
                                     const struct start *start)
{
  const char *word = NULL;
  if (step && param_string(step, "format", &word))
    return command_format_of(word);
  return cli->format(start->argv, start->argc);
}

static void make_uuid(struct ids *ids, char ret[40])
{
  static const size_t groups[] = {8, 4, 4, 4, 12};
  struct buf b;
  buf_init(&b, 39);
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
    if (i)
      buf_addc(&b, '-');
    ids_hex(ids, groups[i], &b);
  }
  memcpy(ret, buf_str(&b), b.n + 1);
  buf_release(&b);
}

/* The article's client reads a wait from the text in this form. */
static void add_wait(const cJSON *step, struct buf *message)
{
  double s = 0;
  if (!step || !param_number(step, "retry_after", &s))
    return;
  buf_addf(message, "%sPlease try again in %g seconds.", message->n ? " " : "",
           s);
}

static void fill_scope(const cJSON *step, const struct command_text *row,
                       struct text_scope *scope, struct buf *message)
{
  int64_t reset_s = DEFAULT_RESET_S;
  double wait_s = DEFAULT_WAIT_S;
  const char *text = row && row->message ? row->message : "";
  scope->zone = "UTC";
  if (step) {
    param_string(step, "message", &text);
    param_string(step, "zone", &scope->zone);
    param_int(step, "resets_in_s", &reset_s);
    param_number(step, "retry_after", &wait_s);
  }
  buf_adds(message, text);
  add_wait(step, message);
  scope->message = buf_str(message);
  scope->value.reset_ms = reset_s * 1000;
  scope->value.wait_ms = llround(wait_s * 1000);
}

static void tell_table(const struct command_cli *cli,
                       const struct command_render *r,
                       struct command_said *said)
{
  snprintf(said->says, sizeof said->says, "%s",
           r->row ? r->row->says : "success");
  snprintf(said->what, sizeof said->what, "%s (%s %.16s, %s)", said->says,
           cli->name, r->version, command_format_words[r->format]);
}

static const struct command_text *row_of(const struct command_cli *cli,
                                         const cJSON *step, const char *asked)
{
  const char *says = NULL;
  if (!step || !param_string(step, "says", &says))
    return NULL;
  return command_text_find(cli, says, asked ? asked : cli->newest);
}

/* Whose answer is made, and for which moment. */
struct asked {
  const struct command_cli *cli;
  const cJSON *step; /* NULL: all went well */
  const struct start *start;
  struct text_scope *scope;
  struct ids *ids;
};

static void fill_render(const struct asked *x, struct command_render *r)
{
  const char *version = NULL;
  *r = (struct command_render){.retries = 1};
  if (x->step) {
    param_string(x->step, "version", &version);
    param_int(x->step, "retries", &r->retries);
  }
  r->row = row_of(x->cli, x->step, version);
  r->version = exact_version(x->cli, r->row, version);
  r->format = format_of(x->cli, x->step, x->start);
  make_uuid(x->ids, r->session);
  make_uuid(x->ids, r->uuid);
}

static void by_table(const struct asked *x, struct pieces *ret,
                     struct command_said *said)
{
  const char *answer = REPLY_TEXT;
  struct command_render r;
  struct buf text, message;
  buf_init(&text, TEXT_MAX_BYTES);
  buf_init(&message, TEXT_MAX_BYTES);
  fill_render(x, &r);
  fill_scope(x->step, r.row, x->scope, &message);
  if (x->step)
    param_string(x->step, "text", &answer);
  text_expand(r.row ? r.row->text : answer, x->scope, &text);
  r.text = buf_bytes(&text);
  r.reset_epoch_s =
      (x->scope->value.now_ns / NS_PER_MS + x->scope->value.reset_ms) / 1000;
  x->cli->write(&r, ret);
  tell_table(x->cli, &r, said);
  buf_release(&text);
  buf_release(&message);
}

/* --- literal outputs ---------------------------------------------------- */

static void add_output(const cJSON *object, const char *key,
                       enum piece_kind kind, struct pieces *ret)
{
  const char *text = NULL;
  int64_t times = 1;
  if (!param_string(object, key, &text))
    return;
  param_int(object, "repeat", &times);
  struct piece *piece = pieces_write(ret, kind, bytes_of(text));
  if (piece) {
    piece->times = (uint64_t)times;
    piece->values = true;
  }
}

static void add_one(const cJSON *object, struct pieces *ret)
{
  double s = 0;
  const char *closed = NULL;
  if (param_number(object, "wait_s", &s))
    pieces_wait(ret, (int64_t)(s * (double)NS_PER_S));
  add_output(object, "stdout", PIECE_OUT, ret);
  add_output(object, "stderr", PIECE_ERR, ret);
  if (param_string(object, "close", &closed))
    pieces_add(
        ret, strcmp(closed, "stdout") == 0 ? PIECE_CLOSE_OUT : PIECE_CLOSE_ERR,
        0);
}

static void literal(const cJSON *step, struct pieces *ret,
                    struct command_said *said)
{
  const cJSON *item = NULL;
  snprintf(said->says, sizeof said->says, "%s",
           param_has(step, "reply") ? "success" : "output");
  snprintf(said->what, sizeof said->what, "%s", said->says);
  add_output(step, "stderr", PIECE_ERR, ret);
  add_output(step, "stdout", PIECE_OUT, ret);
  cJSON_ArrayForEach(item, param_node(step, "pieces")) add_one(item, ret);
}

/* --- all of it ---------------------------------------------------------- */

static void add_ignores(const cJSON *step, struct pieces *ret)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, param_node(step, "ignores"))
      pieces_add(ret, PIECE_IGNORE, command_signal(item->valuestring));
}

/* The step's own end in place of the text's. */
static void set_end(const cJSON *step, struct pieces *ret)
{
  int64_t code = 0;
  bool hang = false;
  const char *signal = NULL;
  bool has_code = param_int(step, "exit", &code);
  param_bool(step, "hang", &hang);
  param_string(step, "signal", &signal);
  if (pieces_ended(ret) && (has_code || hang || signal))
    ret->n--;
  if (hang)
    pieces_add(ret, PIECE_HANG, 0);
  else if (signal)
    pieces_add(ret, PIECE_KILL, command_signal(signal));
  else if (!pieces_ended(ret))
    pieces_add(ret, PIECE_EXIT, (int)code);
}

static void tell_end(const struct pieces *p, struct command_said *said)
{
  const struct piece *end = &p->list[p->n - 1];
  size_t n = strlen(said->what);
  if (end->kind == PIECE_EXIT)
    snprintf(said->what + n, sizeof said->what - n, ", exit %d", end->number);
  else if (end->kind == PIECE_KILL)
    snprintf(said->what + n, sizeof said->what - n, ", signal %d", end->number);
  else
    snprintf(said->what + n, sizeof said->what - n, ", never ends");
}

static void tell_wait(const cJSON *step, struct command_said *said)
{
  double s = 0;
  if (!step || !param_number(step, "retry_after", &s))
    return;
  said->has_retry_after = true;
  snprintf(said->retry_after, sizeof said->retry_after, "%g", s);
}

static bool is_literal(const cJSON *step)
{
  return param_has(step, "stdout") || param_has(step, "stderr") ||
         param_has(step, "pieces");
}

/* What a command without a table answers: the text alone. */
static void plain(const cJSON *step, struct pieces *ret,
                  struct command_said *said)
{
  const char *text = REPLY_TEXT;
  if (step)
    param_string(step, "text", &text);
  pieces_out(ret, bytes_of(text));
  pieces_out(ret, BYTES("\n"));
  snprintf(said->says, sizeof said->says, "success");
  snprintf(said->what, sizeof said->what, "success");
}

void command_pieces(const struct step *step, const struct start *start,
                    struct text_scope *scope, struct ids *ids,
                    struct pieces *ret, struct command_said *said)
{
  const struct command_cli *cli = command_cli_find(start->name);
  const cJSON *node = step ? step->node : NULL;
  bool well = !step || param_has(node, "reply");
  *said = (struct command_said){.has_retry_after = false};
  if (node)
    add_ignores(node, ret);
  pieces_wait(ret, command_delay_ns(step));
  if (node && (is_literal(node) || (!well && !param_has(node, "says"))))
    literal(node, ret, said);
  else if (cli)
    by_table(&(struct asked){cli, node, start, scope, ids}, ret, said);
  else
    plain(node, ret, said);
  if (node)
    set_end(node, ret);
  else if (!pieces_ended(ret))
    pieces_add(ret, PIECE_EXIT, 0);
  tell_end(ret, said);
  tell_wait(node, said);
}

void command_script_ended(struct pieces *ret, struct command_said *said)
{
  *said = (struct command_said){.says = "none", .what = "script ended, exit 1"};
  pieces_err(ret, BYTES("faultwire: the script of this scenario is over\n"));
  pieces_add(ret, PIECE_EXIT, 1);
}

bool command_is_question(const struct start *start, struct pieces *ret,
                         struct command_said *said)
{
  const struct command_cli *cli = command_cli_find(start->name);
  struct buf line;
  if (!cli || start->argc != 2 ||
      (strcmp(start->argv[1], "--version") != 0 &&
       strcmp(start->argv[1], "-v") != 0 && strcmp(start->argv[1], "-V") != 0))
    return false;
  *said = (struct command_said){.says = "none", .what = "its version, exit 0"};
  buf_init(&line, 256);
  buf_addf(&line, "%s%s%s", cli->version_head, cli->newest, cli->version_tail);
  pieces_out(ret, buf_bytes(&line));
  pieces_add(ret, PIECE_EXIT, 0);
  buf_release(&line);
  return true;
}

/*
 * Claude Code's texts, 0.2 to 2.1 (measured and from its CHANGELOG). All of
 * it is on stdout, at the beginning of a line. A limit of the subscription
 * is told by its own sentence, an API failure by "API Error: ".
 */
#include "guard/classify/output.h"

static const struct guard_word sentences[] = {
    {"Claude AI usage limit reached", GUARD_USAGE_LIMIT}, /* to 1.0 */
    {"Claude usage limit reached", GUARD_USAGE_LIMIT},    /* 0.2, 1.0 */
    {"Spending cap reached", GUARD_USAGE_LIMIT},          /* 1.0 */
    {"You've hit your monthly spend limit", GUARD_QUOTA_EXHAUSTED},
    {"You're out of extra usage", GUARD_USAGE_LIMIT},       /* 2.1.104 */
    {"You're out of usage credits", GUARD_QUOTA_EXHAUSTED}, /* 2.1.332 */
    {"Your org is out of usage", GUARD_QUOTA_EXHAUSTED},
    {"Your seat type doesn't include", GUARD_QUOTA_EXHAUSTED},
    {"Your group's usage limit is set to $0", GUARD_QUOTA_EXHAUSTED},
    {"Credit balance is too low", GUARD_QUOTA_EXHAUSTED}, /* all */
    {"Repeated server overload with", GUARD_OVERLOADED},  /* 1.0 */
    {"Invalid API key", GUARD_AUTH},                      /* all */
    {"Not logged in", GUARD_AUTH},
    {"OAuth token revoked", GUARD_AUTH},
    {"OAuth token has expired", GUARD_AUTH},
    {"Failed to authenticate", GUARD_AUTH},
    {"Please run /login", GUARD_AUTH},
    {"Your account does not have access", GUARD_AUTH},
    {"This organization has been disabled", GUARD_AUTH},
    {"There's an issue with the selected model", GUARD_INVALID_REQUEST},
    {"Request too large (max", GUARD_INVALID_REQUEST},
    {"Prompt is too long", GUARD_INVALID_REQUEST},
    {NULL, GUARD_NONE},
};

/* Behind "API Error: ", when no status follows. */
static const struct guard_word api_errors[] = {
    {"Request rejected (429)", GUARD_RATE_LIMIT}, /* 2.1.105 on */
    {"Rate limit reached", GUARD_RATE_LIMIT},     /* 2.0 */
    {"Server is temporarily limiting requests", GUARD_RATE_LIMIT},
    {"Repeated 529 Overloaded", GUARD_OVERLOADED}, /* 2.1.197 on */
    {"Overloaded", GUARD_OVERLOADED},
    {"Extra usage is required", GUARD_QUOTA_EXHAUSTED},
    {"Claude's response exceeded", GUARD_INVALID_REQUEST},
    {"Stream idle timeout", GUARD_TIMEOUT},
    {"The operation timed out", GUARD_TIMEOUT},
    {"Connection timed out", GUARD_TIMEOUT},
    {"fetch failed", GUARD_SERVER_ERROR},
    {"Connection dropped", GUARD_STREAM_INTERRUPTED},
    {"API returned an empty or malformed", GUARD_STREAM_INTERRUPTED},
    {"terminated", GUARD_STREAM_INTERRUPTED},
    {"Connection refused", GUARD_SERVER_ERROR},
    {"Unable to connect to API", GUARD_SERVER_ERROR},
    {"Connection error", GUARD_SERVER_ERROR},
    {"Request timed out", GUARD_TIMEOUT},
    {NULL, GUARD_NONE},
};

static bool starts_with_one_of(const struct guard_word *table,
                               struct guard_scan line, const char *rule,
                               struct guard_verdict *ret)
{
  for (; table->word; table++) {
    struct guard_scan s = line;

    if (guard_scan_lit(&s, table->word)) {
      *ret = guard_verdict_of(table->cls, rule);
      return true;
    }
  }
  return false;
}

/* The sentence ends at the line's end; hints are looked for in it alone. */
static struct guard_scan first_line(struct guard_scan text)
{
  struct guard_scan line = text;

  guard_scan_line(&text, &line);
  return line;
}

/* "5-hour limit reached * resets 2am", "Limit reached * resets ...", "Opus
 * weekly limit reached ...": few words, then what only a limit has. */
static bool is_limit_reached(struct guard_scan line)
{
  const size_t longest = 48; /* "Sonnet weekly limit reached" and room */
  struct guard_scan s = first_line(line);

  if (guard_scan_left(&s) > longest)
    s.end = s.p + longest;
  if (!guard_scan_past(&s, "limit reached"))
    return false;
  guard_scan_blanks(&s);
  return guard_scan_done(&s) || guard_scan_byte(&s, '*') ||
         guard_scan_lit(&s, "resets ");
}

/* "You've hit your limit", "You've hit your session limit", "You've reached
 * your 5-hour limit"; also codex: "You've hit your usage limit". */
static bool is_hit_limit(struct guard_scan line)
{
  const size_t longest = 48;
  struct guard_scan s = first_line(line);

  if (!guard_scan_lit(&s, "You've hit your ") &&
      !guard_scan_lit(&s, "You've reached your "))
    return false;
  if (guard_scan_left(&s) > longest)
    s.end = s.p + longest;
  return guard_scan_has(s, "limit");
}

/* "Opus 4 is experiencing high load, please use /model ...", "claude-x
 * requires usage credits.": a model's name in front. */
static bool is_about_model(struct guard_scan line, struct guard_verdict *ret)
{
  static const struct guard_word ends[] = {
      {" is experiencing high load, please use /model", GUARD_OVERLOADED},
      {" requires usage credits.", GUARD_QUOTA_EXHAUSTED},
      {NULL, GUARD_NONE},
  };
  const size_t longest = 48; /* of a model's name */
  struct guard_scan s = first_line(line);
  const char *from = s.p;

  while (!guard_scan_done(&s) && (size_t)(s.p - from) <= longest) {
    if (*s.p == ' ' &&
        starts_with_one_of(ends, s, "claude-cli: about a model", ret))
      return true;
    s.p++;
  }
  return false;
}

static bool window(const struct guard_evidence *e, struct guard_scan line,
                   struct guard_verdict *ret)
{
  if (!starts_with_one_of(sentences, line, "claude-cli: sentence", ret) &&
      !is_about_model(line, ret)) {
    if (!is_hit_limit(line) && !is_limit_reached(line))
      return false;
    *ret = guard_verdict_of(GUARD_USAGE_LIMIT, "claude-cli: limit reached");
  }
  guard_add_text_hint(first_line(line), e->answer->now_epoch_ms, ret);
  return true;
}

/* "429 {json}", "529 Overloaded. ...", "502 <html>" */
static bool with_status(const struct guard_evidence *e, struct guard_scan rest,
                        struct guard_verdict *ret)
{
  int status;

  if (!guard_scan_fixed(&rest, 3, &status) || status < 400 || status > 599)
    return false;
  if (!guard_scan_done(&rest) && !guard_scan_byte(&rest, ' '))
    return false;
  /* 529 comes with the words of a rate limit: the status wins */
  *ret = status == 529 ? guard_by_status(status)
                       : guard_judge_text(e, status, rest);
  ret->rule = "claude-cli: API Error with a status";
  return true;
}

bool guard_line_claude_cli(const struct guard_evidence *e,
                           struct guard_scan line, struct guard_verdict *ret)
{
  struct guard_scan rest = line;

  guard_scan_lit(&rest, "Failed to authenticate. ");

  if (guard_scan_lit(&rest, "API Error: ") ||
      guard_scan_lit(&rest, "API Error (")) {
    if (with_status(e, rest, ret)) {
      guard_add_text_hint(first_line(line), e->answer->now_epoch_ms, ret);
      return true;
    }
    if (!starts_with_one_of(api_errors, rest, "claude-cli: API Error", ret))
      return window(e, rest, ret);
    guard_add_text_hint(first_line(rest), e->answer->now_epoch_ms, ret);
    return true;
  }
  return window(e, line, ret);
}

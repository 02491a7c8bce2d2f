#include "mockserver/import/scrub.h"

#include <string.h>
#include <strings.h>

static bool is_alnum(char c)
{
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z');
}

/* What keys and tokens are made of (RFC 6750 2.1). */
static bool is_token(char c)
{
  return is_alnum(c) || c == '-' || c == '_' || c == '.' || c == '~' ||
         c == '+' || c == '/' || c == '=';
}

static size_t token_length(const char *p, size_t n)
{
  size_t i = 0;
  while (i < n && is_token(p[i]))
    i++;
  return i;
}

static void cover(char *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (is_alnum(p[i]))
      p[i] = 'x';
}

static bool begins(const char *p, size_t n, const char *word)
{
  size_t len = strlen(word);
  return len <= n && strncasecmp(p, word, len) == 0;
}

/* ---- headers ---- */

bool scrub_drops_header(struct bytes name)
{
  return bytes_equal_nocase(name, BYTES("set-cookie")) ||
         bytes_equal_nocase(name, BYTES("set-cookie2"));
}

static bool has(struct bytes name, const char *word)
{
  for (size_t i = 0; i < name.n; i++)
    if (begins(name.p + i, name.n - i, word))
      return true;
  return false;
}

bool scrub_is_secret_header(struct bytes name)
{
  static const char *const words[] = {
      "authorization", "authenticat", "api-key", "apikey",       "cookie",
      "secret",        "password",    "session", "organization", "org-id",
      "account",       "project",     NULL};
  if (has(name, "ratelimit"))
    return false;
  for (const char *const *w = words; *w; w++)
    if (has(name, *w))
      return true;
  return has(name, "token") && !has(name, "tokens");
}

void scrub_value(char *p, size_t n)
{
  static const char *const schemes[] = {"Bearer ", "Basic ", "Digest ", NULL};
  for (const char *const *s = schemes; *s; s++)
    if (begins(p, n, *s)) {
      p += strlen(*s);
      n -= strlen(*s);
      break;
    }
  cover(p, n);
}

/* ---- inside a text ---- */

/* What a key begins with, and how long it is at least with it: shorter ones
 * are words. Anthropic, OpenAI, Google, xAI, Groq, GitHub, AWS, Hugging
 * Face, JSON web tokens; ids of organisations and projects. */
static const struct {
  const char *word;
  size_t at_least;
} beginnings[] = {{"sk-", 8},          {"sk_", 12},   {"pk-", 12},
                  {"AIza", 16},        {"xai-", 12},  {"gsk_", 12},
                  {"ghp_", 12},        {"gho_", 12},  {"ghs_", 12},
                  {"github_pat_", 16}, {"AKIA", 16},  {"ya29.", 12},
                  {"hf_", 12},         {"eyJ", 20},   {"org-", 8},
                  {"proj_", 8},        {"user-", 16}, {"rk-", 12}};

static size_t cover_key(char *p, size_t n)
{
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    size_t len = strlen(beginnings[i].word);
    if (len > n || memcmp(p, beginnings[i].word, len) != 0)
      continue;
    size_t all = token_length(p, n);
    if (all < beginnings[i].at_least)
      continue;
    cover(p + len, all - len);
    return all;
  }
  return 0;
}

static size_t cover_credentials(char *p, size_t n)
{
  static const char *const schemes[] = {"bearer ", "basic ", NULL};
  for (const char *const *s = schemes; *s; s++) {
    size_t len = strlen(*s);
    if (!begins(p, n, *s))
      continue;
    size_t token = token_length(p + len, n - len);
    if (token < 8) /* "bearer token": a word */
      return 0;
    cover(p + len, token);
    return len + token;
  }
  return 0;
}

/* Names of fields and parameters, and how long a value is at least: the
 * "token" of log probabilities is a short word. */
static const struct {
  const char *word;
  size_t at_least;
} names[] = {{"api_key", 1},         {"api-key", 1},        {"apikey", 1},
             {"x-api-key", 1},       {"x-goog-api-key", 1}, {"key", 12},
             {"access_token", 1},    {"refresh_token", 1},  {"id_token", 1},
             {"token", 16},          {"client_secret", 1},  {"secret", 6},
             {"password", 1},        {"authorization", 8},  {"cookie", 4},
             {"set-cookie", 4},      {"session_id", 8},     {"organization", 4},
             {"organization_id", 1}, {"org_id", 1},         {"org", 8},
             {"organizationid", 1},  {"account_id", 4},     {"project_id", 4},
             {"user_id", 4},         {"email", 3}};

static bool is_name(char c)
{
  return is_alnum(c) || c == '_' || c == '-';
}

/* Quotes, escaped ones too, and blanks. */
static size_t skip_quotes(const char *p, size_t n)
{
  size_t i = 0;
  while (i < n && (p[i] == '"' || p[i] == '\'' || p[i] == '\\' || p[i] == ' '))
    i++;
  return i;
}

/* "name": "value" or name=value; the name begins at p. Nothing but a key is
 * called key in a query, however short it is. */
static size_t cover_field(char *p, size_t n, bool in_query)
{
  size_t name = 0, at;
  while (name < n && is_name(p[name]))
    name++;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strlen(names[i].word) != name || !begins(p, name, names[i].word))
      continue;
    at = name + skip_quotes(p + name, n - name);
    if (at == n || (p[at] != ':' && p[at] != '='))
      return 0;
    at++;
    at += skip_quotes(p + at, n - at);
    if (cover_credentials(p + at, n - at))
      return at;
    size_t end = at;
    while (end < n && !strchr("\"'\\ \t\r\n,;&<>{}[]", p[end]))
      end++;
    if (end - at < (in_query ? 1 : names[i].at_least))
      return 0;
    cover(p + at, end - at);
    return end;
  }
  return 0;
}

void scrub_text(char *p, size_t n)
{
  for (size_t i = 0; i < n;) {
    if (i > 0 && is_alnum(p[i - 1])) {
      i++;
      continue;
    }
    size_t used = cover_key(p + i, n - i);
    used = used ? used : cover_credentials(p + i, n - i);
    if (!used && (i == 0 || !is_name(p[i - 1])))
      used = cover_field(p + i, n - i,
                         i > 0 && (p[i - 1] == '?' || p[i - 1] == '&'));
    i += used ? used : 1;
  }
}

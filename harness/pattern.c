#define PCRE2_CODE_UNIT_WIDTH 8
#include "harness/pattern.h"

#include <pcre2.h>

struct pattern {
  pcre2_code *code;
  pcre2_match_data *match;
  struct bytes hay;
};

/* Steps one match may take: a pattern that explodes ends as "no match"
 * after about a second. The library's own default is 10 000 000. */
enum { MATCH_STEPS = 1000000 };

struct pattern *pattern_new(const char *text, char *ret_why, size_t size)
{
  int error = 0;
  PCRE2_SIZE at = 0;
  pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
                                   PCRE2_MULTILINE, &error, &at, NULL);
  if (!code) {
    PCRE2_UCHAR why[160];
    pcre2_get_error_message(error, why, sizeof why);
    snprintf(ret_why, size, "%s at character %zu", (const char *)why,
             (size_t)at + 1);
    return NULL;
  }
  struct pattern *p = mem_zalloc(sizeof *p);
  p->code = code;
  p->match = pcre2_match_data_create_from_pattern(code, NULL);
  return p;
}

void pattern_free(struct pattern *p)
{
  if (!p)
    return;
  pcre2_match_data_free(p->match);
  pcre2_code_free(p->code);
  free(p);
}

int pattern_check(const struct jval *v, struct diag *diag)
{
  const char *text = NULL;
  char why[224];
  if (jval_string(v, &text, diag) < 0)
    return -1;
  struct pattern *p = pattern_new(text, why, sizeof why);
  if (!p)
    return jval_error(v, diag, "no regular expression: %s", why);
  pattern_free(p);
  return 0;
}

static bool match_from(struct pattern *p, pcre2_match_data *into,
                       pcre2_match_context *context, size_t from)
{
  return pcre2_match(p->code, (PCRE2_SPTR)p->hay.p, p->hay.n, from, 0, into,
                     context) > 0;
}

bool pattern_last(struct pattern *p, struct bytes hay)
{
  pcre2_match_context *context = pcre2_match_context_create(NULL);
  pcre2_match_data *next = pcre2_match_data_create_from_pattern(p->code, NULL);
  bool found = false;
  size_t from = 0;
  pcre2_set_match_limit(context, MATCH_STEPS);
  p->hay = hay.p ? hay : BYTES("");
  while (from <= p->hay.n && match_from(p, next, context, from)) {
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(next);
    pcre2_match_data *old = p->match;
    from = at[1] > at[0] ? at[1] : at[1] + 1;
    p->match = next;
    next = old;
    found = true;
  }
  pcre2_match_data_free(next);
  pcre2_match_context_free(context);
  return found;
}

bool pattern_group(const struct pattern *p, const char *name, struct bytes *ret)
{
  int i = pcre2_substring_number_from_name(p->code, (PCRE2_SPTR)name);
  if (i < 0)
    return false;
  const PCRE2_SIZE *at = pcre2_get_ovector_pointer(p->match);
  if (at[2 * i] == PCRE2_UNSET)
    return false;
  *ret = (struct bytes){p->hay.p + at[2 * i], at[2 * i + 1] - at[2 * i]};
  return true;
}

bool pattern_has_group(const struct pattern *p, const char *name)
{
  return pcre2_substring_number_from_name(p->code, (PCRE2_SPTR)name) >= 0;
}

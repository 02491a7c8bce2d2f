/*
 * fuzz_policy.c - a policy file, and its pattern of the metrics line over the
 * file itself.
 */
#include "fuzz/memfile.h"
#include "harness/pattern.h"
#include "harness/policy.h"

#include "base/words.h"

static void check_param(const struct policy *p, const struct param *param,
                        const char *prefix)
{
  char name[64];
  double number = -4242;
  const char *word = NULL;

  snprintf(name, sizeof name, "%s%s", prefix, param->name);
  PROPERTY(policy_knows(name), "a parameter of the table is known");
  if (policy_number(p, name, &number)) {
    PROPERTY(number >= param->min && number <= param->max,
             "a number is within its range");
    PROPERTY(policy_has(p, name), "what has a value is there");
  } else {
    PROPERTY(number == -4242, "without a value nothing is set");
  }
  if (policy_text(p, name, &word)) {
    PROPERTY(policy_has(p, name), "what has a text is there");
    if (param->type == PARAM_WORD)
      PROPERTY(words_has(param->words, word), "a word is one of its list");
  }
}

static void check_pattern(const struct policy *p, struct bytes text)
{
  char why[256];
  const char *line;
  struct pattern *pattern;
  struct bytes group;

  if (!policy_text(p, "metrics_line", &line))
    return;
  pattern = pattern_new(line, why, sizeof why);
  PROPERTY(pattern, "the pattern of an accepted file is good");
  if (pattern_last(pattern, text) && pattern_group(pattern, "hits", &group))
    PROPERTY(group.p >= text.p && group.p + group.n <= text.p + text.n,
             "a group lies in the text");
  pattern_free(pattern);
}

static void check_policy(const struct policy *p, struct bytes text)
{
  double number;

  PROPERTY(policy_number(p, "slack", &number), "there is always a slack");
  for (const struct param *q = policy_params; q->name; q++)
    check_param(p, q, "");
  for (const struct param *q = policy_breaker_params; q->name; q++)
    check_param(p, q, "breaker.");
  if (policy_has(p, "breaker"))
    PROPERTY(policy_number(p, "breaker.opens_after", &number),
             "a breaker says when it opens");
  check_pattern(p, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct diag diag = {0};
  struct policy policy;
  struct memfile file;
  char *copy = fuzz_copy(data, size);

  memfile_init(&file, copy, size);
  if (policy_load(&policy, file.path, &diag) < 0) {
    PROPERTY(diag.set && diag.text[0], "an error has a sentence");
    PROPERTY(strcmp(diag.file, file.path) == 0, "an error names the file");
  } else {
    PROPERTY(!diag.set, "no error is left behind by a success");
    check_policy(&policy, (struct bytes){copy, size});
    policy_release(&policy);
  }
  memfile_release(&file);
  free(copy);
  return 0;
}

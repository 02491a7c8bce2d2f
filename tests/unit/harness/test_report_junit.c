#include "base/file.h"
#include "tests/unit/harness/results.h"

/*
 * Well-formedness by our own rules, for machines without a parser: only what
 * the report may use (elements, double-quoted attributes, text, the five
 * entities and decimal references), so stricter than XML.
 */
struct xml {
  const char *p;
  char stack[8][32];
  int depth, elements;
};

static bool xml_reference(struct xml *x)
{
  static const char *const known[] = {"&amp;", "&lt;",  "&gt;", "&quot;",
                                      "&#9;",  "&#10;", "&#13;"};
  for (size_t i = 0; i < COUNT(known); i++)
    if (strncmp(x->p, known[i], strlen(known[i])) == 0) {
      x->p += strlen(known[i]);
      return true;
    }
  return false;
}

/* Characters up to `end`, which is not consumed. */
static bool xml_text(struct xml *x, char end)
{
  while (*x->p && *x->p != end) {
    unsigned char c = (unsigned char)*x->p;
    size_t k = bytes_utf8_length(bytes_of(x->p));
    if (c == '&') {
      if (!xml_reference(x))
        return false;
      continue;
    }
    if (k == 0 || c == '<' || c == '>' || c == 0x7f ||
        (c < 0x20 && c != '\n') || strncmp(x->p, "\xef\xbf\xbe", 3) == 0 ||
        strncmp(x->p, "\xef\xbf\xbf", 3) == 0)
      return false;
    x->p += k;
  }
  return *x->p == end;
}

static bool xml_name(struct xml *x, char ret[32])
{
  size_t n = strspn(x->p, "abcdefghijklmnopqrstuvwxyz-");
  if (n == 0 || n > 31)
    return false;
  memcpy(ret, x->p, n);
  ret[n] = '\0';
  x->p += n;
  return true;
}

static bool xml_attributes(struct xml *x)
{
  char name[32];
  while (*x->p == ' ') {
    x->p++;
    if (!xml_name(x, name) || strncmp(x->p, "=\"", 2) != 0)
      return false;
    x->p += 2;
    if (!xml_text(x, '"'))
      return false;
    x->p++;
  }
  return true;
}

static bool xml_tag(struct xml *x)
{
  char name[32];
  x->p++;
  if (*x->p == '/') {
    x->p++;
    return xml_name(x, name) && x->depth > 0 &&
           strcmp(name, x->stack[--x->depth]) == 0 && *x->p++ == '>';
  }
  if (x->depth == 8 || !xml_name(x, name) || !xml_attributes(x))
    return false;
  x->elements++;
  if (*x->p == '/') {
    x->p++;
    return *x->p++ == '>';
  }
  memcpy(x->stack[x->depth++], name, sizeof name);
  return *x->p++ == '>';
}

static void check_xml(const char *id, const struct buf *out)
{
  static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  struct xml x = {.p = buf_str(out)};
  bool good = strncmp(x.p, head, sizeof head - 1) == 0;
  x.p += sizeof head - 1;
  while (good && *x.p)
    if (*x.p == '<')
      good = xml_tag(&x);
    else
      good = x.depth > 0 ? xml_text(&x, '<') : *x.p++ == '\n';
  if (!good || x.depth != 0 || x.elements < 5)
    fail_msg("%s: not well-formed at '%.40s' of:\n%s", id, x.p, buf_str(out));
}

/* The command of a real parser that is at hand, NULL: none. */
static const char *parser(void)
{
  if (system("command -v xmllint >/dev/null 2>&1") == 0)
    return "xmllint --noout";
  if (system("python3 -c 'import xml.etree.ElementTree' >/dev/null 2>&1") == 0)
    return "python3 -c 'import sys, xml.etree.ElementTree as t\n"
           "for f in sys.argv[1:]: t.parse(f)'";
  return NULL;
}

static const char *const verdicts[] = {"pass", "warn", "skip", "inconclusive",
                                       "fail"};

static void print_hostile(size_t i, struct buf *ret)
{
  const char *client[] = {hostile[i].text, NULL};
  struct result r[COUNT(verdicts)];
  for (size_t v = 0; v < COUNT(verdicts); v++)
    r[v] = result_with(verdicts[v], hostile[i].text);
  print_results("junit", r, COUNT(r), client, ret);
  for (size_t v = 0; v < COUNT(verdicts); v++)
    result_release(&r[v]);
}

static void no_text_can_break_the_document(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(hostile); i++) {
    struct buf out;
    print_hostile(i, &out);
    check_xml(hostile[i].id, &out);
    buf_release(&out);
  }
}

static void a_very_long_text_is_well_formed(void **state)
{
  (void)state;
  char *text = long_text(300000);
  struct buf out;
  print_one("junit", result_with("fail", text), &out);
  check_xml("very long", &out);
  buf_release(&out);
  free(text);
}

static void a_real_parser_takes_every_document(void **state)
{
  (void)state;
  struct diag diag = {0};
  const char *command = parser();
  if (!command)
    fail_msg("neither xmllint nor python3: scripts/packages names python3");
  char *folder = file_temp_folder("faultwire-junit", &diag);
  assert_non_null(folder);
  for (size_t i = 0; i < COUNT(hostile); i++) {
    struct buf out;
    char *name = mem_format("%s/%zu.xml", folder, i);
    print_hostile(i, &out);
    assert_int_equal(file_write(name, buf_bytes(&out), &diag), 0);
    buf_release(&out);
    free(name);
  }
  char *line = mem_format("%s %s/*.xml", command, folder);
  int rc = system(line);
  file_remove_tree(folder);
  free(line);
  free(folder);
  assert_int_equal(rc, 0);
}

static void each_verdict_has_its_element(void **state)
{
  (void)state;
  static const struct {
    const char *id, *json, *want;
  } rows[] = {
      {"pass", passed_json,
       "<testcase classname=\"baseline\" name=\"plain\" file=\"\" "
       "time=\"1.000\">\n      <system-out></system-out>\n"},
      {"fail", failed_json,
       "<failure type=\"assert\" message=\"attempt 2 must start"},
      {"inconclusive", unwired_json,
       "<error type=\"no-contact\" message=\"not wired: no request"},
      {"skip", skipped_json,
       "<skipped message=\"the policy has no breaker\"/>"},
      {"warn", warned_json, "<system-out>  body_same, warn: bodies differ\n"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    print_one("junit", result_of(rows[i].json), &out);
    check_xml(rows[i].id, &out);
    assert_contains(&out, rows[i].want);
    buf_release(&out);
  }
}

static void failures_errors_and_skips_are_counted_apart(void **state)
{
  (void)state;
  struct result r[] = {result_of(passed_json),  result_of(failed_json),
                       result_of(failed_json),  result_of(skipped_json),
                       result_of(skipped_json), result_of(skipped_json),
                       result_of(unwired_json)};
  struct buf out;
  print_results("junit", r, COUNT(r), NULL, &out);
  assert_contains(&out, "tests=\"7\" failures=\"2\" errors=\"1\" "
                        "skipped=\"3\"");
  assert_contains(&out, "classname=\"anthropic.rate-limit\" "
                        "name=\"429-then-recovers\"");
  assert_contains(&out, "<system-out>  transcript\n    #1  0.012 s");
  for (size_t i = 0; i < COUNT(r); i++)
    result_release(&r[i]);
  buf_release(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_text_can_break_the_document),
      cmocka_unit_test(a_very_long_text_is_well_formed),
      cmocka_unit_test(a_real_parser_takes_every_document),
      cmocka_unit_test(each_verdict_has_its_element),
      cmocka_unit_test(failures_errors_and_skips_are_counted_apart),
  };
  return cmocka_run_group_tests_name("report_junit", tests, NULL, NULL);
}

/* faultwire.json: what init writes, what test reads. */
#include "harness/init/found.h"
#include "harness/project/project.h"
#include "tests/unit/harness/table_schema.h"

#include "base/file.h"

#include <unistd.h>

static char *dir; /* a fresh one for each test */

static int set_up(void **state)
{
  struct diag diag = {0};
  (void)state;
  dir = file_temp_folder("project", &diag);
  return dir ? chdir(dir) : -1;
}

static int tear_down(void **state)
{
  (void)state;
  assert_int_equal(chdir("/"), 0);
  file_remove_tree(dir);
  free(dir);
  return 0;
}

static void put(const char *name, const char *text)
{
  struct diag diag = {0};
  char *path = mem_strdup(name), *slash = strrchr(path, '/');
  if (slash) {
    *slash = '\0';
    assert_int_equal(file_mkdirs(path, &diag), 0);
  }
  free(path);
  if (file_write(name, bytes_of(text), &diag) < 0)
    fail_msg("%s", diag.text);
}

static void the_schema_says_what_the_reader_takes(void **state)
{
  static const char *const others[] = {"$schema", NULL};
  struct json_doc doc;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(
      json_load(&doc, SOURCE_DIR "/docs/project.schema.json", &diag), 0);
  assert_int_equal(schema_differs(doc.root, project_params, others), 0);
  json_release(&doc);
}

/* --- reading ---------------------------------------------------------------
 */

static const struct {
  const char *id, *text, *says;
} bad[] = {
    {"unknown key", "{\"client\":[\"a\"],\"polcy\":\"p\"}",
     "did you mean 'policy'"},
    {"no client", "{}", "'client' is missing"},
    {"empty client", "{\"client\":[]}", "which client?"},
    {"client's type", "{\"client\":\"a b\"}", "array"},
    {"provider", "{\"client\":[\"a\"],\"provider\":\"antropic\"}",
     "did you mean 'anthropic'"},
    {"channel", "{\"client\":[\"a\"],\"channel\":\"htp\"}", "'http'"},
    {"output kind", "{\"client\":[\"a\"],\"outputs\":{\"junt\":\"x\"}}",
     "did you mean 'junit'"},
    {"output file", "{\"client\":[\"a\"],\"outputs\":{\"junit\":\"\"}}",
     "is no path"},
    {"format", "{\"client\":[\"a\"],\"format\":\"txt\"}", "'text'"},
    {"variable", "{\"client\":[\"a\"],\"environment\":{\"A-B\":\"x\"}}",
     "no name of a variable"},
    {"variable's value", "{\"client\":[\"a\"],\"environment\":{\"A\":1}}",
     "string"},
    {"jobs", "{\"client\":[\"a\"],\"jobs\":0}", "1"},
    {"key twice", "{\"client\":[\"a\"],\"client\":[\"b\"]}", "stands twice"},
};

static void a_wrong_file_is_a_placed_error(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct project p;
    struct diag diag = {0};
    put(PROJECT_FILE, bad[i].text);
    if (project_load(&p, PROJECT_FILE, &diag) == 0)
      fail_msg("%s was taken", bad[i].id);
    if (!strstr(diag.text, bad[i].says) || diag.line != 1 ||
        strcmp(diag.file, PROJECT_FILE) != 0)
      fail_msg("%s: %d: %s", bad[i].id, diag.line, diag.text);
  }
}

#define PROJECT                                                                \
  "{\"client\":[\"run\",\"me\"],\"provider\":\"openai\",\"policy\":\"p."       \
  "json\","                                                                    \
  "\"suite\":[\"a\",\"b\"],\"only\":[\"x*\"],\"jobs\":3,\"seed\":5,"           \
  "\"limit_s\":2,\"strict\":true,\"format\":\"tap\",\"evidence\":\"ev\","      \
  "\"outputs\":{\"junit\":\"j.xml\"},\"environment\":{\"A\":\"{BASE}\"}}"

/* What `test ARGS` makes of the project file above. */
static void apply(char *const *args, struct project *p, struct test_options *o)
{
  struct diag diag = {0};
  char *argv[16] = {(char[]){"test"}};
  int argc = 1;
  for (; args[argc - 1]; argc++)
    argv[argc] = args[argc - 1];
  assert_int_equal(test_options_parse(o, argc, argv, &diag), CMDLINE_OK);
  if (project_load(p, PROJECT_FILE, &diag) < 0 ||
      project_apply(p, o, &diag) < 0)
    fail_msg("%s", diag.text);
}

static void release(struct project *p, struct test_options *o)
{
  free(o->words);
  project_release(p);
}

static void the_file_fills_in_what_the_command_line_leaves_open(void **state)
{
  struct project p;
  struct test_options o;
  char *args[] = {NULL};
  (void)state;
  put(PROJECT_FILE, PROJECT);
  apply(args, &p, &o);
  assert_int_equal(o.npaths, 2);
  assert_string_equal(o.paths[1], "b");
  assert_int_equal(o.ncommand, 2);
  assert_string_equal(o.command[0], "run");
  assert_null(o.command[2]);
  assert_string_equal(o.policy, "p.json");
  assert_string_equal(o.provider, "openai");
  assert_string_equal(o.evidence, "ev");
  assert_string_equal(o.out.format, "tap");
  assert_string_equal(o.out.files.item[0], "junit=j.xml");
  assert_string_equal(o.only.item[0], "x*");
  assert_true(o.jobs == 3 && o.seed == 5 && o.strict);
  assert_true(o.limit_s > 1.9 && o.limit_s < 2.1);
  assert_true(param_has(p.env, "A"));
  release(&p, &o);
}

static void the_command_line_counts_before_the_file(void **state)
{
  struct project p;
  struct test_options o;
  char *args[] = {(char[]){"--policy=q.json"},
                  (char[]){"--seed=0"},
                  (char[]){"--report=tap=t"},
                  (char[]){"--only=y"},
                  (char[]){"other"},
                  (char[]){"--"},
                  (char[]){"mine"},
                  NULL};
  (void)state;
  put(PROJECT_FILE, PROJECT);
  apply(args, &p, &o);
  assert_int_equal(o.npaths, 1);
  assert_string_equal(o.paths[0], "other");
  assert_int_equal(o.ncommand, 1);
  assert_string_equal(o.command[0], "mine");
  assert_string_equal(o.policy, "q.json");
  assert_true(o.seed == 0);
  assert_int_equal(o.out.files.n, 1);
  assert_string_equal(o.out.files.item[0], "tap=t");
  assert_string_equal(o.only.item[0], "y");
  assert_string_equal(o.provider, "openai");
  release(&p, &o);
}

/* --- writing ---------------------------------------------------------------
 */

static const struct {
  const char *id;
  const char *files[6][2];
  const char *provider, *client; /* client: its words with spaces */
  const char *ci, *says;         /* in the written file */
} folders[] = {
    {"python with requirements",
     {{"requirements.txt", "requests\nanthropic>=1.0 # the SDK\n"},
      {"client.py", "print(1)"},
      {"test_client.py", ""}},
     "anthropic",
     "python3 client.py",
     NULL,
     "ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY are set"},
    {"pyproject and a virtual environment",
     {{"pyproject.toml", "dependencies = [\"openai[datalib]~=2\"]"},
      {".venv/bin/python", ""},
      {"main.py", ""},
      {"other.py", ""}},
     "openai",
     ".venv/bin/python main.py",
     NULL,
     "OPENAI_BASE_URL"},
    {"a source alone",
     {{"only.py", "import os; os.environ['GEMINI_API_KEY']"}},
     "gemini",
     "python3 only.py",
     NULL,
     "'GEMINI_API_KEY' stands in only.py"},
    {"node",
     {{"package.json", "{\"main\":\"src/x.mjs\",\"dependencies\":"
                       "{\"@anthropic-ai/sdk\":\"^1\"}}"},
      {"src/x.mjs", ""},
      {".github/workflows/ci.yml", ""}},
     "anthropic",
     "node src/x.mjs",
     "GitHub Actions",
     "\"junit\": \"faultwire-junit.xml\""},
    {"vercel's google provider reads no address",
     {{"package.json", "{\"dependencies\":{\"@ai-sdk/google\":\"^3\"}}"},
      {"index.js", ""}},
     "gemini",
     "node index.js",
     NULL,
     "give it baseURL"},
    {"openai as a part of a longer name is no openai",
     {{"requirements.txt", "my-openai-mock\nlangchain-anthropic\n"},
      {"a.py", ""}},
     "anthropic",
     "python3 a.py",
     NULL,
     "\"provider\": \"anthropic\""},
    {"go",
     {{"go.mod", "module example.org/team/caller\n\nrequire "
                 "github.com/openai/openai-go/v3 v3.1.0\n"},
      {".gitlab-ci.yml", ""}},
     "openai",
     "./caller",
     "GitLab",
     "`go build` makes it"},
    {"rust",
     {{"Cargo.toml", "[package]\nname = \"ask\"\n[dependencies]\n"
                     "async-openai = \"0.30\"\n"}},
     "openai",
     "./target/release/ask",
     NULL,
     "with_api_base"},
    {"java",
     {{"pom.xml", "<artifactId>anthropic-java</artifactId>"},
      {"Jenkinsfile", ""}},
     "anthropic",
     "",
     "Jenkins",
     "\"./my-client\""},
    {"a script around a command",
     {{"job.sh", "claude --print hello\n"}},
     NULL,
     "",
     NULL,
     "\"channel\": \"command\""},
    {"several programs, none with a usual name",
     {{"a.py", "import anthropic"}, {"b.py", ""}},
     "anthropic",
     "",
     NULL,
     "Not found"},
    {"a policy",
     {{"a.py", ""}, {"policy.json", "{}"}},
     NULL,
     "python3 a.py",
     NULL,
     "\"policy\": \"policy.json\""},
};

static void check_words(const char *id, const struct found *f,
                        const char *client)
{
  struct buf words;
  buf_init(&words, 1000);
  for (int i = 0; f->client[i]; i++)
    buf_addf(&words, "%s%s", i ? " " : "", f->client[i]);
  /* guard, when it is installed, stands in for a client nobody found */
  if (strcmp(buf_str(&words), client) != 0 &&
      strncmp(buf_str(&words), "guard", 5) != 0)
    fail_msg("%s: client '%s'", id, buf_str(&words));
  buf_release(&words);
}

static void same(const char *id, const char *what, const char *a, const char *b)
{
  if (strcmp(a ? a : "", b ? b : "") != 0)
    fail_msg("%s: %s '%s', not '%s'", id, what, a ? a : "", b ? b : "");
}

/* What is written can be read, and says what was found. */
static void check_written(const char *id, const struct found *f,
                          const char *says)
{
  struct buf text;
  struct project p;
  struct diag diag = {0};
  const char *provider = NULL;
  buf_init(&text, 1 << 20);
  found_write(f, &text);
  if (!strstr(buf_str(&text), says))
    fail_msg("%s: not in it: %s\n%s", id, says, buf_str(&text));
  put(PROJECT_FILE, buf_str(&text));
  if (project_load(&p, PROJECT_FILE, &diag) < 0)
    fail_msg("%s: %d:%d: %s\n%s", id, diag.line, diag.column, diag.text,
             buf_str(&text));
  param_string(p.doc.root, "provider", &provider);
  same(id, "written provider", provider, f->provider);
  project_release(&p);
  buf_release(&text);
}

static void init_finds_out_what_a_folder_tells(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(folders); i++) {
    struct found f;
    struct diag diag = {0};
    const char *id = folders[i].id;
    file_remove_tree(dir);
    assert_int_equal(file_mkdirs(dir, &diag), 0);
    assert_int_equal(chdir(dir), 0);
    for (int k = 0; folders[i].files[k][0]; k++)
      put(folders[i].files[k][0], folders[i].files[k][1]);
    if (found_look(&f, ".", &diag) < 0)
      fail_msg("%s: %s", id, diag.text);
    same(id, "provider", f.provider, folders[i].provider);
    same(id, "CI", f.ci, folders[i].ci);
    check_words(id, &f, folders[i].client);
    check_written(id, &f, folders[i].says);
    found_release(&f);
  }
}

static void a_sign_is_a_word_of_its_own(void **state)
{
  (void)state;
  assert_true(found_word(BYTES("import openai\n"), "openai"));
  assert_true(found_word(BYTES("openai"), "openai"));
  assert_true(found_word(BYTES("\"openai\":"), "openai"));
  assert_true(found_word(BYTES("from google.genai import x"), "google.genai"));
  assert_true(found_word(BYTES("import openai.types"), "openai"));
  assert_false(found_word(BYTES("my-openai"), "openai"));
  assert_false(found_word(BYTES("openai-mock"), "openai"));
  assert_false(found_word(BYTES("@ai-sdk/openai"), "openai"));
  assert_false(found_word(BYTES(""), "openai"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_schema_says_what_the_reader_takes),
      cmocka_unit_test(a_wrong_file_is_a_placed_error),
      cmocka_unit_test(the_file_fills_in_what_the_command_line_leaves_open),
      cmocka_unit_test(the_command_line_counts_before_the_file),
      cmocka_unit_test(init_finds_out_what_a_folder_tells),
      cmocka_unit_test(a_sign_is_a_word_of_its_own)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

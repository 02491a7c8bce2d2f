#include "tests/unit/unit.h"

#include "base/clock.h"
#include "base/file.h"
#include "mockserver/tls_ca.h"

#include <gnutls/x509.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOW INT64_C(1764547200)
#define DAY_S (24 * 3600)

static gnutls_x509_crt_t read_ca(const struct tls_ca *ca)
{
  gnutls_x509_crt_t crt;
  struct bytes pem = tls_ca_pem(ca);
  gnutls_datum_t d = {(unsigned char *)(uintptr_t)pem.p, (unsigned)pem.n};
  gnutls_x509_crt_init(&crt);
  assert_int_equal(gnutls_x509_crt_import(crt, &d, GNUTLS_X509_FMT_PEM), 0);
  return crt;
}

/* The leaf as the server shows it. */
static gnutls_x509_crt_t read_leaf(struct tls_ca *ca, enum tls_leaf leaf)
{
  gnutls_datum_t d;
  gnutls_x509_crt_t crt;
  struct diag diag = {0};
  gnutls_certificate_credentials_t c = tls_ca_leaf(ca, leaf, &diag);
  assert_non_null(c);
  assert_int_equal(gnutls_certificate_get_crt_raw(c, 0, 0, &d), 0);
  gnutls_x509_crt_init(&crt);
  assert_int_equal(gnutls_x509_crt_import(crt, &d, GNUTLS_X509_FMT_DER), 0);
  return crt;
}

static void the_ca_may_sign_and_says_so(void **state)
{
  struct diag diag = {0};
  unsigned critical = 0, is_ca = 0, usage = 0;
  int pathlen = -1;
  (void)state;
  struct tls_ca *ca = tls_ca_new(NOW, NULL, &diag);
  assert_non_null(ca);
  gnutls_x509_crt_t crt = read_ca(ca);
  assert_true(gnutls_x509_crt_get_basic_constraints(crt, &critical, &is_ca,
                                                    &pathlen) >= 0);
  assert_true(critical && is_ca);
  assert_int_equal(pathlen, 0);
  assert_int_equal(gnutls_x509_crt_get_key_usage(crt, &usage, &critical), 0);
  assert_true(critical && (usage & GNUTLS_KEY_KEY_CERT_SIGN));
  assert_int_equal(gnutls_x509_crt_get_version(crt), 3);
  assert_true(gnutls_x509_crt_get_activation_time(crt) <= NOW - DAY_S);
  assert_true(gnutls_x509_crt_get_expiration_time(crt) > NOW + 365 * DAY_S);
  assert_true(gnutls_x509_crt_check_issuer(crt, crt));
  gnutls_x509_crt_deinit(crt);
  tls_ca_free(ca);
}

static void leaves_are_signed_by_it_or_are_not(void **state)
{
  static const struct {
    enum tls_leaf leaf;
    bool signed_by_it, named;
  } rows[] = {{LEAF_GOOD, true, true},        {LEAF_WRONG_NAME, true, false},
              {LEAF_EXPIRED, true, true},     {LEAF_NOT_YET_VALID, true, true},
              {LEAF_UNKNOWN_CA, false, true}, {LEAF_SELF_SIGNED, false, true}};
  struct diag diag = {0};
  (void)state;
  assert_int_equal(COUNT(rows), LEAVES);
  struct tls_ca *ca = tls_ca_new(NOW, NULL, &diag);
  gnutls_x509_crt_t by = read_ca(ca);
  for (size_t i = 0; i < COUNT(rows); i++) {
    unsigned status = 0;
    gnutls_x509_crt_t crt = read_leaf(ca, rows[i].leaf);
    gnutls_x509_crt_verify(crt, &by, 1, GNUTLS_VERIFY_DISABLE_TIME_CHECKS,
                           &status);
    if ((status == 0) != rows[i].signed_by_it)
      fail_msg("row %zu: status 0x%x", i, status);
    if ((gnutls_x509_crt_check_hostname(crt, "127.0.0.1") != 0) !=
        rows[i].named)
      fail_msg("row %zu: name", i);
    gnutls_x509_crt_deinit(crt);
  }
  gnutls_x509_crt_deinit(by);
  tls_ca_free(ca);
}

static void a_leaf_is_made_once(void **state)
{
  struct diag diag = {0};
  (void)state;
  struct tls_ca *ca = tls_ca_new(NOW, NULL, &diag);
  assert_ptr_equal(tls_ca_leaf(ca, LEAF_EXPIRED, &diag),
                   tls_ca_leaf(ca, LEAF_EXPIRED, &diag));
  tls_ca_free(ca);
}

static void two_processes_have_two_cas(void **state)
{
  struct diag diag = {0};
  (void)state;
  struct tls_ca *a = tls_ca_new(NOW, NULL, &diag);
  struct tls_ca *b = tls_ca_new(NOW, NULL, &diag);
  assert_false(bytes_equal(tls_ca_pem(a), tls_ca_pem(b)));
  tls_ca_free(a);
  tls_ca_free(b);
}

static void a_folder_keeps_it(void **state)
{
  struct diag diag = {0};
  struct stat st;
  (void)state;
  char *top = file_temp_folder("test-tls-ca", &diag);
  char *folder = mem_format("%s/a/b", top);
  char *key = mem_format("%s/" TLS_CA_KEY_FILE, folder);
  struct tls_ca *first = tls_ca_open(folder, NOW, NULL, &diag);
  assert_non_null(first);
  assert_int_equal(stat(key, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0600);
  struct tls_ca *again = tls_ca_open(folder, NOW + DAY_S, NULL, &diag);
  assert_non_null(again);
  assert_true(bytes_equal(tls_ca_pem(first), tls_ca_pem(again)));
  gnutls_x509_crt_t by = read_ca(first), leaf = read_leaf(again, LEAF_GOOD);
  assert_true(gnutls_x509_crt_check_issuer(leaf, by));
  gnutls_x509_crt_deinit(by);
  gnutls_x509_crt_deinit(leaf);
  tls_ca_free(first);
  tls_ca_free(again);
  file_remove_tree(top);
  free(key);
  free(folder);
  free(top);
}

/* The files of two CAs, mixed; one of them alone; nonsense. */
static void a_folder_with_the_wrong_files_is_an_error(void **state)
{
  static const char *const spoil[] = {"no key", "no certificate", "no PEM",
                                      "another's certificate"};
  (void)state;
  for (size_t i = 0; i < COUNT(spoil); i++) {
    struct diag diag = {0};
    char *top = file_temp_folder("test-tls-ca", &diag);
    char *one = mem_format("%s/one", top), *other = mem_format("%s/other", top);
    tls_ca_free(tls_ca_open(one, NOW, NULL, &diag));
    tls_ca_free(tls_ca_open(other, NOW, NULL, &diag));
    char *from = mem_format("%s/ca.pem", i == 3 ? other : one);
    char *crt = mem_format("%s/ca.pem", one);
    char *key = mem_format("%s/ca-key.pem", one);
    struct buf b;
    buf_init(&b, (size_t)1 << 16);
    file_read(from, &b, &diag);
    if (i < 2)
      unlink(i == 0 ? key : crt);
    else
      file_write(crt, i == 2 ? BYTES("x\n") : buf_bytes(&b), &diag);
    struct tls_ca *ca = tls_ca_open(one, NOW, NULL, &diag);
    if (ca)
      fail_msg("taken after: %s", spoil[i]);
    assert_true(diag.text[0] != '\0');
    file_remove_tree(top);
    buf_release(&b);
    free(from);
    free(crt);
    free(key);
    free(one);
    free(other);
    free(top);
  }
}

/* What a start pays: far more than it takes, for a machine that is busy. */
static void it_is_made_in_a_few_milliseconds(void **state)
{
  struct diag diag = {0};
  (void)state;
  int64_t best = INT64_MAX;
  for (int i = 0; i < 20; i++) {
    int64_t begin = clock_now_ns(clock_real());
    tls_ca_free(tls_ca_new(NOW, NULL, &diag));
    int64_t ns = clock_now_ns(clock_real()) - begin;
    best = ns < best ? ns : best;
  }
  print_message("a CA and a leaf: %.2f ms\n", (double)best / 1e6);
  assert_true(best < 50 * NS_PER_MS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ca_may_sign_and_says_so),
      cmocka_unit_test(leaves_are_signed_by_it_or_are_not),
      cmocka_unit_test(a_leaf_is_made_once),
      cmocka_unit_test(two_processes_have_two_cas),
      cmocka_unit_test(a_folder_keeps_it),
      cmocka_unit_test(a_folder_with_the_wrong_files_is_an_error),
      cmocka_unit_test(it_is_made_in_a_few_milliseconds)};
  return cmocka_run_group_tests_name("tls_ca", tests, NULL, NULL);
}

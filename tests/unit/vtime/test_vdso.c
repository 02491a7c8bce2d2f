#include "tests/unit/unit.h"

#include "harness/vtime/seccomp/vdso.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

/* That of this process; two or three pages of it are there for certain. */
static struct bytes own_image(void)
{
  return (struct bytes){(const char *)getauxval(AT_SYSINFO_EHDR), 8192};
}

static void this_kernels_image_has_its_functions_found(void **state)
{
  struct vdso_function f[VDSO_NFUNCTIONS];
  (void)state;
  assert_true(vdso_find(own_image(), f));
  assert_true(f[VDSO_CLOCK].at > 0 && f[VDSO_CLOCK].size > 16);
  assert_true(f[VDSO_DAY].at > 0 && f[VDSO_TIME].at > 0);
}

static void a_broken_image_is_refused_and_never_read_beyond(void **state)
{
  struct vdso_function f[VDSO_NFUNCTIONS];
  struct bytes own = own_image();
  char *copy = test_malloc(own.n);
  (void)state;
  assert_false(vdso_find((struct bytes){"", 0}, f));
  for (size_t n = 0; n < own.n; n += 61) { /* cut anywhere */
    memcpy(copy, own.p, n);
    vdso_find((struct bytes){copy, n}, f);
  }
  memcpy(copy, own.p, own.n);
  for (size_t at = 0; at < sizeof(Elf64_Ehdr);
       at++) { /* any byte of the head */
    copy[at] = (char)~copy[at];
    vdso_find((struct bytes){copy, own.n}, f);
    copy[at] = (char)~copy[at];
  }
  test_free(copy);
}

static void a_large_function_gets_the_fast_code(void **state)
{
  static const struct vdso_function f[VDSO_NFUNCTIONS] = {
      {1000, 512}, {2000, 200}, {3000, 5}};
  struct vdso_write w[VDSO_MAX_WRITES];
  bool fast = false;
  (void)state;
  size_t n = vdso_plan(f, w, &fast);
  assert_true(fast);
  assert_int_equal(n, 5);
  for (size_t i = 0; i < 3; i++)
    assert_true(w[i].at >= 1000 && w[i].at + w[i].n <= 1512);
  assert_true(w[0].at + w[0].n <= w[1].at);
  assert_int_equal(w[2].at, 1000); /* the entry last */
  assert_int_equal(w[2].p[0], 0xe9);
  assert_int_equal(w[3].at, 2000);
  assert_true(w[3].n <= 200);
  /* time is too small: a call. mov $201,%eax; syscall; ret */
  assert_memory_equal(w[4].p, "\xb8\xc9\0\0\0\x0f\x05\xc3", 8);
}

static void a_small_function_gets_a_call(void **state)
{
  static const struct vdso_function f[VDSO_NFUNCTIONS] = {{1000, 64}};
  struct vdso_write w[VDSO_MAX_WRITES];
  bool fast = true;
  (void)state;
  assert_int_equal(vdso_plan(f, w, &fast), 1);
  assert_false(fast);
  assert_memory_equal(w[0].p, "\xb8\xe4\0\0\0\x0f\x05\xc3", 8);
}

static void the_switch_leads_to_the_fast_code(void **state)
{
  struct vdso_write w;
  int32_t way;
  (void)state;
  vdso_plan_switch(1000, &w);
  memcpy(&way, w.p + 1, sizeof way);
  assert_int_equal(w.p[0], 0xe9);
  assert_int_equal(1000 + 5 + way, 1256);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(this_kernels_image_has_its_functions_found),
      cmocka_unit_test(a_broken_image_is_refused_and_never_read_beyond),
      cmocka_unit_test(a_large_function_gets_the_fast_code),
      cmocka_unit_test(a_small_function_gets_a_call),
      cmocka_unit_test(the_switch_leads_to_the_fast_code),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

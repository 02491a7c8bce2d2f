/* A right client in C: three tries, obeys up to two seconds, a body shorter
 * than announced is no answer. */
#include "tests/clients/lib/wire.h"

int main(void)
{
  static struct answer a;
  for (int number = 1; number <= 3; number++) {
    call(&a);
    if (is_whole(&a)) {
      print_text(&a);
      return 0;
    }
    double s = a.has_retry_after ? strtod(a.retry_after, NULL) : 0.25 * number;
    if ((a.status >= 400 && a.status < 429) || s > 2 || number == 3)
      break;
    wait_s(s);
  }
  fprintf(stderr, "failed: %d\n", a.status);
  return 1;
}

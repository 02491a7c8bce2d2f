/* Takes it that every refusal says how long to wait. */
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
    const char *volatile wait = header(a.all, "retry-after");
    wait_s((double)(wait[0] - '0'));
  }
  return 1;
}

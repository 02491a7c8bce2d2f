/* Reads until the connection ends and asks no further. */
#include "tests/clients/lib/wire.h"

int main(void)
{
  static struct answer a;
  call(&a);
  if (a.status != 200)
    return 1;
  print_text(&a);
  return 0;
}

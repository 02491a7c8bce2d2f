/* main.c - the guard program: two forms, one gate. */
#include "http.h"
#include "wrap.h"

#include <string.h>

int main(int argc, char **argv)
{
  if (argc > 1 && strcmp(argv[1], "http") == 0)
    return http_main(argc - 1, argv + 1);
  return wrap_main(argc, argv);
}

/* The gate as a program of its own, for its tests. */
#include "mutants/mutate.h"

int main(int argc, char **argv)
{
  static char name[] = "mutate";
  argv[0] = name;
  return mutate_main(argc, argv);
}

/*
 * test.h - `faultwire test`: scenarios against a client.
 */
#ifndef HARNESS_TEST_H
#define HARNESS_TEST_H

/* argv[0] is "test". Exit code: 0 pass, 1 a check failed, 2 usage or invalid
 * scenario, 3 inconclusive or set-up failed, 130 interrupted. */
int test_main(int argc, char **argv);

#endif

/* One call behind guard's gate; your_send() and the clock are yours. */
#include "your_send.h"

#include <guard/call.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
  struct guard_policy policy;
  struct guard_breaker breaker = {0};
  struct guard_budget budget = {0};
  struct guard_metrics metrics = {0};
  const struct guard_gate gate = {&policy, &breaker, &budget, &metrics};
  struct guard_call call;
  guard_policy_default(&policy);
  struct guard_order order = guard_call_begin(&call, &gate, your_now_ms());
  while (order.step == GUARD_TRY) {
    struct guard_answer answer = your_send(&order.limits);
    struct guard_outcome end = {.verdict = guard_classify(&answer)};
    double random = rand() / (RAND_MAX + 1.0);
    order = guard_call_result(&call, &gate, &end, your_now_ms(), random);
    if (order.step == GUARD_WAIT) {
      your_sleep_ms(order.wait_ms);
      order = guard_call_again(&call, &gate, your_now_ms());
    }
  }
  printf("%s after %d tries\n", order.why, call.tries);
  return order.step == GUARD_DONE ? 0 : order.step == GUARD_DEGRADE ? 75 : 1;
}

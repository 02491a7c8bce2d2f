/* your_send.h - what a program brings along: sending, the time, sleeping. */
#ifndef YOUR_SEND_H
#define YOUR_SEND_H

#include <guard/call.h>

/* Sends the request within the time-outs; the answer stays valid until the
 * next one. */
struct guard_answer your_send(const struct guard_limits *limits);
/* Milliseconds since 1970. */
int64_t your_now_ms(void);
void your_sleep_ms(int64_t ms);

#endif

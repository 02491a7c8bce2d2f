#include "mockserver/endpoint.h"

#include "base/clock.h"
#include "mockserver/limits_request.h"
#include "mockserver/reply.h"

void endpoint_plain(const struct endpoint_ask *q, const struct provider *p,
                    const struct batch_request *r, struct buf *ret)
{
  struct reply reply;
  reply_init(&reply, bytes_of(r->model));
  block_add_words(reply_add(&reply, BLOCK_TEXT), REPLY_TEXT, 0);
  p->reply_ids(q->ids, &reply);
  reply.created_epoch_s = q->wall_ns / NS_PER_S;
  reply.input_tokens = (uint64_t)tokens_estimate(buf_bytes(&r->body));
  p->plain(&reply, ret);
  reply_release(&reply);
}

#include "harness/report/scale.h"

#include "harness/report/detail.h"
#include "harness/report/escape.h"

#include "base/param.h"

/* Of each kind; all of them are in the JSON report. */
enum { MAX_NAMED = 4 };

static void add_divided(const cJSON *list, struct buf *out)
{
  int n = 0;
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, list)
  {
    buf_adds(out, n == 0 ? ": " : ", ");
    if (n++ == MAX_NAMED) {
      buf_addf(out, "and %d more", cJSON_GetArraySize(list) - MAX_NAMED);
      return;
    }
    escape_line(out, detail_text(item, "what"));
    buf_addc(out, ' ');
    escape_line(out, detail_text(item, "was"));
    buf_adds(out, " is ");
    escape_line(out, detail_text(item, "is"));
  }
}

static void add_kept(const cJSON *list, struct buf *out)
{
  int n = 0;
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, list)
  {
    buf_adds(out, n == 0 ? "; kept: " : ", ");
    if (n++ == MAX_NAMED) {
      buf_addf(out, "and %d more", cJSON_GetArraySize(list) - MAX_NAMED);
      return;
    }
    escape_line(out, detail_text(item, "what"));
    buf_adds(out, " (");
    escape_line(out, detail_text(item, "why"));
    buf_addc(out, ')');
  }
}

void scale_line(const struct result *r, struct buf *out)
{
  double k = 1;
  const cJSON *scale = param_node(param_node(r->json, "time"), "scale");
  if (!scale || r->verdict == VERDICT_SKIP) /* its reason says it all */
    return;
  if (param_number(scale, "k", &k) && k > 1)
    buf_addf(out, "  time divided by %.4g", k);
  else
    buf_adds(out, "  time is the true one");
  add_divided(param_node(scale, "divided"), out);
  add_kept(param_node(scale, "kept"), out);
  buf_addc(out, '\n');
}

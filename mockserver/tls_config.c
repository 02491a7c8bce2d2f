#include "mockserver/tls_config.h"

#include "base/clock.h"

#include <string.h>

/* A day, the longest a client is watched. */
#define MAX_S 86400
/* Numbers of connections; nobody counts further. */
#define MAX_CONNECTION 1e9

#define TLS_FAULT(name, act, leaf, versions, summary)                          \
  {#name, act, leaf, versions, summary},
const struct tls_kind tls_kinds[] = {
#include "mockserver/tls_faults.def"
    {.name = NULL}};
#undef TLS_FAULT

#define TLS_FAULT(name, act, leaf, versions, summary) #name,
static const char *const kind_words[] = {
#include "mockserver/tls_faults.def"
    NULL};
#undef TLS_FAULT

/* RFC 8446 6, in its order of names in section 6; close_notify is none of
 * these. */
static const struct {
  const char *name;
  unsigned char number;
} alerts[] = {{"unexpected_message", 10},
              {"bad_record_mac", 20},
              {"record_overflow", 22},
              {"handshake_failure", 40},
              {"bad_certificate", 42},
              {"unsupported_certificate", 43},
              {"certificate_revoked", 44},
              {"certificate_expired", 45},
              {"certificate_unknown", 46},
              {"illegal_parameter", 47},
              {"unknown_ca", 48},
              {"access_denied", 49},
              {"decode_error", 50},
              {"decrypt_error", 51},
              {"protocol_version", 70},
              {"insufficient_security", 71},
              {"internal_error", 80},
              {"inappropriate_fallback", 86},
              {"user_canceled", 90},
              {"missing_extension", 109},
              {"unsupported_extension", 110},
              {"unrecognized_name", 112},
              {"unknown_psk_identity", 115},
              {"certificate_required", 116},
              {"no_application_protocol", 120}};
enum { NALERTS = sizeof alerts / sizeof *alerts };

static const char *const alert_words[] = {"unexpected_message",
                                          "bad_record_mac",
                                          "record_overflow",
                                          "handshake_failure",
                                          "bad_certificate",
                                          "unsupported_certificate",
                                          "certificate_revoked",
                                          "certificate_expired",
                                          "certificate_unknown",
                                          "illegal_parameter",
                                          "unknown_ca",
                                          "access_denied",
                                          "decode_error",
                                          "decrypt_error",
                                          "protocol_version",
                                          "insufficient_security",
                                          "internal_error",
                                          "inappropriate_fallback",
                                          "user_canceled",
                                          "missing_extension",
                                          "unsupported_extension",
                                          "unrecognized_name",
                                          "unknown_psk_identity",
                                          "certificate_required",
                                          "no_application_protocol",
                                          NULL};
_Static_assert(sizeof alert_words / sizeof *alert_words == NALERTS + 1,
               "the words are those of the table");
enum { HANDSHAKE_FAILURE = 3 }; /* its place */

static const char *const where_words[] = {"client_hello", "server_hello", NULL};

const struct param tls_params[] = {
    {.name = "names",
     .type = PARAM_STRINGS,
     .summary = "more names and addresses the certificate is for, besides "
                "127.0.0.1, ::1 and localhost"},
    {.name = "faults",
     .type = PARAM_VALUE,
     .summary = "what goes wrong in handshakes, by number of connection"},
    {.name = NULL}};

const struct param tls_fault_params[] = {
    {.name = "connection",
     .type = PARAM_RANGE,
     .min = 1,
     .max = MAX_CONNECTION,
     .required = true,
     .summary = "which TLS connections, counted from 1 over all lanes: 1, "
                "\"1-3\" or \"2+\""},
    {.name = "fault",
     .type = PARAM_WORD,
     .words = kind_words,
     .required = true,
     .summary = "what goes wrong"},
    {.name = "where",
     .type = PARAM_WORD,
     .words = where_words,
     .summary = "of stall, reset and fin: after the ClientHello (default), "
                "or when the ServerHello is sent"},
    {.name = "for_s",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = MAX_S,
     .summary = "of stall: seconds, then the handshake goes on; absent: for "
                "ever"},
    {.name = "alert",
     .type = PARAM_WORD,
     .words = alert_words,
     .summary = "of alert: which one, default handshake_failure"},
    {.name = NULL}};

const char *tls_alert_name(int number)
{
  for (size_t i = 0; i < NALERTS; i++)
    if (alerts[i].number == number)
      return alerts[i].name;
  return number == 0 ? "close_notify" : "unknown alert";
}

/* A key that says nothing about this kind is a slip of the pen. */
static int check_keys(const struct jval *v, enum tls_act act, struct diag *diag)
{
  static const struct {
    const char *key;
    enum tls_act first, last;
    const char *says;
  } rows[] = {{"where", TLS_STALL, TLS_FIN, "is for stall, reset and fin only"},
              {"for_s", TLS_STALL, TLS_STALL, "is for stall only"},
              {"alert", TLS_ALERT, TLS_ALERT, "is for alert only"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct jval key;
    if (jval_member(v, rows[i].key, &key) &&
        (act < rows[i].first || act > rows[i].last))
      return jval_key_error(&key, diag, "'%s' %s", rows[i].key, rows[i].says);
  }
  return 0;
}

static int read_fault(struct tls_fault *ret, const struct jval *v,
                      struct diag *diag)
{
  static const struct param *const tables[] = {tls_fault_params};
  double s = 0;
  if (param_check(v, tables, 1, NULL, diag) < 0)
    return -1;
  ret->kind = &tls_kinds[param_word(v->node, "fault", kind_words, 0)];
  if (check_keys(v, ret->kind->act, diag) < 0)
    return -1;
  param_range(v->node, "connection", &ret->first, &ret->last);
  ret->after_server_hello = param_word(v->node, "where", where_words, 0) == 1;
  ret->for_ns = param_number(v->node, "for_s", &s)
                    ? (int64_t)(s * (double)NS_PER_S)
                    : INT64_MAX;
  int alert = param_word(v->node, "alert", alert_words, HANDSHAKE_FAILURE);
  ret->alert = alerts[alert].number;
  ret->alert_name = alerts[alert].name;
  return 0;
}

static int read_faults(struct tls_config *c, const struct jval *tls,
                       struct diag *diag)
{
  struct jval v;
  if (!jval_member(tls, "faults", &v))
    return 0;
  if (jval_array(&v, diag) < 0)
    return -1;
  size_t n = (size_t)jval_count(&v);
  c->faults = mem_zalloc((n + 1) * sizeof *c->faults);
  for (size_t i = 0; i < n; i++) {
    struct jval item = jval_item(&v, (int)i);
    c->faults[i].index = i;
    if (read_fault(&c->faults[i], &item, diag) < 0)
      return -1;
  }
  c->nfaults = n;
  return 0;
}

static void read_names(struct tls_config *c, const cJSON *node)
{
  const cJSON *list = param_node(node, "names"), *item = NULL;
  size_t n = 0;
  c->names =
      mem_zalloc(((size_t)cJSON_GetArraySize(list) + 1) * sizeof *c->names);
  cJSON_ArrayForEach(item, list) c->names[n++] = item->valuestring;
}

int tls_config_read(struct tls_config *ret, const struct jval *root,
                    struct diag *diag)
{
  static const struct param *const tables[] = {tls_params};
  struct jval v;
  *ret = (struct tls_config){0};
  if (!jval_member(root, "tls", &v))
    return 0;
  if (cJSON_IsBool(v.node)) {
    ret->on = cJSON_IsTrue(v.node);
    return 0;
  }
  if (!cJSON_IsObject(v.node))
    return jval_error(&v, diag, "must be true, false or an object");
  ret->on = true;
  if (param_check(&v, tables, 1, NULL, diag) < 0 ||
      read_faults(ret, &v, diag) < 0) {
    tls_config_release(ret);
    return -1;
  }
  read_names(ret, v.node);
  return 0;
}

void tls_config_release(struct tls_config *c)
{
  free(c->names);
  free(c->faults);
  *c = (struct tls_config){0};
}

const struct tls_fault *tls_config_fault(const struct tls_config *c,
                                         uint64_t connection)
{
  for (size_t i = 0; i < c->nfaults; i++)
    if ((int64_t)connection >= c->faults[i].first &&
        (int64_t)connection <= c->faults[i].last)
      return &c->faults[i];
  return NULL;
}

/*
 * What agents ask of their vendor besides the API: greetings, telemetry,
 * sign-in, feature flags, usage. Answered so that a client goes on; nothing
 * is kept. Sources: Claude Code's HEAD /api/hello (measured, docs of the
 * real clients), router-for-me/CLIProxyAPI#510 and
 * Wei-Shaw/claude-relay-service#811 (/api/event_logging/batch); the other
 * paths as public clients and proxies list them (bodies not verified).
 */
#include "mockserver/endpoint.h"

#include "base/clock.h"

static void empty(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  (void)q;
  buf_adds(&ret->body, "{}");
}

static void hello(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  (void)q;
  buf_adds(&ret->body, "{\"message\":\"hello\"}");
}

static void telemetry(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  (void)q;
  buf_adds(&ret->body, "{\"accepted_count\":0,\"rejected_count\":0}");
}

static void token(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  (void)q;
  buf_adds(&ret->body, "{\"token_type\":\"Bearer\",\"access_token\":"
                       "\"sk-ant-oat01-faultwire\",\"expires_in\":28800,"
                       "\"refresh_token\":\"sk-ant-ort01-faultwire\","
                       "\"scope\":\"user:inference user:profile\"}");
}

static void profile(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  (void)q;
  buf_adds(&ret->body,
           "{\"account\":{\"uuid\":\"00000000-0000-4000-8000-000000000001\","
           "\"email\":\"faultwire@localhost\",\"display_name\":\"faultwire\"},"
           "\"organization\":{\"uuid\":"
           "\"00000000-0000-4000-8000-000000000002\","
           "\"organization_type\":\"claude_max\",\"rate_limit_tier\":"
           "\"default_claude_max_20x\"}}");
}

static void claude_usage(const struct endpoint_ask *q,
                         struct endpoint_answer *ret)
{
  char five[21], seven[21];
  int64_t now_s = q->wall_ns / NS_PER_S;
  clock_rfc3339(now_s + 3 * 3600, five);
  clock_rfc3339(now_s + 3 * 86400, seven);
  buf_addf(&ret->body,
           "{\"five_hour\":{\"utilization\":0.0,\"resets_at\":\"%s\"},"
           "\"seven_day\":{\"utilization\":0.0,\"resets_at\":\"%s\"}}",
           five, seven);
}

static void codex_usage(const struct endpoint_ask *q,
                        struct endpoint_answer *ret)
{
  int64_t now_s = q->wall_ns / NS_PER_S;
  buf_addf(&ret->body,
           "{\"plan_type\":\"plus\",\"rate_limit\":{\"allowed\":true,"
           "\"limit_reached\":false,\"primary_window\":{\"used_percent\":0,"
           "\"limit_window_seconds\":18000,\"reset_at\":%lld},"
           "\"secondary_window\":{\"used_percent\":0,"
           "\"limit_window_seconds\":604800,\"reset_at\":%lld}}}",
           (long long)now_s + 18000, (long long)now_s + 604800);
}

#define CLAUDE(name, method, path, answer)                                     \
  {                                                                            \
    name, method, path, "anthropic", false, false, ENDPOINT_PROBE, answer      \
  }
#define CODEX(name, method, path, answer)                                      \
  {                                                                            \
    name, method, path, "openai-responses", false, false, ENDPOINT_PROBE,      \
        answer                                                                 \
  }

static const struct endpoint_route routes[] = {
    CLAUDE("probes.hello", "GET", "/api/hello", hello),
    CLAUDE("probes.telemetry", "POST", "/api/event_logging/batch", telemetry),
    CLAUDE("probes.telemetry", "POST", "/api/event_logging/v2/batch",
           telemetry),
    CLAUDE("probes.telemetry", "POST", "/api/claude_code/metrics", telemetry),
    CLAUDE("probes.bootstrap", "GET", "/api/claude_cli/bootstrap", empty),
    CLAUDE("probes.bootstrap", "GET", "/api/claude_code_penguin_mode", empty),
    CLAUDE("probes.bootstrap", "GET", "/api/claude_code_grove", empty),
    CLAUDE("probes.flags", "POST", "/api/eval/*", empty),
    CLAUDE("probes.oauth", "POST", "/v1/oauth/token", token),
    CLAUDE("probes.oauth", "GET", "/api/oauth/profile", profile),
    CLAUDE("probes.oauth", "GET", "/api/oauth/claude_cli/roles", empty),
    CLAUDE("probes.oauth", "GET", "/api/oauth/account/settings", empty),
    CLAUDE("probes.usage", "GET", "/api/oauth/usage", claude_usage),
    CODEX("probes.usage", "GET", "/api/codex/usage", codex_usage),
    CODEX("probes.usage", "GET", "/wham/usage", codex_usage),
    {.name = NULL}};

const struct endpoint_family endpoint_probes = {
    .name = "probes",
    .summary = "What agents ask besides the API: greeting, telemetry, "
               "sign-in, flags, usage.",
    .routes = routes};

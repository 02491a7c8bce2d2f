set(GUARD_PARSERS
  scan.c
  span.c
  civil.c
  zones.c
  retry_after.c
  retry_after_clock.c
  retry_after_date.c
  retry_after_duration.c
  retry_after_list.c
  retry_after_seconds.c
  retry_after_text.c
  retry_after_words.c
  sse.c
  stream.c
  stream_anthropic.c
  stream_gemini.c
  stream_openai.c
  stream_responses.c
  error_class.c
  classify/anthropic.c
  classify/azure.c
  classify/bedrock.c
  classify/claude_cli.c
  classify/claude_json.c
  classify/codex.c
  classify/cohere.c
  classify/edge.c
  classify/evidence.c
  classify/gemini.c
  classify/gemini_cli.c
  classify/github_models.c
  classify/ietf.c
  classify/judge.c
  classify/messages.c
  classify/mistral.c
  classify/network.c
  classify/openai.c
  classify/openrouter.c
  classify/output.c
  classify/sdk.c
  classify/stream_end.c
  classify/text.c
  classify/tree.c
  classify/verdict.c)
unit_test(tree guard guard base)
unit_test(retry_after guard guard base)
unit_test(error_class guard guard base)
unit_test(error_order guard guard)
unit_test(error_more guard guard base)
target_sources(test_error_more PRIVATE command/row.c)
unit_test(properties_hint guard guard base)
unit_test(properties_class guard guard base)
target_sources(test_properties_class PRIVATE command/row.c)
unit_test(memory guard guard base)
target_sources(test_memory PRIVATE command/row.c)
target_link_options(test_memory PRIVATE
  -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free)
unit_test(sse guard guard)
unit_test(stream guard guard)

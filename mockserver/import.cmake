# Logs and fault scripts of others as scenarios (import/), calls passed on to
# a real API (upstream/).
set(MOCK_IMPORT
  import/draft.c
  import/events.c
  import/format.c
  import/format/aimock.c
  import/format/curl.c
  import/format/har.c
  import/format/jsonl.c
  import/format/llmock.c
  import/import.c
  import/journal_line.c
  import/moment.c
  import/peer.c
  import/read_json.c
  import/scrub.c
  import/shape_of.c
  import/step_of.c
  import/taken.c
  upstream/pass.c
  upstream/privacy.c
  upstream/record.c
  upstream/send.c
  upstream/transfer.c
  upstream/upstream.c)

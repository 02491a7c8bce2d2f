/*
 * fault_steps.h - steps that between them make the server do all it can on
 * one connection; met over HTTP (test_wire_faults.c) and over HTTPS
 * (test_wire_tls_faults.c).
 */
#ifndef TESTS_FAULT_STEPS_H
#define TESTS_FAULT_STEPS_H

static const char *const steps[] = {
    "{\"reply\":\"message\"}",
    "{\"fault\":\"none\",\"gap_ms\":40}",
    "{\"reply\":\"message\",\"chunks\":300}",
    "{\"reply\":\"message\",\"chunks\":80,\"gap_ms\":10}",
    "{\"fault\":\"rate_limit\",\"retry_after\":\"{{http_date:+3}}\"}",
    "{\"fault\":\"rate_limit\",\"delay_ms\":700}",
    "{\"fault\":\"overloaded\"}",
    "{\"fault\":\"usage_limit\"}",
    "{\"fault\":\"status\",\"error\":\"timeout\"}",
    "{\"fault\":\"status\",\"status\":502,\"body\":\"<html>{{pad:70000}}\"}",
    "{\"fault\":\"status\",\"status\":500,\"default_headers\":false,"
    "\"body_base64\":\"AAEC\",\"headers\":[[\"Content-Length\",\"3\"]]}",
    "{\"fault\":\"stream_cut\"}",
    "{\"fault\":\"stream_cut\",\"ending\":\"dirty\"}",
    "{\"fault\":\"stream_cut\",\"ending\":\"fin\"}",
    "{\"fault\":\"stream_cut\",\"ending\":\"rst\"}",
    "{\"fault\":\"stream_cut\",\"ending\":\"clean\",\"at_byte\":33}",
    "{\"fault\":\"stream_cut\",\"ending\":\"dirty\",\"at_byte\":33}",
    "{\"fault\":\"stream_cut\",\"ending\":\"fin\",\"at_byte\":333}",
    "{\"fault\":\"stream_cut\",\"ending\":\"rst\",\"at_byte\":333}",
    "{\"fault\":\"stream_cut\",\"ending\":\"rst\",\"after_event\":0}",
    "{\"fault\":\"stream_error\"}",
    "{\"fault\":\"stream_error\",\"error\":\"rate_limit\",\"after_event\":0}",
    "{\"fault\":\"stall\",\"where\":\"before_headers\"}",
    "{\"fault\":\"stall\",\"where\":\"before_headers\",\"for_s\":2}",
    "{\"fault\":\"stall\",\"where\":\"after_headers\"}",
    "{\"fault\":\"stall\",\"where\":\"after_headers\",\"for_s\":2}",
    "{\"fault\":\"stall\",\"where\":\"after_event\"}",
    "{\"fault\":\"stall\",\"where\":\"after_event\",\"for_s\":2}",
    "{\"fault\":\"stall\",\"where\":\"after_event\",\"for_s\":7,"
    "\"pings\":2}",
    "{\"fault\":\"stream\"}",
    "{\"fault\":\"stream\",\"pieces\":\"byte\",\"text\":\"a \u00e4\"}",
    "{\"fault\":\"stream\",\"pieces\":400,\"piece_gap_ms\":3}",
    "{\"fault\":\"stream\",\"pieces\":[1,20,21],\"eol\":\"crlf\","
    "\"bom\":true}",
    "{\"fault\":\"stream\",\"pieces\":\"lines\",\"eol\":\"mixed\"}",
    "{\"fault\":\"stream\",\"eol\":\"cr\",\"gap_ms\":50,"
    "\"encoding\":\"gzip\"}",
    "{\"fault\":\"stream\",\"at_byte\":100,\"ending\":\"fin\","
    "\"encoding\":\"br\"}",
    "{\"fault\":\"stream\",\"ending\":\"eof\",\"encoding\":\"deflate\"}",
    "{\"fault\":\"stream\",\"ending\":\"last_chunk\"}",
    "{\"fault\":\"stream\",\"events\":[\"start\",{\"delta\":\"Hel\"}],"
    "\"ending\":\"rst\"}",
    "{\"fault\":\"stream\",\"events\":[\"start\",{\"thinking\":\"hm\"},"
    "{\"tool\":{\"arguments\":{\"a\":1}}},{\"error\":\"overloaded\"}],"
    "\"ending\":\"clean\"}",
    "{\"fault\":\"stream\",\"events\":[\"start\",\"ping\",{\"wait\":2},"
    "{\"pingloop\":1,\"for\":3},{\"big\":70000},{\"comment\":\"c\"},"
    "{\"unknown\":\"u\"},{\"bad\":\"{\"},{\"raw\":\"r\"},\"stop\"]}",
    "{\"fault\":\"stream\",\"events\":[\"start\"],\"ending\":\"hold\"}",
    "{\"fault\":\"stream\",\"events\":[{\"delta\":\"x\"}],"
    "\"ending\":\"dirty\"}",
    "{\"fault\":\"bad_body\",\"how\":\"empty\"}",
    "{\"fault\":\"bad_body\",\"how\":\"truncated\"}",
    "{\"fault\":\"bad_body\",\"how\":\"array\"}",
    "{\"fault\":\"bad_body\",\"how\":\"null_fields\"}",
    "{\"fault\":\"bad_body\",\"how\":\"not_json\"}",
    "{\"fault\":\"bad_body\",\"how\":\"html\",\"status\":502}",
    "{\"fault\":\"bad_body\",\"how\":\"text\",\"status\":520}",
    "{\"fault\":\"overloaded\",\"encoding\":\"gzip\",\"body_bytes\":30}",
    "{\"reply\":\"message\",\"encoding\":\"deflate_raw\"}",
    "{\"reply\":\"message\",\"encoding\":\"br\",\"encoding_mode\":"
    "\"body_only\",\"content_type\":\"text/html\"}",
    "{\"reply\":\"message\",\"body_bytes\":50,\"content_type\":null}",
    "{\"reply\":\"message\",\"first_token_ms\":700,\"tokens_per_s\":20,"
    "\"jitter\":0.5}",
    "{\"reply\":\"message\",\"blocks\":[{\"thinking\":\"let me see\"},"
    "{\"text\":\"I look.\"},{\"tool\":{\"name\":\"ls\",\"arguments\":"
    "{\"path\":\".\"}}}]}",
    "{\"fault\":\"reset\"}",
    "{\"fault\":\"redirect\",\"to\":\"/elsewhere?at={{epoch:+1}}\"}",
    "{\"fault\":\"raw\",\"bytes\":\"HTTP/1.1 200 OK\\r\\n\\r\\n{{hex:ff}}\"}",
    "{\"fault\":\"hang\",\"close\":\"rst\",\"close_after_ms\":300}",
    "{\"reply\":\"message\",\"cut\":\"end-3\",\"trailing\":\"x\"}",
    "{\"fault\":\"hang\"}"};

#endif

"""Streams: bytes to lines, lines to events, events to an answer. Any piece may
end anywhere: inside a character, between CR and LF, inside an event."""
import http.client
import json
import time

from wire import Answer, Failure


class Lines:
    """LF, CR LF and CR end a line; a piece may end between the two."""

    def __init__(self):
        self.rest, self.after_cr = b"", False

    def feed(self, piece):
        for byte in piece:
            char = bytes((byte,))
            if char == b"\n" and self.after_cr:
                self.after_cr = False
                continue
            self.after_cr = char == b"\r"
            if char in (b"\n", b"\r"):
                line, self.rest = self.rest, b""
                yield line
            else:
                self.rest += char


class Events:
    """(name, data) of each event that its empty line has ended."""

    def __init__(self):
        self.lines, self.name, self.data = Lines(), "", []

    def feed(self, piece):
        for line in self.lines.feed(piece):
            if line:
                self.field(line.decode("utf-8", "replace"))
                continue
            if self.data:
                yield self.name, "\n".join(self.data)
            self.name, self.data = "", []

    def field(self, line):
        key, _, value = line.lstrip("\ufeff").partition(":")
        value = value[1:] if value.startswith(" ") else value
        if key == "event":
            self.name = value
        elif key == "data":
            self.data.append(value)


class Streams:
    """Mixed into Client."""

    def parser(self):
        return Events()

    def stream(self, raw):
        answer, events, moved = Answer(), self.parser(), time.monotonic()
        try:
            for piece in self.pieces(raw):
                for name, data in events.feed(piece):
                    if self.event(answer, name, data):
                        moved = time.monotonic()
                self.progress(moved)
        except (OSError, http.client.HTTPException) as error:
            answer.lost = error
            self.drop()
        self.ended(answer, events)
        return answer

    def progress(self, moved):
        """Signs of life are no content."""
        if time.monotonic() - moved > self.o.idle_timeout:
            raise Failure("timeout", "pings and no content")

    def event(self, answer, name, data):
        """True when it brought the answer forward."""
        if data == "[DONE]":
            answer.ended = True
            return True
        try:
            event = json.loads(data)
        except ValueError:
            return self.bad_event(data)
        if not isinstance(event, dict):
            return False
        if event.get("error") or event.get("type") in ("error",
                                                       "response.failed"):
            self.in_stream_error(event)
        kind = event.get("type") or name
        self.known(kind)
        before = (answer.text, answer.stopped, answer.ended,
                  str(answer.tools))
        try:
            getattr(self, self.o.provider.replace("-", "_"))(answer, event,
                                                             kind)
        except (TypeError, KeyError, IndexError, AttributeError):
            raise Failure("server_error", "an event without its parts"
                          ) from None
        return before != (answer.text, answer.stopped, answer.ended,
                          str(answer.tools)) or kind == "message_start"

    def bad_event(self, data):
        raise Failure("stream_interrupted", "an event that is no JSON")

    def known(self, kind):
        """New kinds of events are let pass."""

    def anthropic(self, answer, event, kind):
        delta = event.get("delta") or {}
        block = event.get("content_block") or {}
        if block.get("type") == "tool_use":
            answer.tool(block["name"])
        self.said(answer, delta.get("text") or "")
        if delta.get("partial_json"):
            answer.tool(arguments=delta["partial_json"])
        answer.stopped |= bool(delta.get("stop_reason"))
        answer.ended |= kind == "message_stop"

    def openai(self, answer, event, kind):
        for choice in event.get("choices") or []:
            delta = choice.get("delta") or {}
            self.said(answer, delta.get("content") or "")
            for call in delta.get("tool_calls") or []:
                answer.tool(call["function"].get("name") or "",
                            call["function"].get("arguments") or "")
            answer.stopped |= bool(choice.get("finish_reason"))

    def openai_responses(self, answer, event, kind):
        item = event.get("item") or {}
        if kind == "response.output_item.added" and item["type"] == (
                "function_call"):
            answer.tool(item["name"])
        if kind == "response.function_call_arguments.delta":
            answer.tool(arguments=event["delta"])
        if kind == "response.output_text.delta":
            self.said(answer, event["delta"])
        if kind in ("response.completed", "response.incomplete"):
            len(event["response"]["output"])  # null is no answer
            answer.ended = True

    def gemini(self, answer, event, kind):
        for candidate in event.get("candidates") or []:
            content = candidate.get("content") or {}
            for part in content.get("parts") or []:
                self.said(answer, part.get("text") or "")
                if "functionCall" in part:
                    answer.tool(part["functionCall"]["name"],
                                json.dumps(part["functionCall"].get("args")))
            answer.ended |= bool(candidate.get("finishReason"))

    def said(self, answer, text):
        answer.text += text

    def ended(self, answer, events):
        """The end of the bytes is the end of the answer only behind its
        terminal event. Of that one its name is enough."""
        if not answer.ended and not (answer.stopped
                                     and events.name == "message_stop"):
            self.on_cut(answer)

    def on_cut(self, answer):
        if isinstance(answer.lost, TimeoutError):
            raise Failure("timeout", "the stream is silent")
        raise Failure("stream_interrupted", "the stream was cut")

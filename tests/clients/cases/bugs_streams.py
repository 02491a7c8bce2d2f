"""Mistakes about what a stream says and where it ends."""
import json

from bugs_waits import NoEnd
from sse import Events
from wire import Failure


class InStreamLimitCrashes:
    """B009: the library raises in the middle of the iteration."""

    def in_stream_error(self, event):
        raise RuntimeError("rate limit, status undefined")


class StatusOnly:
    """B086, B088, B093: the status was 200, so the error is passed over."""

    def in_stream_error(self, event):
        pass

    def on_cut(self, answer):
        pass


class InStreamErrorIs200:
    """B087: a 200 is in no list of statuses that are asked again."""

    def in_stream_error(self, event):
        raise Failure("other", "status 200", retry=False)


class EndOfBytesIsEnd:
    """B095, B098, B099: where the bytes end the answer ends, however; half of
    a coded body too."""

    def on_cut(self, answer):
        pass

    def cut_coding(self):
        pass


class OverStrict(NoEnd):
    """B097: without its last byte the answer is lost, for ever."""

    def ended(self, answer, events):
        if not answer.ended:
            self.on_cut(answer)

    def wait_s(self, failure, number):
        return 0.2


class RunsPartialTool:
    """B100: a dead socket ends the turn like any other end."""

    def on_cut(self, answer):
        pass

    def run_tool(self, name, arguments):
        self.effect(f"tool_executed {name}")


class RunsPrefix:
    """B101: the pieces of all tries are one text, and what can be read of it
    is run."""
    glued = ""

    def on_cut(self, answer):
        for name, arguments in answer.tools:
            self.run_tool(name, arguments)
        super().on_cut(answer)

    def run_tool(self, name, arguments):
        self.glued += arguments
        code = self.glued.partition('"code":"')[2].partition('"')[0]
        self.effect(f"executed_code {code}")


class PrintsAsItComes:
    """B102: the first half is out when the second try begins."""

    def said(self, answer, text):
        print(text, end="", flush=True)

    def one_call(self, prompt):
        super().one_call(prompt)
        return ""


class AddsUserMessage:
    """B103: each try appends what the user said to the conversation."""
    asked = 0

    def body(self, prompt):
        self.asked += 1
        body = super().body(prompt)
        return {**body, "messages": body["messages"] * self.asked}


class RawTransportError:
    """B105: the exception of the library is that of the caller."""

    def on_cut(self, answer):
        raise ConnectionAbortedError("incomplete chunked read")

    def transport(self, error):
        return error


class ResidualBytesThrow:
    """B106: what is left in the buffer at the end must be JSON."""

    def bad_event(self, data):
        raise ValueError(f"incomplete JSON segment: {data}")


class DecodesEachPiece:
    """B108: a piece is a text of its own."""

    def pieces(self, answer):
        for piece in super().pieces(answer):
            yield piece.decode().encode()


class LfOnly:
    """B111: two LF behind each other end an event, nothing else does."""

    class Blocks(Events):
        block = b""

        def feed(self, piece):
            *blocks, self.block = (self.block + piece).split(b"\n\n")
            for block in blocks:
                yield from super().feed(block + b"\n\n")

    def parser(self):
        return self.Blocks()


class PieceIsEvent:
    """B112: event: and data: are looked for in one segment."""

    class Segments(Events):
        def feed(self, piece):
            for name, data in super().feed(piece + b"\n\n"):
                if name:
                    yield name, data

    def parser(self):
        return self.Segments()


class StrictEvents:
    """B115: a kind of event it does not know ends the reply."""

    def known(self, kind):
        if kind and not kind.startswith(("response.", "error")):
            raise Failure("invalid_request", f"unknown event {kind}")


class NoDecoding:
    """B116: promises gzip, and reads the body as it comes."""

    def decoder(self, coding):
        return None

    def on_cut(self, answer):
        raise Failure("other", "no text")


class IteratesNull:
    """B078: a list is a list."""

    def openai_responses(self, answer, event, kind):
        if kind == "response.completed":
            for item in event["response"]["output"]:
                self.said(answer, json.dumps(item)[:0])
            answer.ended = True
        else:
            super().openai_responses(answer, event, kind)

    def event(self, answer, name, data):
        if '"output":null' in data and "completed" in name:
            return self.openai_responses(answer, json.loads(data), name)
        return super().event(answer, name, data)


class WatchdogByHost(NoEnd):
    """B118: the watchdog is for the vendor's host, not for this one."""

    def __init__(self, options):
        super().__init__(options)
        if not self.url().hostname.endswith("anthropic.com"):
            options.timeout = options.idle_timeout = 1000000


class PingsFeedTheWatchdog(NoEnd):
    """B119: any event is progress, and the whole has no limit."""

    def __init__(self, options):
        super().__init__(options)
        options.timeout = 1000000

    def progress(self, moved):
        pass

"""One request and its answer: four providers, streamed or not, read piece by
piece with limits on the head, on silence and on the whole."""
import http.client
import json
import os
import select
import time
import urllib.parse
import zlib

from asked import error_of

PIECE = 65536


class Failure(Exception):
    def __init__(self, cls, text="", asked_s=None, retry=None):
        super().__init__(text or cls)
        self.cls, self.asked_s, self.retry = cls, asked_s, retry


class Answer:
    """What the events of one stream, or one body, have said so far."""

    def __init__(self):
        self.text, self.tools, self.lost = "", [], None
        self.ended, self.stopped = False, False

    def tool(self, name="", arguments=""):
        """A name opens a call; arguments go to the last one."""
        if name or not self.tools:
            self.tools.append([name, ""])
        self.tools[-1][1] += arguments


PATHS = {"anthropic": ("ANTHROPIC_BASE_URL", "/v1/messages"),
         "openai": ("OPENAI_BASE_URL", "/chat/completions"),
         "openai-responses": ("OPENAI_BASE_URL", "/responses"),
         "gemini": ("GOOGLE_GEMINI_BASE_URL",
                    "/v1beta/models/gemini-2.5-flash")}
VERBS = {True: ":streamGenerateContent?alt=sse", False: ":generateContent"}


class Wire:
    """Mixed into Client: self.o is the command line."""
    conn, raw, used = None, None, False

    def url(self):
        variable, path = PATHS[self.o.provider]
        if self.o.provider == "gemini":
            path += VERBS[self.o.mode == "stream"]
        return urllib.parse.urlsplit(os.environ[variable] + path)

    def body(self, prompt):
        said = [{"role": "user", "content": prompt}]
        if self.o.provider == "gemini":
            return {"contents": [{"role": "user", "parts": [{"text": prompt}]}]}
        more = {"anthropic": {"messages": said, "max_tokens": 64},
                "openai": {"messages": said},
                "openai-responses": {"input": said}}[self.o.provider]
        return {"model": "m", "stream": self.o.mode == "stream", **more}

    def connect(self):
        if self.conn and self.is_stale(self.conn.sock):
            self.drop()
        if not self.conn:
            self.conn, self.used = http.client.HTTPConnection(
                self.url().netloc, timeout=self.first_byte_s()), False

    def is_stale(self, sock):
        """The server has closed it while it was idle."""
        return not sock or bool(select.select([sock], [], [], 0)[0])

    def drop(self):
        if self.conn:
            self.conn.close()
        self.conn = None

    def first_byte_s(self):
        return min(self.o.first_byte_timeout, self.o.timeout,
                   max(self.left_s(), 0.05))

    def send(self, body):
        """The answer's head. A kept connection that breaks before any byte
        was never looked at: sent again, once, on a new one."""
        self.connect()
        url = self.url()
        headers = {"content-type": "application/json",
                   "accept-encoding": "gzip, deflate",
                   "x-api-key": "dummy", "authorization": "Bearer dummy"}
        if self.conn.sock:
            self.conn.sock.settimeout(self.first_byte_s())
        try:
            self.conn.request("POST", url.path + ("?" + url.query
                                                  if url.query else ""),
                              body, headers)
            self.raw = self.conn.getresponse()
            return self.raw
        except (ConnectionError, http.client.RemoteDisconnected) as error:
            self.drop()
            if self.used and self.replays(error):
                return self.send(body)
            raise

    def replays(self, error):
        return True

    def call(self, prompt):
        """The whole answer, or a Failure; the connection is kept when the
        answer was read to its end."""
        try:
            answer = self.send(json.dumps(self.body(prompt)).encode())
            if answer.status != 200:
                self.refused(answer, b"".join(self.pieces(answer)))
            if "event-stream" in (answer.headers["content-type"] or ""):
                done = self.stream(answer)
            else:
                done = self.whole(b"".join(self.pieces(answer)))
            self.used = True
            return done
        except (OSError, http.client.HTTPException) as error:
            self.drop()
            raise self.transport(error) from None
        except Failure:
            if self.raw and not self.raw.isclosed():
                self.drop()  # bytes of it are still to come
            self.used = bool(self.conn)
            raise

    def transport(self, error):
        if isinstance(error, TimeoutError):
            return Failure("timeout", "no answer in time")
        return Failure("stream_interrupted", "connection lost")

    def pieces(self, answer):
        """The body as it comes, decoded; short is a Failure."""
        decode = self.decoder(answer.headers["content-encoding"])
        until = time.monotonic() + min(self.o.timeout, self.left_s())
        while True:
            self.limit_read(until)
            piece = answer.read1(PIECE)
            if not piece:
                break
            yield decode.decompress(piece) if decode else piece
        if answer.length:
            raise Failure("stream_interrupted", "body shorter than announced")
        if decode and not decode.eof:
            self.cut_coding()

    def limit_read(self, until):
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise Failure("timeout", "the answer takes too long")
        if self.conn and self.conn.sock:
            self.conn.sock.settimeout(min(left_s, self.idle_s() or left_s))

    def idle_s(self):
        return self.o.idle_timeout

    def decoder(self, coding):
        return zlib.decompressobj(47) if coding in ("gzip", "deflate") else None

    def cut_coding(self):
        raise Failure("stream_interrupted", "coded body cut short")

    def whole(self, body):
        try:
            data = json.loads(body)
        except ValueError:
            raise Failure("server_error", "an answer that is no JSON") from None
        answer = Answer()
        if error_of(body) and "error" in data:
            self.in_stream_error(data)
        try:
            self.read_whole(data, answer)
        except (TypeError, KeyError, IndexError):
            raise Failure("server_error", "an answer without text") from None
        answer.ended = True
        return answer

    def read_whole(self, data, answer):
        if self.o.provider == "anthropic":
            parts = data["content"]
        elif self.o.provider == "openai":
            parts = [{"text": data["choices"][0]["message"]["content"]}]
        elif self.o.provider == "openai-responses":
            parts = [part for item in data["output"]
                     for part in item.get("content") or []]
        else:
            parts = data["candidates"][0]["content"]["parts"]
        answer.text = "".join(part.get("text", "") for part in parts)
